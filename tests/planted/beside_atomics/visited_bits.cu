// kind: race
// at: @set or @asked
// Visited vertices are bits of words that others change with atomicOr: asking has to be atomic, too.
__device__ void visit(unsigned *visited, int vertex)
{
    atomicOr(&visited[vertex / 32], 1u << vertex % 32); // @set
}

__device__ bool is_visited(unsigned *visited, int vertex, bool bad)
{
    const unsigned word = bad ? visited[vertex / 32] : atomicOr(&visited[vertex / 32], 0); // @asked
    return word >> vertex % 32 & 1;
}

__global__ void walk(const int *next, int n, unsigned *visited, int *met, bool bad)
{
    const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= n)
        return;
    visit(visited, vertex);
    if (is_visited(visited, next[vertex], bad))
        atomicAdd(met, 1);
}

int main(int argc, char **)
{
    int *next;
    unsigned *visited;
    cudaMallocManaged(&next, 101 * sizeof *next);
    for (int i = 0; i < 101; i++)
        next[i] = i < 100 ? i * 37 % 100 : 0;
    cudaMalloc(&visited, 4 * sizeof *visited);
    cudaMemset(visited, 0, 4 * sizeof *visited);
    walk<<<7, 16>>>(next, 100, visited, next + 100, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(next);
    cudaFree(visited);
    return 0;
}
