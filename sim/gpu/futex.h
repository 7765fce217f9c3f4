/*
 * futex.h: sleeping until a number in shared memory changes. Works between processes; async-signal-safe.
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

/** Sleeps while *word equals `seen`, at most `nanoseconds` (0: no limit). May return early. */
static inline void umsim_futex_wait(atomic_uint *word, unsigned seen, uint64_t nanoseconds)
{
    struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT, seen, nanoseconds ? &limit : NULL, NULL, 0);
}

/** Wakes all who sleep on *word. */
static inline void umsim_futex_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
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

/** Waits a little for *word to differ from `seen` without giving up the core. @return whether it does. */
static inline int umsim_spin(atomic_uint *word, unsigned seen, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != seen)
            return 1;
        umsim_pause();
    }
    return 0;
}

static inline uint64_t umsim_real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
