/**
 * @file skew.c
 * @brief Implementation of skew.h.
 *
 * One word holds the state, so that reading needs no lock: a number and, in its last two bits, what it means.
 * RUNNING: the skew. STOPPED: what the clock shows. STOPPING: the skew, while somebody reads the real clock
 * to stop it; whoever comes meanwhile completes that (a signal's handler in the same thread, too). All
 * changes are made by compare and exchange.
 *
 * While the clock is stopped, a thread that runs sees it go on by the processor time that it has used since
 * (program_threads.h), and what it sees becomes what the clock shows.
 */
#include "skew.h"
#include "libc.h"

#include <stdatomic.h>

/** What the number means, in the word's last bits. */
enum { RUNNING, STOPPED, STOPPING, TAGS = 4 };

static _Atomic int64_t state;

static int64_t word(int64_t number, int tag)
{
    return number * TAGS + tag;
}

static int tag_of(int64_t seen)
{
    return (int)(seen & (TAGS - 1));
}

static int64_t number_of(int64_t seen)
{
    return (seen - tag_of(seen)) / TAGS;
}

static int64_t real_ns(void)
{
    return (int64_t)umsim_real_ns();
}

static void stop_at_now(int64_t stopping)
{
    atomic_compare_exchange_strong(&state, &stopping, word(real_ns() + number_of(stopping), STOPPED));
}

void umsim_skew_raise_to(int64_t ns)
{
    for (;;) {
        int64_t seen = atomic_load(&state), real = 0;
        if (tag_of(seen) == STOPPING) {
            stop_at_now(seen);
            continue;
        }
        if (tag_of(seen) == RUNNING)
            real = real_ns();
        if (real + number_of(seen) >= ns ||
            atomic_compare_exchange_strong(&state, &seen, word(ns - real, tag_of(seen))))
            return;
    }
}

int64_t umsim_skew_gone_on_to(const struct umsim_program_thread *it)
{
    return (int64_t)(it->base_ns + umsim_program_thread_cpu_ns(it) - it->base_cpu_ns);
}

/* The stopped clock. */
static int64_t shown(int64_t seen)
{
    const struct umsim_program_thread *me = umsim_program_thread;
    const int64_t ns = number_of(seen);
    if (!me || atomic_load(&me->state) != UMSIM_THREAD_RUNS)
        return ns;
    const int64_t mine_ns = umsim_skew_gone_on_to(me);
    if (mine_ns <= ns)
        return ns;
    return atomic_compare_exchange_strong(&state, &seen, word(mine_ns, STOPPED)) ? mine_ns : -1;
}

int64_t umsim_skew_now(void)
{
    for (;;) {
        const int64_t seen = atomic_load(&state);
        if (tag_of(seen) == RUNNING) {
            const int64_t real = real_ns();
            if (atomic_load(&state) == seen)
                return real + number_of(seen);
        } else if (tag_of(seen) == STOPPING) {
            stop_at_now(seen);
        } else {
            const int64_t ns = shown(seen);
            if (ns >= 0)
                return ns;
        }
    }
}

void umsim_skew_stop(void)
{
    int64_t seen = atomic_load(&state);
    while (!atomic_compare_exchange_weak(&state, &seen, word(number_of(seen), STOPPING)))
        ;
    stop_at_now(word(number_of(seen), STOPPING));
}

void umsim_skew_go_on(int64_t ns)
{
    for (;;) {
        int64_t seen = atomic_load(&state);
        const int64_t number = number_of(seen);
        if (tag_of(seen) == RUNNING)
            return;
        if (tag_of(seen) == STOPPING)
            stop_at_now(seen);
        else if (atomic_compare_exchange_strong(&state, &seen,
                                                word((number > ns ? number : ns) - real_ns(), RUNNING)))
            return;
    }
}

int64_t umsim_skew(void)
{
    const int64_t seen = atomic_load(&state);
    return tag_of(seen) == RUNNING ? number_of(seen) : umsim_skew_now() - real_ns();
}
