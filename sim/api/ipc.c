/**
 * @file ipc.c
 * @brief Implementation of ipc.h: memory.
 *
 * Which mistakes are told, and how, follows two H200s (driver 580).
 */
#include "ipc.h"
#include "array.h"
#include "memory.h"
#include "runtime.h"
#include "../base/layout.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../check/check.h"
#include "../space/views.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct umsim_ipc_handle) <= CUDA_IPC_HANDLE_SIZE, "it fits");
_Static_assert(sizeof(cudaIpcMemHandle_t) == CUDA_IPC_HANDLE_SIZE, "one size");

#define MARK "umsimM1"

/* An allocation that this process has shown, or has opened. */
struct shared {
    struct umsim_alloc *allocation;
    struct umsim_shared_file file;
    unsigned opened; /* how often; 0: it is our own */
    struct shared *next;
};

static struct shared *all;

static struct shared *of(const struct umsim_alloc *allocation)
{
    struct shared *it = all;
    while (it && it->allocation != allocation)
        it = it->next;
    return it;
}

static struct shared *add(struct umsim_alloc *allocation, const struct umsim_shared_file *file,
                          unsigned opened)
{
    struct shared *it = malloc(sizeof *it);
    if (!it)
        return NULL;
    *it = (struct shared){allocation, *file, opened, all};
    all = it;
    return it;
}

static void drop(struct shared *it)
{
    struct shared **link = &all;
    while (*link != it)
        link = &(*link)->next;
    *link = it->next;
    free(it);
}

static struct umsim_arena *arena(void)
{
    return &umsim_arenas[UMSIM_ARENA_DEVICE];
}

static bool is_zero(const char *p)
{
    return *p == 0 && memcmp(p, p + 1, UMSIM_PAGE - 1) == 0;
}

/* ---- what is shown ---- */

/* Pages that nothing was written to stay without memory. */
static void write_pages(int file, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += UMSIM_PAGE)
        if (!is_zero(from + at) && pwrite(file, from + at, UMSIM_PAGE, (off_t)at) != (ssize_t)UMSIM_PAGE)
            umsim_die("no memory to show %zu bytes to other processes", bytes);
}

/* Its pages get a file of their own, which others can open. */
static cudaError_t show(struct umsim_alloc *allocation, struct shared **out)
{
    struct umsim_shared_file file;
    umsim_queue_finish_all();
    if (!umsim_shared_file_make(&file, allocation->reserved))
        return cudaErrorMemoryAllocation;
    write_pages(file.file, arena()->window + (allocation->base - arena()->base), allocation->reserved);
    umsim_arena_discard(arena(), allocation->base, allocation->reserved);
    *out = add(allocation, &file, 0);
    allocation->shown = true;
    if (!*out || !umsim_arena_back(arena(), allocation->base, allocation->reserved, file.file))
        umsim_die("no memory to show %zu bytes to other processes", allocation->bytes);
    return umsim_gpu_anew();
}

static cudaError_t get_handle(cudaIpcMemHandle_t *out, void *p)
{
    struct umsim_alloc *allocation = umsim_registry_find(p);
    struct shared *it = allocation ? of(allocation) : NULL;
    if (!out || !allocation || allocation->memory != UMSIM_DEVICE || allocation->pool ||
        allocation->of_graph || allocation->borrowed)
        return cudaErrorInvalidValue;
    if (umsim_is_grading())
        return cudaErrorNotSupported;
    const cudaError_t error = it ? cudaSuccess : show(allocation, &it);
    if (error)
        return error;
    const struct umsim_ipc_handle handle = {MARK, it->file, allocation->bytes};
    memset(out, 0, sizeof *out);
    memcpy(out, &handle, sizeof handle);
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
    UMSIM_ENTER(cudaIpcGetMemHandle, handle, devPtr);
    return umsim_leave(get_handle(handle, devPtr));
}

/* ---- what is opened ---- */

static struct shared *opened_before(const struct umsim_shared_file *file)
{
    for (struct shared *it = all; it; it = it->next)
        if (memcmp(&it->file, file, sizeof *file) == 0 &&
            (!it->opened || it->allocation->device == umsim_device()))
            return it;
    return NULL;
}

static int open_file(const struct umsim_shared_file *file)
{
    const int descriptor = umsim_shared_file_open(file);
    if (descriptor < 0 && errno == EACCES)
        umsim_say("process %d may not be looked at, so its memory cannot be opened: run both as one user, in "
                  "one container",
                  (int)file->process);
    return descriptor;
}

static cudaError_t map(void **out, const struct umsim_ipc_handle *handle, const void *caller)
{
    const int file = open_file(&handle->file);
    if (file < 0)
        return cudaErrorInvalidValue;
    struct umsim_alloc *allocation =
        umsim_allocate(UMSIM_DEVICE, handle->bytes, "cudaIpcOpenMemHandle", caller);
    if (allocation)
        umsim_registry_borrowed(allocation);
    const bool mapped = allocation &&
                        umsim_arena_back(arena(), allocation->base, allocation->reserved, file) &&
                        add(allocation, &handle->file, 1);
    close(file);
    if (!mapped) {
        if (allocation && !umsim_arena_back(arena(), allocation->base, allocation->reserved, -1))
            umsim_die("no memory for a place of %zu bytes", allocation->reserved);
        if (allocation)
            umsim_release(allocation);
        return cudaErrorMemoryAllocation;
    }
    umsim_check_borrowed(allocation);
    *out = allocation->base;
    return umsim_gpu_anew();
}

static cudaError_t open_handle(void **out, const struct umsim_ipc_handle *handle, unsigned flags,
                               const void *caller)
{
    if (flags != cudaIpcMemLazyEnablePeerAccess || !out || strcmp(handle->mark, MARK) != 0)
        return cudaErrorInvalidValue;
    if (umsim_is_grading())
        return cudaErrorNotSupported;
    struct shared *before = opened_before(&handle->file);
    if (!before)
        return map(out, handle, caller);
    if (!before->opened) /* our own */
        return cudaErrorDeviceUninitialized;
    before->opened++;
    *out = before->allocation->base;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    UMSIM_ENTER(cudaIpcOpenMemHandle, devPtr, flags);
    struct umsim_ipc_handle it;
    memcpy(&it, &handle, sizeof it);
    it.mark[sizeof it.mark - 1] = 0;
    return umsim_leave(open_handle(devPtr, &it, flags, __builtin_return_address(0)));
}

static cudaError_t close_handle(void *p)
{
    struct umsim_alloc *allocation = umsim_registry_find(p);
    if (!allocation || !allocation->borrowed || allocation->base != p)
        return cudaErrorInvalidValue;
    if (--of(allocation)->opened)
        return cudaSuccess;
    umsim_wait_for(allocation->device);
    umsim_device_release(allocation);
    return umsim_sticky_error();
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr)
{
    UMSIM_ENTER(cudaIpcCloseMemHandle, devPtr);
    return umsim_leave(close_handle(devPtr));
}

/* The file is left to those who have it, and the place gets memory of its own. */
void umsim_ipc_forget(struct umsim_alloc *allocation)
{
    struct shared *it = of(allocation);
    if (!it)
        return;
    if (!allocation->borrowed)
        umsim_shared_file_close(&it->file);
    if (!umsim_arena_back(arena(), allocation->base, allocation->reserved, -1))
        umsim_die("no memory for a place of %zu bytes", allocation->reserved);
    drop(it);
    umsim_gpu_anew();
}
