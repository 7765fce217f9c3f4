/**
 * @file buffers.c
 * @brief Implementation of buffers.h: a list of buffers whose pages are closed.
 *
 * The fault handler may run at any instruction, and in another thread, so an entry becomes visible only when
 * it is complete: its `op` is set last, and releases the rest.
 */
#include "buffers.h"
#include "report.h"
#include "../base/layout.h"
#include "../base/mode.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define BUFFERS_MAX 1024
#define PLACES_MAX 64

static struct buffer {
    const struct umsim_op *_Atomic op; /* NULL: free */
    char *pages;
    size_t bytes;
    struct umsim_report_buffer told;
} buffers[BUFFERS_MAX];

static const struct umsim_op *op_of(struct buffer *buffer)
{
    return atomic_load_explicit(&buffer->op, memory_order_acquire);
}

static const void *places[PLACES_MAX]; /* in the program, whose accesses have been reported */
static size_t place_count;

/* The pages that hold nothing but [p, p + bytes). */
static bool whole_pages(uintptr_t p, size_t bytes, struct buffer *buffer)
{
    const struct umsim_alloc *allocation = umsim_registry_find((const void *)p);
    if (!allocation || allocation->memory != UMSIM_PINNED)
        return false;
    const uintptr_t base = (uintptr_t)allocation->base, limit = base + allocation->bytes;
    const uintptr_t start = p == base ? p : umsim_round_up(p, UMSIM_PAGE);
    const uintptr_t end =
        p + bytes == limit ? umsim_round_up(limit, UMSIM_PAGE) : umsim_round_down(p + bytes, UMSIM_PAGE);
    if (start >= end)
        return false;
    buffer->pages = (char *)start;
    buffer->bytes = end - start;
    return true;
}

static void close_pages(const struct umsim_op *op, uintptr_t p, const struct umsim_transfer *what,
                        bool is_read, struct umsim_check_asked asked)
{
    const size_t given = is_read ? what->from_pitch : what->to_pitch,
                 pitch = what->rows > 1 ? given : what->width;
    const size_t bytes = pitch * (what->rows - 1) + what->width;
    struct buffer buffer = {.told = {p, bytes, pitch, what->width, is_read, asked}};
    size_t i = 0;
    while (i < BUFFERS_MAX && op_of(&buffers[i]))
        i++;
    if (i == BUFFERS_MAX || !what->rows || !whole_pages(p, bytes, &buffer))
        return;
    buffers[i] = buffer;
    atomic_store_explicit(&buffers[i].op, op, memory_order_release);
    mprotect(buffer.pages, buffer.bytes, is_read ? PROT_READ : PROT_NONE);
}

void umsim_buffers_issued(const struct umsim_op *op, const struct umsim_transfer *what,
                          struct umsim_check_asked asked)
{
    if (!(umsim_checks & UMSIM_CHECK_HOST))
        return;
    close_pages(op, what->to, what, false, asked);
    close_pages(op, what->from, what, true, asked);
}

static void open_pages(struct buffer *buffer)
{
    mprotect(buffer->pages, buffer->bytes, PROT_READ | PROT_WRITE);
    atomic_store_explicit(&buffer->op, NULL, memory_order_release);
}

void umsim_buffers_done(const struct umsim_op *op)
{
    for (size_t i = 0; i < BUFFERS_MAX && (umsim_checks & UMSIM_CHECK_HOST); i++)
        if (op_of(&buffers[i]) == op)
            open_pages(&buffers[i]);
}

static bool is_new(const void *pc)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i] == pc)
            return false;
    if (place_count < PLACES_MAX)
        places[place_count++] = pc;
    return true;
}

/* What lies between the rows of a copy is not its. */
static bool is_copied(uintptr_t p, const struct umsim_report_buffer *told)
{
    return p - told->start < told->bytes && (p - told->start) % told->pitch < told->width;
}

bool umsim_buffers_touched(const void *p, struct umsim_access access, const void *pc)
{
    bool found = false;
    for (size_t i = 0; i < BUFFERS_MAX && (umsim_checks & UMSIM_CHECK_HOST); i++) {
        if (!op_of(&buffers[i]) || (uintptr_t)p - (uintptr_t)buffers[i].pages >= buffers[i].bytes)
            continue;
        found = true;
        const struct umsim_report_buffer told = buffers[i].told;
        open_pages(&buffers[i]);
        if (is_copied((uintptr_t)p, &told) && is_new(pc))
            umsim_report_buffer((uintptr_t)p, access, pc, &told);
    }
    return found;
}
