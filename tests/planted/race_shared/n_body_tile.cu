// kind: race
// at: @loaded or @pulled
// Bodies come in tiles. The barrier before the pull is there; the one behind it is forgotten.
struct Body {
    float x, y, mass;
};

__device__ float2 pull(float2 sum, Body me, const Body &other)
{
    const float dx = other.x - me.x, dy = other.y - me.y; // @pulled
    const float near = other.mass / (dx * dx + dy * dy + 0.01f);
    return make_float2(sum.x + dx * near, sum.y + dy * near);
}

__global__ void forces(const Body *bodies, int n, float2 *force, bool bad)
{
    __shared__ Body tile[64];
    const Body me = bodies[blockIdx.x * blockDim.x + threadIdx.x];
    float2 sum = make_float2(0, 0);
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = bodies[first + threadIdx.x]; // @loaded
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum = pull(sum, me, tile[k]);
        if (!bad)
            __syncthreads();
    }
    force[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char **)
{
    Body *bodies;
    float2 *force;
    cudaMallocManaged(&bodies, 128 * sizeof *bodies);
    cudaMallocManaged(&force, 128 * sizeof *force);
    for (int i = 0; i < 128; i++)
        bodies[i] = Body{i * 1.5f, i % 9 * 2.0f, 1};
    forces<<<2, 64>>>(bodies, 128, force, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(bodies);
    cudaFree(force);
    return 0;
}
