// kind: refused call
// at: @call
// A pipeline's stream is destroyed in the loop that still needs it.
int main(int argc, char **)
{
    cudaStream_t stream[2];
    char *x;
    cudaMalloc(&x, 256);
    for (cudaStream_t &s : stream)
        cudaStreamCreate(&s);
    for (int i = 0; i < 4; i++) {
        cudaMemsetAsync(x + 128 * (i % 2), i, 128, stream[i % 2]); // @call
        if (argc > 1 ? i == 1 : i == 3)
            cudaStreamDestroy(stream[1]);
    }
    cudaStreamDestroy(stream[0]);
    cudaFree(x);
    return 0;
}
