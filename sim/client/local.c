/**
 * @file local.c
 * @brief What a client answers by itself, because it has nothing to do with the GPU: names of errors,
 * descriptors of channels, what never happens in this process.
 */
#include "client.h"
#include "../base/error_names.h"
#include "umsim.h"
#include "umsim_grading.h"
#include "umsim_price.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

__thread struct umsim_builtins umsim_builtins __attribute__((tls_model("initial-exec")));

const char *cudaGetErrorName(cudaError_t error)
{
    return umsim_error_name(error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return umsim_error_words(error);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

int umsim_in_kernel(void)
{
    return 0;
}

/* Asked by kernels only, which do not run here. */
int umsim_kernel_device(int *count)
{
    if (count)
        *count = 1;
    return 0;
}

uint64_t umsim_keyed(const volatile void *place, const void *frame, enum umsim_keyed_kind kind,
                     enum umsim_keyed_use use, uint64_t bits)
{
    (void)place, (void)frame, (void)kind, (void)use;
    return bits;
}

void umsim_keyed_refuse(const volatile void *place, uint64_t bytes)
{
    (void)place, (void)bytes;
}

bool umsim_is_grading(void)
{
    return true;
}

int umsim_gpu_pid(void)
{
    return 0;
}

const char *umsim_profile_name(void)
{
    return "graded";
}

/* What other kinds of memory would take is for a graded program to think out. */
cudaError_t umsim_price_machine(const struct umsim_profile **machine)
{
    *machine = NULL;
    return cudaErrorNotPermitted;
}

void umsim_trace_phase(const char *row, const char *phase)
{
    (void)row, (void)phase;
}

void umsim_grading_settle(void)
{
    const struct umsim_message message = {.kind = UMSIM_CLIENT_SETTLE};
    umsim_client_say(&message, NULL, NULL);
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count)
{
    if (!data || !dataSizes || !attributes || !numAttributes)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < numAttributes; i++) {
        const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], dataSizes[i], attributes[i], devPtr, count);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    (void)graph, (void)path, (void)flags;
    fprintf(stderr, "umlab: cudaGraphDebugDotPrint() writes no file in a graded program\n");
    return cudaErrorNotSupported;
}
