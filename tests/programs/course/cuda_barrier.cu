// cuda::barrier, latch, semaphore, pipeline: a producer's and consumers' warps, phases in step, copies a
// stage ahead.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <new>
#include "common.h"

// Barriers in __shared__ memory are made by init(): nvcc would warn of their constructors, which do nothing.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Every thread adds to its neighbour's of the phase before; some leave on the way.
__global__ void phases(int *out, int rounds)
{
    __shared__ block_barrier bar;
    __shared__ int a[128], b[128];
    const int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    a[t] = t;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const int *from = r % 2 ? b : a;
        int *to = r % 2 ? a : b;
        to[t] = from[t] + from[(t + 1) % blockDim.x];
        block_barrier::arrival_token token = bar.arrive();
        int busy = 0; // what needs nobody else
        for (int i = 0; i < r; i++)
            busy += i;
        bar.wait(std::move(token));
        if (busy < 0)
            to[t] = 0;
    }
    out[blockIdx.x * blockDim.x + t] = (rounds % 2 ? b : a)[t];
    if (t >= 64) { // half of them leave
        bar.arrive_and_drop();
        return;
    }
    bar.arrive_and_wait();
    if (t == 0)
        out[gridDim.x * blockDim.x + blockIdx.x] = 1;
    bar.arrive_and_wait();
}

// One warp brings numbers through two buffers, the others use them: full and empty, by parity.
__global__ void produce_and_consume(const int *values, int rounds, int *sums)
{
    __shared__ block_barrier full[2], empty[2];
    __shared__ int buffer[2][32];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            init(&full[i], 32);
            init(&empty[i], blockDim.x - 32);
        }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; r++) {
            if (r >= 2)
                empty[r % 2].wait_parity((r / 2 - 1) & 1);
            buffer[r % 2][threadIdx.x] = values[r * 32 + threadIdx.x];
            (void)full[r % 2].arrive();
        }
    } else {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            full[r % 2].wait_parity((r / 2) & 1);
            sum += buffer[r % 2][(threadIdx.x + r) % 32];
            (void)empty[r % 2].arrive();
        }
        sums[threadIdx.x] = sum;
    }
}

struct Raise {
    int *calls;
    __host__ __device__ void operator()() noexcept
    {
        ++*calls;
    }
};

// The last one to arrive runs the completion function.
__global__ void completed(int *calls, int *seen)
{
    using barrier = cuda::barrier<cuda::thread_scope_block, Raise>;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    barrier *bar = reinterpret_cast<barrier *>(storage);
    if (threadIdx.x == 0)
        new (bar) barrier(blockDim.x, Raise{calls});
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        bar->arrive_and_wait();
        if (threadIdx.x == (unsigned)i)
            seen[i] = *calls;
        bar->arrive_and_wait();
    }
}

// Blocks wait for each other: all of them are there before any goes on.
__global__ void meet(cuda::barrier<cuda::thread_scope_device> *bar, int *before, int *after)
{
    if (threadIdx.x == 0) {
        before[blockIdx.x] = 1;
        bar->arrive_and_wait();
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += before[i];
        after[blockIdx.x] = sum;
    }
}

// At most three blocks at a time are inside.
__global__ void limited(cuda::counting_semaphore<cuda::thread_scope_device, 3> *places, int *inside,
                        int *most)
{
    if (threadIdx.x == 0) {
        places->acquire();
        atomicMax(most, atomicAdd(inside, 1) + 1);
        __nanosleep(500);
        atomicSub(inside, 1);
        places->release();
    }
}

__global__ void latched(int *out)
{
    using latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(latch) char storage[sizeof(latch)];
    __shared__ int parts[4];
    latch *done = reinterpret_cast<latch *>(storage);
    if (threadIdx.x == 0)
        new (done) latch(4);
    __syncthreads();
    if (threadIdx.x % 32 == 31) {
        parts[threadIdx.x / 32] = threadIdx.x;
        done->count_down();
    }
    done->wait();
    out[threadIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

// The block copies a tile ahead of the one it works on.
template <int Stages> __global__ void staged(const float *values, float *out, int tiles)
{
    constexpr int tile = 256;
    __shared__ float buffer[Stages][tile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int fetched = 0;
    for (int t = 0; t < tiles; t++) {
        for (; fetched < tiles && fetched < t + Stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % Stages], values + fetched * tile,
                               cuda::aligned_size_t<16>(tile * sizeof(float)), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[t * tile + threadIdx.x] = 2 * buffer[t % Stages][(threadIdx.x + 1) % tile];
        pipe.consumer_release();
    }
}

// Some threads copy, the others compute.
__global__ void specialised(const int *values, int *out, int tiles)
{
    constexpr int tile = 64;
    __shared__ int buffer[2][tile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool brings = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state,
                                    brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int t = 0; t < tiles; t++)
        if (brings) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < tile; i += 32)
                cuda::memcpy_async(&buffer[t % 2][i], values + t * tile + i, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            const int i = threadIdx.x - 32;
            out[t * tile + i] = buffer[t % 2][tile - 1 - i];
            pipe.consumer_release();
        }
}

// The same by a thread's own pipeline, by the primitives, by a barrier, and by a group.
__global__ void copies(const int *values, int *out)
{
    __shared__ int buffer[4][128];
    __shared__ block_barrier bar;
    const int t = threadIdx.x;
    auto block = cg::this_thread_block();
    if (t == 0)
        init(&bar, blockDim.x);
    block.sync();
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&buffer[0][t], values + t, sizeof(int), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    pipe.consumer_release();
    __pipeline_memcpy_async(&buffer[1][t], values + 128 + t, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    cuda::memcpy_async(block, buffer[2], values + 256, 128 * sizeof(int), bar);
    bar.arrive_and_wait();
    cg::memcpy_async(block, buffer[3], values + 384, 128 * sizeof(int));
    cg::wait(block);
    out[t] =
        buffer[0][127 - t] + 10 * buffer[1][127 - t] + 100 * buffer[2][127 - t] + 1000 * buffer[3][127 - t];
}

// Barriers for C.
__global__ void primitives(int *out)
{
    __shared__ __mbarrier_t bar;
    __shared__ int parts[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    parts[threadIdx.x] = threadIdx.x;
    const __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
    out[threadIdx.x] = parts[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        __mbarrier_inval(&bar);
}

static bool in_step(int *out)
{
    const int blocks = 3, threads = 128, rounds = 7;
    phases<<<blocks, threads>>>(out, rounds);
    CHECK_KERNEL();
    int want[threads], next[threads];
    for (int t = 0; t < threads; t++)
        want[t] = t;
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < threads; t++)
            next[t] = want[t] + want[(t + 1) % threads];
        for (int t = 0; t < threads; t++)
            want[t] = next[t];
    }
    bool good = true;
    for (int i = 0; i < blocks * threads; i++)
        good &= out[i] == want[i % threads];
    for (int b = 0; b < blocks; b++)
        good &= out[blocks * threads + b] == 1;
    printf("phases: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool handed_over(const int *values, int *out)
{
    const int rounds = 9;
    produce_and_consume<<<1, 96>>>(values, rounds, out);
    CHECK_KERNEL();
    bool good = true;
    for (int t = 32; t < 96; t++) {
        int sum = 0;
        for (int r = 0; r < rounds; r++)
            sum += values[r * 32 + (t + r) % 32];
        good &= out[t] == sum;
    }
    out[0] = 0;
    completed<<<1, 64>>>(out, out + 1);
    CHECK_KERNEL();
    for (int i = 0; i < 5; i++)
        good &= out[1 + i] == 2 * i + 1;
    good &= out[0] == 10;
    printf("producer and consumers, completion: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool over_the_grid(int *out)
{
    const int blocks = 20;
    bool good = true;
    cuda::barrier<cuda::thread_scope_device> *bar;
    CHECK(cudaMallocManaged(&bar, sizeof *bar));
    new (bar) cuda::barrier<cuda::thread_scope_device>(blocks);
    meet<<<blocks, 32>>>(bar, out, out + blocks);
    CHECK_KERNEL();
    for (int b = 0; b < blocks; b++)
        good &= out[blocks + b] == blocks;
    cuda::counting_semaphore<cuda::thread_scope_device, 3> *places;
    CHECK(cudaMallocManaged(&places, sizeof *places));
    new (places) cuda::counting_semaphore<cuda::thread_scope_device, 3>(3);
    out[0] = out[1] = 0;
    limited<<<blocks, 32>>>(places, out, out + 1);
    CHECK_KERNEL();
    good &= out[0] == 0 && out[1] >= 1 && out[1] <= 3;
    CHECK(cudaFree(bar));
    CHECK(cudaFree(places));
    latched<<<1, 128>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 128; t++)
        good &= out[t] == 31 + 63 + 95 + 127;
    printf("device barrier, semaphore, latch: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool pipelines(const int *values, int *out)
{
    const int tiles = 6;
    float *from, *to;
    bool good = true;
    CHECK(cudaMallocManaged(&from, tiles * 256 * sizeof *from));
    CHECK(cudaMallocManaged(&to, tiles * 256 * sizeof *to));
    for (int i = 0; i < tiles * 256; i++)
        from[i] = (float)i;
    staged<3><<<1, 256>>>(from, to, tiles);
    CHECK_KERNEL();
    for (int i = 0; i < tiles * 256; i++)
        good &= to[i] == 2 * from[i / 256 * 256 + (i + 1) % 256];
    specialised<<<1, 96>>>(values, out, 7);
    CHECK_KERNEL();
    for (int i = 0; i < 7 * 64; i++)
        good &= out[i] == values[i / 64 * 64 + 63 - i % 64];
    copies<<<1, 128>>>(values, out);
    CHECK_KERNEL();
    for (int t = 0; t < 128; t++)
        good &=
            out[t] == values[127 - t] + 10 * values[255 - t] + 100 * values[383 - t] + 1000 * values[511 - t];
    primitives<<<1, 64>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 64; t++)
        good &= out[t] == 63 - t;
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    printf("pipelines, copies: %s\n", good ? "ok" : "wrong");
    return good;
}

int main()
{
    int *values, *out;
    CHECK(cudaMallocManaged(&values, 1024 * sizeof *values));
    CHECK(cudaMallocManaged(&out, 1024 * sizeof *out));
    Random random;
    for (int i = 0; i < 1024; i++)
        values[i] = (int)(random.next() % 100);
    bool good = in_step(out);
    good &= handed_over(values, out);
    good &= over_the_grid(out);
    good &= pipelines(values, out);
    CHECK(cudaFree(values));
    CHECK(cudaFree(out));
    return report(good);
}
