/*
 * Kernels that look as if they could be transformed, and for which that would be wrong: each is compiled a
 * second time with a warp's barrier in front, which leaves its threads to fibers, and both have to come to
 * the same. How kernels are transformed that may be is a case of cases_programs.sh.
 */
#include "check.h"
#include <cstring>

/* KERNEL(name, (parameters), body): two kernels, the second one with fibers. */
#define KERNEL(name, parameters, ...)                                                                        \
    __global__ void name parameters{__VA_ARGS__} __global__ void name##_on_fibers parameters                 \
    {                                                                                                        \
        __syncwarp();                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define ALL (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define STEP (int)(gridDim.x * blockDim.x)

enum { MOST = 64, CAPACITY = 4096 };

// ---- conditions ----
KERNEL(cast_bounds, (int *c, int n, int d), int x = blockIdx.x * blockDim.x + threadIdx.x + d;
       if ((unsigned)x < (unsigned)n) c[x] += 1;)
KERNEL(unsigned_offset, (int *c, int n, int d), unsigned i = threadIdx.x + d; if (i >= (unsigned)n) return;
       c[i] += 1;)
KERNEL(narrow, (int *c, int n, int d),
       signed char i = (signed char)(blockIdx.x * blockDim.x + threadIdx.x + d);
       if (i < n) c[ALL] += 1;)
KERNEL(unequal, (int *c, int n, int d), int i = threadIdx.x + d; if (i != n) c[ALL] += 1;)
KERNEL(between, (int *c, int n, int d), int i = ALL; if (i < n || i > n + d) c[i] += 1;)
KERNEL(shift_too_far, (int *c, int n, int d), int i = ALL; if (i < (n << d)) c[i] += 1;)

struct even {
    int bound;
};
__device__ bool operator<(int i, even e)
{
    return i % 2 == 0 && i < e.bound;
}
KERNEL(own_less, (int *c, int n, int), even e = {n}; int i = ALL; if (i < e) c[i] += 1;)
KERNEL(own_less_of_parameter, (int *c, even e, int), int i = ALL; if (i < e) c[i] += 1;)
enum odd { ODD = 1 };
__device__ bool operator<(int i, odd o)
{
    return i % 2 == o;
}
KERNEL(own_less_of_enumeration, (int *c, odd o, int), int i = ALL; if (i < o) c[i] += 1;)

// ---- grid-stride loops ----
struct bump {
    __device__ void operator()(int &x) const
    {
        ++x;
    }
};
struct holder {
    int &r;
    __device__ int next() const
    {
        return ++r;
    }
    __device__ void set(int v) const
    {
        r = v;
    }
};
struct counter {
    int n;
};
__device__ int operator<<(counter &c, int by)
{
    return c.n += by;
}
using reference = int &;
constexpr int add_to(reference x)
{
    return ++x;
}
struct hidden {
    mutable int n;
    __device__ int next() const
    {
        return ++n;
    }
};
KERNEL(
    by_functor, (int *c, int n, int), int k = 0; for (int i = ALL; i < n; i += STEP) {
        bump()(k);
        c[i] = k;
    })
KERNEL(
    by_aggregate, (int *c, int n, int), int k = 0; for (int i = ALL; i < n; i += STEP) {
        holder h{k};
        c[i] = h.next();
    })
KERNEL(by_constexpr, (int *c, int n, int), int k = 0; for (int i = ALL; i < n; i += STEP) c[i] = add_to(k);)
KERNEL(by_shift, (int *c, counter k, int n), for (int i = ALL; i < n; i += STEP) c[i] = k << 1;)
KERNEL(by_mutable, (int *c, const hidden k, int n), for (int i = ALL; i < n; i += STEP) c[i] = k.next();)
KERNEL(
    by_memcpy, (int *c, int n, int d), int k = 1; for (int i = ALL; i < n; i += STEP) {
        c[i] = k;
        memcpy(&k, &d, sizeof k);
    })
KERNEL(
    moves_its_limit, (int *c, int n, int), int *at = &n; for (int i = ALL; i < n; i += STEP) {
        c[i] += 1;
        *at -= STEP;
    })
KERNEL(
    continues, (int *c, int n, int d), int i = ALL; while (i < n) {
        if (i % 3 == d) {
            i += STEP;
            continue;
        }
        c[i] += 1;
        i += STEP;
    })

// ---- barriers ----
__device__ int total;
struct at_end {
    int *p;
    __device__ ~at_end()
    {
        *p += 1000;
    }
};
KERNEL(
    part_by_functor, (int *c, int n, int), __shared__ int s[MOST]; int t = threadIdx.x; int k = 0; int m = 0;
    for (int i = 0; i < n % 5; i++) {
        s[t] = t + i;
        __syncthreads();
        k += s[MOST - 1 - t];
        bump{}(m);
        if (t == 0)
            bump()(m);
        __syncthreads();
    } c[ALL] = k + m * 1000;)
KERNEL(part_by_aggregate, (int *c, int, int), __shared__ int s[MOST]; int t = threadIdx.x; int m = 0;
       s[t] = t; __syncthreads(); holder h{m}; h.set(t); s[t] += 1; __syncthreads();
       c[ALL] = m + s[MOST - 1 - t];)
KERNEL(pointer_to_local, (int *c, int, int), __shared__ int s[MOST]; int t = threadIdx.x; int v = t;
       int *p = &v; s[t] = t; __syncthreads(); *p += s[MOST - 1 - t]; __syncthreads(); c[ALL] = v;)
KERNEL(pointer_to_temporary, (int *c, int, int), __shared__ int s[MOST]; int t = threadIdx.x;
       const int &three = t * 3; const int *p = &three; s[t] = t; __syncthreads();
       c[ALL] = *p + s[MOST - 1 - t];)
KERNEL(destructor, (int *c, int, int), __shared__ int s[MOST]; int t = threadIdx.x; at_end e{c + ALL};
       s[t] = t; __syncthreads(); c[ALL] = c[ALL] * 2 + s[MOST - 1 - t]; __syncthreads(); c[ALL] *= 3;)
KERNEL(later_name, (int *c, int, int), __shared__ int s[MOST]; int t = threadIdx.x; s[t] = total + t;
       __syncthreads(); int total = s[MOST - 1 - t]; __syncthreads(); c[ALL] = total;)
KERNEL(
    inner_head, (int *c, int n, int), __shared__ int s[MOST]; int t = threadIdx.x; int sum = 0;
    for (int i = 0; i < 6; i++) {
        const int before = i * 10 + t;
        for (; i < n % 7; i++) {
            s[t] = before;
            __syncthreads();
            sum += s[MOST - 1 - t] + before;
            __syncthreads();
        }
        sum += before;
        __syncthreads();
    } c[ALL] = sum;)
KERNEL(
    counts_down, (int *c, int n, int), __shared__ int s[MOST]; int t = threadIdx.x; int k = n % 4;
    int sum = 0; while (k-- > 0) {
        s[t] = k + t;
        __syncthreads();
        sum += s[MOST - 1 - t];
        __syncthreads();
    } c[ALL] = sum;)

static int *c_loops, *c_fibers;

#define TRY(name, blocks, threads, ...)                                                                      \
    do {                                                                                                     \
        for (int i = 0; i < CAPACITY; i++)                                                                   \
            c_loops[i] = c_fibers[i] = i % 5;                                                                \
        name<<<blocks, threads>>>(c_loops, __VA_ARGS__);                                                     \
        name##_on_fibers<<<blocks, threads>>>(c_fibers, __VA_ARGS__);                                        \
        SYNC();                                                                                              \
        for (int i = 0; i < CAPACITY; i++)                                                                   \
            if (c_loops[i] != c_fibers[i]) {                                                                 \
                printf(#name ": c[%d] is %d, with fibers %d\n", i, c_loops[i], c_fibers[i]);                 \
                failures++;                                                                                  \
                break;                                                                                       \
            }                                                                                                \
    } while (0)

static void try_conditions(int n, int d)
{
    TRY(cast_bounds, 8, 128, n, d);
    TRY(unsigned_offset, 1, 100, n, d);
    TRY(narrow, 8, 128, n, d);
    TRY(unequal, 4, 33, n, d);
    TRY(between, 4, 64, n, d & 31);
    TRY(shift_too_far, 4, 64, n, d & 15);
    TRY(own_less, 4, 33, n, d);
    TRY(own_less_of_parameter, 4, 33, even{n}, d);
    TRY(own_less_of_enumeration, 4, 33, ODD, d);
}

int main()
{
    c_loops = make_managed<int>(CAPACITY);
    c_fibers = make_managed<int>(CAPACITY);
    for (int d : {0, 1, -1, -16, 17, 200})
        for (int n : {0, 7, 100, 1000})
            try_conditions(n, d);
    for (int n : {1, 100, 1000, (int)CAPACITY}) {
        TRY(by_functor, 4, 32, n, 0);
        TRY(by_aggregate, 4, 32, n, 0);
        TRY(by_constexpr, 4, 32, n, 0);
        TRY(by_shift, 4, 32, counter{3}, n);
        TRY(by_mutable, 4, 32, hidden{3}, n);
        TRY(by_memcpy, 4, 32, n, 5);
        TRY(moves_its_limit, 4, 32, n, 0);
        TRY(continues, 4, 32, n, 1);
        TRY(part_by_functor, 4, MOST, n, 0);
        TRY(part_by_aggregate, 4, MOST, n, 0);
        TRY(pointer_to_local, 4, MOST, n, 0);
        TRY(pointer_to_temporary, 4, MOST, n, 0);
        TRY(destructor, 4, MOST, n, 0);
        TRY(later_name, 4, MOST, n, 0);
        TRY(inner_head, 4, MOST, n, 0);
        TRY(counts_down, 4, MOST, n, 0);
    }
    return finish();
}
