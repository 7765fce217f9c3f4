/**
 * @file memory.cu
 * @brief Whose memory it is: pointers, memsets, variables, kernels' attributes.
 */
#include "peers.h"

#include <cstdlib>
#include <cstring>

__device__ int variable = 7;
__constant__ int constant = 70;

__global__ void read_variables(int *to, int bump)
{
    to[0] = variable;
    to[1] = constant;
    variable += bump;
}

__global__ void read_address(int *to, const int *from)
{
    to[0] = from[0];
}

extern __shared__ int dynamic[];
__global__ void use_shared(int *to)
{
    dynamic[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    to[threadIdx.x] = dynamic[threadIdx.x];
}

static void attributes_of(const char *name, const void *p)
{
    cudaPointerAttributes it;
    std::memset(&it, 0x5a, sizeof it);
    const cudaError_t error = cudaPointerGetAttributes(&it, p);
    ANSWER(name, "%s: type %d, device %d", cudaGetErrorName(error), (int)it.type, it.device);
}

static void pointers_tell_their_device()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1), *pinned, *pinned_1,
        *own = (int *)std::aligned_alloc(4096, 4096);
    NEED(cudaMallocHost(&pinned, 4096));
    NEED(cudaSetDevice(1));
    NEED(cudaMallocHost(&pinned_1, 4096));
    NEED(cudaHostRegister(own, 4096, cudaHostRegisterDefault));
    NEED(cudaSetDevice(0));
    attributes_of("pointer: 0's memory", of_0);
    attributes_of("pointer: 1's memory", of_1 + 100);
    attributes_of("pointer: pinned with 0 current", pinned);
    attributes_of("pointer: pinned with 1 current", pinned_1);
    attributes_of("pointer: registered with 1 current", own);
    NEED(cudaSetDevice(1));
    attributes_of("pointer: 0's memory, 1 current", of_0);
    attributes_of("pointer: pinned with 0 current, 1 current", pinned);
    RETURNS("pinned: freed with another device current", cudaFreeHost(pinned));
    RETURNS("pinned: unregistered", cudaHostUnregister(own));
}

static void pinned_memory_is_both_devices()
{
    int *pinned, *own = (int *)std::aligned_alloc(4096, N * sizeof(int));
    NEED(cudaMallocHost(&pinned, N * sizeof *pinned));
    for (int i = 0; i < N; i++)
        pinned[i] = own[i] = 1;
    NEED(cudaHostRegister(own, N * sizeof *own, cudaHostRegisterDefault));
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        RETURNS(device ? "pinned: kernel on 1" : "pinned: kernel on 0",
                (launch_add(pinned, 10), cudaDeviceSynchronize()));
        RETURNS(device ? "registered with 0 current: kernel on 1" : "registered with 0 current: kernel on 0",
                (launch_add(own, 10), cudaDeviceSynchronize()));
    }
    ANSWER("pinned: after both", "%d", pinned[N - 1]);
    ANSWER("registered: after both", "%d", own[N - 1]);
}

static void a_memset_is_the_current_devices()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    NEED(cudaSetDevice(1));
    RETURNS("memset: 0's memory, 1 current", cudaMemset(of_0, 0, 64));
    RETURNS("memset: 0's memory, 1 current, 2D", cudaMemset2D(of_0, 64, 0, 16, 4));
    NEED(cudaSetDevice(0));
    RETURNS("memset: 1's memory, 0 current", cudaMemset(of_1, 0, 64));
    (void)cudaGetLastError();
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("memset: 1's memory, 0 current, access", cudaMemset(of_1, 0, N * sizeof *of_1));
    ANSWER("memset: what is there", "%ld", sum(of_1));
    NEED(cudaSetDevice(1));
    RETURNS("memset: 0's memory, 1 current, access the other way", cudaMemset(of_0, 0, 64));
}

static void a_memset_in_a_stream_is_the_streams_devices()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    cudaStream_t of_stream_1 = stream_of(1);
    RETURNS("memset: 1's memory, 0 current, a stream of 1",
            cudaMemsetAsync(of_1, 0, N * sizeof(int), of_stream_1));
    RETURNS("memset: it synchronised", cudaStreamSynchronize(of_stream_1));
    ANSWER("memset: what is there, stream of 1", "%ld", sum(of_1));
    RETURNS("memset: 0's memory, 0 current, a stream of 1", cudaMemsetAsync(of_0, 0, 64, of_stream_1));
}

static void variables_are_each_devices_own()
{
    int *of_0 = numbers(0, 0), *of_1 = numbers(1, 0), values[2], forty = 40;
    void *at_0 = nullptr, *at_1 = nullptr;
    size_t bytes = 0;
    read_variables<<<1, 1>>>(of_0, 1);
    read_variables<<<1, 1>>>(of_0, 1);
    NEED(cudaMemcpy(values, of_0, sizeof values, cudaMemcpyDeviceToHost));
    ANSWER("variables: on 0, second kernel", "%d %d", values[0], values[1]);
    NEED(cudaGetSymbolAddress(&at_0, variable));
    NEED(cudaSetDevice(1));
    read_variables<<<1, 1>>>(of_1, 1);
    NEED(cudaMemcpy(values, of_1, sizeof values, cudaMemcpyDeviceToHost));
    ANSWER("variables: on 1, first kernel", "%d %d", values[0], values[1]);
    RETURNS("variables: symbol set on 1", cudaMemcpyToSymbol(variable, &forty, sizeof forty));
    RETURNS("variables: constant set on 1", cudaMemcpyToSymbol(constant, &forty, sizeof forty));
    read_variables<<<1, 1>>>(of_1, 1);
    NEED(cudaMemcpy(values, of_1, sizeof values, cudaMemcpyDeviceToHost));
    ANSWER("variables: on 1 then", "%d %d", values[0], values[1]);
    NEED(cudaGetSymbolAddress(&at_1, variable));
    ANSWER("variables: addresses are equal", "%d", at_0 == at_1);
    NEED(cudaSetDevice(0));
    NEED(cudaMemcpyFromSymbol(values, variable, sizeof(int)));
    NEED(cudaMemcpyFromSymbol(values + 1, constant, sizeof(int)));
    ANSWER("variables: of 0 then", "%d %d", values[0], values[1]);
    attributes_of("variables: attributes of 1's", at_1);
    NEED(cudaGetSymbolSize(&bytes, variable));
    ANSWER("variables: size", "%zu", bytes);
    RETURNS("variables: 1's copied with 0 current",
            cudaMemcpy(values, at_1, sizeof(int), cudaMemcpyDeviceToHost));
    ANSWER("variables: what that was", "%d", values[0]);
}

/* Whether a kernel on 0 may read 1's variable when access is there before or after 1 has it. */
static void read_variable_of_1(bool access_first, const char *name)
{
    int *of_0 = numbers(0, 0), value = 11;
    void *at_1 = nullptr;
    if (access_first)
        NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaSetDevice(1));
    NEED(cudaMemcpyToSymbol(variable, &value, sizeof value));
    NEED(cudaDeviceSynchronize());
    NEED(cudaGetSymbolAddress(&at_1, variable));
    NEED(cudaSetDevice(0));
    if (!access_first)
        NEED(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS(access_first ? "variables: 1's copied to 0, access" : "variables: 1's copied to 0, access later",
            cudaMemcpy(of_0, at_1, sizeof value, cudaMemcpyDefault));
    NEED(cudaMemcpy(&value, of_0, sizeof value, cudaMemcpyDeviceToHost));
    ANSWER(access_first ? "variables: that copy" : "variables: that copy, access later", "%d", value);
    read_address<<<1, 1>>>(of_0, (const int *)at_1);
    RETURNS(name, cudaDeviceSynchronize());
}

static void a_peers_variable_is_read()
{
    read_variable_of_1(true, "variables: 1's read by a kernel on 0, access");
}

static void a_peers_variable_is_read_with_later_access()
{
    read_variable_of_1(false, "variables: 1's read by a kernel on 0, access later");
}

static void a_peers_variable_is_refused()
{
    int *of_0 = numbers(0, 0);
    void *at_1 = nullptr;
    NEED(cudaSetDevice(1));
    NEED(cudaGetSymbolAddress(&at_1, variable));
    NEED(cudaSetDevice(0));
    read_address<<<1, 1>>>(of_0, (const int *)at_1);
    RETURNS("variables: 1's read by a kernel on 0, no access", cudaDeviceSynchronize());
}

static void a_kernels_attributes_are_each_devices_own()
{
    int *of_1 = numbers(1, 0);
    cudaFuncAttributes it;
    const int bytes = 100 << 10;
    RETURNS("kernel: 100 KiB allowed on 0",
            cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    NEED(cudaFuncGetAttributes(&it, use_shared));
    ANSWER("kernel: allowed on 0", "%d", it.maxDynamicSharedSizeBytes);
    NEED(cudaSetDevice(1));
    NEED(cudaFuncGetAttributes(&it, use_shared));
    ANSWER("kernel: allowed on 1 then", "%d", it.maxDynamicSharedSizeBytes);
    use_shared<<<1, 64, bytes>>>(of_1);
    RETURNS("kernel: 100 KiB launched on 1", cudaGetLastError());
    RETURNS("kernel: that synchronised", cudaDeviceSynchronize());
    int blocks = -1;
    NEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use_shared, 64, 0));
    ANSWER("kernel: blocks at once on 1", "%d", blocks);
}

static void arrays_are_a_devices()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    int host[16], back[16] = {0}, *of_0 = numbers(0, 3);
    for (int i = 0; i < 16; i++)
        host[i] = i;
    NEED(cudaSetDevice(1));
    RETURNS("array: of 1", cudaMallocArray(&array, &desc, 16, 1));
    NEED(cudaSetDevice(0));
    RETURNS("array: 1's filled with 0 current",
            cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 1, cudaMemcpyHostToDevice));
    RETURNS("array: 1's read with 0 current",
            cudaMemcpy2DFromArray(back, 64, array, 0, 0, 64, 1, cudaMemcpyDeviceToHost));
    ANSWER("array: what was read", "%d", back[15]);
    RETURNS("array: 1's filled from 0's memory",
            cudaMemcpy2DToArray(array, 0, 0, of_0, 64, 64, 1, cudaMemcpyDeviceToDevice));
    NEED(cudaMemcpy2DFromArray(back, 64, array, 0, 0, 64, 1, cudaMemcpyDeviceToHost));
    ANSWER("array: what is there then", "%d", back[15]);
    RETURNS("array: 1's freed with 0 current", cudaFreeArray(array));
}

extern const behaviour memory_behaviours[] = {
    {"pointers tell their device", pointers_tell_their_device},
    {"pinned memory is both devices'", pinned_memory_is_both_devices},
    {"a memset is the current device's", a_memset_is_the_current_devices},
    {"a memset in a stream is the stream's device's", a_memset_in_a_stream_is_the_streams_devices},
    {"variables are each device's own", variables_are_each_devices_own},
    {"a peer's variable is read", a_peers_variable_is_read},
    {"a peer's variable is read, later", a_peers_variable_is_read_with_later_access},
    {"a peer's variable is refused", a_peers_variable_is_refused},
    {"a kernel's attributes are each device's own", a_kernels_attributes_are_each_devices_own},
    {"arrays are a device's", arrays_are_a_devices},
    {nullptr, nullptr}};
