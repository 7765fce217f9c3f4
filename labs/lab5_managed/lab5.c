/**
 * @file lab5.c
 * @brief Lab 5: who moves the pages, and when?
 *
 * Managed memory has one pointer that host and GPU both follow, and needs no copy calls. The bytes still
 * cross the bus: a side that touches a page it does not hold takes a page fault, and the driver moves the
 * page. Read `explicit` and `managed` first: they do the same work with and without copies, and give a row
 * for each phase of it.
 *
 *     make lab5
 *     make lab5 ARGS="--size 64M --strategy managed,one-byte"
 */
#include "answers.h"
#include "kernels.h"
#include "managed_variable.h"
#include "steps.h"
#include "um_lab.h"

static int two_more(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i) + 2;
}

/* Reads each element once, in order, as a host that uses the result does. */
static double host_sum(const int *x, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return (double)sum;
}

static bool right_result(const struct um_run *run, const int *x, double sum)
{
    const size_t n = run->size / sizeof(int);

    return um_verify_ints(run->strategy, x, n, run->seed, two_more) &&
           um_verify_number("the sum", sum, host_sum(x, n));
}

/* What lab 1 does: two arrays, one on each side, and two copies that you wrote. */
static void explicit_copies(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(int);
    struct um_row *row = um_row(run, NULL);
    int *h_x = NULL, *d_x = NULL;
    double sum;

    um_phase(row, UM_PHASE_ALLOC);
    UM_NEED(h_x = malloc(bytes));
    UM_TRY(cudaMalloc((void **)&d_x, bytes));
    um_phase_end(row);
    um_fill_ints(h_x, n, run->seed); /* not counted: see `managed` */
    um_phase(row, UM_PHASE_H2D);
    UM_TRY(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    um_row_copied_h2d(row, bytes);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_add_one(d_x, n, 0));
    UM_TRY(um_add_one(d_x, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase(row, UM_PHASE_D2H);
    UM_TRY(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    um_row_copied_d2h(row, bytes);
    um_phase(row, UM_PHASE_HOST);
    sum = host_sum(h_x, n);
    um_phase_end(row);
    um_row_verified(row, right_result(run, h_x, sum));
cleanup:
    cudaFree(d_x);
    free(h_x);
}

/* The same work on one pointer. The program calls no copy, but each step's row says what moved all the
 * same. Like the total of `explicit`, this total leaves out the host's first writes: malloc's memory takes
 * faults then, too. */
static void managed(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(int);
    struct steps steps = {.run = run};
    struct um_row *all;
    int *x = NULL;
    double sum;

    if (steps_skipped(run, NULL))
        return;
    all = um_row(run, NULL);
    um_phase(all, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    um_phase_end(all);
    steps_draw(&steps, x, bytes);

    steps_begin(&steps, "host writes", UM_PHASE_HOST);
    um_fill_ints(x, n, run->seed);
    steps_end(&steps);
    steps.all = all; /* from here on, each step counts in both rows */
    steps_begin(&steps, "kernel", UM_PHASE_KERNEL);
    UM_TRY(um_add_one(x, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    steps_begin(&steps, "kernel again", UM_PHASE_KERNEL);
    UM_TRY(um_add_one(x, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    steps_begin(&steps, "host reads", UM_PHASE_HOST);
    sum = host_sum(x, n);
    steps_end(&steps);
    steps_verified(&steps, right_result(run, x, sum));
cleanup:
    cudaFree(x);
}

/* How much moves for one byte? Then for one byte in each block of 2 MiB? */
static void one_byte(struct um_run *run)
{
    const size_t bytes = run->size;
    struct steps steps = {.run = run};
    unsigned char *x = NULL, first;
    bool right;

    if (steps_skipped(run, "each launch moves whole allocations, so one byte tells nothing"))
        return;
    UM_TRY(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    um_fill_bytes(x, bytes, run->seed);
    steps_draw(&steps, x, bytes);
    steps_begin(&steps, "GPU writes it", UM_PHASE_KERNEL);
    UM_TRY(um_page_write(x, 1, 1, 200, 0));
    UM_TRY(cudaDeviceSynchronize());
    steps_begin(&steps, "host reads it", UM_PHASE_HOST);
    first = *(volatile unsigned char *)x;
    steps_begin(&steps, "GPU, 1 per 2 MiB", UM_PHASE_KERNEL);
    UM_TRY(um_page_write(x, bytes, BLOCK, 201, 0));
    UM_TRY(cudaDeviceSynchronize());
    steps_end(&steps);

    right = um_verify_number("the byte", first, 200);
    for (size_t i = 0; i < bytes && right; i++)
        right = x[i] == (i % BLOCK == 0 ? 201 : (unsigned char)um_value(run->seed, i));
    steps_verified(&steps, right);
cleanup:
    cudaFree(x);
}

/* A __managed__ variable: no allocation, no pointer to pass; kernels and host code use its name. */
static void variable(struct um_run *run)
{
    struct steps steps = {.run = run};
    volatile int *count;
    int seen;

    if (steps_skipped(run, NULL))
        return;
    count = um_managed_variable();
    steps_draw(&steps, (const void *)count, sizeof *count);
    steps_begin(&steps, "host writes", UM_PHASE_HOST);
    *count = 20;
    steps_begin(&steps, "kernel", UM_PHASE_KERNEL);
    UM_TRY(um_managed_variable_add(22, 0));
    UM_TRY(cudaDeviceSynchronize());
    steps_begin(&steps, "host reads", UM_PHASE_HOST);
    seen = *count;
    steps_end(&steps);
    steps_verified(&steps, um_verify_number(run->strategy, seen, 42));
    for (int i = 0; i < steps.count; i++)
        steps.row[i]->size_bytes = sizeof *count;
cleanup:; /* nothing to free */
}

/* Under the simulator's lazy schedule nothing starts until something waits: the mistake shows every time. */
static bool must_be_old(void)
{
    const char *schedule = getenv("UMSIM_SCHED");

    return um_is_sim() && (!schedule || schedule[0] == '\0' || strcmp(schedule, "lazy") == 0);
}

/* The mistake: a launch only queues the kernel, and the host reads at once. */
static void forgotten(struct um_run *run)
{
    const size_t n = run->size / sizeof(int);
    const int before = (int)um_value(run->seed, n - 1);
    struct um_row *row;
    volatile int *last;
    int *x = NULL, early, late;

    if (steps_skipped(run, "a host that looks while a kernel may run is ended by a fault"))
        return;
    row = um_row(run, NULL);
    UM_TRY(cudaMallocManaged((void **)&x, run->size, cudaMemAttachGlobal));
    um_fill_ints(x, n, run->seed);
    last = &x[n - 1];
    um_phase(row, UM_PHASE_MIXED);
    UM_TRY(um_add_one(x, n, 0));
    early = *last; /* cudaDeviceSynchronize() is missing before this line */
    UM_TRY(cudaDeviceSynchronize());
    late = *last;
    um_phase_end(row);
    um_residency_bar(run->strategy, "host looked", x, run->size);
    um_extra_text(row, "at_once", "at once", "saw", early == before ? "old" : "new");
    um_extra_text(row, "waited", "waited", "saw", late == before ? "old" : "new");
    um_row_verified(row, early == before || (early == before + 1 && !must_be_old()));
    um_row_verified(row, um_verify_number("after waiting", late, before + 1));
    if (!must_be_old() && row->counters.contended <= 0)
        row->counters.contended =
            1; /* the race exists even where its two sides happened to miss each other */
cleanup:
    cudaFree(x);
}

static const struct um_question questions[] = {
    {"first", "MiB that the first kernel moves to the GPU", answer_first},
    {"again", "MiB that the second kernel moves", answer_again},
    {"walk", "page faults of the host, which reads all of it back", answer_walk},
    {"byte", "KiB that move for 1 byte that the GPU writes", answer_byte},
    {"blocks", "KiB that move for 1 byte in each 2 MiB", answer_blocks},
    {"factor", "total of managed, as a multiple of explicit's", answer_factor},
    {0},
};

static const struct um_strategy strategies[] = {
    {"explicit", "two arrays, two copies, two kernels", explicit_copies},
    {"managed", "one managed array, no copies, the same kernels", managed},
    {"one-byte", "one side has the pages, the other touches one byte", one_byte},
    {"variable", "a __managed__ variable instead of an allocation", variable},
    {"forgotten", "the host looks without waiting for the kernel", forgotten},
};

static const struct um_lab lab = {
    .name = "lab5",
    .question = "Who moves the pages, and when?",
    .about = "Shares managed memory between host and GPU, and counts the faults and bytes of each step.",
    .size_is = "bytes of the array",
    .default_size = (size_t)64 << 20,
    .device_arrays = 1,
    .host_arrays = 1,
    .managed_arrays = 1,
    .columns = UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_COPIED | UM_COLUMN_FAULTS | UM_COLUMN_MIGRATED,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .questions = questions,
    .before = um_print_managed,
    .closing = answers_closing,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
