/**
 * @file lock.c
 * @brief Implementation of lock.h: the lock, and the conditions that threads wait for.
 */
#include "lock.h"
#include "libc.h"
#include "program_clock.h"

#include <pthread.h>
#include <time.h>

/* It knows its owner. */
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t conditions[UMSIM_CONDITIONS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};

static __thread bool is_mine __attribute__((tls_model("initial-exec")));

void umsim_lock(void)
{
    pthread_mutex_lock(&mutex);
    is_mine = true;
}

bool umsim_lock_unless_mine(void)
{
    const bool was_mine = is_mine;
    umsim_lock();
    return !was_mine;
}

bool umsim_lock_is_mine(void)
{
    return is_mine;
}

void umsim_unlock(void)
{
    is_mine = false;
    pthread_mutex_unlock(&mutex);
}

void umsim_lock_wait(enum umsim_condition condition, uint64_t nanoseconds)
{
    umsim_program_clock_waits();
    if (nanoseconds == 0) {
        pthread_cond_wait(&conditions[condition], &mutex);
        return;
    }
    struct timespec until;
    umsim_real_clock_gettime(CLOCK_REALTIME, &until);
    uint64_t total = (uint64_t)until.tv_nsec + nanoseconds;
    until.tv_sec += (time_t)(total / 1000000000);
    until.tv_nsec = (long)(total % 1000000000);
    umsim_real_cond_timedwait(&conditions[condition], &mutex, &until);
}

void umsim_announce(enum umsim_condition condition)
{
    pthread_cond_broadcast(&conditions[condition]);
}
