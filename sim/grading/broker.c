/**
 * @file broker.c
 * @brief Implementation of broker.h: how the host process gives up the state, and how the broker serves
 * requests.
 *
 * The host's side comes first, then the broker's.
 */
#include "broker.h"
#include "../base/futex.h"
#include "../base/processes.h"
#include "../space/views.h"
#include "../record/request.h"
#include "../space/transfer.h"
#include "watch.h"
#include "../base/mode.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../base/report.h"
#include "../space/arena.h"
#include "../space/paging_server.h"
#include "../base/memory.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the host's side ---- */

/* The addresses stay occupied. Otherwise the program could map something there, and a kernel that follows a
 * pointer to it would find the GPU process's own memory. */
static void withdraw(void *p, size_t bytes)
{
    if (bytes &&
        mmap(p, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != p)
        umsim_die("cannot withdraw memory from a graded program");
}

/* Puts memory of this process's own in its place. It is MAP_SHARED because limits on private memory do not
 * count that. */
static void replace(void *p, size_t bytes)
{
    if (mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
             0) != p)
        umsim_die("cannot replace memory of a graded program");
}

/* The device arena is never open in this process, but /proc/self/mem ignores protections. So an empty file of
 * the same size takes its place. */
static void close_device_arena(const struct umsim_arena *arena)
{
    int fd = umsim_memory_file(arena->name, arena->size);
    if (fd < 0 || mmap(arena->base, arena->size, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) !=
                      arena->base)
        umsim_die("cannot withdraw device memory from a graded program");
    close(fd);
}

static void replace_tables(void)
{
    static char copy[offsetof(struct umsim_views, gpu_opened_lock) - offsetof(struct umsim_views, space)];
    memcpy(copy, umsim_views->space, sizeof copy);
    replace(umsim_views->space, sizeof copy);
    memcpy(umsim_views->space, copy, sizeof copy);
    withdraw(&umsim_views->gpu_opened_lock,
             sizeof *umsim_views - offsetof(struct umsim_views, gpu_opened_lock));
}

void umsim_broker_take_over(void)
{
    for (unsigned i = 1; i < atomic_load(&umsim_views->spaces); i++)
        withdraw(umsim_views->space[i].window, umsim_views->space[i].bytes);
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        withdraw(umsim_views->section[i].window, umsim_views->section[i].bytes);
    for (int i = 0; i < UMSIM_ARENAS; i++) {
        struct umsim_arena *arena = &umsim_arenas[i];
        withdraw(arena->window, arena->size);
        replace(arena->valid, umsim_arena_valid_bytes(arena));
    }
    close_device_arena(&umsim_arenas[UMSIM_ARENA_DEVICE]);
    umsim_state_each(withdraw);
    replace_tables();
    umsim_broker_begins();
    struct umsim_request inspect = {.task = UMSIM_INSPECT};
    struct umsim_answer answer;
    umsim_ask(&inspect, &answer); /* from here on the mappings may not differ from what the broker permits */
}

/* ---- the broker's side ---- */

static atomic_flag serving = ATOMIC_FLAG_INIT; /* protects the state: the broker and worker 0 both use it */
static bool kernel_runs;
static uint64_t latest_ns;
static struct {
    uint64_t blocks, threads;
} ran; /* the last launch */

/* A launch's touches have to be charged before any other page changes hands. The library asks for that itself
 * once it has waited for the launch, but it may prepare other launches before. */
static void charge_first(const struct umsim_request *request)
{
    const bool changes_nothing = request->task == UMSIM_BEFORE_LAUNCH || request->task == UMSIM_NOTE;
    if (request->task < UMSIM_PAGING_TASKS)
        latest_ns = request->paging.now_ns;
    if (request->task != UMSIM_AFTER_LAUNCH && !changes_nothing && !kernel_runs && umsim_paging_uncharged())
        umsim_paging_charge(latest_ns);
}

static void handle(struct umsim_request *request, struct umsim_answer *answer)
{
    umsim_spin_lock(&serving);
    if (request->task == UMSIM_INSPECT) {
        umsim_watch_inspect();
        umsim_ledger_check();
    }
    charge_first(request);
    if (request->task == UMSIM_AFTER_LAUNCH) { /* its size is known here */
        request->paging.launch.blocks = ran.blocks;
        request->paging.launch.threads_per_block = (uint32_t)ran.threads;
    }
    umsim_serve(request, answer);
    answer->counters = umsim_counters;
    umsim_ledger_publish(&umsim_counters);
    umsim_spin_unlock(&serving);
}

bool umsim_broker_allows(uintptr_t start, size_t bytes, int protection)
{
    umsim_spin_lock(&serving);
    bool allowed = umsim_watch_allows(start, bytes, protection);
    umsim_spin_unlock(&serving);
    return allowed;
}

void *umsim_broker_main(void *unused)
{
    struct umsim_patience patience = {0};
    static struct umsim_request request;
    static struct umsim_answer answer;
    (void)unused;
    atomic_fetch_add(&umsim_processes->checked_in, 1);
    umsim_futex_wake(&umsim_processes->checked_in);
    for (unsigned done = 0;; done++) {
        if (!umsim_await(&umsim_mailbox->posted, done + 1, &patience)) {
            atomic_store(&umsim_mailbox->broker_sleeps, 1);
            while (atomic_load(&umsim_mailbox->posted) == done)
                umsim_futex_wait(&umsim_mailbox->posted, done, 0);
            atomic_store(&umsim_mailbox->broker_sleeps, 0);
        }
        request = umsim_mailbox->request[(done + 1) % UMSIM_REQUESTS];
        handle(&request, &answer);
        if (request.has_answer)
            umsim_mailbox->answer = answer;
        atomic_store(&umsim_mailbox->handled, done + 1);
        if (atomic_load(&umsim_mailbox->poster_sleeps))
            umsim_futex_wake(&umsim_mailbox->handled);
    }
    return NULL;
}

/* Requests that were posted before the launch may decide what it can reach. */
static void wait_for_what_was_told(void)
{
    const unsigned goal = atomic_load(&umsim_mailbox->posted);
    umsim_broker_wake();
    while (!umsim_reached(&umsim_mailbox->handled, goal)) {
        umsim_pause();
        syscall(SYS_sched_yield);
    }
}

void umsim_broker_before_command(void)
{
    if (!umsim_has_broker())
        return;
    wait_for_what_was_told();
    umsim_spin_lock(&serving);
    if (umsim_paging_uncharged())
        umsim_paging_charge(latest_ns);
    kernel_runs = true;
    umsim_spin_unlock(&serving);
}

void umsim_broker_after_command(uint64_t blocks, uint64_t threads)
{
    if (!umsim_has_broker())
        return;
    umsim_spin_lock(&serving);
    kernel_runs = false;
    ran.blocks = blocks;
    ran.threads = threads;
    umsim_count(launches, 1);
    umsim_ledger_publish(&umsim_counters);
    umsim_spin_unlock(&serving);
}
