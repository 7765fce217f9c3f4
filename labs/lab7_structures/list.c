/**
 * @file list.c
 * @brief Implementation of list.h: the list's strategies, node by node, packed, in a pool, mapped, managed.
 */
#include "list.h"

uint64_t nodes = 4096; /* --nodes */
int64_t *sum;          /* what a kernel found: pinned, so that no strategy pays for bringing it back */

/* Lists need their own row size; a node asks for 16 bytes of a sector of 32. */
static struct um_row *list_row(struct um_run *run, struct tally *tally)
{
    struct um_row *row = um_row(run, NULL);

    row->size_bytes = nodes * sizeof(struct um_node);
    *tally = (struct tally){.asked = (double)(nodes * sizeof(struct um_node)),
                            .fetched = um_kernel_bytes("um_list_sum", nodes),
                            .needed = (double)(nodes * sizeof(struct um_node))};
    return row;
}

/* A kernel adds up the list that begins at `head`; the caller begins the phase. */
static cudaError_t sum_on_device(const struct um_node *head)
{
    cudaError_t error;

    *sum = -1; /* the result of another strategy must not verify */
    error = um_list_sum(sum, head, nodes, 0);
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/* The host reads its list in the end; both sums have to be right. */
static void finish_list(struct um_run *run, struct um_row *row, const struct tally *tally,
                        const struct um_node *head)
{
    const double expected = (double)list_expected(nodes, run->seed);
    int64_t host_sum;

    um_phase(row, UM_PHASE_HOST);
    host_sum = list_sum(head);
    finish(row, tally);
    um_row_verified(row, um_verify_number("the kernel's sum", (double)*sum, expected));
    um_row_verified(row, um_verify_number("the host's sum", (double)host_sum, expected));
}

/* An ordinary list of the host: each node from malloc. */
static bool list_on_host(struct list *list, uint64_t seed)
{
    if (!list_open(list, nodes, seed))
        return false;
    for (size_t k = 0; k < list->n; k++)
        UM_NEED(list->node[k] = malloc(sizeof(struct um_node)));
    list_write(list, seed);
    return true;
cleanup:
    return false;
}

static void list_on_host_free(struct list *list)
{
    for (size_t k = 0; list->node && k < list->n; k++)
        free(list->node[k]);
    list_close(list);
}

void list_nodes(struct um_run *run)
{
    struct tally tally;
    struct um_row *row = list_row(run, &tally);
    struct list list = {0};
    struct um_node **d_node = NULL;

    UM_NEED(list_on_host(&list, run->seed));
    UM_NEED(d_node = calloc(nodes, sizeof *d_node));
    um_phase(row, UM_PHASE_ALLOC);
    for (size_t k = 0; k < nodes; k++, tally.allocations++)
        UM_TRY(cudaMalloc((void **)&d_node[k], sizeof(struct um_node)));
    um_phase(row, UM_PHASE_H2D);
    for (size_t k = 0; k < nodes; k++, tally.copies++) {
        const uint64_t next = list.next[k];
        const struct um_node fitted = {next == 0 ? NULL : d_node[next], list.node[k]->value};

        UM_TRY(cudaMemcpy(d_node[k], &fitted, sizeof fitted, cudaMemcpyHostToDevice));
    }
    um_row_copied_h2d(row, nodes * sizeof(struct um_node));
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(sum_on_device(d_node[0]));
    finish_list(run, row, &tally, list.node[0]);
cleanup:
    for (size_t k = 0; d_node && k < nodes; k++)
        cudaFree(d_node[k]);
    free(d_node);
    list_on_host_free(&list);
}

void list_packed(struct um_run *run)
{
    const size_t bytes = nodes * sizeof(struct um_node);
    struct tally tally;
    struct um_row *row = list_row(run, &tally);
    struct list list = {0};
    struct um_node *packed = NULL, *d_node = NULL;
    size_t used = 0;

    UM_NEED(list_on_host(&list, run->seed));
    UM_NEED(packed = malloc(bytes));
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_node, bytes));
    tally.allocations = 1;
    um_phase(row, UM_PHASE_HOST);
    for (const struct um_node *at = list.node[0]; at; at = at->next, used++)
        packed[used] = (struct um_node){!at->next ? NULL : d_node + used + 1, at->value};
    um_phase(row, UM_PHASE_H2D);
    UM_TRY(cudaMemcpy(d_node, packed, bytes, cudaMemcpyHostToDevice));
    tally.copies = 1;
    um_row_copied_h2d(row, bytes);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(sum_on_device(d_node));
    finish_list(run, row, &tally, list.node[0]);
cleanup:
    cudaFree(d_node);
    free(packed);
    list_on_host_free(&list);
}

/* All nodes side by side in `pool`: the host writes them there, and the kernel follows the same pointers. */
static void list_in(struct um_run *run, struct um_row *row, struct tally *tally, struct um_node *pool)
{
    struct list list = {0};

    UM_NEED(list_open(&list, nodes, run->seed));
    for (size_t k = 0; k < nodes; k++)
        list.node[k] = pool + k;
    list_write(&list, run->seed);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(sum_on_device(pool));
    finish_list(run, row, tally, pool);
cleanup:
    list_close(&list);
}

void list_pool(struct um_run *run)
{
    struct tally tally;
    struct um_node *pool = NULL;
    struct um_row *row;

    if (skipped(run))
        return;
    row = list_row(run, &tally);
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged((void **)&pool, nodes * sizeof *pool, cudaMemAttachGlobal));
    tally.allocations = 1;
    um_phase_end(row);
    list_in(run, row, &tally, pool);
cleanup:
    cudaFree(pool);
}

void list_mapped(struct um_run *run)
{
    struct tally tally;
    struct um_node *pool = NULL;
    struct um_row *row;

    if (!um_device()->can_map_host || !um_device()->unified_addressing) {
        um_row_skip(um_row(run, NULL), "the device does not see host memory at the host's addresses");
        return;
    }
    row = list_row(run, &tally);
    tally.in_place = tally.fetched;
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaHostAlloc((void **)&pool, nodes * sizeof *pool, cudaHostAllocMapped));
    tally.allocations = 1;
    um_phase_end(row);
    list_in(run, row, &tally, pool);
cleanup:
    cudaFreeHost(pool);
}

void list_managed(struct um_run *run)
{
    struct tally tally;
    struct list list = {0};
    struct um_row *row;

    if (skipped(run))
        return;
    row = list_row(run, &tally);
    UM_NEED(list_open(&list, nodes, run->seed));
    um_phase(row, UM_PHASE_ALLOC);
    for (size_t k = 0; k < nodes; k++, tally.allocations++)
        UM_TRY(cudaMallocManaged((void **)&list.node[k], sizeof(struct um_node), cudaMemAttachGlobal));
    um_phase_end(row);
    list_write(&list, run->seed);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(sum_on_device(list.node[0]));
    finish_list(run, row, &tally, list.node[0]);
cleanup:
    for (size_t k = 0; list.node && k < nodes; k++)
        cudaFree(list.node[k]);
    list_close(&list);
}
