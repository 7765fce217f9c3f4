// kind: race
// missed: volatile reads and writes count as atomics
// at: @compared or @stored
// A maximum kept in a volatile member: it is always read anew, and may still change before it is stored.
struct Range {
    volatile float high;
    int count;
};

__global__ void widen(const float *m, int pitch, Range *range, bool bad)
{
    const int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const float value = m[y * pitch + x];
    if (!bad)
        atomicMax(reinterpret_cast<int *>(const_cast<float *>(&range->high)), __float_as_int(value));
    else if (value > range->high) // @compared
        range->high = value;      // @stored
    atomicAdd(&range->count, 1);
}

int main(int argc, char **)
{
    float *m;
    Range *range;
    cudaMallocManaged(&m, 8 * 8 * sizeof *m);
    for (int i = 0; i < 64; i++)
        m[i] = i + 1;
    cudaMalloc(&range, sizeof *range);
    cudaMemset(range, 0, sizeof *range);
    widen<<<dim3(2, 2), dim3(4, 4)>>>(m, 8, range, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(range);
    return 0;
}
