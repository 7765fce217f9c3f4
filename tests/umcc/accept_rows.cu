// flags: -Xcompiler -fwrapv
/*
 * What umsim/affine.h says of a condition for a whole row of threads, against the condition of each thread:
 * random numbers near the ends of their types, all pairs of integer types, casts, sums, products and shifts.
 * An answer may be missing, but none may be wrong.
 */
#include "check.h"
#include <cstdint>
#include <cstdlib>

#pragma GCC diagnostic ignored "-Wsign-compare"

using umsim::row_knowledge;
using umsim::row_of;
using umsim::row_to;
using umsim::row_truth;
using umsim::row_value;
using umsim::row_variable;

static unsigned long long seed = 42;
static uint64_t draw()
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 16 ^ seed << 24;
}
/* Small numbers, and numbers near the ends of types. */
static int64_t number()
{
    static const int64_t ends[] = {
        0,          0,         0,          INT8_MAX,       UINT8_MAX,      INT16_MAX,
        UINT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX - 70, INT64_MIN + 70, -1};
    return ends[draw() % 12] + (int64_t)(draw() % 131) - 65;
}

static long asked, known;

/* The same text for a thread and for a row. CAST and CALL are what umcc writes for `(T)x` and `T(x)`. */
#define PARTS(VARIABLE, CAST, CALL, OF, x)                                                                   \
    const VARIABLE(A) i = OF(a) + x;                                                                         \
    const VARIABLE(B) j = OF(b) - OF(c) * x;                                                                 \
    const VARIABLE(A) k = CAST(B) i;                                                                         \
    auto s = (i + OF(3)) << OF(shift);                                                                       \
    auto u = CALL(unsigned)(j) / OF(divisor);

#define CONDITIONS(TRY, CAST, CALL, OF)                                                                      \
    TRY(i < OF(n))                                                                                           \
    TRY(CAST(B) i < CAST(B) OF(n))                                                                           \
    TRY(CALL(A)(j) >= OF(m))                                                                                 \
    TRY(k == OF(n))                                                                                          \
    TRY(i != j)                                                                                              \
    TRY(j + OF(c) <= OF(m))                                                                                  \
    TRY(CAST(unsigned)(i - OF(1)) < CAST(unsigned)(OF(n) - OF(2)))                                           \
    TRY(-i > OF(m))                                                                                          \
    TRY(~j < OF(n))                                                                                          \
    TRY(s < OF(m))                                                                                           \
    TRY((u & OF(1u)) == OF(0))                                                                               \
    TRY((OF(n) % OF(divisor)) < i * OF(c))                                                                   \
    TRY(!i)                                                                                                  \
    TRY(CAST(signed char) i < CAST(short) j)

#define ROW_VARIABLE(T) row_variable<T>
#define ROW_CAST(T) row_to<T>()->*
#define ROW_CALL(T) row_to<T>()
#define THREAD_VARIABLE(T) T
#define THREAD_CAST(T) (T)
#define THREAD_CALL(T) T
#define THREAD_OF(x) x

enum { THREADS = 70, MOST = 20 };

template <class A, class B> static void try_types()
{
    const A a = (A)number(), n = (A)number();
    const B b = (B)number(), m = (B)number();
    const short c = (short)(draw() % 7) - 3;
    const int shift = (int)(draw() % 5), divisor = 1 + (int)(draw() % 9);
    const unsigned threads = 1 + (unsigned)(draw() % THREADS);
    row_knowledge answers[MOST];
    int count = 0;
    {
        const row_value<unsigned> x(true, 0, threads - 1);
        PARTS(ROW_VARIABLE, ROW_CAST, ROW_CALL, row_of, x)
#define TRY(condition) answers[count++] = row_truth(condition).is;
        CONDITIONS(TRY, ROW_CAST, ROW_CALL, row_of)
#undef TRY
    }
    for (unsigned x = 0; x < threads; x++) {
        int at = 0;
        PARTS(THREAD_VARIABLE, THREAD_CAST, THREAD_CALL, THREAD_OF, x)
#define TRY(condition)                                                                                       \
    {                                                                                                        \
        const bool holds = condition;                                                                        \
        const row_knowledge is = answers[at++];                                                              \
        if ((is == umsim::_All && !holds) || (is == umsim::_None && holds)) {                                \
            printf("%s: thread %u of %u is %d, the row is %d: a %lld n %lld b %lld m %lld c %d shift %d "    \
                   "divisor %d, "                                                                            \
                   "sizes %zu %zu\n",                                                                        \
                   #condition, x, threads, holds, is, (long long)a, (long long)n, (long long)b,              \
                   (long long)m, c, shift, divisor, sizeof(A), sizeof(B));                                   \
            failures++;                                                                                      \
        }                                                                                                    \
    }
        CONDITIONS(TRY, THREAD_CAST, THREAD_CALL, THREAD_OF)
#undef TRY
    }
    for (int t = 0; t < count; t++) {
        asked++;
        known += answers[t] == umsim::_All || answers[t] == umsim::_None;
    }
}

template <class A> static void try_second()
{
    try_types<A, int>();
    try_types<A, unsigned>();
    try_types<A, short>();
    try_types<A, long>();
}

int main()
{
    for (int round = 0; round < 2000 && failures < 10; round++) {
        try_second<int>();
        try_second<unsigned>();
        try_second<signed char>();
        try_second<size_t>();
    }
    CHECK(known > asked / 3); /* else it would prove nothing */
    if (failures == 0)
        printf("%ld of %ld conditions were known\n", known, asked);
    return finish();
}
