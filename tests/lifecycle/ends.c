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
    pid_t keeper = fork();
    if (keeper == 0) {
        int wrong = start_many(path);
        _exit(wrong > 100 ? 100 : wrong);
    }
    waitpid(keeper, &status, 0);
    UM_EQUAL(status, 0);
    UM_EQUAL(processes_of_session(keeper), 0);
    if (getenv("V"))
        printf("        %d starts, %.2f ms each\n", STARTS, (seconds_now() - start) * 1e3 / STARTS);
}

static void exit_takes_the_gpu_along(void)
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
    run_left_nothing(&run);
}

static void gpu_killed_in_a_kernel(void)
{
    killed_gpu("endless", "cudaSuccess");
}

static void gpu_killed_in_a_kernel_with_barriers(void)
{
    killed_gpu("endless-with-barriers", "cudaSuccess");
}

static void gpu_killed_with_work_queued(void)
{
    killed_gpu("endless-and-more", "cudaSuccess"); /* the other stream does not wait for the kernel */
}

static void gpu_killed_while_idle(void)
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

static void host_killed_in_a_kernel(void)
{
    host_ended("endless", SIGKILL);
}

static void host_killed_in_a_kernel_with_barriers(void)
{
    host_ended("endless-with-barriers", SIGKILL);
}

static void host_killed_while_idle(void)
{
    host_ended("idle", SIGKILL);
}

static void host_terminated(void)
{
    host_ended("endless", SIGTERM);
}

/* A terminal sends it to the whole group: the GPU process must neither survive it nor die of it before its
 * host. */
static void control_c(void)
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
    CU_ASSERT_TRUE(run.seconds >= 0.2 && run.seconds < 1.2);
    calls_say(&run, said);
    run_left_nothing(&run);
}

static void endless_kernel(void)
{
    timeout_stops("endless", "cudaSuccess");
}

static void endless_kernel_with_barriers(void)
{
    timeout_stops("endless-with-barriers", "cudaSuccess");
}

static void endless_kernel_with_work_behind_it(void)
{
    timeout_stops("endless-and-more", "cudaSuccess");
}

static void forks(void)
{
    struct run run = {.program = "forks"};
    run_to_end(&run);
    run_exited(&run, 0);
    run_left_nothing(&run);
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

static void exec_idle(void)
{
    gpu_goes("exec", true);
}

static void exec_in_a_kernel(void)
{
    gpu_goes("exec-in-a-kernel", true);
}

static void children_live_on(void)
{
    gpu_goes("children-live-on", false);
}

static void outlives_children(void)
{
    struct run run = {.program = "victim", .arguments = {"outlives-its-children"}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_CONTAINS(run.out, "cudaSuccess");
    run_left_nothing(&run);
}

static void two_at_once(void)
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
         {"at a program's exit its GPU process has ended already", exit_takes_the_gpu_along},
         {"the GPU process killed in a kernel: every call fails, within 1 s", gpu_killed_in_a_kernel},
         {"the GPU process killed in a kernel with barriers: the same", gpu_killed_in_a_kernel_with_barriers},
         {"the GPU process killed with work queued in two streams: the same", gpu_killed_with_work_queued},
         {"the GPU process killed while idle: the program goes on to its end", gpu_killed_while_idle},
         {"the host killed in a kernel: the GPU process goes within 1 s", host_killed_in_a_kernel},
         {"the host killed in a kernel with barriers: the same", host_killed_in_a_kernel_with_barriers},
         {"the host killed while idle: the same", host_killed_while_idle},
         {"the host terminated in a kernel: the same", host_terminated},
         {"Ctrl-C ends the program and its GPU process", control_c},
         {"an endless kernel is stopped after UMSIM_KERNEL_TIMEOUT", endless_kernel},
         {"an endless kernel with barriers is stopped, too", endless_kernel_with_barriers},
         {"what is queued behind an endless kernel is given up", endless_kernel_with_work_behind_it},
         {"fork(), wait() and SIGCHLD are as without a GPU process", forks},
         {"exec(): the GPU process does not stay for the new program", exec_idle},
         {"exec() by another thread, in a kernel: the same", exec_in_a_kernel},
         {"children that live on do not keep the GPU process", children_live_on},
         {"children that end, or exec, do not end it; nor does the thread that started it",
          outlives_children},
         {"programs that run at once do not disturb each other", two_at_once});
