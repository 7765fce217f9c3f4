/**
 * @file nested.c
 * @brief Implementation of nested.h: the pool of launches that wait, and the order in which they run.
 *
 * It uses no malloc and no libc formatting, because the heap is closed to the GPU process.
 */
#include "nested.h"
#include "../base/addresses.h"
#include "../base/futex.h"
#include "../base/machine.h"
#include "../queue/counts.h"
#include "../queue/price.h"
#include "../worker/worker.h"
#include "../worker/fail.h"
#include "../include/umsim/nested.h"
#include "../include/umsim/types_error.h"
#include "../worker/launches.h"

#include <string.h>
#include <sys/mman.h>

/** The most launches that can wait, in one line of parents or in several. */
#define SLOTS (1u << 17)
/** The least that there is space for, under a limit on addresses. */
#define LEAST_BYTES ((size_t)10 << 20)
/** A line of tail launches took 10.66 us for each launch on an H200 (driver 580, CUDA 13.0;
 * tests/programs/nested_answers.cu); of that, the profile's kernel takes 2.1. */
#define TAIL_LAUNCH_NS UINT64_C(8560)
/** A line of children in a block's stream took 6.46 to 6.52 us for each. */
#define CHILD_LAUNCH_NS UINT64_C(4390)
/** Largest parameters of a kernel that a kernel launches, bytes: there may be many such launches. */
#define CLOSURE_MAX ((size_t)4096)
/** How much of the slots' memory is opened at a time. Before it is opened, memory counts for no limit. */
#define OPEN_BYTES ((size_t)1 << 20)

/* One launch that waits, or the grid that runs. */
struct slot {
    struct slot *next;
    struct umsim_kernel kernel;
    struct umsim_geometry geometry;
    size_t dynamic_shared;
    uint64_t block, launch; /* which block launched it, and its number there: the order of running */
    unsigned depth;
    bool is_tail, measure;
    size_t closure_bytes;
    _Alignas(64) char closure[CLOSURE_MAX];
};

/* Private to the GPU process. Free slots are reused before a new one is touched. */
static struct {
    atomic_flag lock;
    size_t open;    /* bytes of `slot` that are open */
    unsigned used;  /* slots that have ever been used */
    unsigned slots; /* the most that there can be */
    struct slot *free, *launched, *slot;
} pool;

/* The current family. Only worker 0 uses it. */
static struct {
    struct slot *todo, *running;
    struct umsim_nested sum;
    uint64_t widest; /* in threads */
    unsigned pending_limit;
    size_t stack_limit;
} family;

void umsim_nested_start(void)
{
    if (pool.slot)
        return;
    const size_t bytes = umsim_addresses_share(SLOTS * sizeof *pool.slot, LEAST_BYTES);
    void *slots = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pool.slots = (unsigned)(bytes / sizeof *pool.slot);
    pool.slot = slots == MAP_FAILED ? NULL : slots; /* without slots, kernels cannot launch kernels */
}

/* ---- device code ---- */

/* The launch settings and the error of the calling thread. */
static struct umsim_caller *caller_of(struct umsim_worker *worker)
{
    if (worker->current)
        return &worker->current->caller;
    umsim_worker_know_thread(worker);
    return &worker->caller;
}

int umsim_nested_error(int clear)
{
    struct umsim_caller *caller = caller_of(umsim_this_worker);
    const int error = caller->error;
    caller->error = clear ? 0 : error;
    return error;
}

int umsim_nested_fail(int error)
{
    if (error)
        caller_of(umsim_this_worker)->error = error;
    return error;
}

static uint64_t block_number(void)
{
    const dim3 grid = umsim_builtins.grid_dim;
    const uint3 block = umsim_builtins.block_index;
    return block.x + (uint64_t)grid.x * (block.y + (uint64_t)grid.y * block.z);
}

/* A handle of a stream names the grid that made it, and means nothing elsewhere. */
#define HANDLE_TAG UINT64_C(0x5d)
#define HANDLE_NUMBER(handle) ((handle) >> 24 & 0xffffffff)

void *umsim_nested_handle(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    return (void *)(HANDLE_TAG << 56 | (worker->command->number & 0xffffffff) << 24 |
                    (++worker->launches & 0xffffff));
}

int umsim_nested_is_handle(const void *handle)
{
    const uint64_t value = (uintptr_t)handle;
    return value >> 56 == HANDLE_TAG &&
           HANDLE_NUMBER(value) == (umsim_this_worker->command->number & 0xffffffff);
}

static bool is_stream(const void *stream)
{
    return (uintptr_t)stream <= (uintptr_t)UMSIM_STREAM_FIRE_AND_FORGET || umsim_nested_is_handle(stream);
}

static int check_shape(dim3 grid, dim3 block, size_t dynamic_shared)
{
    const struct umsim_attributes *limit = &umsim_machine_of(umsim_own_device)->attributes;
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (!threads || !grid.x || !grid.y || !grid.z || grid.x > (uint64_t)limit->max_grid_dim_x ||
        grid.y > (uint64_t)limit->max_grid_dim_y || grid.z > (uint64_t)limit->max_grid_dim_z ||
        block.x > (uint64_t)limit->max_block_dim_x || block.y > (uint64_t)limit->max_block_dim_y ||
        block.z > (uint64_t)limit->max_block_dim_z)
        return cudaErrorInvalidConfiguration;
    if (threads > (uint64_t)limit->max_threads_per_block || threads > UMSIM_BLOCK_THREADS_MAX ||
        dynamic_shared > (size_t)limit->max_shared_memory_per_block_optin ||
        dynamic_shared > UMSIM_DYNAMIC_SHARED_MAX)
        return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

int umsim_nested_push(dim3 grid, dim3 block, size_t dynamic_shared, void *stream)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_caller *caller = caller_of(worker);
    int error = check_shape(grid, block, dynamic_shared);
    if (!error && !is_stream(stream))
        error = cudaErrorInvalidResourceHandle;
    if (!error && stream != UMSIM_STREAM_TAIL_LAUNCH && worker->command->depth >= family.pending_limit)
        error = cudaErrorLaunchPendingCountExceeded;
    caller->grid = grid;
    caller->block = block;
    caller->dynamic_shared = dynamic_shared;
    caller->stream = stream;
    caller->configured = !error;
    return umsim_nested_fail(error) != 0;
}

/* Refuses pointers to the parent's local variables or __shared__ memory, which no child can reach. On a GPU
 * such a pointer leads nowhere; here, the child would find something. */
static void refuse_local(struct umsim_worker *worker, const void *closure, size_t bytes)
{
    const uintptr_t first = (uintptr_t)worker->stack;
    const uintptr_t shared = (uintptr_t)worker->static_shared;
    const uintptr_t end = (uintptr_t)worker->dynamic_shared + UMSIM_DYNAMIC_SHARED_MAX;
    for (size_t i = 0; i + sizeof(uintptr_t) <= bytes; i += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)closure + i, sizeof word);
        if (word - first < end - first)
            umsim_gpu_fail_in(
                worker, cudaErrorIllegalAddress,
                word < shared
                    ? "launched a kernel with a pointer to a local variable: a child cannot reach its "
                      "parent's; pass the value, or a pointer to global memory"
                    : "launched a kernel with a pointer to __shared__ memory: a child cannot reach its "
                      "parent's; pass a pointer to global memory",
                &umsim_builtins.block_index, &umsim_builtins.thread_index);
    }
}

static bool open_slot(unsigned number)
{
    const size_t needed = (number + 1) * sizeof *pool.slot;
    if (!pool.slot || number >= pool.slots)
        return false;
    if (needed <= pool.open)
        return true;
    if (mprotect((char *)pool.slot + pool.open, OPEN_BYTES, PROT_READ | PROT_WRITE) != 0)
        return false;
    pool.open += OPEN_BYTES;
    return true;
}

/* Callers hold the lock. @return NULL when there is no free slot */
static struct slot *take_slot(void)
{
    struct slot *slot = pool.free;
    if (!slot && !open_slot(pool.used))
        return NULL;
    if (slot)
        pool.free = slot->next;
    else
        slot = &pool.slot[pool.used++];
    return slot;
}

void umsim_nested_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_caller *caller = caller_of(worker);
    if (!caller->configured) {
        umsim_nested_fail(cudaErrorInvalidConfiguration);
        return;
    }
    caller->configured = false;
    if (bytes > CLOSURE_MAX)
        umsim_gpu_fail_in(
            worker, cudaErrorInvalidValue,
            "launched a kernel with more than 4096 bytes of parameters: here a kernel's launches take "
            "no more; pass a pointer to global memory",
            &umsim_builtins.block_index, &umsim_builtins.thread_index);
    refuse_local(worker, closure, bytes);
    umsim_spin_lock(&pool.lock);
    struct slot *slot = take_slot();
    umsim_spin_unlock(&pool.lock);
    if (!slot) {
        umsim_nested_fail(cudaErrorLaunchPendingCountExceeded);
        return;
    }
    slot->kernel = *kernel;
    slot->geometry = (struct umsim_geometry){caller->grid, caller->block};
    slot->dynamic_shared = caller->dynamic_shared;
    slot->block = block_number();
    slot->launch = ++worker->launches;
    slot->is_tail = caller->stream == UMSIM_STREAM_TAIL_LAUNCH;
    slot->depth = worker->command->depth + !slot->is_tail;
    slot->measure = bytes >= sizeof(void *) || worker->command->measure;
    slot->closure_bytes = bytes;
    memcpy(slot->closure, closure, bytes);
    umsim_spin_lock(&pool.lock);
    slot->next = pool.launched;
    pool.launched = slot;
    umsim_spin_unlock(&pool.lock);
}

/* ---- between two grids ---- */

static bool is_before(const struct slot *a, const struct slot *b)
{
    if (a->is_tail != b->is_tail)
        return b->is_tail;
    return a->block != b->block ? a->block < b->block : a->launch < b->launch;
}

static struct slot *merge(struct slot *a, struct slot *b)
{
    struct slot *first = NULL, **end = &first;
    while (a && b) {
        struct slot **earlier = is_before(a, b) ? &a : &b;
        *end = *earlier;
        end = &(*end)->next;
        *earlier = *end;
    }
    *end = a ? a : b;
    return first;
}

static struct slot *sort(struct slot *list)
{
    struct slot *half = list;
    if (!list || !list->next)
        return list;
    for (struct slot *all = list->next; all && all->next; all = all->next->next)
        half = half->next;
    struct slot *rest = half->next;
    half->next = NULL;
    return merge(sort(list), sort(rest));
}

/* Puts the launches of the grid that has ended in front of those that waited already. */
static void take_launched(void)
{
    struct slot *first = sort(pool.launched), **end = &first;
    pool.launched = NULL;
    while (*end)
        end = &(*end)->next;
    *end = family.todo;
    family.todo = first;
}

static void account(struct umsim_command *command, bool is_tail)
{
    struct umsim_traffic traffic[UMSIM_PRICE_TRAFFIC];
    if (command->counts)
        umsim_counts_take(command, NULL);
    const uint64_t threads = command->blocks * command->threads_a_block;
    family.sum.ns +=
        umsim_price_grid(command, traffic, 0, NULL, NULL) + (is_tail ? TAIL_LAUNCH_NS : CHILD_LAUNCH_NS);
    family.sum.grids++;
    if (threads <= family.widest)
        return;
    family.widest = threads;
    family.sum.blocks = command->blocks;
    family.sum.threads_a_block = command->threads_a_block;
}

void umsim_nested_begin(struct umsim_command *command)
{
    command->depth = 0;
    memset(&family.sum, 0, sizeof family.sum);
    family.widest = command->blocks * command->threads_a_block;
    family.pending_limit = command->pending_limit;
    family.stack_limit = command->stack_limit;
}

static void begin(struct slot *slot, struct umsim_command *command)
{
    const dim3 grid = slot->geometry.grid, block = slot->geometry.block;
    memset(command, 0, sizeof *command);
    command->kernel = slot->kernel;
    command->geometry = slot->geometry;
    command->dynamic_shared = slot->dynamic_shared;
    command->blocks = (uint64_t)grid.x * grid.y * grid.z;
    command->threads_a_block = (uint64_t)block.x * block.y * block.z;
    command->measure = slot->measure;
    command->counts = slot->measure && umsim_counts_can(&slot->kernel);
    command->slot = UMSIM_RING;
    command->depth = slot->depth;
    command->stack_limit = family.stack_limit;
    command->closure = slot->closure;
    command->closure_bytes = slot->closure_bytes;
    strncpy(umsim_launches->nested_name, slot->kernel.name, sizeof umsim_launches->nested_name - 1);
}

bool umsim_nested_next(struct umsim_command *command)
{
    struct slot *done = family.running;
    if (done) {
        account(command, done->is_tail);
        family.running = NULL;
        done->next = pool.free;
        pool.free = done;
    }
    if (pool.launched)
        take_launched();
    if (!family.todo || atomic_load(&umsim_launches->fault.set)) {
        umsim_launches->nested_name[0] = 0;
        return false;
    }
    family.running = family.todo;
    family.todo = family.todo->next;
    begin(family.running, command);
    return true;
}

void umsim_nested_end(struct umsim_command *command)
{
    umsim_tell(&command->nested, &family.sum, sizeof command->nested);
}
