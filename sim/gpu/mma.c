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

/* The i-th of a lane's elements. `number` is a constant where these are called: nothing is asked for each element. */
ALWAYS float as_float(enum umsim_number number, const void *elements, unsigned i)
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

ALWAYS int32_t as_int(enum umsim_number number, const void *elements, unsigned i)
{
    return number == UMSIM_SIGNED_CHAR     ? ((const int8_t *)elements)[i]
           : number == UMSIM_UNSIGNED_CHAR ? ((const uint8_t *)elements)[i]
                                           : ((const int32_t *)elements)[i];
}

#define EACH_ELEMENT(count)                                                                                  \
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)                                                 \
        for (unsigned i = 0; i < (count) / UMSIM_WARP_LANES; i++)

/* Where an element of a factor comes to stand. Rows and columns are powers of 2. */
ALWAYS unsigned place_of(unsigned lane, unsigned i, unsigned rows, unsigned columns, bool by_columns)
{
    const unsigned e = umsim_factor_place(lane, i);
    return by_columns ? (e & (rows - 1)) * columns + (e >> __builtin_ctz(rows)) : e;
}

/* ... and one of the sums. */
ALWAYS unsigned place_of_sum(const struct umsim_product *p, unsigned lane, unsigned i)
{
    const unsigned log = (unsigned)__builtin_ctz(p->m / 8);
    return umsim_sum_row(log, lane, i) * p->n + umsim_sum_column(log, lane, i);
}

/* Fill a, b and the sums. */
#define TAKE(member, convert, number, addend)                                                                \
    do {                                                                                                     \
        EACH_ELEMENT((unsigned)p->m * p->k)                                                                  \
        it->a.member[place_of(lane, i, p->m, p->k, p->a_by_columns)] =                                       \
            convert(number, part_of(parts, lane)->a, i);                                                     \
        EACH_ELEMENT((unsigned)p->k * p->n)                                                                  \
        it->b.member[place_of(lane, i, p->k, p->n, p->b_by_columns)] =                                       \
            convert(number, part_of(parts, lane)->b, i);                                                     \
        EACH_ELEMENT((unsigned)p->m * p->n)                                                                  \
        it->sum.member[place_of_sum(p, lane, i)] = convert(addend, part_of(parts, lane)->c, i);              \
    } while (0)
#define AS_DOUBLE(number, elements, i) (((const double *)(elements))[i])

static void take(struct matrices *it, const struct umsim_product *p, const uint64_t *parts)
{
    switch (p->factor) {
    case UMSIM_BINARY16:
        if (p->addend == UMSIM_BINARY16)
            TAKE(f, as_float, UMSIM_BINARY16, UMSIM_BINARY16);
        else
            TAKE(f, as_float, UMSIM_BINARY16, UMSIM_FLOAT);
        break;
    case UMSIM_BFLOAT16:
        TAKE(f, as_float, UMSIM_BFLOAT16, UMSIM_FLOAT);
        break;
    case UMSIM_TF32:
        TAKE(f, as_float, UMSIM_TF32, UMSIM_FLOAT);
        break;
    case UMSIM_SIGNED_CHAR:
        TAKE(i, as_int, UMSIM_SIGNED_CHAR, UMSIM_INT);
        break;
    case UMSIM_UNSIGNED_CHAR:
        TAKE(i, as_int, UMSIM_UNSIGNED_CHAR, UMSIM_INT);
        break;
    default:
        TAKE(d, AS_DOUBLE, UMSIM_DOUBLE, UMSIM_DOUBLE);
    }
}

/* n is a constant where these are called: the inner loop becomes vectors. */
ALWAYS void add_floats(struct matrices *it, unsigned m, unsigned n, unsigned k)
{
    for (unsigned row = 0; row < m; row++) {
        float sum[32];
        memcpy(sum, &it->sum.f[row * n], n * sizeof *sum);
        for (unsigned j = 0; j < k; j++) {
            const float factor = it->a.f[row * k + j];
            for (unsigned column = 0; column < n; column++)
                sum[column] += factor * it->b.f[j * n + column];
        }
        memcpy(&it->sum.f[row * n], sum, n * sizeof *sum);
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
        const unsigned place = place_of_sum(p, lane, i);
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
    take(&it, p, parts);
    if (p->factor == UMSIM_DOUBLE)
        multiply_doubles(&it, p);
    else if (p->factor == UMSIM_SIGNED_CHAR || p->factor == UMSIM_UNSIGNED_CHAR)
        multiply_ints(&it, p);
    else
        multiply_floats(&it, p);
    hand_out(&it, p, parts);
}

void umsim_product_fails(const char *file, int line)
{
    umsim_fail_product(umsim_this_worker, (struct umsim_place_in_source){file, line});
}
