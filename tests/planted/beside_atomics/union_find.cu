// kind: race
// missed: an atomic on the same word follows the plain read: it is taken for a test before an atomic
// at: @parent or @linked
// Components are joined by atomicMin on the parents, which the walk to the root reads plainly.
__device__ int root(int *parent, int v, bool bad)
{
    for (;;) {
        const int up = bad ? parent[v] : atomicAdd(&parent[v], 0); // @parent
        if (up == v)
            return v;
        v = up;
    }
}

__global__ void join(int *parent, const int2 *edges, bool bad)
{
    const int2 edge = edges[blockIdx.x * blockDim.x + threadIdx.x];
    int a = root(parent, edge.x, bad), b = root(parent, edge.y, bad);
    while (a != b) {
        const int high = max(a, b), low = min(a, b);
        const int old = atomicMin(&parent[high], low); // @linked
        a = low;
        b = old == high ? low : old;
    }
}

int main(int argc, char **)
{
    int *parent;
    int2 *edges;
    cudaMallocManaged(&parent, 40 * sizeof *parent);
    cudaMallocManaged(&edges, 32 * sizeof *edges);
    for (int i = 0; i < 40; i++)
        parent[i] = i;
    for (int i = 0; i < 32; i++)
        edges[i] = make_int2(i, i * 3 % 40);
    join<<<8, 4>>>(parent, edges, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(parent);
    cudaFree(edges);
    return 0;
}
