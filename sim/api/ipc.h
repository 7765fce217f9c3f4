/**
 * @file ipc.h
 * @brief Memory and events of other processes (CUDA Runtime API: cudaIpc...).
 *
 * A process that shows device memory has its pages moved into a file of their own, which other processes find
 * by the handle (base/shared_file.h). One that opens it maps that file where an allocation of its own would
 * lie, on the device that is current: kernels and copies use it like any other, and it is not told apart from
 * that device's memory, as on two H200s. Who maps it keeps it, also when its owner frees it or ends.
 *
 * Both need the GPU process to be forked anew, as does the end of either (api/runtime.h).
 *
 * Of an event the processes share how often it was recorded, and by whom last. A record returns when its work
 * has really run, so for other processes it is done then. Virtual time does not go from process to process.
 */
#ifndef UMSIM_API_IPC_H
#define UMSIM_API_IPC_H

#include "../base/shared_file.h"
#include "../include/driver_types.h"
#include "../space/registry.h"

/** What a handle says; it has room for CUDA_IPC_HANDLE_SIZE bytes. */
struct umsim_ipc_handle {
    char mark[8];
    struct umsim_shared_file file;
    uint64_t bytes; /* of the allocation */
};

/** What processes know of an event that they share. */
struct umsim_ipc_event {
    _Atomic int32_t process; /* whose record was the last; 0: there was none */
};

/** The allocation goes: whatever it has to do with other processes ends. Called before it is released. */
void umsim_ipc_forget(struct umsim_alloc *allocation);

/** An event that other processes may open. @return NULL: there is no memory, or no descriptor */
struct umsim_ipc_event *umsim_ipc_event_make(struct umsim_shared_file *out);
/** One of another process's. @return NULL: there is none (any more) */
struct umsim_ipc_event *umsim_ipc_event_open(const struct umsim_shared_file *file);
void umsim_ipc_event_close(struct umsim_ipc_event *event);

#endif
