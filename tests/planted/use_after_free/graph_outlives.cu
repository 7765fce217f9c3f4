// kind: out of bounds
// at: @add
// A captured graph is launched again after its memory has been freed.
__global__ void add(int *x)
{
    x[threadIdx.x] += 1; // @add
}

int main(int argc, char **)
{
    int *x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    if (argc > 1)
        cudaFree(x);
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    if (argc == 1)
        cudaFree(x);
    return 0;
}
