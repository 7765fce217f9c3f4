// kind: race
// at: @distance or @relaxed
// Distances are lowered by atomicMin and read plainly by the threads of other edges.
struct Edge {
    int from, to, length;
};

__global__ void relax(const Edge *edges, int n, int *distance, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Edge edge = edges[i];
    const int here = bad ? distance[edge.from] : atomicAdd(&distance[edge.from], 0); // @distance
    atomicMin(&distance[edge.to], here + edge.length);                               // @relaxed
}

int main(int argc, char **)
{
    Edge *edges;
    int *distance;
    cudaMallocManaged(&edges, 60 * sizeof *edges);
    cudaMallocManaged(&distance, 20 * sizeof *distance);
    for (int i = 0; i < 60; i++)
        edges[i] = {i % 20, (i % 20 + 1 + i / 20) % 20, 3 + i % 5};
    for (int i = 0; i < 20; i++)
        distance[i] = i ? 1 << 20 : 0;
    for (int turn = 0; turn < 20; turn++)
        relax<<<4, 16>>>(edges, 60, distance, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(edges);
    cudaFree(distance);
    return 0;
}
