/*
 * Conditions behind the first that are asked for a row of threads, and variables that are computed evenly
 * spaced (sim/umcc/steady.c): each kernel is compiled a second time with a warp's barrier in front, which
 * leaves its threads to fibers, and both have to come to the same. Blocks lie within the bounds, across them,
 * beyond, and where numbers wrap around.
 */
#include "check.h"
#include <climits>
#include <cstring>

/* KERNEL(name, body): two kernels, the second one with fibers. */
#define KERNEL(name, ...)                                                                                    \
    __global__ void name(int *c, const int *a, const int *b, int n){                                         \
        __VA_ARGS__} __global__ void name##_on_fibers(int *c, const int *a, const int *b, int n)             \
    {                                                                                                        \
        __syncwarp();                                                                                        \
        __VA_ARGS__                                                                                          \
    }

__device__ void halve(int &x)
{
    x /= 2;
}

// ---- steady ----
KERNEL(two, const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i / 2];
       if (i + (int)blockDim.x < n) c[i + blockDim.x] = a[i] - 1;)
KERNEL(
    leaves_twice, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int j = 3 * i + 1;
    c[3 * i] = j; if (j >= n) return; c[j] = a[i]; if (j + 1 >= n) { return; } c[j + 1] = b[i];)
KERNEL(chosen, int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) c[i] = i + 1 < n ? a[i + 1] : b[i];)
KERNEL(
    with_loop, int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) {
        int sum = 0;
        for (int k = 0; k < 4; k++) {
            if (i + 4 >= n)
                continue;
            sum += a[i + k];
        }
        c[i] = sum;
    })
KERNEL(plane, const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
       const int at = y * n + x; if (x >= n || y >= n) return; c[at] = a[at];
       if (x + 1 < n) c[at] += a[at + 1]; if (y + 1 < n && x + 2 < n) c[at] -= b[at + n + 2];)
KERNEL(backwards, const int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); if (i >= 0) c[i] = a[i];
       if (i >= 0 && i + 1 < n) c[i] += 1;)
KERNEL(numbers_that_wrap, const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
       const unsigned down = i - 5; if (i < (unsigned)n) c[i] = a[i];
       if (down < (unsigned)n) c[down + 4096] = b[i];)
KERNEL(too_large, const int i = blockIdx.x * blockDim.x + threadIdx.x; const int far = i + (INT_MAX - 40);
       if (i < n) c[i] = 1; if (far > n && i < n) c[i] += 2;)
KERNEL(
    scan, __shared__ int part[512]; const int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + 2 * t;
    int offset = 1; part[2 * t] = i < n ? a[i] : 0; part[2 * t + 1] = i + 1 < n ? a[i + 1] : 0;
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            part[(offset * (2 * t + 2) - 1) % 512] += part[(offset * (2 * t + 1) - 1) % 512];
        offset *= 2;
    } __syncthreads();
    if (i < n) c[i] = part[2 * t]; if (i + 1 < n) c[i + 1] = part[2 * t + 1];)
KERNEL(halo, __shared__ int tile[258]; const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
       tile[t + 1] = i < n ? a[i] : 0; if (t == 0) tile[0] = i > 0 && i - 1 < n ? a[i - 1] : 0;
       if (t == (int)blockDim.x - 1) tile[t + 2] = i + 1 < n ? a[i + 1] : 0; __syncthreads();
       if (i < n) c[i] = tile[t] + 2 * tile[t + 1] + 3 * tile[t + 2];)

KERNEL(
    reduction, __shared__ int s[256]; int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? a[i] : 0; __syncthreads(); for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    } if (t == 0) c[blockIdx.x] = s[0];)
KERNEL(two_rounds, __shared__ int s[256]; const int t = threadIdx.x;
       const int i = blockIdx.x * blockDim.x * 2 + t; const int other = i + blockDim.x; int sum = 0;
       if (i < n) sum = a[i]; if (other < n) sum += b[other]; s[t] = sum; __syncthreads();
       if (t + 1 < (int)blockDim.x && other < n) c[other] = s[t + 1] + sum; __syncthreads();
       if (i < n) c[i] = s[t] - sum + i;)
KERNEL(changed_between, __shared__ int s[256]; int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
       s[t] = i < n ? a[i] : 0; __syncthreads(); i += s[0] & 7; int kept = i < n ? s[t] : -1; __syncthreads();
       if (i < n) c[i - (s[0] & 7)] = kept;)

// ---- what is not what it was ----
KERNEL(parameter_changed, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i]; n -= 3;
       if (i < n) c[i] += 5;)
KERNEL(parameter_halved, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i]; halve(n);
       if (i < n) c[i] += 5;)
KERNEL(variable_changed, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i]; i += 2;
       if (i < n) c[i - 2] += 5;)
KERNEL(changed_by_pointer, int i = blockIdx.x * blockDim.x + threadIdx.x; int *p = &n; if (i < n) c[i] = a[i];
       *p -= a[0] & 3; if (i < n) c[i] += 5;)
KERNEL(
    hidden, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {
        int n = a[i] & 31, *q = c;
        if (i < n)
            q[i] = 6;
        else
            q[i] = n;
    })
KERNEL(
    hidden_by_a_loop, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {
        int sum = 0;
        for (int i = 0; i < 9; i++)
            if (i < n - 5)
                sum += a[i];
        c[i] = sum;
    })
KERNEL(guards_a_division, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i];
       const int by = n - 7; if (by != 0) if (i < n / by) c[i] += 1;)
KERNEL(by_memory, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = b[i];
       if (i < n && c[i] < n) c[i] = 77;)
KERNEL(
    in_a_lambda, int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = b[i];
    auto f = [](int i, int n) { return i < n ? 1 : 2; }; if (i < n) c[i] += f(n, i);)
KERNEL(uniform_parameter, __shared__ int last; int i = blockIdx.x * blockDim.x + threadIdx.x;
       if (threadIdx.x == 0) last = a[blockIdx.x] & 15; __syncthreads(); n -= last; __syncthreads();
       if (i < n) c[i] = a[i];)

enum { MOST = 41 * 41 + 8192 };
static int *c, *d, *a, *b;

static bool same(const char *name, int n, dim3 grid, dim3 block)
{
    SYNC();
    const bool is = memcmp(c, d, MOST * sizeof *c) == 0;
    if (!is)
        printf("%s, %d, %u x %u x %u\n", name, n, grid.x, block.x, block.y);
    memset(c, 0x55, MOST * sizeof *c);
    memset(d, 0x55, MOST * sizeof *d);
    return is;
}

#define BOTH(name)                                                                                           \
    do {                                                                                                     \
        name<<<grid, block>>>(c, a, b, n);                                                                   \
        name##_on_fibers<<<grid, block>>>(d, a, b, n);                                                       \
        CHECK(same(#name, n, grid, block));                                                                  \
    } while (0)

static void lines(int n, dim3 block)
{
    const dim3 grid((n + block.x - 1) / block.x + 1);
    BOTH(two);
    BOTH(leaves_twice);
    BOTH(chosen);
    BOTH(with_loop);
    BOTH(backwards);
    BOTH(numbers_that_wrap);
    BOTH(too_large);
    BOTH(parameter_changed);
    BOTH(parameter_halved);
    BOTH(variable_changed);
    BOTH(changed_by_pointer);
    BOTH(hidden);
    BOTH(hidden_by_a_loop);
    BOTH(guards_a_division);
    BOTH(by_memory);
    BOTH(in_a_lambda);
    BOTH(uniform_parameter);
    if (block.x <= 256) {
        BOTH(reduction);
        BOTH(two_rounds);
        BOTH(changed_between);
        BOTH(scan);
        BOTH(halo);
    }
}

static void planes(int n, dim3 block)
{
    const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    BOTH(plane);
}

int main()
{
    c = make_managed<int>(MOST);
    d = make_managed<int>(MOST);
    a = make_managed<int>(MOST);
    b = make_managed<int>(MOST);
    for (int i = 0; i < MOST; i++) {
        a[i] = (int)(i * 2654435761u >> 24);
        b[i] = (int)(i * 2246822519u >> 25);
        c[i] = d[i] = 0x55555555;
    }
    for (int n : {1, 2, 7, 31, 32, 64, 100, 512, 1000})
        for (int threads : {1, 2, 16, 33, 64, 256})
            lines(n, threads);
    for (int n : {1, 7, 32, 41})
        for (dim3 block : {dim3(16, 16), dim3(8, 4), dim3(32, 2), dim3(1, 8), dim3(41, 1)})
            planes(n, block);
    return finish();
}
