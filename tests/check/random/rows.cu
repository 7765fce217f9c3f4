/**
 * @file rows.cu
 * @brief Random loops over memory, right and wrong, for tests/check/quick.py: what umcc --check tells of
 * them.
 *
 *     rows SEED LAUNCHES
 *
 * All addresses here are evenly spaced in some loop: over the threads of a block, or in a thread. Where the
 * arrays begin, how far the threads lie apart, and how many there are is drawn anew for each launch, so that
 * loops leave their arrays, overlap, read what nobody wrote, and wrap around. What was computed is printed,
 * too.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define ELEMENTS 8184 /* so that a page's end lies 8 elements behind */
#define BEFORE 64     /* where arrays begin, mostly */

struct drawn {
    int n, from, to, by, width, turns;
    unsigned base;
};

__global__ void moves(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < d.n)
        to[i + d.to] = from[i + d.from] + 1;
}

__global__ void adds(int *to, const int *from, drawn d)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)d.from && i < (unsigned)d.n)
        to[i] = to[i] + from[(int)(i - d.base)];
}

__global__ void strides(double *to, const double *from, drawn d)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    to[i * d.by + d.to] += from[d.n - i];
}

__global__ void neighbours(float *to, const float *from, drawn d)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < d.width - 1 && y < d.turns)
        to[y * d.width + x] =
            from[y * d.width + x - 1] + from[y * d.width + x + 1] + from[(y - 1) * d.width + x + d.from];
}

__global__ void fours(float4 *to, const float4 *from, drawn d)
{
    const int i = threadIdx.x + blockIdx.x * d.by;
    const float4 v = from[i + d.from / 4];
    to[i] = v;
    if (d.turns > 3)
        to[i].y = from[i].x;
}

__global__ void writes_first(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i + d.to] = from[d.from];
    to[i] = to[i + d.to] + to[i + d.by];
}

__global__ void sums(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < d.turns; k++)
        sum += from[i * d.width + k] + from[k * d.by + i + d.from];
    to[i] = sum;
}

__global__ void down(int *to, const int *from, drawn d)
{
    const int i = threadIdx.x + blockIdx.x * d.width;
    for (int k = d.turns; k >= 0; k--)
        to[i * d.turns + k] = from[k + d.from] + k;
    for (unsigned k = d.base % 8; k != d.base % 8 + d.turns; k++)
        to[k + i] += from[k];
    for (const int *p = from + d.from; p < from + d.n; p += 3)
        to[i] += *p;
}

__global__ void grid(int *to, const int *from, drawn d)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)d.n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i + d.to] = from[i] + to[i];
}

__global__ void tiles(int *to, const int *from, drawn d)
{
    __shared__ int tile[16][17];
    __shared__ double wide[32];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    int sum = 0;
    for (int k = 0; k < d.turns; k++) {
        tile[y % 16][(x + k) % 17] = from[threadIdx.x + k];
        if (d.by & 1)
            __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += tile[y % 16][j] + tile[j][x];
        for (int j = x; j < 32; j += d.by)
            wide[j] = j + sum;
        __syncthreads();
        for (int j = 0; j < 24; j++)
            sum += (int)wide[j + x / 2];
        if (d.by & 2)
            __syncthreads();
    }
    for (int j = 0; j < 16; j++)
        tile[j][x] = sum;
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void own(int *to, const int *from, drawn d)
{
    int local[24];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 24; k++)
        local[k] = from[i + k];
    for (int k = 0; k < d.turns; k++)
        to[i] += local[(k * d.by) % 24];
    for (int k = 0; k < d.turns; k++)
        to[i + k] = to[i + k + 1] + 1;
}

/* Each block for itself, and not: what one turn writes, another one reads. */
__global__ void apart(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * (blockDim.x + 2 * BEFORE) + threadIdx.x;
    to[i + d.to] = to[i + d.from] + from[i];
}

__global__ void all_to_one(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, *const here = from + i;
    to[blockIdx.x * d.turns + d.from] = *here;
}

/* What one block has read in two places, another one writes. */
__global__ void crossing(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, there = i + (d.by - 2) * (int)blockDim.x;
    const int left = from[i - 1];
    const int right = from[i + 1];
    to[there + d.width] = left + right;
}

__global__ void twice(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, there = i + (d.by - 2) * (int)blockDim.x;
    to[there + 2 * BEFORE * d.turns] = from[i];
    to[there] = from[i];
}

static unsigned long state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % below;
}

/* @param near the array's end is */
static drawn some(bool near)
{
    const int offsets[] = {0, 0, 1, -1, 4, 3, 32, 100, -8, 8};
    drawn d;
    d.n = draw(3) ? 256 : draw(700);
    d.from = offsets[draw(near ? 6 : 10)];
    d.to = offsets[draw(near ? 6 : 10)];
    d.by = draw(3) ? 1 : (int)draw(5) + 1;
    d.width = draw(2) ? 32 : (int)draw(40) + 1;
    d.turns = (int)draw(24) + 1;
    d.base = draw(6) ? 0 : draw(3) ? 3 : ~0U;
    return d;
}

static void launch(unsigned which, void *a, void *b, bool near, dim3 blocks, unsigned threads)
{
    const drawn d = some(near);
    int *const to = (int *)a, *const from = (int *)b; /* aligned as the widest */
    switch (which) {
    case 0:
        return moves<<<blocks, threads>>>(to, from, d);
    case 1:
        return adds<<<blocks, threads>>>(to, from, d);
    case 4:
        return strides<<<blocks, threads>>>((double *)a, (double *)b, d);
    case 8:
        return neighbours<<<dim3(2, 2), dim3(threads / 4, 4)>>>((float *)a, (float *)b, d);
    case 5:
        return fours<<<blocks, threads>>>((float4 *)a, (float4 *)b, d);
    case 2:
        return writes_first<<<blocks, threads>>>(to, from, d);
    case 6:
        return sums<<<blocks, threads / 4>>>(to, from, d);
    case 7:
        return down<<<blocks, threads / 8>>>(to, from, d);
    case 3:
        return grid<<<blocks, threads>>>(to, from, d);
    case 9:
        return tiles<<<blocks, threads>>>(to, from, d);
    case 11:
        return apart<<<blocks, threads>>>(to, from, d);
    case 12:
        return all_to_one<<<blocks, threads>>>(to, from, d);
    case 13:
        return crossing<<<blocks, threads>>>(to + 2 * BEFORE, from + 2 * BEFORE, d);
    case 14:
        return twice<<<blocks, threads>>>(to + 2 * BEFORE, from + 2 * BEFORE, d);
    default:
        return own<<<blocks, threads>>>(to, from, d);
    }
}

int main(int argc, char **argv)
{
    const unsigned launches = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
    static int host[ELEMENTS];
    int *memory[3];
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    draw(1);
    for (int i = 0; i < ELEMENTS; i++)
        host[i] = i;
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&memory[i], sizeof host);
        cudaMemcpy(memory[i], host, draw(2) ? sizeof host : 1200, cudaMemcpyHostToDevice);
    }
    for (unsigned i = 0; i < launches; i++) {
        const unsigned which = draw(15), blocks = draw(4) + 1, threads = draw(3) ? 64 : 32 + draw(40);
        const bool near = which < 2 && draw(2);
        const int begin = near ? ELEMENTS - (int)(blocks * threads) : BEFORE;
        int *const a = memory[draw(3)], *const b = memory[draw(3)];
        launch(which, a + begin, b + begin, near, dim3(blocks), threads);
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 3; i++) {
        unsigned sum = 0;
        memset(host, 0, sizeof host);
        cudaMemcpy(host, memory[i], sizeof host, cudaMemcpyDeviceToHost);
        for (int j = 0; j < ELEMENTS; j++)
            sum = sum * 31 + (unsigned)host[j];
        printf("%u\n", sum);
        cudaFree(memory[i]);
    }
    return 0;
}
