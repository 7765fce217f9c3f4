// Bodies that attract each other: all pairs by tiles of shared memory; the result is compared with the
// host's, and the momentum has to stay what it was.
#include "common.h"

#define EPS2 1e-3f
#define P 64

__device__ __host__ inline float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
    float distSixth = distSqr * distSqr * distSqr;
    float invDistCube = 1.0f / sqrtf(distSixth);
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__device__ float3 tile_calculation(float4 myPosition, float3 accel)
{
    extern __shared__ float4 shPosition[];
#pragma unroll 8
    for (int i = 0; i < blockDim.x; i++)
        accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
    return accel;
}

__global__ void calculate_forces(const float4 *X, float4 *A, int n)
{
    extern __shared__ float4 shPosition[];
    float3 acc = {0.0f, 0.0f, 0.0f};
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    float4 myPosition = X[gtid];
    for (int i = 0, tile = 0; i < n; i += P, tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        shPosition[threadIdx.x] = X[idx];
        __syncthreads();
        acc = tile_calculation(myPosition, acc);
        __syncthreads();
    }
    A[gtid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

__global__ void integrate(float4 *X, float4 *V, const float4 *A, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = V[i], x = X[i], a = A[i];
    v.x += a.x * dt, v.y += a.y * dt, v.z += a.z * dt;
    x.x += v.x * dt, x.y += v.y * dt, x.z += v.z * dt;
    V[i] = v;
    X[i] = x;
}

int main()
{
    const int n = 512, steps = 3;
    const size_t bytes = n * sizeof(float4);
    std::vector<float4> x(n), a(n), v(n);
    Random random(5);
    for (auto &b : x)
        b = make_float4(random.uniform(), random.uniform(), random.uniform(), 1.0f / n);

    float4 *d_X, *d_V, *d_A;
    CHECK(cudaMalloc(&d_X, bytes));
    CHECK(cudaMalloc(&d_V, bytes));
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMemcpy(d_X, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_V, 0, bytes));

    calculate_forces<<<n / P, P, P * sizeof(float4)>>>(d_X, d_A, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(a.data(), d_A, bytes, cudaMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < n; i += 37) {
        float3 expected = {0, 0, 0};
        for (int j = 0; j < n; j++)
            expected = bodyBodyInteraction(x[i], x[j], expected);
        good &= fabsf(a[i].x - expected.x) < 1e-3f * (1 + fabsf(expected.x));
        good &= fabsf(a[i].z - expected.z) < 1e-3f * (1 + fabsf(expected.z));
    }
    for (int s = 0; s < steps; s++) {
        calculate_forces<<<n / P, P, P * sizeof(float4)>>>(d_X, d_A, n);
        integrate<<<n / 128, 128>>>(d_X, d_V, d_A, 0.01f);
    }
    CHECK_KERNEL();
    CHECK(cudaMemcpy(v.data(), d_V, bytes, cudaMemcpyDeviceToHost));
    double momentum = 0, speed = 0;
    for (auto &b : v) {
        momentum += b.x + b.y + b.z;
        speed += fabs(b.x) + fabs(b.y) + fabs(b.z);
    }
    printf("momentum stays: %s\n", fabs(momentum) < 1e-4 * speed ? "yes" : "no");
    good &= speed > 0 && fabs(momentum) < 1e-4 * speed;
    CHECK(cudaFree(d_X));
    CHECK(cudaFree(d_V));
    CHECK(cudaFree(d_A));
    return report(good);
}
