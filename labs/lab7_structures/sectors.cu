/**
 * @file sectors.cu
 * @brief Counts, access by access, what the warps of lab 7's kernels request and how many sectors that
 * takes.
 *
 * A warp's request is one instruction of its 32 threads; memory answers it in sectors of 32 bytes. The lab's
 * column `fetched` is computed. This program compiles the same kernels with umcc's --check=coalescing and
 * counts (docs/checking.md). Simulator only: on a GPU a profiler shows it. `make lab7` runs it after the
 * lab.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "kernels.h"
#include "umsim.h"

enum {
    COUNT = 4096
}; /* particles, and nodes: whole warps; what one costs does not depend on how many there are */

#define NEED(call)                                                                                           \
    do {                                                                                                     \
        const cudaError_t error = (call);                                                                    \
        if (error != cudaSuccess) {                                                                          \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* Device memory, all zeros: nothing that a kernel reads is without a value. */
static void *zeros(size_t bytes)
{
    void *p;
    NEED(cudaMalloc(&p, bytes));
    NEED(cudaMemset(p, 0, bytes));
    return p;
}

/* The accesses to the memory at `p` since it was allocated, for each of COUNT elements. */
static void print(const char *strategy, const char *kernel, const char *element, const void *p,
                  double fetched)
{
    struct umsim_accesses all;
    NEED(cudaDeviceSynchronize());
    if (!umsim_accesses_of(p, &all)) {
        fprintf(stderr, "%s: nothing was counted: was this compiled with --check=coalescing?\n", strategy);
        exit(1);
    }
    printf("%-8s %-14s %9llu %16.2f   %-8s %9.0f %9.0f %9.0f\n", strategy, kernel,
           (unsigned long long)all.requests, (double)all.sectors / (double)all.requests, element,
           (double)all.bytes_requested / COUNT, (double)all.bytes_moved / COUNT, fetched / COUNT);
}

static void records()
{
    struct um_record *records = (struct um_record *)zeros(COUNT * sizeof *records);
    NEED(um_record_move(records, 2, COUNT, 0));
    print("records", "um_record_move", "particle", records, um_kernel_bytes("um_record_move", COUNT));
}

/* Three positions, then three velocities, as the lab has them. */
static void arrays()
{
    float *fields = (float *)zeros(6 * COUNT * sizeof *fields);
    for (int axis = 0; axis < 3; axis++)
        NEED(um_saxpy(fields + axis * COUNT, 2, fields + (3 + axis) * COUNT, COUNT, 0));
    print("arrays", "um_saxpy, 3x", "particle", fields, 3 * um_kernel_bytes("um_saxpy", COUNT));
}

/* Each node's link leads to the next but 1530, so that no two neighbours in the list are neighbours in
 * memory. */
static void list()
{
    const size_t apart = 1531; /* odd: all nodes are in the circle */
    struct um_node *nodes = (struct um_node *)zeros(COUNT * sizeof *nodes);
    std::vector<struct um_node> home(COUNT);
    for (size_t i = 0; i < COUNT; i++)
        home[i] = {nodes + (i + apart) % COUNT, 1};
    NEED(cudaMemcpy(nodes, home.data(), COUNT * sizeof *nodes, cudaMemcpyHostToDevice));
    NEED(um_list_sum((int64_t *)zeros(sizeof(int64_t)), nodes, COUNT, 0));
    print("list", "um_list_sum", "node", nodes, um_kernel_bytes("um_list_sum", COUNT));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        fprintf(stderr, "lab7_sectors: %s: there are no options; its sizes are its own\n", argv[1]);
        return 2;
    }
    printf("\nsectors: each access of the lab's kernels counted, %d particles, %d nodes (umcc "
           "--check=coalescing)\n\n",
           COUNT, COUNT);
    printf("%-8s %-14s %9s %16s   %-8s %9s %9s %9s\n", "rows", "kernel", "requests", "sectors/request",
           "for each", "asked B", "sectors B", "fetched B");
    records();
    arrays();
    list();
    printf("\nsectors B: in all sectors of all requests; fetched B: as the lab works it out, where a sector "
           "that was "
           "just there\nis not fetched once more\n");
    fflush(stdout);
    _Exit(0); /* without umcc --check's own report, which would repeat this one */
}
