/**
 * @file program_threads.c
 * @brief Implementation of program_threads.h: a table with a line for each thread.
 */
#include "program_threads.h"
#include "libc.h"

#include <stddef.h>
#include <time.h>

/** Further threads are unseen, and while there are some the clock never stops. */
#define LINES 1024

static struct umsim_program_thread line[LINES];
static atomic_uint used; /* no line behind these was ever used */
static atomic_uint busy, unseen;
static atomic_bool several;
static atomic_int own_cpu; /* of the simulator's own thread; 0: there is none */

__thread struct umsim_program_thread *umsim_program_thread __attribute__((tls_model("initial-exec")));
static __thread bool is_unseen __attribute__((tls_model("initial-exec")));
static __thread bool is_own __attribute__((tls_model("initial-exec")));

static bool counts(int state)
{
    return state == UMSIM_THREAD_RUNS || state == UMSIM_THREAD_CALLS;
}

void umsim_program_thread_set(struct umsim_program_thread *it, enum umsim_thread_state state)
{
    const int before = atomic_exchange(&it->state, (int)state);
    if (counts(before) != counts((int)state))
        atomic_fetch_add(&busy, counts((int)state) ? 1u : -1u);
}

static struct umsim_program_thread *take(void)
{
    for (unsigned i = 0; i < LINES; i++) {
        int none = UMSIM_THREAD_NONE;
        if (!atomic_compare_exchange_strong(&line[i].state, &none, UMSIM_THREAD_IDLES))
            continue;
        unsigned most = atomic_load(&used);
        while (most < i + 1 && !atomic_compare_exchange_weak(&used, &most, i + 1))
            ;
        return &line[i];
    }
    return NULL;
}

struct umsim_program_thread *umsim_program_thread_begin(void)
{
    if (umsim_program_thread || is_unseen || is_own)
        return umsim_program_thread;
    struct umsim_program_thread *it = take();
    if (!it || pthread_getcpuclockid(pthread_self(), &it->cpu) != 0) {
        if (it)
            umsim_program_thread_set(it, UMSIM_THREAD_NONE);
        is_unseen = true;
        atomic_fetch_add(&unseen, 1);
        return NULL;
    }
    if (it != &line[0])
        umsim_program_threads_come();
    it->waits_at = NULL;
    umsim_program_thread = it;
    return it;
}

void umsim_program_thread_end(void)
{
    struct umsim_program_thread *it = umsim_program_thread;
    umsim_program_thread = NULL;
    if (it)
        umsim_program_thread_set(it, UMSIM_THREAD_NONE);
    if (is_unseen)
        atomic_fetch_sub(&unseen, 1);
    is_unseen = false;
    is_own = true; /* what its other destructors do is too late to be anybody's */
}

void umsim_program_thread_is_own(bool is)
{
    if (is)
        umsim_program_thread_end();
    is_own = is;
    clockid_t cpu;
    if (is && pthread_getcpuclockid(pthread_self(), &cpu) == 0)
        atomic_store(&own_cpu, (int)cpu);
}

uint64_t umsim_program_threads_own_cpu_ns(void)
{
    const clockid_t cpu = atomic_load(&own_cpu);
    return cpu ? umsim_real_clock_ns(cpu) : 0;
}

bool umsim_program_thread_is_own_one(void)
{
    return is_own;
}

bool umsim_program_thread_is_unseen(void)
{
    return is_unseen;
}

void umsim_program_threads_forked(void)
{
    struct umsim_program_thread *mine = umsim_program_thread;
    for (unsigned i = 0; i < LINES; i++)
        if (&line[i] != mine)
            atomic_store(&line[i].state, UMSIM_THREAD_NONE);
    atomic_store(&own_cpu, 0);
    atomic_store(&unseen, is_unseen ? 1u : 0u);
    atomic_store(&busy, mine && counts(atomic_load(&mine->state)) ? 1u : 0u);
    if (mine) /* its number is another one */
        pthread_getcpuclockid(pthread_self(), &mine->cpu);
}

void umsim_program_threads_come(void)
{
    if (!atomic_load(&several))
        atomic_store(&several, true);
}

bool umsim_program_threads_are_several(void)
{
    return atomic_load_explicit(&several, memory_order_relaxed);
}

unsigned umsim_program_threads_busy(void)
{
    return atomic_load_explicit(&busy, memory_order_relaxed);
}

bool umsim_program_threads_unseen(void)
{
    return atomic_load_explicit(&unseen, memory_order_relaxed) != 0;
}

uint64_t umsim_program_thread_cpu_ns(const struct umsim_program_thread *it)
{
    return umsim_real_clock_ns(it->cpu);
}

void umsim_program_threads_visit(void (*visit)(struct umsim_program_thread *it, void *data), void *data)
{
    const unsigned most = atomic_load(&used);
    for (unsigned i = 0; i < most; i++)
        if (&line[i] != umsim_program_thread && atomic_load(&line[i].state) != UMSIM_THREAD_NONE)
            visit(&line[i], data);
}
