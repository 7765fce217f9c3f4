/**
 * @file overloads.cu
 * @brief Uses every C++ overload of cuda_runtime.h once, in the forms that programs use. parity.py compiles
 * it against our headers and against NVIDIA's (with PARITY_NVIDIA); it is never run.
 */
#include <cuda_runtime.h>

#if defined(__UMCC__) || defined(__CUDACC__)
__device__ float table[4];
__constant__ int constant;
__managed__ double total;
__device__ float *pointer;
#endif

__global__ void kernel(int *, float)
{
}

void allocate(cudaStream_t stream, cudaMemPool_t pool)
{
    float *p = nullptr;
    void *v = nullptr;
    size_t pitch = 0;
    cudaMalloc(&p, 4);
    cudaMalloc(&v, 4);
    cudaMalloc((void **)&p, 4);
    cudaMallocPitch(&p, &pitch, 4, 4);
    cudaMallocManaged(&p, 4);
    cudaMallocManaged(&v, 4);
    cudaMallocManaged(&p, 4, cudaMemAttachHost);
    cudaMallocHost(&p, 4);
    cudaMallocHost(&v, 4);
    cudaMallocHost(&p, 4, cudaHostAllocMapped);
    cudaMallocHost(&v, 4, cudaHostAllocMapped);
    cudaHostAlloc(&p, 4, cudaHostAllocDefault);
    cudaHostAlloc(&v, 4, cudaHostAllocDefault);
    cudaHostGetDevicePointer(&p, v, 0);
    cudaMallocAsync(&p, 4, stream);
    cudaMallocAsync(&p, 4, 0);
    cudaMallocAsync(&v, 4, stream);
    cudaMallocAsync(&p, 4, pool, stream);
    cudaMallocAsync(&v, 4, pool, stream);
    cudaMallocFromPoolAsync(&p, 4, pool, stream);
    cudaFreeAsync(p, stream);
}

void graphs(cudaGraph_t graph, cudaGraphExec_t exec, cudaGraphNode_t node, cudaStream_t stream)
{
    cudaGraphExecUpdateResult result;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphNode_t nodes[4];
    cudaStreamCaptureStatus status;
    unsigned long long id;
    size_t count = 4;
    (void)nodes, (void)count, (void)result;
    cudaGraphInstantiate(&exec, graph, &node, nullptr, 0);
#if !defined(PARITY_NVIDIA) || defined(__CUDACC__)
    cudaGraphExecUpdate(exec, graph, &node, &result);
#endif
    cudaGraphExecUpdate(exec, graph, &info);
    cudaStreamGetCaptureInfo(stream, &status);
    cudaStreamGetCaptureInfo(stream, &status, &id);
#if !defined(PARITY_NVIDIA) || CUDART_VERSION < 13000
    cudaGraphAddDependencies(graph, nodes, nodes + 1, 1);
    cudaGraphRemoveDependencies(graph, nodes, nodes + 1, 1);
    cudaGraphGetEdges(graph, nodes, nodes, &count);
    cudaGraphNodeGetDependencies(node, nodes, &count);
    cudaGraphNodeGetDependentNodes(node, nodes, &count);
    cudaStreamUpdateCaptureDependencies(stream, nodes, 1, 0);
    cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, nullptr, &count);
#endif
}

void manage(float *p, cudaStream_t stream)
{
    cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    cudaStreamAttachMemAsync(stream, p);
    cudaStreamAttachMemAsync(stream, (void *)p, 0, cudaMemAttachHost);
    cudaMemPrefetchAsync(p, 4, host, 0);
    cudaMemPrefetchAsync(p, 4, host, 0, stream);
    cudaMemAdvise(p, 4, cudaMemAdviseSetPreferredLocation, host);
#if !defined(PARITY_NVIDIA) || CUDART_VERSION < 13000
    cudaMemPrefetchAsync(p, 4, 0);
    cudaMemPrefetchAsync(p, 4, cudaCpuDeviceId, stream);
    cudaMemAdvise(p, 4, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
#endif
}

void defaults(float *p, void *v, cudaStream_t stream, cudaEvent_t event)
{
    cudaMemcpyAsync(p, v, 4, cudaMemcpyDefault);
    cudaMemcpy2DAsync(p, 4, v, 4, 4, 1, cudaMemcpyDefault);
    cudaMemsetAsync(p, 0, 4);
    cudaMemset2DAsync(p, 4, 0, 4, 1);
    cudaEventCreate(&event);
    cudaEventCreate(&event, cudaEventDisableTiming);
    cudaEventRecord(event);
    cudaEventRecordWithFlags(event);
    cudaStreamWaitEvent(stream, event);
}

void arrays(void *v, cudaStream_t stream)
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
    cudaArray_t array = nullptr;
    channels = cudaCreateChannelDesc<unsigned char>();
    channels = cudaCreateChannelDesc<short2>();
    channels = cudaCreateChannelDesc<double>();
    channels = cudaCreateChannelDescHalf4();
    cudaMallocArray(&array, &channels, 4);
    cudaMallocArray(&array, &channels, 4, 4);
    cudaMalloc3DArray(&array, &channels, make_cudaExtent(4, 4, 4));
    cudaMemcpy2DToArrayAsync(array, 0, 0, v, 4, 4, 4, cudaMemcpyDefault);
    cudaMemcpy2DFromArrayAsync(v, 4, array, 0, 0, 4, 4, cudaMemcpyDefault, stream);
    cudaMemcpy2DArrayToArray(array, 0, 0, array, 4, 0, 4, 1);
}

void launch(int *p, cudaStream_t stream)
{
    float f = 1;
    void *arguments[] = {&p, &f};
    cudaLaunchKernel(kernel, 1, 32, arguments);
    cudaLaunchKernel(kernel, dim3(1, 2), dim3(32), arguments, 0, stream);
    cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, stream);
    cudaLaunchCooperativeKernel(kernel, 1, 32, arguments);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    const cudaLaunchConfig_t config = {dim3(1), dim3(32), 0, stream, &attribute, 1};
    cudaLaunchKernelEx(&config, kernel, p, 1);
    cudaLaunchKernelExC(&config, (const void *)kernel, arguments);
}

dim3 vectors()
{
    constexpr dim3 one, two(2), three(1, 2, 3);
    uint3 index = make_uint3(1, 2, 3);
    float4 four = make_float4(1, 2, 3, 4);
    index = three;
    dim3 back(index), list = {4, 5};
    return dim3(one.x + two.y + back.z + list.z + (unsigned)four.w);
}

#if defined(__UMCC__) || defined(__CUDACC__)
void by_name(void *v, float *p, cudaStream_t stream)
{
    size_t size = 0;
    cudaMemcpyToSymbol(table, v, sizeof table);
    cudaMemcpyToSymbol(pointer, &p, sizeof p);
    cudaMemcpyToSymbol(constant, v, sizeof constant, 0, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(v, total, sizeof total);
    cudaMemcpyFromSymbol(v, table, 4, 4);
    cudaMemcpyToSymbolAsync(table, v, sizeof table, 0, cudaMemcpyHostToDevice, stream);
    cudaMemcpyFromSymbolAsync(v, table, sizeof table);
    cudaGetSymbolAddress(&v, table);
    cudaGetSymbolAddress((void **)&p, constant);
    cudaGetSymbolSize(&size, table);
}

void occupancy()
{
    int blocks = 0, threads = 0;
    size_t bytes = 0;
    cudaFuncAttributes attributes;
    auto smem = [](int block) { return (size_t)block * 4; };
    cudaFuncGetAttributes(&attributes, kernel);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 4);
    cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 32, 0, cudaOccupancyDefault);
    cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 1024, 256);
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, kernel, 0, 0, cudaOccupancyDefault);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, kernel, smem);
    cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&blocks, &threads, kernel, smem, 0, 0);
}
#endif
