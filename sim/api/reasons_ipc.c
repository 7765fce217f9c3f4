/**
 * @file reasons_ipc.c
 * @brief Why a call about memory and events of other processes was refused (reasons.h).
 */
#include "reasons.h"
#include "event.h"
#include "../space/registry.h"

#include <string.h>

static const void *pointer_of(const struct umsim_api_call *call)
{
    const void *const *at = umsim_argument_of(call, UMSIM_ARGUMENT_POINTER);
    return at ? *at : NULL;
}

static void cannot_be_shown(struct umsim_reason *reason, const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    umsim_reason_add(reason, "devPtr is ");
    umsim_reason_pointer(reason, p);
    umsim_reason_add(reason,
                     allocation && allocation->borrowed
                         ? "\nIt is another process's: only the process that allocated it can show it."
                         : "\nOther processes can be shown what cudaMalloc gave, and no other memory.");
}

static void is_not_open(struct umsim_reason *reason, const void *p)
{
    umsim_reason_add(reason, "devPtr is ");
    umsim_reason_pointer(reason, p);
    umsim_reason_add(
        reason, "\nIt closes what cudaIpcOpenMemHandle gave, as often as that was called. cudaFree frees "
                "memory of this process's own.");
}

static void cannot_be_opened(struct umsim_reason *reason, const unsigned *flags)
{
    if (flags && *flags != cudaIpcMemLazyEnablePeerAccess)
        umsim_reason_add(reason, "flags is %u\nIt has to be cudaIpcMemLazyEnablePeerAccess (1).", *flags);
    else
        umsim_reason_add(reason,
                         "the handle is none, or what is behind it is gone\nThe process that showed it has "
                         "freed it or has ended; or the handle's 64 bytes did not all arrive.");
}

static bool event_cannot_be_shown(struct umsim_reason *reason, const struct umsim_api_call *call)
{
    const cudaEvent_t *event = umsim_argument_of(call, UMSIM_ARGUMENT_EVENT);
    if (!event || umsim_event_state(*event) == UMSIM_EVENT_UNKNOWN)
        return false;
    umsim_reason_add(reason,
                     "event was not made for several processes, or is another process's\nMake it by "
                     "cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming).");
    return true;
}

bool umsim_reason_ipc(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const char *name = strstr(call->name, "Ipc");
    if (!name || error == cudaErrorNotSupported)
        return false;
    if (error == cudaErrorDeviceUninitialized) {
        umsim_reason_add(reason,
                         "the handle is this process's own\nIt is for other processes: here, use the pointer "
                         "or the event itself.");
        return true;
    }
    if (error == cudaErrorInvalidResourceHandle)
        return event_cannot_be_shown(reason, call);
    if (error == cudaErrorInvalidValue && strcmp(name, "IpcGetMemHandle") == 0)
        cannot_be_shown(reason, pointer_of(call));
    else if (error == cudaErrorInvalidValue && strcmp(name, "IpcCloseMemHandle") == 0)
        is_not_open(reason, pointer_of(call));
    else if (strstr(name, "Open"))
        cannot_be_opened(reason, umsim_argument_of(call, UMSIM_ARGUMENT_UNSIGNED));
    else
        return false;
    return true;
}
