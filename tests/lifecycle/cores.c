/**
 * @file cores.c
 * @brief Core files: small and quick, whatever memory the program has.
 *
 * A core's length is what its reader gets, also where the system hands cores to a program through a pipe.
 */
#include "spawn.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "um_test.h"

#define MOST_BYTES ((long long)100 << 20)
#define MOST_SECONDS 2.0

static char folder[] = "/tmp/umlab-cores-XXXXXX";
static char core[sizeof folder + 300];

static void allow_cores(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    if (chdir(folder) != 0)
        _exit(126);
}

/* Skips the test where no core would come to lie in the folder. */
static void need_cores_here(void)
{
    char pattern[128] = "";
    struct rlimit limit;
    FILE *file = fopen("/proc/sys/kernel/core_pattern", "r");
    if (!file || !fgets(pattern, sizeof pattern, file))
        pattern[0] = '\0';
    if (file)
        fclose(file);
    if (strncmp(pattern, "core", 4) != 0 || strchr(pattern, '/'))
        UM_SKIP("the system's cores go to %s", pattern);
    if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_max != RLIM_INFINITY)
        UM_SKIP("cores are limited here");
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
}

/* @return whether there is one */
static bool find_core(void)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    core[0] = '\0';
    while (entries && (entry = readdir(entries)))
        if (entry->d_name[0] != '.')
            snprintf(core, sizeof core, "%s/%s", folder, entry->d_name);
    if (entries)
        closedir(entries);
    return core[0];
}

static bool holds(const char *word)
{
    struct stat status;
    const int file = open(core, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    void *all = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    const bool found = memmem(all, (size_t)status.st_size, word, strlen(word)) != NULL;
    munmap(all, (size_t)status.st_size);
    close(file);
    return found;
}

/* More of them than the processor's registers hold, which are in the core, too. */
static bool holds_many(char letter)
{
    char word[201] = "";
    memset(word, letter, sizeof word - 1);
    return holds(word);
}

static void dumps(const char *mode, int signal_number, bool all)
{
    struct run run = {.program = "dumps", .arguments = {mode}, .before_exec = allow_cores};
    struct stat status = {0};
    need_cores_here();
    run_to_end(&run);
    run_died_of(&run, signal_number);
    if (!find_core() || stat(core, &status) != 0)
        UM_FAIL("there is no core in %s", folder);
    if (status.st_size <= 0 || status.st_size > MOST_BYTES)
        UM_FAIL("the core has %lld bytes", (long long)status.st_size);
    if (!all && run.seconds > MOST_SECONDS) /* with all, most of the time is the kernels' */
        UM_FAIL("it took %.2f s", run.seconds);
    if (all) {
        CU_ASSERT_TRUE(holds("The program's own word"));
        CU_ASSERT_TRUE(holds("a registered word"));
        CU_ASSERT_FALSE(holds_many('d'));
        CU_ASSERT_FALSE(holds_many('m'));
        CU_ASSERT_FALSE(holds_many('v'));
    }
    unlink(core);
    rmdir(folder);
    run_left_nothing(&run);
}

static void a_store_to_NULL_leaves_a_core_of_less_than_100_MB_within_2_s(void)
{
    dumps("null", SIGSEGV, false);
}

static void and_so_does_a_store_to_device_memory(void)
{
    dumps("device", SIGSEGV, false);
}

static void with_memory_of_each_kind_it_has_the_programs_own_only(void)
{
    dumps("null-with-all", SIGSEGV, true);
}

static void and_after_abort(void)
{
    dumps("abort-with-all", SIGABRT, true);
}

static bool has_flag(const char *line, const char *flag)
{
    char words[400], *rest = words;
    snprintf(words, sizeof words, "%s", line);
    for (char *word; (word = strsep(&rest, " \n"));)
        if (strcmp(word, flag) == 0)
            return true;
    return false;
}

/* How much of a process's memory the kernel would write to a core, in KiB: shared mappings whole, private
 * ones where they were ever touched, none with the flag `dd` (MADV_DONTDUMP). */
static long dumped_kib(pid_t process)
{
    char path[64], line[400];
    long sum = 0, size = 0, resident = 0;
    bool shared = false;
    snprintf(path, sizeof path, "/proc/%d/smaps", (int)process);
    FILE *file = fopen(path, "r");
    CU_ASSERT_FATAL(file != NULL);
    while (fgets(line, sizeof line, file)) {
        char permissions[8];
        if (sscanf(line, "%*x-%*x %7s", permissions) == 1)
            shared = permissions[3] == 's';
        sscanf(line, "Size: %ld", &size);
        sscanf(line, "Rss: %ld", &resident);
        if (strncmp(line, "VmFlags:", 8) == 0 && !has_flag(line, "dd") && (shared || resident))
            sum += size;
    }
    fclose(file);
    return sum;
}

static unsigned long coredump_filter(pid_t process)
{
    char path[64];
    unsigned long filter = ~0UL;
    snprintf(path, sizeof path, "/proc/%d/coredump_filter", (int)process);
    FILE *file = fopen(path, "r");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fscanf(file, "%lx", &filter), 1);
    fclose(file);
    return filter;
}

static void what_a_core_would_hold_is_less_than_100_MB_in_either_process(void)
{
    struct run run = {.program = "dumps", .arguments = {"wait-with-all"}};
    run_start(&run);
    const pid_t gpu = atoi(run_read_line(&run, 0));
    CU_ASSERT_FATAL(gpu > 0);
    const long host_kib = dumped_kib(run.pid);
    if (host_kib > MOST_BYTES >> 10)
        UM_FAIL("the host's core would have %ld KiB", host_kib);
    UM_EQUAL(coredump_filter(gpu), 0);
    CU_ASSERT_NOT_EQUAL(coredump_filter(run.pid), 0);
    kill(run.pid, SIGKILL);
    run_wait(&run);
    run_left_nothing_after(&run, 1);
}

UM_TESTS("core files",
         {"a store to NULL leaves a core of less than 100 MB, within 2 s",
          a_store_to_NULL_leaves_a_core_of_less_than_100_MB_within_2_s},
         {"... and so does a store to device memory", and_so_does_a_store_to_device_memory},
         {"with memory of each kind it has the program's own only",
          with_memory_of_each_kind_it_has_the_programs_own_only},
         {"... and after abort()", and_after_abort},
         {"what a core would hold is less than 100 MB in either process",
          what_a_core_would_hold_is_less_than_100_MB_in_either_process});
