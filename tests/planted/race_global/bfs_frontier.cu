// kind: race
// at: @appended
// A search appends the vertices that it finds to the next frontier, whose length all blocks count.
struct Frontier {
    int length, vertex[256];
};

__global__ void expand(const Frontier *now, Frontier *next, int *level, int depth, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= now->length)
        return;
    for (int child = 2 * now->vertex[i] + 1; child <= 2 * now->vertex[i] + 2; child++) {
        if (child >= 255 || atomicCAS(&level[child], -1, depth) != -1)
            continue;
        const int at = bad ? next->length++ : atomicAdd(&next->length, 1); // @appended
        next->vertex[at] = child;
    }
}

int main(int argc, char **)
{
    Frontier *frontier;
    int *level;
    cudaMallocManaged(&frontier, 8 * sizeof *frontier);
    cudaMallocManaged(&level, 255 * sizeof *level);
    for (int i = 0; i < 255; i++)
        level[i] = -1;
    for (int depth = 0; depth < 8; depth++)
        frontier[depth].length = depth == 0;
    frontier[0].vertex[0] = level[0] = 0;
    for (int depth = 1; depth < 8; depth++)
        expand<<<8, 16>>>(frontier + depth - 1, frontier + depth, level, depth, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || frontier[7].length == 128;
    cudaFree(frontier);
    cudaFree(level);
    return !right;
}
