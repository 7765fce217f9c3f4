// kind: out of bounds
// at: @put
// A moving average keeps its last values in a ring of shared memory; its place is not taken modulo the ring's
// size.
template <typename T, int SIZE> struct ring {
    T value[SIZE];
    int count;
};

__global__ void average(const float *in, float *out, int n, int modulo)
{
    __shared__ ring<float, 8> last;
    if (threadIdx.x != 0)
        return;
    for (float &value : last.value)
        value = 0;
    last.count = 0;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float *place = &last.value[i % modulo];
        sum += in[i] - *place; // @put
        *place = in[i];        // @written
        out[i] = sum / 8;
    }
}

int main(int argc, char **)
{
    const int n = 60;
    float *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    average<<<1, 32>>>(in, out, n, argc > 1 ? n : 8);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
