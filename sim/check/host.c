/**
 * @file host.c
 * @brief The host process of a checked program: which checks run, which memory exists, and how the program
 * ends.
 */
#include "check.h"
#include "coalesce.h"
#include "finding.h"
#include "init.h"
#include "pieces.h"
#include "race.h"
#include "report.h"
#include "table.h"
#include "transfers.h"
#include "variables.h"
#include "../base/foreign_call.h"
#include "../base/library.h"
#include "../base/python_place.h"
#include "../base/report.h"
#include "../base/lock.h"
#include "../include/umsim/abi.h"
#include "../base/mode.h"

#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool started;
static struct umsim_check_asked in_hand;

/* ---- what kernels may touch ---- */

static int add_program(struct dl_phdr_info *module, size_t size, void *own)
{
    (void)size;
    bool is_own = false;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        is_own |=
            part->p_type == PT_LOAD && (uintptr_t)own - module->dlpi_addr - part->p_vaddr < part->p_memsz;
    }
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        const bool constant =
            part->p_type == PT_GNU_RELRO || (part->p_type == PT_LOAD && !(part->p_flags & PF_W));
        const bool is_ours = is_own && part->p_type == PT_LOAD;
        const struct umsim_memory_known range = {.base = module->dlpi_addr + part->p_vaddr,
                                                 .bytes = part->p_memsz,
                                                 .what = is_ours ? UMSIM_KNOWN_LIBRARY : UMSIM_KNOWN_PROGRAM};
        if (part->p_memsz && (is_ours || (constant && !is_own)))
            umsim_table_add(&range);
    }
    return 0;
}

void umsim_check_modules(void)
{
    if (!started)
        return;
    umsim_table_remove_all(UMSIM_KNOWN_PROGRAM);
    umsim_table_remove_all(UMSIM_KNOWN_LIBRARY);
    dl_iterate_phdr(add_program, &umsim_checks);
}

void umsim_check_borrowed(const struct umsim_alloc *allocation)
{
    if (started && umsim_init_knows((uintptr_t)allocation->base))
        umsim_init_written((uintptr_t)allocation->base, allocation->bytes);
}

void umsim_check_gpu_starts(void)
{
    if (started && (umsim_checks & UMSIM_CHECK_RACE))
        umsim_race_anew();
}

static void allocated(const struct umsim_alloc *allocation)
{
    if (!started)
        return;
    if (allocation->memory == UMSIM_DEVICE_VARIABLE || allocation->memory == UMSIM_MANAGED_VARIABLE) {
        umsim_variables_known(allocation);
        if (umsim_init_knows(
                (uintptr_t)allocation->base)) /* one of several devices': it has its first value */
            umsim_init_written((uintptr_t)allocation->base, allocation->bytes);
        return;
    }
    const bool tracks = umsim_init_knows((uintptr_t)allocation->base);
    if (tracks)
        umsim_init_forget((uintptr_t)allocation->base, allocation->bytes);
    umsim_race_forget(allocation->base, allocation->bytes);
    umsim_transfers_forget((uintptr_t)allocation->base, allocation->bytes);
    umsim_table_add(&(struct umsim_memory_known){
        .base = (uintptr_t)allocation->base,
        .bytes = allocation->bytes,
        .what = UMSIM_KNOWN_ALLOCATION,
        .account = umsim_coalesce_open(&(struct umsim_account){
            allocation->call, allocation->caller, (uintptr_t)allocation->base, allocation->bytes}),
        .shadow = umsim_race_shadow(allocation->base),
        .tracks_init = tracks,
        .name = allocation->call,
        .caller = allocation->caller});
}

/* A search is needed because calls have wrappers of several depths. */
const void *umsim_check_program_caller(const void *known)
{
    static atomic_uintptr_t start, end; /* the simulator's library; two threads may find it out at once */
    struct umsim_library own;
    void *frames[16];
    if (!atomic_load(&end)) {
        if (!umsim_library_of((const void *)(uintptr_t)umsim_check_program_caller, &own))
            return NULL;
        atomic_store(&start, own.start);
        atomic_store(&end, own.end);
    }
    const uintptr_t base = start, bytes = end - base;
    if (known && (uintptr_t)known - base >= bytes)
        return known;
    const int count = backtrace(frames, sizeof frames / sizeof frames[0]);
    for (int i = 0; i < count; i++)
        if ((uintptr_t)frames[i] - base >= bytes)
            return frames[i];
    return NULL;
}

/* free() and memcpy() fault in the C library; in Python all of it is packages' code. */
const void *umsim_check_program_at(const void *pc)
{
    const void *const python = umsim_lock_is_mine() ? umsim_python_call : umsim_python_place();
    if (python)
        return python;
    void *frames[64];
    struct umsim_library library;
    const int count = backtrace(frames, sizeof frames / sizeof frames[0]);
    bool is_after = false;
    for (int i = 0; i < count; i++) {
        is_after |= frames[i] == pc;
        if (is_after && umsim_library_of(frames[i], &library) && !library.file[0])
            return frames[i] == pc ? (const char *)pc + 1 : frames[i];
    }
    return (const char *)pc + 1;
}

void umsim_check_call(const char *call, const void *caller)
{
    if (started)
        in_hand = (struct umsim_check_asked){call, umsim_check_program_caller(caller)};
}

struct umsim_check_asked umsim_check_asked(void)
{
    return in_hand;
}

static void released(struct umsim_alloc *allocation)
{
    if (!started)
        return;
    umsim_table_remove((uintptr_t)allocation->base);
    if (allocation->freed_call)
        return;
    allocation->freed_call = in_hand.call;
    allocation->freed_caller = in_hand.caller;
}

const char *umsim_check_start(void)
{
    if (!umsim_checks)
        return NULL;
    started = umsim_table_start() && umsim_findings_start() && umsim_pieces_start();
    if (started && (umsim_checks & UMSIM_CHECK_INIT))
        started = umsim_init_start();
    if (started && (umsim_checks & UMSIM_CHECK_RACE))
        started = umsim_race_start();
    if (started && (umsim_checks & UMSIM_CHECK_COALESCING))
        started = umsim_coalesce_start();
    if (started)
        umsim_registry_watch((struct umsim_registry_watcher){allocated, released});
    return started ? NULL : "no memory for what --check keeps";
}

bool umsim_check_started(void)
{
    return started;
}

/* ---- copies ---- */

/* Bytes that nobody has written count as unwritten in their copy, too. */
static void copy_row(uintptr_t to, uintptr_t from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const uintptr_t missing = umsim_init_missing(from + done, bytes - done);
        if (missing > from + done)
            umsim_init_written(to + done, missing - from - done);
        for (done = missing - from; done < bytes && umsim_init_missing(from + done, 1) == from + done; done++)
            umsim_init_forget(to + done, 1);
    }
}

void umsim_check_transfer(enum umsim_transfer_kind kind, const struct umsim_transfer *what,
                          struct umsim_check_asked asked)
{
    if (!(umsim_checks & UMSIM_CHECK_INIT) || !started)
        return;
    const bool to_known = umsim_init_knows(what->to);
    const bool from_known = kind == UMSIM_COPY && umsim_init_knows(what->from);
    size_t unwritten = 0;
    uintptr_t first = 0;
    for (size_t row = 0; row < what->rows; row++) {
        const uintptr_t to = what->to + row * what->to_pitch, from = what->from + row * what->from_pitch;
        const uintptr_t missing = from_known ? umsim_init_missing(from, what->width) : 0;
        if (to_known && what->rows == 1)
            umsim_transfer_note(to, what->width, asked);
        if (to_known && from_known)
            copy_row(to, from, what->width);
        else if (to_known)
            umsim_init_written(to, what->width);
        else if (from_known && missing != from + what->width) {
            first = unwritten ? first : missing;
            for (uintptr_t p = missing; p < from + what->width; p++)
                unwritten += umsim_init_missing(p, 1) == p;
        }
    }
    if (unwritten)
        umsim_report_copy_of_nothing(first, unwritten, asked.call, asked.caller);
}
