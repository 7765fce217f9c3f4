/**
 * @file main.c
 * @brief `make fidelity`'s program of one device: does the matrix of workloads on this backend, and prints
 * each cell's samples. cells.c says how to call it.
 */
#include "cells.h"

#include <stdio.h>
#include <cuda_runtime_api.h>

#include "um_backend.h"
#include "um_check.h"

static bool usable(void)
{
    if (!um_device()->concurrent_managed)
        fprintf(stderr, "fidelity: this device has no concurrent managed access\n");
    return um_device()->concurrent_managed;
}

static bool warm_up(void)
{
    volatile char *managed = NULL;
    bool good = false;

    UM_TRY(cudaMallocManaged((void **)(void *)&managed, MIB, cudaMemAttachGlobal));
    *managed = 1;
    UM_TRY(cudaMemset((void *)managed, 0, MIB));
    UM_TRY(cudaDeviceSynchronize());
    good = *managed == 0;
cleanup:
    (void)cudaFree((void *)managed);
    return good;
}

static bool timed(void)
{
    return cells_of_allocations() && cells_of_calls() && cells_of_copies() && cells_of_kernels();
}

int main(int argc, char **argv)
{
    static const struct cells_program program = {"fidelity", 1,     usable,
                                                 warm_up,    timed, cells_of_managed_memory};
    return cells_main(argc, argv, &program);
}
