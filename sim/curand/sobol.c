/**
 * @file sobol.c
 * @brief Implementation of sobol.h, from S. Joe and F. Y. Kuo's polynomials and initial numbers.
 *
 * Their data (joe_kuo.bin, which joe_kuo.py has made; licence: LICENSE) are in the library. Vector k of a
 * dimension whose polynomial has degree s is m[k] with its last bit at the k-th place from the left, and
 * m[k] = m[k-s] ^ 2^s m[k-s] ^ 2^i m[k-i] for each i whose coefficient is set (S. Joe and F. Y. Kuo,
 * Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30, 2008).
 */
#include "sobol.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

__asm__(".section .rodata\n"
        ".local sobol_data\n"
        "sobol_data: .incbin \"sim/curand/joe_kuo.bin\"\n"
        ".previous\n");
extern const unsigned char sobol_data[];

/* A place in the row of bits. */
struct reader {
    size_t bit;
};

static unsigned take(struct reader *from, int width)
{
    unsigned value = 0;
    for (int i = 0; i < width; i++, from->bit++)
        value |= (unsigned)(sobol_data[from->bit / 8] >> from->bit % 8 & 1) << i;
    return value;
}

/* The numbers m of one dimension, of 64 bits: their upper 32 vectors are those of 32 bits. */
static void next_dimension(struct reader *from, unsigned long long m[64])
{
    const int degree = (int)take(from, 5);
    const unsigned coefficients = take(from, degree - 1);
    for (int k = 0; k < degree; k++)
        m[k] = take(from, k) * 2ull + 1;
    for (int k = degree; k < 64; k++) {
        m[k] = m[k - degree] ^ m[k - degree] << degree;
        for (int i = 1; i < degree; i++)
            if (coefficients >> (degree - 1 - i) & 1)
                m[k] ^= m[k - i] << i;
    }
}

static struct {
    curandDirectionVectors32_t *of32;
    curandDirectionVectors64_t *of64;
} tables;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void)
{
    curandDirectionVectors32_t *of32 = malloc(SOBOL_DIMENSIONS * sizeof *of32);
    curandDirectionVectors64_t *of64 = malloc(SOBOL_DIMENSIONS * sizeof *of64);
    if (!of32 || !of64) {
        free(of32);
        free(of64);
        return;
    }
    struct reader from = {0};
    for (int dimension = 0; dimension < SOBOL_DIMENSIONS; dimension++) {
        unsigned long long m[64] = {0};
        if (dimension > 0)
            next_dimension(&from, m);
        else
            for (int k = 0; k < 64; k++)
                m[k] = 1;
        for (int k = 0; k < 64; k++)
            of64[dimension][k] = m[k] << (63 - k);
        for (int k = 0; k < 32; k++)
            of32[dimension][k] = (unsigned)(m[k] << (31 - k));
    }
    tables.of32 = of32;
    tables.of64 = of64;
}

curandDirectionVectors32_t *sobol_vectors32(void)
{
    pthread_once(&made, make);
    return tables.of32;
}

curandDirectionVectors64_t *sobol_vectors64(void)
{
    pthread_once(&made, make);
    return tables.of64;
}
