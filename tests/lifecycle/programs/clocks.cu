/**
 * @file clocks.cu
 * @brief How virtual time goes from host thread to host thread. Prints times; the test compares runs.
 *
 * Exit 0 when all of it holds; else 1, and what did not.
 */
#include "../../programs/need.h"

#include <umsim.h>

#include <pthread.h>
#include <semaphore.h>
#include <thread>
#include <vector>

enum { MICROSECOND = 1000, MILLISECOND = 1000000 };

static void a_thread_starts_at_its_creators_time()
{
    sem_t go;
    uint64_t created, seen = 0, end = 0;
    sem_init(&go, 0, 0);
    created = umsim_time_ns();
    std::thread thread([&] {
        sem_wait(&go);
        seen = umsim_time_ns();
        void *p;
        NEED(cudaMalloc(&p, 4096));
        NEED(cudaFree(p));
        end = umsim_time_ns();
    });
    umsim_host_work_ns(50 * MILLISECOND);
    const uint64_t far = umsim_time_ns();
    sem_post(&go);
    thread.join();
    HOLDS(seen == created, "created at %llu, started at %llu", (unsigned long long)created,
          (unsigned long long)seen);
    HOLDS(end > seen && end < far && umsim_time_ns() == far, "ended at %llu", (unsigned long long)end);

    uint64_t late = 0;
    std::thread([&] { umsim_host_work_ns(7 * MILLISECOND), late = umsim_time_ns(); }).join();
    HOLDS(late == far + 7 * MILLISECOND && umsim_time_ns() == late, "%llu", (unsigned long long)late);
}

/* Each with a stream of its own, none in another's way: no matter who runs when, each takes as long. */
static void four_at_once()
{
    enum { THREADS = 4, ROUNDS = 50 };
    uint64_t start = umsim_time_ns(), end[THREADS];
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            cudaStream_t stream;
            cudaEvent_t event;
            NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            NEED(cudaEventCreate(&event));
            for (int round = 0; round < ROUNDS; round++) {
                NEED(cudaEventRecord(event, stream));
                NEED(cudaEventSynchronize(event));
                umsim_host_work_ns(10 * MICROSECOND);
            }
            NEED(cudaStreamSynchronize(stream));
            end[t] = umsim_time_ns();
        });
    for (std::thread &thread : threads)
        thread.join();
    for (int t = 0; t < THREADS; t++) {
        HOLDS(end[t] == end[0], "thread %d ended at %llu, the first at %llu", t, (unsigned long long)end[t],
              (unsigned long long)end[0]);
        HOLDS(end[t] >= start + ROUNDS * 10 * MICROSECOND, "%llu", (unsigned long long)end[t]);
    }
    HOLDS(umsim_time_ns() == end[0], "joined at %llu", (unsigned long long)umsim_time_ns());
    printf("four at once: %llu\n", (unsigned long long)(end[0] - start));
}

static void *by_pthread_exit(void *)
{
    umsim_host_work_ns(MILLISECOND);
    pthread_exit(NULL);
}

static void *waits(void *go)
{
    umsim_host_work_ns(MILLISECOND);
    sem_post((sem_t *)go);
    for (;;)
        std::this_thread::sleep_for(std::chrono::seconds(1));
}

static void threads_that_end_otherwise()
{
    pthread_t thread;
    sem_t go;
    uint64_t start = umsim_time_ns();
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, by_pthread_exit, NULL);
    pthread_join(thread, NULL);
    HOLDS(umsim_time_ns() == start + MILLISECOND, "pthread_exit()");
#ifndef __SANITIZE_ADDRESS__ /* it takes a cancelled thread's stack for misused */
    pthread_create(&thread, NULL, waits, &go);
    sem_wait(&go);
    pthread_cancel(thread);
    while (pthread_tryjoin_np(thread, NULL) != 0)
        std::this_thread::yield();
    HOLDS(umsim_time_ns() == start + 2 * MILLISECOND, "a cancelled thread worked as long");
#else
    (void)waits;
#endif
}

/* More than are watched at a time, joined and not. */
static void thousands()
{
    sem_t ended;
    sem_init(&ended, 0, 0);
    for (int i = 0; i < 3000; i++) {
        uint64_t start = umsim_time_ns();
        std::thread joined([] { umsim_host_work_ns(MICROSECOND); });
        std::thread([&] { umsim_host_work_ns(MILLISECOND), sem_post(&ended); }).detach();
        sem_wait(&ended);
        joined.join();
        HOLDS(umsim_time_ns() == start + MICROSECOND, "thread %d", i);
    }
}

int main()
{
    /* The first call is made by whoever comes first; all have waited for it. */
    uint64_t first[4];
    std::vector<std::thread> threads;
    for (uint64_t &time : first)
        threads.emplace_back([&time] {
            NEED(cudaFree(NULL));
            time = umsim_time_ns();
        });
    for (std::thread &thread : threads)
        thread.join();
    HOLDS(first[0] && first[1] == first[0] && first[2] == first[0] && first[3] == first[0], "%llu %llu",
          (unsigned long long)first[0], (unsigned long long)first[1]);
    a_thread_starts_at_its_creators_time();
    four_at_once();
    threads_that_end_otherwise();
    thousands();
    printf("end: %llu\n", (unsigned long long)umsim_time_ns());
    return 0;
}
