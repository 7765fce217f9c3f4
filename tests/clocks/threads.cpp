/**
 * @file threads.cpp
 * @brief Cases with several threads, and waits with deadlines.
 */
#include "clocks.h"

#include <atomic>
#include <condition_variable>
#include <errno.h>
#include <future>
#include <mqueue.h>
#include <mutex>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

using std::chrono::milliseconds;

static long long now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static struct timespec in_ms(clockid_t clock, int ms)
{
    const long long ns = now_ns(clock) + ms * 1000000LL;
    struct timespec result;
    result.tv_sec = ns / 1000000000;
    result.tv_nsec = ns % 1000000000;
    return result;
}

/* ---- a second thread ---- */

/* Another thread works on the GPU, chrono and events of it agree, while this one does `meanwhile`. */
template <typename Work> static void beside_gpu(const char *what, Work meanwhile)
{
    std::atomic<bool> done{false};
    std::thread other([&] {
        for (int i = 0; i < 5; i++) {
            const double began = chrono_ms(), events = gpu_ms(200), took = chrono_ms() - began;
            printf("beside %s: events %.3f ms, chrono %.3f\n", what, events, took);
            CHECK(agree(took, events), "beside %s: chrono tells %.3f ms, events %.3f", what, took, events);
        }
        done = true;
    });
    while (!done)
        meanwhile();
    other.join();
}

static void beside_sleepers(void)
{
    beside_gpu("a sleep", [] {
        const double began = chrono_ms();
        std::this_thread::sleep_for(milliseconds(5));
        CHECK(chrono_ms() - began > 4.99, "a sleep of 5 ms took %.3f", chrono_ms() - began);
    });
    beside_gpu("a condition", [] {
        std::mutex mutex;
        std::condition_variable condition;
        std::unique_lock<std::mutex> lock(mutex);
        const double began = chrono_ms();
        condition.wait_for(lock, milliseconds(5), [] { return false; });
        CHECK(chrono_ms() - began > 4.99, "a wait of 5 ms took %.3f", chrono_ms() - began);
    });
    beside_gpu("a lock that is taken", [] {
        std::timed_mutex mutex;
        mutex.lock();
        std::thread([&] { mutex.try_lock_for(milliseconds(5)); }).join();
    });
}

/* A thread that works beside the simulator's work: its own loops take what its processor time tells. */
static void beside_worker(void)
{
    std::atomic<bool> done{false};
    double total = 0, processor = 0;
    std::thread other([&] {
        for (int i = 0; i < 3; i++)
            gpu_ms(200);
        done = true;
    });
    while (!done) {
        struct timespec from, to;
        const double began = chrono_ms();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        volatile double sum = 0;
        for (int i = 0; i < 1000000; i++)
            sum = sum + i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        const double took = chrono_ms() - began;
        const double used = (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6;
        CHECK(took > 0.95 * used - 0.05, "a loop of %.3f ms processor time took %.3f", used, took);
        total += took;
        processor += used;
    }
    other.join();
    printf("loops: chrono %.3f ms, processor time %.3f\n", total, processor);
}

static void never_back(void)
{
    std::atomic<long long> latest{0};
    std::atomic<long> reads{0}, back{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] {
            const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE};
            for (long n = 0; !done || n < 400000; n++) {
                const long long before = latest, now = now_ns(clocks[n & 1]);
                back += now < before;
                for (long long seen = latest; seen < now && !latest.compare_exchange_weak(seen, now);)
                    ;
                reads++;
            }
        });
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&] {
            for (int n = 0; n < 10; n++) {
                gpu_ms(3);
                const long long before = latest, now = now_ns(CLOCK_MONOTONIC);
                back += now < before;
            }
        });
    threads[3].join();
    threads[4].join();
    done = true;
    for (int i = 0; i < 3; i++)
        threads[i].join();
    printf("%ld reads\n", reads.load());
    CHECK(back == 0, "%ld of %ld reads were earlier than one before", back.load(), reads.load());
}

/* ---- deadlines ---- */

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, free_one = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t held_rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, monotonic_condition;
static pthread_t sleeper;

static int until_condition(const struct timespec *t)
{
    pthread_mutex_lock(&free_one);
    const int error = pthread_cond_timedwait(&condition, &free_one, t);
    pthread_mutex_unlock(&free_one);
    return error;
}

static int until_monotonic_condition(const struct timespec *t)
{
    pthread_mutex_lock(&free_one);
    const int error = pthread_cond_timedwait(&monotonic_condition, &free_one, t);
    pthread_mutex_unlock(&free_one);
    return error;
}

static int until_clocked_condition(const struct timespec *t)
{
    pthread_mutex_lock(&free_one);
    const int error = pthread_cond_clockwait(&condition, &free_one, CLOCK_MONOTONIC, t);
    pthread_mutex_unlock(&free_one);
    return error;
}

static int until_timer(const struct timespec *t)
{
    struct itimerspec value = {{0, 0}, *t};
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    unsigned long long times = 0;
    timerfd_settime(file, TFD_TIMER_ABSTIME, &value, NULL);
    const long got = read(file, &times, sizeof times);
    close(file);
    return got == sizeof times ? ETIMEDOUT : EINVAL;
}

static int until_future(const struct timespec *t)
{
    static std::promise<int> promise;
    static std::future<int> future = promise.get_future();
    using namespace std::chrono;
    const system_clock::time_point until(
        duration_cast<system_clock::duration>(seconds(t->tv_sec) + nanoseconds(t->tv_nsec)));
    return future.wait_until(until) == std::future_status::timeout ? ETIMEDOUT : 0;
}

static const struct {
    const char *name;
    clockid_t clock;
    int (*wait)(const struct timespec *until);
} waits[] = {
    {"pthread_cond_timedwait", CLOCK_REALTIME, until_condition},
    {"pthread_cond_timedwait, monotonic", CLOCK_MONOTONIC, until_monotonic_condition},
    {"pthread_cond_clockwait", CLOCK_MONOTONIC, until_clocked_condition},
    {"pthread_mutex_timedlock", CLOCK_REALTIME,
     [](const struct timespec *t) { return pthread_mutex_timedlock(&held, t); }},
    {"pthread_mutex_clocklock", CLOCK_MONOTONIC,
     [](const struct timespec *t) { return pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, t); }},
    {"pthread_rwlock_timedrdlock", CLOCK_REALTIME,
     [](const struct timespec *t) { return pthread_rwlock_timedrdlock(&held_rw, t); }},
    {"pthread_rwlock_timedwrlock", CLOCK_REALTIME,
     [](const struct timespec *t) { return pthread_rwlock_timedwrlock(&held_rw, t); }},
    {"pthread_rwlock_clockwrlock", CLOCK_MONOTONIC,
     [](const struct timespec *t) { return pthread_rwlock_clockwrlock(&held_rw, CLOCK_MONOTONIC, t); }},
    {"sem_timedwait", CLOCK_REALTIME,
     [](const struct timespec *t) { return sem_timedwait(&semaphore, t) ? errno : 0; }},
    {"sem_clockwait", CLOCK_MONOTONIC,
     [](const struct timespec *t) { return sem_clockwait(&semaphore, CLOCK_MONOTONIC, t) ? errno : 0; }},
    {"pthread_timedjoin_np", CLOCK_REALTIME,
     [](const struct timespec *t) { return pthread_timedjoin_np(sleeper, NULL, t); }},
    {"clock_nanosleep", CLOCK_MONOTONIC,
     [](const struct timespec *t) {
         return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, t, NULL) ? EINVAL : ETIMEDOUT;
     }},
    {"clock_nanosleep, time of day", CLOCK_REALTIME,
     [](const struct timespec *t) {
         return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, t, NULL) ? EINVAL : ETIMEDOUT;
     }},
    {"timerfd_settime", CLOCK_MONOTONIC, until_timer},
    {"std::future::wait_until", CLOCK_REALTIME, until_future},
};

static void make_objects(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonic_condition, &attributes);
    sem_init(&semaphore, 0, 0);
}

static void start_waits(void)
{
    make_objects();
    std::thread([] {
        pthread_mutex_lock(&held);
        pthread_rwlock_wrlock(&held_rw);
    }).join();
    pthread_create(
        &sleeper, NULL,
        [](void *) -> void * {
            for (;;)
                pause();
        },
        NULL);
}

/* Waits until 50 ms from now end no earlier, and not much later: a skew of seconds would show. */
static void wait_until_each(bool (*takes_part)(const char *name))
{
    for (const auto &wait : waits) {
        if (!takes_part(wait.name))
            continue;
        const struct timespec until = in_ms(wait.clock, 50);
        const double began = chrono_ms();
        const int error = wait.wait(&until);
        const double took = chrono_ms() - began;
        const long long early = until.tv_sec * 1000000000LL + until.tv_nsec - now_ns(wait.clock);
        printf("%-36s %.3f ms\n", wait.name, took);
        CHECK(error == ETIMEDOUT, "%s: error %d", wait.name, error);
        CHECK(early <= 1000, "%s ended %lld ns too early", wait.name, early);
        CHECK(took < 1000, "%s took %.3f ms instead of 50", wait.name, took);
    }
}

static void deadlines(void)
{
    start_waits();
    gpu_ms(400); /* now the clock is far behind the real one */
    wait_until_each([](const char *) { return true; });
}

/* A program of one thread: nobody can hold a lock against it, or be joined. */
static void deadlines_alone(void)
{
    make_objects();
    gpu_ms(400);
    wait_until_each([](const char *name) {
        return !strstr(name, "mutex_") && !strstr(name, "rwlock") && !strstr(name, "join");
    });
}

static void deadlines_beside_gpu(void)
{
    std::atomic<bool> done{false};
    start_waits();
    std::thread other([&] {
        while (!done) {
            gpu_ms(2);
            work_of_ms(1); /* so that the clock gets there soon on a busy machine, too */
        }
    });
    /* a timer is converted when it is set */
    wait_until_each([](const char *name) { return !strstr(name, "timerfd"); });
    done = true;
    other.join();
}

/* A leap of the clock ends a wait whose deadline it passes: nobody waits for ten minutes here. */
static void leaps_end_waits(void)
{
    std::mutex mutex;
    std::condition_variable for_nobody;
    double waited = 0, slept = 0;
    std::atomic<int> begun{0};
    const time_t real = time(NULL);
    std::thread waiter([&] {
        std::unique_lock<std::mutex> lock(mutex);
        const double from = chrono_ms();
        begun++;
        for_nobody.wait_for(lock, std::chrono::seconds(600), [] { return false; });
        waited = chrono_ms() - from;
    });
    std::thread one_that_sleeps([&] {
        const double from = chrono_ms();
        begun++;
        std::this_thread::sleep_for(std::chrono::seconds(600));
        slept = chrono_ms() - from;
    });
    while (begun < 2)
        std::this_thread::yield();
    std::this_thread::sleep_for(milliseconds(20));
    work_of_ms(700e3);
    waiter.join();
    one_that_sleeps.join();
    CHECK(waited >= 600e3 && slept >= 600e3, "waits for 600 s took %.3f and %.3f ms", waited, slept);
    CHECK(time(NULL) - real < 300, "they took %ld s in real time", (long)(time(NULL) - real));
}

/* ---- signals, forks, cancelling ---- */

static volatile sig_atomic_t handled, handled_back;
static volatile long long last_handled;

static void on_timer(int)
{
    const int error = errno;
    const long long now = now_ns(CLOCK_MONOTONIC);
    handled_back += now < last_handled;
    last_handled = now;
    handled++;
    errno = error;
}

static void in_handlers(void)
{
    struct sigaction action = {};
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval each = {{0, 300}, {0, 300}}, none = {};
    setitimer(ITIMER_REAL, &each, NULL);
    for (int i = 0; i < 10; i++) {
        gpu_ms(20);
        for (int n = 0; n < 20000; n++)
            now_ns(CLOCK_REALTIME);
    }
    setitimer(ITIMER_REAL, &none, NULL);
    printf("%d handlers\n", (int)handled);
    CHECK(handled > 10 && handled_back == 0, "of %d handlers %d read an earlier time", (int)handled,
          (int)handled_back);
}

static void in_children(void)
{
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done)
            gpu_ms(5);
    });
    for (int i = 0; i < 20; i++) {
        const double before = chrono_ms();
        const pid_t child = fork();
        if (child == 0) {
            const double began = chrono_ms();
            std::this_thread::sleep_for(milliseconds(2));
            volatile double sum = 0;
            for (int n = 0; n < 10000; n++)
                sum = sum + n;
            const double took = chrono_ms() - began;
            _exit(began < before ? 3 : took < 1.99 ? 4 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(status == 0, "a child ended with %d: its clock went back, or stood still", status >> 8);
    }
    done = true;
    other.join();
}

static void cancelled(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(
            &thread, NULL,
            [](void *) -> void * {
                for (;;) {
                    gpu_ms(2);
                }
            },
            NULL);
        std::this_thread::sleep_for(milliseconds(i % 4));
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        const double began = chrono_ms(), events = gpu_ms(20), took = chrono_ms() - began;
        CHECK(agree(took, events), "after a cancelled thread: chrono %.3f ms, events %.3f", took, events);
    }
}

#ifdef _OPENMP
static void beside_team(void)
{
    static double sums[64];
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 64; i++)
            for (int n = 0; n < 20000; n++)
                sums[i] += n;
        const double began = chrono_ms(), events = gpu_ms(400), took = chrono_ms() - began;
        printf("events %.3f ms, chrono %.3f\n", events, took);
        CHECK(agree(took, events), "behind a parallel loop: chrono %.3f ms, events %.3f", took, events);
    }
}
#endif

#ifdef _OPENMP
/* One waits for the GPU, the other at a barrier: how long the system takes to wake it is not the program's.
 */
static void team_barriers(void)
{
    const double began = chrono_ms();
    double events = 0, worked = 0;
#pragma omp parallel num_threads(2)
    for (int round = 0; round < 10; round++) {
        if (omp_get_thread_num() == round % 2) {
            const double took = gpu_ms(400);
#pragma omp atomic
            events += took;
        }
#pragma omp barrier
    }
    const double took = chrono_ms() - began;
    printf("events %.3f ms, chrono %.3f\n", events, took);
    /* The system's delays between two barriers count, as they would on a GPU's host. */
    CHECK(took > 0.95 * events && took < 2 * events, "at barriers: chrono %.3f ms, events %.3f", took,
          events);
    const double again = chrono_ms();
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            const double start = chrono_ms();
            while (chrono_ms() - start < 30)
                ;
            worked = chrono_ms() - start;
        }
#pragma omp barrier
    }
    CHECK(chrono_ms() - again >= worked, "work before a barrier: %.3f ms, chrono %.3f", worked,
          chrono_ms() - again);
}
#endif

const struct test_case thread_cases[] = {
    {"beside sleepers", beside_sleepers},         {"beside a worker", beside_worker},
    {"the clock never goes back", never_back},    {"deadlines", deadlines},
    {"deadlines of one thread", deadlines_alone}, {"deadlines beside the GPU's work", deadlines_beside_gpu},
    {"leaps end waits", leaps_end_waits},         {"handlers read clocks", in_handlers},
    {"children have clocks", in_children},        {"threads are cancelled", cancelled},
#ifdef _OPENMP
    {"behind a parallel loop", beside_team},      {"at barriers of a team", team_barriers},
#endif
};
const int thread_case_count = sizeof thread_cases / sizeof thread_cases[0];
