/**
 * @file request.c
 * @brief Implementation of request.h: a request is a call in this process, or a message to the broker.
 */
#include "request.h"
#include "counters.h"
#include "../base/futex.h"
#include "../base/processes.h"
#include "../base/report.h"
#include "../base/signal_mask.h"
#include "../base/sticky.h"

#include <stddef.h>
#include <string.h>

/** How long a wait sleeps before it checks whether the GPU process still lives. */
#define LIFE_CHECK_NS UINT64_C(50000000)

struct umsim_mailbox *umsim_mailbox;

static umsim_server servers[UMSIM_TASKS];
static bool serves;
static atomic_flag lock = ATOMIC_FLAG_INIT;

void umsim_server_register(enum umsim_task first, enum umsim_task last, umsim_server server)
{
    for (int task = first; task <= (int)last; task++)
        servers[task] = server;
}

void umsim_serve(const struct umsim_request *request, struct umsim_answer *answer)
{
    memset(answer, 0, offsetof(struct umsim_answer, closing));
    if ((unsigned)request->task < UMSIM_TASKS && servers[request->task])
        servers[request->task](request, answer);
}

bool umsim_broker_serves(void)
{
    return serves;
}

void umsim_broker_begins(void)
{
    serves = true;
}

/* Blocks signals while the lock is held. A handler that needs the broker while its own thread holds the lock
 * would wait forever. */
static umsim_signals lock_ring(void)
{
    const umsim_signals before = umsim_signals_block();
    umsim_spin_lock(&lock);
    return before;
}

static void unlock_ring(umsim_signals before)
{
    umsim_spin_unlock(&lock);
    umsim_signals_change(SIG_SETMASK, before);
}

/* @return false when the broker is gone */
static bool wait_for_broker(unsigned goal)
{
    struct umsim_mailbox *mailbox = umsim_mailbox;
    static struct umsim_patience patience;
    if (umsim_await(&mailbox->handled, goal, &patience))
        return true;
    atomic_store(&mailbox->poster_sleeps, 1);
    while (!umsim_reached(&mailbox->handled, goal) && umsim_gpu_alive()) {
        unsigned seen = atomic_load(&mailbox->handled);
        if ((int)(seen - goal) < 0)
            umsim_futex_wait(&mailbox->handled, seen, LIFE_CHECK_NS);
    }
    atomic_store(&mailbox->poster_sleeps, 0);
    return umsim_reached(&mailbox->handled, goal);
}

void umsim_broker_wake(void)
{
    if (atomic_load(&umsim_mailbox->broker_sleeps))
        umsim_futex_wake(&umsim_mailbox->posted);
}

/* Posts a request. A request that nobody waits for does not wake the broker, because waking it would cost a
 * call more than everything else in it.
 * @return the request's number, 0 when there is nobody to take it */
static unsigned post(const struct umsim_request *request)
{
    struct umsim_mailbox *mailbox = umsim_mailbox;
    const unsigned number = atomic_load(&mailbox->posted) + 1;
    if (!wait_for_broker(number - UMSIM_REQUESTS))
        return 0;
    mailbox->request[number % UMSIM_REQUESTS] = *request;
    atomic_store(&mailbox->posted, number);
    if (request->has_answer || (int)(number - atomic_load(&mailbox->handled)) >= UMSIM_REQUESTS / 2)
        umsim_broker_wake();
    return number;
}

/* Updates the program's own view of the counters. What only the program counts stays. */
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
    umsim_say("the process that simulates the GPU is gone: %s", umsim_gpu_end());
    umsim_sticky_set(cudaErrorLaunchFailure);
}

void umsim_ask(struct umsim_request *request, struct umsim_answer *answer)
{
    if (!serves) {
        umsim_serve(request, answer);
        return;
    }
    request->has_answer = true;
    const umsim_signals before = lock_ring();
    const unsigned number = post(request);
    const bool answered = number && wait_for_broker(number);
    if (answered) {
        *answer = umsim_mailbox->answer;
        take_counters(&answer->counters);
    }
    unlock_ring(before);
    if (answered)
        return;
    memset(answer, 0, offsetof(struct umsim_answer, closing));
    say_that_it_is_gone();
}

void umsim_tell(const struct umsim_request *request)
{
    const umsim_signals before = lock_ring();
    post(request);
    unlock_ring(before);
}
