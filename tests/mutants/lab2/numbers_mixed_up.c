/* mutant: compares the type with the wrong numbers; fails: classify/right_kind */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, p) != cudaSuccess) {
        (void)cudaGetLastError();
        return LAB2_NO_ANSWER;
    }
    switch ((int)of.type) {
    case 1:
        return LAB2_DEVICE;
    case 2:
        return LAB2_PINNED;
    case 3:
        return LAB2_MANAGED;
    default:
        return LAB2_PLAIN;
    }
}
