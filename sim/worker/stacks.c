/**
 * @file stacks.c
 * @brief Implementation of stacks.h: the layout of a worker's memory, and how parts of it are opened.
 *
 * From low to high addresses: the structure and the fibers, a guard, the worker's stack, the signal stack,
 * the block's __shared__ memory, what umsim_keep() gives out, and a slot for each thread. A slot is a guard
 * and a stack.
 */
#include "stacks.h"
#include "fail.h"
#include "message.h"
#include "../include/umsim/types_error.h"
#include "../base/layout.h"

#include <sys/mman.h>

/** What the largest cudaLimitStackSize comes to (base/limits.c). */
#define STACK_MAX (UMSIM_STACK_FACTOR * (size_t)512000)
/** How much of the worker's stack is opened at once. */
#define STACK_STEP ((size_t)1 << 20)
/** How far below the stack pointer an access may be and still be the stack's. */
#define REACH ((size_t)64 << 10)
/** Linux 6.13 has guards that are no mappings. Without them, this many guards of all workers are made by
 * mappings, of which a process may have 65,530; the stacks of further threads have a word that is looked at
 * after each block. */
#define GUARD_INSTALL 102
#define MAPPED_GUARDS 4000

/** What kernels without fibers may keep for all threads of a block. */
#define KEEP_BYTES ((size_t)128 << 20)
#define KEEP_FEW ((size_t)32 << 20)

static size_t area_bytes, keep_bytes; /* of a worker's slots; of what it keeps */

static size_t slot_bytes_of(size_t stack)
{
    return UMSIM_STACK_GUARD + stack + UMSIM_PAGE; /* a page for the different beginnings */
}

static size_t fixed_bytes(void)
{
    return umsim_round_up(sizeof(struct umsim_worker) + UMSIM_BLOCK_THREADS_MAX * sizeof(struct umsim_fiber),
                          UMSIM_PAGE);
}

static size_t shared_bytes(void)
{
    return UMSIM_STATIC_SHARED_BYTES + umsim_round_up(UMSIM_DYNAMIC_SHARED_MAX, UMSIM_PAGE);
}

static size_t without_slots(void)
{
    return fixed_bytes() + UMSIM_STACK_GUARD + UMSIM_WORKER_STACK + UMSIM_SIGNAL_STACK + shared_bytes() +
           keep_bytes;
}

size_t umsim_worker_memory_bytes(bool few)
{
    keep_bytes = few ? KEEP_FEW : KEEP_BYTES;
    area_bytes = UMSIM_BLOCK_THREADS_MAX * slot_bytes_of(few ? UMSIM_FIBER_STACK : STACK_MAX);
    return without_slots() + area_bytes;
}

static bool open(char *start, size_t bytes)
{
    return mprotect(start, bytes, PROT_READ | PROT_WRITE) == 0;
}

struct umsim_worker *umsim_worker_memory_open(char *memory, unsigned index)
{
    struct umsim_worker *worker = (struct umsim_worker *)memory;
    char *stack = memory + fixed_bytes() + UMSIM_STACK_GUARD, *stack_end = stack + UMSIM_WORKER_STACK;
    char *open_from = stack_end - STACK_STEP;
    const size_t behind = UMSIM_SIGNAL_STACK + shared_bytes();
    if (!open(memory, fixed_bytes()) || !open(open_from, STACK_STEP + behind))
        return NULL;
    worker->index = index;
    worker->fibers = (struct umsim_fiber *)(worker + 1);
    worker->stack = stack;
    worker->stack_open = open_from;
    worker->signal_stack = stack_end;
    worker->static_shared = stack_end + UMSIM_SIGNAL_STACK;
    worker->dynamic_shared = worker->static_shared + UMSIM_STATIC_SHARED_BYTES;
    worker->kept = stack_end + behind;
    worker->kept_most = keep_bytes;
    worker->fiber_stacks = worker->kept + keep_bytes;
    worker->slot_bytes = slot_bytes_of(UMSIM_FIBER_STACK);
    return worker;
}

/* ---- threads' stacks ---- */

/* What cudaLimitStackSize comes to here, in whole pages; no more than the addresses allow. */
static size_t wanted_slot(const struct umsim_command *command)
{
    const size_t limit = command->stack_limit < STACK_MAX ? command->stack_limit : STACK_MAX;
    const size_t wanted = umsim_round_up(limit * UMSIM_STACK_FACTOR, UMSIM_PAGE);
    const size_t stack = wanted > UMSIM_FIBER_STACK ? wanted : UMSIM_FIBER_STACK;
    const size_t most = umsim_round_down(area_bytes / UMSIM_BLOCK_THREADS_MAX, UMSIM_PAGE);
    return slot_bytes_of(stack) < most ? slot_bytes_of(stack) : most;
}

/* Closes all slots, and gives their memory back. */
static bool begin_anew(struct umsim_worker *worker, size_t slot_bytes)
{
    const size_t used = worker->slots_open * worker->slot_bytes;
    if (used && mmap(worker->fiber_stacks, used, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != worker->fiber_stacks)
        return false;
    worker->slots_open = worker->slots_guarded = 0;
    worker->slot_bytes = slot_bytes;
    return true;
}

static bool make_guard(char *guard)
{
    static atomic_bool not_known;
    static atomic_int mapped;
    if (!atomic_load(&not_known) && madvise(guard, UMSIM_STACK_GUARD, GUARD_INSTALL) == 0)
        return true;
    atomic_store(&not_known, true);
    return atomic_fetch_add(&mapped, 1) < MAPPED_GUARDS && mprotect(guard, UMSIM_STACK_GUARD, PROT_NONE) == 0;
}

static bool open_slots(struct umsim_worker *worker, size_t threads)
{
    char *first = worker->fiber_stacks + worker->slots_open * worker->slot_bytes;
    if (!open(first, (threads - worker->slots_open) * worker->slot_bytes))
        return false;
    for (size_t i = worker->slots_open; i < threads && worker->slots_guarded == i; i++)
        worker->slots_guarded += make_guard(worker->fiber_stacks + i * worker->slot_bytes);
    worker->slots_open = threads;
    return true;
}

/* What threads need who run on one stack must fit, however deep they are. */
static bool can_share(const struct umsim_worker *worker, size_t slot_bytes)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(__x86_64__)
    return false; /* what is copied has marks; no other processor has a form that counts */
#endif
    const struct umsim_command *command = worker->command;
    return command->kernel.blocks &&
           command->threads_a_block * (slot_bytes + UMSIM_KEPT_STACK + UMSIM_KEPT_MORE) < worker->kept_most;
}

bool umsim_stacks_try(struct umsim_worker *worker)
{
    const size_t slot = wanted_slot(worker->command);
    worker->one_stack = can_share(worker, slot);
    const size_t threads = worker->one_stack ? 1 : worker->command->threads_a_block;
    return (slot == worker->slot_bytes || begin_anew(worker, slot)) &&
           (threads <= worker->slots_open || open_slots(worker, threads));
}

void umsim_stacks_prepare(struct umsim_worker *worker)
{
    if (umsim_stacks_try(worker))
        return;
    umsim_gpu_fail(worker, cudaErrorLaunchOutOfResources,
                   "needs stacks for its threads, and the system has no memory for them");
}

/* ---- faults ---- */

static void add_index(struct umsim_message *line, const char *what, uint3 index)
{
    umsim_message_add(line, what);
    umsim_message_add_number(line, index.x);
    umsim_message_add(line, ",");
    umsim_message_add_number(line, index.y);
    umsim_message_add(line, ",");
    umsim_message_add_number(line, index.z);
}

static struct umsim_message overflowed(struct umsim_worker *worker)
{
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "overflowed its stack");
    const struct umsim_fiber *thread = umsim_worker_thread(worker);
    if (thread) {
        add_index(&line, " (block ", worker->block_index);
        add_index(&line, " thread ", thread->index);
        umsim_message_add(&line, ")");
    }
    umsim_message_add(&line, ".\n  why      ");
    return line;
}

#define RAISE ", or call cudaDeviceSetLimit(cudaLimitStackSize, more) before the launch"

__attribute__((noreturn)) static void fail(struct umsim_worker *worker)
{
    const bool of_thread = worker->current;
    const size_t bytes = of_thread ? worker->slot_bytes - UMSIM_STACK_GUARD - UMSIM_PAGE : UMSIM_WORKER_STACK;
    struct umsim_message line = overflowed(worker);
    umsim_message_add(&line, "recursion too deep, or alloca() of too much: a thread has ");
    umsim_message_add_number(&line, (int64_t)bytes >> 10);
    umsim_message_add(&line, " KiB of stack here,\n           and cudaLimitStackSize bytes (now ");
    umsim_message_add_number(&line, (int64_t)worker->command->stack_limit);
    umsim_message_add(&line, of_thread ? ") on a GPU\n  instead  recurse less deeply" RAISE
                                       : ") on a GPU\n  instead  recurse less deeply");
    umsim_gpu_fail(worker, cudaErrorIllegalAddress, worker->message);
}

void umsim_stack_refuse(struct umsim_worker *worker, size_t bytes)
{
    struct umsim_message line = overflowed(worker);
    umsim_message_add(&line, "alloca() was asked for ");
    umsim_message_add_number(&line, (int64_t)bytes);
    umsim_message_add(&line, " bytes, and a thread has cudaLimitStackSize = ");
    umsim_message_add_number(&line, (int64_t)worker->command->stack_limit);
    umsim_message_add(&line, " bytes of stack\n  instead  ask for less" RAISE);
    umsim_gpu_fail(worker, cudaErrorIllegalAddress, worker->message);
}

static bool grow(struct umsim_worker *worker, char *address)
{
    char *from = (char *)umsim_round_down((uintptr_t)address, STACK_STEP);
    if (from < worker->stack)
        from = worker->stack;
    if (address < worker->stack || !open(from, (size_t)(worker->stack_open - from)))
        return false;
    worker->stack_open = from;
    return true;
}

static bool is_in(uintptr_t p, const char *start, const char *end)
{
    return p - (uintptr_t)start < (uintptr_t)end - (uintptr_t)start;
}

bool umsim_stack_touched(struct umsim_worker *worker, uintptr_t address, uintptr_t top)
{
    const bool is_at_top = address + REACH >= top && address <= top + REACH;
    if (is_in(address, worker->stack - UMSIM_STACK_GUARD, worker->stack_open) && is_at_top) {
        if (grow(worker, (char *)address))
            return true;
        if (worker->in_kernel)
            fail(worker);
    }
    const size_t offset = address - (uintptr_t)worker->fiber_stacks, slot = offset / worker->slot_bytes;
    if (!worker->current || slot >= worker->slots_open || offset % worker->slot_bytes >= UMSIM_STACK_GUARD ||
        !is_at_top)
        return false;
    if (!worker->one_stack) /* a thread that overflows in a switch is no longer the current one */
        worker->current = &worker->fibers[slot];
    fail(worker);
}
