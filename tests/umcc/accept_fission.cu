/*
 * Kernels with barriers, which umcc cuts into loops over threads where it may: each is compiled a second time
 * with a warp's barrier in front, which leaves its threads to fibers, and both have to come to the same.
 */
#include "check.h"
#include <cstdint>
#include <cstring>
#include <utility>

/* KERNEL(name, (parameters), body): two kernels, the second one with fibers. */
#define KERNEL(name, parameters, ...)                                                                        \
    __global__ void name parameters{__VA_ARGS__} __global__ void name##_on_fibers parameters                 \
    {                                                                                                        \
        __syncwarp();                                                                                        \
        __VA_ARGS__                                                                                          \
    }

struct pair {
    int first, second;
};
__device__ void raise(int &x)
{
    x += 3;
}
__device__ void in_order(int &x, int &y, bool up)
{
    if ((x > y) == up)
        std::swap(x, y);
}
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int whose()
{
    return threadIdx.x * 3 + blockIdx.x;
}
__device__ int total;
enum { TILE = 8, MOST = 256 };

// ---- what is cut ----
KERNEL(
    reduce, (int *c, const int *a, int n), __shared__ int part[MOST]; const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x + t; part[t] = (int)i < n ? a[i] : 0; __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    } if (t == 0) c[blockIdx.x] = part[0];)
KERNEL(
    reduce_while, (int *c, const int *a, int n), __shared__ int part[MOST];
    int tid = threadIdx.x + blockIdx.x * blockDim.x; int index = threadIdx.x; int sum = 0; while (tid < n) {
        sum += a[tid];
        tid += blockDim.x * gridDim.x;
    } part[index] = sum;
    __syncthreads(); int i = blockDim.x / 2; while (i != 0) {
        if (index < i)
            part[index] += part[index + i];
        __syncthreads();
        i /= 2;
    } if (index == 0) c[blockIdx.x] = part[0];)
KERNEL(
    product, (int *c, const int *a, int n), __shared__ int left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y; int row = blockIdx.y * TILE + y; int column = blockIdx.x * TILE + x;
    int sum = 0; for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
        left[y][x] = row < n && t * TILE + x < n ? a[row * n + t * TILE + x] : 0;
        right[y][x] = column < n && t * TILE + y < n ? a[(t * TILE + y) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            if (k == 5)
                continue;
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
    } if (row < n && column < n) c[row * n + column] = sum;)
KERNEL(
    scan, (int *c, const int *a, int n), extern __shared__ int both[]; int t = threadIdx.x;
    int out = 0, in = 1; both[out * blockDim.x + t] = t < n ? a[t] : 0; __syncthreads();
    for (int offset = 1; offset < (int)blockDim.x; offset *= 2) {
        out = 1 - out;
        in = 1 - out;
        if (t >= offset)
            both[out * blockDim.x + t] = both[in * blockDim.x + t] + both[in * blockDim.x + t - offset];
        else
            both[out * blockDim.x + t] = both[in * blockDim.x + t];
        __syncthreads();
    } if (t < n) c[blockIdx.x * blockDim.x + t] = both[out * blockDim.x + t] + (int)blockIdx.x;)
KERNEL(keeps, (int *c, const int *a, int n), __shared__ int s[MOST]; const int t = threadIdx.x;
       int acc[3] = {t, 2, 3}; pair both = {t, a[t % n]}; const int *from = a + t;
       long wide = t * 1000000007L; const int once = a[(t + 1) % n]; s[t] = acc[0]; __syncthreads();
       acc[1] += s[(t + 1) % blockDim.x]; both.second += acc[1]; from += 2; wide += *from; __syncthreads();
       s[t] = twice(acc[1]) + both.second + once; raise(both.first); __syncthreads();
       c[blockIdx.x * blockDim.x + t] = s[(t + 3) % blockDim.x] + acc[0] + acc[2] + both.first +
                                        (int)(wide % 1009) + *from;)
KERNEL(
    advances, (int *c, const int *a, int n), a += blockIdx.x * 2; c += blockIdx.x * blockDim.x;
    __shared__ int s[MOST]; for (int step = 0; step < n; step += TILE) {
        s[threadIdx.x] = a[threadIdx.x];
        __syncthreads();
        c[threadIdx.x] += s[blockDim.x - 1 - threadIdx.x] * (step + 1);
        a += TILE;
        __syncthreads();
    })
KERNEL(
    conditions, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x; s[t] = a[t];
    __syncthreads(); if (blockDim.x >= 64) {
        if (t < 32)
            s[t] += s[t + 32];
        __syncthreads();
    } else {
        if (t > 0)
            s[0] = 5;
        __syncthreads();
    } if (n > 3 && blockIdx.x % 2 == 0) { s[t] *= 2; } __syncthreads();
    c[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];)
KERNEL(
    nested, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 3; i++) {
        int first = sum + i;
        for (int j = i; j < 4; j++) {
            s[t] = a[(t + j) % n] + first;
            __syncthreads();
            int other = s[(t + 1) % blockDim.x];
            __syncthreads();
            sum += other * j;
        }
        sum ^= first;
    } c[blockIdx.x * blockDim.x + t] = sum;)
KERNEL(needs_thread_index, (int *c, const int *a, int n), __shared__ int s[MOST];
       s[threadIdx.x] = whose() + a[0]; __syncthreads();
       c[blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x] + whose() + n;)
KERNEL(shared_scalar, (int *c, const int *a, int n), __shared__ int best; if (threadIdx.x == 0) best = n;
       __syncthreads(); atomicMin(&best, a[threadIdx.x]); __syncthreads(); int half = best / 2;
       c[blockIdx.x * blockDim.x + threadIdx.x] = half + best;)
KERNEL(large_values, (int *c, const int *a, int n), __shared__ int s[MOST]; int many[40]; int t = threadIdx.x;
       for (int k = 0; k < 40; k++) many[k] = a[(t + k) % n]; s[t] = many[7]; __syncthreads();
       for (int k = 0; k < 40; k++) many[k] += s[k % blockDim.x]; __syncthreads(); int sum = 0;
       for (int k = 0; k < 40; k++) sum = sum * 3 + many[k]; c[blockIdx.x * blockDim.x + t] = sum;)
KERNEL(
    loop_variable_outside, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x; int i;
    int before = t; for (i = 0; i < 4; i++) {
        int place = t + i;
        s[t] = a[place % n];
        __syncthreads();
        before += s[(place + 1) % blockDim.x];
        __syncthreads();
    } c[blockIdx.x * blockDim.x + t] = before + i;)

KERNEL(
    leaves_together, (int *c, const int *a, int n), __shared__ int s[MOST];
    const int row = blockIdx.x, t = threadIdx.x; if (row % 3 == n % 3) return;
    const int *line = a + row * n % 100; s[t] = line[t]; __syncthreads();
    if (row > 30) { return; } __syncthreads(); c[row * blockDim.x + t] = s[blockDim.x - 1 - t] + row;)
KERNEL(
    same_names, (int *c, const int *a, int n), __shared__ int s[2 * MOST]; int t = threadIdx.x, offset = 1;
    s[2 * t] = a[2 * t]; s[2 * t + 1] = a[2 * t + 1]; for (int d = blockDim.x; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d && offset * (2 * t + 2) - 1 < 2 * (int)blockDim.x)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    } for (int d = 1; d < (int)blockDim.x; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t % (2 * d) == 0)
            s[t] += offset;
    } __syncthreads();
    c[blockIdx.x * blockDim.x + t] = s[t] + s[t + blockDim.x] + n;)
KERNEL(
    sorts, (int *c, const int *a, int n), __shared__ int s[2 * MOST]; int t = threadIdx.x;
    for (int i = t; i < 2 * MOST; i += blockDim.x) s[i] = a[i] + n;
    for (unsigned size = 2; size <= blockDim.x; size <<= 1) {
        bool up = (t & (size / 2)) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * t - (t & (stride - 1));
            in_order(s[pos], s[pos + stride], up);
        }
    } __syncthreads();
    c[blockIdx.x * blockDim.x + t] = s[t] - s[t + MOST] % 7;)

// ---- what keeps its fibers: heads that differ between threads, threads that leave, hidden barriers ----
KERNEL(
    thread_condition, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x;
    int turns = t < 1000 ? 3 : n; for (int i = 0; i < turns; i++) {
        s[t] = a[t] + i;
        __syncthreads();
        c[blockIdx.x * blockDim.x + t] += s[(t + 1) % blockDim.x];
        __syncthreads();
    })
KERNEL(
    from_memory, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x;
    int turns = a[0] % 3 + n % 2 + 1; for (int i = 0; i < turns; i++) {
        s[t] = a[t] + i;
        __syncthreads();
        c[blockIdx.x * blockDim.x + t] += s[(t + 1) % blockDim.x];
        __syncthreads();
    })
KERNEL(leaves, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x; s[t] = a[t];
       __syncthreads(); if (t >= n) return; c[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];)
/* Who has left makes no part behind; that is noted anew in each block. */
KERNEL(
    leave_in_turn, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x, sum = 0;
    s[t] = a[t] + blockIdx.x; __syncthreads(); for (int i = 0; i < 8; i++) {
        int next = s[(t + 1) % blockDim.x];
        __syncthreads();
        if (t == (i + (int)blockIdx.x) * 3 % n) {
            return;
        }
        s[t] = next + 1;
        sum += next;
        __syncthreads();
    } c[blockIdx.x * blockDim.x + t] = sum;
    if (sum % 3 == 0) return; c[blockIdx.x * blockDim.x + t] += 1000; __syncthreads();
    c[blockIdx.x * blockDim.x + t] += s[t];)
KERNEL(
    changes_the_bound, (int *c, const int *a, int n), __shared__ int s[MOST]; int t = threadIdx.x;
    int bound = n % 4; if (t < 0) bound = 1; for (int i = 0; i < bound; i++) {
        s[t] = a[t] + i;
        __syncthreads();
        c[blockIdx.x * blockDim.x + t] += s[(t + 1) % blockDim.x];
        __syncthreads();
    })
KERNEL(changes_a_parameter, (int *c, const int *a, int n), __shared__ int s[MOST]; n += threadIdx.x;
       s[threadIdx.x] = n; __syncthreads();
       c[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + n + a[0];)
KERNEL(
    by_reference, (int *c, const int *a, int n), __shared__ int s[MOST]; int bound = n % 3;
    int &alias = bound; alias += 1; for (int i = 0; i < bound; i++) {
        s[threadIdx.x] = a[threadIdx.x] + i;
        __syncthreads();
        c[blockIdx.x * blockDim.x + threadIdx.x] += s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    })
KERNEL(
    by_lambda, (int *c, const int *a, int n), __shared__ int s[MOST]; int bound = n % 3;
    auto more = [&] { bound++; }; more(); for (int i = 0; i < bound; i++) {
        s[threadIdx.x] = a[threadIdx.x] + i;
        __syncthreads();
        c[blockIdx.x * blockDim.x + threadIdx.x] += s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    })

template <class T, unsigned Threads> __global__ void of_template(T *c, const T *a)
{
    __shared__ T s[Threads];
    const unsigned t = threadIdx.x;
    T mine = a[t];
    s[t] = mine;
    __syncthreads();
    if (Threads >= 64) {
        if (t < 32)
            s[t] += s[t + 32];
        __syncthreads();
    }
    c[t] = s[Threads - 1 - t] + mine;
}
__global__ void counts_blocks(int *c)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = atomicAdd(&total, 1);
    __syncthreads();
    c[s] = blockDim.x;
}

enum { CAPACITY = 70000 };
static int *a, *c_loops, *c_fibers;

static void prepare()
{
    for (int i = 0; i < CAPACITY; i++) {
        c_loops[i] = c_fibers[i] = i % 5;
        a[i] = (i * 7919) % 1013 + 1;
    }
}

static void compare(const char *name, dim3 grid, dim3 block)
{
    SYNC();
    for (int i = 0; i < CAPACITY; i++)
        if (c_loops[i] != c_fibers[i]) {
            printf("%s<<<(%u, %u), (%u, %u)>>>: c[%d] is %d, with fibers %d\n", name, grid.x, grid.y, block.x,
                   block.y, i, c_loops[i], c_fibers[i]);
            failures++;
            return;
        }
}

#define TRY(name, grid, block, ...)                                                                          \
    do {                                                                                                     \
        prepare();                                                                                           \
        name<<<grid, block, 4096>>>(c_loops, a, __VA_ARGS__);                                                \
        name##_on_fibers<<<grid, block, 4096>>>(c_fibers, a, __VA_ARGS__);                                   \
        compare(#name, grid, block);                                                                         \
    } while (0)

static void lines(unsigned blocks, unsigned threads, int n)
{
    TRY(reduce, blocks, threads, n);
    TRY(reduce_while, blocks, threads, n);
    TRY(scan, blocks, threads, n);
    TRY(keeps, blocks, threads, n);
    TRY(advances, blocks, threads, n % 40);
    TRY(conditions, blocks, threads, n);
    TRY(nested, blocks, threads, n);
    TRY(needs_thread_index, blocks, threads, n);
    TRY(shared_scalar, blocks, threads, n);
    TRY(large_values, blocks, threads, n);
    TRY(loop_variable_outside, blocks, threads, n);
    TRY(leaves_together, blocks, threads, n);
    TRY(same_names, blocks, threads, n);
    TRY(sorts, blocks, threads, n);
    TRY(thread_condition, blocks, threads, n);
    TRY(from_memory, blocks, threads, n);
    TRY(leaves, blocks, threads, n);
    TRY(leave_in_turn, blocks, threads, n);
    TRY(changes_the_bound, blocks, threads, n);
    TRY(changes_a_parameter, blocks, threads, n);
    TRY(by_reference, blocks, threads, n);
    TRY(by_lambda, blocks, threads, n);
}

int main()
{
    a = make_managed<int>(CAPACITY);
    c_loops = make_managed<int>(CAPACITY);
    c_fibers = make_managed<int>(CAPACITY);
    lines(1, 1, 5);
    lines(5, 33, 100);
    lines(7, 64, 300);
    lines(40, 256, 9001);
    TRY(product, dim3(3, 3), dim3(TILE, TILE), 20);
    TRY(product, dim3(4, 4), dim3(TILE, TILE), 32);
    prepare();
    of_template<int, 64><<<1, 64>>>(c_loops, a);
    SYNC();
    for (int t = 0; t < 64; t++)
        CHECK(c_loops[t] == a[63 - t] + (63 - t < 32 ? a[95 - t] : 0) + a[t]);
    counts_blocks<<<100, 32>>>(c_loops);
    SYNC();
    for (int i = 0; i < 100; i++)
        CHECK(c_loops[i] == 32);
    return finish();
}
