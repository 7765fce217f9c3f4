/**
 * @file pace.c
 * @brief Implementation of pace.h.
 */
#include "pace.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "../worker/launches.h"

#include <sched.h>

/** How long a worker sleeps at most: whether the launch was given up is asked in between. */
#define REST_MOST_NS UINT64_C(1000000)

static uint64_t ns_of(uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * 1000000 / umsim_launches->clock_khz);
}

/* A launch begins, for this worker, when one of its threads polls first. That may be a little late, never too
 * early. */
static void begin(struct umsim_worker *worker, uint64_t now_ns)
{
    worker->pace = (struct umsim_pace){.grid = worker->command->number, .start_ns = now_ns};
}

bool umsim_pace_is_ahead(struct umsim_worker *worker)
{
    struct umsim_pace *pace = &worker->pace;
    const uint64_t cycles = worker->current->cycles;
    const bool is_known = pace->grid == worker->command->number;
    if (is_known && cycles <= pace->passed_cycles) { /* the usual case: no clock is asked */
        pace->others_poll = true;
        return false;
    }
    const uint64_t now_ns = umsim_real_ns();
    if (!is_known)
        begin(worker, now_ns);
    const uint64_t due_ns = pace->start_ns + ns_of(cycles);
    if (due_ns <= now_ns) {
        pace->passed_cycles = cycles;
        pace->others_poll = true;
        return false;
    }
    if (!pace->due_ns || due_ns < pace->due_ns)
        pace->due_ns = due_ns;
    return true;
}

void umsim_pace_rest(struct umsim_worker *worker)
{
    struct umsim_pace *pace = &worker->pace;
    const uint64_t now_ns = umsim_real_ns();
    if (pace->others_poll || pace->due_ns <= now_ns) {
        sched_yield();
    } else {
        static atomic_uint nobody_wakes;
        const uint64_t rest_ns = pace->due_ns - now_ns;
        umsim_futex_wait(&nobody_wakes, 0, rest_ns < REST_MOST_NS ? rest_ns : REST_MOST_NS);
    }
    pace->due_ns = 0;
    pace->others_poll = false;
}
