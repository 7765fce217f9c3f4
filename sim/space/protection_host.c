/**
 * @file protection_host.c
 * @brief Implementation of protection.h for the host process: opens managed pages as the answers grant them,
 * and closes them.
 *
 * Callers hold the managed lock (managed.c), because host threads can fault at any time.
 */
#include "protection.h"
#include "request.h"
#include "../base/report.h"
#include "views.h"
#include "../base/activity.h"
#include "../base/layout.h"
#include "../base/mode.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static struct umsim_protection opened;
static atomic_bool any_open; /* since all pages were closed */

void umsim_host_start(void)
{
    umsim_protection_start(&opened, UVM_CPU);
}

/* Decides how much of the granted range around `p` is opened. Each page costs the kernel's mprotect as much
 * as a thirtieth of a fault (0.09 us and 3 us, measured on a 2-core virtual machine), so a whole block of 512
 * pages would be expensive for a single touch. So it opens the unit of 64 KiB, and twice as much with each
 * step of a walk up or down. */
static void narrow(const void *p, uintptr_t *start, size_t *bytes)
{
    static uintptr_t last_start, last_end;
    const uintptr_t unit = umsim_round_down((uintptr_t)p, UMSIM_BIG_PAGE), run_end = *start + *bytes;
    const size_t twice = 2 * (last_end - last_start),
                 doubled = twice > UMSIM_BIG_PAGE ? twice : UMSIM_BIG_PAGE;
    uintptr_t from = unit, to = unit + UMSIM_BIG_PAGE;
    if (unit == last_end)
        to = unit + doubled;
    else if (to == last_start)
        from = to - doubled;
    last_start = from < *start ? *start : from;
    last_end = to > run_end ? run_end : to;
    *start = last_start;
    *bytes = last_end - last_start;
}

void umsim_host_open(struct umsim_managed_space *space, const void *p, const struct umsim_answer *answer)
{
    uintptr_t start = answer->open_start;
    size_t bytes = answer->open_bytes;
    if (!bytes)
        umsim_die("the paging policy grants the host nothing at %p", p);
    if (umsim_checks &&
        umsim_kernels_busy(NULL)) { /* each page's first touch is looked at (check/touches.h) */
        start = umsim_round_down((uintptr_t)p, UMSIM_PAGE);
        bytes = UMSIM_PAGE;
    } else {
        narrow(p, &start, &bytes);
    }
    int protection = answer->open_writable ? PROT_READ | PROT_WRITE : PROT_READ;
    atomic_store(&any_open, true);
    if (!umsim_protection_add(&opened, space, (char *)start, bytes, protection))
        umsim_die("cannot open %zu bytes of managed memory at %p: %s", bytes, (void *)start, strerror(errno));
}

bool umsim_host_has_open(void)
{
    return atomic_load(&any_open);
}

void umsim_host_close_managed(void)
{
    atomic_store(&any_open, false);
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++)
        umsim_protection_close_all(&opened, &umsim_views->space[i], false);
}

void umsim_host_forget(struct umsim_managed_space *space)
{
    umsim_protection_forget(&opened, space);
}

static void close_blocks(const struct umsim_closing *closing)
{
    struct umsim_managed_space *space = &umsim_views->space[closing->space];
    for (size_t block = closing->first; block < closing->end; block++)
        if (atomic_load(&space->opened[UVM_CPU][block].open))
            umsim_protection_close(&opened, space, block);
}

void umsim_host_close(const struct umsim_answer *answer)
{
    if (answer->close_all)
        umsim_host_close_managed();
    for (unsigned i = 0; !answer->close_all && i < answer->closings; i++)
        close_blocks(&answer->closing[i]);
}
