/**
 * @file access.c
 * @brief Implementation of access.h: checks one access for bounds, alignment and initialisation, and passes
 * it to the race check.
 */
#include "access.h"
#include "check.h"
#include "coalesce.h"
#include "deferred.h"
#include "own_array.h"
#include "pieces.h"
#include "pretest.h"
#include "quick.h"
#include "init.h"
#include "race.h"
#include "table.h"
#include "unchecked.h"
#include "../worker/fail.h"
#include "../space/arena.h"
#include "../space/heap.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"
#include "../include/umsim/types_error.h"
#include "../base/devices.h"
#include "../base/processes.h"
#include "../space/views.h"
#include "../worker/launches.h"
#include "../base/mode.h"

#include <string.h>

/** The widest access that has to be aligned to its size, as far as the compiler knows. An access of 16 bytes
 * may be to a structure of two doubles, which hardware reads in two halves. */
#define ALIGNED_MAX 8

/* The range found last: a kernel usually stays in one array for a long time. */
static struct umsim_memory_known recent, earlier[4]; /* those found before it, in turns */
static unsigned recent_version, next_earlier;

/* For each byte of __shared__ memory, the number of the block that wrote it last. */
static uint32_t written_in[UMSIM_SHARED_BYTES];
/* For each 4 bytes, if it wrote them at once. */
static uint32_t written_words[UMSIM_SHARED_BYTES / UMSIM_SHADOWED_BYTES];
static uint32_t block_number;
static bool block_goes_on; /* what the block wrote before is not known */

static bool is_in(uintptr_t p, const void *start, const void *end)
{
    return p - (uintptr_t)start < (uintptr_t)end - (uintptr_t)start;
}

unsigned umsim_access_thread(void)
{
    const struct umsim_fiber *thread = umsim_worker_thread(umsim_this_worker);
    return thread ? (unsigned)(thread - umsim_this_worker->fibers) : 0;
}

struct umsim_access_own_stack umsim_access_own_stack(const struct umsim_worker *worker)
{
    const size_t thread = worker->current ? (size_t)(worker->current - worker->fibers) : 0;
    if (worker->alone)
        return (struct umsim_access_own_stack){(uintptr_t)worker->stack, (uintptr_t)worker->alone_stack};
    return (struct umsim_access_own_stack){(uintptr_t)umsim_stack_low(worker, thread),
                                           (uintptr_t)umsim_stack_high(worker, thread)};
}

struct umsim_access_own_stack umsim_access_stacks(const struct umsim_worker *worker)
{
    if (worker->alone)
        return umsim_access_own_stack(worker);
    return (struct umsim_access_own_stack){
        (uintptr_t)umsim_stack_low(worker, 0),
        (uintptr_t)umsim_stack_high(worker, worker->command->threads_a_block - 1)};
}

static bool is_on_stack(const struct umsim_worker *worker, uintptr_t p)
{
    const struct umsim_access_own_stack stack = umsim_access_own_stack(worker);
    return p - stack.low < stack.high - stack.low;
}

/* The block's __shared__ memory, and what lies before it, for signals, and which no kernel uses: there an
 * index below 0 leads. */
static bool is_by_shared(const struct umsim_worker *worker, uintptr_t p)
{
    return is_in(p, worker->signal_stack, worker->dynamic_shared + UMSIM_DYNAMIC_SHARED_MAX);
}

/* ---- reporting ---- */

static size_t distance(uintptr_t p, uintptr_t start, size_t bytes)
{
    return p < start ? start - p : p - start < bytes ? 0 : p - start - bytes + 1;
}

/* The __shared__ variable that `p` is in, or next to. */
static void describe_shared(struct umsim_finding *finding, uintptr_t p)
{
    const struct umsim_worker *worker = umsim_this_worker;
    finding->nearest = (uintptr_t)worker->dynamic_shared;
    finding->nearest_bytes = worker->command->dynamic_shared;
    finding->is_dynamic = true;
    for (size_t i = 0; i < worker->shared_count; i++) {
        const uintptr_t start = (uintptr_t)worker->static_shared + worker->shared[i].offset;
        const size_t bytes = worker->shared[i].bytes;
        if (finding->nearest_bytes &&
            distance(p, start, bytes) >= distance(p, finding->nearest, finding->nearest_bytes))
            continue;
        finding->nearest = start;
        finding->nearest_bytes = bytes;
        finding->is_dynamic = false;
    }
}

void umsim_access_describe(struct umsim_finding *finding, uintptr_t p, const void *pc, bool is_write)
{
    const struct umsim_worker *worker = umsim_this_worker;
    finding->by = (struct umsim_toucher){
        .pc = pc, .device = umsim_own_device, .block = worker->block_index, .is_write = is_write};
    const struct umsim_fiber *thread = umsim_worker_thread(worker);
    finding->by.thread_known = thread != NULL;
    if (thread)
        finding->by.thread = thread->index;
    finding->address = p;
    finding->space = UMSIM_SPACE_GLOBAL;
    if (is_by_shared(worker, p)) {
        finding->space = UMSIM_SPACE_SHARED;
        describe_shared(finding, p);
    }
    if (is_on_stack(worker, p))
        finding->space = UMSIM_SPACE_LOCAL;
    const struct umsim_kernel *kernel = &worker->command->kernel;
    const umsim_blocks_fn blocks = kernel->blocks;
    const umsim_thread_fn run = kernel->thread;
    if (blocks)
        memcpy(&finding->kernel_code, &blocks, sizeof finding->kernel_code);
    else
        memcpy(&finding->kernel_code, &run, sizeof finding->kernel_code);
    finding->launched = worker->command->launched;
    strncpy(finding->kernel, worker->command->kernel.name, sizeof finding->kernel - 1);
}

static void tell(enum umsim_finding_kind kind, uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    struct umsim_finding finding = {.kind = kind, .bytes = bytes};
    umsim_access_describe(&finding, p, pc, how & UMSIM_HOW_WRITE);
    finding.by.is_atomic = how & UMSIM_HOW_ATOMIC;
    umsim_finding_note(&finding);
}

void umsim_access_no_texture(uint64_t handle, const void *pc)
{
    if (umsim_checks & UMSIM_CHECK_MEMORY)
        tell(UMSIM_FOUND_NO_TEXTURE, handle, 0, 0, pc);
}

/* ---- __shared__ memory ---- */

/* The variable that holds `p`; its kind is NONE if there is none. */
static struct umsim_quick_range shared_variable(const struct umsim_worker *worker, uintptr_t p)
{
    const char *const dynamic = worker->dynamic_shared;
    if (is_in(p, dynamic, dynamic + worker->command->dynamic_shared))
        return umsim_quick_shared((uintptr_t)dynamic, worker->command->dynamic_shared);
    for (size_t i = 0; i < worker->shared_count; i++) {
        const uintptr_t base = (uintptr_t)worker->static_shared + worker->shared[i].offset;
        if (p - base < worker->shared[i].bytes)
            return umsim_quick_shared(base, worker->shared[i].bytes);
    }
    return (struct umsim_quick_range){.kind = UMSIM_QUICK_NONE};
}

static struct umsim_quick_range check_shared(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    const struct umsim_worker *worker = umsim_this_worker;
    const size_t offset = p - (uintptr_t)worker->static_shared;
    const struct umsim_quick_range it = shared_variable(worker, p);
    if (it.kind == UMSIM_QUICK_NONE || bytes > it.bytes - (p - it.base)) {
        if (umsim_checks & UMSIM_CHECK_MEMORY)
            tell(UMSIM_FOUND_OUT_OF_BOUNDS, p, bytes, how, pc);
        return it;
    }
    bool missing = false;
    for (size_t i = offset; i < offset + bytes && !(how & UMSIM_HOW_STORE); i++)
        missing |= written_in[i] != block_number && written_words[i / UMSIM_SHADOWED_BYTES] != block_number;
    for (size_t i = offset; i < offset + bytes && how & UMSIM_HOW_WRITE; i++)
        written_in[i] = block_number;
    if (missing && !block_goes_on && (umsim_checks & UMSIM_CHECK_INIT))
        tell(UMSIM_FOUND_UNINITIALISED, p, bytes, how & ~(unsigned)UMSIM_HOW_WRITE, pc);
    if (umsim_checks & UMSIM_CHECK_RACE) {
        const bool is_flags =
            how & UMSIM_HOW_VOLATILE && (how & UMSIM_HOW_WRITE || umsim_worker_thread(worker)->polls);
        const struct umsim_race_access access = {
            p, bytes, pc, how & UMSIM_HOW_WRITE, how & UMSIM_HOW_ATOMIC, true, is_flags};
        umsim_deferred_use(it.chunks, p, bytes, how & UMSIM_HOW_WRITE, true);
        umsim_race_check_shared(&access, offset);
    }
    return it;
}

/* ---- all other memory ---- */

/* What the library gives a thread to read: its parameters, blockIdx, threadIdx. */
static bool is_the_librarys(const struct umsim_worker *worker, uintptr_t p, struct umsim_quick_range *range)
{
    const struct umsim_command *command = worker->command;
    const struct {
        const void *start, *end;
    } its[] = {{command->closure, command->closure + command->closure_bytes},
               {worker, worker->static_shared},
               {umsim_processes, umsim_processes + 1},
               {umsim_views, umsim_views + 1},
               {umsim_launches, umsim_launches + 1}};
    for (size_t i = 0; i < sizeof its / sizeof *its; i++)
        if (is_in(p, its[i].start, its[i].end)) {
            *range = (struct umsim_quick_range){.base = (uintptr_t)its[i].start,
                                                .bytes = (uintptr_t)its[i].end - (uintptr_t)its[i].start,
                                                .kind = UMSIM_QUICK_FREE};
            return true;
        }
    return false;
}

/* Memory from malloc() and new in kernels. Of what nobody has written it only tells whole accesses: the bytes
 * that a structure is filled up with are never written. */
static void check_heap(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    if (!umsim_pieces_hold(p, bytes)) {
        if (umsim_checks & UMSIM_CHECK_MEMORY)
            tell(UMSIM_FOUND_OUT_OF_BOUNDS, p, bytes, how, pc);
        return;
    }
    if (!(umsim_checks & UMSIM_CHECK_INIT))
        return;
    if (!(how & UMSIM_HOW_STORE) && !umsim_init_any(p, bytes))
        tell(UMSIM_FOUND_UNINITIALISED, p, bytes, how & ~(unsigned)UMSIM_HOW_WRITE, pc);
    if (how & UMSIM_HOW_WRITE)
        umsim_init_written(p, bytes);
}

/* Whether it is in one of the ranges that were found last; then `recent` is that one. */
static inline bool is_recent(uintptr_t p)
{
    if (recent_version != umsim_table_version())
        return false;
    if (p - recent.base < recent.bytes)
        return true;
    for (unsigned i = 0; i < sizeof earlier / sizeof *earlier; i++)
        if (p - earlier[i].base < earlier[i].bytes) {
            recent = earlier[i];
            return true;
        }
    return false;
}

static bool find(uintptr_t p)
{
    const unsigned version = umsim_table_version();
    if (is_recent(p))
        return true;
    if (version != recent_version)
        memset(earlier, 0, sizeof earlier);
    recent_version = version;
    const bool found = umsim_table_find(p, &recent);
    if (recent.shadow)
        recent.shadow += umsim_own_device * recent.of_device;
    if (found)
        earlier[next_earlier++ % (sizeof earlier / sizeof *earlier)] = recent;
    else
        recent.bytes = 0;
    return found;
}

static void check_initialised(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    if (!(how & UMSIM_HOW_STORE) && umsim_init_missing(p, bytes) != p + bytes)
        tell(UMSIM_FOUND_UNINITIALISED, p, bytes, how & ~(unsigned)UMSIM_HOW_WRITE, pc);
    if (how & UMSIM_HOW_WRITE)
        umsim_init_written(p, bytes);
}

static struct umsim_quick_range check_known(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    const bool is_write = how & UMSIM_HOW_WRITE;
    struct umsim_quick_range range =
        umsim_quick_global(recent.base, recent.bytes, recent.shadow, recent.tracks_init);
    if (bytes > recent.bytes - (p - recent.base)) {
        if (umsim_checks & UMSIM_CHECK_MEMORY)
            tell(UMSIM_FOUND_OUT_OF_BOUNDS, p, bytes, how, pc);
        return range;
    }
    if (recent.what >= UMSIM_KNOWN_CONSTANT) {
        if (is_write && (umsim_checks & UMSIM_CHECK_MEMORY))
            tell(UMSIM_FOUND_READ_ONLY, p, bytes, how, pc);
        range.kind = UMSIM_QUICK_CONSTANT;
        return range;
    }
    if (umsim_checks & UMSIM_CHECK_COALESCING)
        umsim_coalesce_access(recent.account, p, bytes, is_write, pc);
    if (recent.tracks_init)
        check_initialised(p, bytes, how, pc);
    if (recent.shadow) {
        const bool ordered = how & (UMSIM_HOW_ATOMIC | UMSIM_HOW_VOLATILE);
        const struct umsim_race_access access = {p, bytes, pc, is_write, ordered, false, false};
        umsim_deferred_use(range.chunks, p, bytes, is_write, false);
        umsim_race_check(&access,
                         recent.shadow + (p / UMSIM_SHADOWED_BYTES - recent.base / UMSIM_SHADOWED_BYTES) *
                                             UMSIM_SHADOW_WORDS);
    }
    return range;
}

static uintptr_t misaligned; /* g++ has said so */

void umsim_access_misaligned(uintptr_t p)
{
    umsim_quick_close();
    misaligned = p;
}

/* Hardware is certain to refuse a misaligned access, so the kernel ends. Unless g++ has said that it need not
 * be aligned, its size is a power of two. */
static inline void check_alignment(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    const size_t unit = bytes > ALIGNED_MAX && p != misaligned ? ALIGNED_MAX : bytes;
    if ((how & UMSIM_HOW_UNALIGNED) || (p & (unit - 1)) == 0 || !(umsim_checks & UMSIM_CHECK_MEMORY))
        return;
    tell(UMSIM_FOUND_MISALIGNED, p, bytes, how, pc);
    umsim_gpu_fail(umsim_this_worker, cudaErrorMisalignedAddress,
                   "touched memory at an address that is no multiple of the access's size");
}

/* What neither the library nor the thread's own stack holds. */
static struct umsim_quick_range check_memory(uintptr_t p, size_t bytes, unsigned how, const void *pc,
                                             bool is_shared, bool is_told)
{
    const struct umsim_quick_range none = {.kind = UMSIM_QUICK_NONE};
    const bool found = !is_shared && find(p);
    if (found && recent.what == UMSIM_KNOWN_LIBRARY)
        return (struct umsim_quick_range){
            .base = recent.base, .bytes = recent.bytes, .kind = UMSIM_QUICK_FREE};
    umsim_race_settle();
    if (how & (UMSIM_HOW_ATOMIC | UMSIM_HOW_VOLATILE)) {
        umsim_race_atomic(p, how & UMSIM_HOW_WRITE, is_shared);
        if (!(how & UMSIM_HOW_WRITE))
            umsim_race_flag_read(p);
    }
    check_alignment(p, bytes, how, pc);
    if (is_shared)
        return check_shared(p, bytes, how, pc);
    if (found)
        return check_known(p, bytes, how, pc);
    if (umsim_heap_holds((const void *)p))
        check_heap(p, bytes, how, pc);
    else if (umsim_table_is_incomplete()) {
        if ((how & UMSIM_HOW_WRITE) &&
            umsim_init_knows(p)) /* it may be one that the table has no place for */
            umsim_init_written(p, bytes);
    } else if ((umsim_checks & UMSIM_CHECK_MEMORY) && !is_told)
        tell(UMSIM_FOUND_OUT_OF_BOUNDS, p, bytes, how, pc);
    return none;
}

void umsim_access_check(uintptr_t p, size_t bytes, unsigned how, const void *pc)
{
    const struct umsim_worker *worker = umsim_this_worker;
    if (!worker || !worker->in_kernel || !umsim_worker_thread(worker) || !bytes)
        return;
    struct umsim_quick_range range = {.kind = UMSIM_QUICK_NONE};
    const bool is_near = is_recent(p); /* then it is in none of the others */
    const bool is_shared = !is_near && is_by_shared(worker, p),
               on_stack = !is_near && !is_shared && is_on_stack(worker, p),
               is_own = on_stack || (!is_near && !is_shared && is_the_librarys(worker, p, &range));
    const bool is_told = umsim_own_array_access(p, bytes, on_stack, is_in(p, worker, worker->static_shared));
    if (on_stack)
        check_alignment(p, bytes, how, pc);
    else if (!is_own)
        range = check_memory(p, bytes, how, pc, is_shared, is_told);
    if (!(how & (UMSIM_HOW_ATOMIC | UMSIM_HOW_VOLATILE)))
        umsim_quick_learn(pc, bytes, &range);
}

bool umsim_access_is_on_stacks(uintptr_t p)
{
    const struct umsim_access_own_stack all = umsim_access_stacks(umsim_this_worker);
    return p - all.low < all.high - all.low;
}

bool umsim_access_is_judged(uintptr_t p)
{
    return !is_on_stack(umsim_this_worker, p) &&
           (is_by_shared(umsim_this_worker, p) || find(p) || umsim_arena_of((const void *)p));
}

/* ---- a launch, a block, a barrier ---- */

void umsim_check_launch(const struct umsim_command *command)
{
    if (!umsim_checks)
        return;
    if (!command->kernel.checked)
        umsim_unchecked_launch(command);
    umsim_deferred_launch(command->launch, command->waited_for);
    umsim_race_launch(command);
    umsim_quick_launch();
}

void umsim_check_block(struct umsim_worker *worker, bool goes_on)
{
    const dim3 grid = worker->command->geometry.grid;
    const uint3 block = worker->block_index;
    if (!umsim_checks)
        return;
    umsim_coalesce_block_ends();
    block_goes_on = goes_on;
    if (++block_number == 0) {
        memset(written_in, 0, sizeof written_in);
        memset(written_words, 0, sizeof written_words);
        block_number = 1;
    }
    umsim_quick_block(block_number, written_in, written_words);
    umsim_deferred_barrier();
    umsim_race_block(((uint64_t)block.z * grid.y + block.y) * grid.x + block.x, goes_on);
}

void umsim_check_put_aside(void)
{
    if (umsim_checks)
        umsim_race_put_aside();
}

void umsim_check_launched(struct umsim_command *command)
{
    if (!umsim_checks)
        return;
    umsim_own_array_settle();
    umsim_race_settle();
    umsim_pretest_launched();
    umsim_deferred_launched();
    umsim_coalesce_block_ends();
    umsim_coalesce_launched(&command->measured);
}
