// Host memory that the kernel reads and writes in place: page-locked and mapped, registered, and asked about.
#include "common.h"

#define MEMORY_ALIGNMENT 4096
#define ALIGN_UP(x, size) (((size_t)x + (size - 1)) & (~(size - 1)))

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N)
        c[idx] = a[idx] + b[idx];
}

int main(int argc, char **argv)
{
    const int nelem = 10000;
    const size_t bytes = nelem * sizeof(float);
    cudaDeviceProp deviceProp;
    CHECK(cudaGetDeviceProperties(&deviceProp, 0));
    if (!deviceProp.canMapHostMemory) {
        printf("Device does not support mapping CPU host memory!\n");
        return 2;
    }
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));

    for (bool pin_generic : {false, true}) {
        float *a, *b, *c, *d_a, *d_b, *d_c, *a_UA = 0, *b_UA = 0, *c_UA = 0;
        if (pin_generic) {
            a_UA = (float *)malloc(bytes + MEMORY_ALIGNMENT);
            b_UA = (float *)malloc(bytes + MEMORY_ALIGNMENT);
            c_UA = (float *)malloc(bytes + MEMORY_ALIGNMENT);
            a = (float *)ALIGN_UP(a_UA, MEMORY_ALIGNMENT);
            b = (float *)ALIGN_UP(b_UA, MEMORY_ALIGNMENT);
            c = (float *)ALIGN_UP(c_UA, MEMORY_ALIGNMENT);
            CHECK(cudaHostRegister(a, bytes, cudaHostRegisterMapped));
            CHECK(cudaHostRegister(b, bytes, cudaHostRegisterMapped));
            CHECK(cudaHostRegister(c, bytes, cudaHostRegisterMapped));
        } else {
            unsigned int flags = cudaHostAllocMapped;
            CHECK(cudaHostAlloc((void **)&a, bytes, flags));
            CHECK(cudaHostAlloc((void **)&b, bytes, flags));
            CHECK(cudaHostAlloc((void **)&c, bytes, flags));
        }
        for (int n = 0; n < nelem; n++) {
            a[n] = n * 0.25f;
            b[n] = -n * 0.125f;
        }
        CHECK(cudaHostGetDevicePointer((void **)&d_a, (void *)a, 0));
        CHECK(cudaHostGetDevicePointer((void **)&d_b, (void *)b, 0));
        CHECK(cudaHostGetDevicePointer((void **)&d_c, (void *)c, 0));
        cudaPointerAttributes attributes;
        CHECK(cudaPointerGetAttributes(&attributes, a));
        bool host = attributes.type == cudaMemoryTypeHost && attributes.hostPointer == a;

        dim3 block(256);
        dim3 grid((unsigned int)ceil(nelem / (float)block.x));
        vectorAddGPU<<<grid, block>>>(d_a, d_b, d_c, nelem);
        CHECK_KERNEL();

        float errorNorm = 0, refNorm = 0;
        for (int n = 0; n < nelem; n++) {
            float ref = a[n] + b[n], diff = c[n] - ref;
            errorNorm += diff * diff;
            refNorm += ref * ref;
        }
        bool good = sqrt((double)errorNorm) / sqrt((double)refNorm) < 1.e-6 && host;
        printf("%s: %s\n", pin_generic ? "registered" : "allocated", good ? "ok" : "wrong");
        if (pin_generic) {
            CHECK(cudaHostUnregister(a));
            CHECK(cudaHostUnregister(b));
            CHECK(cudaHostUnregister(c));
            free(a_UA);
            free(b_UA);
            free(c_UA);
        } else {
            CHECK(cudaFreeHost(a));
            CHECK(cudaFreeHost(b));
            CHECK(cudaFreeHost(c));
        }
        if (!good)
            return report(false);
    }
    return report(true);
}
