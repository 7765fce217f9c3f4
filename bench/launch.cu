/**
 * @file launch.cu
 * @brief What a launch costs in real time, beside a futex round trip between two processes: the least that
 * handing work over and hearing of its end can cost. And what a barrier costs each thread.
 */
#include <cuda_runtime.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "bench.h"
#include "kernels.h"

/* Short runs, many of them: most then meet no other program. */
enum { RUNS = 151, LAUNCHES = 400, TRIPS = 20, BARRIERS = 400, THREADS = 256 };

__global__ void empty()
{
}

__global__ void undeclared(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void barriers(int *x, int count)
{
    for (int i = 0; i < count; i++)
        __syncthreads();
    x[threadIdx.x] = count;
}

__global__ void shuffles(int *x, int count)
{
    int v = threadIdx.x;
    for (int i = 0; i < count; i++)
        v += __shfl_down_sync(0xffffffff, v, 1);
    x[threadIdx.x] = v;
}

static void sleep_until_not(std::atomic<unsigned> *word, unsigned seen)
{
    while (*word == seen)
        syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

static void raise(std::atomic<unsigned> *word)
{
    ++*word;
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Two processes wake each other in turns, microseconds a round trip. Its child is made before CUDA starts. */
struct partner {
    std::atomic<unsigned> ping, pong;
};
static struct partner *partner;
static pid_t partner_process;

static void partner_start()
{
    partner = (struct partner *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    partner_process = fork();
    for (unsigned seen = 0; partner_process == 0; seen++) {
        sleep_until_not(&partner->ping, seen);
        raise(&partner->pong);
    }
}

static void partner_stop()
{
    kill(partner_process, SIGKILL);
    waitpid(partner_process, NULL, 0);
}

static double round_trip_us()
{
    double start = bench_now_us();
    for (int i = 0; i < TRIPS; i++) {
        unsigned seen = partner->pong;
        raise(&partner->ping);
        sleep_until_not(&partner->pong, seen);
    }
    return (bench_now_us() - start) / TRIPS;
}

static double back_to_back_us()
{
    double start = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++)
        empty<<<1, 1>>>();
    BENCH_NEED(cudaDeviceSynchronize());
    return (bench_now_us() - start) / LAUNCHES;
}

static double declared_us(int *x)
{
    double start = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++)
        BENCH_NEED(um_add_one(x, 1, 0));
    BENCH_NEED(cudaDeviceSynchronize());
    return (bench_now_us() - start) / LAUNCHES;
}

static double measured_us(int *x)
{
    double start = bench_now_us();
    for (int i = 0; i < LAUNCHES / 10; i++)
        undeclared<<<1, 32>>>(x);
    BENCH_NEED(cudaDeviceSynchronize());
    return (bench_now_us() - start) / (LAUNCHES / 10);
}

static double synchronised_us()
{
    double start = bench_now_us();
    for (int i = 0; i < TRIPS; i++) {
        empty<<<1, 1>>>();
        BENCH_NEED(cudaDeviceSynchronize());
    }
    return (bench_now_us() - start) / TRIPS;
}

typedef void (*waiting_kernel)(int *x, int count);

static double kernel_us(waiting_kernel kernel, int *x, int count)
{
    double start = bench_now_us();
    kernel<<<1, THREADS>>>(x, count);
    BENCH_NEED(cudaDeviceSynchronize());
    return bench_now_us() - start;
}

static double wait_ns(waiting_kernel kernel, int *x)
{
    double with = kernel_us(kernel, x, BARRIERS), without = kernel_us(kernel, x, 0);
    return (with - without) * 1e3 / BARRIERS / THREADS;
}

/* The floor of a switch to another thread's code: a call whose target is not known beforehand. */
static double indirect_call_ns()
{
    enum { CALLS = 20000 };
    static void (*volatile target)() = [] {};
    double start = bench_now_us();
    for (int i = 0; i < CALLS; i++)
        target();
    return (bench_now_us() - start) * 1e3 / CALLS;
}

int main()
{
    enum { TRIP, ROW, DECLARED, MEASURED, ONE, BARRIER, SHUFFLE, CALL, FIGURES };
    static double figure[FIGURES][RUNS];
    double median[FIGURES];
    int *x;
    bench_simulator_only();
    partner_start();
    BENCH_NEED(cudaMalloc((void **)&x, 1 << 20));
    for (int i = 0; i < RUNS; i++) {
        figure[TRIP][i] = round_trip_us();
        figure[ROW][i] = back_to_back_us();
        figure[DECLARED][i] = declared_us(x);
        figure[MEASURED][i] = measured_us(x);
        figure[ONE][i] = synchronised_us();
        figure[BARRIER][i] = wait_ns(barriers, x);
        figure[SHUFFLE][i] = wait_ns(shuffles, x);
        figure[CALL][i] = indirect_call_ns();
    }
    partner_stop();
    for (int f = 0; f < FIGURES; f++)
        median[f] = bench_median(figure[f], RUNS);
    const char *trip = "futex round trip";
    const struct bench_row rows[] = {
        {"empty launch, back to back", "us", median[ROW], median[TRIP], trip, 1, 0, 0},
        {"launch with declared traffic, back to back", "us", median[DECLARED], median[TRIP], trip, 0, 0, 0},
        {"launch of a kernel that declares nothing", "us", median[MEASURED], median[TRIP], trip, 0, 0, 0},
        {"empty launch and synchronise", "us", median[ONE], median[TRIP], trip, 0, 0, 0},
        {"__syncthreads, each thread", "ns", median[BARRIER], median[CALL], "indirect call", 10, 0, 0},
        {"__shfl_down_sync, each lane", "ns", median[SHUFFLE], median[CALL], "indirect call", 0, 0, 0},
    };
    for (const struct bench_row &row : rows)
        bench_print(&row);
    return 0;
}
