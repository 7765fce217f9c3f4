/*
 * Warps in step on arrays whose declaration does not say `volatile` itself: names of volatile types,
 * templates' parameters, members, casts, pointers.
 */
#include "check.h"

typedef volatile int volatile_int;
using lane_array = volatile_int *;
typedef volatile int first_of_two, *second_of_two;
struct lanes {
    volatile int *s;
    __device__ void add(int t)
    {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        this->s[t] += this->s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
};
template <class T> struct step {
    typedef volatile T type;
};
#define SIX_STEPS(s)                                                                                         \
    s[t] += s[t + 32];                                                                                       \
    s[t] += s[t + 16];                                                                                       \
    s[t] += s[t + 8];                                                                                        \
    s[t] += s[t + 4];                                                                                        \
    s[t] += s[t + 2];                                                                                        \
    s[t] += s[t + 1]

__device__ void by_typedef(volatile_int *s, int t)
{
    SIX_STEPS(s);
}
__device__ void by_alias(int t, lane_array s)
{
    SIX_STEPS(s);
}
__device__ void by_second_name(second_of_two s, int t)
{
    SIX_STEPS(s);
}
__device__ void by_nested_type(typename step<int>::type *s, int t)
{
    SIX_STEPS(s);
}
template <class P> __device__ void by_template(P s, int t)
{
    SIX_STEPS(s);
}
template <class T> __device__ void by_explicit_template(T *s, int t)
{
    SIX_STEPS(s);
}
__device__ void by_pointer(volatile int *s)
{
    *s += *(s + 32);
    *s += *(s + 16);
    *(s + 0) += s[8];
    *s += s[4];
    *s += s[2];
    *s += s[1];
}
__device__ void by_second_variable(int *p, int t)
{
    volatile int *unused = p, *s = p;
    (void)unused;
    SIX_STEPS(s);
}
__device__ void by_auto(int *p, int t)
{
    auto s = static_cast<volatile int *>(p);
    SIX_STEPS(s);
}
__device__ void by_decltype(int *p, int t)
{
    volatile int *first = p;
    decltype(first) s = p;
    SIX_STEPS(s);
}
__device__ void by_cast(int *s, int t)
{
    SIX_STEPS(((volatile int *)s));
}
__device__ void by_named_cast(int *s, int t)
{
    SIX_STEPS(static_cast<volatile_int *>(s));
}
__device__ void by_member(const lanes &l, int t)
{
    SIX_STEPS(l.s);
}

enum { WAYS = 15, WIDTH = 128 };
__shared__ volatile int of_file[64];

__device__ void by_file_array(const int *s, int t)
{
    of_file[t] = s[t];
    of_file[t + 32] = s[t + 32];
    SIX_STEPS(of_file);
}

__global__ void add_all(const int *in, int *out)
{
    __shared__ int s[WIDTH];
    const int t = threadIdx.x;
    for (int way = 0; way < WAYS; way++) {
        s[t] = in[t];
        s[t + 32] = in[t + 32];
        lanes l = {s};
        volatile int *v = s;
        switch (way) {
        case 0:
            by_typedef(s, t);
            break;
        case 1:
            by_alias(t, s);
            break;
        case 2:
            by_second_name(s, t);
            break;
        case 3:
            by_nested_type(s, t);
            break;
        case 4:
            by_template(v, t);
            break;
        case 5:
            by_explicit_template<volatile int>(s, t);
            break;
        case 6:
            by_pointer(s + t);
            break;
        case 7:
            by_second_variable(s, t);
            break;
        case 8:
            by_auto(s, t);
            break;
        case 9:
            by_decltype(s, t);
            break;
        case 10:
            by_cast(s, t);
            break;
        case 11:
            by_named_cast(s, t);
            break;
        case 12:
            by_member(l, t);
            break;
        case 13:
            l.add(t);
            break;
        case 14:
            by_file_array(s, t);
            break;
        }
        if (t == 0)
            out[way] = way == 14 ? of_file[0] : s[0];
        __syncthreads();
    }
}

int main()
{
    int *in = make_managed<int>(WIDTH), *out = make_managed<int>(WAYS), sum = 0;
    for (int i = 0; i < 64; i++)
        sum += in[i] = 1 + i % 7;
    add_all<<<1, 32>>>(in, out);
    SYNC();
    for (int way = 0; way < WAYS; way++)
        if (out[way] != sum) {
            printf("way %d: %d, not %d\n", way, out[way], sum);
            CHECK(out[way] == sum);
        }
    return finish();
}
