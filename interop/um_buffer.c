/**
 * @file um_buffer.c
 * @brief Implementation of um_buffer.h: the registry of buffers, with their handles and references.
 *
 * No CUDA call is made while the registry's lock is held, so a slow call keeps no other thread waiting.
 */
#include "um_hold.h"

#include "um_check.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A handle is its slot's index plus 1, and above that the number of times that the slot had been used
 * before. A slot whose count would wrap around is never used again. */
#define SLOT_BITS 32
#define USES_MAX UINT32_MAX

struct slot {
    uint32_t uses; /* of the handle given last */
    bool alive;
    struct um_buffer_info info;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static size_t slots_made;
static bool forked; /* this process is a child of one that had begun to use CUDA */

static _Thread_local char error_text[512];

/* ---- errors ---- */

cudaError_t um_fail(cudaError_t error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return error;
}

cudaError_t um_called(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return error;
    (void)cudaGetLastError(); /* the error is reported here, so the next launch must not report it again */
    return um_fail(error, "%s: %s (%d). Usually: %s", call, cudaGetErrorName(error), (int)error,
                   um_hint(error));
}

const char *um_error_text(void)
{
    return error_text;
}

/* ---- forks ---- */

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    forked = true;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

cudaError_t um_not_forked(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    if (!forked)
        return cudaSuccess;
    return um_fail(
        cudaErrorInitializationError,
        "this process was forked after its parent had begun to use CUDA, which does not survive a fork. "
        "Start workers before the first CUDA call, or start them anew (multiprocessing: method 'spawn')");
}

/* ---- slots; the lock is held ---- */

static struct slot *slot_of(um_buffer buffer)
{
    size_t place = (size_t)(uint32_t)buffer;
    struct slot *slot;
    if (place == 0 || place > slots_made)
        return NULL;
    slot = &slots[place - 1];
    return slot->alive && slot->uses == (uint32_t)(buffer >> SLOT_BITS) ? slot : NULL;
}

static um_buffer handle_of(const struct slot *slot)
{
    return (um_buffer)slot->uses << SLOT_BITS | (uint64_t)(slot - slots + 1);
}

static struct slot *free_slot(void)
{
    const size_t made = slots_made, wanted = 2 * made + 16;
    struct slot *more;
    for (size_t i = 0; i < made; i++) {
        if (!slots[i].alive && slots[i].uses < USES_MAX)
            return &slots[i];
    }
    more = wanted < UINT32_MAX ? realloc(slots, wanted * sizeof *slots) : NULL;
    if (!more)
        return NULL;
    memset(more + made, 0, (wanted - made) * sizeof *more);
    slots = more;
    slots_made = wanted;
    return &slots[made];
}

static um_buffer enter(const struct um_buffer_info *info)
{
    um_buffer handle = 0;
    struct slot *slot;
    pthread_mutex_lock(&lock);
    slot = free_slot();
    if (slot) {
        slot->uses++;
        slot->info = *info;
        slot->info.references = 1;
        slot->alive = true;
        handle = handle_of(slot);
    }
    pthread_mutex_unlock(&lock);
    return handle;
}

/* ---- CUDA's side ---- */

static const char *const names[] = {[UM_MEMORY_DEVICE] = "device",
                                    [UM_MEMORY_PINNED] = "pinned",
                                    [UM_MEMORY_MAPPED] = "mapped",
                                    [UM_MEMORY_MANAGED] = "managed"};
#define KINDS (sizeof names / sizeof *names)

static cudaError_t allocate(int memory, uint64_t bytes, void **p)
{
    switch (memory) {
    case UM_MEMORY_DEVICE:
        return um_called(cudaMalloc(p, bytes), "cudaMalloc");
    case UM_MEMORY_PINNED:
        return um_called(cudaHostAlloc(p, bytes, cudaHostAllocDefault), "cudaHostAlloc");
    case UM_MEMORY_MAPPED:
        return um_called(cudaHostAlloc(p, bytes, cudaHostAllocMapped), "cudaHostAlloc");
    default:
        return um_called(cudaMallocManaged(p, bytes, cudaMemAttachGlobal), "cudaMallocManaged");
    }
}

static cudaError_t give_back(const struct um_buffer_info *info)
{
    void *p = (void *)(uintptr_t)info->address; // NOLINT(performance-no-int-to-ptr): it came from there
    if (info->adopted)
        return cudaSuccess;
    if (info->memory == UM_MEMORY_PINNED || info->memory == UM_MEMORY_MAPPED)
        return um_called(cudaFreeHost(p), "cudaFreeHost");
    return um_called(cudaFree(p), "cudaFree");
}

/* What CUDA says of an address. cudaErrorInvalidValue, with a text, when the address is not CUDA's. */
static cudaError_t ask_cuda(const void *p, struct cudaPointerAttributes *it)
{
    cudaError_t error = um_called(cudaPointerGetAttributes(it, p), "cudaPointerGetAttributes");
    if (error == cudaSuccess && it->type == cudaMemoryTypeUnregistered)
        return um_fail(
            cudaErrorInvalidValue,
            "%p is not CUDA's: memory of malloc() or of an array in host memory, or freed already. Copy it "
            "into a buffer, or register it (cudaHostRegister)",
            p);
    return error;
}

static cudaError_t look_at(struct um_buffer_info *info)
{
    const char *first = (const char *)(uintptr_t)info->address; // NOLINT(performance-no-int-to-ptr)
    struct cudaPointerAttributes one, last;
    cudaError_t error = ask_cuda(first, &one);
    if (error == cudaSuccess)
        error = ask_cuda(first + info->bytes - 1, &last);
    if (error != cudaSuccess)
        return error;
    if (one.type != last.type)
        return um_fail(cudaErrorInvalidValue,
                       "%p and the %" PRIu64 " bytes from there are not of one kind of memory",
                       (const void *)first, info->bytes);
    info->device_address = (uint64_t)(uintptr_t)one.devicePointer;
    info->device = one.device;
    info->host_visible = one.hostPointer != NULL;
    if (info->adopted)
        info->memory = one.type == cudaMemoryTypeManaged ? UM_MEMORY_MANAGED
                       : one.type == cudaMemoryTypeHost  ? UM_MEMORY_MAPPED
                                                         : UM_MEMORY_DEVICE;
    return cudaSuccess;
}

/* ---- for everybody ---- */

cudaError_t um_buffer_create(int memory, uint64_t bytes, um_buffer *out)
{
    struct um_buffer_info info = {.bytes = bytes, .memory = memory};
    void *p = NULL;
    cudaError_t error = um_not_forked();
    *out = 0;
    if (error != cudaSuccess)
        return error;
    if (memory < 0 || memory >= (int)KINDS)
        return um_fail(cudaErrorInvalidValue,
                       "%d is no kind of memory: 0 device, 1 pinned, 2 mapped, 3 managed", memory);
    if (bytes == 0)
        return um_fail(cudaErrorInvalidValue,
                       "a buffer of 0 bytes has no address to share: ask for 1 at least");
    error = allocate(memory, bytes, &p);
    if (error != cudaSuccess)
        return error;
    info.address = (uint64_t)(uintptr_t)p;
    error = look_at(&info);
    if (error == cudaSuccess && !(*out = enter(&info)))
        error =
            um_fail(cudaErrorMemoryAllocation, "no host memory is left to keep account of one more buffer");
    if (error != cudaSuccess)
        (void)give_back(&info);
    return error;
}

cudaError_t um_buffer_adopt(const void *address, uint64_t bytes, um_buffer *out)
{
    struct um_buffer_info info = {.address = (uint64_t)(uintptr_t)address, .bytes = bytes, .adopted = 1};
    cudaError_t error = um_not_forked();
    *out = 0;
    if (error != cudaSuccess)
        return error;
    if (!address || bytes == 0 || bytes - 1 > UINT64_MAX - info.address)
        return um_fail(cudaErrorInvalidValue, "%" PRIu64 " bytes from %p on are no memory", bytes, address);
    error = look_at(&info);
    if (error == cudaSuccess && !(*out = enter(&info)))
        error =
            um_fail(cudaErrorMemoryAllocation, "no host memory is left to keep account of one more buffer");
    return error;
}

static cudaError_t stale(um_buffer buffer)
{
    return um_fail(cudaErrorInvalidResourceHandle,
                   "handle %#" PRIx64 " is no living buffer: it was freed already, or never given out",
                   buffer);
}

cudaError_t um_buffer_describe(um_buffer buffer, struct um_buffer_info *out)
{
    struct slot *slot;
    pthread_mutex_lock(&lock);
    slot = slot_of(buffer);
    if (slot)
        *out = slot->info;
    pthread_mutex_unlock(&lock);
    return slot ? cudaSuccess : stale(buffer);
}

cudaError_t um_buffer_retain(um_buffer buffer)
{
    struct um_buffer_info info = {0};
    struct slot *slot;
    cudaError_t error = um_not_forked();
    if (error != cudaSuccess)
        return error;
    pthread_mutex_lock(&lock);
    slot = slot_of(buffer);
    if (slot) {
        slot->info.references++;
        info = slot->info;
    }
    pthread_mutex_unlock(&lock);
    if (!slot)
        return stale(buffer);
    if (info.adopted)
        error = look_at(&info);
    if (error != cudaSuccess)
        (void)um_buffer_release(buffer);
    return error;
}

/* Drops one reference, if at most `most` existed before. */
static cudaError_t let_go(um_buffer buffer, uint64_t most)
{
    struct um_buffer_info info = {0};
    struct slot *slot;
    bool last = false;
    pthread_mutex_lock(&lock);
    slot = slot_of(buffer);
    if (slot) {
        info = slot->info;
        if (info.references <= most) {
            slot->info.references--;
            last = slot->info.references == 0;
            slot->alive = !last;
        }
    }
    pthread_mutex_unlock(&lock);
    if (!slot)
        return stale(buffer);
    if (info.references > most)
        return um_fail(
            cudaErrorNotPermitted,
            "the buffer at %#" PRIx64 " (%" PRIu64 " bytes, %s) is in use by %" PRIu64
            " others: views, tensors or work being queued. Drop them first; the last one to go frees it",
            info.address, info.bytes, names[info.memory], info.references - 1);
    return last && !forked ? give_back(&info) : cudaSuccess;
}

cudaError_t um_buffer_release(um_buffer buffer)
{
    return let_go(buffer, UINT64_MAX);
}

cudaError_t um_buffer_free(um_buffer buffer)
{
    return let_go(buffer, 1);
}

cudaError_t um_hold(um_buffer buffer, uint64_t offset, uint64_t bytes, struct um_buffer_info *out)
{
    cudaError_t error = um_buffer_retain(buffer);
    if (error != cudaSuccess)
        return error;
    error = um_buffer_describe(buffer, out);
    if (error == cudaSuccess && (offset > out->bytes || bytes > out->bytes - offset))
        error = um_fail(cudaErrorInvalidValue,
                        "bytes %" PRIu64 " to %" PRIu64 " + %" PRIu64 " do not lie in a buffer of %" PRIu64
                        " bytes",
                        offset, offset, bytes, out->bytes);
    if (error != cudaSuccess)
        (void)um_buffer_release(buffer);
    return error;
}

um_buffer um_buffer_find(const void *address, uint64_t *offset)
{
    const uint64_t wanted = (uint64_t)(uintptr_t)address;
    um_buffer found = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < slots_made && !found; i++) {
        if (slots[i].alive && wanted - slots[i].info.address < slots[i].info.bytes) {
            found = handle_of(&slots[i]);
            *offset = wanted - slots[i].info.address;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void um_buffer_alive(uint64_t *buffers, uint64_t *bytes)
{
    *buffers = *bytes = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < slots_made; i++) {
        *buffers += slots[i].alive;
        *bytes += slots[i].alive && !slots[i].info.adopted ? slots[i].info.bytes : 0;
    }
    pthread_mutex_unlock(&lock);
}
