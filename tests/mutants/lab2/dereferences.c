/* mutant: looks at the memory to see whose it is; fails: classify/right_kind */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (*(const volatile char *)p == 0x55)
        return LAB2_PLAIN;
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
