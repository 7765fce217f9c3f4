// kind: uninitialised copy or uninitialised
// at: @back
// After an even number of turns the result is in the first buffer; the second one is copied out of place.
__global__ void next(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

int main(int argc, char **)
{
    int h[64] = {}, *buffer[3];
    for (int *&b : buffer)
        cudaMalloc(&b, sizeof h);
    cudaMemcpy(buffer[0], h, sizeof h, cudaMemcpyHostToDevice);
    for (int turn = 0; turn < 4; turn++)
        next<<<1, 64>>>(buffer[turn % 2], buffer[(turn + 1) % 2]);
    cudaMemcpy(h, buffer[argc > 1 ? 2 : 0], sizeof h, cudaMemcpyDeviceToHost); // @back
    for (int *b : buffer)
        cudaFree(b);
    return h[0] != 4;
}
