// kind: race
// at: @read or @swapped
// A matrix is transposed in place. If both threads of a pair swap, each undoes what the other does.
__global__ void transpose(int *m, int side, bool bad)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side || (bad ? x == y : x <= y))
        return;
    const int above = m[y * side + x], below = m[x * side + y]; // @read
    m[y * side + x] = below;                                    // @swapped
    m[x * side + y] = above;
}

int main(int argc, char **)
{
    int *m;
    cudaMallocManaged(&m, 20 * 20 * sizeof *m);
    for (int i = 0; i < 20 * 20; i++)
        m[i] = i;
    transpose<<<dim3(3, 3), dim3(8, 8)>>>(m, 20, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || m[1] == 20;
    cudaFree(m);
    return !right;
}
