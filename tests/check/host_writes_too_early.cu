// expect: Error: Host write of a buffer while a copy reads it
// expect: in @write
// expect: Access at 0x7b0000000000 is 0 bytes inside the 4096 bytes that are copied
// expect: by cudaMemcpyAsync at @copy
// expect: cudaStreamSynchronize before the host changes the buffer
// A buffer that is filled again for the next stream's copy, while the first copy may still read it.
int main(int argc, char **)
{
    cudaStream_t stream[2];
    int *buffer, *x;
    cudaMallocHost(&buffer, 4096);
    cudaMalloc(&x, 2 * 4096);
    for (int i = 0; i < 2; i++) {
        cudaStreamCreate(&stream[i]);
        for (int j = 0; j < 1024; j++)
            buffer[j] = i + j;                                                          // @write
        cudaMemcpyAsync(x + i * 1024, buffer, 4096, cudaMemcpyHostToDevice, stream[i]); // @copy
        if (argc == 1)
            cudaStreamSynchronize(stream[i]);
    }
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFreeHost(buffer);
    return 0;
}
