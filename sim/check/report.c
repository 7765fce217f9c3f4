/**
 * @file report.c
 * @brief Implementation of report.h: the text of each kind of finding, and the summary.
 *
 * Each finding is written by one call, so that lines of several threads do not mix.
 */
#include "report.h"
#include "check.h"
#include "finding.h"
#include "init.h"
#include "lines.h"
#include "table.h"
#include "transfers.h"
#include "../base/source_line.h"
#include "../base/sticky.h"
#include "../include/cuda_runtime_api.h"
#include "../worker/launches.h"
#include "../base/layout.h"
#include "../base/mode.h"
#include "../base/error_names.h"
#include "../base/libc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong errors; /* also counted in a fault handler, without the lock */

void umsim_check_counts(void)
{
    errors++;
}

static void emit(const struct umsim_lines *text)
{
    fflush(stdout);
    umsim_lines_write(text);
}

static void describe_place(const struct umsim_finding *finding, const void *pc, char *out, size_t size)
{
    char function[256], line[256];
    umsim_source_place(pc, function, sizeof function, line, sizeof line);
    const char *name = *function ? function : finding->kernel;
    const uintptr_t offset = (uintptr_t)pc - (uintptr_t)finding->kernel_code;
    if (offset < 1 << 20) /* in the kernel's own code */
        snprintf(out, size, "%s+0x%lx in %s", name, (unsigned long)offset, line);
    else
        snprintf(out, size, "%s in %s", name, line);
}

static void add_thread(struct umsim_lines *text, const struct umsim_toucher *by)
{
    if (by->thread_known)
        umsim_lines_add(text, "    by thread (%u,%u,%u) in block (%u,%u,%u)", by->thread.x, by->thread.y,
                        by->thread.z, by->block.x, by->block.y, by->block.z);
    else
        umsim_lines_add(text, "    by another thread in block (%u,%u,%u)", by->block.x, by->block.y,
                        by->block.z);
}

static void add_kernel(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char function[256], line[256];
    umsim_source_place(finding->by.pc, function, sizeof function, line, sizeof line);
    const size_t length = strlen(finding->kernel);
    const char *name = strstr(function, finding->kernel);
    const bool is_other = !name || (name[length] != '(' && name[length] != '<');
    if (is_other && *function)
        umsim_lines_add(text, "    in kernel %s", finding->kernel);
}

/* ---- where it is ---- */

/* In __shared__ memory an address is counted from the start of its variable, because the address in the
 * worker's own memory says nothing. */
static const char *address_of(const struct umsim_finding *finding, char *out, size_t size)
{
    const long offset = (long)(finding->address - finding->nearest);
    if (finding->space == UMSIM_SPACE_SHARED)
        snprintf(out, size, "%s0x%lx", offset < 0 ? "-" : "", (unsigned long)(offset < 0 ? -offset : offset));
    else
        snprintf(out, size, "0x%lx", (unsigned long)finding->address);
    return out;
}

/* Adds which allocation or variable an access out of bounds is next to. */
static void add_distance(struct umsim_lines *text, const struct umsim_finding *finding, const char *what,
                         uintptr_t base, size_t size)
{
    const uintptr_t p = finding->address;
    const unsigned long shown = finding->space == UMSIM_SPACE_SHARED ? 0 : (unsigned long)base;
    if (p < base)
        umsim_lines_add(text, "    and is %zu bytes before the nearest %s at 0x%lx of size %zu bytes",
                        (size_t)(base - p), what, shown, size);
    else if (p - base < size)
        umsim_lines_add(text,
                        "    and its last %zu bytes are after the nearest %s at 0x%lx of size %zu bytes",
                        (size_t)(p + finding->bytes - base - size), what, shown, size);
    else
        umsim_lines_add(text, "    and is %zu bytes after the nearest %s at 0x%lx of size %zu bytes",
                        (size_t)(p - base - size + 1), what, shown, size);
}

static void add_made(struct umsim_lines *text, const char *call, const void *caller)
{
    char place[256];
    if (!caller)
        return;
    umsim_source_line(caller, place, sizeof place);
    umsim_lines_add(text, "    allocated by %s at %s", call, place);
}

static void add_freed(struct umsim_lines *text, uintptr_t p, const struct umsim_alloc *note)
{
    char place[256];
    umsim_source_line(note->freed_caller, place, sizeof place);
    umsim_lines_add(text, "    and is %zu bytes inside a freed allocation at 0x%lx of size %zu bytes",
                    (size_t)(p - (uintptr_t)note->base), (unsigned long)(uintptr_t)note->base, note->bytes);
    add_made(text, note->call, note->caller);
    umsim_lines_add(text, "    freed by %s at %s", note->freed_call ? note->freed_call : "the program",
                    place);
}

/* Whether `p` is near enough that `nearest` was probably meant. */
static bool is_near(uintptr_t p, const struct umsim_memory_known *nearest)
{
    const size_t reach = nearest->bytes < UMSIM_PAGE ? UMSIM_PAGE : nearest->bytes;
    return nearest->bytes &&
           (umsim_arena_of((const void *)p) || p - nearest->base + reach < nearest->bytes + 2 * reach);
}

static const char *lesson_of_stray(uintptr_t p, const struct umsim_memory_known *nearest)
{
    if (p < UMSIM_PAGE)
        return "The pointer is NULL, or close to it: was it allocated, and is it the one that the kernel was "
               "given?";
    if (!is_near(p, nearest))
        return "The address is none of the GPU's: a host pointer has to be copied to memory of cudaMalloc, "
               "or be managed.";
    return "An index is too large or too small: does every thread that has nothing to do return, `if (i < "
           "n)`?";
}

static const char *add_outside(struct umsim_lines *text, const struct umsim_finding *finding)
{
    const uintptr_t p = finding->address;
    char address[32];
    umsim_lines_add(text, "    Access at %s is out of bounds", address_of(finding, address, sizeof address));
    if (finding->space == UMSIM_SPACE_SHARED) {
        if (finding->nearest_bytes)
            add_distance(text, finding,
                         finding->is_dynamic ? "dynamic __shared__ memory" : "__shared__ variable",
                         finding->nearest, finding->nearest_bytes);
        return finding->is_dynamic
                   ? "The launch's third parameter, <<<grid, block, bytes>>>, says how much there is."
                   : "__shared__ memory ends with the variable: is its size the block's?";
    }
    struct umsim_memory_known nearest;
    const struct umsim_alloc *freed = umsim_registry_freed((const void *)p);
    const bool inside = umsim_table_find(p, &nearest);
    if (freed && !inside) {
        add_freed(text, p, freed);
        return "Memory is the kernel's until it is freed, and a launch only begins the kernel: free after "
               "the last use.";
    }
    if (is_near(p, &nearest)) {
        add_distance(text, finding, nearest.what == UMSIM_KNOWN_ALLOCATION ? "allocation" : nearest.name,
                     nearest.base, nearest.bytes);
        add_made(text, nearest.name, nearest.caller);
    }
    return lesson_of_stray(p, &nearest);
}

/* Adds which memory an access is in, if it stays within it. */
static void add_inside(struct umsim_lines *text, const struct umsim_finding *finding)
{
    struct umsim_memory_known known;
    if (finding->space == UMSIM_SPACE_SHARED)
        umsim_lines_add(text, "    and is %zu bytes inside %s of size %zu bytes",
                        (size_t)(finding->address - finding->nearest),
                        finding->is_dynamic ? "the dynamic __shared__ memory" : "a __shared__ variable",
                        finding->nearest_bytes);
    if (finding->space == UMSIM_SPACE_SHARED || !umsim_table_find(finding->address, &known))
        return;
    umsim_lines_add(text, "    and is %zu bytes inside the %s at 0x%lx of size %zu bytes",
                    (size_t)(finding->address - known.base),
                    known.what == UMSIM_KNOWN_ALLOCATION ? "allocation" : known.name,
                    (unsigned long)known.base, known.bytes);
    add_made(text, known.name, known.caller);
}

#define LESSON_OF_SIZES                                                                                      \
    "Sizes are in bytes: n * sizeof of an element. sizeof of a pointer is 8, whatever it leads to."

/* Adds the copy that ended before `p`. */
static bool add_short_transfer(struct umsim_lines *text, uintptr_t p)
{
    struct umsim_memory_known known;
    char place[256];
    if (!umsim_table_find(p, &known))
        return false;
    const struct umsim_transfer_note *note = umsim_transfer_before(known.base, p);
    if (!note)
        return false;
    umsim_source_line(note->asked.caller, place, sizeof place);
    umsim_lines_add(text, "    %s at %s wrote %zu of its %zu bytes", note->asked.call, place, note->bytes,
                    known.bytes);
    return true;
}

/* ---- one finding ---- */

static const char *space_name(const struct umsim_finding *finding)
{
    return finding->space == UMSIM_SPACE_SHARED ? "__shared__" : "__global__";
}

static const char *verb(const struct umsim_toucher *by)
{
    return by->is_atomic ? "atomic" : by->is_write ? "write" : "read";
}

static void add_head(struct umsim_lines *text, const struct umsim_finding *finding, const char *what)
{
    char place[640];
    describe_place(finding, finding->by.pc, place, sizeof place);
    umsim_lines_add(text, "%s %s %s of size %zu bytes", what, space_name(finding), verb(&finding->by),
                    finding->bytes);
    umsim_lines_add(text, "    at %s", place);
    add_kernel(text, finding);
    add_thread(text, &finding->by);
}

static const char *add_access(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char p[32];
    address_of(finding, p, sizeof p);
    if (finding->kind == UMSIM_FOUND_UNINITIALISED) {
        add_head(text, finding, "Uninitialized");
        umsim_lines_add(text, "    Access at %s reads what nobody has written", p);
        add_inside(text, finding);
        if (finding->space == UMSIM_SPACE_SHARED)
            return "__shared__ memory begins with what the last block left: write before you read.";
        return add_short_transfer(text, finding->address)
                   ? LESSON_OF_SIZES
                   : "cudaMalloc leaves in memory what was there: copy to it, cudaMemset it, or have a "
                     "kernel write it.";
    }
    add_head(text, finding, "Invalid");
    if (finding->kind == UMSIM_FOUND_OUT_OF_BOUNDS)
        return add_outside(text, finding);
    if (finding->kind == UMSIM_FOUND_READ_ONLY) {
        umsim_lines_add(text, "    Access at %s is to memory that kernels only read", p);
        add_inside(text, finding);
        return "__constant__ variables are written by the host, with cudaMemcpyToSymbol.";
    }
    umsim_lines_add(text, "    Access at %s is misaligned", p);
    add_inside(text, finding);
    return "A GPU reads and writes 2, 4, 8 and 16 bytes at multiples of their size only: a cast of a pointer "
           "does not move it.";
}

static const char *access_name(const struct umsim_toucher *by)
{
    return by->is_atomic ? "Atomic" : by->is_write ? "Write" : "Read";
}

static const char *race_lesson(const struct umsim_finding *finding)
{
    if (finding->lacks_fence)
        return "Blocks run in any order. An atomic tells others that data is ready only if __threadfence() "
               "stands "
               "between the write and it.";
    if (!finding->one_block)
        return "Blocks run in any order, and at once: use atomics, or end the kernel in between.";
    if (finding->one_warp)
        return "Lanes of a warp need not run in step: __syncwarp() between these lines, or atomics.";
    return "Threads run in any order between two barriers: __syncthreads() between these lines, or atomics.";
}

static const char *add_race(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char here[640], there[640], address[32];
    describe_place(finding, finding->by.pc, here, sizeof here);
    describe_place(finding, finding->other.pc, there, sizeof there);
    umsim_lines_add(text, "Error: Race reported between %s access at %s", access_name(&finding->other),
                    there);
    add_thread(text, &finding->other);
    umsim_lines_add(text, "    and %s access at %s", access_name(&finding->by), here);
    add_thread(text, &finding->by);
    umsim_lines_add(text, "    of %zu bytes of %s memory at %s", finding->bytes, space_name(finding),
                    address_of(finding, address, sizeof address));
    add_inside(text, finding);
    return race_lesson(finding);
}

static const char *add_no_texture(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char place[640];
    describe_place(finding, finding->by.pc, place, sizeof place);
    umsim_lines_add(text, "Invalid texture read");
    umsim_lines_add(text, "    at %s", place);
    add_kernel(text, finding);
    add_thread(text, &finding->by);
    umsim_lines_add(text, "    The texture object %llu does not exist: it was destroyed, or never created",
                    (unsigned long long)finding->address);
    return "A GPU says nothing of it and reads what its table of textures still holds, here zeros: destroy "
           "it "
           "after the last kernel.";
}

static const char *add_finding(struct umsim_lines *text, const struct umsim_finding *finding)
{
    switch (finding->kind) {
    case UMSIM_FOUND_RACE:
        return add_race(text, finding);
    case UMSIM_FOUND_NO_TEXTURE:
        return add_no_texture(text, finding);
    default:
        return add_access(text, finding);
    }
}

static void print(struct umsim_finding *finding)
{
    struct umsim_lines text = {.used = 0};
    const char *lesson = add_finding(&text, finding);
    if (finding->count > 1)
        umsim_lines_add(&text, "    and %llu more like it", (unsigned long long)finding->count - 1);
    umsim_lines_add(&text, "    %s", lesson);
    umsim_lines_add(&text, "%s", "");
    emit(&text);
    finding->told = finding->count;
    errors++;
}

/* A thread that reads before another has written finds uninitialised memory. That is reported only once, as a
 * race. */
static bool follows_from_race(const struct umsim_finding *finding, const struct umsim_finding *all,
                              size_t count)
{
    bool follows = false;
    for (size_t i = 0; i < count && finding->kind == UMSIM_FOUND_UNINITIALISED; i++)
        follows |= all[i].kind == UMSIM_FOUND_RACE &&
                   (all[i].by.pc == finding->by.pc || all[i].other.pc == finding->by.pc);
    return follows;
}

void umsim_check_report(void)
{
    struct umsim_finding *all;
    uint64_t lost;
    const size_t count = umsim_findings(&all, &lost);
    for (size_t i = 0; i < count; i++) {
        if (all[i].told)
            continue;
        if (follows_from_race(&all[i], all, count))
            all[i].told = all[i].count;
        else
            print(&all[i]);
    }
}

bool umsim_check_tells(const struct umsim_kernel_fault *fault)
{
    struct umsim_finding *all;
    uint64_t lost;
    const size_t count = umsim_findings(&all, &lost);
    const bool by_access =
        fault->error == cudaErrorIllegalAddress || fault->error == cudaErrorMisalignedAddress;
    for (size_t i = 0; by_access && i < count; i++) {
        if (all[i].kind > UMSIM_FOUND_READ_ONLY || strcmp(all[i].kernel, fault->kernel) != 0)
            continue;
        struct umsim_lines text = {.used = 0};
        umsim_lines_add(&text, "Kernel %s ended: every later CUDA call of this program returns %s (%d)",
                        fault->kernel, umsim_error_name((cudaError_t)fault->error), fault->error);
        umsim_lines_add(&text, "%s", "");
        emit(&text);
        return true;
    }
    return false;
}

/* ---- what the host does ---- */

/* Whether its allocation has been written from the start to `p`. */
static bool is_written_until(uintptr_t p)
{
    struct umsim_memory_known known;
    return umsim_table_find(p, &known) && p > known.base &&
           umsim_init_missing(known.base, p - known.base) == p;
}

void umsim_report_copy_of_nothing(uintptr_t p, size_t bytes, const char *call, const void *caller)
{
    struct umsim_lines text = {.used = 0};
    char place[256];
    umsim_source_line(caller, place, sizeof place);
    umsim_lines_add(&text, "Uninitialized access at 0x%lx on access by %s source", (unsigned long)p, call);
    umsim_lines_add(&text, "    of %zu bytes that nobody has written, at %s", bytes, place);
    const struct umsim_finding finding = {.address = p};
    add_inside(&text, &finding);
    umsim_lines_add(
        &text, "    %s",
        add_short_transfer(&text, p) ? LESSON_OF_SIZES
        : is_written_until(p)
            ? "All before it was written: are there threads for all, (n + threads - 1) / threads blocks?"
            : "cudaMalloc leaves in memory what was there: did the kernel run, and write all of it?");
    umsim_lines_add(&text, "%s", "");
    emit(&text);
    errors++;
}

void umsim_report_buffer(uintptr_t p, struct umsim_access access, const void *pc,
                         const struct umsim_report_buffer *buffer)
{
    struct umsim_lines text = {.used = 0};
    char function[256], place[256];
    umsim_source_place((const char *)pc + 1, function, sizeof function, place, sizeof place);
    umsim_lines_add(&text, "Error: Host %s of a buffer while a copy %s it",
                    !access.known     ? "access"
                    : access.is_write ? "write"
                                      : "read",
                    buffer->is_read ? "reads" : "writes");
    umsim_lines_add(&text, "    at %s in %s", *function ? function : "host code", place);
    umsim_lines_add(&text, "    Access at 0x%lx is %zu bytes inside the %zu bytes that are copied",
                    (unsigned long)p, (size_t)(p - buffer->start), buffer->bytes);
    umsim_source_line(buffer->asked.caller, place, sizeof place);
    umsim_lines_add(&text, "    by %s at %s", buffer->asked.call, place);
    const struct umsim_finding finding = {.address = p};
    add_inside(&text, &finding);
    umsim_lines_add(
        &text,
        "    An asynchronous call only begins the copy: cudaStreamSynchronize before the host %s the buffer.",
        buffer->is_read ? "changes" : "uses");
    umsim_lines_add(&text, "%s", "");
    if (umsim_real_write(STDERR_FILENO, text.text, text.used) >= 0)
        errors++;
}

unsigned long umsim_report_summary(void)
{
    struct umsim_lines text = {.used = 0};
    struct umsim_finding *all;
    uint64_t lost;
    umsim_findings(&all, &lost);
    if (lost)
        umsim_lines_add(&text, "    and %llu accesses more, at more places than are kept",
                        (unsigned long long)lost);
    const unsigned long sum = errors;
    umsim_lines_add(&text, "ERROR SUMMARY: %lu error%s", sum, sum == 1 ? "" : "s");
    emit(&text);
    return sum;
}
