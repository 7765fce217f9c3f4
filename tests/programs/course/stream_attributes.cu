// Attributes of streams and of kernel nodes, among them a window of the L2 cache; names of kernels, functions
// of the driver by name, and what one device says of its peers.
#include "common.h"

#include <cstring>

__global__ void twice(int *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}

static bool streams(int *p, size_t bytes)
{
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    cudaStream_t stream, other;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&other));
    cudaStreamAttrValue value, told;
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow.base_ptr = p;
    value.accessPolicyWindow.num_bytes =
        bytes < (size_t)prop.accessPolicyMaxWindowSize ? bytes : (size_t)prop.accessPolicyMaxWindowSize;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &told));
    bool good = told.accessPolicyWindow.base_ptr == p && told.accessPolicyWindow.hitRatio == 0.5f &&
                told.accessPolicyWindow.num_bytes == value.accessPolicyWindow.num_bytes &&
                told.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting;
    CHECK(cudaStreamCopyAttributes(other, stream));
    memset(&told, 0, sizeof told);
    CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &told));
    good &= told.accessPolicyWindow.base_ptr == p;
    value.accessPolicyWindow.hitRatio = 1.5f;
    good &= cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
            cudaErrorInvalidValue;
    cudaGetLastError();
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeMemSyncDomainMap, &told));
    good &= told.memSyncDomainMap.default_ == 0 && told.memSyncDomainMap.remote == 1;
    memset(&value, 0, sizeof value);
    value.syncPolicy = cudaSyncPolicyYield;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &told));
    good &= told.syncPolicy == cudaSyncPolicyYield;
    twice<<<1, 32, 0, stream>>>(p, 32);
    CHECK(cudaStreamSynchronize(stream));
    memset(&value, 0, sizeof value); // no window any more
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    CHECK(cudaCtxResetPersistingL2Cache());
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    return good;
}

static bool nodes(int *p)
{
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    int n = 32;
    void *arguments[] = {&p, &n};
    cudaKernelNodeParams params = {};
    params.func = (void *)twice;
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params));
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    cudaKernelNodeAttrValue value, told;
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow.base_ptr = p;
    value.accessPolicyWindow.num_bytes = 128;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    CHECK(cudaGraphKernelNodeSetAttribute(first, cudaKernelNodeAttributeAccessPolicyWindow, &value));
    CHECK(cudaGraphKernelNodeCopyAttributes(second, first));
    CHECK(cudaGraphKernelNodeGetAttribute(second, cudaKernelNodeAttributeAccessPolicyWindow, &told));
    bool good = told.accessPolicyWindow.base_ptr == p && told.accessPolicyWindow.num_bytes == 128;
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

static bool names()
{
    const char *name = NULL;
    CHECK(cudaFuncGetName(&name, (const void *)twice));
    bool good = name && strstr(name, "twice");
    int (*version)(int *) = NULL;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", (void **)&version, 12000, cudaEnableDefault,
                                           &found));
    int told = 0, wanted = 1;
    good &= found == cudaDriverEntryPointSuccess && version && version(&told) == 0;
    CHECK(cudaDriverGetVersion(&wanted));
    good &= told == wanted;
    void *nothing = &told;
    cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &nothing, 12000, cudaEnableDefault, &found);
    good &= found == cudaDriverEntryPointSymbolNotFound;
    cudaGetLastError();
    int value;
    good &= cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice;
    cudaGetLastError();
    return good;
}

int main()
{
    const size_t bytes = 1 << 20;
    int *p;
    CHECK(cudaMalloc(&p, bytes));
    std::vector<int> values(32, 3);
    CHECK(cudaMemcpy(p, values.data(), 32 * sizeof(int), cudaMemcpyHostToDevice));
    const struct {
        const char *name;
        bool passed;
    } tests[] = {{"streams", streams(p, bytes)}, {"kernel nodes", nodes(p)}, {"names", names()}};
    bool good = true;
    for (const auto &test : tests) {
        printf("%s: %s\n", test.name, test.passed ? "ok" : "wrong");
        good &= test.passed;
    }
    CHECK(cudaMemcpy(values.data(), p, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int value : values)
        good &= value == 3 * 8;
    CHECK(cudaFree(p));
    return report(good);
}
