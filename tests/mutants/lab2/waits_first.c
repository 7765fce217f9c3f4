/* mutant: waits for the device before it looks; fails: classify/leaves_alone */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (cudaDeviceSynchronize() != cudaSuccess)
        (void)cudaGetLastError();
    if (cudaPointerGetAttributes(&of, p) != cudaSuccess) {
        (void)cudaGetLastError();
        return LAB2_NO_ANSWER;
    }
    switch (of.type) {
    case cudaMemoryTypeHost:
        return LAB2_PINNED;
    case cudaMemoryTypeDevice:
        return LAB2_DEVICE;
    case cudaMemoryTypeManaged:
        return LAB2_MANAGED;
    default:
        return LAB2_PLAIN;
    }
}
