/**
 * @file report.c
 * @brief Implementation of report.h: the text of each kind of finding, and the summary.
 *
 * Each finding is written by one call, so that lines of several threads do not mix.
 */
#include "report.h"
#include "report_barrier.h"
#include "check.h"
#include "finding.h"
#include "lines.h"
#include "own_array.h"
#include "report_memory.h"
#include "results.h"
#include "../base/devices.h"
#include "../base/python_place.h"
#include "../base/source_line.h"
#include "../include/cuda_runtime_api.h"
#include "../worker/launches.h"
#include "../base/error_names.h"

#include <stdio.h>
#include <string.h>

static const char *verb(const struct umsim_toucher *by)
{
    return by->is_atomic ? "atomic" : by->is_write ? "write" : "read";
}

/* Who made an access, for tools; the place as text, too. */
static void describe_place(struct umsim_lines *text, const char *member, const struct umsim_finding *finding,
                           const struct umsim_toucher *by, char *out, size_t size)
{
    char function[256], line[256];
    const void *pc = by->pc;
    umsim_source_place(pc, function, sizeof function, line, sizeof line);
    const char *name = *function ? function : finding->kernel;
    struct umsim_fields *fields = &text->fields;
    umsim_field_open(fields, member, '{');
    umsim_field_text(fields, "access", verb(by));
    umsim_field_line(fields, name, line);
    umsim_field_index(fields, "block", by->block.x, by->block.y, by->block.z);
    if (umsim_devices > 1)
        umsim_field_number(fields, "device", by->device);
    if (by->thread_known)
        umsim_field_index(fields, "thread", by->thread.x, by->thread.y, by->thread.z);
    umsim_field_close(fields, '{');
    const uintptr_t offset = (uintptr_t)pc - (uintptr_t)finding->kernel_code;
    if (offset < 1 << 20) /* in the kernel's own code */
        snprintf(out, size, "%s+0x%lx in %s", name, (unsigned long)offset, line);
    else
        snprintf(out, size, "%s in %s", name, line);
}

static void add_thread(struct umsim_lines *text, const struct umsim_toucher *by)
{
    char device[32] = "";
    if (umsim_devices > 1)
        snprintf(device, sizeof device, ", on device %u", by->device);
    if (by->thread_known)
        umsim_lines_add(text, "    by thread (%u,%u,%u) in block (%u,%u,%u)%s", by->thread.x, by->thread.y,
                        by->thread.z, by->block.x, by->block.y, by->block.z, device);
    else
        umsim_lines_add(text, "    by another thread in block (%u,%u,%u)%s", by->block.x, by->block.y,
                        by->block.z, device);
}

static void add_kernel(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char function[256], line[256];
    umsim_source_place(finding->by.pc, function, sizeof function, line, sizeof line);
    const size_t length = strlen(finding->kernel);
    const char *name = strstr(function, finding->kernel);
    umsim_field_text(&text->fields, "kernel", finding->kernel);
    const bool is_other = !name || (name[length] != '(' && name[length] != '<');
    if (is_other && *function)
        umsim_lines_add(text, "    in kernel %s", finding->kernel);
}

/* ---- one finding ---- */

static const char *space_name(const struct umsim_finding *finding)
{
    return finding->space == UMSIM_SPACE_SHARED  ? "__shared__"
           : finding->space == UMSIM_SPACE_LOCAL ? "__local__"
                                                 : "__global__";
}

static bool is_own_array(const struct umsim_finding *finding)
{
    return finding->space == UMSIM_SPACE_LOCAL && finding->kind == UMSIM_FOUND_OUT_OF_BOUNDS;
}

/* What was accessed, for tools. */
static void add_accessed(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char address[32];
    umsim_field_text(&text->fields, "address", umsim_report_address(finding, address, sizeof address));
    umsim_field_number(&text->fields, "bytes", finding->bytes);
    if (finding->space != UMSIM_SPACE_UNKNOWN)
        umsim_field_text(&text->fields, "space", space_name(finding));
}

static void add_head(struct umsim_lines *text, const struct umsim_finding *finding, const char *what)
{
    char place[640];
    describe_place(text, "at", finding, &finding->by, place, sizeof place);
    if (finding->bytes)
        umsim_lines_add(text, "%s %s %s of size %zu bytes", what, space_name(finding), verb(&finding->by),
                        finding->bytes);
    else /* of a type of the program's */
        umsim_lines_add(text, "%s %s %s", what, space_name(finding), verb(&finding->by));
    umsim_lines_add(text, "    at %s", place);
    add_kernel(text, finding);
    add_thread(text, &finding->by);
    add_accessed(text, finding);
}

static const char *add_own_array(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char place[640];
    struct umsim_own_array array;
    umsim_own_array_of(finding, &array);
    describe_place(text, "at", finding, &finding->by, place, sizeof place);
    const char *space = finding->is_before_shared ? "__shared__" : space_name(finding);
    umsim_lines_add(text, "Note: an index outside of an array");
    umsim_lines_add(text, "    at %s", place);
    add_kernel(text, finding);
    add_thread(text, &finding->by);
    umsim_field_text(&text->fields, "space", space);
    umsim_lines_cause(text, "    Index %lld is outside of an array of type %s", (long long)array.index,
                      array.type);
    umsim_report_own_array(text, &array,
                           finding->is_before_shared ? "__shared__ variable" : "local variable");
    return "If the element is read or written, that is another variable: elements are numbered from 0.";
}

/* Of the thread's own memory, beyond the end of a variable. */
static const char *add_own_access(struct umsim_lines *text, struct umsim_finding finding)
{
    char p[32];
    struct umsim_own_array array;
    umsim_own_array_accessed(&finding, &finding.by.is_write, &finding.bytes);
    add_head(text, &finding, "Invalid");
    if (umsim_own_array_of(&finding, &array)) {
        umsim_lines_cause(text, "    Index %lld is outside of an array of type %s", (long long)array.index,
                          array.type);
        umsim_report_own_array(text, &array, "local variable");
    } else
        umsim_lines_cause(text, "    Access at %s is beyond the end of a local variable",
                          umsim_report_address(&finding, p, sizeof p));
    return "Behind it lie the thread's other variables: elements are numbered from 0, is the array long "
           "enough?";
}

static const char *add_access(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char p[32];
    umsim_report_address(finding, p, sizeof p);
    if (finding->kind == UMSIM_FOUND_UNINITIALISED) {
        add_head(text, finding, "Uninitialized");
        umsim_lines_cause(text, "    Access at %s reads what nobody has written", p);
        umsim_report_inside(text, finding);
        if (finding->space == UMSIM_SPACE_SHARED)
            return "__shared__ memory begins with what the last block left: write before you read.";
        const char *sizes = umsim_report_short_transfer(text, finding->address);
        return sizes ? sizes
                     : "cudaMalloc leaves in memory what was there: copy to it, cudaMemset it, or have a "
                       "kernel write it.";
    }
    if (is_own_array(finding))
        return finding->outside ? add_own_access(text, *finding) : add_own_array(text, finding);
    add_head(text, finding, "Invalid");
    if (finding->kind == UMSIM_FOUND_OUT_OF_BOUNDS)
        return umsim_report_outside(text, finding);
    if (finding->kind == UMSIM_FOUND_READ_ONLY) {
        umsim_lines_cause(text, "    Access at %s is to memory that kernels only read", p);
        umsim_report_inside(text, finding);
        return "__constant__ variables are written by the host, with cudaMemcpyToSymbol.";
    }
    umsim_lines_cause(text, "    Access at %s is misaligned", p);
    umsim_report_inside(text, finding);
    return "A GPU reads and writes 2, 4, 8 and 16 bytes at multiples of their size only: a cast of a pointer "
           "does not move it.";
}

static const char *access_name(const struct umsim_toucher *by)
{
    return by->is_atomic ? "Atomic" : by->is_write ? "Write" : "Read";
}

static const char *race_lesson(const struct umsim_finding *finding)
{
    if (finding->two_launches && finding->by.device != finding->other.device)
        return "Nothing puts the two kernels in order, and each device's default stream and "
               "cudaDeviceSynchronize() are its own: cudaStreamWaitEvent() lets one's stream wait for the "
               "other's "
               "event.";
    if (finding->two_launches)
        return "Nothing puts the two kernels in order: cudaStreamWaitEvent() between their streams, or one "
               "stream "
               "for both.";
    if (finding->block_scope)
        return "What ends in _block, or has thread_scope_block, is atomic among the threads of one block: "
               "between "
               "blocks use the function without it.";
    if (finding->lacks_acquire)
        return "An atomic tells that data is ready; to read it, __threadfence() has to stand between the "
               "atomic "
               "and this line, too.";
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

static void add_launches(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char here[256], there[256];
    umsim_source_line(finding->launched, here, sizeof here);
    umsim_source_line(finding->other_launched, there, sizeof there);
    if (finding->by.device != finding->other.device)
        umsim_lines_cause(text, "    in kernels of devices %u and %u, launched at %s and %s",
                          finding->other.device, finding->by.device, there, here);
    else
        umsim_lines_cause(text, "    in kernels of two streams, launched at %s and %s", there, here);
    umsim_lines_place(text, "launched", NULL, here);
    umsim_lines_place(text, "other_launched", NULL, there);
}

static const char *add_race(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char here[640], there[640], address[32];
    describe_place(text, "at", finding, &finding->by, here, sizeof here);
    describe_place(text, "other", finding, &finding->other, there, sizeof there);
    umsim_lines_add(text, "Error: Race reported between %s access at %s", access_name(&finding->other),
                    there);
    add_thread(text, &finding->other);
    umsim_lines_add(text, "    and %s access at %s", access_name(&finding->by), here);
    add_thread(text, &finding->by);
    if (finding->two_launches)
        add_launches(text, finding);
    umsim_lines_add(text, "    of %zu bytes of %s memory at %s", finding->bytes, space_name(finding),
                    umsim_report_address(finding, address, sizeof address));
    umsim_field_text(&text->fields, "kernel", finding->kernel);
    add_accessed(text, finding);
    umsim_report_inside(text, finding);
    return race_lesson(finding);
}

static const char *add_no_texture(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char place[640];
    describe_place(text, "at", finding, &finding->by, place, sizeof place);
    umsim_lines_add(text, "Invalid texture read");
    umsim_lines_add(text, "    at %s", place);
    add_kernel(text, finding);
    add_thread(text, &finding->by);
    umsim_lines_cause(text, "    The texture object %llu does not exist: it was destroyed, or never created",
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
    case UMSIM_FOUND_PASSED_BY:
        return umsim_report_passed_by(text, finding);
    case UMSIM_FOUND_ABSENT_LANES:
        return umsim_report_absent_lanes(text, finding);
    default:
        return add_access(text, finding);
    }
}

static const char *const kinds[] = {
    [UMSIM_FOUND_OUT_OF_BOUNDS] = "out of bounds",
    [UMSIM_FOUND_MISALIGNED] = "misaligned",
    [UMSIM_FOUND_READ_ONLY] = "write to constant",
    [UMSIM_FOUND_UNINITIALISED] = "uninitialised",
    [UMSIM_FOUND_RACE] = "race",
    [UMSIM_FOUND_NO_TEXTURE] = "no texture",
    [UMSIM_FOUND_PASSED_BY] = "barrier passed by",
    [UMSIM_FOUND_ABSENT_LANES] = "absent lanes",
};

/* A kernel's own line is in the text that Python handed over; which launch it was is in the program. */
static void add_python_launch(struct umsim_lines *text, const struct umsim_finding *finding)
{
    const char *place = umsim_python_place_text(finding->launched);
    if (!place || finding->two_launches)
        return;
    umsim_lines_add(text, "    launched at %s", place);
    umsim_lines_place(text, "launched", NULL, place);
}

static void print(struct umsim_finding *finding)
{
    struct umsim_lines text = {.used = 0};
    const char *lesson = add_finding(&text, finding);
    add_python_launch(&text, finding);
    if (finding->count > 1)
        umsim_lines_add(&text, "    and %llu more like it", (unsigned long long)finding->count - 1);
    umsim_lines_cure(&text, "    %s", lesson);
    /* A program may form such an address of a __shared__ array and be right: own_array.h. So may one whose
     * threads return before others wait: barrier.h. */
    const bool is_of_barrier =
        finding->kind == UMSIM_FOUND_PASSED_BY || finding->kind == UMSIM_FOUND_ABSENT_LANES;
    const bool is_note = (is_of_barrier && !finding->passed) || (is_own_array(finding) && !finding->outside);
    finding->record = umsim_lines_tell(&text, is_note ? UMSIM_IS_NOTE : UMSIM_IS_ERROR, kinds[finding->kind],
                                       finding->count);
    finding->told = finding->count;
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

/* An index outside of an array whose access was seen; a pointer that is not aligned. */
static bool is_judged(const struct umsim_finding *finding)
{
    struct umsim_own_array array;
    bool is_write;
    size_t bytes;
    return is_own_array(finding) && (finding->outside ? !umsim_own_array_accessed(finding, &is_write, &bytes)
                                                      : !umsim_own_array_of(finding, &array));
}

void umsim_check_report(void)
{
    struct umsim_finding *all;
    uint64_t lost;
    const size_t count = umsim_findings(&all, &lost);
    for (size_t i = 0; i < count; i++) {
        if (all[i].told)
            continue;
        if (follows_from_race(&all[i], all, count) || is_judged(&all[i]))
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
        if (all[i].kind > UMSIM_FOUND_READ_ONLY || is_own_array(&all[i]) ||
            strcmp(all[i].kernel, fault->kernel) != 0)
            continue;
        struct umsim_lines text = {.used = 0};
        umsim_lines_add(&text, "Kernel %s ended: every later CUDA call of this program returns %s (%d)",
                        fault->kernel, umsim_error_name((cudaError_t)fault->error), fault->error);
        umsim_field_text(&text.fields, "kernel", fault->kernel);
        umsim_lines_error(&text, fault->error);
        umsim_lines_tell(&text, UMSIM_IS_NOTE, "kernel ended", 1);
        return true;
    }
    return false;
}

/* ---- what the host does ---- */

void umsim_report_copy_of_nothing(uintptr_t p, size_t bytes, const char *call, const void *caller)
{
    struct umsim_lines text = {.used = 0};
    char place[256];
    umsim_source_line(caller, place, sizeof place);
    umsim_lines_add(&text, "Uninitialized access at 0x%lx on access by %s source", (unsigned long)p, call);
    umsim_lines_cause(&text, "    of %zu bytes that nobody has written, at %s", bytes, place);
    const struct umsim_finding finding = {.address = p, .bytes = bytes};
    umsim_lines_place(&text, "at", NULL, place);
    umsim_field_text(&text.fields, "call", call);
    add_accessed(&text, &finding);
    umsim_report_inside(&text, &finding);
    const char *sizes = umsim_report_short_transfer(&text, p);
    umsim_lines_cure(
        &text, "    %s",
        sizes ? sizes
        : umsim_report_written_until(p)
            ? "All before it was written: are there threads for all, (n + threads - 1) / threads blocks?"
            : "cudaMalloc leaves in memory what was there: did the kernel run, and write all of it?");
    umsim_lines_tell(&text, UMSIM_IS_ERROR, "uninitialised copy", 1);
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
    umsim_lines_place(&text, "at", function, place);
    umsim_lines_cause(&text, "    Access at 0x%lx is %zu bytes inside the %zu bytes that are copied",
                      (unsigned long)p, (size_t)(p - buffer->start), buffer->bytes);
    umsim_source_line(buffer->asked.caller, place, sizeof place);
    umsim_lines_add(&text, "    by %s at %s", buffer->asked.call, place);
    umsim_lines_place(&text, "copied", NULL, place);
    umsim_field_text(&text.fields, "call", buffer->asked.call);
    umsim_field_address(&text.fields, "address", p);
    umsim_report_inside(&text, &(struct umsim_finding){.address = p});
    umsim_lines_cure(
        &text,
        "    An asynchronous call only begins the copy: cudaStreamSynchronize before the host %s the buffer.",
        buffer->is_read ? "changes" : "uses");
    umsim_lines_add(&text, "%s", "");
    umsim_lines_write(&text);
    umsim_lines_told(&text, UMSIM_IS_ERROR, "buffer of a copy", 1);
}

unsigned long umsim_report_summary(void)
{
    struct umsim_lines text = {.used = 0};
    struct umsim_finding *all;
    struct umsim_results_sums *sums = umsim_lines_sums();
    const size_t count = umsim_findings(&all, &sums->lost);
    for (size_t i = 0; i < count; i++)
        umsim_results_count(all[i].record, all[i].count);
    if (sums->lost)
        umsim_lines_add(&text, "    and %llu accesses more, at more places than are kept",
                        (unsigned long long)sums->lost);
    umsim_lines_add(&text, "ERROR SUMMARY: %lu error%s", sums->errors, sums->errors == 1 ? "" : "s");
    fflush(stdout);
    umsim_lines_write(&text);
    return sums->errors;
}
