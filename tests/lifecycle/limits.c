/**
 * @file limits.c
 * @brief Programs under limits on memory and addresses, and where the system refuses calls: they work, or one
 * true line says what is missing.
 *
 * What an older kernel, a sandbox or vm.overcommit_memory = 2 would refuse is refused here by seccomp.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "um_test.h"

#ifdef __SANITIZE_ADDRESS__
#define NEEDS_ORDINARY_BUILD() UM_SKIP("AddressSanitizer itself does not live within such limits")
#else
#define NEEDS_ORDINARY_BUILD() (void)0
#endif

#define MIB ((rlim_t)1 << 20)

static void limit(int what, rlim_t value)
{
    const struct rlimit limit = {value, value};
    if (setrlimit(what, &limit) != 0)
        _exit(126);
}

/* ---- what must be said, or work ---- */

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* One line on stderr, with these words. */
static void says_why(void (*confine)(void), const char *word, const char *other_word)
{
    struct run run = {.program = "victim", .arguments = {"work"}, .before_exec = confine};
    run_to_end(&run);
    CU_ASSERT_TRUE(WIFEXITED(run.status) && WEXITSTATUS(run.status) != 0);
    UM_EQUAL(lines_of(run.err), 1);
    UM_CONTAINS(run.err, "umsim: ");
    UM_CONTAINS(run.err, word);
    UM_CONTAINS(run.err, other_word);
    run_left_nothing(&run);
}

static void works(void (*confine)(void), const char *mode, const char *out)
{
    struct run run = {.program = "victim", .arguments = {mode}, .before_exec = confine};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, out);
    UM_STRING_EQUAL(run.err, "");
    run_left_nothing(&run);
}

/* ---- ulimit -v ---- */

static void addresses_1_GiB(void)
{
    limit(RLIMIT_AS, 1024 * MIB);
}

static void addresses_8_GiB(void)
{
    limit(RLIMIT_AS, 8192 * MIB);
}

static void addresses_300_MiB(void)
{
    limit(RLIMIT_AS, 300 * MIB);
}

static void under_ulimit_v_of_1_GiB_a_program_works(void)
{
    NEEDS_ORDINARY_BUILD();
    works(addresses_1_GiB, "work", "");
    works(addresses_1_GiB, "forgotten", "1 1 1 then 2 2 2\ncudaSuccess\n");
    works(addresses_8_GiB, "long-sum", "");
}

static void under_ulimit_v_the_labs_print_what_they_print_without(void)
{
    NEEDS_ORDINARY_BUILD();
    struct run free_run = {.program = "lab5", .arguments = {"--size", "8M"}};
    struct run tight_run = {.program = "lab5", .arguments = {"--size", "8M"}, .before_exec = addresses_8_GiB};
    run_to_end(&free_run);
    run_to_end(&tight_run);
    run_exited(&tight_run, 0);
    UM_STRING_EQUAL(tight_run.out, free_run.out);
}

static void an_allocation_beyond_what_ulimit_v_leaves_fails_and_one_line_says_why(void)
{
    NEEDS_ORDINARY_BUILD();
    struct run run = {.program = "victim", .arguments = {"too-much"}, .before_exec = addresses_8_GiB};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, "cudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\ncudaSuccess\n");
    UM_EQUAL(lines_of(run.err), 1);
    UM_CONTAINS(run.err, "cudaMalloc of 8589934592 bytes fails");
    UM_CONTAINS(run.err, "ulimit -v");
}

static void below_its_least_ulimit_v_is_named_and_by_how_much_to_raise_it(void)
{
    NEEDS_ORDINARY_BUILD();
    says_why(addresses_300_MiB, "(ulimit -v)", "raise the limit by ");
}

/* ---- other limits ---- */

static void data_9_MiB(void)
{
    limit(RLIMIT_DATA, 9 * MIB);
}

static void data_32_MiB(void)
{
    limit(RLIMIT_DATA, 32 * MIB);
}

static void ulimit_d_is_named_as_ulimit_d(void)
{
    NEEDS_ORDINARY_BUILD();
    says_why(data_9_MiB, "the limit on private memory (ulimit -d) is 9216 KiB", "no thread can be started");
}

static void under_ulimit_d_of_32_MiB_a_program_works(void)
{
    NEEDS_ORDINARY_BUILD();
    works(data_32_MiB, "work", "");
}

static void five_descriptors(void)
{
    limit(RLIMIT_NOFILE, 5);
}

static void five_descriptors_are_enough(void)
{
    NEEDS_ORDINARY_BUILD();
    works(five_descriptors, "work", "");
}

static void be_nobody_with_one_process(void)
{
    if (setgid(65534) != 0 || setuid(65534) != 0)
        _exit(126);
    limit(RLIMIT_NPROC, 1);
}

static void ulimit_u_is_named_as_ulimit_u(void)
{
    NEEDS_ORDINARY_BUILD();
    struct stat program;
    if (geteuid() != 0 || stat(program_path("victim"), &program) != 0 || !(program.st_mode & S_IXOTH))
        UM_SKIP("only root can be another user, for whom the limit counts");
    says_why(be_nobody_with_one_process, "may have 1 processes and threads (ulimit -u)",
             "no thread can be started");
}

/* ---- calls that the system refuses ---- */

#define ARGUMENT(n) ((uint32_t)offsetof(struct seccomp_data, args[n]))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (uint32_t)(error))
/* If the loaded word has not this value, `skip` instructions are left out. */
#define UNLESS_EQUAL(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (skip))

static void filter(struct sock_filter *program, size_t length)
{
    const struct sock_fprog all = {(unsigned short)length, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0)
        _exit(125);
}

#define FILTER(...)                                                                                          \
    do {                                                                                                     \
        struct sock_filter program[] = {__VA_ARGS__};                                                        \
        filter(program, sizeof program / sizeof program[0]);                                                 \
    } while (0)

static void refuse(long call, int error)
{
    FILTER(LOAD(offsetof(struct seccomp_data, nr)), UNLESS_EQUAL(call, 1), REFUSE(error), ALLOW);
}

/* Only with this value of an argument's lower half. */
static void refuse_with(long call, int argument, uint32_t value, int error)
{
    FILTER(LOAD(offsetof(struct seccomp_data, nr)), UNLESS_EQUAL(call, 3), LOAD(ARGUMENT(argument)),
           UNLESS_EQUAL(value, 1), REFUSE(error), ALLOW);
}

static void no_robust_futexes(void)
{
    refuse(SYS_set_robust_list, ENOSYS);
}

static void no_memory_files(void)
{
    refuse(SYS_memfd_create, ENOSYS);
}

static void forbidden_memory_files(void)
{
    refuse(SYS_memfd_create, EPERM);
}

static void forbidden_clone3(void)
{
    refuse(SYS_clone3, EPERM);
}

static void missing_clone3(void)
{
    refuse(SYS_clone3, ENOSYS);
}

static void no_clone_without_a_signal(void)
{
    refuse_with(SYS_clone, 0, 0, EINVAL);
}

static void no_guards(void)
{
    refuse_with(SYS_madvise, 2, 102, EINVAL);
}

static void what_a_sandbox_or_an_emulator_refuses_is_named(void)
{
    NEEDS_ORDINARY_BUILD();
    says_why(no_robust_futexes, "no robust futexes (set_robust_list)", "qemu-user");
    says_why(no_memory_files, "(memfd_create)", "has no memory files");
    says_why(forbidden_memory_files, "(memfd_create)", "a sandbox forbids memory files");
    says_why(forbidden_clone3, "no thread can be started: a sandbox forbids it", "clone3() with EPERM");
    says_why(no_clone_without_a_signal, "cannot fork the GPU process: clone() is refused", "QEMU");
}

static void where_clone3_is_missing_a_program_works(void)
{
    NEEDS_ORDINARY_BUILD();
    works(missing_clone3, "work", "");
}

static void overflows(void (*confine)(void))
{
    struct run run = {.program = "victim", .arguments = {"overflow"}, .before_exec = confine};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, "cudaErrorIllegalAddress\n");
    UM_CONTAINS(run.err, "kernel recurse overflowed its stack (block 0,0,0 thread 5,0,0)");
}

/* Before Linux 6.13 guards are mappings. */
static void without_the_systems_guards_stack_overflows_are_told_all_the_same(void)
{
    overflows(NULL);
    overflows(no_guards);
}

/* ---- vm.overcommit_memory = 2 ---- */

/* No mapping that counts as promised memory may have 64 MiB or more: shared anonymous memory, and private
 * memory that can be written, or becomes so. MAP_NORESERVE does not count in that mode. */
static void promises_little(void)
{
    enum { LONG = 64 << 20 };
    FILTER(LOAD(offsetof(struct seccomp_data, nr)), UNLESS_EQUAL(SYS_mmap, 9), LOAD(ARGUMENT(1)),
           BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, LONG, 2, 0), LOAD(ARGUMENT(1) + 4), UNLESS_EQUAL(0, 1),
           BPF_STMT(BPF_JMP | BPF_JA, 4), LOAD(ARGUMENT(3)),
           BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 2), LOAD(ARGUMENT(2)),
           BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 1, 0), ALLOW, REFUSE(ENOMEM));
}

static void where_the_system_promises_no_more_than_it_has_a_program_works(void)
{
    NEEDS_ORDINARY_BUILD();
    works(promises_little, "work", "");
    works(promises_little, "forgotten", "1 1 1 then 2 2 2\ncudaSuccess\n");
}

/* What mode 2 would count of a process's mappings, in MiB: those that are private and can be written, and
 * shared anonymous ones. */
static double promised_mib(pid_t process)
{
    char path[64], line[512];
    double mib = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *maps = fopen(path, "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char may[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, may) != 3)
            continue;
        if ((may[1] == 'w' && may[3] == 'p') || strstr(line, "/dev/zero"))
            mib += (double)(end - start) / (double)MIB;
    }
    if (maps)
        fclose(maps);
    return mib;
}

static void what_an_idle_program_is_promised_is_little(void)
{
    NEEDS_ORDINARY_BUILD();
    struct run run = {.program = "victim", .arguments = {"endless"}};
    run_start(&run);
    const pid_t gpu = atoi(run_read_line(&run, 0));
    CU_ASSERT_FATAL(gpu > 0);
    const double of_host = promised_mib(run.pid), of_gpu = promised_mib(gpu);
    kill(-run.pid, SIGKILL);
    run_wait(&run);
    if (of_host <= 0 || of_host > 96 || of_gpu <= 0 || of_gpu > 96)
        UM_FAIL("%.1f MiB of the host and %.1f MiB of the GPU process count as promised", of_host, of_gpu);
}

/* ---- killed for lack of memory ---- */

static char group[600];

/* A memory cgroup of 200 MiB below the one of this process. @return whether it could be made */
static bool make_group(void)
{
    char line[512], limit_file[700];
    FILE *groups = fopen("/proc/self/cgroup", "r");
    group[0] = '\0';
    while (groups && fgets(line, sizeof line, groups)) {
        char *path = strstr(line, ":memory:/");
        line[strcspn(line, "\n")] = '\0';
        if (path)
            snprintf(group, sizeof group, "/sys/fs/cgroup/memory%.400s/umlab-%d", path + 8, (int)getpid());
        else if (strncmp(line, "0::/", 4) == 0 && !group[0])
            snprintf(group, sizeof group, "/sys/fs/cgroup%.400s/umlab-%d", line + 3, (int)getpid());
    }
    if (groups)
        fclose(groups);
    if (!group[0] || mkdir(group, 0700) != 0)
        return false;
    const bool first = strstr(group, "/cgroup/memory/");
    snprintf(limit_file, sizeof limit_file, "%s/%s", group, first ? "memory.limit_in_bytes" : "memory.max");
    FILE *file = fopen(limit_file, "w");
    const bool done = file && fputs("209715200", file) >= 0;
    return (file ? fclose(file) == 0 : false) && done;
}

static void enter_group(void)
{
    char path[700], text[20];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    const int file = open(path, O_WRONLY);
    const int length = snprintf(text, sizeof text, "%d", (int)getpid());
    if (file < 0 || write(file, text, (size_t)length) != length)
        _exit(126);
    close(file);
}

static void a_GPU_process_that_was_killed_for_memory_is_told_as_that(void)
{
    NEEDS_ORDINARY_BUILD();
    if (!make_group()) {
        if (group[0])
            rmdir(group);
        UM_SKIP("no memory cgroup can be made here");
    }
    struct run run = {.program = "victim", .arguments = {"fill"}, .before_exec = enter_group};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, "cudaErrorLaunchFailure\n");
    UM_CONTAINS(run.err, "killed (signal 9) for lack of memory: its memory cgroup came to its limit");
    run_left_nothing(&run);
    for (int i = 0; i < 100 && rmdir(group) != 0; i++)
        sleep_ms(10);
}

UM_TESTS("limits", {"under ulimit -v of 1 GiB a program works", under_ulimit_v_of_1_GiB_a_program_works},
         {"under ulimit -v the labs print what they print without",
          under_ulimit_v_the_labs_print_what_they_print_without},
         {"an allocation beyond what ulimit -v leaves fails, and one line says why",
          an_allocation_beyond_what_ulimit_v_leaves_fails_and_one_line_says_why},
         {"below its least, ulimit -v is named, and by how much to raise it",
          below_its_least_ulimit_v_is_named_and_by_how_much_to_raise_it},
         {"ulimit -d is named as ulimit -d", ulimit_d_is_named_as_ulimit_d},
         {"under ulimit -d of 32 MiB a program works", under_ulimit_d_of_32_MiB_a_program_works},
         {"five descriptors are enough", five_descriptors_are_enough},
         {"ulimit -u is named as ulimit -u", ulimit_u_is_named_as_ulimit_u},
         {"what a sandbox or an emulator refuses is named", what_a_sandbox_or_an_emulator_refuses_is_named},
         {"where clone3() is missing a program works", where_clone3_is_missing_a_program_works},
         {"without the system's guards stack overflows are told all the same",
          without_the_systems_guards_stack_overflows_are_told_all_the_same},
         {"where the system promises no more memory than it has a program works",
          where_the_system_promises_no_more_than_it_has_a_program_works},
         {"what an idle program is promised is little", what_an_idle_program_is_promised_is_little},
         {"a GPU process that was killed for memory is told as that",
          a_GPU_process_that_was_killed_for_memory_is_told_as_that});
