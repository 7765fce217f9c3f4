// Templates: kernels of any element type, sizes as parameters, specializations, functions that launch what
// they are given, a variadic kernel, and shared memory of a dependent type.
#include "common.h"
#include <type_traits>

template <typename T> struct SharedMemory;
template <> struct SharedMemory<int> {
    __device__ int *getPointer()
    {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <> struct SharedMemory<double> {
    __device__ double *getPointer()
    {
        extern __shared__ double s_double[];
        return s_double;
    }
};

template <class T> __global__ void testKernel(T *g_idata, T *g_odata)
{
    SharedMemory<T> smem;
    T *sdata = smem.getPointer();
    const unsigned int tid = threadIdx.x;
    const unsigned int num_threads = blockDim.x;
    sdata[tid] = g_idata[tid];
    __syncthreads();
    sdata[tid] = (T)num_threads * sdata[tid];
    __syncthreads();
    g_odata[tid] = sdata[num_threads - 1 - tid];
}

template <class T> struct Traits {
    static constexpr bool wide = false;
    __host__ __device__ static T zero()
    {
        return T(0);
    }
};
template <> struct Traits<double> {
    static constexpr bool wide = true;
    __host__ __device__ static double zero()
    {
        return 0.0;
    }
};

template <typename T, int BLOCK, bool DOUBLE = Traits<T>::wide>
__global__ void blockSum(const T *in, T *out, int n)
{
    __shared__ T partial[BLOCK];
    T sum = Traits<T>::zero();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        sum += in[i] * (DOUBLE ? 2 : 1);
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = BLOCK >> 1; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = partial[0];
}

template <typename T> __device__ T addAll(T last)
{
    return last;
}
template <typename T, typename... Rest> __device__ T addAll(T first, Rest... rest)
{
    return first + addAll<T>(rest...);
}
template <typename T, typename... Values> __global__ void variadic(T *out, Values... values)
{
    *out = addAll<T>(values...);
}

template <class T, int BLOCK> T sumOnDevice(const std::vector<T> &values)
{
    const int blocks = 4;
    T *in, *out, host[blocks], sum{};
    CHECK(cudaMalloc(&in, values.size() * sizeof(T)));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    blockSum<T, (BLOCK > 64 ? BLOCK : 64)><<<blocks, BLOCK>>>(in, out, (int)values.size());
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (T h : host)
        sum += h;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return sum;
}

template <class T> bool reverseScaled(int n)
{
    std::vector<T> h(n), back(n);
    for (int i = 0; i < n; i++)
        h[i] = static_cast<T>(i);
    T *in, *out;
    CHECK(cudaMalloc((void **)&in, n * sizeof(T)));
    CHECK(cudaMalloc((void **)&out, n * sizeof(T)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    testKernel<T><<<dim3(1, 1, 1), dim3(n, 1, 1), n * sizeof(T)>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(back.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && back[i] == h[n - 1 - i] * n;
    return good;
}

template <typename Kernel, typename... Args> void launch(Kernel kernel, dim3 grid, dim3 block, Args... args)
{
    kernel<<<grid, block>>>(args...);
    CHECK_KERNEL();
}

int main()
{
    bool good = reverseScaled<int>(32) && reverseScaled<double>(128);
    good &= sumOnDevice<int, 128>(std::vector<int>(1000, 3)) == 3000;
    good &= sumOnDevice<float, 64>(std::vector<float>(1000, 0.5f)) == 500.0f;
    good &= sumOnDevice<double, 256>(std::vector<double>(1000, 0.5)) == 1000.0;

    long long *total;
    CHECK(cudaMallocManaged(&total, sizeof *total));
    launch(variadic<long long, int, short, long long>, 1, 1, total, 1, (short)2, 1ll << 40);
    good &= *total == (1ll << 40) + 3;
    variadic<long long><<<1, 1>>>(total, 5, 6, 7, 8u);
    CHECK_KERNEL();
    good &= *total == 26;
    CHECK(cudaFree(total));
    return report(good);
}
