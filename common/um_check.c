/**
 * @file um_check.c
 * @brief Implementation of um_check.h: reports failed calls, and holds the table of hints.
 */
#include "um_check.h"

#include <stdio.h>

/* What each error usually means in programs about memory. The order is that of the numbers. */
static const struct um_hint_row hints[] = {
    {cudaErrorInvalidValue, "an argument does not fit: a size beyond the allocation, a pointer of another "
                            "kind than the call wants (freed, host where device is meant), a direction that "
                            "does not match, or a grid or block beyond the limits"},
    {cudaErrorMemoryAllocation, "there is not that much memory of this kind left: ask for less (--size), or "
                                "free what is no longer used"},
    {cudaErrorInitializationError,
     "the CUDA runtime could not start; in a process that was forked after CUDA had started, it never can"},
    {cudaErrorInvalidConfiguration,
     "the launch asks for more threads, blocks or shared memory than the device has"},
    {cudaErrorInvalidSymbol, "the symbol is no __device__ or __constant__ variable of this program"},
    {cudaErrorInvalidMemcpyDirection, "the last argument of the copy is none of cudaMemcpyKind's values"},
    {cudaErrorInsufficientDriver, "there is no NVIDIA driver, or it is older than this CUDA runtime"},
    {cudaErrorNoDevice, "no GPU is to be seen: none is there, or CUDA_VISIBLE_DEVICES hides it"},
    {cudaErrorInvalidDevice, "there is no device of that number; for a prefetch: it cannot page on demand"},
    {cudaErrorNoKernelImageForDevice,
     "the program was built for another GPU architecture: build again with its ARCH"},
    {cudaErrorInvalidDeviceFunction,
     "the address is no kernel of this program, or none was built for this GPU"},
    {cudaErrorInvalidResourceHandle,
     "a stream, event or kernel that does not exist here: destroyed already, or never created"},
    {cudaErrorNotReady, "work is still running: that is an answer, not a failure; wait, or ask again"},
    {cudaErrorIllegalAddress,
     "a kernel followed a pointer that the GPU cannot reach, such as one from malloc or a freed one; "
     "everything after it returns this error too, until the process ends"},
    {cudaErrorLaunchOutOfResources,
     "the kernel needs more registers or shared memory than a block of this size may have"},
    {cudaErrorLaunchTimeout, "the kernel ran too long and was stopped: a loop that does not end?"},
    {cudaErrorHostMemoryAlreadyRegistered,
     "a part of this range is page-locked already: unregister it first"},
    {cudaErrorHostMemoryNotRegistered,
     "this range was never page-locked with cudaHostRegister, or is so no longer"},
    {cudaErrorMisalignedAddress,
     "a kernel used an address that is not a multiple of the size it reads or writes"},
    {cudaErrorLaunchFailure, "the kernel died in a way that the device cannot tell more about"},
    {cudaErrorDevicesUnavailable, "the device is held by another process, or has failed earlier in this one"},
    {cudaErrorNotPermitted, "this is not allowed now, for example while a stream is being captured"},
    {cudaErrorNotSupported,
     "this device or this runtime does not offer that: its attributes say what it does offer"},
    {cudaErrorOperatingSystem,
     "the operating system refused: a limit on locked memory or mappings may be too low"},
    {cudaErrorUnknown, "the driver gave no reason; its log (dmesg) may have one"},
};

const struct um_hint_row *um_hint_table(size_t *count)
{
    *count = sizeof hints / sizeof hints[0];
    return hints;
}

const char *um_hint(cudaError_t error)
{
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (hints[i].error == error)
            return hints[i].sentence;
    }
    return "the CUDA runtime's manual, chapter Data types, cudaError_t, says when this is returned";
}

bool um_check(cudaError_t error, const char *expression, const char *file, int line)
{
    if (error == cudaSuccess)
        return true;
    fflush(stdout); /* print the output before the failure first */
    fprintf(stderr, "%s:%d: %s failed.\n  error    %s (%d): %s\n  usually  %s\n", file, line, expression,
            cudaGetErrorName(error), (int)error, cudaGetErrorString(error), um_hint(error));
    return false;
}

bool um_need(bool true_enough, const char *expression, const char *file, int line)
{
    if (true_enough)
        return true;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s gave nothing: not enough memory?\n", file, line, expression);
    return false;
}
