/**
 * @file trace.c
 * @brief Implementation of trace.h: writes the trace, one JSON object a line.
 */
#include "trace.h"
#include "../base/devices.h"
#include "../base/report.h"
#include "../base/clock.h"
#include "../include/umsim.h"
#include "../model/timeline.h"
#include "../base/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file = -1;

void umsim_trace_open(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0666);
    if (file < 0)
        umsim_die("UMSIM_TRACE=%s: %s", path, strerror(errno));
}

bool umsim_tracing(void)
{
    return file >= 0;
}

/* A line that is cut short is the last one, because what follows it could not be told apart from it. */
static void put(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const ssize_t written = umsim_real_write(file, line, (size_t)length);
    if (written == length)
        return;
    file = -1; /* a full disk takes a part of the line, without an error */
    umsim_say("the trace is incomplete: %s", strerror(written < 0 ? errno : ENOSPC));
}

/* Writes `text` as a JSON string; control characters become '?'. */
static const char *quoted(const char *text, char *out, size_t size)
{
    size_t used = 0;
    if (!text)
        return "null";
    out[used++] = '"';
    for (; *text && used + 3 < size; text++) {
        if (*text == '"' || *text == '\\')
            out[used++] = '\\';
        out[used++] = (unsigned char)*text < ' ' ? '?' : *text;
    }
    out[used++] = '"';
    out[used] = 0;
    return out;
}

/* Where there are several devices: a key with the number of one of them, behind a comma; else nothing.
 * Nothing, too, for a negative number. */
enum { KEY = 40 };
static const char *device_key(const char *key, int number, char out[KEY])
{
    out[0] = 0;
    if (umsim_devices > 1 && number >= 0)
        snprintf(out, KEY, ",\"%s\":%d", key, number);
    return out;
}

static unsigned long long now(void)
{
    return umsim_clock_now();
}

void umsim_trace_begin(const char *profile)
{
    char program[128], name[128], devices[KEY], page[KEY] = "";
    if (file < 0)
        return;
    if (UVM_PAGE_BYTES != 4096)
        snprintf(page, sizeof page, ",\"page_bytes\":%zu", UVM_PAGE_BYTES);
    put("{\"event\":\"trace\",\"version\":1,\"program\":%s,\"profile\":%s%s%s}\n",
        quoted(program_invocation_short_name, program, sizeof program), quoted(profile, name, sizeof name),
        device_key("devices", (int)umsim_devices, devices), page);
}

/* ---- what the host does ---- */

/* Of the calling thread: the operation that it carries out, what it called, and what it issued in that
 * call. */
static __thread uint64_t carried_out __attribute__((tls_model("initial-exec")));
static __thread uint64_t issued __attribute__((tls_model("initial-exec")));
static __thread const char *called __attribute__((tls_model("initial-exec")));

/* A launch enters twice: first its configuration is checked, then it is issued. */
void umsim_trace_call(const char *name)
{
    char device[KEY];
    if (file < 0 || strcmp(name, "cudaLaunchKernel") == 0)
        return;
    if (strcmp(name, "<<<>>>") == 0)
        name = "cudaLaunchKernel";
    called = name;
    issued = 0;
    put("{\"event\":\"call\",\"time_ns\":%llu,\"name\":\"%s\"%s}\n", now(), name,
        device_key("device", (int)umsim_device(), device));
}

void umsim_trace_return(int error)
{
    char operation[40] = "", why[24] = "", device[KEY];
    if (file < 0 || !called)
        return;
    if (issued)
        snprintf(operation, sizeof operation, ",\"operation\":%llu", (unsigned long long)issued);
    if (error)
        snprintf(why, sizeof why, ",\"error\":%d", error);
    put("{\"event\":\"return\",\"time_ns\":%llu,\"name\":\"%s\"%s%s%s}\n", now(), called, operation, why,
        device_key("device", (int)umsim_device(), device));
    called = NULL;
}

void umsim_trace_phase(const char *row, const char *phase)
{
    char row_text[160], phase_text[80];
    if (file < 0)
        return;
    put("{\"event\":\"%s\",\"time_ns\":%llu,\"row\":%s,\"phase\":%s}\n", phase ? "phase" : "phase end", now(),
        quoted(row, row_text, sizeof row_text), quoted(phase, phase_text, sizeof phase_text));
}

static void put_allocation(const char *event, const void *base, size_t bytes, int device, const char *kind,
                           const char *call)
{
    char whose[KEY];
    if (file >= 0)
        put("{\"event\":\"%s\",\"time_ns\":%llu,\"allocation\":\"%p\",\"bytes\":%zu,\"kind\":\"%s\","
            "\"call\":\"%s\"%s}\n",
            event, now(), base, bytes, kind, call, device_key("device", device, whose));
}

void umsim_trace_allocation(const void *base, size_t bytes, int device, const char *kind, const char *call)
{
    put_allocation("allocation", base, bytes, device, kind, call);
}

void umsim_trace_release(const void *base, size_t bytes, int device, const char *kind, const char *call)
{
    put_allocation("release", base, bytes, device, kind, call);
}

/* ---- operations ---- */

void umsim_trace_issued(uint64_t number)
{
    issued = number;
}

void umsim_trace_carry_out(uint64_t number)
{
    carried_out = number;
}

/* Where there are several devices: which engine works, and whose memory a copy reads and writes. */
static void put_engine(const struct umsim_op_times *op, char *out, size_t size)
{
    static const char *const names[UMSIM_ENGINES] = {[UMSIM_ENGINE_COMPUTE] = "compute",
                                                     [UMSIM_ENGINE_COPY_HTOD] = "HtoD",
                                                     [UMSIM_ENGINE_COPY_DTOH] = "DtoH",
                                                     [UMSIM_ENGINE_PEER] = "peer"};
    char reads[KEY], writes[KEY];
    out[0] = 0;
    if (umsim_devices > 1 && op->engine < UMSIM_ENGINES && names[op->engine])
        snprintf(out, size, ",\"engine\":\"%s\"%s%s", names[op->engine],
                 device_key("from_device", (int)op->reads - 1, reads),
                 device_key("to_device", (int)op->writes - 1, writes));
}

void umsim_trace_op(const struct umsim_op_times *op)
{
    char detail[160], device[24] = "", engine[3 * KEY];
    if (file < 0)
        return;
    if (umsim_devices > 1)
        snprintf(device, sizeof device, "\"device\":%u,", op->device);
    put_engine(op, engine, sizeof engine);
    put("{\"event\":\"%s\",%s\"stream\":%llu,\"number\":%llu,\"issue_ns\":%llu,\"start_ns\":%llu,"
        "\"end_ns\":%llu,\"bytes\":%llu,\"detail\":%s%s}\n",
        op->what, device, (unsigned long long)op->stream, (unsigned long long)op->number,
        (unsigned long long)op->issue_ns, (unsigned long long)op->start_ns, (unsigned long long)op->end_ns,
        (unsigned long long)op->bytes, quoted(op->detail, detail, sizeof detail), engine);
}

/* ---- paging ---- */

static const char *const event_names[] = {
    [UVM_EVENT_CPU_FAULT] = "CpuFault",
    [UVM_EVENT_GPU_FAULT] = "GpuFault",
    [UVM_EVENT_MIGRATION] = "Migration",
    [UVM_EVENT_READ_DUPLICATE] = "ReadDuplicate",
    [UVM_EVENT_READ_DUPLICATE_INVALIDATE] = "ReadDuplicateInvalidate",
    [UVM_EVENT_MAP_REMOTE] = "MapRemote",
    [UVM_EVENT_POPULATE] = "Populate",
    [UVM_EVENT_EVICTION] = "Eviction",
    [UVM_EVENT_THRASHING] = "Thrashing",
    [UVM_EVENT_THROTTLING] = "Throttling",
};

static const char *const cause_names[] = {
    [UVM_CAUSE_USER] = "\"User\"",
    [UVM_CAUSE_COHERENCE] = "\"Coherence\"",
    [UVM_CAUSE_PREFETCH] = "\"Prefetch\"",
    [UVM_CAUSE_EVICTION] = "\"Eviction\"",
    [UVM_CAUSES] = "null",
};

static bool is_fault(const struct uvm_event *event)
{
    return event->type == UVM_EVENT_CPU_FAULT || event->type == UVM_EVENT_GPU_FAULT;
}

/* Where there are several devices: which one it is, and where pages came from or are. */
static void put_devices(const struct uvm_event *event, char *out, size_t size)
{
    size_t used = 0;
    if (uvm_is_gpu(event->processor))
        used = (size_t)snprintf(out, size, ",\"device\":%u", uvm_device_of(event->processor));
    if (uvm_is_gpu(event->from) && event->from != event->processor)
        snprintf(out + used, size - used, ",\"from\":\"GPU\",\"from_device\":%u", uvm_device_of(event->from));
    else if (event->from == UVM_CPU)
        snprintf(out + used, size - used, ",\"from\":\"CPU\"");
}

void umsim_trace_paging(const void *allocation, const struct uvm_event *event)
{
    char base[40] = "null", more[160] = "";
    size_t used = 0;
    if (file < 0)
        return;
    if (allocation)
        snprintf(base, sizeof base, "\"%p\"", allocation);
    if (carried_out)
        used += (size_t)snprintf(more, sizeof more, ",\"operation\":%llu", (unsigned long long)carried_out);
    if (is_fault(event))
        used += (size_t)snprintf(more + used, sizeof more - used, ",\"access\":\"%s\"",
                                 event->is_write ? "write" : "read");
    if (event->type == UVM_EVENT_THROTTLING)
        snprintf(more + used, sizeof more - used, ",\"wait_ns\":%llu", (unsigned long long)event->wait_ns);
    if (event->type == UVM_EVENT_GPU_FAULT)
        used += (size_t)snprintf(more + used, sizeof more - used, ",\"groups\":%u", (unsigned)event->groups);
    if (umsim_devices > 1)
        put_devices(event, more + used, sizeof more - used);
    put("{\"event\":\"%s\",\"time_ns\":%llu,\"processor\":\"%s\",\"cause\":%s,"
        "\"allocation\":%s,\"address\":\"0x%lx\",\"bytes\":%zu%s}\n",
        event_names[event->type], now(), event->processor == UVM_CPU ? "CPU" : "GPU",
        cause_names[event->cause], base, (unsigned long)event->address, event->bytes, more);
}

void umsim_trace_range(enum umsim_trace_range what, uintptr_t address, size_t bytes,
                       enum uvm_processor processor)
{
    static const char *const names[] = {
        [UMSIM_RANGE_CREATED] = "RangeCreate",
        [UMSIM_RANGE_DESTROYED] = "RangeDestroy",
        [UMSIM_RANGE_UNMAPPED] = "UnmapRemote",
    };
    char device[KEY];
    if (umsim_tracing())
        put("{\"event\":\"%s\",\"time_ns\":%llu,\"address\":\"0x%lx\",\"bytes\":%zu%s}\n", names[what], now(),
            (unsigned long)address, bytes,
            device_key("device", uvm_is_gpu(processor) ? (int)uvm_device_of(processor) : -1, device));
}
