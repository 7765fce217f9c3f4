/**
 * @file surface.c
 * @brief Reads and writes of surface objects by kernels, in bytes at an element's place
 * (umsim/texture_abi.h).
 */
#include "texture.h"
#include "../worker/message.h"
#include "../check/access.h"
#include "../check/check.h"
#include "../worker/fail.h"
#include "../include/surface_types.h"
#include "../include/umsim/library.h"
#include "../include/umsim/types_error.h"
#include "../base/mode.h"
#include "../worker/worker.h"

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

/* Fails the kernel for a place beyond the edges under cudaBoundaryModeTrap, or for one between elements. */
__attribute__((noreturn)) static void trap(const int32_t at[3], unsigned bytes, const int32_t limit[3],
                                           bool outside)
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
    umsim_message_add(&why,
                      outside ? ", and the boundary mode is cudaBoundaryModeTrap (the default): is there an "
                                "`if (x < width)`, is x in bytes?"
                              : ", and x has to be a multiple of the size: is x in bytes?");
    umsim_gpu_fail(umsim_this_worker, outside ? cudaErrorIllegalAddress : cudaErrorMisalignedAddress,
                   umsim_this_worker->message);
}

/** The most bytes that an access touches when it is clamped to a row's end: its first word. On an H200
 * (driver 580, CUDA 13.0) a float4 that is read behind (13, 14, 15, 16) has 16 as its x. Whether its other
 * words, and a write, go to the same place was not measured. */
#define CLAMPED_MAX 4

/* The address that the access goes to, and how many bytes of it; NULL when it goes nowhere. */
static char *place_of(uint64_t handle, const int32_t wanted[3], int mode, unsigned bytes, unsigned *there)
{
    const struct umsim_texture *surface = umsim_texture_find(handle, true);
    if (!surface)
        refuse_handle(handle);
    const int32_t element = surface->channel * surface->channels, size = (int32_t)bytes;
    const int32_t limit[3] = {surface->size[0] * element, surface->size[1],
                              surface->layers ? surface->layers : surface->size[2]};
    int32_t at[3];
    *there = bytes;
    for (int d = 0; d < 3; d++) {
        const int32_t step = d == 0 ? size : 1, last = limit[d] - step;
        const bool outside = wanted[d] < 0 || wanted[d] > last;
        at[d] = wanted[d];
        if (!outside && wanted[d] % step == 0)
            continue;
        if (mode == cudaBoundaryModeZero)
            return NULL;
        if (mode != cudaBoundaryModeClamp || last < 0)
            trap(wanted, bytes, limit, outside);
        at[d] = wanted[d] < 0 ? 0 : wanted[d] > last ? last : wanted[d] - wanted[d] % step;
        if (d == 0 && wanted[d] > last && size > CLAMPED_MAX) {
            at[d] = limit[d] - CLAMPED_MAX;
            *there = CLAMPED_MAX;
        }
    }
    return surface->base + (size_t)at[2] * surface->slice + (size_t)at[1] * surface->pitch + (size_t)at[0];
}

/* Copies in one piece if the machine can. */
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
    unsigned there;
    const char *from = place_of(surface, at, mode, bytes, &there);
    if (!from) {
        memset(to, 0, bytes);
        return;
    }
    if (umsim_checks)
        umsim_access_check((uintptr_t)from, there, 0, __builtin_return_address(0));
    for (unsigned done = 0; done < bytes; done += there)
        move((char *)to + done, from, there);
}

void umsim_surf_write(unsigned long long surface, int x, int y, int z, int mode, const void *from,
                      unsigned int bytes)
{
    const int32_t at[3] = {x, y, z};
    unsigned there;
    char *to = place_of(surface, at, mode, bytes, &there);
    if (!to)
        return;
    if (umsim_checks)
        umsim_access_check((uintptr_t)to, there, UMSIM_HOW_WRITE | UMSIM_HOW_STORE,
                           __builtin_return_address(0));
    move(to, from, there);
}
