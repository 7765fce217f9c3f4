// kind: absent lanes or kernel ended or kernel failed
// Half of the warp shuffles with the mask of the whole warp.
__global__ void sum(const int *x, int *out, bool bad)
{
    int mine = x[threadIdx.x];
    if (threadIdx.x < 16) {
        for (int offset = 8; offset > 0; offset /= 2)
            mine += __shfl_down_sync(bad ? 0xffffffff : 0x0000ffff, mine, offset);
        if (threadIdx.x == 0)
            *out = mine;
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 33 * sizeof *x);
    for (int i = 0; i < 33; i++)
        x[i] = i;
    sum<<<1, 32>>>(x, x + 32, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[32] == 120;
    cudaFree(x);
    return !right;
}
