/**
 * @file segments.cu
 * @brief Random kernels with barriers, right and wrong, for tests/check/quick.py: what umcc --check tells of
 * them.
 *
 *     segments SEED LAUNCHES
 *
 * umcc cuts these kernels at their barriers into loops over the block's threads, whose accesses are judged
 * before they are made (sim/check/rows.h), and mostly noted in a log (sim/check/deferred.h). Some of the
 * barriers are left out by what is drawn, threads take part by `if`, what a loop has read or written is read
 * or written again one by one, by atomics, or by bytes, and launches, of two streams, too, and copies follow
 * each other with or without a wait.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define ELEMENTS 8192
#define BEFORE 256
#define THREADS 64 /* at most */

struct drawn {
    int n, to, from, by, turns, some;
};

#define MAY_MEET(bit)                                                                                        \
    if (d.by & (bit)) {                                                                                      \
        __syncthreads();                                                                                     \
    }

__global__ void shift(int *to, const int *from, drawn d)
{
    __shared__ int s[THREADS + 8];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 4] = from[i];
    if (t < 4)
        s[t] = from[i + d.from];
    MAY_MEET(1)
    const int v = s[t + d.some];
    MAY_MEET(2)
    if (t >= d.some && t < d.n)
        s[t] = v;
    __syncthreads();
    to[i + d.to] = s[t] + s[t + 1];
}

__global__ void folds(int *to, const int *from, drawn d)
{
    __shared__ int part[2 * THREADS];
    const unsigned t = threadIdx.x;
    part[t] = from[blockIdx.x * blockDim.x + t];
    if (d.by & 4)
        part[t + blockDim.x] = 1;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half + (d.some == 1)];
        MAY_MEET(1)
    }
    if (t == 0)
        to[(int)blockIdx.x + d.to] = part[0];
}

__global__ void turned(int *to, const int *from, drawn d)
{
    __shared__ int tile[8][9];
    const int x = threadIdx.x, y = threadIdx.y, width = 8 * gridDim.x;
    for (int j = 0; j < 8; j += 2)
        tile[y + j][x] = from[(blockIdx.y * 8 + y + j) * width + blockIdx.x * 8 + x];
    MAY_MEET(1)
    for (int j = 0; j < 8; j += 2)
        to[(blockIdx.x * 8 + y + j) * width + blockIdx.y * 8 + x + d.to] = tile[x][y + j];
}

__global__ void products(int *to, const int *from, drawn d)
{
    __shared__ int a[8][8], b[8][8];
    const int x = threadIdx.x, y = threadIdx.y;
    int sum = 0;
    for (int t = 0; t < d.turns % 4 + 1; t++) {
        a[y][x] = from[(y + 8 * t) * 8 + x];
        b[y][x] = from[d.from + (x + 8 * t) * 8 + y];
        MAY_MEET(1)
        for (int k = 0; k < 8; k++)
            sum += a[y][k] * b[k][x];
        for (int k = 0; k < d.some; k++)
            sum += a[k % 8][k % 8];
        MAY_MEET(2)
    }
    to[(blockIdx.y * 8 + y) * 8 * gridDim.x + blockIdx.x * 8 + x] = sum;
}

__global__ void counts(int *to, const int *from, int by, int turns, int some, int n)
{
    __shared__ int bins[16];
    const int t = threadIdx.x;
    if (t < 16)
        bins[t] = 0;
    if (by & 1) {
        __syncthreads();
    }
    for (int k = 0; k < turns; k++)
        if (bins[(t + k) % 16] < 100)
            atomicAdd(&bins[(unsigned)(from[t + k] + t) % 16], 1);
    if (by & 2) {
        __syncthreads();
    }
    if (t < 16)
        atomicAdd(&to[t], bins[t]);
    if (t == some)
        to[t + n % 20] += 1;
}

__global__ void bytes(int *to, const int *from, drawn d)
{
    __shared__ int words[THREADS];
    char *const all = (char *)words;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    words[t] = from[i];
    MAY_MEET(1)
    if (t < d.n)
        all[t + d.some] = (char)t;
    MAY_MEET(2)
    to[i] = words[t];
    ((char *)to)[4 * i + d.turns % 8] = 1;
}

__global__ void passed_on(int *to, int *from, drawn d)
{
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    from[i] = t;
    MAY_MEET(1)
    to[i] = from[blockIdx.x * blockDim.x + (t + d.some) % blockDim.x];
    MAY_MEET(2)
    from[i + d.to] = to[i];
    __syncthreads();
    if (i < d.n)
        to[i] += from[i];
}

__global__ void halo(int *to, const int *from, drawn d)
{
    __shared__ int s[THREADS + 2];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int last = 0;
    for (int k = 0; k < d.turns % 3 + 1; k++) {
        s[t + 1] = from[i + k];
        if (t == 0)
            s[0] = from[i - 1];
        if (t == (int)blockDim.x - 1 - (d.some == 2))
            s[t + 2] = from[i + 1];
        MAY_MEET(1)
        last += s[t] + s[t + 1] + s[t + 2];
        MAY_MEET(2)
    }
    if (i > 2 && i < d.n)
        to[i + d.to] = last;
}

__global__ void steps(int *to, const int *from, drawn d)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < d.n; i += gridDim.x * blockDim.x)
        to[i + d.to] = from[i] + (d.some ? to[i] : 0);
}

/* A name of the simulator's, which means nothing here. */
namespace own
{
__device__ __noinline__ unsigned umsim_thread_alone(unsigned, unsigned end)
{
    return end;
}
} // namespace own

__global__ void inner(int *to, const int *from, drawn d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    unsigned end = d.turns;
    for (unsigned k = 0; k < end; k++) {
        end = own::umsim_thread_alone(k, d.turns);
        if ((int)k < d.by * 4 && i > d.some)
            sum += from[k + d.from] + from[i * d.turns + k];
    }
    for (int k = d.turns; k > 0; k--)
        sum -= from[i + k];
    to[i] = sum;
    for (int k = 0; k < d.turns % 5; k++)
        to[i + k * (int)blockDim.x] += from[k];
}

__global__ void guarded(int *to, const int *from, int by, int turns)
{
    __shared__ int best;
    const int t = threadIdx.x, v = from[blockIdx.x * blockDim.x + t];
    if (t == 0)
        best = 1000;
    if (by & 1) {
        __syncthreads();
    }
    const int before = best;
    if (by & 2) {
        __syncthreads();
    }
    if (v < before)
        atomicMin(&best, v);
    for (int k = 0; k < turns % 3; k++)
        if (v + k > before)
            atomicMax(&best, v - k);
    __syncthreads();
    to[blockIdx.x] = best;
}

static unsigned long state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % below;
}

static drawn some()
{
    const int offsets[] = {0, 0, 0, 1, -1, 8, 64, -32};
    drawn d;
    d.n = draw(2) ? 64 : draw(200);
    d.to = offsets[draw(8)];
    d.from = offsets[draw(8)];
    d.by = draw(2) ? 7 : draw(8);
    d.turns = (int)draw(20) + 1;
    d.some = draw(2) ? 0 : draw(6);
    return d;
}

static void launch(unsigned which, void *a, void *b, unsigned blocks, unsigned threads, cudaStream_t stream)
{
    const drawn d = some();
    int *const to = (int *)a, *const from = (int *)b;
    const dim3 grid(2, 2), rows(8, 2), tile(8, 8);
    switch (which) {
    case 0:
        return shift<<<blocks, threads, 0, stream>>>(to, from, d);
    case 1:
        return folds<<<blocks, threads, 0, stream>>>(to, from, d);
    case 2:
        return turned<<<grid, rows, 0, stream>>>(to, from, d);
    case 3:
        return products<<<grid, tile, 0, stream>>>(to, from, d);
    case 4:
        return counts<<<blocks, threads, 0, stream>>>(to, from, d.by, d.turns, d.some, d.n);
    case 5:
        return bytes<<<blocks, threads, 0, stream>>>(to, from, d);
    case 6:
        return passed_on<<<blocks, threads, 0, stream>>>(to, from, d);
    case 7:
        return halo<<<blocks, threads, 0, stream>>>(to, from, d);
    case 8:
        return steps<<<blocks, threads, 0, stream>>>(to, from, d);
    case 9:
        return inner<<<blocks, threads, 0, stream>>>(to, from, d);
    default:
        return guarded<<<blocks, threads, 0, stream>>>(to, from, d.by, d.turns);
    }
}

int main(int argc, char **argv)
{
    const unsigned launches = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
    static int host[ELEMENTS], back[ELEMENTS];
    int *memory[3];
    cudaStream_t streams[2];
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    draw(1);
    for (int i = 0; i < ELEMENTS; i++)
        host[i] = i % 100;
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&memory[i], sizeof host);
        cudaMemcpy(memory[i], host, draw(2) ? sizeof host : 4096, cudaMemcpyHostToDevice);
    }
    for (cudaStream_t &stream : streams)
        cudaStreamCreate(&stream);
    const bool two = draw(2); /* streams */
    for (unsigned i = 0; i < launches; i++) {
        const unsigned which = draw(11), blocks = draw(4) + 1, threads = draw(3) ? 64 : 32 + draw(32);
        int *const a = memory[draw(3)], *const b = memory[draw(3)];
        launch(which, a + BEFORE, b + BEFORE, blocks, threads, two ? streams[draw(2)] : 0);
        if (draw(3) == 0)
            cudaDeviceSynchronize();
        if (draw(6) == 0)
            cudaMemcpyAsync(back, memory[draw(3)], 2000, cudaMemcpyDeviceToHost, streams[0]);
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
    for (cudaStream_t stream : streams)
        cudaStreamDestroy(stream);
    return 0;
}
