/**
 * @file children.cu
 * @brief What a child of fork() has of its parent's memory: `children MODE`. Modes are the functions below.
 *
 * Exit 0 when all was as it has to be; else 1, and what did not hold.
 */
#include "../../programs/need.h"

#include <atomic>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

enum { WORDS = 4096, BYTES = 4 * WORDS };

__managed__ int managed_variable = 5;
__device__ int device_variable = 6;

__global__ void add_one(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    managed_variable += 1;
    device_variable += 1;
}

static void run_kernel(int *p)
{
    add_one<<<1, 1>>>(p);
    NEED(cudaDeviceSynchronize());
}

static sigjmp_buf way_out;

static void leave(int signal_number)
{
    siglongjmp(way_out, signal_number);
}

/* The signal that a read of it raises; 0: none. */
static int signal_of(const void *p)
{
    const int signal_number = sigsetjmp(way_out, 1);
    if (!signal_number)
        (void)*(const volatile char *)p;
    return signal_number;
}

static int status_of(pid_t pid)
{
    int status = -1;
    HOLDS(waitpid(pid, &status, 0) == pid, "waitpid");
    return status;
}

/** Runs `body` in a child, which has to leave with 0. */
#define IN_A_CHILD(body)                                                                                     \
    do {                                                                                                     \
        fflush(NULL);                                                                                        \
        const pid_t pid_ = fork();                                                                           \
        if (pid_ == 0) {                                                                                     \
            body;                                                                                            \
            _exit(0);                                                                                        \
        }                                                                                                    \
        const int status_ = status_of(pid_);                                                                 \
        HOLDS(status_ == 0, "the child: status %#x", status_);                                               \
    } while (0)

static int *new_managed()
{
    int *p;
    NEED(cudaMallocManaged((void **)&p, BYTES));
    memset(p, 0, BYTES);
    return p;
}

/* ---- modes ---- */

static void variables()
{
    int *managed = new_managed();
    run_kernel(managed);
    signal(SIGSEGV, leave);
    IN_A_CHILD({
        HOLDS(signal_of(managed) == SIGSEGV, "managed memory");
        HOLDS(signal_of(&managed_variable) == SIGSEGV, "a __managed__ variable");
        HOLDS(signal_of((const void *)&device_variable) == SIGSEGV, "a __device__ variable");
    });
    run_kernel(managed);
    HOLDS(managed_variable == 7 && managed[0] == 2, "%d %d", managed_variable, managed[0]);
}

/* Without a handler the touch ends the child. */
static void dies()
{
    int *managed = new_managed();
    run_kernel(managed);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        managed[0] = 9;
        _exit(0);
    }
    const int status = status_of(pid);
    HOLDS(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %#x", status);
    run_kernel(managed);
    HOLDS(managed[0] == 2, "%d", managed[0]);
}

/* fork()'s handlers do not run for it. */
static void cloned()
{
    int *managed = new_managed();
    run_kernel(managed);
    signal(SIGSEGV, leave);
    fflush(NULL);
    const pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        void *p;
        const bool refused = cudaMalloc(&p, 64) == cudaErrorInitializationError;
        _exit(refused && signal_of(managed) == SIGSEGV ? 0 : 1);
    }
    const int status = status_of(pid);
    HOLDS(status == 0, "status %#x", status);
    run_kernel(managed);
    HOLDS(managed[0] == 2, "%d", managed[0]);
}

/* An H200's driver maps /dev/zero shared for pinned memory, so a child has it in common with its parent. */
static void pinned()
{
    int *p;
    NEED(cudaMallocHost((void **)&p, BYTES));
    p[0] = 3;
    IN_A_CHILD({
        HOLDS(p[0] == 3, "%d", p[0]);
        p[1] = 4;
    });
    run_kernel(p);
    HOLDS(p[0] == 4 && p[1] == 4, "%d %d", p[0], p[1]);
}

/* It was private before it was registered, and so it is for a child: the bytes registered, and their
 * neighbours. */
static void registered()
{
    char *block = (char *)aligned_alloc(4096, 5 * BYTES);
    int *p = (int *)(block + BYTES + 64);
    memset(block, 1, 5 * BYTES);
    NEED(cudaHostRegister(p, 3 * BYTES - 128, 0));
    run_kernel(p);
    for (int round = 0; round < 3; round++) {
        IN_A_CHILD({
            for (int i = 1; i < 5 * BYTES; i++)
                HOLDS(block[i] == 1 || &block[i] == (char *)p, "byte %d: %d", i, block[i]);
            memset(block, 2, 5 * BYTES);
            HOLDS(p[0] == 0x02020202, "%#x", (unsigned)p[0]);
        });
        HOLDS(p[0] == 0x01010102 + round && block[BYTES] == 1, "%#x %d", (unsigned)p[0], block[BYTES]);
        run_kernel(p);
    }
    NEED(cudaHostUnregister(p));
    HOLDS(p[0] == 0x01010105, "%#x", (unsigned)p[0]);
}

/* Parent and child return from fork() on stacks of their own. */
static void registered_stack()
{
    int on_stack[4] = {1, 2, 3, 4};
    NEED(cudaHostRegister(on_stack, sizeof on_stack, 0));
    for (int round = 0; round < 20; round++) {
        IN_A_CHILD({
            HOLDS(on_stack[1] == 2 && on_stack[0] == 1 + round, "%d", on_stack[0]);
            memset(on_stack, 0, sizeof on_stack);
        });
        run_kernel(on_stack);
        HOLDS(on_stack[0] == 2 + round && on_stack[3] == 4, "%d %d", on_stack[0], on_stack[3]);
    }
    NEED(cudaHostUnregister(on_stack));
    HOLDS(on_stack[0] == 21, "%d", on_stack[0]);
}

/* A child frees its copy, and its own child forks again. */
static void grandchildren()
{
    int *p = (int *)aligned_alloc(4096, BYTES), *managed = new_managed();
    memset(p, 0, BYTES);
    NEED(cudaHostRegister(p, BYTES, 0));
    run_kernel(p);
    signal(SIGSEGV, leave);
    IN_A_CHILD({
        HOLDS(p[0] == 1, "%d", p[0]);
        p[0] = 50;
        free(p);
        IN_A_CHILD({
            void *none;
            HOLDS(signal_of(managed) == SIGSEGV, "a grandchild reads managed memory");
            NEED_ERROR(cudaMalloc(&none, 64), cudaErrorInitializationError);
        });
    });
    run_kernel(p);
    HOLDS(p[0] == 2, "%d", p[0]);
}

/* What starts other programs has nothing to do with the memory. */
static void other_programs()
{
    int *managed = new_managed();
    int *p = (int *)aligned_alloc(4096, BYTES);
    memset(p, 0, BYTES);
    NEED(cudaHostRegister(p, BYTES, 0));
    run_kernel(managed);
    HOLDS(system("exit 5") == 5 << 8, "system()");
    FILE *told = popen("echo 7", "r");
    int number = 0;
    HOLDS(told && fscanf(told, "%d", &number) == 1 && number == 7 && pclose(told) == 0, "popen(): %d",
          number);
    char name[] = "true";
    char *arguments[] = {name, NULL};
    pid_t pid;
    HOLDS(posix_spawnp(&pid, "true", NULL, NULL, arguments, environ) == 0 && status_of(pid) == 0,
          "posix_spawn()");
    pid = vfork();
    if (pid == 0) {
        execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    HOLDS(status_of(pid) == 0, "vfork()");
    run_kernel(p);
    run_kernel(managed);
    HOLDS(managed[0] == 2 && p[0] == 1, "%d %d", managed[0], p[0]);
}

/* While other threads register, touch and launch. */
static void among_threads()
{
    std::atomic<bool> stop(false);
    int *managed = new_managed();
    std::thread registers([&] {
        int *p = (int *)aligned_alloc(4096, BYTES);
        for (int i = 0; !stop; i++) {
            p[3] = i;
            NEED(cudaHostRegister(p, BYTES, 0));
            HOLDS(p[3] == i, "%d, not %d", p[3], i);
            NEED(cudaHostUnregister(p));
        }
        free(p);
    });
    std::thread launches([&] {
        int done = 0;
        while (!stop) {
            run_kernel(managed);
            HOLDS(managed[0] == ++done, "%d, not %d", managed[0], done);
        }
    });
    for (int round = 0; round < 100; round++)
        IN_A_CHILD((void)0);
    stop = true;
    registers.join();
    launches.join();
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"variables", variables},
    {"dies", dies},
    {"cloned", cloned},
    {"pinned", pinned},
    {"registered", registered},
    {"registered-stack", registered_stack},
    {"grandchildren", grandchildren},
    {"other-programs", other_programs},
    {"among-threads", among_threads},
};

int main(int count, char **words)
{
    for (const auto &mode : modes)
        if (count > 1 && strcmp(words[1], mode.name) == 0) {
            mode.run();
            return 0;
        }
    return 3;
}
