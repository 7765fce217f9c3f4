/*
 * Where variables live: __shared__ in functions and outside, static and dynamic, of several types and
 * dimensions;
 * __device__, __constant__, __managed__, constant ones too, and static ones in functions.
 */
#include "check.h"

template <class A, class B> struct two {
    A a;
    B b;
};

__device__ int counter = 3;
__device__ const float fractions[2] = {1.5f, 2.5f};
static __device__ int *no_pointer = nullptr;
__constant__ int coefficients[4] = {1, 2, 3, 4};
__constant__ const double half = 0.5;
__device__ __managed__ int both[2] = {7, 8};
__device__ constexpr int nine = 9;
__managed__ float2 pair_of_floats;
__device__ two<int, float> mixed = {1, 2.f}, more = {3, 4.f};

__global__ void read_variables(int *p)
{
    static int calls = 10;
    static const int table[2] = {20, 21};
    counter += 1;
    p[0] = counter;
    p[1] = (int)(fractions[1] * 2);
    p[2] = coefficients[3] + (int)(half * 4);
    both[1]++;
    p[3] = nine;
    p[4] = no_pointer == nullptr;
    p[5] = mixed.a + more.a;
    pair_of_floats.x = 4;
    calls++;
    p[6] = calls;
    p[7] = table[threadIdx.x];
}

static void variables(int *p)
{
    int values[4] = {5, 6, 7, 8}, back = 0;
    CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof values) == cudaSuccess);
    read_variables<<<1, 1>>>(p);
    read_variables<<<1, 1>>>(p);
    SYNC();
    CHECK(p[0] == 5 && p[1] == 5 && p[2] == 10 && p[3] == 9 && p[4] == 1 && p[5] == 4 && p[6] == 12 &&
          p[7] == 20);
    CHECK(both[1] == 10 && pair_of_floats.x == 4);
    CHECK(cudaMemcpyFromSymbol(&back, counter, sizeof back) == cudaSuccess && back == 5);
}

/* One tile, one row more against bank conflicts, and a second variable in the same declaration. */
template <int TILE> __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1], unused;
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    if (threadIdx.x == 0)
        unused = 0;
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

extern __shared__ float outside[];
__shared__ int fixed[4];
__global__ void shared_outside(float *out)
{
    outside[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 4)
        fixed[threadIdx.x] = 5;
    __syncthreads();
    out[threadIdx.x] = outside[blockDim.x - 1 - threadIdx.x] + fixed[1];
}

template <class T> __global__ void shared_bytes(T *out)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    T *values = reinterpret_cast<T *>(bytes);
    values[threadIdx.x] = T(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
}

/* A pointer to a __shared__ array is an ordinary pointer. */
__device__ void double_all(int *values, unsigned count)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        values[i] *= 2;
}
__global__ void shared_by_pointer(int *out)
{
    __shared__ int values[32];
    __shared__ two<int, int[4]> structured;
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        structured.b[3] = 100;
    __syncthreads();
    double_all(values, sizeof values / sizeof *values);
    __syncthreads();
    out[threadIdx.x] = values[31 - threadIdx.x] + structured.b[3];
}

int main()
{
    int *p = make_managed<int>(64);
    float *in = make_managed<float>(64), *out = make_managed<float>(64);
    variables(p);
    for (int i = 0; i < 36; i++)
        in[i] = i;
    transpose<4><<<dim3(2, 2), dim3(4, 4)>>>(in, out, 6);
    SYNC();
    for (int i = 0; i < 36; i++)
        CHECK(out[i] == (i % 6) * 6 + i / 6);
    shared_outside<<<1, 8, 8 * sizeof(float)>>>(out);
    SYNC();
    CHECK(out[0] == 12 && out[7] == 5);
    shared_bytes<<<1, 4, 64>>>((double *)out);
    SYNC();
    CHECK(((double *)out)[3] == 0 && ((double *)out)[0] == 1);
    shared_by_pointer<<<1, 32>>>(p);
    SYNC();
    CHECK(p[0] == 162 && p[31] == 100);
    return finish();
}
