// k-means: assigning points to their nearest centroid, sums by atomics in shared memory, new centroids; on
// points around four known places.
#include "common.h"
#include <cfloat>

const int K = 4, TPB = 128;

__device__ inline float squared(const float2 &a, const float2 &b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

__global__ void assignPoints(const float2 *points, int *label, const float2 *centroids, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = FLT_MAX;
    int closest = 0;
    for (int c = 0; c < K; ++c) {
        float d = squared(points[i], centroids[c]);
        if (d < best) {
            best = d;
            closest = c;
        }
    }
    label[i] = closest;
}

__global__ void addUp(const float2 *points, const int *label, float2 *sums, int *sizes, int n)
{
    __shared__ float2 s_sums[K];
    __shared__ int s_sizes[K];
    if (threadIdx.x < K) {
        s_sums[threadIdx.x] = make_float2(0, 0);
        s_sizes[threadIdx.x] = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_sums[label[i]].x, points[i].x);
        atomicAdd(&s_sums[label[i]].y, points[i].y);
        atomicAdd(&s_sizes[label[i]], 1);
    }
    __syncthreads();
    if (threadIdx.x < K) {
        atomicAdd(&sums[threadIdx.x].x, s_sums[threadIdx.x].x);
        atomicAdd(&sums[threadIdx.x].y, s_sums[threadIdx.x].y);
        atomicAdd(&sizes[threadIdx.x], s_sizes[threadIdx.x]);
    }
}

__global__ void divide(float2 *centroids, float2 *sums, int *sizes)
{
    const int c = threadIdx.x;
    if (sizes[c] > 0)
        centroids[c] = make_float2(sums[c].x / sizes[c], sums[c].y / sizes[c]);
    sums[c] = make_float2(0, 0);
    sizes[c] = 0;
}

int main()
{
    const int n = 4000;
    const float2 places[K] = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
    std::vector<float2> points(n);
    Random random(21);
    for (int i = 0; i < n; i++)
        points[i] = make_float2(places[i % K].x + random.uniform() * 4 - 2,
                                places[i % K].y + random.uniform() * 4 - 2);

    float2 *d_points, *centroids, *sums;
    int *label, *sizes;
    CHECK(cudaMalloc(&d_points, n * sizeof(float2)));
    CHECK(cudaMalloc(&label, n * sizeof(int)));
    CHECK(cudaMalloc(&sums, K * sizeof(float2)));
    CHECK(cudaMalloc(&sizes, K * sizeof(int)));
    CHECK(cudaMallocManaged(&centroids, K * sizeof(float2)));
    CHECK(cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(sums, 0, K * sizeof(float2)));
    CHECK(cudaMemset(sizes, 0, K * sizeof(int)));
    for (int c = 0; c < K; c++)
        centroids[c] = points[c];

    const int blocks = (n + TPB - 1) / TPB;
    for (int iteration = 0; iteration < 15; iteration++) {
        assignPoints<<<blocks, TPB>>>(d_points, label, centroids, n);
        addUp<<<blocks, TPB>>>(d_points, label, sums, sizes, n);
        divide<<<1, K>>>(centroids, sums, sizes);
    }
    CHECK_KERNEL();
    bool good = true;
    for (int c = 0; c < K; c++) {
        printf("(%.1f, %.1f)\n", centroids[c].x, centroids[c].y);
        good &= fabsf(centroids[c].x - places[c].x) < 0.3f && fabsf(centroids[c].y - places[c].y) < 0.3f;
    }
    CHECK(cudaFree(d_points));
    CHECK(cudaFree(label));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(sizes));
    CHECK(cudaFree(centroids));
    return report(good);
}
