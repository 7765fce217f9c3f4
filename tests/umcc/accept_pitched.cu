/*
 * Pitched memory in two and three dimensions: allocated, filled, copied there, back and within the device,
 * parts of it too; and calls about other devices where there is one.
 */
#include "check.h"
#include <vector>

enum { W = 37, H = 5, D = 4 };

__global__ void number(cudaPitchedPtr p)
{
    char *row = (char *)p.ptr + p.pitch * (threadIdx.y + p.ysize * threadIdx.z);
    ((int *)row)[threadIdx.x] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z;
}

static cudaPitchedPtr pitched(std::vector<int> &v)
{
    return make_cudaPitchedPtr(v.data(), W * sizeof(int), W * sizeof(int), H);
}
static int at(const std::vector<int> &v, int x, int y, int z)
{
    return v[x + W * (y + H * z)];
}

static void three()
{
    const cudaExtent extent = make_cudaExtent(W * sizeof(int), H, D);
    cudaPitchedPtr device, again;
    cudaStream_t s;
    std::vector<int> host(W * H * D), part(W * H * D, -1);
    CHECK(cudaStreamCreate(&s) == cudaSuccess);
    CHECK(cudaMalloc3D(&device, extent) == cudaSuccess && device.pitch >= extent.width);
    CHECK(cudaMalloc3D(&again, extent) == cudaSuccess && again.ysize == H && again.xsize == extent.width);
    number<<<1, dim3(W, H, D)>>>(device);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = device;
    copy.dstPtr = again;
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3DAsync(&copy, s) == cudaSuccess);
    copy.srcPtr = again;
    copy.dstPtr = pitched(host);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaStreamSynchronize(s) == cudaSuccess && cudaMemcpy3D(&copy) == cudaSuccess);
    bool good = true;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                good &= at(host, x, y, z) == x + 100 * y + 10000 * z;
    CHECK(good);

    copy.dstPtr = pitched(part); /* 3 words, 2 rows, 2 slices from (10, 1, 2) to (0, 3, 1) */
    copy.srcPos = make_cudaPos(10 * sizeof(int), 1, 2);
    copy.dstPos = make_cudaPos(0, 3, 1);
    copy.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    CHECK(at(part, 0, 3, 1) == 20110 && at(part, 2, 4, 2) == 30212 && at(part, 3, 3, 1) == -1);
    CHECK(at(part, 0, 2, 1) == -1 && at(part, 0, 3, 3) == -1);

    CHECK(cudaMemset3D(again, 0xff, make_cudaExtent(sizeof(int), 2, D)) == cudaSuccess);
    copy = {};
    copy.srcPtr = again;
    copy.dstPtr = pitched(host);
    copy.extent = extent;
    copy.kind = cudaMemcpyDefault;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    CHECK(at(host, 0, 1, 3) == -1 && at(host, 0, 2, 3) == 30200 && at(host, 1, 1, 3) == 30101);

    copy.extent.depth = 2 * D; /* past the end */
    CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    cudaFree(device.ptr);
    cudaFree(again.ptr);
    cudaStreamDestroy(s);
}

static void two()
{
    char *device, host[3][10], back[3][10] = {};
    size_t pitch;
    CHECK(cudaMallocPitch(&device, &pitch, 10, 3) == cudaSuccess && pitch >= 10);
    for (int i = 0; i < 30; i++)
        host[i / 10][i % 10] = (char)i;
    CHECK(cudaMemset2D(device, pitch, 9, 10, 3) == cudaSuccess);
    CHECK(cudaMemcpy2D(device + 1, pitch, host, 10, 8, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2D(back, 10, device, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(back[0][0] == 9 && back[0][1] == 0 && back[1][8] == 17 && back[1][9] == 9 && back[2][5] == 9);
    CHECK(cudaMemcpy2D(back, 4, device, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
    (void)cudaGetLastError();
    cudaFree(device);
}

static void one_device()
{
    int *a, *b, value = 5, found = -1, can = -1;
    char address[32];
    enum cudaFuncCache cache;
    CHECK(cudaMalloc(&a, 4) == cudaSuccess && cudaMalloc(&b, 4) == cudaSuccess);
    CHECK(cudaMemcpy(a, &value, 4, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpyPeer(b, 0, a, 0, 4) == cudaSuccess &&
          cudaMemcpyPeerAsync(b, 0, a, 0, 4, 0) == cudaSuccess);
    CHECK(cudaMemcpy(&value, b, 4, cudaMemcpyDeviceToHost) == cudaSuccess && value == 5);
    CHECK(cudaDeviceGetPCIBusId(address, sizeof address, 0) == cudaSuccess);
    CHECK(cudaDeviceGetByPCIBusId(&found, address) == cudaSuccess && found == 0);
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
    CHECK(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0);
    CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
    CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess && cudaInitDevice(7, 0, 0) == cudaErrorInvalidDevice);
    enum cudaSharedMemConfig banks;
    CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
    CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess && banks == cudaSharedMemBankSizeFourByte);
    CHECK(cudaFuncSetSharedMemConfig(number, cudaSharedMemBankSizeDefault) == cudaSuccess);
    cudaStream_t s;
    unsigned long long id, legacy;
    CHECK(cudaStreamCreate(&s) == cudaSuccess && cudaStreamGetDevice(s, &found) == cudaSuccess && found == 0);
    CHECK(cudaStreamGetId(s, &id) == cudaSuccess && cudaStreamGetId(0, &legacy) == cudaSuccess &&
          id != legacy);
    CHECK(cudaThreadSynchronize() == cudaSuccess);
    (void)cudaGetLastError();
    cudaStreamDestroy(s);
    cudaFree(a);
    cudaFree(b);
}

int main()
{
    two();
    three();
    one_device();
    SYNC();
    return finish();
}
