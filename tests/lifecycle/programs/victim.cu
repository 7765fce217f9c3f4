/**
 * @file victim.cu
 * @brief The program that the lifecycle tests start, kill and confine: `victim MODE`. Modes are the functions below.
 *
 * It prints what CUDA answered, a name a line; the tests judge. Exit 0 when it came to its own end.
 */
#include <cuda_runtime.h>
#include <umsim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__global__ void endless(volatile int *flag)
{
    while (*flag == 0) {
    }
}

__global__ void endless_with_barriers(volatile int *flag)
{
    while (*flag == 0)
        __syncthreads();
}

__global__ void add_one(int *x)
{
    x[threadIdx.x] += 1;
}

static void say(cudaError_t result)
{
    printf("%s\n", cudaGetErrorName(result));
    fflush(stdout);
}

static int *flag()
{
    static int *p;
    if (!p && (cudaMalloc((void **)&p, 4096) != cudaSuccess || cudaMemset(p, 0, 4096) != cudaSuccess))
        exit(3);
    return p;
}

static void say_gpu()
{
    printf("%d\n", umsim_gpu_pid());
    fflush(stdout);
}

/* One call: a whole start and a whole end. */
static void once()
{
    void *p;
    if (cudaMalloc(&p, 4096) != cudaSuccess)
        exit(1);
}

/* A launch, its result brought back. */
static void work()
{
    int x = 41;
    int *p = flag();
    if (cudaMemcpy(p, &x, sizeof x, cudaMemcpyHostToDevice) != cudaSuccess)
        exit(1);
    add_one<<<1, 1>>>(p);
    if (cudaMemcpy(&x, p, sizeof x, cudaMemcpyDeviceToHost) != cudaSuccess || x != 42)
        exit(1);
}

/* A kernel that does not end, and what every call says after it was stopped. */
static void after_endless(cudaError_t launched)
{
    int x = 0;
    void *p;
    say(launched);
    say(cudaDeviceSynchronize());
    say(cudaGetLastError());
    say(cudaMemcpy(&x, flag(), sizeof x, cudaMemcpyDeviceToHost));
    say(cudaMalloc(&p, 64));
    say(cudaFree(flag()));
}

static void run_endless()
{
    int *p = flag();
    say_gpu();
    endless<<<4, 64>>>(p);
    after_endless(cudaGetLastError());
}

static void run_endless_with_barriers()
{
    int *p = flag();
    say_gpu();
    endless_with_barriers<<<4, 64>>>(p);
    after_endless(cudaGetLastError());
}

/* An endless kernel with work queued behind it in the same and in another stream. */
static void run_endless_and_more()
{
    cudaStream_t other;
    int *p = flag();
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    say_gpu();
    endless<<<1, 1>>>(p);
    add_one<<<1, 32>>>(p);
    add_one<<<1, 32, 0, other>>>(p + 100);
    after_endless(cudaStreamSynchronize(other));
    say(cudaStreamDestroy(other));
}

/* Nothing in flight: waits for a signal, or for a line on stdin. */
static void idle()
{
    char line[8];
    flag();
    say_gpu();
    if (fgets(line, sizeof line, stdin) == NULL)
        pause();
    after_endless(cudaSuccess);
}

static void three_allocations()
{
    void *p;
    for (int i = 0; i < 3; i++)
        say(cudaMalloc(&p, 64));
    say(cudaGetLastError());
}

/* Three forgotten synchronisations: mapped memory, an asynchronous copy, managed memory. Old values are 1, new 2. */
__global__ void set_two(int *x)
{
    *x = 2;
}

static void forgotten()
{
    int *mapped, *copied, *managed, *device = flag();
    cudaMallocHost((void **)&mapped, 64);
    cudaMallocHost((void **)&copied, 64);
    cudaMallocManaged((void **)&managed, 64);
    *mapped = *copied = *managed = 1;
    set_two<<<1, 1>>>(mapped);
    printf("%d", *(volatile int *)mapped);
    set_two<<<1, 1>>>(device);
    cudaMemcpyAsync(copied, device, sizeof *copied, cudaMemcpyDeviceToHost, 0);
    printf(" %d", *(volatile int *)copied);
    set_two<<<1, 1>>>(managed);
    printf(" %d", *(volatile int *)managed);
    cudaError_t end = cudaDeviceSynchronize();
    printf(" then %d %d %d\n", *mapped, *copied, *managed);
    say(end);
}

/* Two programs that do the same at the same time, on the same addresses. */
static void long_sum()
{
    enum { N = 1 << 16, ROUNDS = 100 };
    static int x[N], y[N];
    int *p, start = (int)getpid();
    if (cudaMalloc((void **)&p, sizeof x) != cudaSuccess)
        exit(1);
    for (int i = 0; i < N; i++)
        x[i] = start + i;
    cudaMemcpy(p, x, sizeof x, cudaMemcpyHostToDevice);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i += 1024)
            add_one<<<1, 1024>>>(p + i);
        cudaDeviceSynchronize();
    }
    if (cudaMemcpy(y, p, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        exit(1);
    for (int i = 0; i < N; i++)
        if (y[i] != start + i + ROUNDS)
            exit(1);
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"once", once},
    {"work", work},
    {"endless", run_endless},
    {"endless-with-barriers", run_endless_with_barriers},
    {"endless-and-more", run_endless_and_more},
    {"idle", idle},
    {"three-allocations", three_allocations},
    {"forgotten", forgotten},
    {"long-sum", long_sum},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            return 0;
        }
    fprintf(stderr, "victim: no such mode\n");
    return 4;
}
