/**
 * @file clerk.c
 * @brief See clerk.h.
 *
 * First the host's side, then the clerk's.
 */
#include "clerk.h"
#include "../base/futex.h"
#include "../device/process.h"
#include "../device/shared.h"
#include "../base/sticky.h"
#include "../space/transfer.h"
#include "watch.h"
#include "../api/grading.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../base/report.h"
#include "../fault/signals.h"
#include "../space/arena.h"
#include "../space/policy.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/** How long a wait sleeps before it looks whether the GPU process still lives. */
#define LIFE_CHECK_NS UINT64_C(50000000)

/* ---- the keeper, whoever it is ---- */

void umsim_serve(const struct umsim_request *request, struct umsim_answer *answer)
{
    memset(answer, 0, offsetof(struct umsim_answer, closing));
    if (request->task < UMSIM_PAGING_TASKS)
        umsim_policy_serve(request->task, &request->paging, answer);
    else if (request->task <= UMSIM_SET)
        umsim_transfer_serve(request->task, &request->transfer, answer);
    else if (request->task == UMSIM_REVIVE || request->task == UMSIM_EMPTY)
        umsim_arena_serve(request->task == UMSIM_REVIVE, &request->stretch);
    else if (request->task == UMSIM_NOTE)
        umsim_ledger_write(&request->note);
}

/* ---- the host's side ---- */

static bool serves;
static atomic_flag lock = ATOMIC_FLAG_INIT;

bool umsim_clerk_serves(void)
{
    return serves;
}

/* A handler that needs the clerk while its thread holds the lock would wait for itself. */
static void lock_ring(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    umsim_real_sigmask(SIG_SETMASK, &all, before);
    umsim_spin_lock(&lock);
}

static void unlock_ring(const sigset_t *before)
{
    umsim_spin_unlock(&lock);
    umsim_real_sigmask(SIG_SETMASK, before, NULL);
}

/* @return false when it is gone */
static bool wait_for_clerk(unsigned goal)
{
    struct umsim_shared *shared = umsim_shared_state;
    static struct umsim_patience patience;
    if (umsim_await(&shared->handled, goal, &patience))
        return true;
    atomic_store(&shared->poster_sleeps, 1);
    while (!umsim_reached(&shared->handled, goal) && umsim_gpu_alive()) {
        unsigned seen = atomic_load(&shared->handled);
        if ((int)(seen - goal) < 0)
            umsim_futex_wait(&shared->handled, seen, LIFE_CHECK_NS);
    }
    atomic_store(&shared->poster_sleeps, 0);
    return umsim_reached(&shared->handled, goal);
}

static void wake_clerk(void)
{
    struct umsim_shared *shared = umsim_shared_state;
    if (atomic_load(&shared->clerk_sleeps))
        umsim_futex_wake(&shared->posted);
}

/* What nobody waits for need not wake the clerk, which would cost a call more than the rest of it. @return
 * the request's number, 0 when nobody takes it */
static unsigned post(const struct umsim_request *request)
{
    struct umsim_shared *shared = umsim_shared_state;
    const unsigned number = atomic_load(&shared->posted) + 1;
    if (!wait_for_clerk(number - UMSIM_REQUESTS))
        return 0;
    shared->request[number % UMSIM_REQUESTS] = *request;
    atomic_store(&shared->posted, number);
    if (request->has_answer || (int)(number - atomic_load(&shared->handled)) >= UMSIM_REQUESTS / 2)
        wake_clerk();
    return number;
}

/* The program's own view of the counts. What only it counts stays. */
static void take_counters(const struct umsim_counters *counters)
{
    const uint64_t launches = umsim_counters.launches, synchronizations = umsim_counters.synchronizations;
    umsim_counters = *counters;
    umsim_counters.launches = launches;
    umsim_counters.synchronizations = synchronizations;
}

static void say_that_it_is_gone(void)
{
    if (umsim_sticky_error())
        return;
    umsim_say("the process that simulates the GPU is gone (killed, or out of memory)");
    umsim_sticky_set(cudaErrorLaunchFailure);
}

void umsim_ask(struct umsim_request *request, struct umsim_answer *answer)
{
    struct umsim_shared *shared = umsim_shared_state;
    sigset_t before;
    if (!serves) {
        umsim_serve(request, answer);
        return;
    }
    request->has_answer = true;
    lock_ring(&before);
    const unsigned number = post(request);
    const bool answered = number && wait_for_clerk(number);
    if (answered) {
        *answer = shared->answer;
        take_counters(&answer->counters);
    }
    unlock_ring(&before);
    if (answered)
        return;
    memset(answer, 0, offsetof(struct umsim_answer, closing));
    say_that_it_is_gone();
}

void umsim_tell(const struct umsim_request *request)
{
    sigset_t before;
    lock_ring(&before);
    post(request);
    unlock_ring(&before);
}

/* The addresses stay taken: a kernel that follows a pointer to what the program maps later must not find the
 * GPU process's own memory there. */
static void withdraw(void *p, size_t bytes)
{
    if (bytes &&
        mmap(p, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != p)
        umsim_die("cannot withdraw memory from a graded program");
}

/* Memory of this process's own in its place, which no limit on private memory counts. */
static void replace(void *p, size_t bytes)
{
    if (mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
             0) != p)
        umsim_die("cannot replace memory of a graded program");
}

/* It is never open here, but /proc/self/mem asks no protections: another file, as large and empty, stands for
 * it. */
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
    static char copy[offsetof(struct umsim_shared, gpu_opened_lock) - offsetof(struct umsim_shared, space)];
    struct umsim_shared *shared = umsim_shared_state;
    memcpy(copy, shared->space, sizeof copy);
    replace(shared->space, sizeof copy);
    memcpy(shared->space, copy, sizeof copy);
    withdraw(&shared->gpu_opened_lock, sizeof *shared - offsetof(struct umsim_shared, gpu_opened_lock));
}

void umsim_clerk_take_over(void)
{
    struct umsim_shared *shared = umsim_shared_state;
    for (unsigned i = 1; i < atomic_load(&shared->spaces); i++)
        withdraw(shared->space[i].window, shared->space[i].bytes);
    for (unsigned i = 0; i < atomic_load(&shared->sections); i++)
        withdraw(shared->section[i].window, shared->section[i].bytes);
    for (int i = 0; i < UMSIM_ARENAS; i++) {
        struct umsim_arena *arena = &umsim_arenas[i];
        withdraw(arena->window, arena->size);
        replace(arena->valid, umsim_arena_valid_bytes(arena));
    }
    close_device_arena(&umsim_arenas[UMSIM_ARENA_DEVICE]);
    umsim_books_each(withdraw);
    replace_tables();
    serves = true;
    struct umsim_request look = {.task = UMSIM_LOOK};
    struct umsim_answer answer;
    umsim_ask(&look, &answer); /* from here on nothing may differ */
}

/* ---- the clerk's side ---- */

static atomic_flag serving = ATOMIC_FLAG_INIT; /* the books, between the clerk and worker 0 */
static bool kernel_runs;
static uint64_t latest_ns;
static struct {
    uint64_t blocks, threads;
} ran; /* the last launch */

/* A launch's touches are charged before anything else changes hands. The library asks for that itself, when
 * it has waited for the launch; it may prepare others before. */
static void charge_first(const struct umsim_request *request)
{
    const bool changes_nothing = request->task == UMSIM_BEFORE_LAUNCH || request->task == UMSIM_NOTE;
    if (request->task < UMSIM_PAGING_TASKS)
        latest_ns = request->paging.now_ns;
    if (request->task != UMSIM_AFTER_LAUNCH && !changes_nothing && !kernel_runs && umsim_policy_uncharged())
        umsim_policy_charge(latest_ns);
}

static void handle(struct umsim_request *request, struct umsim_answer *answer)
{
    umsim_spin_lock(&serving);
    if (request->task == UMSIM_LOOK) {
        umsim_watch_look();
        umsim_ledger_look();
    }
    charge_first(request);
    if (request->task == UMSIM_AFTER_LAUNCH) { /* how large it was need not be asked */
        request->paging.launch.blocks = ran.blocks;
        request->paging.launch.threads_per_block = (uint32_t)ran.threads;
    }
    umsim_serve(request, answer);
    answer->counters = umsim_counters;
    umsim_ledger_publish(&umsim_counters);
    umsim_spin_unlock(&serving);
}

bool umsim_clerk_allows(uintptr_t start, size_t bytes, int protection)
{
    umsim_spin_lock(&serving);
    bool allowed = umsim_watch_allows(start, bytes, protection);
    umsim_spin_unlock(&serving);
    return allowed;
}

void *umsim_clerk_main(void *unused)
{
    struct umsim_shared *shared = umsim_shared_state;
    struct umsim_patience patience = {0};
    static struct umsim_request request;
    static struct umsim_answer answer;
    (void)unused;
    atomic_fetch_add(&shared->checked_in, 1);
    umsim_futex_wake(&shared->checked_in);
    for (unsigned done = 0;; done++) {
        if (!umsim_await(&shared->posted, done + 1, &patience)) {
            atomic_store(&shared->clerk_sleeps, 1);
            while (atomic_load(&shared->posted) == done)
                umsim_futex_wait(&shared->posted, done, 0);
            atomic_store(&shared->clerk_sleeps, 0);
        }
        request = shared->request[(done + 1) % UMSIM_REQUESTS];
        handle(&request, &answer);
        if (request.has_answer)
            shared->answer = answer;
        atomic_store(&shared->handled, done + 1);
        if (atomic_load(&shared->poster_sleeps))
            umsim_futex_wake(&shared->handled);
    }
    return NULL;
}

/* What was told before the launch may say what it can reach. */
static void wait_for_what_was_told(void)
{
    struct umsim_shared *shared = umsim_shared_state;
    const unsigned goal = atomic_load(&shared->posted);
    wake_clerk();
    while (!umsim_reached(&shared->handled, goal)) {
        umsim_pause();
        syscall(SYS_sched_yield);
    }
}

void umsim_clerk_before_command(void)
{
    if (!umsim_is_grading())
        return;
    wait_for_what_was_told();
    umsim_spin_lock(&serving);
    if (umsim_policy_uncharged())
        umsim_policy_charge(latest_ns);
    kernel_runs = true;
    umsim_spin_unlock(&serving);
}

void umsim_clerk_after_command(uint64_t blocks, uint64_t threads)
{
    if (!umsim_is_grading())
        return;
    umsim_spin_lock(&serving);
    kernel_runs = false;
    ran.blocks = blocks;
    ran.threads = threads;
    umsim_count(launches, 1);
    umsim_ledger_publish(&umsim_counters);
    umsim_spin_unlock(&serving);
}
