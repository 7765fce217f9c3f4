/**
 * @file host.c
 * @brief Filling, stamping and checking host memory with several threads: one alone would take most of the
 * run's time.
 */
#include "gpu.h"

#include <pthread.h>

enum { THREADS_MAX = 16, WORDS_A_PAGE = GPU_PAGE / sizeof(double) };

struct part {
    pthread_t thread;
    double *p;
    size_t first, last; /* words, or pages */
    uint64_t seed;      /* or the stamp */
    size_t wrong;
};

static void *fill(void *argument)
{
    const struct part *part = argument;
    for (size_t i = part->first; i < part->last; i++)
        part->p[i] = gpu_value(part->seed, i);
    return NULL;
}

static void *check(void *argument)
{
    struct part *part = argument;
    for (size_t i = part->first; i < part->last; i++)
        part->wrong += part->p[i] != gpu_value(part->seed, i);
    return NULL;
}

/* Volatile: what is asked for is the access. */
static void *stamp(void *argument)
{
    const struct part *part = argument;
    volatile double *p = part->p;
    for (size_t i = part->first; i < part->last; i++)
        p[i * WORDS_A_PAGE] = gpu_stamp_value((uint32_t)part->seed, i);
    return NULL;
}

static void *check_stamp(void *argument)
{
    struct part *part = argument;
    const volatile double *p = part->p;
    for (size_t i = part->first; i < part->last; i++)
        part->wrong += p[i * WORDS_A_PAGE] != gpu_stamp_value((uint32_t)part->seed, i);
    return NULL;
}

/* Deals `n` out in equal parts, consecutive ones. @return the sum of what was wrong */
static size_t deal(void *(*work)(void *), double *p, size_t n, uint64_t seed, int threads)
{
    struct part parts[THREADS_MAX];
    const size_t count = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : (size_t)threads;
    size_t started = 1, wrong = 0;
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct part){.p = p, .first = n * i / count, .last = n * (i + 1) / count, .seed = seed};
    while (started < count && pthread_create(&parts[started].thread, NULL, work, &parts[started]) == 0)
        started++;
    work(&parts[0]);
    for (size_t i = started; i < count; i++)
        work(&parts[i]);
    for (size_t i = 1; i < started; i++)
        pthread_join(parts[i].thread, NULL);
    for (size_t i = 0; i < count; i++)
        wrong += parts[i].wrong;
    return wrong;
}

void gpu_host_fill(const struct gpu_run *run, double *p, size_t words, uint64_t seed)
{
    (void)deal(fill, p, words, seed, run->threads);
}

size_t gpu_host_wrong(const struct gpu_run *run, const double *p, size_t words, uint64_t seed)
{
    return deal(check, (double *)p, words, seed, run->threads);
}

void gpu_host_stamp(double *p, size_t bytes, uint32_t value, int threads)
{
    (void)deal(stamp, p, bytes / GPU_PAGE, value, threads);
}

size_t gpu_host_unstamped(const double *p, size_t bytes, uint32_t value, int threads)
{
    return deal(check_stamp, (double *)p, bytes / GPU_PAGE, value, threads);
}
