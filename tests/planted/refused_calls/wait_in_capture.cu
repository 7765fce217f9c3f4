// kind: refused call
// at: @call
// A stream that is being captured is waited for.
__global__ void add(int *x)
{
    *x += 1;
}

int main(int argc, char **)
{
    int *x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, stream>>>(x);
    if (argc > 1)
        cudaStreamSynchronize(stream); // @call
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess)
        cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
    return 0;
}
