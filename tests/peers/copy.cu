/**
 * @file copy.cu
 * @brief Copies between devices, and of a device that is not current.
 */
#include "peers.h"

#include <cstring>

enum { BYTES = N * sizeof(int) };

static void the_current_device_does_not_matter_to_copies()
{
    int *of_0 = numbers(0, 1), word = 0, other = 5;
    NEED(cudaSetDevice(1));
    RETURNS("copy: host to 0, 1 current", cudaMemcpy(of_0, &other, sizeof other, cudaMemcpyHostToDevice));
    RETURNS("copy: 0 to the host, 1 current", cudaMemcpy(&word, of_0, sizeof word, cudaMemcpyDeviceToHost));
    ANSWER("copy: what came", "%d", word);
    other = 6;
    RETURNS("copy: host to 0, 1 current, by default",
            cudaMemcpy(of_0, &other, sizeof other, cudaMemcpyDefault));
    ANSWER("copy: the sum then", "%ld", sum(of_0));
}

static void copies_between_devices_need_no_access()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2);
    RETURNS("between: by default", cudaMemcpy(of_1, of_0, BYTES, cudaMemcpyDefault));
    ANSWER("between: by default, sum", "%ld", sum(of_1));
    of_1 = numbers(1, 2);
    RETURNS("between: device to device", cudaMemcpy(of_0, of_1, BYTES, cudaMemcpyDeviceToDevice));
    ANSWER("between: device to device, sum", "%ld", sum(of_0));
    RETURNS("between: said to be from the host", cudaMemcpy(of_0, of_1, BYTES, cudaMemcpyHostToDevice));
    RETURNS("between: said to be to the host", cudaMemcpy(of_0, of_1, BYTES, cudaMemcpyDeviceToHost));
    (void)cudaGetLastError();
    of_0 = numbers(0, 4);
    RETURNS("between: asynchronous", cudaMemcpyAsync(of_1, of_0, BYTES, cudaMemcpyDefault, 0));
    NEED(cudaDeviceSynchronize());
    ANSWER("between: asynchronous, sum", "%ld", sum(of_1));
    RETURNS("between: 2D", cudaMemcpy2D(of_0, 256, of_1, 256, 256, 8, cudaMemcpyDeviceToDevice));
    RETURNS("between: beyond the end", cudaMemcpy(of_0, of_1, BYTES + 4096, cudaMemcpyDefault));
}

static void with_access_copies_are_the_same()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("between, access: by default", cudaMemcpy(of_1, of_0, BYTES, cudaMemcpyDefault));
    ANSWER("between, access: sum", "%ld", sum(of_1));
    of_1 = numbers(1, 3);
    RETURNS("between, access: the other way", cudaMemcpy(of_0, of_1, BYTES, cudaMemcpyDefault));
    ANSWER("between, access: the other way, sum", "%ld", sum(of_0));
}

static void peers_are_named()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2), *also = numbers(0, 9), host[4] = {1, 2, 3, 4};
    RETURNS("peer: 0 to 1", cudaMemcpyPeer(of_1, 1, of_0, 0, BYTES));
    ANSWER("peer: 0 to 1, sum", "%ld", sum(of_1));
    RETURNS("peer: numbers the wrong way round", cudaMemcpyPeer(of_1, 0, also, 1, BYTES));
    ANSWER("peer: numbers the wrong way round, sum", "%ld", sum(of_1));
    RETURNS("peer: one number twice", cudaMemcpyPeer(of_1, 0, of_0, 0, BYTES));
    ANSWER("peer: one number twice, sum", "%ld", sum(of_1));
    RETURNS("peer: within a device", cudaMemcpyPeer(of_0, 0, also, 0, BYTES));
    ANSWER("peer: within a device, sum", "%ld", sum(of_0));
    RETURNS("peer: to device 7", cudaMemcpyPeer(of_1, 7, of_0, 0, BYTES));
    RETURNS("peer: from device 7", cudaMemcpyPeer(of_1, 1, of_0, 7, BYTES));
    RETURNS("peer: to device -1", cudaMemcpyPeer(of_1, -1, of_0, 0, BYTES));
    RETURNS("peer: nothing", cudaMemcpyPeer(of_1, 1, of_0, 0, 0));
    RETURNS("peer: nothing, device 7", cudaMemcpyPeer(of_1, 7, of_0, 0, 0));
    RETURNS("peer: from NULL", cudaMemcpyPeer(of_1, 1, nullptr, 0, 16));
    RETURNS("peer: to NULL", cudaMemcpyPeer(nullptr, 1, of_0, 0, 16));
    RETURNS("peer: from the host's memory", cudaMemcpyPeer(of_1, 1, host, 0, sizeof host));
    RETURNS("peer: beyond the end", cudaMemcpyPeer(of_1, 1, of_0, 0, BYTES + 4096));
}

static void peers_are_named_in_streams()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2);
    cudaStream_t first = stream_of(0), second = stream_of(1);
    RETURNS("peer: in a stream of the source", cudaMemcpyPeerAsync(of_1, 1, of_0, 0, BYTES, first));
    NEED(cudaStreamSynchronize(first));
    ANSWER("peer: in a stream of the source, sum", "%ld", sum(of_1));
    of_0 = numbers(0, 5);
    RETURNS("peer: in a stream of the other", cudaMemcpyPeerAsync(of_1, 1, of_0, 0, BYTES, second));
    NEED(cudaStreamSynchronize(second));
    ANSWER("peer: in a stream of the other, sum", "%ld", sum(of_1));
    RETURNS("peer: in a stream, device 7", cudaMemcpyPeerAsync(of_1, 7, of_0, 0, BYTES, second));
    RETURNS("peer: in the legacy stream", cudaMemcpyPeerAsync(of_0, 0, of_1, 1, BYTES, 0));
    NEED(cudaDeviceSynchronize());
}

static void a_stream_of_another_device_copies()
{
    int *of_0 = numbers(0, 1), *pinned;
    cudaStream_t stream = stream_of(1);
    NEED(cudaMallocHost(&pinned, BYTES));
    pinned[0] = pinned[1] = 0;
    RETURNS("copy: of 0's memory in a stream of 1",
            cudaMemcpyAsync(pinned, of_0, BYTES, cudaMemcpyDeviceToHost, stream));
    RETURNS("copy: it synchronised", cudaStreamSynchronize(stream));
    ANSWER("copy: what came by that", "%d", pinned[1]);
    pinned[1] = 8;
    RETURNS("copy: to 0's memory in a stream of 1",
            cudaMemcpyAsync(of_0, pinned, 8, cudaMemcpyHostToDevice, stream));
    NEED(cudaStreamSynchronize(stream));
    ANSWER("copy: the sum after that", "%ld", sum(of_0) - 8 + 1);
}

static void volumes_are_copied_between_devices()
{
    cudaMemcpy3DParms what;
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 0);
    std::memset(&what, 0, sizeof what);
    what.srcPtr = make_cudaPitchedPtr(of_0, 64, 16, 4);
    what.dstPtr = make_cudaPitchedPtr(of_1, 64, 16, 4);
    what.extent = make_cudaExtent(64, 4, 8);
    what.kind = cudaMemcpyDeviceToDevice;
    RETURNS("between: 3D", cudaMemcpy3D(&what));
    NEED(cudaDeviceSynchronize());
    ANSWER("between: 3D, sum", "%ld", sum(of_1));
}

static cudaMemcpy3DPeerParms volume_of(int *to, int to_device, int *from, int from_device)
{
    cudaMemcpy3DPeerParms what;
    std::memset(&what, 0, sizeof what);
    what.srcPtr = make_cudaPitchedPtr(from, 64, 16, 4);
    what.srcDevice = from_device;
    what.dstPtr = make_cudaPitchedPtr(to, 64, 16, 4);
    what.dstDevice = to_device;
    what.extent = make_cudaExtent(64, 4, 8);
    return what;
}

static void volumes_of_peers_are_copied()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 0);
    cudaStream_t stream = stream_of(1);
    cudaMemcpy3DPeerParms what = volume_of(of_1, 1, of_0, 0);
    RETURNS("3D peer: 0 to 1", cudaMemcpy3DPeer(&what));
    NEED(cudaDeviceSynchronize());
    ANSWER("3D peer: 0 to 1, sum", "%ld", sum(of_1));
    what = volume_of(of_1, 0, of_0, 1);
    RETURNS("3D peer: numbers the wrong way round", cudaMemcpy3DPeer(&what));
    what = volume_of(of_1, 7, of_0, 0);
    RETURNS("3D peer: to device 7", cudaMemcpy3DPeer(&what));
    what = volume_of(of_1, 1, of_0, -1);
    RETURNS("3D peer: from device -1", cudaMemcpy3DPeer(&what));
    what = volume_of(of_1, 1, of_0, 0);
    what.extent.depth = 0;
    RETURNS("3D peer: nothing", cudaMemcpy3DPeer(&what));
    what.dstDevice = 7;
    RETURNS("3D peer: nothing, to device 7", cudaMemcpy3DPeer(&what));
    what = volume_of(of_1, 1, nullptr, 0);
    RETURNS("3D peer: from NULL", cudaMemcpy3DPeer(&what));
    RETURNS("3D peer: no parameters", cudaMemcpy3DPeer(nullptr));
    what = volume_of(of_1, 1, of_0, 0);
    what.dstPtr.pitch = 32;
    RETURNS("3D peer: wider than its pitch", cudaMemcpy3DPeer(&what));
    what = volume_of(of_0, 0, of_1, 1);
    NEED(cudaMemset(of_0, 0, BYTES));
    NEED(cudaDeviceSynchronize());
    RETURNS("3D peer: in a stream of 1", cudaMemcpy3DPeerAsync(&what, stream));
    NEED(cudaStreamSynchronize(stream));
    ANSWER("3D peer: in a stream of 1, sum", "%ld", sum(of_0));
}

static void arrays_of_peers_are_copied()
{
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
    int *of_0 = numbers(0, 1), *back = numbers(0, 0);
    cudaArray_t of_1 = nullptr;
    cudaMemcpy3DPeerParms what;
    NEED(cudaSetDevice(1));
    NEED(cudaMalloc3DArray(&of_1, &words, make_cudaExtent(16, 4, 8)));
    NEED(cudaSetDevice(0));
    what = volume_of(nullptr, 1, of_0, 0);
    what.dstPtr = cudaPitchedPtr{};
    what.dstArray = of_1;
    what.extent = make_cudaExtent(16, 4, 8);
    RETURNS("3D peer: to an array of 1", cudaMemcpy3DPeer(&what));
    what = volume_of(back, 0, nullptr, 1);
    what.srcPtr = cudaPitchedPtr{};
    what.srcArray = of_1;
    what.extent = make_cudaExtent(16, 4, 8);
    RETURNS("3D peer: from an array of 1", cudaMemcpy3DPeer(&what));
    NEED(cudaDeviceSynchronize());
    ANSWER("3D peer: through an array, sum", "%ld", sum(back));
    what.srcDevice = 0;
    RETURNS("3D peer: an array of 1 that is said to be of 0", cudaMemcpy3DPeer(&what));
}

extern const behaviour copy_behaviours[] = {
    {"the current device does not matter to copies", the_current_device_does_not_matter_to_copies},
    {"copies between devices need no access", copies_between_devices_need_no_access},
    {"with access copies are the same", with_access_copies_are_the_same},
    {"peers are named", peers_are_named},
    {"peers are named in streams", peers_are_named_in_streams},
    {"a stream of another device copies", a_stream_of_another_device_copies},
    {"volumes are copied between devices", volumes_are_copied_between_devices},
    {"volumes of peers are copied", volumes_of_peers_are_copied},
    {"arrays of peers are copied", arrays_of_peers_are_copied},
    {nullptr, nullptr}};
