/**
 * @file maps.c
 * @brief The worst that a program can do to page protections: every other page another than its neighbour. It
 * ends well, and both processes stay below the kernel's limit of mappings (vm.max_map_count), also where the
 * program itself has used up nearly all of them.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

enum { LEAVES = 5000 }; /* mappings that the simulator must leave to a program that has few */

static long most_mappings(void)
{
    long most = 65530; /* the kernel's default */
    FILE *file = fopen("/proc/sys/vm/max_map_count", "re");

    if (file) {
        SCENE_NEED(fscanf(file, "%ld", &most) == 1, "vm.max_map_count is no number");
        fclose(file);
    }
    return most;
}

static long lines_of_maps(int pid)
{
    static char text[1 << 16];
    char path[40];
    long lines = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    file = fopen(path, "re");
    if (!file)
        return -1;
    for (size_t got; (got = fread(text, 1, sizeof text, file)) > 0;)
        for (size_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    fclose(file);
    return lines;
}

/* Takes all mappings of this process but `left`: pages that cannot be merged with their neighbours. */
static bool taken;

static void use_up_all_but(long left)
{
    const long wanted = most_mappings() - left - lines_of_maps((int)getpid());
    char *pages = mmap(NULL, (size_t)(wanted + 1) * PAGE, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    SCENE_NEED(wanted > 0 && pages != MAP_FAILED, "%ld mappings: %s", wanted, strerror(errno));
    for (long i = 0; i < wanted; i += 2)
        SCENE_NEED(mprotect(pages + (size_t)i * PAGE, PAGE, PROT_READ) == 0, "mapping %ld of %ld: %s", i,
                   wanted, strerror(errno));
    taken = true;
}

/* [vsyscall] is listed, and is none. */
static void few_enough(const char *when, long *most)
{
    const long limit = taken ? most_mappings() + 1 : most_mappings() - LEAVES;
    const int pids[] = {(int)getpid(), umsim_gpu_pid()};

    for (int i = 0; i < 2; i++) {
        const long lines = lines_of_maps(pids[i]);

        SCENE_NEED(lines > 0, "the maps of process %d cannot be read", pids[i]);
        SCENE_NEED(lines <= limit, "%s: the %s has %ld mappings", when, i ? "GPU process" : "host", lines);
        *most = lines > *most ? lines : *most;
    }
}

static void checkerboard(void)
{
    const size_t bytes = (size_t)scene_setting("UM_MIB", 256) * MiB;
    const long left_before = scene_setting("UM_LEFT_BEFORE", 0),
               left_after = scene_setting("UM_LEFT_AFTER", 0);
    volatile unsigned char *p = NULL;
    long most = 0;

    if (left_before)
        use_up_all_but(left_before);
    SCENE_CALL(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
    if (left_after)
        use_up_all_but(left_after);
    for (size_t i = 0; i < bytes; i += PAGE)
        p[i] = 1;
    SCENE_CALL(um_advise((void *)p, bytes, cudaMemAdviseSetReadMostly, 0));
    SCENE_CALL(um_prefetch((void *)p, bytes, 0, 0)); /* both have all pages now, to read */
    SCENE_CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < bytes; i += 2 * PAGE)
        p[i] = 2; /* every other page: the host's alone */
    few_enough("after the host's writes", &most);
    SCENE_CALL(
        um_page_write((unsigned char *)p + PAGE, bytes - PAGE, 2 * PAGE, 3, 0)); /* the others: the GPU's */
    SCENE_CALL(cudaDeviceSynchronize());
    few_enough("after the kernel's writes", &most);
    for (size_t i = 0; i < bytes; i += PAGE) {
        const unsigned char wanted = i / PAGE % 2 ? 3 : 2;

        SCENE_NEED(p[i] == wanted, "page %zu holds %u and should hold %u", i / PAGE, p[i], wanted);
    }
    few_enough("after the host's reads", &most);
    printf("mappings=%ld\n", most);
}
SCENE("checkerboard", checkerboard)

static void stays_within(const char *size, const char *own)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "checkerboard", .settings = {size, own}, .limit_s = 120};
    again(&run);
    if (again_ended_well(&run) && again_number(&run, "mappings") < 1000)
        UM_FAIL("only %llu mappings were seen: this is no checkerboard", again_number(&run, "mappings"));
}

static void the_256_MiB_of_pages_that_take_turns_are_right_and_leave_5000(void)
{
    stays_within("UM_MIB=256", NULL);
}

static void the_1_GiB_of_pages_that_take_turns_are_right_too(void)
{
    if (!long_version())
        UM_SKIP("1 GiB takes its time: make test-long");
    stays_within("UM_MIB=1024", NULL);
}

/* The GPU process inherits them. */
static void a_program_that_has_300_mappings_left_before_CUDA_starts_goes_on(void)
{
    stays_within(long_version() ? "UM_MIB=256" : "UM_MIB=32", "UM_LEFT_BEFORE=300");
}

static void a_program_that_has_100_mappings_left_after_CUDA_started_goes_on(void)
{
    stays_within(long_version() ? "UM_MIB=256" : "UM_MIB=32", "UM_LEFT_AFTER=100");
}

UM_TESTS("checkerboard",
         {"256 MiB of pages that take turns are right, and leave 5,000 mappings to the program",
          the_256_MiB_of_pages_that_take_turns_are_right_and_leave_5000},
         {"1 GiB of pages that take turns are right, too", the_1_GiB_of_pages_that_take_turns_are_right_too},
         {"a program that has 300 mappings left before CUDA starts goes on",
          a_program_that_has_300_mappings_left_before_CUDA_starts_goes_on},
         {"a program that has 100 mappings left after CUDA started goes on",
          a_program_that_has_100_mappings_left_after_CUDA_started_goes_on});
