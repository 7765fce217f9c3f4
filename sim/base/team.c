/**
 * @file team.c
 * @brief Passes virtual time among the threads of an OpenMP parallel region.
 *
 * They begin at the time of the thread that enters the region, and that one continues no earlier than they
 * have ended. At a barrier all continue at the time of the last one. Whoever waits at one has nothing to do,
 * though it spins for some milliseconds, but for tasks that it runs there.
 *
 * To see this, the simulator wraps GCC's entries to a parallel region and to barriers, those at the end of
 * loops, sections and `single` among them, and the bodies of tasks. Not seen: other ways in which the threads
 * wait for each other (`critical`, locks, what tasks depend on, `ordered`), and `parallel for` with a
 * schedule that is not static, which has an entry of its own.
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
#include <string.h>

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
    /* The latest time of those that have come to a barrier, or done a task at it, of every other one: nobody
     * comes to the next but one before all have left this one. */
    atomic_ullong met_ns[2];
};

static __thread struct region *mine;
static __thread unsigned barriers;         /* that this thread has come to in it */
static __thread bool has_ended;            /* it is behind a region's body, and still does tasks of it */
static __thread atomic_ullong *meeting_ns; /* of the barrier that this thread waits at; NULL: at none */

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
    has_ended = false;
    region->body(region->data);
    mine = outer;
    barriers = before;
    has_ended = !is_master;
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

static void meet(enum entry entry, const void *caller)
{
    struct region *const region = mine;
    barrier_fn *const barrier = (barrier_fn *)real(entry, caller);
    if (!region) {
        if (barrier)
            barrier();
        return;
    }
    atomic_ullong *const met = &region->met_ns[barriers++ % 2], *const outer = meeting_ns;
    umsim_program_clock_enter();
    umsim_program_clock_waits();
    raise_to(met, umsim_clock_now());
    meeting_ns = met;
    barrier();
    meeting_ns = outer;
    umsim_clock_join(atomic_load(met));
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

/* ---- tasks: threads that wait at a barrier run them ----
 *
 * libgomp copies what a task is given, and hands the copy to its body. Here both have a head in front. Of a
 * loop's task it writes the range into the first two words, and reads the third; of one that may be detached
 * it writes the first: so the head begins with a copy of these. */

struct task {
    uint64_t words[3];
    size_t written; /* of these, by libgomp: bytes */
    void (*body)(void *);
    void (*copy)(void *, void *); /* NULL: byte for byte */
    void *given;
    size_t behind; /* the head, bytes: there is the body's own */
    uint64_t made_ns;
    struct region *region; /* NULL: it was made outside of one */
};
_Static_assert(offsetof(struct task, words) == 0, "libgomp takes them for the beginning of what is given");

enum { DETACHABLE = 1 << 13 }; /* GOMP_TASK_FLAG_DETACH of libgomp's interface with GCC */

static void *own_of(struct task *task)
{
    return (char *)task + task->behind;
}

static void copy_task(void *to, void *from)
{
    struct task *const task = to;
    *task = *(struct task *)from;
    memcpy(task->given, task->words, task->written);
    task->copy(own_of(task), task->given);
}

/* The body is the program's own work, wherever the thread that runs it waits. */
static void run_task(void *argument)
{
    struct task *const task = argument;
    atomic_ullong *const met = meeting_ns;
    const bool ended = has_ended, inside = umsim_program_clock_is_inside();
    memcpy(own_of(task), task->words, task->written);
    umsim_clock_join(task->made_ns);
    if (ended)
        umsim_program_clock_thread_works();
    const struct umsim_host_code code =
        inside ? umsim_program_clock_host_begin() : (struct umsim_host_code){0};
    meeting_ns = NULL;
    has_ended = false;
    task->body(own_of(task));
    meeting_ns = met;
    has_ended = ended;
    if (inside)
        umsim_program_clock_host_end(code);
    if (ended)
        umsim_program_clock_thread_idles();
    if (met)
        raise_to(met, umsim_clock_now());
    if (task->region)
        raise_to(&task->region->end_ns, umsim_clock_now());
}

static size_t round_up(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

static size_t alignment_of_task(long alignment)
{
    return alignment > (long)_Alignof(struct task) ? (size_t)alignment : _Alignof(struct task);
}

/* Bytes for a task, and for where it begins in memory of no alignment. */
static size_t space_of(long bytes, size_t alignment)
{
    return round_up(sizeof(struct task), alignment) + (size_t)bytes + alignment;
}

static struct task *make_task(void *memory, void (*body)(void *), void *given, void (*copy)(void *, void *),
                              long bytes, size_t alignment, int words)
{
    struct task *const task = (struct task *)round_up((uintptr_t)memory, alignment);
    const size_t written = (size_t)words * sizeof *task->words;
    *task = (struct task){.written = written < (size_t)bytes ? written : (size_t)bytes,
                          .body = body,
                          .copy = copy,
                          .given = given,
                          .behind = round_up(sizeof *task, alignment),
                          .made_ns = umsim_clock_now(),
                          .region = mine};
    if (!bytes) /* then there is nothing given */
        return task;
    memcpy(task->words, given, (size_t)bytes < sizeof task->words ? (size_t)bytes : sizeof task->words);
    if (!copy)
        memcpy(own_of(task), given, (size_t)bytes);
    return task;
}

task_fn GOMP_task;
void GOMP_task(void (*body)(void *), void *given, void (*copy)(void *, void *), long bytes, long alignment,
               bool if_clause, unsigned flags, void **depends, int priority, void *detach)
{
    task_fn *const make = (task_fn *)needed(TASK, body);
    const size_t aligned = alignment_of_task(alignment);
    char memory[space_of(bytes, aligned)];
    struct task *const task =
        make_task(memory, body, given, copy, bytes, aligned, flags & DETACHABLE ? 1 : 0);
    make(run_task, task, copy ? copy_task : NULL, (long)(task->behind + (size_t)bytes), (long)aligned,
         if_clause, flags, depends, priority, detach);
}

taskloop_fn GOMP_taskloop;
void GOMP_taskloop(void (*body)(void *), void *given, void (*copy)(void *, void *), long bytes,
                   long alignment, unsigned flags, unsigned long tasks, int priority, long start, long end,
                   long step)
{
    taskloop_fn *const make = (taskloop_fn *)needed(TASKLOOP, body);
    const size_t aligned = alignment_of_task(alignment);
    char memory[space_of(bytes, aligned)];
    struct task *const task = make_task(memory, body, given, copy, bytes, aligned, 2);
    make(run_task, task, copy ? copy_task : NULL, (long)(task->behind + (size_t)bytes), (long)aligned, flags,
         tasks, priority, start, end, step);
}

taskloop_ull_fn GOMP_taskloop_ull;
void GOMP_taskloop_ull(void (*body)(void *), void *given, void (*copy)(void *, void *), long bytes,
                       long alignment, unsigned flags, unsigned long tasks, int priority,
                       unsigned long long start, unsigned long long end, unsigned long long step)
{
    taskloop_ull_fn *const make = (taskloop_ull_fn *)needed(TASKLOOP_ULL, body);
    const size_t aligned = alignment_of_task(alignment);
    char memory[space_of(bytes, aligned)];
    struct task *const task = make_task(memory, body, given, copy, bytes, aligned, 2);
    make(run_task, task, copy ? copy_task : NULL, (long)(task->behind + (size_t)bytes), (long)aligned, flags,
         tasks, priority, start, end, step);
}
