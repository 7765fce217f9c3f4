/**
 * @file gpu_process.cu
 * @brief What becomes of a program whose simulated GPU is stopped, goes on, or is killed. Simulator only.
 */
#include "robust.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#ifdef UMLAB_SIM
#include <umsim.h>
#else
static int umsim_gpu_pid(void)
{
    CANNOT("a GPU is no process here");
}
#endif

static void stopped_and_continued()
{
    enum { COUNT = 1 << 18, TURNS = 20 };
    int *x = managed_ints(COUNT);

    gpu_adds(x, 1, COUNT);
    for (int turn = 0; turn < TURNS; turn++) {
        kill(umsim_gpu_pid(), SIGSTOP);
        robust_sleep_ms(5);
        kill(umsim_gpu_pid(), SIGCONT);
        if (turn % 2)
            robust_sleep_ms(5);
        gpu_adds(x, 1, COUNT);
    }
    for (int i = 0; i < COUNT; i++)
        HOLDS(x[i] == TURNS + 1, "element %d: %d", i, x[i]);
}

/* Ctrl-Z and fg: a terminal's signals go to the whole group, in the middle of anything. */
static void group_stopped_and_continued()
{
    enum { COUNT = 1 << 16 };
    int *x = managed_ints(COUNT), turns = 0, status;

    setpgid(0, 0);
    gpu_works("at first");
    const pid_t terminal = fork();
    if (terminal == 0) {
        const pid_t group = getppid();
        setpgid(0, 0);
        for (int i = 0; i < 10; i++) {
            kill(-group, SIGSTOP);
            robust_sleep_ms(10);
            kill(-group, SIGCONT);
            robust_sleep_ms(20);
        }
        _exit(0);
    }
    for (; waitpid(terminal, &status, WNOHANG) == 0; turns++) {
        gpu_adds(x, 1, COUNT);
        for (int i = 0; i < COUNT; i++)
            x[i]++;
    }
    for (int i = 0; i < COUNT; i++)
        HOLDS(x[i] == 2 * turns, "element %d: %d after %d turns", i, x[i], turns);
}

/* A thread's own stream until the first error. @param at_work counts the threads that have a kernel behind
 * them. @return that error */
static cudaError_t work_until_it_fails(int *x, int count, std::atomic<int> *at_work)
{
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    for (int turn = 0; error == cudaSuccess; turn++) {
        if (turn == 1)
            at_work->fetch_add(1);
        add_to_all<<<(unsigned)(count + 255) / 256, 256, 0, stream>>>(x, 1, count);
        error = cudaStreamSynchronize(stream);
    }
    return error;
}

static void killed_while_threads_wait()
{
    cudaError_t errors[4];
    std::vector<std::thread> threads;
    std::atomic<int> at_work{0};

    gpu_works("at first");
    for (cudaError_t &error : errors)
        threads.emplace_back([&error, &at_work] {
            int *x = NULL;
            NEED(cudaMalloc((void **)&x, 4 << 20));
            error = work_until_it_fails(x, 1 << 20, &at_work);
        });
    while (at_work < 4) /* a thread that has yet to allocate would fail there */
        robust_sleep_ms(10);
    kill(umsim_gpu_pid(), SIGKILL);
    for (std::thread &thread : threads)
        thread.join();
    for (cudaError_t error : errors)
        HOLDS(error == cudaErrorLaunchFailure, "%s", cudaGetErrorName(error));
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

/* Takes about `turns` times 2 ns of processor time in each thread. */
__global__ void works(int *x, int turns)
{
    volatile int count = 0;

    for (int i = 0; i < turns; i++)
        count = count + 1;
    atomicAdd(x, count == turns);
}

static void works_to_its_end(int *x, unsigned blocks, int turns)
{
    int done = 0;

    NEED(cudaMemcpy(&done, x, sizeof done, cudaMemcpyDeviceToHost));
    HOLDS(done == (int)blocks, "%d blocks of %u have worked %d turns", done, blocks, turns);
}

/* With UMSIM_KERNEL_TIMEOUT, which is shorter than the stop: a kernel that does not run does no work. */
static void stopped_for_longer_than_the_limit()
{
    int *x = NULL;

    NEED(cudaMalloc((void **)&x, 4096));
    NEED(cudaMemset(x, 0, 4096));
    kill(umsim_gpu_pid(), SIGSTOP);
    works<<<1, 1>>>(x, 1000);
    std::thread goes_on([] {
        robust_sleep_ms(1500);
        kill(umsim_gpu_pid(), SIGCONT);
    });
    works_to_its_end(x, 1, 1000);
    goes_on.join();
}

/* With UMSIM_KERNEL_TIMEOUT, which is shorter than the whole: blocks that end show that the kernel does. */
static void works_longer_than_the_limit()
{
    enum { BLOCKS = 400, TURNS = 5000000 };
    int *x = NULL;

    NEED(cudaMalloc((void **)&x, 4096));
    NEED(cudaMemset(x, 0, 4096));
    works<<<BLOCKS, 1>>>(x, TURNS);
    works_to_its_end(x, BLOCKS, TURNS);
}

/* With UMSIM_KERNEL_TIMEOUT: a GPU that does not answer is given up. */
static void stopped_for_good()
{
    int *x = NULL;

    NEED(cudaMalloc((void **)&x, 4096));
    NEED(cudaMemset(x, 0, 4096));
    kill(umsim_gpu_pid(), SIGSTOP);
    add_to_all<<<1, 32>>>(x, 1, 32);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
}

ROBUST_CASES({"stopped-and-continued", stopped_and_continued},
             {"group-stopped-and-continued", group_stopped_and_continued},
             {"killed-while-threads-wait", killed_while_threads_wait}, {"stopped-for-good", stopped_for_good},
             {"stopped-for-longer-than-the-limit", stopped_for_longer_than_the_limit},
             {"works-longer-than-the-limit", works_longer_than_the_limit})
