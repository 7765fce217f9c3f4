/*
 * mma.c: the product of matrix fragments (umsim_products.h).
 *
 * The last lane of the warp to come finds everybody's elements, on their stacks. It puts them into matrices of one kind of
 * number, multiplies those, and hands the sums out. So a product costs one meeting of the lanes, and its order of summing
 * does not depend on who came when.
 */
#include "mma.h"
#include "fiber.h"
#include "stuck.h"
#include "worker.h"
#include "../include/umsim_products.h"
#include "../include/umsim_half_bits.h"

#include <limits.h>

enum { FACTOR_MAX = 32 * 16, SUM_MAX = 16 * 16 };

/* a is m by k, b k by n, the sums are m by n, row after row. */
#define ALWAYS static inline __attribute__((always_inline))
struct matrices {
    union {
        float f[FACTOR_MAX];
        int32_t i[FACTOR_MAX];
        double d[FACTOR_MAX];
    } a, b;
    union {
        float f[SUM_MAX];
        int64_t i[SUM_MAX];
        double d[SUM_MAX];
    } sum;
};

static const struct umsim_product_part *part_of(const uint64_t *parts, unsigned lane)
{
    return (const struct umsim_product_part *)(uintptr_t)parts[lane];
}

static float as_float(enum umsim_number number, const void *elements, unsigned i)
{
    switch (number) {
    case UMSIM_BINARY16:
        return umsim_half_to_float(((const uint16_t *)elements)[i]);
    case UMSIM_BFLOAT16:
        return umsim_bfloat16_to_float(((const uint16_t *)elements)[i]);
    case UMSIM_TF32:
        return umsim_bits_float(umsim_float_bits(((const float *)elements)[i]) & 0xffffe000);
    default:
        return ((const float *)elements)[i];
    }
}

static int32_t as_int(enum umsim_number number, const void *elements, unsigned i)
{
    return number == UMSIM_SIGNED_CHAR     ? ((const int8_t *)elements)[i]
           : number == UMSIM_UNSIGNED_CHAR ? ((const uint8_t *)elements)[i]
                                           : ((const int32_t *)elements)[i];
}

/* Where an element of a factor, rows by columns, comes to stand. */
ALWAYS unsigned place_of(unsigned lane, unsigned i, unsigned rows, unsigned columns, bool by_columns)
{
    const unsigned e = umsim_factor_place(lane, i);
    return by_columns ? e % rows * columns + e / rows : e;
}

#define EACH_ELEMENT(count)                                                                                  \
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)                                                 \
        for (unsigned i = 0; i < (count) / UMSIM_WARP_LANES; i++)

/* Defines take_KIND(), which fills the matrices. */
#define DEFINE_TAKE(kind, member, convert)                                                                   \
    static void take_##kind(struct matrices *it, const struct umsim_product *p, const uint64_t *parts)       \
    {                                                                                                        \
        EACH_ELEMENT((unsigned)p->m * p->k)                                                                  \
        it->a.member[place_of(lane, i, p->m, p->k, p->a_by_columns)] =                                       \
            convert((enum umsim_number)p->factor, part_of(parts, lane)->a, i);                               \
        EACH_ELEMENT((unsigned)p->k * p->n)                                                                  \
        it->b.member[place_of(lane, i, p->k, p->n, p->b_by_columns)] =                                       \
            convert((enum umsim_number)p->factor, part_of(parts, lane)->b, i);                               \
        EACH_ELEMENT((unsigned)p->m * p->n)                                                                  \
        it->sum.member[umsim_sum_row(p->m, lane, i) * p->n + umsim_sum_column(p->m, lane, i)] =              \
            convert((enum umsim_number)p->addend, part_of(parts, lane)->c, i);                               \
    }
#define AS_DOUBLE(number, elements, i) ((void)(number), ((const double *)(elements))[i])
DEFINE_TAKE(floats, f, as_float)
DEFINE_TAKE(ints, i, as_int)
DEFINE_TAKE(doubles, d, AS_DOUBLE)

/* n is a constant where these are called: the inner loop becomes vectors. */
ALWAYS void add_floats(struct matrices *it, unsigned m, unsigned n, unsigned k)
{
    for (unsigned row = 0; row < m; row++) {
        float *sum = &it->sum.f[row * n];
        for (unsigned j = 0; j < k; j++)
            for (unsigned column = 0; column < n; column++)
                sum[column] += it->a.f[row * k + j] * it->b.f[j * n + column];
    }
}

ALWAYS void add_ints(struct matrices *it, unsigned m, unsigned n, unsigned k)
{
    for (unsigned row = 0; row < m; row++) {
        int32_t sum[32] = {0}; /* at most 16 * 255 * 255 */
        for (unsigned j = 0; j < k; j++)
            for (unsigned column = 0; column < n; column++)
                sum[column] += it->a.i[row * k + j] * it->b.i[j * n + column];
        for (unsigned column = 0; column < n; column++)
            it->sum.i[row * n + column] += sum[column];
    }
}

static void multiply_floats(struct matrices *it, const struct umsim_product *p)
{
    if (p->n == 8)
        add_floats(it, p->m, 8, p->k);
    else if (p->n == 16)
        add_floats(it, p->m, 16, p->k);
    else
        add_floats(it, p->m, 32, p->k);
}

static void multiply_ints(struct matrices *it, const struct umsim_product *p)
{
    if (p->n == 8)
        add_ints(it, p->m, 8, p->k);
    else if (p->n == 16)
        add_ints(it, p->m, 16, p->k);
    else
        add_ints(it, p->m, 32, p->k);
}

static void multiply_doubles(struct matrices *it, const struct umsim_product *p)
{
    for (unsigned row = 0; row < p->m; row++)
        for (unsigned column = 0; column < p->n; column++)
            for (unsigned j = 0; j < p->k; j++)
                it->sum.d[row * p->n + column] = __builtin_fma(
                    it->a.d[row * p->k + j], it->b.d[j * p->n + column], it->sum.d[row * p->n + column]);
}

static int32_t int_result(int64_t sum, bool saturate)
{
    if (!saturate)
        return (int32_t)(uint32_t)(uint64_t)sum;
    return sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : (int32_t)sum;
}

static void hand_out(const struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
    EACH_ELEMENT((unsigned)p->m * p->n)
    {
        void *d = part_of(parts, lane)->d;
        const unsigned place = umsim_sum_row(p->m, lane, i) * p->n + umsim_sum_column(p->m, lane, i);
        if (p->result == UMSIM_BINARY16)
            ((uint16_t *)d)[i] = umsim_float_to_half(it->sum.f[place]);
        else if (p->result == UMSIM_FLOAT)
            ((float *)d)[i] = it->sum.f[place];
        else if (p->result == UMSIM_INT)
            ((int32_t *)d)[i] = int_result(it->sum.i[place], p->saturate);
        else
            ((double *)d)[i] = it->sum.d[place];
    }
}

void umsim_multiply(const uint64_t *parts)
{
    const struct umsim_product *p = part_of(parts, 0)->product;
    struct matrices it;
    if (p->factor == UMSIM_DOUBLE) {
        take_doubles(&it, p, parts);
        multiply_doubles(&it, p);
    } else if (p->factor == UMSIM_SIGNED_CHAR || p->factor == UMSIM_UNSIGNED_CHAR) {
        take_ints(&it, p, parts);
        multiply_ints(&it, p);
    } else {
        take_floats(&it, p, parts);
        multiply_floats(&it, p);
    }
    hand_out(&it, p, parts);
}

void umsim_product_fails(const char *file, int line)
{
    umsim_fail_product(umsim_this_worker, (struct umsim_place_in_source){file, line});
}
