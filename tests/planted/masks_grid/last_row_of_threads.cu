// kind: absent lanes or kernel ended or kernel failed
// The last row of threads has nothing to do, and its lanes are in the mask of those that have.
template <typename T> __global__ void largest(const T *x, T *out, bool bad)
{
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned here = i < 32 ? 0xffffffff : 0x0000ffff; // a block of 48 threads has half a warp
    const unsigned busy = __ballot_sync(here, threadIdx.y < 3);
    if (threadIdx.y < 3) {
        T mine = x[i];
        for (int distance = 2; distance > 0; distance /= 2)
            mine = max(mine, __shfl_xor_sync(bad ? here : busy, mine, distance, 4));
        out[i] = mine;
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    for (int i = 0; i < 96; i++)
        x[i] = i;
    largest<<<1, dim3(12, 4)>>>(x, x + 48, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[48 + 33] == 35;
    cudaFree(x);
    return !right;
}
