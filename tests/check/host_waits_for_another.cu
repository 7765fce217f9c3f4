// expect: Error: Host read of a buffer while a copy writes it
// expect: in @read
// expect: is 0 bytes inside the 4096 bytes that are copied
// expect: by cudaMemcpyAsync at @copy
// The host waits for a stream, but the copy is in another one. Of two halves of one buffer each is by itself.
static int sum(const int *x)
{
    int sum = 0;
    for (int i = 0; i < 1024; i++)
        sum += x[i]; // @read
    return sum;
}

int main(int argc, char **)
{
    cudaStream_t stream[2];
    int *result, *x;
    cudaMallocHost(&result, 2 * 4096);
    cudaMalloc(&x, 2 * 4096);
    cudaMemset(x, 0, 2 * 4096);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaMemcpyAsync(result + i * 1024, x + i * 1024, 4096, cudaMemcpyDeviceToHost, stream[i]); // @copy
    }
    cudaStreamSynchronize(stream[0]);
    int total = sum(result + (argc > 1 ? 1024 : 0));
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream[0]);
    cudaStreamDestroy(stream[1]);
    cudaFree(x);
    cudaFreeHost(result);
    return total;
}
