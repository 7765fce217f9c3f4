// Constants that have another value where __CUDA_ARCH__ is defined: device code has the device's, the host
// its own.
#include "check.h"

#ifdef __CUDA_ARCH__
static const int width = 4;
constexpr unsigned mask = 15;
#else
static const int width = 2;
constexpr unsigned mask = 3;
#endif

__device__ int on_device(int x)
{
    return x * width;
}
__host__ __device__ int on_both(int x)
{
    return x + width;
}
struct methods {
    __device__ int size()
    {
        int array[width] = {};
        return sizeof array / sizeof *array;
    }
    static __host__ __device__ unsigned masked(unsigned x)
    {
        return x & mask;
    }
};
template <int N> __device__ int number()
{
    return N;
}

__global__ void ask(int *o)
{
    __shared__ int s[width];
    s[threadIdx.x] = width;
    __syncthreads();
    o[0] = on_device(1);
    o[1] = on_both(0);
    o[2] = methods().size();
    o[3] = methods::masked(255);
    o[4] = number<width>();
    o[5] = sizeof s / sizeof *s;
    auto times = [](int v) { return v * width; };
    o[6] = times(2) + s[0];
}

int main()
{
    int *o = make_managed<int>(7);
    ask<<<1, 1>>>(o);
    SYNC();
    static const int expected[] = {4, 4, 4, 15, 4, 4, 12};
    for (int i = 0; i < 7; i++)
        CHECK(o[i] == expected[i]);
    CHECK(width == 2 && on_both(0) == 2 && methods::masked(255) == 3);
    return finish();
}
