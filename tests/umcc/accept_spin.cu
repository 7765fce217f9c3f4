/* Threads that wait for threads of their block, or for other blocks, by asking again and again
 * (sim/umcc/spin.c): flags, counters, locks, in ordinary and cooperative launches. */
#include "check.h"

#include <cooperative_groups.h>

struct Queue {
    volatile int head;
    int value;
};

__device__ volatile int open_gate;
__device__ volatile int unused = 0, *nowhere, others[8] = {0, 0}, behind;

static __device__ int peek(int *p)
{
    return atomicAdd(p, 0);
}
static __device__ void wait_for(volatile int *flag, int value)
{
    while (*flag != value)
        ;
}

/* Flags that are declared behind others. */
__global__ void second_flags(int *out)
{
    __shared__ volatile int first, second[2];
    if (threadIdx.x == 0)
        first = second[1] = 0;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        others[3] = 1;
        while (behind == 0)
            ;
        second[1] = 1;
    }
    if (threadIdx.x == 1) {
        while (others[3] == 0)
            ;
        behind = 1;
    }
    while (second[1] == 0)
        ;
    out[threadIdx.x] = 9;
}

__global__ void last_thread_opens(int *out)
{
    __shared__ int go;
    if (threadIdx.x == 0)
        atomicExch(&go, 0);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        atomicExch(&go, 7);
    while (atomicOr(&go, 0) == 0)
        ;
    out[blockIdx.x * blockDim.x + threadIdx.x] = peek(&go);
}

/* A barrier of all blocks by hand, several times; all blocks are resident. */
__global__ void by_hand(int *count, int *out, int rounds)
{
    for (int r = 1; r <= rounds; r++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (atomicAdd(count, 0) < (int)gridDim.x * r) {
            }
        }
        __syncthreads();
        if (threadIdx.x == 0)
            out[blockIdx.x] += atomicAdd(count, 0) >= (int)gridDim.x * r;
    }
}

__global__ void last_block_first(int *next, int *out)
{
    const int mine = (int)(gridDim.x - 1 - blockIdx.x);
    int seen;
    do {
        seen = *(volatile int *)next;
    } while (seen != mine);
    out[mine] = mine;
    __threadfence();
    *(volatile int *)next = mine + 1;
}

__global__ void endless_loop(int *next, int *out)
{
    while (true) {
        if (peek(next) == (int)(gridDim.x - 1 - blockIdx.x))
            break;
    }
    out[blockIdx.x] = 1;
    __threadfence();
    atomicExch(next, (int)(gridDim.x - blockIdx.x));
}

__global__ void members(Queue *q, int *out)
{
    if (threadIdx.x == 31) {
        q->value = 5;
        __threadfence();
        q->head = 1;
    } else {
        while (q->head == 0)
            __threadfence();
        out[threadIdx.x] = q->value;
    }
}

__global__ void by_function(int *flag, int *out)
{
    if (threadIdx.x == 0)
        wait_for(flag, 1);
    else if (threadIdx.x == 40)
        atomicExch(flag, 1);
    out[threadIdx.x] = 3;
}

__global__ void global_flag(int *out)
{
    if (threadIdx.x == 0)
        for (; open_gate == 0;)
            ;
    if (threadIdx.x == 1)
        open_gate = 1;
    out[threadIdx.x] = 1;
}

/* The holder of the lock waits at a barrier. */
__global__ void lock_over_barrier(int *lock, int *sum)
{
    const bool has = threadIdx.x == 3;
    if (has)
        while (atomicCAS(lock, 0, 1) != 0)
            ;
    __syncthreads();
    if (has) {
        sum[0]++;
        __threadfence();
        atomicExch(lock, 0);
    } else {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        sum[0]++;
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void cooperative_flag(int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        while (atomicAdd(flag, 0) != (int)gridDim.x - 1)
            ;
    if (blockIdx.x != 0 && threadIdx.x == 0)
        atomicAdd(flag, 1);
    cooperative_groups::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

/* These get on by themselves, and need no fibers. */
__global__ void draws(int *next, int n, int *out)
{
    int i;
    while ((i = atomicAdd(next, 1)) < n)
        out[i]++;
}
__global__ void tries_again(float *p)
{
    int *bits = (int *)p, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) + 1.0f));
    } while (assumed != old);
}

int main()
{
    const int n = 1024;
    int *p = make_managed<int>(4096), *flag = p + 4000;
    last_thread_opens<<<4, 256>>>(p);
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(p[i] == 7);
    const int sizes[] = {1, 3, 40, 200};
    for (int blocks : sizes) {
        for (int i = 0; i < 4096; i++)
            p[i] = 0;
        by_hand<<<blocks, 64>>>(flag, p, 3);
        SYNC();
        last_block_first<<<blocks, 1>>>(flag + 1, p + 1024);
        SYNC();
        endless_loop<<<blocks, 1>>>(flag + 2, p + 2048);
        SYNC();
        for (int i = 0; i < blocks; i++)
            CHECK(p[i] == 3 && p[1024 + i] == i && p[2048 + i] == 1);
    }
    for (int i = 0; i < 4096; i++)
        p[i] = 0;
    members<<<1, 32>>>((Queue *)flag, p);
    SYNC();
    CHECK(p[0] == 5 && p[30] == 5);
    by_function<<<1, 64>>>(flag + 2, p);
    SYNC();
    CHECK(p[0] == 3 && p[63] == 3);
    global_flag<<<1, 2>>>(p);
    SYNC();
    CHECK(p[0] == 1 && p[1] == 1);
    second_flags<<<1, 64>>>(p);
    SYNC();
    CHECK(p[0] == 9 && p[63] == 9);
    lock_over_barrier<<<1, 64>>>(flag + 3, p + 100);
    SYNC();
    CHECK(p[100] == 64);
    int *out = p, *counter = flag + 4;
    void *arguments[] = {&counter, &out};
    CHECK(cudaLaunchCooperativeKernel(cooperative_flag, dim3(9), dim3(64), arguments) == cudaSuccess);
    SYNC();
    for (int i = 0; i < 9 * 64; i++)
        CHECK(p[i] == 8);
    for (int i = 0; i < 4096; i++)
        p[i] = 0;
    draws<<<4, 64>>>(flag, n, p);
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(p[i] == 1);
    tries_again<<<8, 64>>>((float *)(flag + 1));
    SYNC();
    CHECK(*(float *)(flag + 1) == 8 * 64);
    return finish();
}
