/**
 * @file program_clock.c
 * @brief Implementation of program_clock.h: calls, threads, and what the clocks show. The skew is in skew.c.
 */
#include "program_clock.h"
#include "clock.h"
#include "futex.h"
#include "libc.h"
#include "program_threads.h"
#include "report.h"
#include "skew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** umcc defines it where it links a program. */
extern const char umsim_links_program __attribute__((weak));

/** Host work between two calls that is so short is not passed on to the virtual time, so that events of a
 * program that does nothing in between tell the same in each run. */
#define SHORT_NS 20000
/** Of such a gap this much lies in what a call takes as measured on hardware, where one call came after the
 * other in a loop. */
#define GAP_NS 2000
/** 17 years: as far as modelled time can go, so that no sum is out of range. */
#define LATEST_NS (INT64_C(1) << 59)

static bool is_modelled;
static _Atomic int64_t origin, cpu_skew;
static atomic_bool cpu_is_read, was_read, was_told;
static atomic_llong cpu_shown;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_uint stoppers; /* calls for which the clock stands still */
static bool has_origin;      /* under the lock; before its first call the program's time is not counted */

static __thread struct {
    int depth;  /* calls that are under way; not 0, too, while this thread holds the lock */
    bool stops; /* it is one of the stoppers */
    int64_t began_ns, virtual_ns, lag_ns, began_cpu_ns, cpu_skew, cpu_shown;
} mine __attribute__((tls_model("initial-exec")));

/* ---- stopping and going on; all under the lock ---- */

static void hold(void)
{
    mine.depth++; /* a fault's handler that interrupts must not wait for the lock */
    umsim_spin_lock(&lock);
}

static void let_go(void)
{
    umsim_spin_unlock(&lock);
    mine.depth--;
}

static void begin_at(struct umsim_program_thread *it, int64_t ns)
{
    atomic_store(&it->base_cpu_ns, umsim_program_thread_cpu_ns(it));
    atomic_store(&it->base_ns, (unsigned long long)ns);
}

static void begin_at_now(struct umsim_program_thread *it, void *ns)
{
    if (atomic_load(&it->state) == UMSIM_THREAD_RUNS)
        begin_at(it, *(const int64_t *)ns);
}

static void stop(void)
{
    mine.stops = true;
    if (stoppers++)
        return;
    int64_t before = umsim_skew_now();
    umsim_program_threads_visit(begin_at_now, &before);
    umsim_skew_stop();
}

static void add_what_it_ran(struct umsim_program_thread *it, void *unused)
{
    (void)unused;
    if (atomic_load(&it->state) == UMSIM_THREAD_RUNS)
        umsim_skew_raise_to(umsim_skew_gone_on_to(it));
}

/* A deadline that a leap has passed would be waited for in real time. */
static void wake_late_one(struct umsim_program_thread *it, void *now)
{
    if (it->waits_at && it->ends_ns <= *(const int64_t *)now)
        pthread_cond_broadcast(it->waits_at);
}

/* A thread comes back to the program, or has left it. */
static void set_state(struct umsim_program_thread *me, enum umsim_thread_state now)
{
    if (!me)
        return;
    const int64_t ns = stoppers ? umsim_skew_now() : 0; /* counts what it has run */
    if (stoppers && now == UMSIM_THREAD_RUNS)
        begin_at(me, ns);
    umsim_program_thread_set(me, now);
}

/* ---- calls ---- */

/* Only a thread of the program's has calls that count. */
static bool is_programs(void)
{
    if (!umsim_program_thread && !umsim_program_thread_is_unseen())
        umsim_program_clock_thread_begins();
    return umsim_program_thread || umsim_program_thread_is_unseen();
}

/* The host's work since the last call, for the virtual time. */
static void pass_on(void)
{
    const int64_t start = atomic_load(&origin);
    mine.lag_ns = mine.began_ns - start - mine.virtual_ns;
    if (mine.lag_ns > SHORT_NS) {
        umsim_clock_join((uint64_t)(mine.began_ns - start));
        mine.virtual_ns += mine.lag_ns;
        mine.lag_ns = 0;
    }
    if (mine.lag_ns < 0)
        mine.lag_ns = 0;
}

/* What has to be known of a call's beginning. */
static void note_begin(void)
{
    mine.began_ns = umsim_skew_now();
    mine.virtual_ns = (int64_t)umsim_clock_now();
    if (!has_origin)
        atomic_store(&origin, mine.began_ns - mine.virtual_ns);
    has_origin = true;
}

/* As long as the program has one thread, nobody else uses any of this: most launches are made so. */
static bool is_alone(void)
{
    return !umsim_program_threads_are_several() && umsim_program_thread;
}

static void begin_alone(void)
{
    atomic_store_explicit(&umsim_program_thread->state, UMSIM_THREAD_CALLS, memory_order_relaxed);
    mine.stops = true;
    atomic_fetch_add(&stoppers, 1);
    umsim_skew_stop();
    note_begin();
}

static void end_alone(int64_t end)
{
    umsim_skew_go_on(end);
    atomic_fetch_sub(&stoppers, 1);
    mine.stops = false;
    atomic_store_explicit(&umsim_program_thread->state, UMSIM_THREAD_RUNS, memory_order_relaxed);
}

static void begin_beside(void)
{
    hold();
    note_begin();
    set_state(umsim_program_thread, UMSIM_THREAD_CALLS);
    if (umsim_program_threads_busy() == 1 && !umsim_program_threads_unseen())
        stop();
    let_go();
}

void umsim_program_clock_enter(void)
{
    if (!is_modelled || mine.depth++)
        return;
    if (!is_programs()) {
        mine.depth--;
        return;
    }
    if (is_alone())
        begin_alone();
    else
        begin_beside();
    pass_on();
    mine.began_cpu_ns =
        atomic_load(&cpu_is_read) ? (int64_t)umsim_real_clock_ns(CLOCK_THREAD_CPUTIME_ID) : -1;
}

bool umsim_program_clock_is_inside(void)
{
    return mine.depth > 0;
}

void umsim_program_clock_waits(void)
{
    if (!is_modelled || !mine.depth || mine.stops || umsim_program_threads_unseen())
        return;
    hold();
    stop();
    let_go();
}

/* What the clock has to show when the call is over, as far as this thread is concerned. */
static int64_t end_of_call(void)
{
    const int64_t virtual = (int64_t)umsim_clock_now(), took = virtual - mine.virtual_ns;
    int64_t hidden = mine.lag_ns < GAP_NS ? mine.lag_ns : GAP_NS;
    hidden = took < hidden ? took > 0 ? took : 0 : hidden;
    const int64_t end = atomic_load(&origin) + virtual + mine.lag_ns - hidden;
    return virtual > LATEST_NS ? atomic_load(&origin) + LATEST_NS : end;
}

static void count_processor(int64_t took)
{
    if (mine.began_cpu_ns < 0)
        return;
    took -= (int64_t)umsim_real_clock_ns(CLOCK_THREAD_CPUTIME_ID) - mine.began_cpu_ns;
    mine.cpu_skew += took;
    atomic_fetch_add(&cpu_skew, took);
}

static void tell_once(void)
{
    if (!atomic_load(&was_read) || atomic_load(&was_told) || atomic_exchange(&was_told, true) ||
        !isatty(STDERR_FILENO))
        return;
    umsim_say("this program's clocks count the simulated GPU's work as modelled, the host's as it took "
              "(UMSIM_CLOCK=real: all as it took)");
}

static void end_beside(int64_t end)
{
    hold();
    if (stoppers)
        umsim_program_threads_visit(add_what_it_ran, NULL);
    umsim_skew_raise_to(end);
    if (mine.stops && --stoppers == 0)
        umsim_skew_go_on(end);
    mine.stops = false;
    set_state(umsim_program_thread, UMSIM_THREAD_RUNS);
    int64_t now = umsim_skew_now();
    umsim_program_threads_visit(wake_late_one, &now);
    let_go();
}

void umsim_program_clock_leave(void)
{
    if (!is_modelled || !mine.depth)
        return;
    if (mine.depth > 1) {
        mine.depth--;
        return;
    }
    const int64_t end = end_of_call();
    if (is_alone() && mine.stops)
        end_alone(end);
    else
        end_beside(end);
    count_processor(end - mine.began_ns);
    mine.depth--;
    tell_once();
}

/* The simulator's own thread makes no calls: its virtual time is that of the function which it runs. */
static void catch_up(void)
{
    const int64_t ns = umsim_skew_now() - atomic_load(&origin);
    if (ns - (int64_t)umsim_clock_now() > SHORT_NS)
        umsim_clock_join((uint64_t)ns);
}

struct umsim_host_code umsim_program_clock_host_begin(void)
{
    const struct umsim_host_code code = {mine.depth};
    if (!is_modelled)
        return code;
    if (code.depth) {
        mine.depth = 1;
        umsim_program_clock_leave();
        return code;
    }
    umsim_program_thread_is_own(false);
    umsim_program_clock_thread_begins();
    catch_up();
    return code;
}

void umsim_program_clock_host_end(struct umsim_host_code code)
{
    if (!is_modelled)
        return;
    if (code.depth) {
        umsim_program_clock_enter();
        umsim_program_clock_waits();
        mine.depth = code.depth;
        return;
    }
    catch_up();
    umsim_program_clock_thread_ends();
}

/* ---- what is shown ---- */

bool umsim_program_clock_is_modelled(void)
{
    return is_modelled;
}

bool umsim_program_clock_was_read(void)
{
    return atomic_load(&was_read);
}

uint64_t umsim_program_clock_ns(void)
{
    return (uint64_t)umsim_skew_now();
}

int64_t umsim_program_clock_skew(void)
{
    return umsim_skew();
}

void umsim_program_clock_reach(uint64_t ns)
{
    umsim_skew_raise_to((int64_t)ns);
}

/* All clocks are CLOCK_MONOTONIC and what they were ahead of it at the start, so that none can differ from
 * the others by when they were read. */
static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI};
enum { CLOCKS = sizeof clocks / sizeof clocks[0] };
static int64_t ahead[CLOCKS];

static clockid_t without_coarse(clockid_t clock)
{
    return clock == CLOCK_REALTIME_COARSE    ? CLOCK_REALTIME
           : clock == CLOCK_MONOTONIC_COARSE ? CLOCK_MONOTONIC
                                             : clock;
}

bool umsim_program_clock_ahead(clockid_t clock, int64_t *ns)
{
    clock = without_coarse(clock);
    *ns = 0;
    for (int i = 0; i < CLOCKS; i++)
        if (clocks[i] == clock) {
            *ns = ahead[i];
            return true;
        }
    return clock == CLOCK_MONOTONIC;
}

bool umsim_program_clock_read(clockid_t clock, uint64_t *ns)
{
    int64_t more;
    if (!umsim_program_clock_ahead(clock, &more))
        return false;
    if (!atomic_load_explicit(&was_read, memory_order_relaxed))
        atomic_store(&was_read, true);
    if (!umsim_program_thread) /* one that the program has made in another way than threads.c sees */
        is_programs();
    *ns = (uint64_t)(umsim_skew_now() + more);
    return true;
}

uint64_t umsim_program_clock_cpu_ns(bool of_thread)
{
    if (!atomic_load(&cpu_is_read))
        atomic_store(&cpu_is_read, true);
    if (of_thread) {
        const int64_t ns = (int64_t)umsim_real_clock_ns(CLOCK_THREAD_CPUTIME_ID) + mine.cpu_skew;
        mine.cpu_shown = ns > mine.cpu_shown ? ns : mine.cpu_shown;
        return (uint64_t)mine.cpu_shown;
    }
    const long long ns = (long long)umsim_real_clock_ns(CLOCK_PROCESS_CPUTIME_ID) -
                         (long long)umsim_program_threads_own_cpu_ns() + atomic_load(&cpu_skew);
    long long before = atomic_load(&cpu_shown);
    while (before < ns && !atomic_compare_exchange_weak(&cpu_shown, &before, ns))
        ;
    return (uint64_t)(ns > before ? ns : before);
}

/* ---- threads ---- */

static pthread_key_t at_end;

static void end(void *unused)
{
    (void)unused;
    umsim_program_clock_thread_ends();
}

static void become(enum umsim_thread_state now)
{
    struct umsim_program_thread *me = umsim_program_thread_begin();
    hold();
    set_state(me, now);
    let_go();
}

void umsim_program_clock_thread_begins(void)
{
    if (!is_modelled || umsim_program_thread_is_own_one())
        return;
    become(UMSIM_THREAD_RUNS);
    pthread_setspecific(at_end, &mine);
}

void umsim_program_clock_thread_ends(void)
{
    if (!is_modelled || !umsim_program_thread)
        return;
    become(UMSIM_THREAD_IDLES);
    umsim_program_thread_end();
}

bool umsim_program_clock_thread_idles(void)
{
    if (!is_modelled || !umsim_program_thread ||
        atomic_load(&umsim_program_thread->state) != UMSIM_THREAD_RUNS)
        return false;
    become(UMSIM_THREAD_IDLES);
    return true;
}

void umsim_program_clock_thread_works(void)
{
    if (is_modelled)
        become(UMSIM_THREAD_RUNS);
}

void umsim_program_clock_wait_at(pthread_cond_t *condition, int64_t ends_ns)
{
    struct umsim_program_thread *me = umsim_program_thread;
    if (!me)
        return;
    hold();
    me->ends_ns = ends_ns;
    me->waits_at = condition;
    let_go();
}

/* ---- the start ---- */

/* Of a process that was forked while other threads were inside calls. */
static void forked(void)
{
    atomic_flag_clear(&lock);
    stoppers = 0;
    mine.stops = false;
    umsim_program_threads_forked();
    umsim_skew_go_on(0);
}

__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("UMSIM_CLOCK");
    if (!&umsim_links_program || (wanted && strcmp(wanted, "real") == 0) ||
        pthread_atfork(NULL, NULL, forked) != 0 || pthread_key_create(&at_end, end) != 0)
        return;
    for (int i = 0; i < CLOCKS; i++)
        ahead[i] = (int64_t)umsim_real_clock_ns(clocks[i]) - (int64_t)umsim_real_ns();
    is_modelled = true;
    umsim_program_clock_thread_begins();
}
