/**
 * @file mma.c
 * @brief Implementation of mma.h: the product of matrix fragments (umsim/products.h).
 *
 * The last lane of the warp to come finds the elements of all lanes on their stacks. It puts them into
 * matrices of one number type, multiplies these, and hands the sums out. So a product costs one meeting of
 * the lanes, and its order of summing does not depend on the order in which they came.
 */
#include "mma.h"
#include "../worker/thread.h"
#include "../include/umsim/products.h"
#include "../include/umsim/half_bits.h"

#include <limits.h>
#include <string.h>

enum { FACTOR_MAX = 32 * 16, SUM_MAX = 16 * 16 };

#define ALWAYS static inline __attribute__((always_inline))

/* a is m by k, b is k by n, and the sums are m by n, all in row order. Factors of 8 bits are stored as
 * floats, too: a sum of 16 of their products has no more digits than a float. What is added to the products
 * is an int of any size, and is added at the end. */
struct matrices {
    union {
        float f[FACTOR_MAX];
        double d[FACTOR_MAX];
    } a, b;
    union {
        float f[SUM_MAX];
        double d[SUM_MAX];
    } sum;
};

static const struct umsim_product_part *part_of(const uint64_t *parts, unsigned lane)
{
    return (const struct umsim_product_part *)(uintptr_t)parts[lane];
}

/* The i-th of some elements. `number` is a constant in all calls, so there is no test for each element. */
ALWAYS float as_float(enum umsim_number number, const void *elements, unsigned i)
{
    switch (number) {
    case UMSIM_BINARY16:
        return umsim_half_to_float(((const uint16_t *)elements)[i]);
    case UMSIM_BFLOAT16:
        return umsim_bfloat16_to_float(((const uint16_t *)elements)[i]);
    case UMSIM_TF32:
        return umsim_bits_float(umsim_float_bits(((const float *)elements)[i]) & 0xffffe000);
    case UMSIM_SIGNED_CHAR:
        return ((const int8_t *)elements)[i];
    case UMSIM_UNSIGNED_CHAR:
        return ((const uint8_t *)elements)[i];
    case UMSIM_INT:
        return 0;
    default:
        return ((const float *)elements)[i];
    }
}

#define AS_DOUBLE(number, elements, i) (((const double *)(elements))[i])

/* Copies what the lanes hold of a factor, in the order of memory, 4 bytes at a time, which is the least that
 * a lane holds. */
static void gather(uint32_t *words, const uint64_t *parts, bool of_b, unsigned words_a_lane)
{
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++, words += words_a_lane) {
        const struct umsim_product_part *part = part_of(parts, lane);
        const uint32_t *from = (const uint32_t *)(of_b ? part->__b : part->__a);
        for (unsigned i = 0; i < words_a_lane; i++)
            words[i] = from[i];
    }
}

/* Turns column order into row order. */
static void transpose(float *matrix, unsigned rows, unsigned columns)
{
    float old[FACTOR_MAX];
    memcpy(old, matrix, sizeof *old * rows * columns);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < columns; column++)
            matrix[row * columns + column] = old[column * rows + row];
}

/* Puts elements that lie as PTX's mma has them, register after register of each lane, into row order. */
static void put_into_rows(float *matrix, bool of_b, unsigned count, unsigned columns, unsigned bytes)
{
    float old[FACTOR_MAX];
    const unsigned each = 4 / bytes, registers = count / UMSIM_WARP_LANES / each;
    const float *from = old;
    memcpy(old, matrix, sizeof *old * count);
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)
        for (unsigned j = 0; j < registers; j++)
            for (unsigned i = 0; i < each; i++) {
                const unsigned inner = (of_b ? j : j / 2) * 4 * each + lane % 4 * each + i;
                const unsigned outer = lane / 4 + (of_b ? 0 : j % 2 * 8);
                matrix[of_b ? inner * columns + outer : outer * columns + inner] = *from++;
            }
}

/* A factor as floats, row after row. */
ALWAYS void take_floats(float *restrict to, const uint64_t *parts, bool of_b, enum umsim_number number,
                        unsigned bytes)
{
    const struct umsim_product *p = part_of(parts, 0)->product;
    uint32_t raw[FACTOR_MAX];
    const unsigned rows = of_b ? p->__k : p->__m, columns = of_b ? p->__n : p->__k, count = rows * columns;
    gather(raw, parts, of_b, count / UMSIM_WARP_LANES * bytes / 4);
    for (unsigned i = 0; i < count; i += 32)
        for (unsigned j = 0; j < 32; j++) /* with a constant count, the loop becomes vector instructions */
            to[i + j] = as_float(number, (const char *)raw + i * bytes, j);
    if (p->in_registers)
        put_into_rows(to, of_b, count, columns, bytes);
    else if (of_b ? p->b_by_columns : p->a_by_columns)
        transpose(to, rows, columns);
}

static void take_doubles(struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) { /* a lane has one element of each factor */
        const unsigned a = p->a_by_columns ? lane % p->__m * p->__k + lane / p->__m : lane;
        const unsigned b = p->b_by_columns ? lane % p->__k * p->__n + lane / p->__k : lane;
        it->a.d[a] = *(const double *)part_of(parts, lane)->__a;
        it->b.d[b] = *(const double *)part_of(parts, lane)->__b;
    }
}

static void take_factors(struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
#define TAKE(number, bytes)                                                                                  \
    take_floats(it->a.f, parts, false, number, bytes);                                                       \
    take_floats(it->b.f, parts, true, number, bytes);                                                        \
    break
    switch (p->factor) {
    case UMSIM_BINARY16:
        TAKE(UMSIM_BINARY16, 2);
    case UMSIM_BFLOAT16:
        TAKE(UMSIM_BFLOAT16, 2);
    case UMSIM_TF32:
        TAKE(UMSIM_TF32, 4);
    case UMSIM_SIGNED_CHAR:
        TAKE(UMSIM_SIGNED_CHAR, 1);
    case UMSIM_UNSIGNED_CHAR:
        TAKE(UMSIM_UNSIGNED_CHAR, 1);
    default:
        take_doubles(it, p, parts);
    }
#undef TAKE
}

/* Sums lie in pairs of neighbours: the place of a lane's pair i / 2. */
#define EACH_PAIR(p)                                                                                         \
    for (unsigned i = 0; i < (unsigned)(p)->__m * (p)->__n / UMSIM_WARP_LANES; i += 2)                       \
        for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)

ALWAYS unsigned place_of(const struct umsim_product *p, unsigned lane, unsigned i)
{
    const unsigned log = (unsigned)__builtin_ctz(p->__m / 8);
    return umsim_sum_row(log, lane, i) * p->__n + umsim_sum_column(log, lane, i);
}

static void take_sums(struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
#define TAKE(member, convert, number)                                                                        \
    EACH_PAIR(p)                                                                                             \
    {                                                                                                        \
        const unsigned place = place_of(p, lane, i);                                                         \
        it->sum.member[place] = convert(number, part_of(parts, lane)->__c, i);                               \
        it->sum.member[place + 1] = convert(number, part_of(parts, lane)->__c, i + 1);                       \
    }                                                                                                        \
    break
    switch (p->addend) {
    case UMSIM_BINARY16:
        TAKE(f, as_float, UMSIM_BINARY16);
    case UMSIM_FLOAT:
        TAKE(f, as_float, UMSIM_FLOAT);
    case UMSIM_INT:
        TAKE(f, as_float, UMSIM_INT);
    default:
        TAKE(d, AS_DOUBLE, UMSIM_DOUBLE);
    }
#undef TAKE
}

/* n is a constant in all calls, so a row of sums stays in registers. */
typedef float four __attribute__((vector_size(16)));
ALWAYS void add_products(struct matrices *it, unsigned m, unsigned n, unsigned k)
{
    four b[FACTOR_MAX / 4];
    memcpy(b, it->b.f, sizeof b);
    for (unsigned row = 0; row < m; row++) {
        four sum[8];
        memcpy(sum, &it->sum.f[row * n], n * sizeof(float));
        for (unsigned j = 0; j < k; j++) {
            const float factor = it->a.f[row * k + j];
#pragma GCC unroll 8
            for (unsigned i = 0; i < n / 4; i++)
                sum[i] += factor * b[j * (n / 4) + i];
        }
        memcpy(&it->sum.f[row * n], sum, n * sizeof(float));
    }
}

static void multiply_floats(struct matrices *it, const struct umsim_product *p)
{
    if (p->__n == 8)
        add_products(it, p->__m, 8, p->__k);
    else if (p->__n == 16)
        add_products(it, p->__m, 16, p->__k);
    else
        add_products(it, p->__m, 32, p->__k);
}

static void multiply_doubles(struct matrices *it, const struct umsim_product *p)
{
    for (unsigned row = 0; row < p->__m; row++)
        for (unsigned column = 0; column < p->__n; column++)
            for (unsigned j = 0; j < p->__k; j++)
                it->sum.d[row * p->__n + column] =
                    __builtin_fma(it->a.d[row * p->__k + j], it->b.d[j * p->__n + column],
                                  it->sum.d[row * p->__n + column]);
}

static int32_t int_result(float products, int32_t addend, bool saturate)
{
    const int64_t sum = (int64_t)products + addend;
    if (!saturate)
        return (int32_t)(uint32_t)(uint64_t)sum;
    return sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : (int32_t)sum;
}

static void hand_out(const struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
#define HAND_OUT(type, convert)                                                                              \
    EACH_PAIR(p)                                                                                             \
    {                                                                                                        \
        type *d = (type *)part_of(parts, lane)->__d;                                                         \
        const unsigned place = place_of(p, lane, i);                                                         \
        d[i] = convert(place, i);                                                                            \
        d[i + 1] = convert(place + 1, i + 1);                                                                \
    }                                                                                                        \
    break
#define TO_HALF(place, i) umsim_float_to_half(it->sum.f[place])
#define TO_FLOAT(place, i) it->sum.f[place]
#define TO_INT(place, i)                                                                                     \
    int_result(it->sum.f[place], ((const int32_t *)part_of(parts, lane)->__c)[i], p->saturate)
#define TO_DOUBLE(place, i) it->sum.d[place]
    switch (p->sums) {
    case UMSIM_BINARY16:
        HAND_OUT(uint16_t, TO_HALF);
    case UMSIM_FLOAT:
        HAND_OUT(float, TO_FLOAT);
    case UMSIM_INT:
        HAND_OUT(int32_t, TO_INT);
    default:
        HAND_OUT(double, TO_DOUBLE);
    }
}

void umsim_multiply(const uint64_t *parts)
{
    const struct umsim_product *p = part_of(parts, 0)->product;
    struct matrices it;
    take_factors(&it, p, parts);
    take_sums(&it, p, parts);
    if (p->factor == UMSIM_DOUBLE)
        multiply_doubles(&it, p);
    else
        multiply_floats(&it, p);
    hand_out(&it, p, parts);
}
