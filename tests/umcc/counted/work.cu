/* What warps do beside their accesses, told by UMSIM_EXPLAIN=launch: each kernel's sums are known. */
#include <cstdio>

#define ROUNDS 1024

/* 1024 multiply-adds of 8 warps a block. */
__global__ void together(float *out)
{
    float v = (float)threadIdx.x;
    for (int i = 0; i < ROUNDS; i++)
        v = v * 1.0001f + 0.5f;
    if (v == -1.0f)
        out[0] = v;
}

/* The same by each lane, one after another: 32 times as many, and one lane of 32 takes part. */
__global__ void one_by_one(float *out)
{
    float v = (float)threadIdx.x;
    for (int lane = 0; lane < 32; lane++)
        if (threadIdx.x % 32 == (unsigned)lane)
            for (int i = 0; i < ROUNDS; i++)
                v = v * 1.0001f + 0.5f;
    if (v == -1.0f)
        out[0] = v;
}

/* Lanes 0 to 31 make 0 to 31 times 64 passes: the warp makes as many as the longest. */
__global__ void longer_and_longer(float *out)
{
    const int passes = (int)(threadIdx.x % 32) * 64;
    float v = (float)threadIdx.x;
    for (int i = 0; i < passes; i++)
        v = v * 1.0001f + 0.5f;
    if (v == -1.0f)
        out[0] = v;
}

/* Even lanes in even passes, odd lanes in odd ones: each lane half of them, the warp all. */
__global__ void by_turns(double *out)
{
    double v = threadIdx.x;
    for (int i = 0; i < ROUNDS; i++)
        if ((threadIdx.x + (unsigned)i) % 2 == 0)
            v = v * 1.0001 + 0.5;
    if (v == -1.0)
        out[0] = v;
}

/* 100 barriers and shuffles, divisions and roots. */
__global__ void meets(float *out)
{
    float v = (float)threadIdx.x;
    for (int i = 0; i < 100; i++) {
        v += __shfl_xor_sync(0xffffffffu, v, 1);
        __syncthreads();
        v = sqrtf(v) / (v + 1.5f);
    }
    if (v == -1.0f)
        out[0] = v;
}

int main()
{
    float *out;
    cudaMalloc(&out, 4096);
    together<<<10, 256>>>(out);
    one_by_one<<<10, 256>>>(out);
    longer_and_longer<<<10, 256>>>(out);
    by_turns<<<10, 256>>>((double *)out);
    meets<<<10, 256>>>(out);
    const bool right = cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(out);
    puts(right ? "right" : "wrong");
    return !right;
}
