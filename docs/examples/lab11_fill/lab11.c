/**
 * @file lab11.c
 * @brief Lab 11: what does it cost to set memory to a value?
 *
 * An example of a lab, as small as one can be (docs/adding.md): two strategies, a table, every result
 * checked.
 */
#include "kernels.h"
#include "um_lab.h"

#define VALUE 3.0F

static float *h_x; /* the host's array */

static float expected(size_t i, uint64_t seed)
{
    (void)i, (void)seed;
    return VALUE;
}

static bool setup(const struct um_options *options)
{
    UM_NEED(h_x = malloc(options->size));
    return true;
cleanup:
    return false;
}

static void teardown(void)
{
    free(h_x);
}

/* One strategy: by a kernel, or by a copy. */
static void fill(struct um_run *run, bool by_kernel)
{
    const size_t bytes = run->size, n = bytes / sizeof *h_x;
    struct um_row *row = um_row(run, NULL);
    float *d_x = NULL;

    for (size_t i = 0; i < n; i++)
        h_x[i] = by_kernel ? 0 : VALUE; /* zeros must not verify */
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_x, bytes));

    um_phase(row, by_kernel ? UM_PHASE_KERNEL : UM_PHASE_H2D);
    if (by_kernel)
        UM_TRY(um_fill(d_x, VALUE, n, 0));
    else
        UM_TRY(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);

    memset(h_x, 0, bytes);
    UM_TRY(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    um_row_verified(row, um_verify_floats(run->strategy, h_x, n, run->seed, expected));
cleanup:
    cudaFree(d_x);
}

static void kernel(struct um_run *run)
{
    fill(run, true);
}

static void copy(struct um_run *run)
{
    fill(run, false);
}

static const struct um_strategy strategies[] = {
    {"kernel", "a kernel writes the value", kernel},
    {"copy", "the host sets an array and copies it", copy},
};

static const struct um_lab lab = {
    .name = "lab11",
    .question = "What does it cost to set memory to a value?",
    .size_is = "bytes of the array",
    .default_size = (size_t)16 << 20,
    .device_arrays = 1,
    .host_arrays = 1,
    .columns = UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .setup = setup,
    .teardown = teardown,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
