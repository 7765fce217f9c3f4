/**
 * @file managed.c
 * @brief Implementation of managed.h: turns the host's calls and faults into requests, and applies the
 * answers.
 *
 * paging_server.c carries out the requests.
 */
#include "managed.h"
#include "arena.h"
#include "managed_spaces.h"
#include "paging_server.h"
#include "../base/disposition.h"
#include "../base/signal_mask.h"
#include "../base/clock.h"
#include "../base/futex.h"
#include "../base/machine.h"
#include "../include/driver_types.h"
#include "../model/cost_delta.h"
#include "../base/processes.h"
#include "../base/program_clock.h"
#include "views.h"
#include "request.h"
#include "../base/layout.h"
#include "../base/activity.h"

#include <stdatomic.h>

#include <string.h>
#include <sys/mman.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_bool faulted_before;

/* The state as of the last answer; it changes only through requests. */
static atomic_bool is_short;
static atomic_ullong unpin_ns;
atomic_bool umsim_managed_watch;

/* Signals are blocked: a handler that touches managed memory while its thread holds the lock would wait for
 * itself.
 * @return the mask before */
static umsim_signals managed_lock(void)
{
    const umsim_signals before = umsim_signals_block();
    umsim_disposition_reassert();
    umsim_spin_lock(&lock);
    return before;
}

/* Pages may have been closed. If the thread has blocked SIGSEGV past the wrappers, it is unblocked here. */
static void managed_unlock(umsim_signals before)
{
    umsim_spin_unlock(&lock);
    umsim_signals_change(SIG_SETMASK, before & ~UMSIM_SEGV_BIT);
}

void umsim_managed_reassert(void)
{
    if (!atomic_load(&umsim_managed_watch))
        return;
    umsim_disposition_reassert();
    if (umsim_signals_blocked() & UMSIM_SEGV_BIT)
        umsim_signals_change(SIG_UNBLOCK, UMSIM_SEGV_BIT);
}

static struct umsim_request request_of(enum umsim_task task, const void *p, size_t bytes)
{
    return (struct umsim_request){
        .task = task, .paging = {.address = (uintptr_t)p, .bytes = bytes, .now_ns = umsim_clock_now()}};
}

/* A request for a device. */
static struct umsim_request device_request_of(enum umsim_task task, unsigned device, const void *p,
                                              size_t bytes)
{
    struct umsim_request request = request_of(task, p, bytes);
    request.paging.processor = uvm_gpu(device);
    return request;
}

/* With the lock held: has the request carried out, and updates the host's protections. */
static void ask_locked(struct umsim_request *request, struct umsim_answer *answer)
{
    umsim_paging_serve(request, answer);
    atomic_store(&umsim_managed_watch, answer->in_use);
    atomic_store(&is_short, answer->is_short);
    atomic_store(&unpin_ns, answer->unpin_ns);
    umsim_host_close(answer);
}

static void ask(struct umsim_request *request, struct umsim_answer *answer)
{
    if (umsim_in_child()) { /* the state is the parent's */
        memset(answer, 0, sizeof *answer);
        return;
    }
    const umsim_signals before = managed_lock();
    ask_locked(request, answer);
    managed_unlock(before);
}

static bool concurrent(void)
{
    return umsim_machine.attributes.concurrent_managed_access;
}

bool umsim_managed_start(void)
{
    struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_MANAGED];
    umsim_host_start();
    return umsim_managed_space_make(arena->base, arena->size, arena->window) != NULL;
}

bool umsim_managed_create(char *base, size_t bytes, bool for_kernels)
{
    struct umsim_request request = device_request_of(UMSIM_CREATE, umsim_device(), base, bytes);
    struct umsim_answer answer;
    request.paging.for_kernels = for_kernels;
    ask(&request, &answer);
    return answer.done;
}

void umsim_managed_destroy(char *base, size_t bytes)
{
    struct umsim_request request = request_of(UMSIM_DESTROY, base, bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
    if (answer.done)
        umsim_clock_advance(umsim_cost_release(&umsim_machine.costs, umsim_cost_pages(answer.pages)));
}

bool umsim_managed_adopt(char *base, size_t bytes, char *window)
{
    const umsim_signals before = managed_lock(); /* others' touches go through all spaces */
    struct umsim_managed_space *space = umsim_managed_space_make(base, bytes, window);
    managed_unlock(before);
    if (!space || !umsim_managed_create(base, bytes, false))
        return false;
    umsim_paging_populate(space, base, bytes);
    return true;
}

void umsim_managed_abandon(char *base)
{
    struct umsim_answer answer;
    struct umsim_managed_space *space = umsim_managed_space_of(base);
    struct umsim_request request = request_of(UMSIM_DESTROY, base, space->bytes);
    const umsim_signals before = managed_lock();
    ask_locked(&request, &answer);
    umsim_host_forget(space);
    mprotect(base, space->bytes, PROT_READ | PROT_WRITE); /* the library's other destructors may use it */
    umsim_managed_space_end(space);
    managed_unlock(before);
}

/* On a device without concurrent access: whether a kernel that may be under way can reach `p`. */
static bool is_the_kernels(const void *p)
{
    if (concurrent() || !umsim_kernels_busy(NULL))
        return false;
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    if (allocation && allocation->attachment == cudaMemAttachSingle)
        return umsim_kernels_busy(allocation->attached);
    return !allocation || allocation->attachment != cudaMemAttachHost;
}

size_t umsim_managed_for_host(const void *p, size_t bytes)
{
    const struct umsim_managed_space *space = umsim_managed_space_of(p);
    const char *at = p, *end = at + bytes;
    if (!space || end < at || is_the_kernels(p))
        return 0;
    while (at < end && umsim_managed_space_of(at) == space && umsim_managed_is_live(space, at)) {
        uintptr_t start = (uintptr_t)at;
        size_t part = (size_t)(end - at);
        umsim_managed_clip(space, at, &start, &part);
        at += part;
    }
    return (size_t)(at - (const char *)p);
}

static void spend_on_faults(struct umsim_paging_work *work)
{
    if (work->cpu_faults)
        umsim_clock_advance(umsim_cost_cpu_faults(&umsim_machine.costs, work));
}

/* Has the policy give a page to the host, and `take` do with it what is to be done under the lock. Part of
 * the fault handler, which runs with all signals blocked. */
static enum umsim_host_touch touch(void *p, bool is_write, struct umsim_answer *answer,
                                   void (*take)(struct umsim_managed_space *, const void *,
                                                const struct umsim_answer *))
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space || !umsim_managed_is_live(space, p))
        return UMSIM_TOUCH_NOT_MANAGED;
    if (is_the_kernels(p))
        return UMSIM_TOUCH_FORBIDDEN;
    struct umsim_request request = request_of(UMSIM_HOST_TOUCH, p, 1);
    request.paging.is_write = is_write;
    umsim_spin_lock(&lock);
    ask_locked(&request, answer);
    if (answer->done && take)
        take(space, p, answer);
    umsim_spin_unlock(&lock);
    if (!answer->done)
        return UMSIM_TOUCH_NOT_MANAGED;
    answer->work.first = answer->work.cpu_faults && !atomic_exchange(&faulted_before, true);
    spend_on_faults(&answer->work);
    return UMSIM_TOUCH_OPENED;
}

enum umsim_host_touch umsim_managed_host_touch(void *p, bool is_write)
{
    struct umsim_answer answer;
    umsim_program_clock_enter();
    const enum umsim_host_touch result = touch(p, is_write, &answer, umsim_host_open);
    umsim_program_clock_leave();
    return result;
}

bool umsim_managed_host_take(void *p, bool is_write, uintptr_t *from, uintptr_t *to)
{
    struct umsim_answer answer;
    umsim_program_clock_enter();
    const enum umsim_host_touch result = touch(p, is_write, &answer, NULL);
    umsim_program_clock_leave();
    if (result != UMSIM_TOUCH_OPENED || !answer.open_bytes || (is_write && !answer.open_writable))
        return false;
    umsim_managed_clip(umsim_managed_space_of(p), p, &answer.open_start, &answer.open_bytes);
    *from = answer.open_start;
    *to = answer.open_start + answer.open_bytes;
    return true;
}

void umsim_managed_host_access(const void *p, size_t bytes, bool is_write)
{
    struct umsim_request request = request_of(UMSIM_HOST_ACCESS, p, bytes);
    struct umsim_answer answer;
    request.paging.is_write = is_write;
    umsim_program_clock_enter();
    ask(&request, &answer);
    spend_on_faults(&answer.work);
    umsim_program_clock_leave();
}

void umsim_managed_engine_touch(unsigned device, const void *p, size_t bytes, bool is_write,
                                const struct uvm_launch *launch, struct umsim_paging_work *work)
{
    struct umsim_request request = device_request_of(UMSIM_ENGINE_TOUCH, device, p, bytes);
    struct umsim_answer answer;
    request.paging.is_write = is_write;
    request.paging.launch = *launch;
    ask(&request, &answer);
    *work = answer.work;
}

static bool nothing_is_in_flight(void)
{
    return atomic_load(&umsim_processes->submitted) == atomic_load(&umsim_processes->completed);
}

void umsim_managed_before_launch(unsigned device)
{
    struct umsim_request request = device_request_of(UMSIM_BEFORE_LAUNCH, device, NULL, 0);
    struct umsim_answer answer;
    const uint64_t unpin = atomic_load(&unpin_ns);
    request.paging.idle = nothing_is_in_flight();
    const bool pins_end =
        request.paging.idle && unpin && unpin <= request.paging.now_ns + UVM_THRASHING_TIMER_NS;
    if (!atomic_load(&is_short) && !umsim_host_has_open() && !pins_end)
        return;
    const umsim_signals before = managed_lock();
    umsim_host_close_managed();
    if (atomic_load(&is_short) || pins_end)
        ask_locked(&request, &answer);
    managed_unlock(before);
}

void umsim_managed_close_host(void)
{
    if (!umsim_host_has_open())
        return;
    const umsim_signals before = managed_lock();
    umsim_host_close_managed();
    managed_unlock(before);
}

void umsim_managed_after_launch(unsigned device, uint64_t start_ns, const struct uvm_launch *launch,
                                struct umsim_paging_work *work)
{
    struct umsim_request request = device_request_of(UMSIM_AFTER_LAUNCH, device, NULL, 0);
    struct umsim_answer answer;
    request.paging.now_ns = start_ns;
    request.paging.launch = *launch;
    ask(&request, &answer);
    *work = answer.work;
}

/* A bit for each device. Which of several got pages mapped by advice is not asked: all. */
static atomic_uint mapped_for;

/* @return what came of it, for its caller to price */
static struct umsim_paging_work note_mapped(struct umsim_paging_work work, unsigned devices)
{
    if (work.bytes_htod || work.bytes_dtod || work.device_pages_populated || work.remote_pages_mapped ||
        work.peer_pages_mapped)
        atomic_fetch_or(&mapped_for, devices);
    return work;
}

bool umsim_managed_fresh(unsigned device)
{
    const unsigned bit = 1u << device;
    return atomic_load(&mapped_for) & bit && atomic_fetch_and(&mapped_for, ~bit) & bit;
}

void umsim_managed_prefetch(const void *p, size_t bytes, enum uvm_processor destination,
                            struct umsim_paging_work *work)
{
    struct umsim_request request = request_of(UMSIM_PREFETCH, p, bytes);
    struct umsim_answer answer;
    request.paging.processor = destination;
    ask(&request, &answer);
    *work = note_mapped(answer.work, uvm_is_gpu(destination) ? 1u << uvm_device_of(destination) : 0);
}

bool umsim_managed_advise(const void *p, size_t bytes, enum uvm_advice advice, enum uvm_processor processor)
{
    struct umsim_request request = request_of(UMSIM_ADVISE, p, bytes);
    struct umsim_answer answer;
    umsim_registry_changed();
    request.paging.advice = advice;
    request.paging.processor = processor;
    ask(&request, &answer);
    note_mapped(answer.work, ~0u);
    umsim_clock_advance(umsim_cost_advice(&umsim_machine.costs, umsim_cost_pages(answer.pages),
                                          answer.work.remote_pages_mapped + answer.work.peer_pages_mapped));
    return answer.done;
}

bool umsim_managed_attributes(const void *p, size_t bytes, struct uvm_attributes *out)
{
    struct umsim_request request = request_of(UMSIM_ATTRIBUTES, p, bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
    if (answer.done)
        *out = answer.attributes;
    return answer.done;
}

bool umsim_managed_counters(const void *p, struct umsim_counters *out)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    if (!allocation || !umsim_is_managed(allocation->memory))
        return false;
    struct umsim_request request = request_of(UMSIM_COUNTS, allocation->base, allocation->bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
    if (answer.done)
        *out = answer.counts;
    return answer.done;
}

struct umsim_whereabouts umsim_managed_whereabouts(unsigned device, const void *p, size_t bytes)
{
    struct umsim_request request = device_request_of(UMSIM_RESIDENT, device, p, bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
    return (struct umsim_whereabouts){answer.pages * UVM_PAGE_BYTES, answer.peers_pages * UVM_PAGE_BYTES};
}

size_t umsim_managed_residency_bar(const void *p, size_t bytes, char *bar, size_t characters)
{
    struct umsim_request request = request_of(UMSIM_RESIDENCY_BAR, p, bytes);
    struct umsim_answer answer;
    size_t drawn = 0;
    if (!umsim_managed_space_of(p))
        return 0;
    request.paging.characters = characters;
    do { /* one answer may hold only a part of a long text */
        request.paging.skip = drawn;
        ask(&request, &answer);
        memcpy(bar + drawn, answer.bar, answer.pages);
        drawn += answer.pages;
    } while (answer.pages == sizeof answer.bar);
    bar[drawn] = '\0';
    return drawn;
}

bool umsim_managed_in_use(void)
{
    return atomic_load(&umsim_managed_watch);
}

void umsim_managed_set_device_memory(unsigned device, size_t free_bytes)
{
    struct umsim_request request = device_request_of(UMSIM_DEVICE_MEMORY, device, NULL, free_bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
}

size_t umsim_managed_device_bytes(unsigned device)
{
    struct umsim_request request = device_request_of(UMSIM_DEVICE_BLOCKS, device, NULL, 0);
    struct umsim_answer answer;
    ask(&request, &answer);
    return answer.pages * UMSIM_VA_BLOCK;
}

void umsim_managed_launch_issued(unsigned device)
{
    if (!concurrent())
        umsim_managed_before_launch(device);
}

struct bringing {
    unsigned device;
    const struct umsim_activity *stream;
    struct umsim_paging_work *work;
};

static void bring_one(struct umsim_alloc *allocation, void *context)
{
    struct bringing *bringing = context;
    const bool is_others =
        allocation->attachment == cudaMemAttachHost ||
        (allocation->attachment == cudaMemAttachSingle && allocation->attached != bringing->stream);
    if (!umsim_is_managed(allocation->memory) || is_others)
        return;
    struct umsim_request request =
        device_request_of(UMSIM_BRING, bringing->device, allocation->base, allocation->bytes);
    struct umsim_answer answer;
    ask(&request, &answer);
    bringing->work->bytes_htod += answer.work.bytes_htod;
    bringing->work->transfers_htod += answer.work.transfers_htod;
    bringing->work->device_pages_populated += answer.work.device_pages_populated;
}

/* Pages move in one direction only, so there is enough space for all of them. */
void umsim_managed_bring(unsigned device, const struct umsim_activity *stream, struct umsim_paging_work *work)
{
    struct bringing bringing = {device, stream, work};
    if (concurrent())
        return;
    umsim_registry_each(bring_one, &bringing);
    work->prefetch = 1;
}

void umsim_managed_attach(struct umsim_alloc *allocation, unsigned attachment,
                          const struct umsim_activity *stream)
{
    allocation->attachment = attachment;
    allocation->attached = stream;
}
