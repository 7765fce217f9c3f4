// cuda::atomic: counters, the smallest and largest, a lock, and flags by which threads and blocks wait for
// each other.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include "common.h"

using counter = cuda::atomic<unsigned, cuda::thread_scope_device>;

struct Totals {
    counter count;
    cuda::atomic<int, cuda::thread_scope_device> smallest, largest;
    cuda::atomic<float, cuda::thread_scope_device> sum;
    cuda::atomic<unsigned long long, cuda::thread_scope_device> bits;
};

__global__ void gather(Totals *totals, const int *values, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    totals->count.fetch_add(1, cuda::memory_order_relaxed);
    totals->smallest.fetch_min(values[i], cuda::memory_order_relaxed);
    totals->largest.fetch_max(values[i], cuda::memory_order_relaxed);
    totals->sum.fetch_add((float)values[i], cuda::std::memory_order_relaxed);
    totals->bits |= 1ull << (values[i] & 63);
}

// Plain integers, used atomically.
__global__ void histogram(unsigned *bins, int n, const int *values)
{
    __shared__ unsigned local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> bin(local[values[i] & 15]);
        bin.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < 16)
        cuda::atomic_ref<unsigned, cuda::thread_scope_device>(bins[threadIdx.x]) += local[threadIdx.x];
}

// Through pointers to volatile, as where the host polls.
__global__ void through_volatile(volatile counter *count, volatile cuda::std::atomic<int> *last)
{
    count->fetch_add(2);
    (*count)++;
    last->store(7, cuda::std::memory_order_release);
}

// One thread of each block takes the lock.
__global__ void locked(cuda::std::atomic_flag *lock, long long *sum)
{
    if (threadIdx.x != 0)
        return;
    while (lock->test_and_set(cuda::std::memory_order_acquire)) {
    }
    *sum = *sum + blockIdx.x;
    lock->clear(cuda::std::memory_order_release);
}

// The last thread of a block tells the others.
__global__ void told(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int value;
    if (threadIdx.x == 0)
        flag.store(0);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        value = 40 + blockIdx.x;
        flag.store(1, cuda::memory_order_release);
    }
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// Block after block, the last one first.
__global__ void backwards(cuda::atomic<int, cuda::thread_scope_device> *turn, int *log)
{
    if (threadIdx.x == 0) {
        const int mine = gridDim.x - 1 - blockIdx.x;
        for (int seen = turn->load(); seen != mine; seen = turn->load())
            turn->wait(seen);
        log[mine] = blockIdx.x;
        turn->store(mine + 1);
        turn->notify_all();
    }
}

int main()
{
    const int n = 5000;
    int *values;
    Totals *totals;
    CHECK(cudaMallocManaged(&values, n * sizeof *values));
    CHECK(cudaMallocManaged(&totals, sizeof *totals));
    Random random;
    int smallest = 1 << 30, largest = 0;
    unsigned long long bits = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        values[i] = (int)(random.next() % 1000);
        smallest = values[i] < smallest ? values[i] : smallest;
        largest = values[i] > largest ? values[i] : largest;
        bits |= 1ull << (values[i] & 63);
        sum += values[i];
    }
    totals->count = 0;
    totals->smallest = 1 << 30;
    totals->largest = -1;
    totals->sum = 0;
    totals->bits = 0;
    gather<<<blocks_for(n, 128), 128>>>(totals, values, n);
    CHECK_KERNEL();
    bool good = totals->count == (unsigned)n && totals->smallest == smallest && totals->largest == largest &&
                totals->bits == bits && std::fabs(totals->sum.load() - sum) < 1;
    printf("totals: %s\n", good ? "ok" : "wrong");

    counter *count;
    cuda::std::atomic<int> *last;
    CHECK(cudaMallocManaged(&count, sizeof *count));
    CHECK(cudaMallocManaged(&last, sizeof *last));
    *count = 0;
    through_volatile<<<2, 32>>>(count, last);
    CHECK_KERNEL();
    volatile counter *polled = count;
    const bool seen = polled->load() == 192 && last->load() == 7;
    printf("through volatile: %s\n", seen ? "ok" : "wrong");
    good = good && seen;

    unsigned *bins;
    CHECK(cudaMallocManaged(&bins, 16 * sizeof *bins));
    for (int i = 0; i < 16; i++)
        bins[i] = 0;
    histogram<<<1, 256>>>(bins, n, values);
    CHECK_KERNEL();
    unsigned want[16] = {};
    for (int i = 0; i < n; i++)
        want[values[i] & 15]++;
    for (int i = 0; i < 16; i++)
        good &= bins[i] == want[i];
    printf("histogram: %s\n", good ? "ok" : "wrong");

    cuda::std::atomic_flag *lock;
    long long *shared_sum;
    CHECK(cudaMallocManaged(&lock, sizeof *lock));
    CHECK(cudaMallocManaged(&shared_sum, sizeof *shared_sum));
    lock->clear();
    *shared_sum = 0;
    locked<<<200, 32>>>(lock, shared_sum);
    CHECK_KERNEL();
    good &= *shared_sum == 199 * 200 / 2;
    printf("lock: %s\n", good ? "ok" : "wrong");

    int *out;
    CHECK(cudaMallocManaged(&out, 8 * 128 * sizeof *out));
    told<<<8, 128>>>(out);
    CHECK_KERNEL();
    for (int i = 0; i < 8 * 128; i++)
        good &= out[i] == 40 + i / 128;
    printf("flag: %s\n", good ? "ok" : "wrong");

    cuda::atomic<int, cuda::thread_scope_device> *turn;
    CHECK(cudaMallocManaged(&turn, sizeof *turn));
    turn->store(0);
    const int blocks = 40;
    backwards<<<blocks, 32>>>(turn, out);
    CHECK_KERNEL();
    for (int i = 0; i < blocks; i++)
        good &= out[i] == blocks - 1 - i;
    printf("turns: %s\n", good ? "ok" : "wrong");

    CHECK(cudaFree(values));
    CHECK(cudaFree(totals));
    CHECK(cudaFree(bins));
    CHECK(cudaFree(lock));
    CHECK(cudaFree(shared_sum));
    CHECK(cudaFree(out));
    CHECK(cudaFree(turn));
    return report(good);
}
