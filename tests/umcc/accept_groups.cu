/*
 * Cooperative groups against plain computations: blocks, tiles and parts of them, coalesced threads,
 * reductions and scans; functions that take any group.
 */
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/* The sum over a group by its memory, as NVIDIA's introduction to the groups does it for any of them. */
__device__ int sum_of(cg::thread_group group, int *shared, int value)
{
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        shared[rank] = value;
        group.sync();
        if (rank < half)
            value += shared[rank + half];
        group.sync();
    }
    return value;
}

__global__ void any_group(int *out, const int *in)
{
    __shared__ int shared[64];
    cg::thread_block block = cg::this_thread_block();
    const unsigned i = block.thread_rank();
    const int all = sum_of(block, shared, in[i]);
    block.sync();
    cg::thread_group eight = cg::tiled_partition(block, 8), four = cg::tiled_partition(eight, 4);
    const int some = sum_of(four, shared + i / 4 * 4, in[i]);
    if (i == 0)
        out[64] = all;
    out[i] = four.thread_rank() == 0 ? some : 0;
}

static void check_any_group()
{
    int *in = make_managed<int>(64), *out = make_managed<int>(65), sum = 0;
    for (int i = 0; i < 64; i++)
        sum += in[i] = i * i % 50;
    any_group<<<1, dim3(16, 4)>>>(out, in);
    SYNC();
    CHECK(out[64] == sum);
    for (int i = 0; i < 64; i += 4)
        CHECK(out[i] == in[i] + in[i + 1] + in[i + 2] + in[i + 3]);
    cudaFree(in);
    cudaFree(out);
}

struct pair {
    double a;
    int b[3];
};

template <unsigned Size> __global__ void tiles(int *out, const int *in)
{
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const int i = cg::this_thread_block().thread_rank();
    int *mine = out + 16 * i;
    mine[0] = tile.thread_rank();
    mine[1] = tile.meta_group_rank();
    mine[2] = tile.meta_group_size() * 1000 + tile.size() + tile.num_threads();
    mine[3] = tile.shfl(in[i], Size - 1);
    mine[4] = tile.shfl_up(in[i], 3);
    mine[5] = tile.shfl_down(in[i], 3);
    mine[6] = tile.shfl_xor(in[i], Size / 2);
    mine[7] = tile.any(in[i] > 90) * 2 + tile.all(in[i] > 5);
    mine[8] = tile.ballot(in[i] % 2);
    mine[9] = tile.match_any(in[i] % 4);
    int all;
    mine[10] = tile.match_all(in[i] / 100, all) + all;
    mine[11] = cg::reduce(tile, in[i], cg::plus<int>());
    mine[12] = cg::reduce(tile, in[i], cg::less<int>()) * 1000 + cg::reduce(tile, in[i], cg::greater<int>());
    mine[13] = cg::inclusive_scan(tile, in[i]);
    mine[14] = cg::exclusive_scan(tile, in[i], cg::plus<int>());
    pair p = {i * 0.5, {i, i + 1, i + 2}};
    p = tile.shfl(p, 0);
    mine[15] = (int)(p.a * 2) + p.b[0] + p.b[1] + p.b[2];
    tile.sync();
}

template <unsigned Size> static void check_tiles()
{
    const int n = 96, size = Size;
    int *in = make_managed<int>(n), *out = make_managed<int>(16 * n);
    for (int i = 0; i < n; i++)
        in[i] = i * 29 % 97;
    tiles<Size><<<1, dim3(12, 8)>>>(out, in);
    SYNC();
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        const int first = i / size * size, rank = i - first;
        int want[16] = {rank, i / size, n / size * 1000 + 2 * size, in[first + size - 1]};
        want[4] = rank >= 3 ? in[i - 3] : in[i];
        want[5] = rank + 3 < size ? in[i + 3] : in[i];
        want[6] = in[first + (rank ^ size / 2) % size];
        int any = 0, all = 1, sum = 0, least = in[first], most = in[first];
        for (int k = 0; k < size; k++) {
            const int v = in[first + k];
            any |= v > 90, all &= v > 5, sum += v;
            least = v < least ? v : least, most = v > most ? v : most;
            want[8] |= v % 2 << k;
            want[9] |= (v % 4 == in[i] % 4) << k;
            want[13] += k <= rank ? v : 0;
            want[14] += k < rank ? v : 0;
        }
        want[7] = any * 2 + all;
        want[10] = (int)(0xffffffffu >> (32 - size)) + 1;
        want[11] = sum;
        want[12] = least * 1000 + most;
        want[15] = 4 * first + 3;
        for (int k = 0; k < 16; k++)
            if (out[16 * i + k] != want[k] && wrong++ < 3)
                printf("tiles of %d: thread %d, value %d: %d, not %d\n", size, i, k, out[16 * i + k],
                       want[k]);
    }
    CHECK(wrong == 0);
    cudaFree(in);
    cudaFree(out);
}

/* A function for a tile of any parent; a tile of a tile. */
__device__ float tile_sum(cg::thread_block_tile<4> tile, float value)
{
    for (int by = tile.size() / 2; by > 0; by /= 2)
        value += tile.shfl_down(value, by);
    return tile.shfl(value, 0);
}
__global__ void nested(float *out, int *where)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto four = cg::tiled_partition<4>(warp);
    out[threadIdx.x] = tile_sum(four, (float)threadIdx.x) + cg::this_thread().size();
    where[threadIdx.x] = four.meta_group_rank() * 100 + four.meta_group_size();
}

/* Whoever comes here together; parts of them by label and by predicate. */
__global__ void coalesced(int *out, int *next, const int *in)
{
    const int i = threadIdx.x;
    int *mine = out + 10 * i;
    if (in[i] % 3 != 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(next, (int)active.size());
        mine[0] = active.shfl(first, 0) + active.thread_rank();
        mine[1] = active.size();
        mine[2] = active.shfl_down(in[i], 1);
        mine[3] = active.shfl_up(in[i], 2);
        mine[4] = active.ballot(in[i] % 2);
        mine[5] = cg::reduce(active, in[i], cg::plus<int>());
        cg::coalesced_group same = cg::labeled_partition(active, in[i] % 5);
        mine[6] = same.size() * 100 + same.meta_group_size();
        mine[7] = cg::reduce(same, in[i], cg::greater<int>());
        cg::coalesced_group half = cg::binary_partition(active, in[i] % 2 == 0);
        mine[8] = cg::inclusive_scan(half, 1);
        cg::coalesced_group part = cg::tiled_partition(active, 4);
        mine[9] = part.meta_group_rank() * 100 + part.thread_rank() * 10 + part.size();
    }
}

static void check_coalesced()
{
    const int n = 64;
    int *in = make_managed<int>(n), *out = make_managed<int>(10 * n), *next = make_managed<int>(1);
    for (int i = 0; i < n; i++)
        in[i] = i * 31 % 67;
    coalesced<<<1, n>>>(out, next, in);
    SYNC();
    int places[64] = {0}, comers = 0, wrong = 0;
    for (int warp = 0; warp < 2; warp++) {
        int lanes[32], count = 0, sum = 0, odd = 0;
        for (int i = 32 * warp; i < 32 * warp + 32; i++)
            if (in[i] % 3 != 0) {
                odd |= in[i] % 2 << count;
                sum += in[i];
                lanes[count++] = i;
            }
        comers += count;
        for (int r = 0; r < count; r++) {
            const int i = lanes[r], *mine = out + 10 * i;
            int alike = 0, most = 0, labels = 0, before = 0, in_part = count - r / 4 * 4;
            for (int k = 0; k < count; k++) {
                const int v = in[lanes[k]];
                alike += v % 5 == in[i] % 5;
                most = v % 5 == in[i] % 5 && v > most ? v : most;
                labels |= 1 << v % 5;
                before += k <= r && v % 2 == in[i] % 2;
            }
            in_part = in_part > 4 ? 4 : in_part;
            wrong += mine[0] < 0 || mine[0] >= n || places[mine[0]]++ != 0;
            wrong += mine[1] != count || mine[4] != odd || mine[5] != sum;
            wrong +=
                mine[2] != in[lanes[r + 1 < count ? r + 1 : r]] || mine[3] != in[lanes[r < 2 ? r : r - 2]];
            wrong += mine[6] != alike * 100 + __builtin_popcount((unsigned)labels) || mine[7] != most;
            wrong += mine[8] != before || mine[9] != r / 4 * 100 + r % 4 * 10 + in_part;
        }
    }
    CHECK(wrong == 0 && *next == comers);
    cudaFree(in);
    cudaFree(out);
    cudaFree(next);
}

__global__ void copies(int *out, const int *in, int n)
{
    extern __shared__ int shared[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, shared, in + blockIdx.x * n, sizeof(int) * n);
    cg::wait(block);
    for (int i = block.thread_rank(); i < n; i += block.size())
        out[blockIdx.x * n + i] = shared[n - 1 - i];
}

static void check_copies()
{
    const int n = 77;
    int *in = make_managed<int>(2 * n), *out = make_managed<int>(2 * n), wrong = 0;
    for (int i = 0; i < 2 * n; i++)
        in[i] = i;
    copies<<<2, 32, n * sizeof(int)>>>(out, in, n);
    SYNC();
    for (int i = 0; i < 2 * n; i++)
        wrong += out[i] != i / n * n + n - 1 - i % n;
    CHECK(wrong == 0);
    cudaFree(in);
    cudaFree(out);
}

/* No thread waits here: where they are is all that is asked. */
__global__ void places(unsigned long long *out)
{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    unsigned long long *mine = out + 4 * grid.thread_rank();
    mine[0] = grid.size() * 1000 + grid.num_blocks();
    mine[1] = grid.block_rank() * 1000 + block.thread_rank();
    mine[2] = block.group_index().y * 100 + block.thread_index().x * 10 + block.group_dim().y;
    mine[3] = grid.is_valid();
}

static void check_places()
{
    unsigned long long *out = make_managed<unsigned long long>(4 * 48);
    places<<<dim3(2, 3), dim3(4, 2)>>>(out);
    SYNC();
    int wrong = 0;
    for (unsigned i = 0; i < 48; i++)
        wrong += out[4 * i] != 48006 || out[4 * i + 1] != i / 8 * 1000 + i % 8 ||
                 out[4 * i + 2] != i / 16 * 100 + i % 4 * 10 + 2 || out[4 * i + 3] != 0;
    CHECK(wrong == 0);
    cudaFree(out);
}

int main()
{
    check_any_group();
    check_tiles<32>();
    check_tiles<16>();
    check_tiles<4>();
    float *sums = make_managed<float>(64);
    int *where = make_managed<int>(64);
    nested<<<1, 64>>>(sums, where);
    SYNC();
    for (int i = 0; i < 64; i++)
        CHECK(sums[i] == i / 4 * 16 + 6 + 1 && where[i] == i % 32 / 4 * 100 + 8);
    check_coalesced();
    check_copies();
    check_places();
    return finish();
}
