// kind: out of bounds
// at: @push
// A walk through a tree keeps what is left to do on a stack of its own, which is too small.
template <int SIZE> __global__ void walk(const int2 *children, int *visited)
{
    int stack[SIZE], top = 0, count = 0;
    stack[top++] = 0;
    while (top > 0) {
        const int2 next = children[stack[--top]];
        count++;
        if (next.x >= 0)
            stack[top++] = next.x; // @push
        if (next.y >= 0)
            stack[top++] = next.y;
    }
    visited[threadIdx.x] = count;
}

int main(int argc, char **)
{
    int2 tree[33], *children; // each inner node has a leaf and the next inner node
    int *visited;
    for (int i = 0; i < 33; i++)
        tree[i] = make_int2(-1, -1);
    for (int i = 0; i < 32; i += 2)
        tree[i] = make_int2(i + 1, i + 2);
    cudaMalloc(&children, sizeof tree);
    cudaMalloc(&visited, 32 * sizeof *visited);
    cudaMemcpy(children, tree, sizeof tree, cudaMemcpyHostToDevice);
    if (argc > 1)
        walk<6><<<1, 32>>>(children, visited);
    else
        walk<20><<<1, 32>>>(children, visited);
    cudaDeviceSynchronize();
    cudaFree(children);
    cudaFree(visited);
    return 0;
}
