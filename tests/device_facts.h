/**
 * @file device_facts.h
 * @brief What conformance/ and faults/ ask about the device, each once, in a child: their runners must not
 * call CUDA then.
 */
#ifndef TESTS_DEVICE_FACTS_H
#define TESTS_DEVICE_FACTS_H

#include <stdbool.h>
#include <stdio.h>

#include "um_backend.h"
#include "um_cuda_compat.h"
#include "um_test.h"

struct device_facts {
    bool there;
    char reason[200];    /**< why it is not there */
    int pageable_access; /**< kernels may follow malloc's pointers */
    int concurrent_managed, managed, can_map_host, host_register;
};

/** A child's body: fills in the struct device_facts at `area`. */
static inline void device_facts_ask(void *area)
{
    struct device_facts *facts = area;
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaFree(NULL);
    if (error != cudaSuccess) {
        snprintf(facts->reason, sizeof facts->reason, "no usable GPU: %s", cudaGetErrorName(error));
        return;
    }
    facts->there = true;
    facts->pageable_access = um_attribute(cudaDevAttrPageableMemoryAccess, 0, 0);
    facts->concurrent_managed = um_attribute(cudaDevAttrConcurrentManagedAccess, 0, 0);
    facts->managed = um_attribute(cudaDevAttrManagedMemory, 0, 0);
    facts->can_map_host = um_attribute(cudaDevAttrCanMapHostMemory, 0, 0);
    facts->host_register = um_attribute(cudaDevAttrHostRegisterSupported, 0, 0);
}

/** Skips the running test where kernels may follow the host's pointers: on a device with
 * pageableMemoryAccess, and on the simulator under AddressSanitizer. */
static inline void device_facts_need_separate(const struct device_facts *facts)
{
    if (facts->pageable_access)
        UM_SKIP("pageableMemoryAccess is 1: kernels may follow the host's pointers on this device");
#ifdef __SANITIZE_ADDRESS__
    if (um_is_sim())
        UM_SKIP("AddressSanitizer's shadow is private memory: the simulator leaves the host's open");
#endif
}

/** For um_test_cannot_run(). On a machine without a GPU all tests are skipped. The simulator is always there:
 * if it is not, or if asking ended in a crash, the tests fail one by one. */
static inline const char *device_facts_reason(const struct device_facts *facts)
{
    return um_is_sim() || facts->there || facts->reason[0] == '\0' ? NULL : facts->reason;
}

#endif
