/**
 * @file futex.h
 * @brief Sleeping until a number in shared memory changes.
 *
 * All of this works between processes, and is async-signal-safe.
 */
#ifndef UMSIM_FUTEX_H
#define UMSIM_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** Sleeps while *word equals `seen`, for at most `nanoseconds` (0: no limit). It may return early. */
static inline void umsim_futex_wait(atomic_uint *word, unsigned seen, uint64_t nanoseconds)
{
    struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT, seen, nanoseconds ? &limit : NULL, NULL, 0);
}

/** Wakes everything that sleeps on *word. */
static inline void umsim_futex_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

/**
 * Sleeps on *counter like umsim_futex_wait(), and announces the sleep in *sleeper.
 *
 * The counting side reads *sleeper to avoid system calls. It makes none when nobody sleeps, and none while a
 * sleeper that has been woken is still on its way, which takes longer than a count. *sleeper holds the value
 * that the sleeper saw. So a count ends only the sleep that it is meant for, and not the next sleep, which
 * may just have begun.
 */
static inline void umsim_sleep_while(atomic_uint *counter, unsigned seen, atomic_uint *sleeper,
                                     uint64_t nanoseconds)
{
    atomic_store(sleeper, seen * 2 + 1);
    umsim_futex_wait(counter, seen, nanoseconds);
}

/**
 * Wakes the sleeper of umsim_sleep_while(), if there is one. To be called after *counter was set to `now`.
 */
static inline void umsim_wake_sleeper(atomic_uint *counter, unsigned now, atomic_uint *sleeper)
{
    unsigned sleeps = atomic_load(sleeper);
    if (sleeps && sleeps != now * 2 + 1 && atomic_compare_exchange_strong(sleeper, &sleeps, 0))
        umsim_futex_wake(counter);
}

/** A short pause for a loop that waits for another core. */
static inline void umsim_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/**
 * How long one place in the program busy-waits before it sleeps.
 *
 * A futex's sleep and wake take several microseconds, and some tens where the core that sleeps is a virtual
 * machine's; a busy-wait takes none of that. But where both sides share a core (a busy machine, or because
 * the system has put them there), a busy-wait keeps the other side from its work. So it offers its core now
 * and then, and none is longer than two sleeps and wakes take: 88 us, where a pause takes 22 ns. Each
 * unsuccessful wait makes the next ones shorter, and every UMSIM_ROUNDS_TRIED-th wait has the full length
 * again. (If it were not long, two sides that each wait for the other to wake up would go on so for ever.)
 */
struct umsim_patience {
    unsigned rounds, waits;
};
enum { UMSIM_ROUNDS_LEAST = 40, UMSIM_ROUNDS_MOST = 4000, UMSIM_ROUNDS_TRIED = 16, UMSIM_ROUNDS_YIELD = 64 };

/** Whether *word, which only counts up, has reached `goal`. */
static inline int umsim_reached(atomic_uint *word, unsigned goal)
{
    return (int)(atomic_load_explicit(word, memory_order_acquire) - goal) >= 0;
}

/**
 * Busy-waits for umsim_reached(word, goal), as long as that has proved worthwhile.
 * @return whether the goal was reached
 */
static inline int umsim_await(atomic_uint *word, unsigned goal, struct umsim_patience *patience)
{
    unsigned rounds = patience->rounds;
    if (patience->waits++ % UMSIM_ROUNDS_TRIED == 0)
        rounds = UMSIM_ROUNDS_MOST;
    for (unsigned i = 0; i < rounds; i++) {
        if (umsim_reached(word, goal)) {
            patience->rounds = 2 * rounds < UMSIM_ROUNDS_MOST ? 2 * rounds : UMSIM_ROUNDS_MOST;
            return 1;
        }
        if (i % UMSIM_ROUNDS_YIELD == UMSIM_ROUNDS_YIELD - 1)
            syscall(SYS_sched_yield);
        else
            umsim_pause();
    }
    patience->rounds = rounds / 4 * 3 > UMSIM_ROUNDS_LEAST ? rounds / 4 * 3 : UMSIM_ROUNDS_LEAST;
    return 0;
}

/**
 * Waits a little for *word to differ from `seen`, without giving up the core.
 * @return whether it differs
 */
static inline int umsim_spin(atomic_uint *word, unsigned seen, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != seen)
            return 1;
        umsim_pause();
    }
    return 0;
}

/**
 * Takes a lock that is held for no longer than a system call or two, by busy-waiting. The holder may have
 * lost its core, so now and then the waiting thread gives up its own. Not fair.
 */
static inline void umsim_spin_lock(atomic_flag *lock)
{
    for (unsigned round = 1; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); round++) {
        umsim_pause();
        if (round % 256 == 0)
            syscall(SYS_sched_yield);
    }
}

static inline void umsim_spin_unlock(atomic_flag *lock)
{
    atomic_flag_clear_explicit(lock, memory_order_release);
}

#endif
