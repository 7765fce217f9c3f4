// kind: race
// at: @made or @used
// A block hands data to another one by a volatile flag. Without a fence the flag may be there before the
// data.
__device__ volatile int ready;

__global__ void hand_over(float *data, float *out, bool bad)
{
    if (blockIdx.x == 0) {
        *data = 3.5f; // @made
        if (!bad)
            __threadfence();
        ready = 1;
    } else {
        bool seen = false;
        for (int turn = 0; turn < 100000 && !seen; turn++)
            seen = ready;
        __threadfence();
        if (seen)
            *out = *data; // @used
    }
}

int main(int argc, char **)
{
    float *data;
    cudaMalloc(&data, 2 * sizeof *data);
    cudaMemset(data, 0, 2 * sizeof *data);
    hand_over<<<2, 1>>>(data, data + 1, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
