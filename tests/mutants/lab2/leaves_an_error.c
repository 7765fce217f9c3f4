/* mutant: the error of a failed look is left for the caller; fails: classify/no_answer */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, p) != cudaSuccess)
        return LAB2_NO_ANSWER;
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
