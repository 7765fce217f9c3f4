/* mutant: takes a host pointer for pinned memory, managed memory too; fails: classify/right_kind */
#include <cuda_runtime_api.h>

#include "exercise.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, p) != cudaSuccess) {
        (void)cudaGetLastError();
        return LAB2_NO_ANSWER;
    }
    if (!of.devicePointer)
        return LAB2_PLAIN;
    return of.hostPointer ? LAB2_PINNED : LAB2_DEVICE;
}
