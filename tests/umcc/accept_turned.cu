/*
 * Loops without barriers that umcc turns inside out (sim/umcc/turned.c): each kernel is compiled a second
 * time with a warp's barrier in front, which leaves its threads to fibers, and both have to come to the same.
 * Blocks lie within the bounds, across them in x, y and z, and beyond.
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

struct both {
    int sum, steps;
};
__device__ int own_number()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}
__device__ void add_to(int &sum, int what)
{
    sum += what;
}

// ---- turned ----
KERNEL(product, (int *c, const int *a, const int *b, int n),
       const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
       if (x >= n || y >= n) return; int sum = 0;
       for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x]; c[y * n + x] = sum;)
KERNEL(
    product_inside, (int *c, const int *a, const int *b, int n),
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x; if (row < n && col < n) {
        int sum = 0;
        for (int k = 0; k < n; ++k) {
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    })
KERNEL(
    product_across, (int *c, const int *a, const int *b, int n),
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y; if (!(row < n && col < n)) { return; } int sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col]; c[row * n + col] = sum;)
KERNEL(unguarded, (int *c, const int *a, const int *b, int n), int x = threadIdx.x, y = threadIdx.y;
       int sum = 0; for (int k = n - 1; k >= 0; k -= 3) sum = 3 * sum + a[k * n + (x + y) % n];
       c[((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + y) * blockDim.x + x] = sum + b[0];)
KERNEL(
    columns, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        both of = {0, 0};
        int last[3] = {1, 2, 3};
        for (int k = 0; k < n; k++) {
            const int v = a[k * n + i];
            if (v % 3 == 0)
                of.sum += v * last[k % 3];
            last[k % 3] = v;
            of.steps++;
        }
        for (int k = 0; k < of.sum % 7 + 3; k++)
            of.steps += b[k * n + i];
        c[i] = of.sum + last[0] - last[1] + of.steps;
    })
KERNEL(
    two_loops, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; int most = a[i], at = 0; for (int k = 1; k < n; k++) if (a[k * n + i] > most) {
        most = a[k * n + i];
        at = k;
    } int sum = 0;
    for (int k = 0; k < n; k++) {
        int part = 0;
        for (int j = 0; j < 5; j++)
            part += b[k * n + (i + j) % n];
        sum += part * (k == at ? 2 : 1);
    } c[i] = most + sum;)
KERNEL(
    all_read_one, (int *c, const int *a, const int *b, int n), int i = own_number();
    int sum = b[threadIdx.x % n]; for (int j = 0; j < n; j++) {
        int d = a[j] - sum % 5;
        if (d != 0)
            add_to(sum, own_number() + d);
    } if (i < n) c[i] = sum;)
KERNEL(
    nested, (int *c, const int *a, const int *b, int n), int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y; int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= 3) return; int sum = z; for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j += n / 2 + 1)
            sum += a[i * n + x] * b[j * n + y];
        sum ^= i;
    } c[(z * n + y) * n + x] = sum;)
KERNEL(
    to_memory, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; c[i] = 0; for (int k = 0; k < n; k++) {
        c[i] += a[k * n + i];
        c[(k % 2 + 1) * n + i] = c[i] + b[k];
    })
KERNEL(
    behind_barrier, (int *c, const int *a, const int *b, int n), __shared__ int tile[64]; int t = threadIdx.x;
    int sum = 0; for (int first = 0; first < n; first += blockDim.x) {
        tile[t] = first + t < n ? a[first + t] : 0;
        __syncthreads();
        for (int j = 0; j < (int)blockDim.x; j++)
            sum += tile[j] * (b[t % n] + j);
        __syncthreads();
    } int i = blockIdx.x * blockDim.x + t;
    if (i < n) c[i] = sum;)
template <class T> __global__ void of_type(T *c, const T *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k * n + i];
        c[i] = sum;
    }
}

// ---- a vector whose `const` matters, and one whose does not (sim/umcc/readonly.c) ----
__device__ int which(const int4 &)
{
    return 1;
}
__device__ int which(int4 &)
{
    return 2;
}
template <class T> __device__ int is_read_only(T &)
{
    return 4;
}
template <class T> __device__ int is_read_only(const T &)
{
    return 8;
}
KERNEL(
    constant_vectors, (int *c, const int *a, const int *b, int n),
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; const int4 me = make_int4(a[i], b[i], i, n); const int4 whole = me, part = me;
    const int4 summed = make_int4(me.x + 1, me.y, me.z, me.w); int sum = 0; for (int k = 0; k < n; k++) {
        const int4 other = make_int4(a[k], b[k], k, 1);
        sum += (other.x - summed.x) * (other.y + summed.y) + other.z * summed.w;
    } c[i] = sum + which(whole) + is_read_only(part.x);)

// ---- left as they are, or with threads that go alone ----
KERNEL(own_bound, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
       if (i >= n) return; int sum = 0; for (int k = 0; k < i; k++) sum += a[k * n + i]; c[i] = sum + b[i];)
KERNEL(
    bound_changed, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; int sum = 0; int most = n; for (int k = 0; k < most; k++) {
        sum += a[k * n + i];
        if (sum > 500)
            most = k;
    } c[i] = sum + b[i];)
KERNEL(
    ends_early, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; int sum = 0; for (int k = 0; k < n; k++) {
        if (a[k * n + i] % 11 == 0)
            break;
        sum += a[k * n + i];
    } c[i] = sum + b[i];)
KERNEL(
    by_memory, (int *c, const int *a, const int *b, int n), int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 2 == 0) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k * n + i];
        c[i] = sum + b[i];
    })
KERNEL(kept_address, (int *c, const int *a, const int *b, int n),
       int i = blockIdx.x * blockDim.x + threadIdx.x;
       if (i >= n) return; int sum = 0; int *p = &sum; for (int k = 0; k < n; k++) *p += a[k * n + i];
       c[i] = sum + b[i];)

enum { MOST = 41 * 41 * 3 + 4096 };
static int *c, *d, *a, *b;

static bool same(const char *name, int n)
{
    SYNC();
    const bool is = memcmp(c, d, MOST * sizeof *c) == 0;
    if (!is)
        printf("%s, %d\n", name, n);
    memset(c, 0x55, MOST * sizeof *c);
    memset(d, 0x55, MOST * sizeof *d);
    return is;
}

#define BOTH(name, grid, block)                                                                              \
    do {                                                                                                     \
        name<<<grid, block>>>(c, a, b, n);                                                                   \
        name##_on_fibers<<<grid, block>>>(d, a, b, n);                                                       \
        CHECK(same(#name, n));                                                                               \
    } while (0)

static void lines(int n, int threads)
{
    const int blocks = (n + threads - 1) / threads + 1;
    BOTH(columns, blocks, threads);
    BOTH(two_loops, blocks, threads);
    BOTH(all_read_one, blocks, threads);
    BOTH(to_memory, blocks, threads);
    BOTH(constant_vectors, blocks, threads);
    BOTH(own_bound, blocks, threads);
    BOTH(bound_changed, blocks, threads);
    BOTH(ends_early, blocks, threads);
    BOTH(by_memory, blocks, threads);
    BOTH(kept_address, blocks, threads);
    if (threads <= 64)
        BOTH(behind_barrier, blocks, threads);
}

static void planes(int n, dim3 block)
{
    const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y, (3 + block.z - 1) / block.z);
    if (block.z == 1) {
        const dim3 flat(grid.x, grid.y);
        BOTH(product, flat, block);
        BOTH(product_inside, flat, block);
        BOTH(product_across, flat, block);
        BOTH(unguarded, dim3(2, 2), block);
    }
    BOTH(nested, grid, block);
}

int main()
{
    const int sizes[] = {1, 7, 16, 32, 41};
    c = make_managed<int>(MOST);
    d = make_managed<int>(MOST);
    a = make_managed<int>(MOST);
    b = make_managed<int>(MOST);
    for (int i = 0; i < MOST; i++) {
        a[i] = (int)(i * 2654435761u >> 24);
        b[i] = (int)(i * 2246822519u >> 25);
        c[i] = d[i] = 0x55555555;
    }
    for (int n : sizes) {
        for (int threads : {1, 16, 33, 64, 256})
            lines(n, threads);
        for (dim3 block : {dim3(16, 16), dim3(8, 4, 2), dim3(32, 2), dim3(1, 8), dim3(4, 1, 3)})
            planes(n, block);
    }
    constant_vectors<<<1, 1>>>(c, a, b, 1);
    SYNC();
    CHECK(c[0] == (a[0] - (a[0] + 1)) * (b[0] + b[0]) + 1 + 8);
    const int n = 41;
    of_type<<<3, 16>>>(c, a, n);
    SYNC();
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k * n + i];
        CHECK(c[i] == sum);
    }
    return finish();
}
