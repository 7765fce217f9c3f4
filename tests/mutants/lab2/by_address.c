/* mutant: hard-coded: where the simulator puts its memory; fails: classify/beyond */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if ((uintptr_t)p >> 40 == 0x7a)
        return LAB2_DEVICE;
    if ((uintptr_t)p >> 40 == 0x7c)
        return LAB2_MANAGED;
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
