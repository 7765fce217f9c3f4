/**
 * @file maps.c
 * @brief The worst that a program can do to page protections: every other page another than its neighbour. It ends well,
 *        and both processes stay below the kernel's limit of mappings (vm.max_map_count, 65,530).
 */
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

enum { LINES_MAX = 60000 };

static long lines_of_maps(int pid)
{
    static char text[1 << 16];
    char path[40];
    long lines = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    for (size_t got; (got = fread(text, 1, sizeof text, file)) > 0;)
        for (size_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    fclose(file);
    return lines;
}

static void few_enough(const char *when, long *most)
{
    const int pids[] = {(int)getpid(), umsim_gpu_pid()};

    for (int i = 0; i < 2; i++) {
        const long lines = lines_of_maps(pids[i]);

        SCENE_NEED(lines > 0, "the maps of process %d cannot be read", pids[i]);
        SCENE_NEED(lines < LINES_MAX, "%s: the %s has %ld mappings", when, i ? "GPU process" : "host", lines);
        *most = lines > *most ? lines : *most;
    }
}

static void checkerboard(void)
{
    const size_t bytes = (size_t)scene_setting("UM_MIB", 256) * MiB;
    volatile unsigned char *p = NULL;
    long most = 0;

    SCENE_CALL(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
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

static void stays_within(const char *size)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "checkerboard", .settings = {size}, .limit_s = 120};
    again(&run);
    if (again_ended_well(&run) && again_number(&run, "mappings") < 1000)
        UM_FAIL("only %llu mappings were seen: this is no checkerboard", again_number(&run, "mappings"));
}

static void of_256_mib(void)
{
    stays_within("UM_MIB=256");
}

static void of_1_gib(void)
{
    if (!long_version())
        UM_SKIP("1 GiB takes its time: make test-long");
    stays_within("UM_MIB=1024");
}

UM_TESTS("checkerboard",
         {"256 MiB of pages that take turns are right, with less than 60,000 mappings", of_256_mib},
         {"1 GiB of them, too", of_1_gib});
