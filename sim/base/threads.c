/**
 * @file threads.c
 * @brief Passes virtual time from thread to thread, when host threads are created and joined.
 *
 * A new thread of the host starts at its creator's time, and a thread that joins it continues no earlier than
 * it ended. (OpenMP's threads: team.c.)
 *
 * To see this, the simulator wraps pthread_create() and related functions, and C++'s threads. The wrappers
 * take effect in programs that are linked with the simulator (see base/libc.h). Some things are not seen:
 * C11's threads; any other way in which threads wait for each other (mutexes, conditions). A thread whose
 * creation was not seen starts at the latest time that any thread has reached.
 */
#include "clock.h"
#include "deadline.h"
#include "libc.h"
#include "processes.h"
#include "program_clock.h"
#include "program_threads.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/**
 * How many threads are tracked at a time. Further threads start at the latest time, and joining them passes
 * no time on.
 */
#define THREADS_MAX 1024

/* An entry becomes free again when its thread has ended, its creator has finished with it, and it was joined
 * or detached. */
enum { FREE = 0, TAKEN = 1, CREATED = 2, ENDED = 4, LET_GO = 8, ALL = 15 };

struct thread {
    atomic_int state;
    atomic_bool named;
    _Atomic(pthread_t) id; /* written by two threads, the same */
    void *(*run)(void *);
    void *argument;
    bool is_own; /* the simulator's */
    uint64_t start_ns, end_ns;
};

static struct thread threads[THREADS_MAX];
static pthread_key_t own_entry;
static bool has_key;
static void at_end(void *thread);

static struct {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
    int (*try_join)(pthread_t, void **);
    int (*timed_join)(pthread_t, void **, const struct timespec *);
    int (*detach)(pthread_t);
    __attribute__((noreturn)) void (*exit)(void *);
    __attribute__((noreturn)) void (*exit_c11)(int);
} real;

__attribute__((constructor)) static void look_up(void)
{
    if (real.create)
        return;
    *(void **)&real.join = dlsym(RTLD_NEXT, "pthread_join");
    *(void **)&real.try_join = dlsym(RTLD_NEXT, "pthread_tryjoin_np");
    *(void **)&real.timed_join = dlsym(RTLD_NEXT, "pthread_timedjoin_np");
    *(void **)&real.detach = dlsym(RTLD_NEXT, "pthread_detach");
    *(void **)&real.exit = dlsym(RTLD_NEXT, "pthread_exit");
    *(void **)&real.exit_c11 = dlsym(RTLD_NEXT, "thrd_exit");
    has_key = pthread_key_create(&own_entry, at_end) == 0;
    *(void **)&real.create = dlsym(RTLD_NEXT, "pthread_create");
}

static struct thread *take_entry(void)
{
    for (size_t i = 0; i < THREADS_MAX; i++) {
        int state = FREE;
        if (atomic_compare_exchange_strong(&threads[i].state, &state, TAKEN))
            return &threads[i];
    }
    return NULL;
}

static void give_back(struct thread *thread)
{
    atomic_store(&thread->named, false);
    atomic_store(&thread->state, FREE);
}

static void done_with(struct thread *thread, int part)
{
    if ((atomic_fetch_or(&thread->state, part) | part) == ALL)
        give_back(thread);
}

/* Called by the creator and by the thread itself, whichever comes first; from then on the entry can be
 * found. */
static void name(struct thread *thread, pthread_t id)
{
    atomic_store_explicit(&thread->id, id, memory_order_relaxed);
    atomic_store(&thread->named, true);
}

static struct thread *find(pthread_t id)
{
    for (size_t i = 0; i < THREADS_MAX; i++)
        if (atomic_load(&threads[i].named) &&
            pthread_equal(atomic_load_explicit(&threads[i].id, memory_order_relaxed), id))
            return &threads[i];
    return NULL;
}

/* Runs as the destructor of thread-specific data: after a return, pthread_exit() or a cancellation. */
static void at_end(void *argument)
{
    struct thread *thread = argument;
    thread->end_ns = umsim_clock_now();
    umsim_program_clock_thread_ends();
    done_with(thread, ENDED);
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    name(thread, pthread_self());
    umsim_clock_begin(thread->start_ns);
    pthread_setspecific(own_entry, thread);
    if (thread->is_own)
        umsim_program_thread_is_own(true);
    else
        umsim_program_clock_thread_begins();
    return thread->run(thread->argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    int detached = PTHREAD_CREATE_JOINABLE;
    look_up();
    struct thread *thread = has_key && !umsim_in_gpu ? take_entry() : NULL;
    const bool is_own = umsim_program_clock_is_inside();
    if (!is_own)
        umsim_program_threads_come();
    if (!thread)
        return real.create(id, attributes, start, argument);
    thread->is_own = is_own;
    thread->run = start;
    thread->argument = argument;
    thread->start_ns = umsim_clock_now();
    if (attributes)
        pthread_attr_getdetachstate(attributes, &detached);
    int error = real.create(id, attributes, run, thread);
    if (error) {
        give_back(thread);
        return error;
    }
    if (detached == PTHREAD_CREATE_JOINABLE)
        name(thread, *id);
    done_with(thread, detached == PTHREAD_CREATE_JOINABLE ? CREATED : CREATED | LET_GO);
    return 0;
}

static int joined(struct thread *thread, int error)
{
    if (error || !thread)
        return error;
    umsim_clock_join(thread->end_ns);
    done_with(thread, LET_GO);
    return 0;
}

int pthread_join(pthread_t id, void **result)
{
    struct thread *thread = find(id);
    look_up();
    const bool was_busy = umsim_program_clock_thread_idles();
    const int error = real.join(id, result);
    if (was_busy)
        umsim_program_clock_thread_works();
    return joined(thread, error);
}

int pthread_tryjoin_np(pthread_t id, void **result)
{
    struct thread *thread = find(id);
    look_up();
    return joined(thread, real.try_join(id, result));
}

static long timed_join(const struct umsim_until *call, const long *a)
{
    (void)call;
    return real.timed_join((pthread_t)a[0], (void **)a[1], (const struct timespec *)a[2]);
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *limit)
{
    struct thread *thread = find(id);
    look_up();
    const struct umsim_until call = {timed_join,        NULL, {(long)id, (long)result, (long)limit}, 2, -1,
                                     UMSIM_TELLS_ERROR, false};
    return joined(thread, (int)umsim_until(&call));
}

int pthread_detach(pthread_t id)
{
    struct thread *thread = find(id);
    look_up();
    int error = real.detach(id);
    if (!error && thread)
        done_with(thread, LET_GO);
    return error;
}

/* ---- the end of the first thread ---- */

/* A process ends with its last thread, as if that one had called exit(0). The simulator's own thread must not
 * keep it alive once the program's are gone, and the first of these is the one that can go unnoticed. */
static atomic_bool first_thread_exits;

static void note_exit(void)
{
    look_up();
    if (syscall(SYS_gettid) == getpid())
        atomic_store(&first_thread_exits, true);
}

void pthread_exit(void *result)
{
    note_exit();
    real.exit(result);
}

void thrd_exit(int result)
{
    note_exit();
    real.exit_c11(result);
}

/* The first thread stays as a zombie until the last one has ended. It is the one that /proc/self/stat tells
 * of. */
static bool first_thread_is_gone(void)
{
    char text[512];
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : umsim_real_read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    const char *state = strrchr(text, ')');
    return state && strncmp(state, ") Z", 3) == 0;
}

bool umsim_is_last_thread(void)
{
    struct stat tasks; /* has a link for each thread, beside the two of every folder */
    return atomic_load(&first_thread_exits) && stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 4 &&
           first_thread_is_gone();
}
