// expect: Race reported between Write access at cuda_fences(int*, int*, bool)
// expect: and Read access at cuda_fences(int*, int*, bool)
// expect: to read it, __threadfence() has to stand between the atomic and this line, too
// Ways in which right programs put threads and blocks in order; with an argument the last one lacks the fence
// of the reader.
#include <cstdio>
#include <cuda/atomic>

__device__ unsigned arrived, ticket, gate, lock_word, flags[64], generation;
__device__ volatile int status_of[64];
__device__ int data[4096], out_value[4096], sums[64];

/* All threads fence, then a barrier, then one counts. */
__global__ void fence_barrier_count(int turn)
{
    __shared__ bool last;
    data[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + turn;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
            out_value[i] = data[i];
}
/* Barrier, then one thread fences and counts. */
__global__ void barrier_fence_count(int turn)
{
    __shared__ bool last;
    data[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + turn;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
            out_value[i] = data[i];
}
/* Every thread counts for itself. */
__global__ void each_counts(int turn)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = turn;
    __threadfence();
    if (atomicInc(&ticket, gridDim.x * blockDim.x - 1) == gridDim.x * blockDim.x - 1) {
        __threadfence();
        for (int i = 0; i < gridDim.x * blockDim.x; i++)
            out_value[i] = data[i];
    }
}
/* Warps: lanes write and fence, meet, lane 0 counts. */
__global__ void warps_count(int turn)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    data[blockIdx.x * blockDim.x + threadIdx.x] = turn;
    __threadfence();
    __syncwarp();
    unsigned at = 0;
    if (threadIdx.x % 32 == 0)
        at = atomicInc(&ticket, warps - 1);
    at = __shfl_sync(0xffffffff, at, 0);
    __threadfence();
    if (at == warps - 1)
        for (int i = threadIdx.x % 32; i < gridDim.x * blockDim.x; i += 32)
            out_value[i] = data[i] + warp;
}
/* Warps: lanes write, meet, lane 0 fences and counts, polls, meets; others read. */
__global__ void warps_meet(int turn)
{
    const int warps = gridDim.x * blockDim.x / 32;
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    data[me] = turn;
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        __threadfence();
        atomicAdd(&gate, 1);
        while (atomicAdd(&gate, 0) < warps * (turn + 1))
            ;
        __threadfence();
    }
    __syncwarp();
    out_value[me] = data[(me + 32) % (gridDim.x * blockDim.x)];
}
/* A grid's barrier by hand: counter and generation, two places. */
__device__ void grid_barrier()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned mine = *(volatile unsigned *)&generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            atomicAdd(&generation, 1);
        } else
            while (*(volatile unsigned *)&generation == mine)
                ;
        __threadfence();
    }
    __syncthreads();
}
__global__ void by_hand(int turns)
{
    const int n = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < turns; turn++) {
        data[me] = turn;
        grid_barrier();
        out_value[me] = data[(me + blockDim.x + 1) % n];
        grid_barrier();
    }
}
/* A chain of flags: each block waits for the one before; order goes on. */
__global__ void chain()
{
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0) {
            while (status_of[blockIdx.x - 1] == 0)
                ;
            __threadfence();
        }
        int sum = 0;
        for (int i = 0; i < blockIdx.x; i++)
            sum += sums[i];
        sums[blockIdx.x] = sum + 1;
        __threadfence();
        status_of[blockIdx.x] = 1;
    }
}
/* The same, backwards: blocks are put aside. */
__global__ void chain_back()
{
    __shared__ int all;
    const int b = gridDim.x - 1 - blockIdx.x;
    int before = 0;
    out_value[blockIdx.x * blockDim.x + threadIdx.x] = 1; // before the wait
    __threadfence();
    if (threadIdx.x == 0) {
        if (b > 0)
            while (status_of[b - 1] != 2)
                ;
        __threadfence();
        for (int i = 0; i < b; i++)
            before += sums[i] + out_value[(gridDim.x - 1 - i) * blockDim.x];
        all = before;
    }
    __syncthreads();
    if (threadIdx.x == 33)
        sums[b] = all;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        status_of[b] = 2;
    }
}
/* Locks of threads in one block, and of blocks. */
__global__ void locks(int *count, int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        bool done = false;
        while (!done)
            if (atomicCAS(&lock_word, 0, 1) == 0) {
                __threadfence();
                count[0]++;
                count[1] = count[0];
                __threadfence();
                atomicExch(&lock_word, 0);
                done = true;
            }
    }
}
/* Lock of a block's first thread, work of all. */
__global__ void block_locks(int *count)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    count[threadIdx.x]++;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&lock_word, 0);
}
__global__ void cuda_flags(int *x, int *flag)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        x[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            f.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (f.load(cuda::memory_order_acquire) == 0)
                ;
        __syncthreads();
        x[64 + threadIdx.x] = x[63 - threadIdx.x];
    }
}
__global__ void cuda_fences(int *x, int *flag, bool bad)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        x[0] = 7;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        f.store(2, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) != 2)
            ;
        if (!bad)
            cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        x[1] = x[0];
    }
}
/* In a block: warps hand over in shared memory. */
__global__ void shared_hand_over(int *x)
{
    __shared__ int item, flag, back;
    if (threadIdx.x == 0)
        flag = back = 0;
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int n = 1; n <= 5; n++) {
        if (warp == 0) {
            if (lane == 0) {
                while (atomicAdd_block(&back, 0) < n - 1)
                    ;
                __threadfence_block();
                item = n;
                __threadfence_block();
                atomicExch_block(&flag, n);
            }
        } else {
            if (lane == 0) {
                while (atomicAdd_block(&flag, 0) < n)
                    ;
                __threadfence_block();
            }
            __syncwarp();
            x[threadIdx.x] = item;
            __syncwarp();
            if (lane == 0) {
                __threadfence_block();
                atomicAdd_block(&back, 1);
            }
        }
    }
}
/* A thread hands to another thread of its block (block scope), which hands on to another block. */
__global__ void two_steps(int *x, int *near, int *far)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 40) {
            x[0] = 3;
            __threadfence_block();
            atomicExch_block(near, 1);
        } else if (threadIdx.x == 0) {
            while (atomicAdd_block(near, 0) == 0)
                ;
            __threadfence();
            atomicExch(far, 1);
        }
    } else if (threadIdx.x == 0) {
        while (atomicAdd(far, 0) == 0)
            ;
        __threadfence();
        x[1] = x[0];
    }
}
/* The programming guide's sum: volatile results. */
__device__ volatile float partial[64];
__global__ void guide_sum(const float *x, float *result)
{
    __shared__ bool last;
    __shared__ float s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += s[i];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *result = sum;
        arrived = 0;
    }
}
/* Many barriers and fences. */
__global__ void long_one(int *x, int turns)
{
    for (int i = 0; i < turns; i++) {
        x[blockIdx.x * 64 + threadIdx.x] = i;
        __threadfence();
        __syncthreads();
        x[gridDim.x * 64 + blockIdx.x * 64 + threadIdx.x] = x[blockIdx.x * 64 + 63 - threadIdx.x];
        __syncthreads();
    }
}
#define RUN(...)                                                                                             \
    do {                                                                                                     \
        __VA_ARGS__;                                                                                         \
        if (cudaDeviceSynchronize()) {                                                                       \
            printf("failed: " #__VA_ARGS__ "\n");                                                            \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)
static void reset()
{
    unsigned z = 0;
    cudaMemcpyToSymbol(arrived, &z, 4);
    cudaMemcpyToSymbol(gate, &z, 4);
    cudaMemcpyToSymbol(ticket, &z, 4);
}
int main(int argc, char **)
{
    int *x;
    float *f;
    cudaMalloc(&x, 4096 * 4);
    cudaMemset(x, 0, 4096 * 4);
    cudaMalloc(&f, 4096 * 4);
    cudaMemset(f, 0, 4096 * 4);
    RUN(fence_barrier_count<<<8, 96>>>(0));
    RUN(fence_barrier_count<<<8, 96>>>(1));
    reset();
    RUN(barrier_fence_count<<<8, 96>>>(0));
    RUN(each_counts<<<8, 64>>>(0));
    RUN(warps_count<<<8, 96>>>(0));
    RUN(warps_meet<<<8, 96>>>(0));
    reset();
    RUN(by_hand<<<6, 64>>>(4));
    RUN(chain<<<20, 32>>>());
    RUN(chain_back<<<20, 64>>>());
    RUN(locks<<<4, 40>>>(x, 3));
    RUN(block_locks<<<5, 64>>>(x + 10));
    cudaMemset(x, 0, 4096 * 4);
    RUN(cuda_flags<<<2, 64>>>(x, x + 1000));
    RUN(cuda_fences<<<2, 1>>>(x, x + 1001, argc > 1));
    RUN(shared_hand_over<<<1, 64>>>(x));
    RUN(two_steps<<<2, 64>>>(x, x + 1002, x + 1003));
    RUN(guide_sum<<<8, 64>>>(f, f + 1024));
    RUN(long_one<<<2, 64>>>(x, 4200));
    cudaFree(x);
    cudaFree(f);
    return 0;
}
