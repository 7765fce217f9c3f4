/* mutant: uses the result of a call that may have failed; fails: classify/no_answer */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of = {0};

    if (cudaPointerGetAttributes(&of, p) != cudaSuccess)
        (void)cudaGetLastError();
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
