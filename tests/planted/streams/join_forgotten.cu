// kind: race
// at: @part or @total
// Work forks into three streams and one of them is not joined.
__global__ void part(long *parts, int which)
{
    parts[which] = which * 3 + 1; // @part
}

__global__ void total(const long *parts, int n, long *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += parts[i]; // @total
}

int main(int argc, char **)
{
    long *parts;
    cudaStream_t stream[3];
    cudaEvent_t done[3];
    cudaMalloc(&parts, 4 * sizeof *parts);
    for (int i = 0; i < 3; i++) {
        cudaStreamCreate(&stream[i]);
        cudaEventCreate(&done[i]);
        part<<<1, 1, 0, stream[i]>>>(parts, i);
        cudaEventRecord(done[i], stream[i]);
    }
    for (int i = 0; i < (argc > 1 ? 2 : 3); i++)
        cudaStreamWaitEvent(stream[0], done[i], 0);
    total<<<1, 1, 0, stream[0]>>>(parts, 3, parts + 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) {
        cudaStreamDestroy(stream[i]);
        cudaEventDestroy(done[i]);
    }
    cudaFree(parts);
    return 0;
}
