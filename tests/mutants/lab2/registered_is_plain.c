/* mutant: pinned memory is what lies where cudaMallocHost puts it; fails: classify/right_kind */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, p) != cudaSuccess) {
        (void)cudaGetLastError();
        return LAB2_NO_ANSWER;
    }
    switch (of.type) {
    case cudaMemoryTypeHost:
        return (uintptr_t)p >> 40 == 0x7b ? LAB2_PINNED : LAB2_PLAIN;
    case cudaMemoryTypeDevice:
        return LAB2_DEVICE;
    case cudaMemoryTypeManaged:
        return LAB2_MANAGED;
    default:
        return LAB2_PLAIN;
    }
}
