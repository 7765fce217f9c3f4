/* What threads of a counted block have on their stacks while they wait at barriers, little or much: they run
 * on one stack, in turns (sim/worker/stacks.h). Each answer is checked. */
#include <cstdio>
#include <cstdlib>

template <int WORDS> __global__ void remember(int *good)
{
    __shared__ int turn[32];
    int own[WORDS];
    for (int i = 0; i < WORDS; i++)
        own[i] = i ^ (int)threadIdx.x;
    for (int round = 0; round < 3; round++) {
        turn[threadIdx.x % 32] = round;
        __syncthreads();
        own[(threadIdx.x + round) % WORDS] += turn[(threadIdx.x + 1) % 32] + 1;
        __syncthreads();
    }
    int same = 1;
    for (int i = 0; i < WORDS; i++) {
        int wanted = i ^ (int)threadIdx.x;
        for (int k = 0; k < 3; k++)
            wanted += (int)(threadIdx.x + k) % WORDS == i ? k + 1 : 0;
        same &= own[i] == wanted;
    }
    good[blockIdx.x * blockDim.x + threadIdx.x] = same;
}

/* threads that leave before the others wait */
__global__ void leave(int *good)
{
    const int mine = 3 * threadIdx.x;
    if (threadIdx.x % 5 == 0) {
        good[threadIdx.x] = mine % 3 == 0;
        return;
    }
    __syncthreads();
    good[threadIdx.x] = mine == 3 * threadIdx.x;
}

static int *begin(int threads)
{
    int *good;
    if (cudaMallocManaged(&good, sizeof(int) * threads) != cudaSuccess)
        exit(1);
    return good;
}

static bool is_right(int *good, int threads)
{
    const cudaError_t error = cudaDeviceSynchronize();
    int found = 0;
    for (int i = 0; i < threads; i++)
        found += good[i];
    if (error != cudaSuccess || found != threads)
        printf("%d of %d threads: %s\n", found, threads, cudaGetErrorString(error));
    cudaFree(good);
    return error == cudaSuccess && found == threads;
}

int main()
{
    bool right = true;
    int *good = begin(2 * 1024);
    remember<8><<<2, 1024>>>(good);
    right &= is_right(good, 2 * 1024);
    remember<300><<<1, 1024>>>(good = begin(1024));
    right &= is_right(good, 1024);
    remember<3000><<<1, 1000>>>(good = begin(1000));
    right &= is_right(good, 1000);
    remember<30><<<200, 77>>>(good = begin(200 * 77));
    right &= is_right(good, 200 * 77);
    leave<<<1, 640>>>(good = begin(640));
    right &= is_right(good, 640);
    puts(right ? "right" : "wrong");
    return !right;
}
