// kind: race
// at: @flag or @poll
// The flag itself is plain: a fence orders it, and the compiler may read it once for all turns.
__global__ void relay(int *data, int *flag, int *out, bool bad)
{
    volatile int *watched = flag;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        if (bad)
            *flag = 1; // @flag
        else
            *watched = 1;
    } else {
        int seen = 0;
        for (int turn = 0; turn < 1000 && !seen; turn++)
            seen = bad ? *flag : *watched; // @poll
        __threadfence();
        if (seen)
            *out = *data;
    }
}

int main(int argc, char **)
{
    int *data;
    cudaMallocManaged(&data, 3 * sizeof *data);
    data[0] = data[1] = data[2] = 0;
    relay<<<2, 1>>>(data, data + 1, data + 2, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
