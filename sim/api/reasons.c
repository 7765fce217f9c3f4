/**
 * @file reasons.c
 * @brief Implementation of reasons.h: the causes are asked one after another, the last ones fit any call.
 */
#include "reasons.h"
#include "capacity.h"
#include "device.h"
#include "memory.h"
#include "runtime.h"
#include "../base/error_names.h"
#include "../base/source_line.h"
#include "../fault/explain.h"
#include "../space/array.h"
#include "../space/modules.h"
#include "../space/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void umsim_reason_add(struct umsim_reason *reason, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int written =
        vsnprintf(reason->text + reason->used, sizeof reason->text - reason->used, format, values);
    va_end(values);
    reason->used += written > 0 ? (size_t)written : 0;
    if (reason->used >= sizeof reason->text)
        reason->used = sizeof reason->text - 1;
}

const void *umsim_argument_of(const struct umsim_api_call *call, enum umsim_argument_kind kind)
{
    for (const struct umsim_argument *it = call->arguments; it->kind != UMSIM_ARGUMENT_END; it++)
        if (it->kind == kind)
            return it->value;
    return NULL;
}

/* Where the name of argument `number` begins, in "devPtr, size". */
static const char *name_at(const struct umsim_api_call *call, unsigned number)
{
    const char *name = call->arguments_names;
    for (; number > 0; number--)
        name += strcspn(name, ",") + 1;
    return name + strspn(name, " ");
}

static void add_name(struct umsim_reason *reason, const struct umsim_api_call *call, unsigned number)
{
    const char *name = name_at(call, number);
    umsim_reason_add(reason, "%.*s", (int)strcspn(name, ","), name);
}

static bool add_kernel(struct umsim_reason *reason, const void *p)
{
    const char *name;
    if (!umsim_kernel_thunk(p, &name))
        return false;
    umsim_reason_add(reason, "kernel %s", name);
    return true;
}

void umsim_reason_pointer(struct umsim_reason *reason, const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    char what[512];
    if (!p) {
        umsim_reason_add(reason, "NULL");
        return;
    }
    if (add_kernel(reason, p))
        return;
    if (!allocation && !umsim_arena_of(p)) {
        const char *host = umsim_explain_host_place(p);
        umsim_reason_add(reason, "%s", host ? host : "an address where nothing is mapped");
        return;
    }
    umsim_explain_place(p, what, sizeof what);
    if (umsim_arena_of(p)) /* elsewhere it is another one in each run */
        umsim_reason_add(reason, "%p, ", p);
    umsim_reason_add(reason, "%s", what);
    if (allocation && allocation->caller)
        umsim_reason_add(reason, " made at " UMSIM_SOURCE_LATER, allocation->caller);
}

/* Whether argument `number` is named so; several calls have other sizes beside a number of bytes. */
static bool is_named(const struct umsim_api_call *call, unsigned number, const char *name)
{
    const char *at = name_at(call, number);
    return strcspn(at, ",") == strlen(name) && strncmp(at, name, strlen(name)) == 0;
}

static const size_t *bytes_asked_for(const struct umsim_api_call *call)
{
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++)
        if (call->arguments[i].kind == UMSIM_ARGUMENT_SIZE && is_named(call, i, "size"))
            return call->arguments[i].value;
    return NULL;
}

static bool no_memory(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const size_t *size = bytes_asked_for(call);
    if (error != cudaErrorMemoryAllocation)
        return false;
    if (size && (long long)*size < 0) {
        umsim_reason_add(reason,
                         "%zu bytes are asked for, which is %lld as a number with a sign\n"
                         "The size was computed from a negative number, or overflowed.",
                         *size, (long long)*size);
        return true;
    }
    const bool of_host = strstr(call->name, "Host");
    if (of_host || strstr(call->name, "Managed")) {
        umsim_reason_add(reason, "%zu bytes of %s memory are more than there is room for\n%s",
                         size ? *size : 0, of_host ? "pinned" : "managed",
                         of_host
                             ? "Pinned memory is the host's own: cudaFreeHost gives back what is not needed."
                             : "Free what is not needed, or work in pieces.");
        return true;
    }
    umsim_capacity_tell();
    if (size)
        umsim_reason_add(reason, "%zu bytes are asked for, and ", *size);
    umsim_reason_add(reason,
                     "%zu of the device's %zu bytes are free\n"
                     "cudaMemGetInfo() tells how much there is: free what is not needed, or work in pieces.",
                     umsim_device_bytes_free(umsim_device()),
                     (size_t)umsim_machine_of(umsim_device())->capacity.total_global_memory);
    return true;
}

static bool is_variable(const struct umsim_alloc *allocation)
{
    return allocation &&
           (allocation->memory == UMSIM_DEVICE_VARIABLE || allocation->memory == UMSIM_MANAGED_VARIABLE);
}

static bool add_wrong_direction(struct umsim_reason *reason, const struct umsim_api_call *call)
{
    const bool is_to = strstr(call->name, "ToSymbol");
    umsim_reason_add(reason,
                     "a symbol is the device's, so this copy ends %s\n"
                     "Say cudaMemcpy%s, or leave the argument out.",
                     is_to ? "there: it is none from device to host" : "elsewhere: it is none from the host",
                     is_to ? "HostToDevice" : "DeviceToHost");
    return true;
}

static bool symbol(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const void *const *p = umsim_argument_of(call, UMSIM_ARGUMENT_POINTER);
    const size_t *offset = umsim_argument_of(call, UMSIM_ARGUMENT_SIZE);
    const struct umsim_copy *copy = umsim_argument_of(call, UMSIM_ARGUMENT_COPY);
    if (!strstr(call->name, "Symbol") || !p)
        return false;
    const unsigned *kind = umsim_argument_of(call, UMSIM_ARGUMENT_UNSIGNED);
    if (error == cudaErrorInvalidMemcpyDirection && kind && *kind <= cudaMemcpyDefault)
        return add_wrong_direction(reason, call);
    if (error == cudaErrorInvalidMemcpyDirection)
        return kind && umsim_reason_kind(reason, *kind);
    if (!is_variable(umsim_registry_find(*p))) {
        const struct umsim_alloc *allocation = umsim_registry_find(*p);
        umsim_reason_add(reason, "symbol is no __device__, __constant__ or __managed__ variable: it is ");
        umsim_reason_pointer(reason, *p);
        umsim_reason_add(reason, "\n%s",
                         allocation ? "For memory of cudaMalloc use cudaMemcpy."
                                    : "Give the variable itself. For memory that a pointer leads to, use "
                                      "cudaMemcpy.");
        return true;
    }
    const size_t bytes = umsim_variable_bytes(*p);
    if (!copy || !offset || !bytes || (*offset <= bytes && copy->width <= bytes - *offset))
        return false;
    if ((long long)copy->width < 0 || (long long)*offset < 0) {
        umsim_reason_add(reason, "%lld bytes from offset %lld on: neither can be negative\n%s",
                         (long long)copy->width, (long long)*offset,
                         "The size was computed from a negative number, or overflowed.");
        return true;
    }
    umsim_reason_add(reason,
                     "%zu bytes from offset %zu on are %zu too many: the variable has %zu\n"
                     "The size is in bytes: sizeof of the variable, or n * sizeof of an element.",
                     copy->width, *offset, *offset + copy->width - bytes, bytes);
    return true;
}

/* A pointer to where the answer goes, or to what the call reads. */
static bool no_place(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    if (error != cudaErrorInvalidValue)
        return false;
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++)
        if (call->arguments[i].kind == UMSIM_ARGUMENT_PLACE &&
            !*(const void *const *)call->arguments[i].value) {
            add_name(reason, call, i);
            umsim_reason_add(reason, " is NULL\nThe call reads or writes there: give an address.");
            return true;
        }
    return false;
}

static bool is_device_name(const struct umsim_api_call *call, unsigned number)
{
    static const char end[] = "evice";
    const char *name = name_at(call, number);
    const size_t length = strcspn(name, ",");
    return length >= strlen(end) && strncmp(name + length - strlen(end), end, strlen(end)) == 0;
}

static bool device_number(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    if (error != cudaErrorInvalidDevice && error != cudaErrorInvalidValue)
        return false;
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++) {
        const void *value = call->arguments[i].value;
        const struct cudaMemLocation *place = value;
        const bool is_place = call->arguments[i].kind == UMSIM_ARGUMENT_LOCATION &&
                              place->type == cudaMemLocationTypeDevice,
                   is_number = call->arguments[i].kind == UMSIM_ARGUMENT_INT && is_device_name(call, i);
        const int device = is_place ? place->id : is_number ? *(const int *)value : 0;
        if (umsim_is_device(device))
            continue;
        umsim_reason_add(reason,
                         "there is no device %d: %s\n"
                         "cudaGetDeviceCount() tells how many there are.",
                         device,
                         umsim_devices > 1 ? "the devices are numbered from 0"
                                           : "this machine has one, and its number is 0");
        return true;
    }
    if (error == cudaErrorInvalidDevice && strstr(call->name, "PeerAccess"))
        umsim_reason_add(reason, "peer access is between two devices, and this machine has one\n"
                                 "cudaDeviceCanAccessPeer() tells whether two devices are peers.");
    return error == cudaErrorInvalidDevice && strstr(call->name, "PeerAccess");
}

static bool is_no_peer(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const int *peer = umsim_argument_of(call, UMSIM_ARGUMENT_INT);
    if (error != cudaErrorPeerAccessUnsupported || !peer || *peer != (int)umsim_device())
        return false;
    umsim_reason_add(reason,
                     "device %d is the current one itself\n"
                     "cudaSetDevice() chooses the one that is to reach peerDevice's memory.",
                     *peer);
    return true;
}

/* ---- calls that are about one kind of memory ---- */

static bool is_managed(const struct umsim_alloc *it, const void *p)
{
    (void)p;
    return it && umsim_is_managed(it->memory);
}

static bool is_hosts(const struct umsim_alloc *it, const void *p)
{
    (void)p;
    return it && (it->memory == UMSIM_PINNED || it->memory == UMSIM_REGISTERED);
}

static bool is_registration(const struct umsim_alloc *it, const void *p)
{
    return it && it->memory == UMSIM_REGISTERED && it->base == p;
}

static bool is_free_to_register(const struct umsim_alloc *it, const void *p)
{
    return !it && p && !umsim_arena_of(p);
}

static const struct kind_of_memory {
    const char *calls, *needs, *lesson;
    bool (*holds)(const struct umsim_alloc *, const void *p);
} kinds[] = {
    {"cudaMemPrefetchAsync cudaMemAdvise cudaMemRangeGetAttribute cudaMemRangeGetAttributes "
     "cudaStreamAttachMemAsync",
     "managed memory", "Only memory of cudaMallocManaged, and __managed__ variables, move by pages.",
     is_managed},
    {"cudaHostGetDevicePointer cudaHostGetFlags", "pinned or registered memory",
     "Allocate it with cudaMallocHost, or register it with cudaHostRegister.", is_hosts},
    {"cudaHostRegister", "memory that is not registered yet, nor the GPU's",
     "cudaHostRegister is for memory of malloc, once and as a whole.", is_free_to_register},
    {"cudaHostUnregister", "memory that was registered, by the address that was given then",
     "Memory of cudaMallocHost is given back by cudaFreeHost.", is_registration},
};

static const struct kind_of_memory *kind_for(const struct umsim_api_call *call)
{
    const size_t length = strlen(call->name);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *at = strstr(kinds[i].calls, call->name);
        if (at && (!at[length] || at[length] == ' '))
            return &kinds[i];
    }
    return NULL;
}

static bool other_memory(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const struct kind_of_memory *kind = kind_for(call);
    const void *const *p = NULL;
    const size_t *size = NULL;
    (void)error;
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++) {
        const struct umsim_argument *it = &call->arguments[i];
        if (it->kind == UMSIM_ARGUMENT_POINTER && !is_named(call, i, "data"))
            p = it->value;
        if (it->kind == UMSIM_ARGUMENT_SIZE && !is_named(call, i, "dataSize"))
            size = it->value;
    }
    if (!kind || !p)
        return false;
    const struct umsim_alloc *allocation = umsim_registry_find(*p);
    if (!kind->holds(allocation, *p)) {
        umsim_reason_add(reason, "this call needs %s, and the pointer is ", kind->needs);
        umsim_reason_pointer(reason, *p);
        umsim_reason_add(reason, "\n%s", kind->lesson);
        return true;
    }
    const size_t there = allocation ? allocation->bytes - (size_t)((const char *)*p - allocation->base) : 0;
    if (!size || !allocation || *size <= there)
        return false;
    umsim_reason_add(reason, "the pointer is ");
    umsim_reason_pointer(reason, *p);
    umsim_reason_add(reason, "\n%zu bytes from there are %zu too many.", *size, *size - there);
    return true;
}

static bool no_kernel(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++) {
        const struct umsim_argument *it = &call->arguments[i];
        if (it->kind != UMSIM_ARGUMENT_POINTER || !is_named(call, i, "func") ||
            (error != cudaErrorInvalidResourceHandle && error != cudaErrorInvalidDeviceFunction) ||
            umsim_kernel_thunk(*(const void *const *)it->value, NULL))
            continue;
        umsim_reason_add(reason, "func is no __global__ function: it is ");
        umsim_reason_pointer(reason, *(const void *const *)it->value);
        umsim_reason_add(reason, "\nGive the kernel's name, without & of a variable that holds it.");
        return true;
    }
    return false;
}

static bool words(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    umsim_reason_add(reason, "%s", umsim_error_words(error));
    const char *separator = ": ";
    for (unsigned i = 0; call->arguments[i].kind != UMSIM_ARGUMENT_END; i++) {
        const struct umsim_argument *it = &call->arguments[i];
        const bool is_number = it->kind == UMSIM_ARGUMENT_INT || it->kind == UMSIM_ARGUMENT_UNSIGNED;
        if (it->kind != UMSIM_ARGUMENT_SIZE && it->kind != UMSIM_ARGUMENT_POINTER && !is_number)
            continue;
        umsim_reason_add(reason, "%s", separator);
        add_name(reason, call, i);
        umsim_reason_add(reason, " is ");
        if (it->kind == UMSIM_ARGUMENT_SIZE)
            umsim_reason_add(reason, "%zu", *(const size_t *)it->value);
        else if (is_number)
            umsim_reason_add(reason, "%d", *(const int *)it->value);
        else
            umsim_reason_pointer(reason, *(const void *const *)it->value);
        separator = ", ";
    }
    return true;
}

void umsim_reason_find(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    static bool (*const causes[])(struct umsim_reason *, const struct umsim_api_call *,
                                  cudaError_t) = {no_memory,
                                                  umsim_reason_ipc,
                                                  umsim_reason_handle,
                                                  umsim_reason_launch,
                                                  no_place,
                                                  symbol,
                                                  umsim_reason_free,
                                                  umsim_reason_copy,
                                                  umsim_reason_set,
                                                  device_number,
                                                  is_no_peer,
                                                  no_kernel,
                                                  other_memory,
                                                  words};
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i](reason, call, error))
            return;
}
