// Three sorts: bitonic (in shared memory, then over global memory), merge sort that finds its places by
// binary search, and radix sort one bit at a time.
#include "common.h"
#include <algorithm>

const int SHARED_SIZE = 512;

__device__ inline void compareAndSwap(unsigned int &a, unsigned int &b, bool up)
{
    if ((a > b) == up) {
        unsigned int t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonicShared(unsigned int *data)
{
    __shared__ unsigned int s[SHARED_SIZE];
    data += blockIdx.x * SHARED_SIZE;
    s[threadIdx.x] = data[threadIdx.x];
    s[threadIdx.x + SHARED_SIZE / 2] = data[threadIdx.x + SHARED_SIZE / 2];
    for (unsigned int size = 2; size <= SHARED_SIZE; size <<= 1) {
        bool up = size < SHARED_SIZE ? (threadIdx.x & (size / 2)) == 0 : (blockIdx.x & 1) == 0;
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            compareAndSwap(s[pos], s[pos + stride], up);
        }
    }
    __syncthreads();
    data[threadIdx.x] = s[threadIdx.x];
    data[threadIdx.x + SHARED_SIZE / 2] = s[threadIdx.x + SHARED_SIZE / 2];
}

__global__ void bitonicGlobal(unsigned int *data, unsigned int size, unsigned int stride)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int pos = 2 * i - (i & (stride - 1));
    compareAndSwap(data[pos], data[pos + stride], (pos & size) == 0);
}

static void bitonicSort(unsigned int *d, unsigned int n)
{
    bitonicShared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(d);
    for (unsigned int size = 2 * SHARED_SIZE; size <= n; size *= 2)
        for (unsigned int stride = size / 2; stride > 0; stride /= 2)
            bitonicGlobal<<<n / 512, 256>>>(d, size, stride);
}

// How many of a[0..n) come before v: those that are less, or not greater.
template <bool EQUAL_TOO>
__device__ unsigned int countBefore(const unsigned int *a, unsigned int n, unsigned int v)
{
    unsigned int first = 0, last = n;
    while (first < last) {
        unsigned int middle = (first + last) >> 1;
        if (EQUAL_TOO ? a[middle] <= v : a[middle] < v)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

__global__ void mergeRuns(const unsigned int *in, unsigned int *out, unsigned int n, unsigned int width)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned int pair = i / (2 * width) * (2 * width), middle = min(pair + width, n),
                 end = min(pair + 2 * width, n);
    unsigned int place = i < middle
                             ? i + countBefore<false>(in + middle, end - middle, in[i])
                             : pair + (i - middle) + countBefore<true>(in + pair, middle - pair, in[i]);
    out[place] = in[i];
}

static unsigned int *mergeSort(unsigned int *d, unsigned int *buffer, unsigned int n)
{
    for (unsigned int width = 1; width < n; width *= 2) {
        mergeRuns<<<(n + 255) / 256, 256>>>(d, buffer, n, width);
        std::swap(d, buffer);
    }
    return d;
}

// One block splits n <= 1024 numbers by a bit, zeros first, keeping their order.
__global__ void radixSortBlock(unsigned int *data, int n)
{
    extern __shared__ unsigned int values[];
    unsigned int *zeros = values + blockDim.x;
    const int t = threadIdx.x;
    unsigned int mine = t < n ? data[t] : 0xffffffffu;
    for (int bit = 0; bit < 32; bit++) {
        unsigned int zero = ~(mine >> bit) & 1;
        zeros[t] = zero;
        __syncthreads();
        for (int offset = 1; offset < blockDim.x; offset *= 2) {
            unsigned int add = t >= offset ? zeros[t - offset] : 0;
            __syncthreads();
            zeros[t] += add;
            __syncthreads();
        }
        unsigned int total = zeros[blockDim.x - 1];
        values[zero ? zeros[t] - 1 : total + t - zeros[t]] = mine;
        __syncthreads();
        mine = values[t];
        __syncthreads();
    }
    if (t < n)
        data[t] = mine;
}

int main()
{
    const unsigned int n = 4096, few = 777;
    std::vector<unsigned int> keys(n), sorted, out(n);
    Random random(99);
    for (auto &k : keys)
        k = random.next() * 251 + (random.next() & 3);
    sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    unsigned int *d, *buffer;
    CHECK(cudaMalloc(&d, n * sizeof *d));
    CHECK(cudaMalloc(&buffer, n * sizeof *d));

    CHECK(cudaMemcpy(d, keys.data(), n * sizeof *d, cudaMemcpyHostToDevice));
    bitonicSort(d, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost));
    bool bitonic = out == sorted;

    CHECK(cudaMemcpy(d, keys.data(), n * sizeof *d, cudaMemcpyHostToDevice));
    unsigned int *result = mergeSort(d, buffer, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), result, n * sizeof *d, cudaMemcpyDeviceToHost));
    bool merge = out == sorted;

    CHECK(cudaMemcpy(d, keys.data(), few * sizeof *d, cudaMemcpyHostToDevice));
    radixSortBlock<<<1, 1024, 2 * 1024 * sizeof(unsigned int)>>>(d, few);
    CHECK_KERNEL();
    out.resize(few);
    CHECK(cudaMemcpy(out.data(), d, few * sizeof *d, cudaMemcpyDeviceToHost));
    keys.resize(few);
    std::sort(keys.begin(), keys.end());
    bool radix = out == keys;

    printf("bitonic %s, merge %s, radix %s\n", bitonic ? "ok" : "wrong", merge ? "ok" : "wrong",
           radix ? "ok" : "wrong");
    CHECK(cudaFree(d));
    CHECK(cudaFree(buffer));
    return report(bitonic && merge && radix);
}
