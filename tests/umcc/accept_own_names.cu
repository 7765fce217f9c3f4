// The built-in variables' names may be a program's own: a parameter's, a local variable's, a member's.
#include "check.h"

__global__ void parameter(int *o, uint3 threadIdx)
{
    o[0] = (int)threadIdx.x;
}
__global__ void parameter_and_index(int *o, int n, uint3 threadIdx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = 70 + (int)threadIdx.y;
}
__global__ void dimension(int *o, dim3 blockDim)
{
    o[threadIdx.x + 2] = (int)blockDim.x;
}
__global__ void local(int *o, int n)
{
    int blockIdx = n;
    o[6] = blockIdx;
}
__global__ void local_index(int *o, int n)
{
    uint3 threadIdx = {5, 6, 7};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i + 2] = i;
}

struct held {
    uint3 threadIdx;
    int blockIdx;
    __device__ held(uint3 t) : threadIdx(t), blockIdx(t.y)
    {
    }
    __device__ int sum() const
    {
        return threadIdx.x + blockIdx;
    }
};
struct started {
    unsigned at;
    __device__ started() : at(threadIdx.x)
    {
    }
};
__device__ int of_parameter(uint3 threadIdx, int blockDim = 3)
{
    return (int)threadIdx.x + blockDim;
}
template <class T> __device__ int of_any(T threadIdx)
{
    return (int)threadIdx.y;
}
template <int blockDim> __device__ int of_template()
{
    return blockDim;
}
__device__ int of_locals()
{
    int gridDim = 4;
    auto threadIdx = make_uint3(8, 9, 10);
    return gridDim + threadIdx.z;
}
__device__ int of_copies()
{
    auto t = threadIdx;
    const uint3 &r = threadIdx;
    dim3 b = blockDim;
    decltype(threadIdx) u = threadIdx;
    return t.x + r.x * 10 + b.x * 100 + u.x;
}
__device__ unsigned first(uint3 index)
{
    return index.x;
}
__device__ unsigned passed()
{
    return first(threadIdx) + first({threadIdx.x, 0, 0});
}
__device__ int by_default(unsigned index = threadIdx.x)
{
    return index;
}
__device__ uint3 returned()
{
    return threadIdx;
}
__device__ int hidden_for_a_while()
{
    int last = 0;
    for (uint3 threadIdx = make_uint3(0, 0, 0); threadIdx.x < 3; ++threadIdx.x)
        last = threadIdx.x;
    return last * 10 + threadIdx.x;
}
__global__ void functions(int *o)
{
    if (threadIdx.x != 3)
        return;
    held h(make_uint3(50, 60, 70));
    int *next = o;
    *next++ = h.sum() * 100 + h.threadIdx.z;
    *next++ = started().at;
    *next++ = of_parameter(make_uint3(7, 8, 9)) * 100 + of_parameter(make_uint3(7, 8, 9), 20);
    *next++ = of_any(make_uint3(1, 22, 3)) * 10 + of_template<5>();
    *next++ = of_locals();
    *next++ = of_copies();
    *next++ = passed();
    *next++ = by_default();
    *next++ = returned().x;
    *next++ = hidden_for_a_while();
    auto captures = [=]() { return threadIdx.x + 1; };
    auto has_its_own = [](int blockIdx) { return blockIdx + (int)threadIdx.x; };
    *next++ = captures() * 100 + has_its_own(20);
    struct inner {
        uint3 threadIdx;
        __device__ unsigned f()
        {
            return threadIdx.y + gridDim.x;
        }
    } in{make_uint3(1, 30, 1)};
    *next++ = in.f();
    *next++ = threadIdx.x;
}

int main()
{
    int *o = make_managed<int>(16);
    parameter<<<1, 4>>>(o, make_uint3(9, 1, 1));
    parameter_and_index<<<1, 1>>>(o, 2, make_uint3(1, 2, 3));
    dimension<<<1, 2>>>(o, dim3(30));
    local<<<1, 4>>>(o, 7);
    local_index<<<1, 8>>>(o, 8);
    SYNC();
    CHECK(o[0] == 9);
    CHECK(o[1] == 72);
    CHECK(o[2] == 30 && o[3] == 30);
    CHECK(o[6] == 7);
    CHECK(o[7] == 5 && o[8] == 0 && o[9] == 0);

    functions<<<1, 4>>>(o);
    SYNC();
    static const int expected[] = {11070, 3, 1027, 225, 14, 436, 6, 3, 3, 23, 423, 31, 3};
    for (int i = 0; i < 13; i++)
        CHECK(o[i] == expected[i]);
    return finish();
}
