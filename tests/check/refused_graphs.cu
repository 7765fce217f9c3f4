// errors: 7
// expect: on CUDA API call to cudaGraphAddMemcpyNode1D
// expect: at main in @large
// expect: 400 bytes from there are 336 too many: the allocation has 64
// expect: on CUDA API call to cudaGraphAddMemcpyNode1D
// expect: The pointers say cudaMemcpyHostToDevice, and the call says cudaMemcpyDeviceToHost
// expect: on CUDA API call to cudaLaunchKernel
// expect: at main in @block
// expect: a block of (4096,1,1) has 4096 threads
// expect: on CUDA API call to cudaGraphAddMemsetNode
// expect: elementSize is 3
// expect: on CUDA API call to cudaStreamSynchronize
// expect: not allowed while a stream is captured
// expect: on CUDA API call to cudaStreamEndCapture
// expect: an earlier error spoilt the capture
// expect: on CUDA API call to cudaCreateTextureObject
// expect: an argument has a value that this call does not accept
// Graphs and textures: an argument that may be NULL is never the cause.
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    int *x, h[16] = {};
    cudaGraph_t graph, captured;
    cudaGraphNode_t node;
    cudaStream_t stream;
    cudaTextureObject_t texture;
    cudaMalloc(&x, sizeof h);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, x, h, bad ? 400 : 64, cudaMemcpyHostToDevice); // @large
    cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, x, h, 64,
                             bad ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
    void *arguments[] = {&x};
    const cudaKernelNodeParams kernel = {(void *)fill, dim3(1), dim3(bad ? 4096 : 16), 0, arguments, nullptr};
    cudaGraphAddKernelNode(&node, graph, 0, 0, &kernel); // @block
    cudaMemsetParams set = {};
    set.dst = x;
    set.elementSize = bad ? 3 : 4;
    set.width = 4;
    set.height = 1;
    cudaGraphAddMemsetNode(&node, graph, 0, 0, &set);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (bad)
        cudaStreamSynchronize(stream);
    if (cudaStreamEndCapture(stream, &captured) == cudaSuccess)
        cudaGraphDestroy(captured);
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = bad ? h : x;
    resource.res.linear.sizeInBytes = sizeof h;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess)
        cudaDestroyTextureObject(texture);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
    return 0;
}
