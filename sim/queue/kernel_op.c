/**
 * @file kernel_op.c
 * @brief Implementation of kernel_op.h, the host's side of a launch: puts it into the ring, waits for it and
 * prices it.
 */
#include "kernel_op.h"
#include "../base/clock.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "../base/lock.h"
#include "../base/machine.h"
#include "counts.h"
#include "declared.h"
#include "explain_launch.h"
#include "unordered.h"
#include "../devlib/print.h"
#include "../base/sticky.h"
#include "traffic.h"
#include "progress.h"
#include "recall.h"
#include "work_limit.h"
#include "../base/limits.h"
#include "../check/check.h"
#include "../check/touches.h"
#include "../record/counters.h"
#include "../fault/explain.h"
#include "../base/report.h"
#include "../model/cost.h"
#include "../space/managed.h"
#include "../space/classify.h"
#include "../space/contents.h"
#include "../base/processes.h"
#include "../space/views.h"
#include "../worker/launches.h"
#include "../base/layout.h"
#include "../worker/fail.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/** How long a wait sleeps before it checks whether the GPU process is still alive. */
#define LIFE_CHECK_NS UINT64_C(50000000)
/** How long the workers have to give up after an interrupt, before the GPU process is ended. */
#define INTERRUPT_GRACE_NS UINT64_C(1000000000)

struct kernel_op {
    struct umsim_op op;
    struct umsim_kernel kernel;
    struct umsim_geometry geometry;
    size_t dynamic_shared, closure_bytes, declared_count;
    uint64_t bring_ns; /* on a device without faults: the time to bring the memory first */
    unsigned slot;     /* the value of `completed` when it has run */
    bool handed_over, declares_nothing, is_measured, cooperative;
    struct umsim_check_asked asked; /* where it was launched, and under --check: by which call */
    unsigned number;                /* under --check: of the kernels issued */
    struct umsim_stands_for stands_for;
    struct umsim_unordered *unordered; /* under --check, behind what is declared; else NULL */
    uint64_t launch, waited_for;       /* as in struct umsim_command; 0: of a graph */
    uint64_t changes;                  /* the registry's count of changes at the issue */
    struct umsim_recall recall;
    struct umsim_measurement *moves; /* set at the hand-over: what it moves, if it declares nothing */
    struct umsim_declared *declared; /* behind the closure */
    _Alignas(64) char closure[];
};

struct umsim_handler umsim_fault_handler;
/* Of each device: an estimate, as if one kernel ran after the other. */
static uint64_t busy_until_ns[UMSIM_DEVICES_MAX];

/* A kernel that declared nothing is priced from the pages that it touches, unless nothing leads it to any
 * page: none of its parameters is a pointer, and no module has device variables. (The closure of no
 * parameters has one byte.) */
static bool may_move_unsaid(const struct umsim_launch_request *request)
{
    return request->declared_count == 0 && request->stands_for.blocks == 0 &&
           (request->closure_bytes >= sizeof(void *) || atomic_load(&umsim_views->sections) ||
            umsim_managed_in_use());
}

/* Closures lie one behind the other. The space for the largest closure times the ring's length never runs
 * out, because at most a ring of launches is ahead of the GPU process. */
static char *place_for_closure(size_t bytes)
{
    static size_t used;
    if (used + bytes > UMSIM_CLOSURES)
        used = 0;
    char *place = umsim_launches->closures + used;
    used = umsim_round_up(used + bytes, 64);
    return place;
}

/* The entry stays unchanged until its launch has been collected. */
static struct umsim_command *command_of(unsigned slot)
{
    return &umsim_launches->ring[(slot - 1) % UMSIM_RING];
}

/* The last launch that was collected. */
static unsigned collected;

/* Where the launch behind `at` is counted. Whenever no launch is on its way this begins with the same place,
 * so that a program which waits for each of its launches meets no new pages. */
static unsigned place_for_counts(unsigned at)
{
    static unsigned first;
    if (collected == at)
        first = at;
    return (at - first) % UMSIM_RING;
}

/* Fills the next entry of the ring. */
static struct umsim_command *prepare(struct kernel_op *it)
{
    const unsigned at = atomic_load(&umsim_processes->submitted);
    struct umsim_command *command = command_of(at + 1);
    const dim3 grid = it->geometry.grid, block = it->geometry.block;
    command->kernel = it->kernel;
    command->geometry = it->geometry;
    command->dynamic_shared = it->dynamic_shared;
    command->blocks = (uint64_t)grid.x * grid.y * grid.z;
    command->threads_a_block = (uint64_t)block.x * block.y * block.z;
    command->cooperative = it->cooperative;
    command->stands_for = it->stands_for;
    command->measure = it->is_measured;
    command->counts = it->is_measured && umsim_counts_can(&it->kernel);
    command->slot = place_for_counts(at);
    atomic_store_explicit(&command->device, it->op.device, memory_order_release);
    if (atomic_load(&command->touched))
        atomic_store(&command->touched, false);
    command->pending_limit =
        (unsigned)umsim_device_limit(it->op.device, cudaLimitDevRuntimePendingLaunchCount);
    command->stack_limit = umsim_device_limit(it->op.device, cudaLimitStackSize);
    static const struct umsim_measured none;
    static const struct umsim_nested launched_none;
    umsim_tell(&command->measured, &none, sizeof none);
    umsim_tell(&command->nested, &launched_none, sizeof launched_none);
    if (it->unordered)
        command->unordered = *it->unordered;
    else
        command->unordered.count = 0;
    command->launch = it->launch;
    command->waited_for = it->waited_for;
    command->issued = it->op.number;
    command->launched = it->asked.caller;
    command->closure = memcpy(place_for_closure(it->closure_bytes), it->closure, it->closure_bytes);
    command->closure_bytes = it->closure_bytes;
    it->slot = at + 1;
    it->handed_over = true;
    return command;
}

static void put_in_ring(const struct kernel_op *it)
{
    umsim_contents_may_change();
    atomic_store(&umsim_processes->submitted, it->slot);
    umsim_wake_sleeper(&umsim_processes->submitted, it->slot, &umsim_processes->gpu_sleeps);
    if (umsim_devices > 1 && atomic_load(&umsim_processes->leads_sleep))
        umsim_futex_wake(&umsim_processes->submitted);
}

static bool slot_done(unsigned slot)
{
    return umsim_reached(&umsim_processes->completed, slot);
}

/* Waits without the lock, so that other host threads can go on. With more launches handed over, a sleep lasts
 * until half of them have run, so that each switch between the processes achieves much.
 * @return how long it took, in real time */
static uint64_t wait_for_slot(const struct kernel_op *it)
{
    const unsigned slot = it->slot, goal = slot + (atomic_load(&umsim_processes->submitted) - slot) / 2;
    if (umsim_sticky_error() && !umsim_gpu_alive())
        return 0;
    static struct umsim_patience patience;
    const bool is_there = slot_done(slot); /* so no clock has to be read */
    const uint64_t begun_ns = is_there ? 0 : umsim_real_ns();
    uint64_t from_ns = begun_ns;
    if (umsim_await(&umsim_processes->completed, slot, &patience)) {
        if (!is_there)
            umsim_progress_waited(&from_ns);
        return from_ns - begun_ns;
    }
    umsim_unlock();
    struct umsim_work_done work = {.begun = false};
    uint64_t interrupted_ns = 0;
    atomic_store(&umsim_processes->host_wants, goal);
    while (!slot_done(slot) && umsim_gpu_alive()) {
        unsigned seen = atomic_load(&umsim_processes->completed);
        if (!slot_done(goal))
            umsim_sleep_while(&umsim_processes->completed, seen, &umsim_processes->host_sleeps,
                              LIFE_CHECK_NS);
        umsim_progress_waited(&from_ns);
        const char *reason = interrupted_ns ? NULL : umsim_work_exceeds(&work);
        if (reason) {
            const char *nested = umsim_launches->nested_name;
            umsim_gpu_interrupt(cudaErrorLaunchTimeout, nested[0] ? nested : it->kernel.name, reason);
            interrupted_ns = umsim_real_ns();
        } else if (interrupted_ns && umsim_real_ns() - interrupted_ns > INTERRUPT_GRACE_NS) {
            umsim_gpu_stop();
        }
    }
    atomic_store(&umsim_processes->host_sleeps, 0);
    umsim_lock();
    return from_ns - begun_ns;
}

/* Comes before anything else is known of the launch: as with CUDA, the text appears before the call that
 * waited returns. */
static char printed_by[128];

const char *umsim_kernel_that_printed(void)
{
    return printed_by;
}

/* @return whether it did */
static bool print_what_it_printed(const char *kernel, unsigned device, unsigned slot)
{
    if (!atomic_load(&umsim_launches->printed) || atomic_load(&umsim_processes->completed) != slot)
        return false;
    snprintf(printed_by, sizeof printed_by, "%s", kernel);
    umsim_print_flush(umsim_device_limit(device, cudaLimitPrintfFifoSize));
    atomic_store(&umsim_launches->printed, 0);
    umsim_futex_wake(&umsim_launches->printed);
    return true;
}

/* The outcome of the launch: no fault, a fault, or the end of the GPU process. */
static void take_result(unsigned slot)
{
    struct umsim_kernel_fault *fault = &umsim_launches->fault;
    umsim_check_report();
    if (umsim_sticky_error())
        return;
    if (atomic_load(&fault->set)) {
        if (!umsim_check_tells(fault))
            umsim_explain_kernel_fault(fault);
        umsim_sticky_set((cudaError_t)fault->error);
    } else if (!slot_done(slot)) {
        char text[512];
        snprintf(text, sizeof text,
                 "the process that simulates the GPU is gone, with the kernels that it had: %s",
                 umsim_gpu_end());
        umsim_say("%s", text);
        umsim_check_told(NULL, text);
        umsim_sticky_set(cudaErrorLaunchFailure);
    }
}

/* What its traffic with other devices takes of their links. Which device it is with is known where there are
 * two. */
static void share_links(struct kernel_op *it, const struct umsim_terms *terms)
{
    const uint64_t in_ns = (uint64_t)terms->peer_in_ns, out_ns = (uint64_t)terms->peer_out_ns;
    if (umsim_devices == 2) {
        umsim_op_crosses(&it->op, 1 - it->op.device, it->op.device, in_ns);
        umsim_op_crosses(&it->op, it->op.device, 1 - it->op.device, out_ns);
    } else {
        umsim_op_shares(&it->op, it->op.device, UMSIM_LINK_IN, in_ns);
        umsim_op_shares(&it->op, it->op.device, UMSIM_LINK_OUT, out_ns);
    }
}

static void price_launch(struct kernel_op *it, const struct umsim_paging_work *paging)
{
    struct umsim_traffic traffic[2 * UMSIM_DECLARED_MAX + UMSIM_PRICE_TRAFFIC];
    size_t count = 0;
    for (size_t i = 0; i < it->declared_count; i++)
        count += umsim_declared_traffic(&it->declared[i], it->op.device, &traffic[count]);
    struct umsim_command *command = command_of(it->slot);
    if (it->is_measured) {
        if (command->counts)
            umsim_counts_take(command, umsim_managed_whereabouts);
        umsim_traffic_measured(it->moves, &command->measured);
    } else if (it->moves) {
        umsim_traffic_of(it->moves, &command->measured);
        command->measure = true; /* price it as if it had been measured */
    }
    umsim_traffic_drop(it->moves);
    struct umsim_price price;
    const uint64_t own_ns = umsim_price_grid(command, traffic, count, paging, &price);
    umsim_explain_launch(command, &price, own_ns, it->is_measured && command->counts,
                         !it->declared_count && !umsim_counts_can(&command->kernel));
    it->op.duration_ns = it->bring_ns + own_ns + command->nested.ns;
    share_links(it, &price.terms);
    umsim_count(launches, 1);
}

/* What the policy needs to know of the launch: its shape (or that of the widest grid that it launched), and
 * how many touches of managed memory were declared, at one or two sectors each, or counted. */
static struct uvm_launch launch_of(const struct kernel_op *it)
{
    const struct umsim_attributes *attributes = &umsim_machine_of(it->op.device)->attributes;
    const struct umsim_command *command = command_of(it->slot);
    const bool by_child = command->nested.threads_a_block != 0;
    const uint64_t threads = by_child ? command->nested.threads_a_block : command->threads_a_block;
    struct uvm_launch launch = {.blocks = by_child ? command->nested.blocks : command->blocks,
                                .threads_per_block = (uint32_t)threads,
                                .multiprocessors = (uint32_t)attributes->multiprocessor_count,
                                .blocks_at_once =
                                    umsim_cost_blocks_at_once(attributes, threads, it->dynamic_shared)};
    for (size_t i = 0; i < it->declared_count; i++) {
        struct umsim_classified place;
        if (umsim_classify(it->declared[i].p, 1, &place) && place.kind == UMSIM_CLASS_MANAGED)
            launch.touches += umsim_cost_touches(it->declared[i].bytes_read, it->declared[i].bytes_written);
    }
    if (it->is_measured && command->counts)
        launch.touches = umsim_counts_touches(command);
    else if (it->moves && !it->is_measured)
        launch.touches = umsim_traffic_touches(it->moves);
    return launch;
}

static struct umsim_launch_request request_of(const struct kernel_op *it)
{
    return (struct umsim_launch_request){.kernel = &it->kernel,
                                         .geometry = it->geometry,
                                         .dynamic_shared = it->dynamic_shared,
                                         .closure = it->closure,
                                         .closure_bytes = it->closure_bytes,
                                         .device = it->op.device,
                                         .cooperative = it->cooperative,
                                         .in_graph = it->launch == 0};
}

static void expect_traffic(struct kernel_op *it)
{
    const struct umsim_launch_request launch = request_of(it);
    if (it->declares_nothing)
        it->moves = umsim_traffic_expect(&launch, it->op.device, it->changes, &it->is_measured);
}

/* Puts the launch into the ring now; its result comes later. The host's pages are closed first, so that no
 * managed page changes hands between a host thread and a kernel unseen. */
static void hand_over(struct umsim_op *op)
{
    struct kernel_op *it = (struct kernel_op *)op;
    struct umsim_paging_work brought = {0};
    op->state = UMSIM_OP_RUNNING;
    if (umsim_sticky_error())
        return;
    umsim_managed_bring(op->device, &op->stream->kernels, &brought);
    it->bring_ns = umsim_cost_prefetch(&umsim_machine_of(op->device)->costs, 0, &brought, false).engine_ns;
    umsim_managed_before_launch(op->device);
    expect_traffic(it);
    const struct umsim_launch_request launch = request_of(it);
    if (umsim_recall_waits(&launch, &it->recall))
        return;
    prepare(it);
    put_in_ring(it);
}

/* The turn of a launch that was not handed over before: all before it has run. */
static void come_due(struct kernel_op *it)
{
    struct umsim_command *command = prepare(it);
    if (umsim_recall_due(&it->recall, it->is_measured, command))
        return;
    it->handed_over = !umsim_sticky_error();
    if (it->handed_over)
        put_in_ring(it);
}

/* Waits for a launch that runs, and says what it printed or did wrong. */
static void finish(struct kernel_op *it)
{
    const uint64_t ns = wait_for_slot(it);
    const bool printed = print_what_it_printed(it->kernel.name, it->op.device, it->slot);
    take_result(it->slot);
    umsim_touches_ended(it->number, it->slot, it->kernel.name, it->asked);
    umsim_unordered_ended(&it->op, it->slot, it->kernel.name, it->asked.caller);
    const struct umsim_launch_request launch = request_of(it);
    umsim_recall_ran(&launch, &it->recall, command_of(it->slot), ns, !printed && !umsim_sticky_error());
}

/* A launch that opened pages is charged for them before the next one starts. */
static void collect(struct umsim_op *op)
{
    struct kernel_op *it = (struct kernel_op *)op;
    struct umsim_paging_work paging = {0};
    if (it->recall.waits)
        come_due(it);
    if (!it->handed_over)
        return;
    if (!it->recall.recalled)
        finish(it);
    const bool touched =
        !it->recall.recalled && slot_done(it->slot) && atomic_load(&command_of(it->slot)->touched);
    uint64_t *busy = &busy_until_ns[op->device];
    const uint64_t start_ns = op->issue_ns > *busy ? op->issue_ns : *busy;
    if (touched) {
        const struct uvm_launch launch = launch_of(it);
        umsim_managed_after_launch(op->device, start_ns, &launch, &paging);
    }
    paging.first = umsim_handler_sleeps(&umsim_fault_handler, op->issue_ns);
    paging.fresh = umsim_managed_fresh(op->device);
    price_launch(it, &paging);
    collected = it->slot;
    *busy = start_ns + op->duration_ns;
    if (!touched)
        return;
    if (paging.gpu_fault_groups)
        umsim_handler_served(&umsim_fault_handler, &umsim_machine_of(op->device)->costs,
                             op->issue_ns + op->duration_ns);
    if (atomic_load(&umsim_processes->submitted) != it->slot)
        umsim_managed_before_launch(op->device);
    atomic_store(&umsim_views->touched, 0);
    umsim_futex_wake(&umsim_views->touched);
}

static void number_launch(struct kernel_op *it)
{
    static uint64_t launches, waited_for;
    if (!umsim_kernels_busy(NULL))
        waited_for = launches;
    it->waited_for = waited_for;
    it->launch = ++launches;
}

bool umsim_launch_issue(const struct umsim_launch_request *request, struct umsim_stream *stream)
{
    const size_t closure_bytes = umsim_round_up(request->closure_bytes, 64);
    const size_t declared_bytes = request->declared_count * sizeof request->declared[0];
    const bool compared = umsim_unordered_asked() && !request->in_graph;
    struct kernel_op *it = umsim_op_make(
        sizeof *it + closure_bytes + declared_bytes + (compared ? sizeof *it->unordered : 0), "kernel");
    if (!it)
        return false;
    it->kernel = *request->kernel;
    it->op.detail = it->kernel.name;
    it->geometry = request->geometry;
    it->dynamic_shared = request->dynamic_shared;
    it->cooperative = request->cooperative;
    it->closure_bytes = request->closure_bytes;
    memcpy(it->closure, request->closure, request->closure_bytes);
    it->declared_count = request->declared_count;
    it->declared = memcpy(it->closure + closure_bytes, request->declared, declared_bytes);
    it->stands_for = request->stands_for;
    it->declares_nothing = may_move_unsaid(request);
    it->changes = umsim_registry_changes();
    it->op.engine = UMSIM_ENGINE_COMPUTE;
    it->op.hand_over = hand_over;
    it->op.collect = collect;
    if (!request->in_graph)
        umsim_clock_advance(umsim_cost_call(&umsim_machine_of(stream->device)->costs, UMSIM_CALL_LAUNCH));
    it->op.is_kernel = true;
    if (!request->in_graph)
        number_launch(it);
    umsim_managed_launch_issued(stream->device);
    if (umsim_checks & UMSIM_CHECK_HOST) {
        it->asked = umsim_check_asked();
        it->number = umsim_touches_issued();
        umsim_managed_close_host();
    }
    it->asked.caller = request->caller ? request->caller : it->asked.caller;
    if (compared) {
        it->unordered = (struct umsim_unordered *)(void *)((char *)it->declared + declared_bytes);
        umsim_unordered_begin(&it->op, it->unordered); /* holds it */
    }
    umsim_op_issue(&it->op, stream);
    if (compared)
        umsim_unordered_issued(&it->op);
    return true;
}
