/**
 * @file worker.c
 * @brief Implementation of device/worker.h: how workers take launches, share out their blocks and run them.
 *
 * It uses no malloc and no libc formatting, because the heap is closed here.
 */
#include "worker.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"
#include "../grading/bounds.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "grid.h"
#include "nested.h"
#include "block_swap.h"
#include "../devlib/print.h"
#include "process.h"
#include "../space/seal_host_memory.h"
#include "../base/mode.h"
#include "../check/check.h"
#include "../count/count.h"
#include "../space/protection.h"
#include "../space/protection_registered.h"
#include "../base/processes.h"
#include "../space/views.h"
#include "../worker/launches.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/** Waking another worker takes some microseconds. In that time one worker runs about this many simple GPU
 * threads. */
#define PARALLEL_THREADS 8192
/** A thread that is counted takes as long as so many that are not. (Where all threads need stacks of their
 * own, those of another worker take as long as it saves.) */
#define COUNTED_TAKES 32
#define ALONE_LIMIT_NS UINT64_C(10000)
/** About the number of shares of a launch that a worker takes, so that uneven blocks even out. */
#define SHARES_A_WORKER 8
/** Towards the end shares become smaller, so that no worker is left alone with a large one: down to one
 * in this many of a worker's part. */
#define SMALLEST_SHARES 64
/** The number of threads side by side that read memory about as fast as a plain loop: 128 KiB of floats at a
 * step. */
#define STRIDING_THREADS 32768
/** Rounds of spinning for what is about to come, before sleeping. */
#define SPIN_ROUNDS 200
/** A worker's first share is no larger; later ones are meant to take no longer than so many nanoseconds, and
 * are at most so many times as large as the one before. */
#define FIRST_SHARE 16
#define SHARE_NS UINT64_C(50000000)
#define SHARES_GROW 64

/* One block in the counting form of a kernel that was cut at its barriers. */
static void run_cut(struct umsim_worker *worker, uint64_t block)
{
    const struct umsim_command *command = worker->command;
    umsim_worker_use_form(worker, true);
    umsim_worker_enter_block(worker, block);
    worker->generation = 0; /* that of barriers */
    command->kernel.counted_blocks(command->closure, &command->geometry, block, block + 1);
    umsim_count_end(worker);
}

/* One block in the counting form. If nobody waits there for another one, it runs thread after thread. */
static void run_counted(struct umsim_worker *worker, uint64_t block)
{
    const struct umsim_command *command = worker->command;
    if (command->kernel.counted_blocks && umsim_count_begin(worker, block)) {
        run_cut(worker, block);
        return;
    }
    /* the fast form has no need of stacks, so nothing fails for lack of them */
    if (!command->kernel.counted || (command->kernel.waits && !umsim_stacks_try(worker)) ||
        !umsim_count_begin(worker, block)) {
        command->kernel.blocks(command->closure, &command->geometry, block, block + 1);
        return;
    }
    if (command->kernel.waits) {
        umsim_resident_run(worker, block);
        return;
    }
    umsim_worker_use_form(worker, true);
    umsim_worker_enter_block(worker, block);
    umsim_count_threads(worker);
    umsim_count_end(worker);
}

/* Blocks of a kernel in the fast form, and between them those that are counted. */
static void run_and_count(struct umsim_worker *worker, uint64_t first, uint64_t last)
{
    const struct umsim_command *command = worker->command;
    for (uint64_t next; first < last; first = next + 1) {
        next = umsim_count_next(command, first, last);
        umsim_worker_use_form(worker, false);
        if (first < next)
            command->kernel.blocks(command->closure, &command->geometry, first, next);
        if (next < last)
            run_counted(worker, next);
    }
}

/* Threads that run alone have nothing but this. */
static void name_threads(struct umsim_worker *worker)
{
    const dim3 block = worker->command->geometry.block;
    struct umsim_fiber *it = worker->fibers;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++, it++) {
                it->index = (uint3){x, y, z};
                it->polls = false;
            }
}

/** What lies above a checked kernel on the stack. */
#define BEYOND_ARRAYS ((size_t)64 << 10)

/* One block. A thread that writes beyond an array of its own is told of, and then does it: there it meets
 * nothing that the simulator needs. */
static __attribute__((noinline)) void run_beneath(const struct umsim_command *command, uint64_t block)
{
    char beyond[BEYOND_ARRAYS];
    command->kernel.blocks(command->closure, &command->geometry, block, block + 1);
    __asm__ volatile("" : : "r"(beyond) : "memory"); /* it is there until now */
}

/* A checked kernel whose threads wait for nobody. */
static void run_alone(struct umsim_worker *worker, uint64_t first, uint64_t last)
{
    const struct umsim_command *command = worker->command;
    worker->alone_stack = __builtin_frame_address(0);
    name_threads(worker);
    for (uint64_t block = first; block < last; block++) {
        umsim_worker_enter_block(worker, block);
        umsim_check_block(worker, false);
        worker->alone = worker->fibers;
        run_beneath(command, block);
        worker->alone = NULL;
    }
}

static void run_blocks(struct umsim_worker *worker, uint64_t first, uint64_t last)
{
    const struct umsim_command *command = worker->command;
    const struct umsim_kernel kernel = command->kernel;
    if (kernel.blocks && command->counts) {
        run_and_count(worker, first, last);
        return;
    }
    if (kernel.alone) {
        run_alone(worker, first, last);
        return;
    }
    if (kernel.blocks) {
        kernel.blocks(command->closure, &command->geometry, first, last);
        return;
    }
    for (uint64_t block = first; block < last; block++)
        umsim_resident_run(worker, block);
}

/* This device's workers. */
static struct umsim_team *team(void)
{
    return &umsim_launches->team[umsim_own_device];
}

static void call_others(struct umsim_worker *worker)
{
    worker->called_others = true;
    atomic_store(&team()->job_left, umsim_workers - 1);
    atomic_fetch_add(&team()->job, 1);
    if (atomic_load(&team()->job_sleeps))
        umsim_futex_wake(&team()->job);
}

/* The other workers are called at once for a large launch, and for a small one when it turns out to take
 * long. */
static bool worth_calling(const struct umsim_worker *worker, uint64_t start)
{
    const struct umsim_command *command = worker->command;
    if (worker->index != 0 || worker->called_others || umsim_workers == 1 || command->blocks == 1)
        return false;
    const uint64_t threads = command->blocks * command->threads_a_block;
    return threads * (command->counts && command->kernel.blocks ? COUNTED_TAKES : 1) >= PARALLEL_THREADS ||
           umsim_real_ns() - start > ALONE_LIMIT_NS;
}

/* The number of blocks that a worker takes at a time from those that are left. If the threads of a share step
 * through memory side by side, the share is not smaller than a long step takes, as long as that leaves a
 * share for each worker. */
static uint64_t share_of(const struct umsim_command *command, uint64_t left)
{
    const uint64_t each = command->blocks / umsim_workers, part = left / (4 * (uint64_t)umsim_workers);
    uint64_t share = each / SHARES_A_WORKER, least = each / SMALLEST_SHARES;
    if (command->kernel.strides) {
        least = STRIDING_THREADS / command->threads_a_block;
        least = least < each ? least : each;
    }
    share = share < part ? share : part;
    share = share > least ? share : least;
    return share ? share : 1;
}

/* @param most it is not larger. @return false when no block is left */
static bool take_share(const struct umsim_command *command, uint64_t most, uint64_t *first, uint64_t *end)
{
    unsigned long long next = atomic_load(&umsim_launches->next_block), share;
    do {
        if (next >= command->blocks)
            return false;
        share = share_of(command, command->blocks - next);
        share = share < most ? share : most;
    } while (!atomic_compare_exchange_weak(&umsim_launches->next_block, &next, next + share));
    *first = next;
    *end = next + share < command->blocks ? next + share : command->blocks;
    return true;
}

/* The most blocks of the next share, after one of `blocks` that took so long: where blocks are slow, shares
 * that each last for minutes would say nothing of whether the launch gets on (queue/work_limit.h), and leave
 * workers without work at the end. */
static uint64_t most_after(uint64_t blocks, uint64_t took_ns)
{
    const uint64_t by_time = blocks * SHARE_NS / (took_ns + 1) + 1, by_growth = blocks * SHARES_GROW;
    return by_time < by_growth ? by_time : by_growth;
}

static void run_shares(struct umsim_worker *worker)
{
    const uint64_t start = umsim_real_ns();
    uint64_t first, end, most = FIRST_SHARE, began = start;
    while (!atomic_load_explicit(&umsim_launches->abandon, memory_order_relaxed)) {
        if (worth_calling(worker, start))
            call_others(worker);
        if (!take_share(worker->command, most, &first, &end))
            break;
        run_blocks(worker, first, end);
        const uint64_t now = umsim_real_ns();
        most = most_after(end - first, now - began);
        began = now;
    }
    umsim_resident_finish(worker);
}

/* Runs a cooperative launch: every worker takes part, because others wait for its blocks. */
static void run_together(struct umsim_worker *worker)
{
    if (worker->index == 0) {
        umsim_grid_begin();
        if (umsim_workers > 1 && worker->command->blocks > 1)
            call_others(worker);
    }
    umsim_grid_run(worker);
}

/* Runs this worker's part of the launch: share after share, until none is left or a fault leads back here. */
static void take_part(struct umsim_worker *worker, const struct umsim_command *command)
{
    worker->command = command;
    worker->current = worker->alone = NULL;
    worker->called_others = false;
    worker->shared_count = worker->shared_bytes = worker->kept_bytes = 0;
    worker->other_form.count = worker->other_form.bytes = 0;
    worker->is_counted_form = false;
    umsim_builtins.own = worker->static_shared;
    umsim_builtins.own_bytes = umsim_checks || umsim_is_grading() ? 0 : UMSIM_SHARED_BYTES;
    umsim_count_none(worker);
    umsim_swap_begin(worker);
    if (_setjmp(worker->escape) == 0) {
        worker->in_kernel = true;
        if (command->cooperative && command->kernel.thread)
            run_together(worker);
        else
            run_shares(worker);
        umsim_swap_end(worker);
    }
    worker->in_kernel = false;
    if (umsim_is_grading())
        umsim_bounds_tell();
}

/* The current launch, as a copy that the host can no longer change. */
static struct umsim_command in_hand;

/* Worker 0 runs a grid with the others' help, and returns when no worker takes part in it any more. */
static void run_grid(struct umsim_worker *worker, struct umsim_command *command)
{
    static uint64_t number;
    command->number = ++number;
    umsim_gpu_close_stale(command->measure && !command->counts ? &command->measured : NULL);
    if (command->counts)
        umsim_count_launch(command);
    atomic_store(&umsim_launches->next_block, 0);
    umsim_check_launch(command);
    take_part(worker, command);
    umsim_check_launched(command);
    for (unsigned left; worker->called_others && (left = atomic_load(&team()->job_left)) != 0;)
        if (!umsim_spin(&team()->job_left, left, SPIN_ROUNDS))
            umsim_futex_wait(&team()->job_left, left, 0);
}

/* A launch and what its kernels launch. */
static void run_command(struct umsim_worker *worker, struct umsim_command *posted)
{
    struct umsim_command *command = memcpy(&in_hand, posted, sizeof in_hand);
    umsim_nested_begin(command);
    atomic_store(&umsim_launches->abandon, false);
    atomic_store(&umsim_launches->in_flight, true);
    run_grid(worker, command);
    umsim_tell(&posted->measured, &command->measured, sizeof posted->measured);
    while (umsim_nested_next(command))
        run_grid(worker, command);
    umsim_nested_end(posted);
    atomic_store(&umsim_launches->in_flight, false);
}

/* Waits until the host has charged the pages that a launch has opened, and fetched what it has printed. */
static void wait_until_collected(void)
{
    while (atomic_load(&umsim_views->touched))
        if (!umsim_spin(&umsim_views->touched, 1, SPIN_ROUNDS))
            umsim_futex_wait(&umsim_views->touched, 1, 0);
    while (atomic_load(&umsim_launches->printed))
        umsim_futex_wait(&umsim_launches->printed, 1, 0);
}

/* Tells the host that a launch has run. */
static void complete(unsigned done)
{
    const bool touched = atomic_load(&umsim_views->touched), printed = umsim_print_pending();
    if (touched)
        atomic_store(&umsim_launches->ring[(done - 1) % UMSIM_RING].touched, true);
    if (printed)
        atomic_store(&umsim_launches->printed, true);
    atomic_store(&umsim_processes->completed, done);
    if (umsim_devices > 1 && atomic_load(&umsim_processes->leads_sleep))
        umsim_futex_wake(&umsim_processes->completed);
    if (touched || printed || (int)(done - atomic_load(&umsim_processes->host_wants)) >= 0)
        umsim_wake_sleeper(&umsim_processes->completed, done, &umsim_processes->host_sleeps);
    if (touched || printed)
        wait_until_collected();
}

/* Where there are several devices: sleeps until the counter is another one. */
static void sleep_with_others(atomic_uint *counter, unsigned seen)
{
    atomic_fetch_add(&umsim_processes->leads_sleep, 1);
    while (atomic_load(counter) == seen)
        umsim_futex_wait(counter, seen, 0);
    atomic_fetch_sub(&umsim_processes->leads_sleep, 1);
}

static void wait_for_launch(unsigned done, struct umsim_patience *patience)
{
    if (umsim_await(&umsim_processes->submitted, done + 1, patience))
        return;
    if (umsim_devices > 1) {
        sleep_with_others(&umsim_processes->submitted, done);
        return;
    }
    while (atomic_load(&umsim_processes->submitted) == done)
        umsim_sleep_while(&umsim_processes->submitted, done, &umsim_processes->gpu_sleeps, 0);
    atomic_store(&umsim_processes->gpu_sleeps, 0);
}

/* Whether launch number `done` is this device's. A process that was held up may find another launch in its
 * place: of the devices' processes, only the one whose turn it is keeps `completed` from going on. */
static bool is_own(unsigned done)
{
    const unsigned device =
        atomic_load_explicit(&umsim_launches->ring[done % UMSIM_RING].device, memory_order_acquire);
    return device == umsim_own_device && atomic_load(&umsim_processes->completed) == done;
}

/* Worker 0 runs launch after launch. After a fault it skips the launches behind. */
__attribute__((noreturn)) static void lead(struct umsim_worker *worker)
{
    struct umsim_patience patience = {0};
    for (bool failed = false;;) {
        unsigned done = atomic_load(&umsim_processes->completed);
        wait_for_launch(done, &patience);
        if (!is_own(done)) {
            if (!umsim_spin(&umsim_processes->completed, done, SPIN_ROUNDS))
                sleep_with_others(&umsim_processes->completed, done);
            continue;
        }
        if (umsim_devices > 1)
            wait_until_collected(); /* another device's launch, too, as they share these tables */
        /* a fault stays set, so that no kernel can search for memory */
        failed = failed || atomic_load(&umsim_launches->fault.set);
        if (!failed)
            run_command(worker, &umsim_launches->ring[done % UMSIM_RING]);
        complete(done + 1);
    }
}

/* The other workers run a part of each launch that worker 0 shares out. */
__attribute__((noreturn)) static void follow(struct umsim_worker *worker)
{
    struct umsim_patience patience = {0};
    for (unsigned seen = 0;;) {
        if (!umsim_await(&team()->job, seen + 1, &patience)) {
            atomic_fetch_add(&team()->job_sleeps, 1);
            while (atomic_load(&team()->job) == seen)
                umsim_futex_wait(&team()->job, seen, 0);
            atomic_fetch_sub(&team()->job_sleeps, 1);
        }
        seen = atomic_load(&team()->job);
        take_part(worker, &in_hand);
        if (atomic_fetch_sub(&team()->job_left, 1) == 1)
            umsim_futex_wake(&team()->job_left);
    }
}

void *umsim_worker_main(void *argument)
{
    struct umsim_worker *worker = argument;
    umsim_this_worker = worker;
    umsim_processes->worker_tid[umsim_own_device][worker->index] = (int)syscall(SYS_gettid);
    stack_t signal_stack = {.ss_sp = worker->signal_stack, .ss_size = UMSIM_SIGNAL_STACK};
    sigaltstack(&signal_stack, NULL);
    atomic_fetch_add(&umsim_processes->checked_in, 1);
    umsim_futex_wake(&umsim_processes->checked_in);
    if (worker->index == 0) {
        umsim_seal_when_main_sleeps();
        if (umsim_devices > 1)
            umsim_registered_map_all();
        atomic_store(&umsim_processes->ready, 1);
        umsim_futex_wake(&umsim_processes->ready);
        umsim_count_prepare(worker);
        lead(worker);
    }
    while (!atomic_load(&umsim_processes->ready))
        umsim_futex_wait(&umsim_processes->ready, 0, 0);
    follow(worker);
}
