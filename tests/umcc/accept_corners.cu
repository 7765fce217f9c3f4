/*
 * @file accept_corners.cu
 * @brief What umcc once refused, or what failed at run time: static variables in functions, a volatile type's
 * name, names declared again, __builtin_assume().
 */
#include "check.h"

/* ---- static variables of functions are the device's, whatever they are marked ---- */
struct pair {
    int a, b;
};
__device__ int counted()
{
    static __device__ int n = 3;
    return n++;
}
__device__ int marked_first()
{
    __device__ static int n;
    return n++;
}
__device__ int constant()
{
    static __constant__ int n = 3;
    return n;
}
__device__ int constants()
{
    __constant__ static const int n[2] = {3, 4};
    return n[1];
}
__device__ int managed()
{
    static __managed__ int n = 4;
    return n++;
}
__device__ int structures()
{
    static struct own {
        int a, b;
    } n = {1, 2};
    static pair s{5, 6};
    return n.a++ + s.b++;
}
__device__ int of_a_class()
{
    struct local {
        static __device__ int f(int x)
        {
            return x + 1;
        }
    };
    return local::f(3);
}
template <class T> __device__ T table(T x)
{
    static const T n[4] = {3, 4, 5, 6};
    return n[x];
}
__global__ void statics(int *o)
{
    static int own = 4;
    for (int i = 0; i < 3; i++) {
        const int all[] = {counted(),    marked_first(), constant(), constants(), managed(),
                           structures(), of_a_class(),   table(2),   own++};
        for (int k = 0; k < 9; k++)
            o[k] = all[k];
    }
}

/* ---- a loop that waits, by the name of a volatile type ---- */
typedef volatile int watched;
using watched_row = volatile int[2];
__global__ void waits(watched *flag, int *o)
{
    if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        o[0] = 1;
    } else if (threadIdx.x == 32) {
        *flag = 1;
    }
}
__global__ void waits_for_row(watched_row *flag, int *o)
{
    if (threadIdx.x == 0) {
        while ((*flag)[1] == 0)
            ;
        o[0] = 2;
    } else if (threadIdx.x == 32) {
        (*flag)[1] = 1;
    }
}

/* ---- the file's __shared__ array, and variables of its name ---- */
extern __shared__ int s[];
__global__ void own_array(int *o)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void own_dynamic(int *o)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[31 - threadIdx.x];
}
__device__ int hidden(int i)
{
    int s = 5;
    return s + i;
}
__device__ int hidden_inside(int i)
{
    if (i == 0) {
        int s = 5;
        return s + i;
    }
    return s[i];
}
__global__ void files_array(int *o)
{
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[31 - threadIdx.x] + hidden(1) + hidden_inside(threadIdx.x);
}

__global__ void assumes(int *__restrict__ o, int n)
{
    __builtin_assume(n > 0);
    __builtin_assume(++n > 0); /* is not evaluated */
    o[0] = n;
}

int main()
{
    int *o = make_managed<int>(64);
    statics<<<1, 1>>>(o);
    SYNC();
    const int want[] = {5, 2, 3, 4, 6, 11, 4, 5, 6};
    for (int i = 0; i < 9; i++)
        CHECK(o[i] == want[i]);
    o[9] = o[11] = 0;
    waits<<<1, 64>>>(o + 9, o);
    SYNC();
    CHECK(o[0] == 1);
    waits_for_row<<<1, 64>>>((watched_row *)(o + 10), o);
    SYNC();
    CHECK(o[0] == 2);
    own_array<<<1, 32>>>(o);
    SYNC();
    CHECK(o[0] == 31 && o[31] == 0);
    own_dynamic<<<1, 32, 128>>>(o);
    SYNC();
    CHECK(o[0] == 31 && o[31] == 0);
    files_array<<<1, 32, 128>>>(o);
    SYNC();
    CHECK(o[0] == 42 && o[5] == 26 + 6 + 5);
    assumes<<<1, 1>>>(o, 5);
    SYNC();
    CHECK(o[0] == 5);
    return finish();
}
