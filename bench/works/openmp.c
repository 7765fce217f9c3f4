/**
 * @file openmp.c
 * @brief The works of bench/works.cu as one would write them for a processor: loops that the compiler makes
 * vectors of, on all processors.
 */
#include "peers.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void bench_multiply(float *restrict c, const float *restrict a, const float *restrict b, int side)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < side; y++) {
        float *row = c + (size_t)y * side;
        memset(row, 0, side * sizeof *row);
        for (int k = 0; k < side; k++) {
            const float factor = a[(size_t)y * side + k];
            for (int x = 0; x < side; x++)
                row[x] += factor * b[(size_t)k * side + x];
        }
    }
}

/* A block of c stays in the first cache. */
void bench_multiply_tiles(float *restrict c, const float *restrict a, const float *restrict b, int side)
{
    enum { ROWS = 16, COLUMNS = 64, DEPTH = 64 };
#pragma omp parallel for collapse(2) schedule(static)
    for (int y0 = 0; y0 < side; y0 += ROWS)
        for (int x0 = 0; x0 < side; x0 += COLUMNS) {
            float sum[ROWS][COLUMNS] = {{0}};
            for (int k0 = 0; k0 < side; k0 += DEPTH)
                for (int y = 0; y < ROWS; y++)
                    for (int k = k0; k < k0 + DEPTH; k++) {
                        const float factor = a[(size_t)(y0 + y) * side + k];
                        for (int x = 0; x < COLUMNS; x++)
                            sum[y][x] += factor * b[(size_t)k * side + x0 + x];
                    }
            for (int y = 0; y < ROWS; y++)
                memcpy(c + (size_t)(y0 + y) * side + x0, sum[y], sizeof sum[y]);
        }
}

void bench_transpose(float *restrict out, const float *restrict in, int side)
{
    enum { SQUARE = 32 };
#pragma omp parallel for collapse(2) schedule(static)
    for (int y0 = 0; y0 < side; y0 += SQUARE)
        for (int x0 = 0; x0 < side; x0 += SQUARE)
            for (int x = x0; x < x0 + SQUARE; x++)
                for (int y = y0; y < y0 + SQUARE; y++)
                    out[(size_t)x * side + y] = in[(size_t)y * side + x];
}

/* Each thread sums its part, then knows where to begin. */
void bench_scan(int *restrict out, const int *restrict in, int n)
{
    int sums[1024] = {0};
#pragma omp parallel
    {
        const int threads = omp_get_num_threads(), me = omp_get_thread_num();
        const int first = (int)((long)n * me / threads), end = (int)((long)n * (me + 1) / threads);
        int sum = 0;
        for (int i = first; i < end; i++)
            sum += in[i];
        sums[me] = sum;
#pragma omp barrier
        sum = 0;
        for (int i = 0; i < me; i++)
            sum += sums[i];
        for (int i = first; i < end; i++) {
            const int next = in[i];
            out[i] = sum;
            sum += next;
        }
    }
}

float bench_sum(const float *a, int n)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static inline float normal(float d)
{
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float c =
        0.39894228f * expf(-0.5f * d * d) * k *
        (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0 ? 1 - c : c;
}

void bench_black_scholes(float *restrict calls, float *restrict puts, const float *restrict price,
                         const float *restrict strike, const float *restrict years, float rate,
                         float volatility, int n)
{
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; i++) {
        const float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        const float d2 = d1 - volatility * root, c1 = normal(d1), c2 = normal(d2);
        const float later = x * expf(-rate * t);
        calls[i] = s * c1 - later * c2;
        puts[i] = later * (1 - c2) - s * (1 - c1);
    }
}

/* Four counts a thread: the same value twice in a row need not wait for itself. */
void bench_histogram(unsigned *total, const unsigned char *data, int n)
{
#pragma omp parallel
    {
        unsigned part[4][256] = {{0}};
#pragma omp for schedule(static)
        for (int i = 0; i < n / 4; i++)
            for (int j = 0; j < 4; j++)
                part[j][data[4 * i + j]]++;
#pragma omp critical
        for (int i = 0; i < 256; i++)
            total[i] += part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
    for (int i = n / 4 * 4; i < n; i++)
        total[data[i]]++;
}

void bench_attract(struct bench_body *restrict acceleration, const struct bench_body *restrict body, int n)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        const struct bench_body me = body[i];
        float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
        for (int j = 0; j < n; j++) {
            const float dx = body[j].x - me.x, dy = body[j].y - me.y, dz = body[j].z - me.z;
            const float near = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
            const float pull = body[j].mass * near * near * near;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        acceleration[i] = (struct bench_body){x, y, z, 0};
    }
}

void bench_stencil(float *restrict out, const float *restrict in, int width, int height)
{
#pragma omp parallel for schedule(static)
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const float *at = in + (size_t)y * width + x;
            out[(size_t)y * width + x] = 0.2f * (at[0] + at[-1] + at[1] + at[-width] + at[width]);
        }
}

void bench_bitonic(unsigned *key, unsigned n)
{
    for (unsigned run = 2; run <= n; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
#pragma omp parallel for schedule(static)
            for (unsigned i = 0; i < n; i++) {
                const unsigned other = i ^ distance;
                if (other > i && ((i & run) == 0 ? key[i] > key[other] : key[i] < key[other])) {
                    const unsigned was = key[i];
                    key[i] = key[other];
                    key[other] = was;
                }
            }
        }
}

/* Stable by 8 bits: each thread counts its part, and then knows where each of its values goes. */
static void sort_digit(unsigned *restrict to, const unsigned *restrict from, int n, int shift,
                       unsigned (*starts)[256])
{
#pragma omp parallel
    {
        const int threads = omp_get_num_threads(), me = omp_get_thread_num();
        const int first = (int)((long)n * me / threads), end = (int)((long)n * (me + 1) / threads);
        memset(starts[me], 0, sizeof *starts);
        for (int i = first; i < end; i++)
            starts[me][from[i] >> shift & 255]++;
#pragma omp barrier
#pragma omp single
        for (unsigned digit = 0, sum = 0; digit < 256; digit++)
            for (int thread = 0; thread < threads; thread++) {
                const unsigned count = starts[thread][digit];
                starts[thread][digit] = sum;
                sum += count;
            }
        for (int i = first; i < end; i++)
            to[starts[me][from[i] >> shift & 255]++] = from[i];
    }
}

void bench_sort(unsigned *key, unsigned *spare, int n)
{
    unsigned(*starts)[256] = malloc(sizeof *starts * omp_get_max_threads());
    if (!starts)
        abort();
    for (int shift = 0; shift < 32; shift += 16) {
        sort_digit(spare, key, n, shift, starts);
        sort_digit(key, spare, n, shift + 8, starts);
    }
    free(starts);
}

void bench_mandelbrot(unsigned char *steps, int side, int limit)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const float cx = -2 + 3.0f * column / side, cy = -1.5f + 3.0f * row / side;
            float x = 0, y = 0;
            int n = 0;
            while (n < limit && x * x + y * y < 4) {
                const float next = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = next;
                n++;
            }
            steps[(size_t)row * side + column] = n;
        }
}
