/**
 * @file runtime.h
 * @brief What every entry point of the CUDA API begins and ends with.
 *
 *     cudaError_t cudaSomething(...)
 *     {
 *         UMSIM_ENTER(cudaSomething);
 *         ...
 *         return umsim_leave(cudaSuccess);
 *     }
 *
 * UMSIM_ENTER starts the simulator at the first call, takes the lock, and returns at once where the call
 * cannot be made: a sticky error, a child of fork(), UMSIM_FAIL. umsim_leave() gives the lock back and
 * remembers the error for cudaGetLastError().
 */
#ifndef UMSIM_RUNTIME_H
#define UMSIM_RUNTIME_H

#include "../include/cuda_runtime_api.h"
#include "../base/clock.h"
#include "../base/machine.h"
#include "../queue/queue.h"
#include "../base/sticky.h"
#include "../model/cost.h"

/** What a call needs: most need the device; some answer in any state. */
enum umsim_entry { UMSIM_NEEDS_DEVICE, UMSIM_ANSWERS_ALWAYS };

/** @return cudaSuccess with the lock held, or what the call returns without it. */
cudaError_t umsim_enter(const char *call, enum umsim_entry entry);

/** Gives the lock back. @return `error` */
cudaError_t umsim_leave(cudaError_t error);

/** Remembers an error for cudaGetLastError(), without the lock. @return `error` */
cudaError_t umsim_remember(cudaError_t error);

#define UMSIM_ENTER_AS(call, entry)                                                                          \
    do {                                                                                                     \
        cudaError_t entered_ = umsim_enter(#call, entry);                                                    \
        if (entered_ != cudaSuccess)                                                                         \
            return umsim_remember(entered_);                                                                 \
    } while (0)
#define UMSIM_ENTER(call) UMSIM_ENTER_AS(call, UMSIM_NEEDS_DEVICE)

/** Time that a call takes the host thread. */
static inline void umsim_spend(enum umsim_call call)
{
    umsim_clock_advance(umsim_cost_call(&umsim_machine.costs, call));
}

/** The end of a call that waited. @param before the clock when it began: it may have found nothing to wait
 * for */
static inline void umsim_spend_wait(uint64_t before)
{
    umsim_spend(umsim_clock_now() > before ? UMSIM_CALL_SYNCHRONIZE : UMSIM_CALL_SYNCHRONIZE_IDLE);
}

static inline void umsim_spend_allocation(enum umsim_allocation_call call, uint64_t bytes)
{
    umsim_clock_advance(umsim_cost_allocation(&umsim_machine.costs, call, bytes));
}

/** ... of memory whose small allocations share chunks: cudaMalloc's and cudaMallocHost's, and what frees
 * them. */
extern struct umsim_chunks umsim_device_chunks, umsim_pinned_chunks;

static inline void umsim_spend_chunked(enum umsim_allocation_call call, uint64_t bytes,
                                       struct umsim_chunks *chunks)
{
    umsim_clock_advance(umsim_cost_small_allocation(&umsim_machine.costs, call, bytes, chunks));
}

/** Runs everything issued and moves the calling thread's clock behind it. */
void umsim_wait_for_device(void);

/** The stream behind a handle: NULL and cudaStreamLegacy the legacy stream, cudaStreamPerThread this thread's
 * own.
 *  @return NULL for a handle that is none */
struct umsim_stream *umsim_stream_of(cudaStream_t handle);

/** Whether the profile's machine has device `device`. */
static inline int umsim_is_device(int device)
{
    return device == 0;
}

/** The last error of this thread. */
extern __thread cudaError_t umsim_last_error __attribute__((tls_model("initial-exec")));

#endif
