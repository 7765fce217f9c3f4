// nvcc's own atomic operations, with orders and scopes: sums of many threads, a lock, a message from block to
// block.
#include "common.h"

struct Pair {
    int low, high;
};

struct Results {
    int sum, difference, least, most;
    unsigned bits, rest, toggled, tickets;
    unsigned long long large;
    float halves;
    double quarters;
    Pair pair;
    int locked, in_blocks, message, wrong;
    unsigned lock;
};

enum { BLOCKS = 8, THREADS = 64, ALL = BLOCKS * THREADS };

__global__ void sums(Results *r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_fetch_add(&r->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(&r->difference, i, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_min(&r->least, i - 100, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(&r->most, i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&r->bits, 1u << i % 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_and(&r->rest, ~(1u << i % 31), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_xor(&r->toggled, 1u << i % 3, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&r->large, 1ull << 32, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(&r->halves, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(&r->quarters, -0.25, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    // Both halves of a structure change at once.
    Pair seen, next;
    __nv_atomic_load(&r->pair, &seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    do {
        next.low = seen.low + 1;
        next.high = seen.high - 1;
    } while (!__nv_atomic_compare_exchange(&r->pair, &seen, &next, true, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
    // Every ticket is drawn once: the last one that goes back in is missing.
    const unsigned ticket =
        __nv_atomic_exchange_n(&r->tickets, (unsigned)i, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&r->large, (unsigned long long)ticket, __NV_ATOMIC_RELAXED,
                          __NV_THREAD_SCOPE_DEVICE);
}

__global__ void in_blocks(Results *r)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        __nv_atomic_store_n(&count, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __syncthreads();
    __nv_atomic_fetch_add(&count, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __nv_atomic_fetch_add(&r->in_blocks, count, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned none = 0;
    while (!__nv_atomic_compare_exchange_n(&r->lock, &none, 1u, false, __NV_ATOMIC_ACQUIRE,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE))
        none = 0;
    r->locked = r->locked + 1;
    __nv_atomic_store_n(&r->lock, 0u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

// The block that comes first waits for what the other one writes.
__global__ void message(Results *r, unsigned *order, int *flag)
{
    if (__nv_atomic_exchange_n(order, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
        }
        r->wrong = r->message != 42;
    } else {
        r->message = 42;
        __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
        int one = 1;
        __nv_atomic_store(flag, &one, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
}

int main()
{
    Results *r, host = {};
    unsigned *order;
    CHECK(cudaMalloc(&r, sizeof *r));
    CHECK(cudaMalloc(&order, 2 * sizeof *order));
    CHECK(cudaMemset(order, 0, 2 * sizeof *order));
    host.rest = ~0u;
    host.least = 1000;
    host.wrong = 1;
    host.tickets = ALL;
    CHECK(cudaMemcpy(r, &host, sizeof host, cudaMemcpyHostToDevice));
    sums<<<BLOCKS, THREADS>>>(r);
    in_blocks<<<BLOCKS, THREADS>>>(r);
    message<<<2, 1>>>(r, order, (int *)order + 1);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&host, r, sizeof host, cudaMemcpyDeviceToHost));
    const int sum = ALL * (ALL - 1) / 2;
    const unsigned long long drawn = (unsigned long long)(sum + ALL) - host.tickets;
    const bool numbers = host.sum == sum && host.difference == -sum && host.least == -100 &&
                         host.most == ALL - 1 && host.bits == ~0u && host.rest == 1u << 31 &&
                         host.toggled == ((ALL + 2) / 3 % 2 | (ALL + 1) / 3 % 2 << 1 | ALL / 3 % 2 << 2);
    const bool fractions = host.halves == (float)ALL * 0.5f && host.quarters == (double)ALL * 0.25 &&
                           host.large == ((unsigned long long)ALL << 32) + drawn;
    const bool others = host.pair.low == ALL && host.pair.high == -ALL && host.locked == BLOCKS &&
                        host.in_blocks == ALL && host.lock == 0 && host.message == 42 && host.wrong == 0;
    printf("numbers %d, fractions %d, others %d\n", numbers, fractions, others);
    CHECK(cudaFree(r));
    CHECK(cudaFree(order));
    return report(numbers && fractions && others);
}
