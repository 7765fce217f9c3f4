/**
 * @file library_team.c
 * @brief A library with a team of threads; only it needs libgomp.
 */
#include <omp.h>
#include <time.h>

/** @return 10: each of four threads adds its number and, behind a barrier, 1 */
int team_barrier(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        sum += omp_get_thread_num();
#pragma omp barrier
        sum++;
    }
    return sum;
}

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/** @return 8: so many tasks have each waited until the clock has gone on by 1 ms; all but the thread that
 * made them run them at the barrier behind, where nobody else has anything to do */
int team_taskloop(void)
{
    int tasks = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(1) shared(tasks)
    for (unsigned long long i = 0; i < 8; i++) {
        const long long began = now_ns();
        while (now_ns() - began < 1000000)
            ;
#pragma omp atomic
        tasks++;
    }
    return tasks;
}
