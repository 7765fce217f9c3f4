/**
 * @file team.c
 * @brief Passes virtual time among the threads of an OpenMP parallel region.
 *
 * They begin at the time of the thread that enters the region, and that one continues no earlier than they
 * have ended. At a barrier all continue at the time of the last one. Whoever waits at one has nothing to do,
 * though it spins for some milliseconds.
 *
 * To see this, the simulator wraps GCC's entries to a parallel region and to barriers, those at the end of
 * loops, sections and `single` among them. Not seen: other ways in which the threads wait for each other
 * (`critical`, locks, what tasks depend on, `ordered`), and `parallel for` with a schedule that is not
 * static, which has an entry of its own.
 */
#include "clock.h"
#include "program_clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef void barrier_fn(void);
typedef void task_fn(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **,
                     int, void *);

static struct {
    void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
    barrier_fn *barrier, *loop_end, *sections_end;
    task_fn *task;
} real;

static atomic_bool has_tasks;

__attribute__((constructor)) static void look_up(void)
{
    if (real.parallel)
        return;
    *(void **)&real.barrier = dlsym(RTLD_NEXT, "GOMP_barrier");
    *(void **)&real.loop_end = dlsym(RTLD_NEXT, "GOMP_loop_end");
    *(void **)&real.task = dlsym(RTLD_NEXT, "GOMP_task");
    *(void **)&real.sections_end = dlsym(RTLD_NEXT, "GOMP_sections_end");
    *(void **)&real.parallel = dlsym(RTLD_NEXT, "GOMP_parallel");
}

struct region {
    void (*body)(void *);
    void *data;
    pthread_t master;
    uint64_t start_ns;
    atomic_ullong end_ns;
    /* The latest time of those that have come to a barrier, of every other one: nobody comes to the next but
     * one before all have left this one. */
    atomic_ullong met_ns[2];
};

static __thread struct region *mine;
static __thread unsigned barriers; /* that this thread has come to in it */

static void raise_to(atomic_ullong *latest, unsigned long long ns)
{
    unsigned long long seen = atomic_load(latest);
    while (seen < ns && !atomic_compare_exchange_weak(latest, &seen, ns))
        ;
}

static void run_region(void *argument)
{
    struct region *region = argument, *const outer = mine;
    const unsigned before = barriers;
    const bool is_master = pthread_equal(region->master, pthread_self());
    umsim_clock_begin(region->start_ns);
    if (!is_master)
        umsim_program_clock_thread_works();
    mine = region;
    barriers = 0;
    region->body(region->data);
    mine = outer;
    barriers = before;
    if (!is_master) /* it spins until the next region, and then sleeps */
        umsim_program_clock_thread_idles();
    raise_to(&region->end_ns, umsim_clock_now());
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads_wanted, unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads_wanted, unsigned flags)
{
    struct region region = {
        .body = body, .data = data, .master = pthread_self(), .start_ns = umsim_clock_now()};
    look_up();
    real.parallel(run_region, &region, threads_wanted, flags);
    umsim_clock_join(region.end_ns);
}

static void meet(barrier_fn *barrier)
{
    struct region *const region = mine;
    if (!region) {
        barrier();
        return;
    }
    const bool stops = !atomic_load(&has_tasks);
    atomic_ullong *const met = &region->met_ns[barriers++ % 2];
    if (stops) {
        umsim_program_clock_enter();
        umsim_program_clock_waits();
    }
    raise_to(met, umsim_clock_now());
    barrier();
    umsim_clock_join(atomic_load(met));
    if (stops)
        umsim_program_clock_leave();
}

void GOMP_barrier(void);
void GOMP_barrier(void)
{
    look_up();
    meet(real.barrier);
}

void GOMP_loop_end(void);
void GOMP_loop_end(void)
{
    look_up();
    meet(real.loop_end);
}

void GOMP_sections_end(void);
void GOMP_sections_end(void)
{
    look_up();
    meet(real.sections_end);
}

task_fn GOMP_task;
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool if_clause, unsigned flags, void **depends, int priority, void *detach)
{
    look_up();
    atomic_store(&has_tasks, true);
    real.task(body, data, copy, bytes, alignment, if_clause, flags, depends, priority, detach);
}
