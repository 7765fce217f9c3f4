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
 *
 * A library that is opened by dlopen() may bring a libgomp of its own, which the program's scope has not. So
 * each call goes where it would go without this file: to the program's libgomp, else to the caller's, else to
 * the system's.
 */
#include "clock.h"
#include "program_clock.h"
#include "report.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef void barrier_fn(void);
typedef void parallel_fn(void (*)(void *), void *, unsigned, unsigned);
typedef void task_fn(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **,
                     int, void *);
typedef void taskloop_fn(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned,
                         unsigned long, int, long, long, long);
typedef void taskloop_ull_fn(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned,
                             unsigned long, int, unsigned long long, unsigned long long, unsigned long long);

enum entry { PARALLEL, BARRIER, LOOP_END, SECTIONS_END, TASK, TASKLOOP, TASKLOOP_ULL, ENTRIES };
static const char *const names[ENTRIES] = {"GOMP_parallel",     "GOMP_barrier", "GOMP_loop_end",
                                           "GOMP_sections_end", "GOMP_task",    "GOMP_taskloop",
                                           "GOMP_taskloop_ull"};

static _Atomic(void *) of_program[ENTRIES]; /* NULL: not found yet */
static _Atomic(const void *) latest;        /* code of a library that has a libgomp, or of one itself */
static atomic_bool has_tasks;

/* @return the library that `code` is in, to be closed; or NULL */
static void *library_of(const void *code)
{
    Dl_info info;
    return code && dladdr(code, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* The function of the libgomp among what the caller's library needs. This library has the same names and may
 * be among that, too; hence by way of a name that it has not. */
static void *of_caller(enum entry entry, const void *caller)
{
    void *const library = library_of(caller),
                *const libgomp = library ? library_of(dlsym(library, "omp_get_num_threads")) : NULL,
                *const found = libgomp ? dlsym(libgomp, names[entry]) : NULL;
    if (libgomp)
        dlclose(libgomp);
    if (library)
        dlclose(library);
    return found;
}

/* @param code some of the library that calls. Where it ends with a call, a return address is somebody else's:
 * so functions that are given code take that, and where nothing is found the latest libgomp is meant.
 * @return NULL: nobody has had a libgomp yet */
static void *real(enum entry entry, const void *code)
{
    void *found = atomic_load(&of_program[entry]);
    if (found)
        return found;
    found = dlsym(RTLD_NEXT, names[entry]);
    if (found) {
        atomic_store(&of_program[entry], found);
        return found;
    }
    found = of_caller(entry, code);
    if (found)
        atomic_store(&latest, found);
    else
        found = of_caller(entry, atomic_load(&latest));
    return found;
}

/* A linker leaves libgomp out where this library has all that a program calls of it. */
static void *of_system(enum entry entry)
{
    void *const libgomp = dlopen("libgomp.so.1", RTLD_LAZY), *const found = libgomp
                                                                                ? dlsym(libgomp, names[entry])
                                                                                : NULL;
    if (found)
        atomic_store(&latest, found);
    return found;
}

static void *needed(enum entry entry, void (*body)(void *))
{
    void *found = real(entry, (const void *)(uintptr_t)body);
    if (!found)
        found = of_system(entry);
    if (found)
        return found;
    umsim_say("%s: there is no libgomp.so.1, and the program was compiled with -fopenmp", names[entry]);
    abort();
}

__attribute__((constructor)) static void look_up(void)
{
    for (int i = 0; i < ENTRIES; i++)
        atomic_store(&of_program[i], dlsym(RTLD_NEXT, names[i]));
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
    atomic_bool had_tasks[2]; /* ... and whether tasks may have been done at it */
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

parallel_fn GOMP_parallel;
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads_wanted, unsigned flags)
{
    struct region region = {
        .body = body, .data = data, .master = pthread_self(), .start_ns = umsim_clock_now()};
    parallel_fn *const parallel = (parallel_fn *)needed(PARALLEL, body);
    parallel(run_region, &region, threads_wanted, flags);
    umsim_clock_join(region.end_ns);
}

/* Who does tasks at a barrier is later behind it than it was before: a second one tells all how late. */
static void meet(enum entry entry, const void *caller)
{
    struct region *const region = mine;
    barrier_fn *const barrier = (barrier_fn *)real(entry, caller);
    if (!region) {
        if (barrier)
            barrier();
        return;
    }
    const unsigned place = barriers++ % 2;
    const bool stops = !atomic_load(&has_tasks);
    atomic_ullong *const met = &region->met_ns[place];
    if (!stops)
        atomic_store(&region->had_tasks[place], true);
    if (stops) {
        umsim_program_clock_enter();
        umsim_program_clock_waits();
    }
    raise_to(met, umsim_clock_now());
    barrier();
    if (atomic_load(&region->had_tasks[place])) {
        raise_to(met, umsim_clock_now());
        ((barrier_fn *)real(BARRIER, caller))();
    }
    umsim_clock_join(atomic_load(met));
    if (stops)
        umsim_program_clock_leave();
}

barrier_fn GOMP_barrier, GOMP_loop_end, GOMP_sections_end;
void GOMP_barrier(void)
{
    meet(BARRIER, __builtin_return_address(0));
}

void GOMP_loop_end(void)
{
    meet(LOOP_END, __builtin_return_address(0));
}

void GOMP_sections_end(void)
{
    meet(SECTIONS_END, __builtin_return_address(0));
}

/* ---- what makes tasks: threads that wait at a barrier run them ---- */

task_fn GOMP_task;
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool if_clause, unsigned flags, void **depends, int priority, void *detach)
{
    task_fn *const task = (task_fn *)needed(TASK, body);
    atomic_store(&has_tasks, true);
    task(body, data, copy, bytes, alignment, if_clause, flags, depends, priority, detach);
}

taskloop_fn GOMP_taskloop;
void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment,
                   unsigned flags, unsigned long tasks, int priority, long start, long end, long step)
{
    taskloop_fn *const loop = (taskloop_fn *)needed(TASKLOOP, body);
    atomic_store(&has_tasks, true);
    loop(body, data, copy, bytes, alignment, flags, tasks, priority, start, end, step);
}

taskloop_ull_fn GOMP_taskloop_ull;
void GOMP_taskloop_ull(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes,
                       long alignment, unsigned flags, unsigned long tasks, int priority,
                       unsigned long long start, unsigned long long end, unsigned long long step)
{
    taskloop_ull_fn *const loop = (taskloop_ull_fn *)needed(TASKLOOP_ULL, body);
    atomic_store(&has_tasks, true);
    loop(body, data, copy, bytes, alignment, flags, tasks, priority, start, end, step);
}
