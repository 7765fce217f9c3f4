// kind: absent lanes or kernel ended or kernel failed
// missed: told as a note only, because the block has no such lanes
// A block of 48 threads has a second warp of sixteen lanes, and the full mask names 32.
template <typename T> __global__ void largest(const T *x, T *out, bool bad)
{
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned mask = !bad && i >= 32 ? 0x0000ffff : 0xffffffff;
    T mine = x[i];
    for (int distance = 8; distance > 0; distance /= 2)
        mine = max(mine, __shfl_xor_sync(mask, mine, distance, 16));
    out[i] = mine;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    for (int i = 0; i < 96; i++)
        x[i] = i;
    largest<<<1, dim3(12, 4)>>>(x, x + 48, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[48 + 33] == 47;
    cudaFree(x);
    return !right;
}
