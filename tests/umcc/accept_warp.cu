/*
 * Warp operations against plain computations: shuffles of all types and widths, votes, matches, reductions;
 * blocks that end inside a warp, blocks of two dimensions, lanes that have ended, lanes in different
 * branches.
 */
#include "check.h"

/* What hardware does, said once more and by the manual's words: see check_shuffles(). */
enum shuffle { IDX, UP, DOWN, XOR, SHUFFLES };

template <class T> __global__ void shuffles(T *out, const T *in, int by, int width)
{
    const int i = threadIdx.x;
    out[4 * i + IDX] = __shfl_sync(0xffffffff, in[i], by, width);
    out[4 * i + UP] = __shfl_up_sync(0xffffffff, in[i], by, width);
    out[4 * i + DOWN] = __shfl_down_sync(0xffffffff, in[i], by, width);
    out[4 * i + XOR] = __shfl_xor_sync(0xffffffff, in[i], by, width);
}

static int expected_source(int kind, int lane, int by, int width)
{
    const int first = lane / width * width, last = first + width - 1;
    switch (kind) {
    case IDX:
        return first + by % width;
    case UP:
        return lane - by >= first ? lane - by : lane;
    case DOWN:
        return lane + by <= last ? lane + by : lane;
    default:
        return (lane ^ by) <= last ? lane ^ by : lane;
    }
}

template <class T> static void check_shuffles()
{
    T *in = make_managed<T>(64), *out = make_managed<T>(4 * 64);
    for (int i = 0; i < 64; i++)
        in[i] = (T)(i * 1.25) * (T)3;
    for (int width = 1; width <= 32; width *= 2)
        for (int by = 0; by < 32; by += 1 + by / 4) {
            shuffles<<<1, 64>>>(out, in, by, width);
            SYNC();
            int wrong = 0;
            for (int i = 0; i < 64; i++)
                for (int kind = 0; kind < SHUFFLES; kind++)
                    wrong += out[4 * i + kind] != in[i / 32 * 32 + expected_source(kind, i % 32, by, width)];
            CHECK(wrong == 0);
        }
    cudaFree(in);
    cudaFree(out);
}

__global__ void votes(unsigned *out, const int *in)
{
    const int i = threadIdx.x;
    out[8 * i] = __all_sync(0xffffffff, in[i] > 0);
    out[8 * i + 1] = __any_sync(0xffffffff, in[i] > 40);
    out[8 * i + 2] = __ballot_sync(0xffffffff, in[i] % 3 == 0 ? 4 : 0);
    out[8 * i + 3] = __match_any_sync(0xffffffff, in[i] / 10);
    int all;
    out[8 * i + 4] = __match_all_sync(0xffffffff, (double)(in[i] / 64), &all);
    out[8 * i + 5] = all;
    out[8 * i + 6] = __match_all_sync(0xffffffff, in[i], &all);
    out[8 * i + 7] = all;
}

/* A block of 40: its second warp has 8 lanes, and nobody waits for the others. */
static void check_votes()
{
    int *in = make_managed<int>(40);
    unsigned *out = make_managed<unsigned>(8 * 40);
    for (int i = 0; i < 40; i++)
        in[i] = i * 7 % 45;
    votes<<<1, 40>>>(out, in);
    SYNC();
    for (int warp = 0; warp < 2; warp++) {
        const int first = 32 * warp, last = warp ? 40 : 32;
        unsigned want[8] = {1, 0, 0, 0, 0, 1, 0, 0};
        for (int i = first; i < last; i++) {
            want[0] &= in[i] > 0;
            want[1] |= in[i] > 40;
            want[2] |= (unsigned)(in[i] % 3 == 0) << (i - first);
            want[4] |= 1u << (i - first);
        }
        for (int i = first; i < last; i++) {
            want[3] = 0;
            for (int j = first; j < last; j++)
                want[3] |= (unsigned)(in[i] / 10 == in[j] / 10) << (j - first);
            for (int k = 0; k < 8; k++)
                CHECK(out[8 * i + k] == want[k]);
        }
    }
    cudaFree(in);
    cudaFree(out);
}

__global__ void reductions(int *out, const int *in)
{
    const int i = threadIdx.x;
    const unsigned mask = i % 32 < 10 ? 0x3ff : 0xfffffc00;
    int *mine = out + 9 * i;
    mine[0] = __reduce_add_sync(mask, in[i]);
    mine[1] = __reduce_min_sync(mask, in[i]);
    mine[2] = __reduce_max_sync(mask, in[i]);
    mine[3] = (int)__reduce_add_sync(mask, (unsigned)in[i]);
    mine[4] = (int)__reduce_min_sync(mask, (unsigned)in[i]);
    mine[5] = (int)__reduce_max_sync(mask, (unsigned)in[i]);
    mine[6] = (int)__reduce_and_sync(mask, (unsigned)in[i]);
    mine[7] = (int)__reduce_or_sync(mask, (unsigned)in[i]);
    mine[8] = (int)__reduce_xor_sync(mask, (unsigned)in[i]);
}

static void check_reductions()
{
    int *in = make_managed<int>(64), *out = make_managed<int>(9 * 64);
    for (int i = 0; i < 64; i++)
        in[i] = (i * 37 % 64 - 30) * 1000003;
    reductions<<<1, 64>>>(out, in);
    SYNC();
    for (int part = 0; part < 4; part++) {
        const int first = part / 2 * 32 + part % 2 * 10, last = part / 2 * 32 + (part % 2 ? 32 : 10);
        unsigned add = 0, low = ~0u, high = 0, and_ = ~0u, or_ = 0, xor_ = 0;
        int least = in[first], most = in[first];
        for (int i = first; i < last; i++) {
            const unsigned u = (unsigned)in[i];
            add += u, and_ &= u, or_ |= u, xor_ ^= u;
            low = u < low ? u : low, high = u > high ? u : high;
            least = in[i] < least ? in[i] : least, most = in[i] > most ? in[i] : most;
        }
        const int want[9] = {(int)add,  least,     most,     (int)add, (int)low,
                             (int)high, (int)and_, (int)or_, (int)xor_};
        for (int i = first; i < last; i++)
            for (int k = 0; k < 9; k++)
                CHECK(out[9 * i + k] == want[k]);
    }
    cudaFree(in);
    cudaFree(out);
}

/* Warps run over linear thread numbers: 20 x 5 threads are four warps, the last of four lanes. */
__global__ void plane(int *out)
{
    const int linear = threadIdx.y * blockDim.x + threadIdx.x;
    out[linear] =
        __shfl_sync(0xffffffff, linear, 0) * 1000 + __shfl_down_sync(0xffffffff, (int)threadIdx.y, 1);
}

static void check_plane()
{
    int *out = make_managed<int>(100);
    plane<<<1, dim3(20, 5)>>>(out);
    SYNC();
    for (int i = 0; i < 100; i++)
        if (i != 99)
            CHECK(out[i] == i / 32 * 32 * 1000 + (i % 32 == 31 ? i : i + 1) / 20);
    cudaFree(out);
}

/* Branches with shuffles of their own, lanes that end early, masks that overlap one after the other. */
__global__ void branches(int *out, int n)
{
    const int i = threadIdx.x, lane = i % 32;
    if (i >= n)
        return;
    int v = i;
    if (lane < 16) {
        for (int by = 8; by > 0; by /= 2)
            v += __shfl_down_sync(0xffff, v, by, 16);
    } else if (lane < 24) {
        v = __shfl_xor_sync(0xff0000, v, 1) + (int)__ballot_sync(0xff0000, lane & 1);
    }
    __syncwarp();
    if (lane % 2 == 0)
        v += __shfl_sync(0x55555555, v, 2);
    __syncthreads();
    if (lane < 2)
        v += __popc(__ballot_sync(3, 1));
    if (lane == 1 || lane == 2)
        v += 100 * __popc(__ballot_sync(6, 1));
    out[i] = v;
}

static void check_branches(int n)
{
    int *out = make_managed<int>(96);
    branches<<<1, 96>>>(out, n);
    SYNC();
    for (int i = 0; i < n; i++) {
        const int lane = i % 32, first = i - lane;
        if (lane != 0)
            continue;
        int v[32];
        for (int l = 0; l < 32; l++)
            v[l] = first + l;
        for (int by = 8; by > 0; by /= 2) {
            int next[16];
            for (int l = 0; l < 16; l++)
                next[l] = v[l] + (l + by < 16 ? v[l + by] : v[l]);
            for (int l = 0; l < 16; l++)
                v[l] = next[l];
        }
        for (int l = 16; l < 24; l++)
            v[l] = first + (l ^ 1) + 0xaa0000;
        const int two = v[2];
        for (int l = 0; l < 32; l += 2)
            v[l] += two;
        v[0] += 2, v[1] += 2 + 200, v[2] += 200;
        for (int l = 0; l < 32 && first + l < n; l++)
            CHECK(out[first + l] == v[l]);
    }
    cudaFree(out);
}

/* Of the lanes that come to one call, one adds for all: each gets a place of its own. */
__device__ __forceinline__ int take_place(int *next)
{
    const unsigned mask = __activemask(), lane = threadIdx.x % 32;
    const int leader = __ffs((int)mask) - 1;
    int first = 0;
    if ((int)lane == leader)
        first = atomicAdd(next, __popc(mask));
    return __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
}
__global__ void filter(int *kept, int *next, int *rest, int *next_rest, const int *in, int *groups)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 3 == 0)
        kept[take_place(next)] = in[i];
    else
        rest[take_place(next_rest)] = in[i];
    if (threadIdx.x % 32 < 5)
        groups[i] = (int)__activemask();
}

static void check_active()
{
    const int n = 1024;
    int *in = make_managed<int>(n), *kept = make_managed<int>(n), *rest = make_managed<int>(n);
    int *next = make_managed<int>(2), *groups = make_managed<int>(n);
    int multiples = 0;
    for (int i = 0; i < n; i++)
        multiples += (in[i] = i * 5 % 1000 + 1) % 3 == 0;
    filter<<<8, 128>>>(kept, next, rest, next + 1, in, groups);
    SYNC();
    CHECK(next[0] == multiples && next[1] == n - multiples);
    int wrong = 0;
    long long sum = 0;
    for (int i = 0; i < next[0]; i++)
        wrong += kept[i] % 3 != 0, sum += kept[i];
    for (int i = 0; i < next[1]; i++)
        wrong += rest[i] % 3 == 0, sum += rest[i];
    for (int i = 0; i < n; i++)
        wrong += i % 32 < 5 && (groups[i] >> i % 32 & 1) == 0, sum -= in[i];
    CHECK(wrong == 0 && sum == 0);
    int *const all[] = {in, kept, rest, next, groups};
    for (int *p : all)
        cudaFree(p);
}

/* The whole block's sum, as courses have it: shuffles, then shared memory, then the first warp. */
__global__ void block_sum(const float *in, float *out, int n)
{
    __shared__ float sums[32];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    for (int by = warpSize / 2; by > 0; by /= 2)
        v += __shfl_down_sync(0xffffffff, v, by);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int by = 16; by > 0; by /= 2)
            v += __shfl_xor_sync(0xffffffff, v, by);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}

static void check_block_sum()
{
    const int n = 100000;
    float *in = make_managed<float>(n), *out = make_managed<float>(1);
    for (int i = 0; i < n; i++)
        in[i] = (float)(i % 8);
    block_sum<<<20, 256>>>(in, out, n);
    SYNC();
    CHECK(*out == 350000);
    cudaFree(in);
    cudaFree(out);
}

/* A lane waits for what another lane of its warp does later. */
__global__ void wait_for_flag(volatile int *flag, int *seen)
{
    if (threadIdx.x == 0) {
        while (*flag == 0)
            __nanosleep(20);
        *seen = *flag;
    } else if (threadIdx.x == 63) {
        *flag = 5;
    }
}

__global__ void find_bits(unsigned *out)
{
    out[0] = __fns(0xf0u, 0, 2);
    out[1] = __fns(0xf0u, 31, -1);
    out[2] = __fns(0xf0u, 4, 0);
    out[3] = __fns(0xf0u, 5, 0x7);
}

int main()
{
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<long>();
    check_shuffles<unsigned long long>();
    check_shuffles<float>();
    check_shuffles<double>();
    check_votes();
    check_reductions();
    check_plane();
    check_branches(96);
    check_branches(64 + 24);
    check_active();
    check_block_sum();
    int *flag = make_managed<int>(2);
    wait_for_flag<<<1, 64>>>(flag, flag + 1);
    SYNC();
    CHECK(flag[1] == 5);
    unsigned *bits = make_managed<unsigned>(4);
    find_bits<<<1, 1>>>(bits);
    SYNC();
    CHECK(bits[0] == 5 && bits[1] == 7 && bits[2] == 4 && bits[3] == 0xffffffff);
    return finish();
}
