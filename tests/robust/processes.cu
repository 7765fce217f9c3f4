/**
 * @file processes.cu
 * @brief Programs with a GPU that make other processes: fork, exec, spawn, daemon; and how they end.
 */
#include "robust.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

extern char **environ;

static std::atomic<bool> stop{false};

/* Host and kernels add to one buffer by turns. */
static void hammer(int *turns)
{
    enum { COUNT = 5000 };
    int *x = managed_ints(COUNT);

    while (!stop) {
        gpu_adds(x, 1, COUNT);
        for (int i = 0; i < COUNT; i++)
            x[i] += 1;
        ++*turns;
    }
    for (int i = 0; i < COUNT; i++)
        HOLDS(x[i] == 2 * *turns, "element %d: %d after %d turns", i, x[i], *turns);
}

static void child_is_refused()
{
    void *p = NULL;
    NEED_ERROR(cudaMalloc(&p, 64), cudaErrorInitializationError);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorInitializationError);
}

static void forks_beside_busy_threads()
{
    int turns[3] = {};
    std::vector<std::thread> threads;

    gpu_works("at first");
    for (int &count : turns)
        threads.emplace_back(hammer, &count);
    for (int i = 0; i < robust_times(40, 200); i++) {
        const int status = status_of_child(child_is_refused);
        HOLDS(exited_with(status, 7), "child %d: status %#x", i, status);
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    gpu_works("after the children");
}

static void become(const char *name)
{
    fflush(NULL);
    execl("/proc/self/exe", "processes", name, (char *)NULL);
    HOLDS(false, "execl: %s", strerror(errno));
}

static void works_once()
{
    gpu_works("in the new program");
    puts("the new program works");
}

static void exec_after_start()
{
    gpu_works("before");
    become("works-once");
}

static void exec_from_a_thread()
{
    int *x = managed_ints(1 << 20);

    add_to_all<<<4096, 256>>>(x, 1, 1 << 20); /* nobody waits for it */
    std::thread(become, "works-once").join();
}

static void spawns()
{
    int status = -1;
    pid_t child = -1;
    char word[16] = "", *const says_3[] = {(char *)"sh", (char *)"-c", (char *)"exit 3", NULL};

    gpu_works("at first");
    HOLDS(posix_spawnp(&child, "sh", NULL, NULL, says_3, environ) == 0, "posix_spawnp");
    HOLDS(waitpid(child, &status, 0) == child && exited_with(status, 3), "spawned: status %#x", status);
    child = vfork();
    if (child == 0) {
        execv("/bin/sh", says_3);
        _exit(127);
    }
    HOLDS(waitpid(child, &status, 0) == child && exited_with(status, 3), "vfork: status %#x", status);
    status = system("exit 5");
    HOLDS(exited_with(status, 5), "system(): %#x", status);
    FILE *said = popen("echo hello", "r");
    HOLDS(said && fscanf(said, "%15s", word) == 1 && strcmp(word, "hello") == 0, "popen() said '%s'", word);
    HOLDS(pclose(said) == 0, "pclose()");
    gpu_works("after them");
}

static volatile sig_atomic_t children_ended;

static void on_child(int)
{
    children_ended = children_ended + 1;
}

/* The program sees its own children, and no other process. */
static void counts_its_own_children()
{
    struct sigaction note = {}, ignore = {};
    int status;

    note.sa_handler = on_child;
    sigaction(SIGCHLD, &note, NULL);
    gpu_works("at first");
    HOLDS(wait(NULL) == -1 && errno == ECHILD, "a child that nobody made");
    for (int i = 0; i < 5; i++) {
        status = status_of_child(child_is_refused);
        HOLDS(exited_with(status, 7), "status %#x", status);
    }
    HOLDS(children_ended == 5, "%d SIGCHLD for 5 children", (int)children_ended);
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &ignore, NULL);
    if (fork() == 0)
        _exit(0);
    HOLDS(wait(&status) == -1 && errno == ECHILD, "a child that was to leave no status");
    siginfo_t info = {};
    HOLDS(waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == -1 && errno == ECHILD, "waitid: %d", errno);
    gpu_works("after them");
}

static void daemon_first()
{
    int ends[2], answer = 0, *x;

    HOLDS(pipe(ends) == 0, "pipe");
    if (fork() > 0) { /* daemon() ends its caller */
        close(ends[1]);
        HOLDS(read(ends[0], &answer, sizeof answer) == (ssize_t)sizeof answer, "the daemon said nothing");
        HOLDS(answer == 42, "%d", answer);
        return;
    }
    if (daemon(0, 0) != 0)
        _exit(1);
    x = managed_ints(1);
    gpu_adds(x, 42, 1);
    if (write(ends[1], x, sizeof *x) != (ssize_t)sizeof *x)
        _exit(1);
}

static bool parent_is_to_die;

/* Runs before the simulator's own handler, which was made later. */
static void kill_the_parent()
{
    const pid_t parent = getppid();

    if (!parent_is_to_die)
        return;
    kill(parent, SIGKILL);
    while (getppid() == parent)
        robust_sleep_ms(1);
}

/* Then a child has a copy of registered memory to make, and somebody to tell who is no more. */
static void parent_killed_in_fork()
{
    int ends[2], answer = 0;

    HOLDS(pipe(ends) == 0, "pipe");
    const pid_t parent = fork();
    if (parent == 0) {
        pthread_atfork(NULL, NULL, kill_the_parent);
        int *x = (int *)aligned_alloc(4096, 4096);
        NEED(cudaHostRegister(x, 4096, cudaHostRegisterDefault));
        *x = 42;
        parent_is_to_die = true;
        if (fork() == 0) {
            _exit(write(ends[1], x, sizeof *x) == (ssize_t)sizeof *x ? 0 : 1);
        }
        _exit(1);
    }
    close(ends[1]);
    HOLDS(read(ends[0], &answer, sizeof answer) == (ssize_t)sizeof answer, "the child said nothing");
    HOLDS(answer == 42, "%d", answer);
    HOLDS(waitpid(parent, NULL, 0) == parent, "waitpid");
}

static void works_three_times()
{
    for (int i = 0; i < 3; i++)
        gpu_works("in a worker process");
}

/* A server that forks its workers before anybody calls CUDA. */
static void sixteen_at_once()
{
    pid_t workers[16];
    int status;

    for (pid_t &worker : workers) {
        worker = fork();
        if (worker == 0) {
            works_three_times();
            exit(7);
        }
    }
    for (pid_t worker : workers)
        HOLDS(waitpid(worker, &status, 0) == worker && exited_with(status, 7), "status %#x", status);
    gpu_works("in the parent, last");
}

static void fork_in_the_middle_of_work()
{
    enum { COUNT = 1 << 20, ROUNDS = 10 };
    int *x = managed_ints(COUNT);

    for (int i = 0; i < ROUNDS; i++) {
        add_to_all<<<COUNT / 256, 256>>>(x, 1, COUNT);
        const int status = status_of_child(child_is_refused);
        HOLDS(exited_with(status, 7), "status %#x", status);
    }
    NEED(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++)
        HOLDS(x[i] == ROUNDS, "element %d: %d", i, x[i]);
}

static void ends_from_another_thread()
{
    gpu_works("at first");
    std::thread([] {
        robust_sleep_ms(20);
        exit(7);
    }).detach();
    for (;;)
        gpu_works("meanwhile");
}

static int *kept;

static void at_exit()
{
    (void)cudaMemset(kept, 0, 4096); /* what it answers so late, CUDA does not promise */
    (void)cudaFree(kept);
}

static void calls_at_exit()
{
    atexit(at_exit);
    NEED(cudaMalloc((void **)&kept, 4096));
    puts("main has ended");
}

static void leave_work_behind()
{
    int *x = NULL;

    NEED(cudaMalloc((void **)&x, 1 << 20));
    for (int i = 0; i < 100; i++) {
        cudaStream_t stream;
        NEED(cudaStreamCreate(&stream));
        add_to_all<<<1024, 256, 0, stream>>>(x, 1, 1 << 18);
    }
}

static void leaves_by_quick_exit()
{
    leave_work_behind();
    quick_exit(5);
}

static void leaves_by__exit()
{
    leave_work_behind();
    _exit(6);
}

static void aborts()
{
    leave_work_behind();
    abort();
}

ROBUST_CASES({"forks-beside-busy-threads", forks_beside_busy_threads}, {"works-once", works_once},
             {"exec-after-start", exec_after_start}, {"exec-from-a-thread", exec_from_a_thread},
             {"spawns", spawns}, {"counts-its-own-children", counts_its_own_children},
             {"daemon-first", daemon_first}, {"parent-killed-in-fork", parent_killed_in_fork},
             {"sixteen-at-once", sixteen_at_once}, {"fork-in-the-middle-of-work", fork_in_the_middle_of_work},
             {"ends-from-another-thread", ends_from_another_thread}, {"calls-at-exit", calls_at_exit},
             {"leaves-work-behind", leave_work_behind}, {"leaves-by-quick_exit", leaves_by_quick_exit},
             {"leaves-by-_exit", leaves_by__exit}, {"aborts", aborts})
