/**
 * @file runtime.h
 * @brief What every entry point of the CUDA API begins and ends with.
 *
 *     cudaError_t cudaSomething(void *p, size_t bytes)
 *     {
 *         UMSIM_ENTER(cudaSomething, p, bytes);
 *         ...
 *         return umsim_leave(cudaSuccess);
 *     }
 *
 * UMSIM_ENTER starts the simulator at the first call and takes the lock. It returns at once where the call
 * cannot be made: after a sticky error, in a child of fork(), or when UMSIM_FAIL says so. umsim_leave()
 * releases the lock and remembers the error for cudaGetLastError(). An error that either returns is explained
 * from the arguments that UMSIM_ENTER was given (refused.h).
 */
#ifndef UMSIM_RUNTIME_H
#define UMSIM_RUNTIME_H

#include "call.h"
#include "../include/cuda_runtime_api.h"
#include "../base/clock.h"
#include "../base/devices.h"
#include "../base/machine.h"
#include "../queue/queue.h"
#include "../space/managed.h"
#include "../base/sticky.h"
#include "../model/cost.h"

/** Whether a call needs the device. Most do; some answer in any state. */
enum umsim_entry { UMSIM_NEEDS_DEVICE, UMSIM_ANSWERS_ALWAYS };

/** @return cudaSuccess, with the lock held; or the error that the call returns, without the lock */
cudaError_t umsim_enter(struct umsim_api_call *call, enum umsim_entry entry);

/**
 * Releases the lock.
 * @return `error`
 */
cudaError_t umsim_leave(cudaError_t error);

/**
 * Remembers an error for cudaGetLastError(). Called without the lock.
 * @return `error`
 */
cudaError_t umsim_remember(cudaError_t error);

/** The same for a call that is refused before it has been entered. */
cudaError_t umsim_refuse(const struct umsim_api_call *call, cudaError_t error);

/* For functions that serve several calls and are told the call's name at run time. */
#define UMSIM_ENTER_CALL(name, names, entry, ...) UMSIM_BEGIN(name, names, false, entry, ##__VA_ARGS__)
/* Whether it destroys something is known when this is compiled. */
#define UMSIM_ENTER_AS(call, entry, ...)                                                                     \
    UMSIM_BEGIN(#call, #__VA_ARGS__, __builtin_strstr(#call, "Destroy") ? true : false, entry, ##__VA_ARGS__)
#define UMSIM_ENTER(call, ...) UMSIM_ENTER_AS(call, UMSIM_NEEDS_DEVICE, ##__VA_ARGS__)
#define UMSIM_BEGIN(name, names, destroys, entry, ...)                                                       \
    const struct umsim_argument arguments_[] = {UMSIM_ARGUMENTS(__VA_ARGS__)};                               \
    struct umsim_api_call call_ = {name, names, arguments_, NULL, NULL, destroys, 0};                        \
    const cudaError_t entered_ = umsim_enter(&call_, entry);                                                 \
    if (entered_ != cudaSuccess)                                                                             \
    return umsim_remember(entered_)

/** Charges the host thread the time that a call takes. */
static inline void umsim_spend(enum umsim_call call)
{
    umsim_clock_advance(umsim_cost_call(&umsim_machine_of(umsim_device())->costs, call));
}

/**
 * Ends a call that waited.
 * @param before the clock when the call began; if it has not moved, there was nothing to wait for
 */
static inline void umsim_spend_wait(uint64_t before)
{
    umsim_managed_reassert();
    umsim_spend(umsim_clock_now() > before ? UMSIM_CALL_SYNCHRONIZE : UMSIM_CALL_SYNCHRONIZE_IDLE);
}

static inline void umsim_spend_allocation(enum umsim_allocation_call call, uint64_t bytes)
{
    umsim_clock_advance(umsim_cost_allocation(&umsim_machine_of(umsim_device())->costs, call, bytes));
}

/**
 * The chunks that small allocations of cudaMalloc and of cudaMallocHost share. The price of these calls, and
 * of the calls that free the memory, depends on them.
 */
extern struct umsim_chunks umsim_device_chunks, umsim_pinned_chunks;

static inline void umsim_spend_chunked(enum umsim_allocation_call call, uint64_t bytes,
                                       struct umsim_chunks *chunks)
{
    umsim_clock_advance(
        umsim_cost_small_allocation(&umsim_machine_of(umsim_device())->costs, call, bytes, chunks));
}

/** Runs everything that was issued to the current device, or to all devices, and moves the calling thread's
 * clock to its end. @{ */
void umsim_wait_for_device(void);
void umsim_wait_for_devices(void);
/** @} */

/** The same for a device, when what all devices were given to do has to have run, too. */
void umsim_wait_for(unsigned device);

/** Runs everything that was issued, and forks the GPU process anew, so that it has the shared memory that the
 * host has now. */
cudaError_t umsim_gpu_anew(void);

/**
 * The stream behind a handle: the legacy stream for NULL and cudaStreamLegacy, this thread's own stream for
 * cudaStreamPerThread.
 * @return NULL when the handle is invalid
 */
struct umsim_stream *umsim_stream_of(cudaStream_t handle);

/** Whether the program sees a device of this number. */
static inline int umsim_is_device(int device)
{
    return device >= 0 && (unsigned)device < umsim_devices;
}

/** @name What the driver API asks (driver/context.c)
 * A call of the runtime's makes the primary context current where a thread has none; cudaSetDevice() does so
 * in any case.
 * @{ */
enum umsim_primary { UMSIM_PRIMARY_NOT_WANTED, UMSIM_PRIMARY_IF_NONE, UMSIM_PRIMARY_ALWAYS };
void umsim_want_primary(enum umsim_primary how);
/** What this thread's calls have asked for since it was asked last. */
enum umsim_primary umsim_primary_wanted(void);
/** Whether the program has called the runtime with this device current. */
bool umsim_runtime_is_used(unsigned device);
/** The same, or has asked it something that needs no device. */
bool umsim_runtime_is_called(void);
/** @} */

/** The last error of this thread. */
extern __thread cudaError_t umsim_last_error __attribute__((tls_model("initial-exec")));

struct umsim_kernel;

/** A launch that a client asks for (server/channel.h). */
struct umsim_client_launch {
    dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
    bool cooperative;
};
/** Launches a kernel with its parameters as the client's stub has put them together. */
cudaError_t umsim_launch_for_client(const struct umsim_kernel *kernel, const struct umsim_client_launch *how,
                                    const void *closure, size_t bytes);
/** The same for the graph's node that is described next: umsim_launch_describe() takes it, and not the
 * parameters that a client's structure points to. NULL: there is none. `closure` stays the caller's. */
void umsim_launch_clients_node(const struct umsim_kernel *kernel, const void *closure, size_t bytes);

#endif
