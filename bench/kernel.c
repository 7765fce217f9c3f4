/**
 * @file kernel.c
 * @brief How fast kernels really run, beside plain C loops over the same arrays with as many threads.
 *
 * Bytes counted: two reads and a write of each element. The number of workers is fixed at the simulator's start, so
 * each configuration is measured in a child.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "kernels.h"

enum { N = 16 << 20, THREADS_MAX = 64 };

struct result {
    double add, saxpy, loop_add, loop_saxpy;
};

struct part {
    pthread_t thread;
    float *c;
    const float *a, *b;
    size_t n;
    int saxpy;
};

/* As the kernels are compiled: gcc's -O2 vectorises little. */
__attribute__((optimize("O3"))) static void *loop(void *argument)
{
    struct part *part = argument;
    float *restrict c = part->c;
    const float *restrict a = part->a, *restrict b = part->b;
    if (part->saxpy)
        for (size_t i = 0; i < part->n; i++)
            c[i] = 2 * a[i] + c[i];
    else
        for (size_t i = 0; i < part->n; i++)
            c[i] = a[i] + b[i];
    return NULL;
}

static double gbs(double us)
{
    return 3.0 * N * sizeof(float) / us / 1e3;
}

static double loop_gbs(float *c, const float *a, const float *b, unsigned threads, int saxpy)
{
    static struct part parts[THREADS_MAX];
    double start = bench_now_us();
    for (unsigned t = 0; t < threads; t++) {
        size_t first = (size_t)N / threads * t, last = t + 1 == threads ? N : (size_t)N / threads * (t + 1);
        parts[t] = (struct part){0, c + first, a + first, b + first, last - first, saxpy};
        if (t + 1 < threads)
            pthread_create(&parts[t].thread, NULL, loop, &parts[t]);
        else
            loop(&parts[t]);
    }
    for (unsigned t = 0; t + 1 < threads; t++)
        pthread_join(parts[t].thread, NULL);
    return gbs(bench_now_us() - start);
}

static double add_gbs(float *c, const float *a, const float *b)
{
    double start = bench_now_us();
    BENCH_NEED(um_vector_add(c, a, b, N, 0));
    BENCH_NEED(cudaDeviceSynchronize());
    return gbs(bench_now_us() - start);
}

static double saxpy_gbs(float *y, const float *x)
{
    double start = bench_now_us();
    BENCH_NEED(um_saxpy(y, 2, x, N, 0));
    BENCH_NEED(cudaDeviceSynchronize());
    return gbs(bench_now_us() - start);
}

static float *host_array(float value)
{
    float *p = mmap(NULL, N * sizeof *p, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    for (size_t i = 0; i < N; i++)
        p[i] = value;
    return p;
}

static float *device_array(const float *host)
{
    float *p;
    BENCH_NEED(cudaMalloc((void **)&p, N * sizeof *p));
    BENCH_NEED(cudaMemcpy(p, host, N * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}

static void measure(unsigned threads, struct result *result)
{
    static double figure[4][BENCH_RUNS];
    char setting[16];
    snprintf(setting, sizeof setting, "%u", threads);
    setenv("UMSIM_THREADS", setting, 1);
    float *a = host_array(1), *b = host_array(2), *c = host_array(0);
    float *d_a = device_array(a), *d_b = device_array(b), *d_c = device_array(c);
    add_gbs(d_c, d_a, d_b);
    for (int i = 0; i < BENCH_RUNS; i++) {
        figure[0][i] = add_gbs(d_c, d_a, d_b);
        figure[1][i] = loop_gbs(c, a, b, threads, 0);
        figure[2][i] = saxpy_gbs(d_c, d_a);
        figure[3][i] = loop_gbs(c, a, b, threads, 1);
    }
    float check = 0;
    BENCH_NEED(cudaMemcpy(&check, d_c + N - 1, sizeof check, cudaMemcpyDeviceToHost));
    if (check != c[N - 1])
        exit(1);
    result->add = bench_median(figure[0], BENCH_RUNS);
    result->loop_add = bench_median(figure[1], BENCH_RUNS);
    result->saxpy = bench_median(figure[2], BENCH_RUNS);
    result->loop_saxpy = bench_median(figure[3], BENCH_RUNS);
}

static void measure_in_a_child(unsigned threads, struct result *result)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        measure(threads, result);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "the measurement with %u threads failed\n", threads);
        exit(1);
    }
}

static void print(unsigned threads, const struct result *result)
{
    char add[64], saxpy[64];
    const char *s = threads == 1 ? "" : "s";
    snprintf(add, sizeof add, "vector_add, %u worker%s", threads, s);
    snprintf(saxpy, sizeof saxpy, "saxpy, %u worker%s", threads, s);
    struct bench_row rows[] = {
        {add, "GB/s", result->add, result->loop_add, "a C loop, as many threads", 0, 0, 1},
        {saxpy, "GB/s", result->saxpy, result->loop_saxpy, "a C loop, as many threads", 0, 0, 1},
    };
    bench_print(&rows[0]);
    bench_print(&rows[1]);
}

int main(void)
{
    bench_simulator_only();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct result *result =
        mmap(NULL, 2 * sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned threads = cores > THREADS_MAX ? THREADS_MAX : (unsigned)cores;
    measure_in_a_child(1, &result[0]);
    print(1, &result[0]);
    if (threads < 2)
        return 0;
    measure_in_a_child(threads, &result[1]);
    print(threads, &result[1]);
    return 0;
}
