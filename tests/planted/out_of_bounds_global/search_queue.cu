// kind: out of bounds
// at: @push
// A search pushes a vertex once for each edge that leads to it, and the queue has one place for each vertex.
__global__ void next_level(int vertices, const int *seen_before, int *seen, int *queue, int *tail, bool once)
{
    const int from = blockIdx.x, to = threadIdx.x; // there is an edge between any two
    if (seen_before[from] == 0 || seen_before[to] != 0)
        return;
    if (once && atomicExch(&seen[to], 1) == 1)
        return;
    queue[atomicAdd(tail, 1)] = to; // @push
}

int main(int argc, char **)
{
    const int vertices = 32;
    int *before, *seen, *queue, *tail, start[vertices] = {1, 1, 1};
    cudaMalloc(&before, sizeof start);
    cudaMalloc(&seen, sizeof start);
    cudaMalloc(&queue, sizeof start);
    cudaMalloc(&tail, sizeof *tail);
    cudaMemcpy(before, start, sizeof start, cudaMemcpyHostToDevice);
    cudaMemcpy(seen, start, sizeof start, cudaMemcpyHostToDevice);
    cudaMemset(tail, 0, sizeof *tail);
    next_level<<<vertices, vertices>>>(vertices, before, seen, queue, tail, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(before);
    cudaFree(seen);
    cudaFree(queue);
    cudaFree(tail);
    return 0;
}
