/*
 * Grid-stride loops, which umcc turns inside out where it may: whatever is written after the kernel's
 * declarations, what comes out is what each thread by itself would have computed. Each kernel is also a host
 * function, run thread after thread.
 */
#include "check.h"
#include <cstdint>
#include <cstring>
#include <utility>

struct place {
    uint3 threadIdx, blockIdx;
    dim3 blockDim, gridDim;
};

/* KERNEL(name, (parameters), body): a __global__ function, and a host function with the same body. */
#define KERNEL(name, parameters, ...)                                                                        \
    __global__ void name parameters __VA_ARGS__ struct name##_on_host : place {                              \
        void run parameters __VA_ARGS__                                                                      \
    };

struct pair {
    int first, second;
};
__device__ __host__ inline int twice(int x)
{
    return 2 * x;
}
__device__ __host__ inline void raise(int &x)
{
    x += 3;
}
struct counter {
    int count;
    __device__ __host__ int next()
    {
        return ++count;
    }
    __device__ __host__ int operator()(int x)
    {
        return x + ++count;
    }
};
struct four {
    int v[4];
    __device__ __host__ int &operator[](int i)
    {
        return v[i];
    }
};
__constant__ int table[4] = {5, 6, 7, 8};
static const int host_table[4] = {5, 6, 7, 8};

#define GID (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL (blockDim.x * gridDim.x)

// ---- what may be rewritten ----
KERNEL(plain_int, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL)
        c[i] = twice(a[i]) + i;
})
KERNEL(plain_size, (int *c, const int *a, size_t n), {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)ALL)
        c[i] += a[i];
})
KERNEL(plain_unsigned, (int *c, const int *a, unsigned n), {
    for (unsigned i = GID; n > i; i = i + ALL) {
        const int twofold = 2 * a[i];
        c[i] = twofold;
    }
})
KERNEL(plain_while, (int *c, const int *a, int n), {
    int i = GID;
    const int stride = ALL;
    while (i < n) {
        c[i] = a[i] - i;
        i += stride;
    }
})
KERNEL(or_equal, (int *c, const int *a, int n), {
    int i = GID, step = ALL;
    for (; i <= n - 1; i += step)
        c[i] = a[i] + step;
})
KERNEL(with_offset, (int *c, const int *a, int n, int offset), {
    for (int i = GID + offset; i < n; i += ALL)
        if (i >= 0)
            c[i] = a[i] * 3;
})
KERNEL(own_step, (int *c, const int *a, int n, int step), {
    for (int i = GID; i < n; i += step)
        c[i] = c[i] * 5 + a[i];
})
KERNEL(deduced, (int *c, const int *a, long n), {
    for (auto i = GID; i < n; i += ALL)
        c[i] = a[i];
})
KERNEL(inner_loops, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        int sum = 0;
        for (int k = 0; k < 10; k++) {
            if (k == 3)
                continue;
            if (k == a[i] % 8)
                break;
            sum += k;
        }
        c[i] = sum;
    }
})
KERNEL(continues, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        if (a[i] % 3 == 0)
            continue;
        c[i] = a[i];
    }
})
KERNEL(indices_inside, (int *c, const int *a, int n), {
    const int lane = threadIdx.x % 32;
    for (int i = GID; i < n; i += ALL)
        c[i] = a[i] + lane * 1000 + blockIdx.x * 100000;
})
KERNEL(accumulates, (int *c, const int *a, int n, int threads), {
    for (int i = GID; i < n; i += ALL)
        c[i % threads] = c[i % threads] * 3 + a[i];
})
KERNEL(accumulates_long, (int *c, const int *a, int n, int threads, int shared), {
    for (int i = GID; i < n; i += ALL)
        c[i % threads] = c[i % threads] * 3 + a[i % shared];
})
KERNEL(reads_behind, (int *c, const int *a, int n, int distance), {
    for (int i = GID; i < n; i += ALL)
        if (i >= distance)
            c[i] = c[i - distance] + a[i];
})
KERNEL(far_away, (int *c, const int *a, size_t n), {
    for (size_t i = GID + (size_t)3000000000u; i < n + 3000000000u; i += ALL)
        c[i - 3000000000u] = a[i - 3000000000u] + 1;
})
KERNEL(of_records, (pair * c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        pair &own = c[i];
        own.first += a[i];
        c[i].second = own.first;
    }
})
KERNEL(plane, (int *c, const int *a, int width, int height), {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += blockDim.y * gridDim.y)
        for (int x = GID; x < width; x += ALL)
            c[y * width + x] = a[y * width + x] + y;
})
KERNEL(flat, (int *c, const int *a, int n), {
    const int in_block = threadIdx.y * blockDim.x + threadIdx.x;
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int per_block = blockDim.x * blockDim.y;
    for (int i = block * per_block + in_block; i < n; i += per_block * gridDim.x * gridDim.y)
        c[i] = a[i] + 7;
})
KERNEL(backwards, (int *c, const int *a, int n, int sign), {
    for (int i = GID * sign + n - 1; i < n; i += ALL * 1000)
        if (i >= 0)
            c[i] = a[i] + 1;
})

// ---- what may not ----
KERNEL(used_after, (int *c, const int *a, int n), {
    int i = GID;
    int last = -1;
    for (; i < n; i += ALL)
        last = a[i];
    if ((int)GID < n)
        c[GID] = last + i;
})
KERNEL(outer_sum, (int *c, const int *a, int n), {
    int sum = 0, turns = 0;
    for (int i = GID; i < n; i += ALL) {
        sum += a[i];
        c[i] = sum + turns++;
    }
})
KERNEL(breaks, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        if (a[i] % 5 == 4)
            break;
        c[i] = 1;
    }
})
KERNEL(returns, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        if (a[i] % 5 == 4)
            return;
        c[i] = 1;
    }
})
KERNEL(skips_the_step, (int *c, const int *a, int n), {
    int i = GID;
    while (i < n) {
        if (c[i] == 0) {
            c[i] = a[i] + 1;
            continue;
        }
        i += ALL;
    }
})
KERNEL(moves_i, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        c[i] = a[i];
        if (a[i] % 2)
            i += ALL;
    }
})
KERNEL(moves_pointer, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        c[GID] += *a;
        a++;
    }
})
KERNEL(changes_limit, (int *c, const int *a, int n), {
    for (int i = GID; i < n; i += ALL) {
        c[i] = a[i];
        n -= 1;
    }
})
KERNEL(changes_through_pointer, (int *c, const int *a, int n), {
    int seen = 0;
    for (int i = GID; i < n; i += ALL) {
        int *p = &seen;
        *p += a[i];
        c[i] = seen;
    }
})
KERNEL(changes_through_reference, (int *c, const int *a, int n), {
    int seen = 0;
    for (int i = GID; i < n; i += ALL) {
        int &r = seen;
        r += a[i];
        c[i] = seen;
    }
})
KERNEL(changes_through_call, (int *c, const int *a, int n), {
    int seen = 0;
    for (int i = GID; i < n; i += ALL) {
        raise(seen);
        c[i] = seen + a[i];
    }
})
KERNEL(changes_through_lambda, (int *c, const int *a, int n), {
    int seen = 0;
    for (int i = GID; i < n; i += ALL) {
        auto more = [&] { seen += a[i]; };
        more();
        c[i] = seen;
    }
})
KERNEL(swaps, (int *c, const int *a, int n, int x, int y), {
    for (int i = GID; i < n; i += ALL) {
        std::swap(x, y);
        c[i] = x + a[i];
    }
})
KERNEL(record_parameter, (int *c, const int *a, int n, pair sums), {
    for (int i = GID; i < n; i += ALL) {
        sums.first += a[i];
        c[i] = sums.first;
    }
})
KERNEL(method, (int *c, const int *a, int n, counter next), {
    for (int i = GID; i < n; i += ALL)
        c[i] = a[i] + next.next();
})
KERNEL(functor, (int *c, const int *a, int n, counter next), {
    for (int i = GID; i < n; i += ALL)
        c[i] = next(a[i]);
})
KERNEL(small_array, (int *c, const int *a, int n, four sums), {
    for (int i = GID; i < n; i += ALL) {
        sums[i % 4] += a[i];
        c[i] = sums[i % 4];
    }
})
KERNEL(two_conditions, (int *c, const int *a, int n, int m), {
    for (int i = GID; i < n && a[i] < m; i += ALL)
        c[i] = a[i];
})
KERNEL(own_chunk, (int *c, const int *a, int n, int chunk), {
    for (int i = GID * chunk; i < (int)(GID + 1) * chunk; i += 1)
        if (i < n)
            c[i] = a[i] + (i > 0 ? c[i - i % chunk] : 0);
})

// ---- with atomics, and a limit that moves: order between threads does not matter, within one it does ----
__device__ int moving_limit;
__global__ void count(int *bins, const int *a, int n)
{
    for (int i = GID; i < n; i += ALL)
        atomicAdd(&bins[a[i] % 16], 1);
}
__global__ void until_enough(int *turns)
{
    for (int i = threadIdx.x; i < moving_limit; i += 32) {
        if (threadIdx.x == 0)
            moving_limit = 100;
        turns[threadIdx.x]++;
    }
}
__global__ void constant_table(int *c, int n)
{
    for (int i = GID; i < n; i += ALL)
        c[i] = table[i & 3];
}
template <class T, int N> __global__ void of_template(T *c, T by, size_t n)
{
    for (size_t i = GID; i < n; i += ALL)
        c[i] = by * N + (T)i;
}

static int *c_here, *a_here, *c_there;
enum { CAPACITY = 60000 };

static void prepare()
{
    for (int i = 0; i < CAPACITY; i++) {
        c_here[i] = c_there[i] = i % 3 - 1;
        a_here[i] = (i * 7919) % 1013;
    }
}

template <class Host, class... A> static void on_host(dim3 grid, dim3 block, A... arguments)
{
    Host h;
    h.gridDim = grid;
    h.blockDim = block;
    for (unsigned b = 0; b < grid.x * grid.y; b++)
        for (unsigned t = 0; t < block.x * block.y; t++) {
            h.blockIdx = uint3{b % grid.x, b / grid.x, 0};
            h.threadIdx = uint3{t % block.x, t / block.x, 0};
            h.run(arguments...);
        }
}

static void compare(const char *name, dim3 grid, dim3 block)
{
    SYNC();
    for (int i = 0; i < CAPACITY; i++)
        if (c_here[i] != c_there[i]) {
            printf("%s<<<(%u, %u), (%u, %u)>>>: c[%d] is %d, not %d\n", name, grid.x, grid.y, block.x,
                   block.y, i, c_there[i], c_here[i]);
            failures++;
            return;
        }
}

#define TRY(name, grid, block, ...)                                                                          \
    do {                                                                                                     \
        prepare();                                                                                           \
        name<<<grid, block>>>(c_there, a_here, __VA_ARGS__);                                                 \
        on_host<name##_on_host>(grid, block, c_here, a_here, __VA_ARGS__);                                   \
        compare(#name, grid, block);                                                                         \
    } while (0)

static void vectors(dim3 grid, dim3 block, int n)
{
    TRY(plain_int, grid, block, n);
    TRY(plain_size, grid, block, (size_t)(n < 0 ? 0 : n));
    TRY(plain_unsigned, grid, block, (unsigned)(n < 0 ? 0 : n));
    TRY(plain_while, grid, block, n);
    TRY(or_equal, grid, block, n);
    TRY(with_offset, grid, block, n, 5);
    TRY(with_offset, grid, block, n, -5);
    TRY(own_step, grid, block, n, (int)(grid.x * block.x) * 2);
    TRY(own_step, grid, block, n, (int)(grid.x * block.x) + 3);
    TRY(deduced, grid, block, (long)n);
    TRY(inner_loops, grid, block, n);
    TRY(continues, grid, block, n);
    TRY(indices_inside, grid, block, n);
    TRY(accumulates, grid, block, n, (int)(grid.x * block.x));
    TRY(reads_behind, grid, block, n, (int)(grid.x * block.x));
    TRY(far_away, grid, block, (size_t)(n < 0 ? 0 : n));
    TRY(backwards, grid, block, n, -1);
    TRY(used_after, grid, block, n);
    TRY(outer_sum, grid, block, n);
    TRY(breaks, grid, block, n);
    TRY(returns, grid, block, n);
    TRY(skips_the_step, grid, block, n);
    TRY(moves_i, grid, block, n);
    TRY(moves_pointer, grid, block, n);
    TRY(changes_limit, grid, block, n);
    TRY(changes_through_pointer, grid, block, n);
    TRY(changes_through_reference, grid, block, n);
    TRY(changes_through_call, grid, block, n);
    TRY(changes_through_lambda, grid, block, n);
    TRY(swaps, grid, block, n, 1, 2);
    TRY(record_parameter, grid, block, n, (pair{1, 2}));
    TRY(method, grid, block, n, counter{3});
    TRY(functor, grid, block, n, counter{3});
    TRY(small_array, grid, block, n, (four{{1, 2, 3, 4}}));
    TRY(two_conditions, grid, block, n, 900);
    TRY(own_chunk, grid, block, n, 9);
}

/* c begins one turn behind a: what a turn reads, the thread's turn before has written. */
static void overlaps(dim3 grid, dim3 block)
{
    const int threads = (int)(grid.x * block.x), n = 20000;
    prepare();
    plain_int<<<grid, block>>>(c_there + threads, c_there, n);
    on_host<plain_int_on_host>(grid, block, c_here + threads, c_here, n);
    compare("plain_int, overlapping", grid, block);
    prepare();
    plain_int<<<grid, block>>>(c_there, c_there, n);
    on_host<plain_int_on_host>(grid, block, c_here, c_here, n);
    compare("plain_int, in place", grid, block);
    prepare();
    of_records<<<grid, block>>>((pair *)c_there, a_here, n);
    on_host<of_records_on_host>(grid, block, (pair *)c_here, a_here, n);
    compare("of_records", grid, block);
}

static void others()
{
    int *bins = make_managed<int>(64);
    prepare();
    count<<<7, 96>>>(bins, a_here, 50000);
    SYNC();
    for (int i = 0; i < 50000; i++)
        bins[a_here[i] % 16]--;
    for (int i = 0; i < 16; i++)
        CHECK(bins[i] == 0);
    int limit = 1;
    CHECK(cudaMemcpyToSymbol(moving_limit, &limit, sizeof limit) == cudaSuccess);
    until_enough<<<1, 32>>>(bins);
    SYNC();
    CHECK(bins[0] == 4); /* 0, and 32, 64, 96 once the limit is 100 */
    prepare();
    constant_table<<<3, 64>>>(c_there, 1000);
    SYNC();
    for (int i = 0; i < 1000; i++)
        CHECK(c_there[i] == host_table[i & 3]);
    of_template<int, 3><<<3, 64>>>(c_there, 5, 1000);
    SYNC();
    for (int i = 0; i < 1000; i++)
        CHECK(c_there[i] == 15 + i);
}

int main()
{
    c_here = make_managed<int>(CAPACITY);
    c_there = make_managed<int>(CAPACITY);
    a_here = make_managed<int>(CAPACITY);
    const int sizes[] = {50000, 1000, 1, 0, -7};
    for (int n : sizes) {
        vectors(dim3(4), dim3(64), n);
        vectors(dim3(1), dim3(1), n < 5000 ? n : 5000);
        vectors(dim3(5), dim3(33), n);
    }
    vectors(dim3(40), dim3(256), 30000);
    vectors(dim3(40), dim3(256), 700);
    overlaps(dim3(4), dim3(64));
    overlaps(dim3(3), dim3(1));
    TRY(plane, dim3(2, 3), dim3(16, 4), 100, 90);
    TRY(plane, dim3(1, 1), dim3(8, 8), 13, 17);
    TRY(flat, dim3(2, 3), dim3(16, 4), 9000);
    TRY(flat, dim3(3, 2), dim3(32, 2), 100);
    for (int i = 0; i < 5;
         i++) /* long enough for all workers: turns of a thread stay in order all the same */
        TRY(accumulates_long, dim3(64), dim3(128), 3000000, 64 * 128, (int)CAPACITY);
    others();
    return finish();
}
