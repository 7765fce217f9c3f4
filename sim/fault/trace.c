/* trace.c: see trace.h. */
#include "trace.h"
#include "report.h"
#include "../gpu/clock.h"
#include "../gpu/shared.h"
#include "../space/registry.h"

#include <errno.h>
#include <fcntl.h>
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
    return file >= 0 && !umsim_in_gpu; /* a graded program's paging is the clerk's, who has no file */
}

/* A trace that is cut short says so once; the program goes on. */
static void put(const char *line, int length)
{
    static bool complained;
    if (write(file, line, (size_t)length) == length || complained)
        return;
    complained = true;
    umsim_say("the trace is incomplete: %s", strerror(errno));
}

void umsim_trace_op(const struct umsim_op *op)
{
    char line[320];
    if (file < 0)
        return;
    int length =
        snprintf(line, sizeof line,
                 "{\"event\":\"%s\",\"stream\":%llu,\"number\":%llu,\"issue_ns\":%llu,\"start_ns\":%llu,"
                 "\"end_ns\":%llu,\"bytes\":%llu}\n",
                 op->what, (unsigned long long)op->stream->number, (unsigned long long)op->number,
                 (unsigned long long)op->issue_ns, (unsigned long long)op->start_ns,
                 (unsigned long long)op->end_ns, (unsigned long long)op->bytes);
    put(line, length);
}

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

void umsim_trace_paging(void *context, const struct uvm_event *event)
{
    char line[320], base[40] = "null", more[60] = "";
    const struct umsim_alloc *allocation = umsim_registry_overlap((const void *)event->address, event->bytes);
    (void)context;
    if (allocation)
        snprintf(base, sizeof base, "\"%p\"", (void *)allocation->base);
    if (event->type == UVM_EVENT_THROTTLING)
        snprintf(more, sizeof more, ",\"wait_ns\":%llu", (unsigned long long)event->wait_ns);
    if (event->type == UVM_EVENT_GPU_FAULT)
        snprintf(more, sizeof more, ",\"groups\":%u", (unsigned)event->groups);
    int length = snprintf(line, sizeof line,
                          "{\"event\":\"%s\",\"time_ns\":%llu,\"processor\":\"%s\",\"cause\":%s,"
                          "\"allocation\":%s,\"address\":\"0x%lx\",\"bytes\":%zu%s}\n",
                          event_names[event->type], (unsigned long long)umsim_clock_now(),
                          event->processor == UVM_CPU ? "CPU" : "GPU", cause_names[event->cause], base,
                          (unsigned long)event->address, event->bytes, more);
    put(line, length);
}
