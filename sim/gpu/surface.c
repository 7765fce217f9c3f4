/* surface.c: reads and writes of surface objects by kernels: bytes, where an element stands (umsim_texture_abi.h). */
#include "texture.h"
#include "message.h"
#include "../check/access.h"
#include "../check/check.h"
#include "../fault/gpu_fault.h"
#include "../include/surface_types.h"
#include "../include/umsim_library.h"
#include "../include/umsim_types_error.h"

#include <stdlib.h>
#include <string.h>

__attribute__((noreturn)) static void refuse_handle(uint64_t handle)
{
    if (!umsim_in_kernel())
        abort();
    struct umsim_message why = umsim_message_of(umsim_this_worker);
    umsim_message_add(&why, "uses the surface object ");
    umsim_message_add_number(&why, (int64_t)handle);
    umsim_message_add(&why, ", which does not exist: it was destroyed, or never created");
    umsim_gpu_fail(umsim_this_worker, cudaErrorIllegalAddress, umsim_this_worker->message);
}

/* A place beyond the edges, under cudaBoundaryModeTrap. */
__attribute__((noreturn)) static void trap(const int32_t at[3], unsigned bytes, const int32_t limit[3])
{
    struct umsim_message why = umsim_message_of(umsim_this_worker);
    umsim_message_add(&why, "touches ");
    umsim_message_add_number(&why, bytes);
    umsim_message_add(&why, " bytes of a surface at (");
    for (int d = 0; d < 3; d++) {
        umsim_message_add(&why, d ? ", " : "");
        umsim_message_add_number(&why, at[d]);
    }
    umsim_message_add(&why, "), x in bytes; it has ");
    for (int d = 0; d < 3; d++) {
        umsim_message_add(&why, d ? " x " : "");
        umsim_message_add_number(&why, limit[d]);
    }
    umsim_message_add(&why, ", and the boundary mode is cudaBoundaryModeTrap (the default): is there an "
                            "`if (x < width)`, is x in bytes?");
    umsim_gpu_fail(umsim_this_worker, cudaErrorLaunchFailure, umsim_this_worker->message);
}

/* Where the access goes; NULL: nowhere. */
static char *place_of(uint64_t handle, const int32_t wanted[3], int mode, unsigned bytes)
{
    const struct umsim_texture *surface = umsim_texture_find(handle, true);
    if (!surface)
        refuse_handle(handle);
    const int32_t element = surface->channel * surface->channels;
    const int32_t limit[3] = {surface->size[0] * element, surface->size[1],
                              surface->layers ? surface->layers : surface->size[2]};
    int32_t at[3];
    for (int d = 0; d < 3; d++) {
        const int32_t last = limit[d] - (d == 0 ? (int32_t)bytes : 1);
        const bool outside = wanted[d] < 0 || wanted[d] > last || (d == 0 && wanted[d] % (int32_t)bytes);
        at[d] = wanted[d];
        if (!outside)
            continue;
        if (mode == cudaBoundaryModeZero)
            return NULL;
        if (mode != cudaBoundaryModeClamp || last < 0)
            trap(wanted, bytes, limit);
        at[d] = wanted[d] < 0 ? 0 : wanted[d] > last ? last : wanted[d] - wanted[d] % (int32_t)bytes;
    }
    return surface->base + (size_t)at[2] * surface->slice + (size_t)at[1] * surface->pitch + (size_t)at[0];
}

/* In one piece where the machine can. */
static void move(void *to, const void *from, unsigned bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, 16);
    }
}

void umsim_surf_read(unsigned long long surface, int x, int y, int z, int mode, void *to, unsigned int bytes)
{
    const int32_t at[3] = {x, y, z};
    const char *from = place_of(surface, at, mode, bytes);
    if (!from) {
        memset(to, 0, bytes);
        return;
    }
    if (umsim_checks)
        umsim_access_look((uintptr_t)from, bytes, 0, __builtin_return_address(0));
    move(to, from, bytes);
}

void umsim_surf_write(unsigned long long surface, int x, int y, int z, int mode, const void *from,
                      unsigned int bytes)
{
    const int32_t at[3] = {x, y, z};
    char *to = place_of(surface, at, mode, bytes);
    if (!to)
        return;
    if (umsim_checks)
        umsim_access_look((uintptr_t)to, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE,
                          __builtin_return_address(0));
    move(to, from, bytes);
}
