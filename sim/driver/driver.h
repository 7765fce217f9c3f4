/**
 * @file driver.h
 * @brief What every entry point of the driver API begins and ends with.
 *
 *     CUresult cuSomething(CUdeviceptr dptr, size_t bytes)
 *     {
 *         UMSIM_DRIVER(cuSomething, UMSIM_NEEDS_CONTEXT);
 *         return umsim_result(cudaSomething((void *)dptr, bytes));
 *     }
 *
 * The driver API is a second face of the runtime: a call checks what only the driver has (that cuInit() was
 * called, that the thread has a context, arguments that the runtime does not know), then calls the runtime's
 * function, and translates its error (result.c). Streams, events, graphs, pools and addresses are the same in
 * both, so programs may mix them. While the call is under way the runtime knows it by its own name
 * (base/foreign_call.h).
 */
#ifndef UMSIM_DRIVER_H
#define UMSIM_DRIVER_H

#include "../api/runtime.h"
#include "../base/foreign_call.h"
#include "../include/cuda.h"

#include <stdbool.h>

/** What has to be there before a call. */
enum umsim_driver_needs {
    UMSIM_NEEDS_NOTHING, /* answers at any time */
    UMSIM_NEEDS_INIT,    /* cuInit(), or a call of the runtime's */
    UMSIM_NEEDS_CONTEXT, /* also a current context */
};

/** A call under way. */
struct umsim_driver_frame {
    struct umsim_foreign_call call;
    const struct umsim_foreign_call *outer;
    bool entered;
    bool per_thread; /* stream 0 is the thread's own */
};

/** @return CUDA_SUCCESS, or what the call returns */
CUresult umsim_driver_enter(struct umsim_driver_frame *frame, enum umsim_driver_needs needs);
/** Ends a call, by whatever way it is left. */
void umsim_driver_leave(struct umsim_driver_frame *frame);

#define UMSIM_DRIVER(name, needs)                                                                            \
    __attribute__((cleanup(umsim_driver_leave))) struct umsim_driver_frame frame_ = {                        \
        {#name, __builtin_return_address(0)}, NULL, false, false};                                           \
    const CUresult entered_ = umsim_driver_enter(&frame_, needs);                                            \
    if (entered_)                                                                                            \
    return entered_

/** The stream that a call means: 0 may be the thread's own (per_thread.c). */
#define UMSIM_STREAM(handle) ((handle) || !frame_.per_thread ? (cudaStream_t)(handle) : cudaStreamPerThread)
/** The stream of a call that names none. */
#define UMSIM_STREAM_0 (frame_.per_thread ? cudaStreamPerThread : cudaStreamLegacy)

/** Till the end of the block another device is current: that of a stream, a function or a context which a
 * call names. */
static inline void umsim_device_restore(const unsigned *before)
{
    umsim_device_set(*before);
}
#define UMSIM_AS_DEVICE(device)                                                                              \
    __attribute__((cleanup(umsim_device_restore))) const unsigned before_ = umsim_device_set(device)

/** The next call of this thread has the thread's own stream as stream 0. */
void umsim_driver_per_thread(void);

/** The driver's number for an error of the runtime's. */
CUresult umsim_result(cudaError_t error);

/** An address of the device's as a pointer, and back. */
static inline void *umsim_pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}
static inline CUdeviceptr umsim_address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

#endif
