// kind: race
// at: @zero or @total
// The first block sets the total to 0 plainly; others may have added to it by then.
__device__ float total;

__global__ void clear()
{
    total = 0;
}

__global__ void energy(const float2 *v, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (bad && i == 0)
        total = 0; // @zero
    __syncthreads();
    atomicAdd(&total, v[i].x * v[i].x + v[i].y * v[i].y); // @total
}

int main(int argc, char **)
{
    float2 *v;
    cudaMallocManaged(&v, 128 * sizeof *v);
    for (int i = 0; i < 128; i++)
        v[i] = make_float2(i, 1);
    if (argc == 1)
        clear<<<1, 1>>>();
    energy<<<4, 32>>>(v, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(v);
    return 0;
}
