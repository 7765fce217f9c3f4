/**
 * @file forks.cu
 * @brief What fork(), wait() and SIGCHLD are to a program with a simulated GPU: as if there were no other
 * process.
 *
 * Exit 0 when all of that holds; else 1, and what did not.
 */
#include "../../programs/need.h"

#include <umsim.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child_signals;

__global__ void add_one(int *x)
{
    x[threadIdx.x] += 1;
}

static void on_child(int)
{
    child_signals = child_signals + 1;
}

static int *device;

static void device_works(const char *when)
{
    int x = 1;
    NEED(cudaMemcpy(device, &x, sizeof x, cudaMemcpyHostToDevice));
    add_one<<<1, 1>>>(device);
    NEED(cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost));
    HOLDS(x == 2, "%s: %d", when, x);
}

/* In a child: each kind of call says that CUDA is not initialised here. */
static void child_is_refused()
{
    int x = 0;
    void *p = NULL;
    cudaStream_t stream;
    NEED_ERROR(cudaMalloc(&p, 64), cudaErrorInitializationError);
    NEED_ERROR(cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost), cudaErrorInitializationError);
    NEED_ERROR(cudaStreamCreate(&stream), cudaErrorInitializationError);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorInitializationError);
    add_one<<<1, 1>>>(device);
    NEED_ERROR(cudaGetLastError(), cudaErrorInitializationError);
    NEED_ERROR(cudaFree(device), cudaErrorInitializationError);
    NEED_ERROR(cudaDeviceReset(), cudaErrorInitializationError);
}

static int status_of_child(void (*body)())
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        body();
        exit(7); /* not _exit: the destructors must leave the parent's GPU process alone */
    }
    HOLDS(waitpid(child, &status, 0) == child, "%s", strerror(errno));
    return status;
}

static void child_execs()
{
    execl("/bin/true", "true", (char *)NULL);
}

static void child_of_child()
{
    int status = status_of_child(child_is_refused);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status %#x", status);
}

/* SIGSEGV is blocked here, and a handler stands: in a child, too, which may change both for itself. */
static void on_segv(int)
{
    _exit(9);
}

static bool is_blocked()
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGSEGV) == 1;
}

static void child_changes_signals()
{
    sigset_t segv;
    sigemptyset(&segv);
    sigaddset(&segv, SIGSEGV);
    HOLDS(is_blocked(), "in the child");
    HOLDS(signal(SIGSEGV, SIG_IGN) == on_segv, "in the child");
    raise(SIGSEGV);
    sigprocmask(SIG_UNBLOCK, &segv, NULL);
    HOLDS(!is_blocked(), "in the child");
    HOLDS(signal(SIGSEGV, on_segv) == SIG_IGN, "in the child");
    raise(SIGSEGV);
}

static void signals_of_children()
{
    sigset_t segv, before;
    sigemptyset(&segv);
    sigaddset(&segv, SIGSEGV);
    sigprocmask(SIG_BLOCK, &segv, &before);
    signal(SIGSEGV, on_segv);
    int status = status_of_child(child_changes_signals);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 9, "status %#x", status);
    HOLDS(is_blocked(), "in the parent");
    HOLDS(signal(SIGSEGV, SIG_DFL) == on_segv, "in the parent");
    sigprocmask(SIG_SETMASK, &before, NULL);
    HOLDS(!is_blocked(), "in the parent");
}

int main()
{
    struct sigaction note = {};
    note.sa_handler = on_child;
    sigaction(SIGCHLD, &note, NULL);
    NEED(cudaMalloc((void **)&device, 4096));
    device_works("at first");
    int gpu = umsim_gpu_pid();

    errno = 0;
    HOLDS(wait(NULL) == -1 && errno == ECHILD, "wait(NULL): errno %d", errno);
    HOLDS(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "waitpid(-1): errno %d", errno);

    int status = status_of_child(child_is_refused);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status %#x", status);
    device_works("after a child");
    status = status_of_child(child_execs);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
    status = status_of_child(child_of_child);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status %#x", status);
    HOLDS(system("exit 5") == 5 << 8, "system()");
    device_works("after a child of a child");
    signals_of_children();
    device_works("after children that changed their signals");
    HOLDS(umsim_gpu_pid() == gpu, "another GPU process");
    HOLDS(child_signals >= 3, "%d SIGCHLD", (int)child_signals);

    child_signals = 0;
    kill(gpu, SIGKILL);
    NEED_ERROR((add_one<<<1, 1>>>(device), cudaDeviceSynchronize()), cudaErrorLaunchFailure);
    HOLDS(child_signals == 0, "the GPU process's end raised SIGCHLD");
    errno = 0;
    HOLDS(wait(NULL) == -1 && errno == ECHILD, "wait(NULL): errno %d", errno);
    return 0;
}
