/**
 * @file uvm_groups.c
 * @brief The fault batches and groups of launches of 20 shapes, beside an H200's (measured/h200-groups.txt:
 * driver 580, CUDA 13.0; measured/groups.cu is the program).
 *
 * The policy knows a launch's geometry and which pages it touched, not which thread touched what when. So
 * this is statistics: medians over the shapes. The parameters of sim/uvm/warps.c were fitted to these same
 * launches; a check with others is `make fidelity`, whose cells were measured before and gave none of them.
 */
#include "uvm_fixture.h"

#include <math.h>

enum { MOST = 1000, LONGEST_LINE = 1000 };

/** One line of the file. */
struct measured {
    char state[40], how;
    size_t bytes, stride;
    unsigned blocks, threads;
    double groups, batches; /* medians */
    bool complete;          /* no record was lost */
};

static double errors[2][MOST];
static unsigned count;

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, ascending);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

/* The median of the numbers of a column. */
static double median_of(const char *column)
{
    double values[16] = {0};
    unsigned n = 0;
    char *end;

    for (double value = strtod(column, &end); end != column && n < 16; value = strtod(column, &end)) {
        values[n++] = value;
        column = end;
    }
    return median(values, n);
}

static bool parse(char *line, struct measured *it)
{
    char *column[9];
    unsigned n = 0;

    for (char *p = strtok(line, "|\n"); p && n < 9; p = strtok(NULL, "|\n"))
        column[n++] = p;
    if (line[0] == '#' || n < 9)
        return false;
    snprintf(it->state, sizeof it->state, "%.*s", (int)strcspn(column[0], "|") - 1, column[0]);
    it->how = column[1][1];
    it->bytes = strtoul(column[2], NULL, 10);
    it->stride = strtoul(column[3], NULL, 10);
    it->blocks = (unsigned)strtoul(column[4], NULL, 10);
    it->threads = (unsigned)strtoul(column[5], NULL, 10);
    it->complete = strncmp(column[7], column[8], strlen(column[8])) == 0;
    it->groups = median_of(column[6]);
    it->batches = median_of(column[8]);
    return it->stride > 0;
}

/* Everything up to the launch that was measured. False: not a state that can be made here. */
static bool prepare(const struct measured *it, uintptr_t p)
{
    const bool fresh_one =
        strncmp(it->state, "fresh", 5) == 0 || strcmp(it->state, "preferred host fresh") == 0;

    if (strstr(it->state, "again") || strcmp(it->state, "preferred device walked") == 0)
        return false;
    if (!fresh_one)
        walk(p, it->bytes, true);
    if (strncmp(it->state, "ReadMostly", 10) == 0)
        advise(p, it->bytes, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    if (strncmp(it->state, "preferred host", 14) == 0)
        advise(p, it->bytes, UVM_SET_PREFERRED_LOCATION, UVM_CPU);
    if (strcmp(it->state, "preferred device") == 0)
        advise(p, it->bytes, UVM_SET_PREFERRED_LOCATION, UVM_GPU);
    return true;
}

static struct uvm_delta launch_on(const struct measured *it, uintptr_t p, bool is_write)
{
    const size_t touches = it->bytes / it->stride,
                 step = it->stride < UVM_PAGE_BYTES ? UVM_PAGE_BYTES : it->stride;
    struct uvm_launch launch =
        h200_launch(it->blocks ? it->blocks : (touches + it->threads - 1) / it->threads, it->threads);
    struct uvm_delta delta = {0};
    struct uvm_opening opening;

    launch.touches = it->stride < UVM_PAGE_BYTES ? it->bytes / 64 : touches;
    for (uintptr_t q = p; q < p + it->bytes; q += step)
        uvm_gpu_touch(space, UVM_GPU, q, is_write, &opening);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, &launch, &delta), UVM_OK);
    return delta;
}

static bool run(const struct measured *it, struct uvm_delta *delta)
{
    uintptr_t p = fresh_allocation(it->bytes);

    if (!prepare(it, p))
        return false;
    if (strcmp(it->state, "ReadMostly duplicates") == 0)
        launch_on(it, p, false);
    *delta = launch_on(it, p, it->how == 'W'); /* what is read and written faults as a read */
    return true;
}

static FILE *measured_file(void)
{
    char path[400];
    const char *slash = strrchr(__FILE__, '/');

    snprintf(path, sizeof path, "%.*smeasured/h200-groups.txt", slash ? (int)(slash - __FILE__) + 1 : 0,
             __FILE__);
    return fopen(path, "r");
}

static void over(const char *title, bool (*wanted)(const struct measured *), double most_groups,
                 double most_batches)
{
    FILE *file = measured_file();
    static char line[LONGEST_LINE];
    struct measured it;
    struct uvm_delta delta;

    CU_ASSERT_FATAL(file != NULL);
    count = 0;
    while (fgets(line, sizeof line, file)) {
        if (!parse(line, &it) || !it.complete || !wanted(&it) || !run(&it, &delta) || count == MOST)
            continue;
        errors[0][count] = fabs((double)delta.gpu_fault_groups - it.groups) / it.groups;
        errors[1][count++] = fabs((double)delta.gpu_fault_batches - it.batches) / it.batches;
    }
    fclose(file);
    const double groups = median(errors[0], count), batches = median(errors[1], count);
    printf("      %-32s %3u launches, median error: groups %3.0f%%, batches %3.0f%%\n", title, count,
           100 * groups, 100 * batches);
    CU_ASSERT(count >= 10);
    ask_only_with_the_H200s_pages();
    CU_ASSERT(groups <= most_groups);
    CU_ASSERT(batches <= most_batches);
}

static bool is_upgrade(const struct measured *it)
{
    return strcmp(it->state, "ReadMostly duplicates") == 0;
}

static bool is_sparse(const struct measured *it)
{
    return it->stride >= UVM_PAGE_BYTES && !is_upgrade(it);
}

static bool is_dense(const struct measured *it)
{
    return it->stride < UVM_PAGE_BYTES && it->blocks == 0 && !is_upgrade(it) && it->bytes >= MiB;
}

static bool is_loop(const struct measured *it)
{
    return it->blocks > 0 && !is_upgrade(it) && it->bytes >= 16 * MiB;
}

static void kernels_that_touch_single_words_fault_in_an_H200s_batches(void)
{
    over("a word a page, 64 KiB, 2 MiB", is_sparse, 0.10, 0.10);
}

static void kernels_with_a_thread_for_each_word_do_by_a_median_of_30(void)
{
    over("a thread for each word", is_dense, 0.30, 0.15);
}

static void kernels_whose_threads_go_on_do_by_a_median_of_35(void)
{
    over("threads that go on", is_loop, 0.35, 0.15);
}

static bool is_table_like(const struct measured *it)
{
    return is_loop(it) && it->blocks == 8 * 132 && it->bytes >= 64 * MiB;
}

static void kernels_as_large_as_the_device_do_by_a_median_of_25(void)
{
    over("as many blocks as fit", is_table_like, 0.25, 0.30);
}

/* The launches of the widest and the narrowest, twice. */
static void the_same_launch_faults_in_the_same_way(void)
{
    const struct measured wide = {
        .state = "host", .how = 'R', .bytes = 16 * MiB, .stride = 4, .blocks = 0, .threads = 256};
    const struct measured narrow = {
        .state = "host", .how = 'W', .bytes = 2 * MiB, .stride = 4, .blocks = 1, .threads = 32};
    struct uvm_delta first, second;

    CU_ASSERT(run(&wide, &first) && run(&narrow, &second) && run(&wide, &second));
    CU_ASSERT(memcmp(&first, &second, sizeof first) == 0);
}

/* Nothing is believed of a launch that cannot be, and all is serviced all the same. */
static void a_launch_that_cannot_be_is_serviced_all_the_same(void)
{
    const struct uvm_launch launches[] = {{0},
                                          {1, 1, 1, 1, 0},
                                          {UINT64_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX},
                                          {(uint64_t)1 << 40, 1024, UINT32_MAX, UINT32_MAX, 1},
                                          {1, 1024, 1, UINT32_MAX, UINT64_MAX},
                                          {3, 7, 2, 1, 5},
                                          {5000, 1024, 1, UINT32_MAX, 0},
                                          {7, 32, 1, UINT32_MAX, 0}};

    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        uintptr_t p = fresh_allocation(5 * MiB + 3 * UVM_PAGE_BYTES);
        struct uvm_delta delta = kernel_launched(&launches[i], p, 5 * MiB + 3 * UVM_PAGE_BYTES, true);
        UM_EQUAL(delta.pages_populated[UVM_GPU], 5 * MiB / UVM_PAGE_BYTES + 3);
    }
}

UM_TESTS("paging: fault groups",
         {"kernels that touch single words fault in an H200's batches",
          kernels_that_touch_single_words_fault_in_an_H200s_batches},
         {"kernels with a thread for each word do, by a median of 30%",
          kernels_with_a_thread_for_each_word_do_by_a_median_of_30},
         {"kernels whose threads go on do, by a median of 35%",
          kernels_whose_threads_go_on_do_by_a_median_of_35},
         {"kernels as large as the device do, by a median of 25%",
          kernels_as_large_as_the_device_do_by_a_median_of_25},
         {"the same launch faults in the same way", the_same_launch_faults_in_the_same_way},
         {"a launch that cannot be is serviced all the same",
          a_launch_that_cannot_be_is_serviced_all_the_same});
