// kind: race
// at: @degree
// The degree of each vertex: edges of several blocks end at one vertex.
struct Edge {
    int from, to;
};

__device__ void bump(int *value, bool bad)
{
    if (bad)
        ++*value; // @degree
    else
        atomicAdd(value, 1);
}

__global__ void degrees(const Edge *edges, int n, int *in, int *out, bool bad)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        bump(&in[edges[i].to], bad);
        atomicAdd(&out[edges[i].from], 1);
    }
}

int main(int argc, char **)
{
    Edge *edges;
    int *degree;
    cudaMallocManaged(&edges, 300 * sizeof *edges);
    cudaMallocManaged(&degree, 2 * 20 * sizeof *degree);
    for (int i = 0; i < 300; i++)
        edges[i] = {i % 20, i * i % 20};
    for (int i = 0; i < 40; i++)
        degree[i] = 0;
    degrees<<<4, 32>>>(edges, 300, degree, degree + 20, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(edges);
    cudaFree(degree);
    return 0;
}
