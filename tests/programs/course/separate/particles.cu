// Kernels that call another file's device functions, and a static variable of the same name as one there.
#include "vector3.h"

struct Particle {
    Vector3 position, velocity;
};

static __device__ int secret = 1000;

__global__ static void setUp(Particle *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].velocity = Vector3(1, (float)i, 0).scrambled(i);
        p[i].velocity.normalize();
    }
}

__global__ void advance(Particle *p, int n, int *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].position.x += timeStep * p[i].velocity.x;
        p[i].position.y += timeStep * p[i].velocity.y;
        p[i].position.z += timeStep * p[i].velocity.z;
        atomicAdd(&steps, 1);
    }
    int here = blockSum(i < n);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = here + secret - 1000;
}

/* Runs `rounds` steps of `n` particles. Returns the largest distance from where a step of that length leads,
 * -1 when CUDA failed. */
float simulate(int n, int rounds, int *sums)
{
    Particle *p;
    if (cudaMallocManaged(&p, n * sizeof(Particle)) != cudaSuccess)
        return -1;
    cudaMemset(p, 0, n * sizeof(Particle));
    setUp<<<(n + 127) / 128, 128>>>(p, n);
    for (int r = 0; r < rounds; r++)
        advance<<<(n + 127) / 128, 128>>>(p, n, sums);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return -1;
    float worst = 0;
    for (int i = 0; i < n; i++)
        worst = fmaxf(worst, fabsf(p[i].position.length() - 0.5f * rounds));
    cudaFree(p);
    return worst;
}
