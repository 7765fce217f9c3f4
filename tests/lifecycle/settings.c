/**
 * @file settings.c
 * @brief What surrounds a program: wrong UMSIM_ values, planned failures, resource limits, closed
 * descriptors.
 */
#include "spawn.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "um_test.h"

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Exit 2, one line on stderr that names the variable's value, and no process left. */
static void refused(const char *setting)
{
    struct run run = {.program = "victim", .arguments = {"once"}, .environment = {setting}};
    run_to_end(&run);
    run_exited(&run, 2);
    UM_EQUAL(lines_of(run.err), 1);
    UM_CONTAINS(run.err, strchr(setting, '=') + 1);
    UM_CONTAINS(run.err, "umsim: UMSIM_");
    UM_STRING_EQUAL(run.out, "");
    run_left_nothing_after(&run, 0);
}

static void a_wrong_UMSIM__value_is_one_line_and_exit_2(void)
{
    static const char *const settings[] = {
        "UMSIM_PROFILE=no-such-machine",
        "UMSIM_PROFILE=/nowhere/at.json",
        "UMSIM_PROFILE=/dev/null",
        "UMSIM_SCHED=busy",
        "UMSIM_SCHED=random",
        "UMSIM_SCHED=random:",
        "UMSIM_SCHED=random:x",
        "UMSIM_SCHED=random:-1",
        "UMSIM_SCHED=LAZY",
        "UMSIM_TRACE=/nowhere/trace.jsonl",
        "UMSIM_FAIL=cudaMalloc",
        "UMSIM_FAIL=cudaMalloc:",
        "UMSIM_FAIL=cudaMalloc:0",
        "UMSIM_FAIL=cudaMalloc:two",
        "UMSIM_FAIL=:2",
        "UMSIM_FAIL=cudaMalloc:-1",
        "UMSIM_FAIL=cudaMalloc:2:cudaErrorNoSuchThing",
        "UMSIM_FAIL=cudaNoSuchCall:1",
        "UMSIM_KERNEL_TIMEOUT=0",
        "UMSIM_KERNEL_TIMEOUT=-1",
        "UMSIM_KERNEL_TIMEOUT=soon",
        "UMSIM_KERNEL_TIMEOUT=nan",
        "UMSIM_KERNEL_TIMEOUT=1s",
        "UMSIM_THREADS=0",
        "UMSIM_THREADS=-2",
        "UMSIM_THREADS=1.5",
        "UMSIM_THREADS=1000000",
        "UMSIM_THREADS=all",
        "UMSIM_ADDRESSES=48",
        "UMSIM_ADDRESSES=few",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        refused(settings[i]);
}

static void right_UMSIM__values_are_taken(void)
{
    static const char *const settings[] = {
        "UMSIM_SCHED=lazy",
        "UMSIM_SCHED=eager",
        "UMSIM_SCHED=random:0",
        "UMSIM_SCHED=random:4294967295",
        "UMSIM_SCHED=",
        "UMSIM_THREADS=1",
        "UMSIM_THREADS=7",
        "UMSIM_KERNEL_TIMEOUT=2.5",
        "UMSIM_PROFILE=h200-pcie5",
        "UMSIM_FAIL=cudaMemset:2:cudaErrorUnknown",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct run run = {.program = "victim", .arguments = {"work"}, .environment = {settings[i]}};
        run_to_end(&run);
        run_exited(&run, 0);
        UM_STRING_EQUAL(run.err, "");
    }
}

static void allocations(const char *setting, const char *expected)
{
    struct run run = {.program = "victim", .arguments = {"three-allocations"}, .environment = {setting}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, expected);
}

static void UMSIM_FAIL_fails_the_call_that_it_names_and_no_other(void)
{
    allocations("UMSIM_FAIL=", "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
    allocations("UMSIM_FAIL=cudaMalloc:2",
                "cudaSuccess\ncudaErrorMemoryAllocation\ncudaSuccess\ncudaErrorMemoryAllocation\n");
    allocations("UMSIM_FAIL=cudaMalloc:3:cudaErrorUnknown",
                "cudaSuccess\ncudaSuccess\ncudaErrorUnknown\ncudaErrorUnknown\n");
    allocations("UMSIM_FAIL=cudaMalloc:4", "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
}

static void limit(int what, rlim_t value)
{
    const struct rlimit limit = {value, value};
    setrlimit(what, &limit);
}

static void limit_addresses(void)
{
    limit(RLIMIT_AS, (rlim_t)4 << 30);
}

static void limit_files(void)
{
    limit(RLIMIT_FSIZE, 1 << 20);
}

static void limit_descriptors(void)
{
    limit(RLIMIT_NOFILE, 16);
}

static void limit_descriptors_hard(void)
{
    limit(RLIMIT_NOFILE, 5);
}

static void limit_stack(void)
{
    limit(RLIMIT_STACK, 128 << 10);
}

/* It works, or it says in one line why it cannot: no crash, no hang, nothing left. */
static void works_or_says_so(void (*confine)(void), const char *word)
{
    struct run run = {.program = "victim", .arguments = {"work"}, .before_exec = confine};
    run_to_end(&run);
    run_left_nothing(&run);
    if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0 && run.err[0] == '\0')
        return;
    CU_ASSERT_TRUE(WIFEXITED(run.status));
    UM_EQUAL(lines_of(run.err), 1);
    UM_CONTAINS(run.err, word);
}

static void under_a_resource_limit_it_works_or_says_why_not_in_one_line(void)
{
#ifdef __SANITIZE_ADDRESS__
    UM_SKIP("AddressSanitizer itself does not live within such limits");
#endif
    works_or_says_so(limit_addresses, "ulimit -v");
    works_or_says_so(limit_files, "ulimit -f");
    works_or_says_so(limit_descriptors, "umsim:");
    works_or_says_so(limit_descriptors_hard, "umsim:");
    works_or_says_so(limit_stack, "umsim:");
}

static void close_in(void)
{
    close(STDIN_FILENO);
}

static void close_out_and_err(void)
{
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
}

static void close_all_three(void)
{
    close_in();
    close_out_and_err();
}

static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* children then leave no status to wait for */
    signal(SIGUSR2, SIG_IGN);
}

static void block_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void works(void (*confine)(void), const char *mode)
{
    struct run run = {.program = "victim",
                      .arguments = {mode},
                      .environment = {"UMSIM_KERNEL_TIMEOUT=0.1"},
                      .before_exec = confine};
    run_to_end(&run);
    run_exited(&run, 0);
    run_left_nothing(&run);
}

static void stdin_stdout_and_stderr_may_be_closed(void)
{
    works(close_in, "work");
    works(close_out_and_err, "work");
    works(close_all_three, "work");
    works(close_all_three, "endless");
}

static void signals_may_be_ignored_or_blocked_by_whoever_started(void)
{
    works(ignore_signals, "work");
    works(ignore_signals, "endless");
    works(block_signals, "work");
    works(block_signals, "endless");
}

static void hello_on(const char *machine, int status, const char *says)
{
    struct run run = {.program = "hello", .arguments = {"--profile", machine}};
    run_to_end(&run);
    run_exited(&run, status);
    UM_CONTAINS(status == 0 ? run.out : run.err, says);
    run_left_nothing(&run);
}

static void hello_imitates_the_machine_that_it_is_told(void)
{
    hello_on("tiny", 0, "hello: 3 readers, all as expected (sim, tiny)");
    hello_on("limited", 0, "hello: 3 readers, all as expected (sim, limited)");
    hello_on("no-such-machine", 2, "no-such-machine");
    hello_on(NULL, 2, "hello: what is this: --profile");
}

UM_TESTS("what surrounds it",
         {"a wrong UMSIM_ value is one line and exit 2", a_wrong_UMSIM__value_is_one_line_and_exit_2},
         {"right UMSIM_ values are taken", right_UMSIM__values_are_taken},
         {"UMSIM_FAIL fails the call that it names, and no other",
          UMSIM_FAIL_fails_the_call_that_it_names_and_no_other},
         {"under a resource limit it works, or says why not in one line",
          under_a_resource_limit_it_works_or_says_why_not_in_one_line},
         {"hello imitates the machine that it is told", hello_imitates_the_machine_that_it_is_told},
         {"stdin, stdout and stderr may be closed", stdin_stdout_and_stderr_may_be_closed},
         {"signals may be ignored or blocked by whoever started the program",
          signals_may_be_ignored_or_blocked_by_whoever_started});
