/**
 * @file dumps.cu
 * @brief Programs that die, with core dumps on: how long it takes and how much is written, run.py judges.
 */
#include "robust.h"

static int *device;

static void begin()
{
    int *managed = managed_ints(1 << 20);

    NEED(cudaMalloc((void **)&device, 64 << 20));
    gpu_adds(managed, 1, 1 << 20);
    gpu_adds(device, 1, 1 << 20);
}

static void stores_to_NULL()
{
    begin();
    *(volatile int *)NULL = 1;
}

static void stores_to_device_memory()
{
    begin();
    *(volatile int *)device = 1;
}

static void aborts()
{
    begin();
    abort();
}

ROBUST_CASES({"stores-to-NULL", stores_to_NULL}, {"stores-to-device-memory", stores_to_device_memory},
             {"aborts", aborts})
