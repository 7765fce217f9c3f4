/**
 * @file settle.c
 * @brief Implementation of settle.h, and the end of each device's work (queue.h).
 */
#include "settle.h"
#include "../base/report.h"
#include "../record/ledger.h"
#include "../record/trace.h"

#include <stdlib.h>
#include <string.h>

static struct umsim_timeline timeline;
static uint64_t end_ns[UMSIM_DEVICES_MAX];

uint64_t umsim_queue_end_ns(unsigned device)
{
    return end_ns[device];
}

static void write_down(const struct umsim_op *op)
{
    const struct umsim_op_times times = {.what = op->what,
                                         .detail = op->detail,
                                         .stream = op->stream->number,
                                         .number = op->number,
                                         .device = op->device,
                                         .engine = op->engine,
                                         .reads = op->reads,
                                         .writes = op->writes,
                                         .bytes = op->bytes,
                                         .issue_ns = op->issue_ns,
                                         .start_ns = op->start_ns,
                                         .end_ns = op->end_ns};
    umsim_trace_op(&times);
    umsim_ledger_operation(&times);
}

/* So many bytes: those at hand, if they are enough. */
static void *bytes_for(void *here, size_t capacity, size_t bytes)
{
    return bytes <= capacity ? here : malloc(bytes);
}

static void give_back(void *p, const void *here)
{
    if (p != here)
        free(p);
}

void umsim_settle(struct umsim_op **batch, size_t count)
{
    struct umsim_item few_items[4]; /* a call mostly waits for one operation */
    uint32_t few_links[16];
    uint64_t few_scratch[64];
    size_t links = 0;
    for (size_t i = 0; i < count; i++) {
        batch[i]->item = (uint32_t)i;
        links += batch[i]->after_count;
    }
    struct umsim_item *items = bytes_for(few_items, sizeof few_items, count * sizeof *items);
    uint32_t *link = bytes_for(few_links, sizeof few_links, (links + 1) * sizeof *link), *next = link;
    for (size_t i = 0; items && link && i < count; i++) {
        struct umsim_op *op = batch[i];
        struct umsim_item *item = &items[i];
        item->line = umsim_line(op->device, op->engine);
        item->duration_ns = op->duration_ns;
        item->issue_ns = op->issue_ns;
        item->ready_ns = op->ready_ns;
        item->issue_number = op->number;
        item->dependencies = next;
        item->dependency_count = op->after_count;
        item->share = op->share;
        item->share_count = op->share_count;
        for (unsigned d = 0; d < op->after_count; d++) {
            if (op->after[d]->state == UMSIM_OP_SETTLED && item->ready_ns < op->after[d]->end_ns)
                item->ready_ns = op->after[d]->end_ns;
            if (op->after[d]->state == UMSIM_OP_SETTLED)
                item->dependency_count--;
            else
                *next++ = op->after[d]->item;
        }
    }
    timeline.devices = umsim_devices;
    size_t scratch_bytes = items && link ? umsim_timeline_scratch(items, count) : 0;
    void *scratch = scratch_bytes ? bytes_for(few_scratch, sizeof few_scratch, scratch_bytes) : NULL;
    if (!scratch || umsim_timeline_settle(&timeline, items, count, scratch, scratch_bytes) != UMSIM_SETTLED)
        umsim_die("cannot settle the times of %zu operations", count);
    for (size_t i = 0; i < count; i++) {
        batch[i]->start_ns = items[i].start_ns;
        batch[i]->end_ns = items[i].end_ns;
        uint64_t *end = &end_ns[batch[i]->stream->device];
        if (*end < items[i].end_ns)
            *end = items[i].end_ns;
        write_down(batch[i]);
    }
    give_back(scratch, few_scratch);
    give_back(link, few_links);
    give_back(items, few_items);
}
