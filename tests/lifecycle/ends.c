/**
 * @file ends.c
 * @brief How a program and its simulated GPU end, together: by themselves, killed, interrupted, stopped for
 * time.
 */
#include "spawn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "um_test.h"

/* Fewer where a sanitizer makes each start several times as long. */
#if defined(__SANITIZE_ADDRESS__)
enum { STARTS = 200 };
#define MANY "200"
#else
enum { STARTS = 1000 };
#define MANY "1,000"
#endif
enum { CHAINS = 2 };

/* A chain of programs, one after the other. Ends the process: 0 when all was well. */
static _Noreturn void start_chain(const char *path)
{
    int wrong = 0;
    for (int i = 0; i < STARTS / CHAINS; i++) {
        int status = -1;
        pid_t pid = fork();
        if (pid == 0) {
            execl(path, path, "once", (char *)NULL);
            _exit(127);
        }
        waitpid(pid, &status, 0);
        wrong += status != 0;
    }
    _exit(wrong > 100 ? 100 : wrong);
}

/* The child's part: starts programs in its own session. @return how many went wrong or stayed */
static int start_many(const char *path)
{
    int wrong = 0, status;
    setsid();
    for (int chain = 0; chain < CHAINS; chain++)
        if (fork() == 0)
            start_chain(path);
    while (wait(&status) > 0)
        wrong += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
    return wrong + processes_of_session(getpid()) - 1;
}

static void many_starts_leave_nothing(void)
{
    const char *path = program_path("victim");
    int status = -1;
    double start = seconds_now();
    fflush(NULL);
    pid_t leader = fork();
    if (leader == 0) {
        int wrong = start_many(path);
        _exit(wrong > 100 ? 100 : wrong);
    }
    waitpid(leader, &status, 0);
    UM_EQUAL(status, 0);
    UM_EQUAL(processes_of_session(leader), 0);
    if (getenv("V"))
        printf("        %d starts, %.2f ms each\n", STARTS, (seconds_now() - start) * 1e3 / STARTS);
}

static void at_a_programs_exit_its_GPU_process_has_ended_already(void)
{
    struct run run = {.program = "victim", .arguments = {"work"}};
    run_to_end(&run);
    run_exited(&run, 0);
    run_left_nothing_after(&run, 0);
}

/* Each line of an endless victim's output from `line` on is `expected`. */
static void calls_say(const struct run *run, const char *const *expected)
{
    char copy[RUN_TEXT_MAX], *rest = NULL;
    strcpy(copy, run->out);
    char *line = strtok_r(copy, "\n", &rest); /* the GPU's process id */
    for (; *expected; expected++) {
        line = strtok_r(NULL, "\n", &rest);
        UM_STRING_EQUAL(line ? line : "(no more lines)", *expected);
    }
}

static void killed_gpu(const char *mode, const char *first)
{
    const char *const said[] = {first,
                                "cudaErrorLaunchFailure",
                                "cudaErrorLaunchFailure",
                                "cudaErrorLaunchFailure",
                                "cudaErrorLaunchFailure",
                                "cudaErrorLaunchFailure",
                                NULL};
    struct run run = {.program = "victim", .arguments = {mode}};
    run_start(&run);
    pid_t gpu = atoi(run_read_line(&run, 0));
    CU_ASSERT_FATAL(gpu > 0);
    sleep_ms(100); /* the kernel runs */
    double killed = seconds_now();
    kill(gpu, SIGKILL);
    run_wait(&run);
    CU_ASSERT_TRUE(seconds_now() - killed < 1);
    run_exited(&run, 0);
    calls_say(&run, said);
    UM_CONTAINS(run.err, "the process that simulates the GPU is gone");
    UM_CONTAINS(run.err, "it was killed (signal 9) by somebody");
    run_left_nothing(&run);
}

static void when_the_GPU_process_is_killed_in_a_kernel_every_call_fails(void)
{
    killed_gpu("endless", "cudaSuccess");
}

static void when_it_is_killed_in_a_kernel_with_barriers_every_call_fails(void)
{
    killed_gpu("endless-with-barriers", "cudaSuccess");
}

static void when_it_is_killed_with_work_queued_in_two_streams_every_call(void)
{
    killed_gpu("endless-and-more", "cudaSuccess"); /* the other stream does not wait for the kernel */
}

static void when_it_is_killed_while_idle_the_program_goes_on_to_its_end(void)
{
    int go[2];
    struct run run = {.program = "victim", .arguments = {"idle"}};
    CU_ASSERT_FATAL(pipe(go) == 0);
    int before = dup(STDIN_FILENO);
    dup2(go[0], STDIN_FILENO);
    run_start(&run);
    dup2(before, STDIN_FILENO);
    kill(atoi(run_read_line(&run, 0)), SIGKILL);
    CU_ASSERT_EQUAL(write(go[1], "go\n", 3), 3);
    run_wait(&run);
    run_exited(&run, 0);
    run_left_nothing(&run);
    close(before);
    close(go[0]);
    close(go[1]);
}

static void host_ended(const char *mode, int with)
{
    struct run run = {.program = "victim", .arguments = {mode}};
    run_start(&run);
    pid_t gpu = atoi(run_read_line(&run, 0));
    CU_ASSERT_FATAL(gpu > 0);
    sleep_ms(100);
    kill(run.pid, with);
    run_wait(&run);
    run_died_of(&run, with);
    run_left_nothing_after(&run, 1);
}

static void when_the_host_is_killed_in_a_kernel_the_GPU_process_goes_within(void)
{
    host_ended("endless", SIGKILL);
}

static void when_the_host_is_killed_in_a_kernel_with_barriers_it_goes_too(void)
{
    host_ended("endless-with-barriers", SIGKILL);
}

static void when_the_host_is_killed_while_idle_it_goes_too(void)
{
    host_ended("idle", SIGKILL);
}

static void when_the_host_is_terminated_in_a_kernel_it_goes_too(void)
{
    host_ended("endless", SIGTERM);
}

/* A terminal sends it to the whole group: the GPU process must neither survive it nor die of it before its
 * host. */
static void Ctrl_C_ends_the_program_and_its_GPU_process(void)
{
    struct run run = {.program = "victim", .arguments = {"endless"}};
    run_start(&run);
    run_read_line(&run, 0);
    sleep_ms(100);
    kill(-run.pid, SIGINT);
    run_wait(&run);
    run_died_of(&run, SIGINT);
    run_left_nothing_after(&run, 1);
}

static void timeout_stops(const char *mode, const char *first)
{
    const char *const said[] = {first,
                                "cudaErrorLaunchTimeout",
                                "cudaErrorLaunchTimeout",
                                "cudaErrorLaunchTimeout",
                                "cudaErrorLaunchTimeout",
                                "cudaErrorLaunchTimeout",
                                NULL};
    struct run run = {.program = "victim", .arguments = {mode}, .environment = {"UMSIM_KERNEL_TIMEOUT=0.2"}};
    run_to_end(&run);
    run_exited(&run, 0);
    CU_ASSERT_TRUE(run.seconds >= 0.2); /* of work: how long it took depends on what else runs here */
    calls_say(&run, said);
    UM_CONTAINS(run.err, "it took more than UMSIM_KERNEL_TIMEOUT allows, 0.2 s of processor time");
    UM_CONTAINS(run.err, "allow more: UMSIM_KERNEL_TIMEOUT=2\n");
    run_left_nothing(&run);
}

static void an_endless_kernel_is_stopped_after_UMSIM_KERNEL_TIMEOUT(void)
{
    timeout_stops("endless", "cudaSuccess");
}

static void an_endless_kernel_with_barriers_is_stopped_too(void)
{
    timeout_stops("endless-with-barriers", "cudaSuccess");
}

static void what_is_queued_behind_an_endless_kernel_is_given_up(void)
{
    timeout_stops("endless-and-more", "cudaSuccess");
}

static void fork_wait_and_SIGCHLD_are_as_without_a_GPU_process(void)
{
    struct run run = {.program = "forks"};
    run_to_end(&run);
    run_exited(&run, 0);
    run_left_nothing(&run);
}

static void ends_by_itself(const char *mode, const char *out, double least_s)
{
    struct run run = {.program = "victim", .arguments = {mode}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.out, out);
    CU_ASSERT_TRUE(run.seconds >= least_s && run.seconds < least_s + 2);
    run_left_nothing(&run);
}

static void when_the_only_thread_calls_pthread_exit_the_process_ends(void)
{
    ends_by_itself("first-thread-exits", "at exit\n", 0);
}

static void when_main_exits_first_other_threads_use_CUDA_and_the_last_ends_it(void)
{
    ends_by_itself("first-thread-exits-first", "cudaSuccess\ncudaSuccess\ncudaSuccess\nat exit\n", 0.2);
}

static void pthread_exit_in_another_thread_ends_nothing_else(void)
{
    ends_by_itself("other-thread-exits", "cudaSuccess\n", 0.2);
}

static bool ended_within(pid_t pid, double seconds)
{
    double end = seconds_now() + seconds;
    while (!process_ended(pid) && seconds_now() < end)
        sleep_ms(5);
    return process_ended(pid);
}

/* Its GPU process goes, though what it became, or left behind, lives on. */
static void gpu_goes(const char *mode, bool program_stays)
{
    struct run run = {.program = "victim", .arguments = {mode}};
    run_start(&run);
    pid_t gpu = atoi(run_read_line(&run, 0));
    CU_ASSERT_FATAL(gpu > 0);
    CU_ASSERT_TRUE(ended_within(gpu, 1));
    CU_ASSERT_TRUE(program_stays ? !process_ended(run.pid) : ended_within(run.pid, 1));
    CU_ASSERT_TRUE(processes_of_session(run.pid) >= 1);
    kill(-run.pid, SIGTERM);
    run_wait(&run);
    run_left_nothing(&run);
}

static void after_exec_the_GPU_process_does_not_stay_for_the_new_program(void)
{
    gpu_goes("exec", true);
}

static void after_exec_by_another_thread_in_a_kernel_it_does_not_stay(void)
{
    gpu_goes("exec-in-a-kernel", true);
}

static void children_that_live_on_do_not_keep_the_GPU_process(void)
{
    gpu_goes("children-live-on", false);
}

static void children_that_end_or_exec_do_not_end_it_nor_does_the_thread(void)
{
    struct run run = {.program = "victim", .arguments = {"outlives-its-children"}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_CONTAINS(run.out, "cudaSuccess");
    run_left_nothing(&run);
}

static void programs_that_run_at_once_do_not_disturb_each_other(void)
{
    enum { PROGRAMS = 4 };
    struct run run[PROGRAMS];
    for (int i = 0; i < PROGRAMS; i++) {
        run[i] = (struct run){.program = "victim", .arguments = {"long-sum"}};
        run_start(&run[i]);
    }
    for (int i = 0; i < PROGRAMS; i++) {
        run_wait(&run[i]);
        run_exited(&run[i], 0);
    }
}

UM_TESTS("how it ends", {MANY " starts and exits leave no process behind", many_starts_leave_nothing},
         {"at a program's exit its GPU process has ended already",
          at_a_programs_exit_its_GPU_process_has_ended_already},
         {"when the GPU process is killed in a kernel every call fails, within 1 s",
          when_the_GPU_process_is_killed_in_a_kernel_every_call_fails},
         {"when it is killed in a kernel with barriers every call fails, too",
          when_it_is_killed_in_a_kernel_with_barriers_every_call_fails},
         {"when it is killed with work queued in two streams every call fails, too",
          when_it_is_killed_with_work_queued_in_two_streams_every_call},
         {"when it is killed while idle the program goes on to its end",
          when_it_is_killed_while_idle_the_program_goes_on_to_its_end},
         {"when the host is killed in a kernel the GPU process goes within 1 s",
          when_the_host_is_killed_in_a_kernel_the_GPU_process_goes_within},
         {"when the host is killed in a kernel with barriers it goes, too",
          when_the_host_is_killed_in_a_kernel_with_barriers_it_goes_too},
         {"when the host is killed while idle it goes, too", when_the_host_is_killed_while_idle_it_goes_too},
         {"when the host is terminated in a kernel it goes, too",
          when_the_host_is_terminated_in_a_kernel_it_goes_too},
         {"Ctrl-C ends the program and its GPU process", Ctrl_C_ends_the_program_and_its_GPU_process},
         {"an endless kernel is stopped after UMSIM_KERNEL_TIMEOUT",
          an_endless_kernel_is_stopped_after_UMSIM_KERNEL_TIMEOUT},
         {"an endless kernel with barriers is stopped, too", an_endless_kernel_with_barriers_is_stopped_too},
         {"what is queued behind an endless kernel is given up",
          what_is_queued_behind_an_endless_kernel_is_given_up},
         {"fork(), wait() and SIGCHLD are as without a GPU process",
          fork_wait_and_SIGCHLD_are_as_without_a_GPU_process},
         {"when the only thread calls pthread_exit() the process ends with 0",
          when_the_only_thread_calls_pthread_exit_the_process_ends},
         {"when main() exits first, other threads use CUDA, and the last one ends the process",
          when_main_exits_first_other_threads_use_CUDA_and_the_last_ends_it},
         {"pthread_exit() in another thread ends nothing else",
          pthread_exit_in_another_thread_ends_nothing_else},
         {"after exec() the GPU process does not stay for the new program",
          after_exec_the_GPU_process_does_not_stay_for_the_new_program},
         {"after exec() by another thread, in a kernel, it does not stay either",
          after_exec_by_another_thread_in_a_kernel_it_does_not_stay},
         {"children that live on do not keep the GPU process",
          children_that_live_on_do_not_keep_the_GPU_process},
         {"children that end, or exec, do not end it; nor does the thread that started it",
          children_that_end_or_exec_do_not_end_it_nor_does_the_thread},
         {"programs that run at once do not disturb each other",
          programs_that_run_at_once_do_not_disturb_each_other});
