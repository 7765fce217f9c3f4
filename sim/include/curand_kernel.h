/**
 * @file curand_kernel.h
 * @brief cuRAND's device side: random numbers drawn by the threads of a kernel, the same ones as on a GPU.
 *
 * Two of cuRAND's generators: XORWOW (curandState), Marsaglia's xorshift of 160 bits with a counter added,
 * and Philox 4x32-10, Salmon's counter-based one. Uniform, normal and log-normal numbers of both. What is not
 * here: MRG32k3a, MTGP32 and Sobol generators, Poisson and discrete distributions, and cuRAND's host library.
 *
 * A thread's sequence is 2^67 numbers (XORWOW) or 2^66 (Philox) away from its neighbour's. XORWOW gets there
 * without drawing them: its step is linear over GF(2), so n steps are the polynomial x^n modulo the step's
 * characteristic polynomial, applied to the state. Those of whole sequences are a table, made when a program
 * is compiled.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand.h"
#include <math.h>

#ifdef __UMCC__

#define UMSIM_RANDOM static inline __device__ __attribute__((unused))

/** What both generators keep of a pair of normal numbers: the second, for the next call. */
struct umsim_normal_pair {
    int has_float, has_double; /**< 0 or 1 */
    float next;
    double next_double;
};

/** XORWOW's state. */
struct curandStateXORWOW {
    unsigned int d, v[5];
    struct umsim_normal_pair normal;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

/** Philox's: a counter of 128 bits, the four numbers it stands for, and how many of them are drawn. */
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    struct umsim_normal_pair normal;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace umsim
{

/* A polynomial over GF(2) of degree below 160; bit i belongs to x^i. */
struct steps {
    unsigned w[5];
};

/* times x, modulo XORWOW's characteristic polynomial (found by Berlekamp and Massey's algorithm from its
 * output). */
constexpr void one_more_step(steps &a)
{
    const unsigned low[5] = {0x60001, 0x8610030, 0x62121, 0xf3c0035, 0xf0e};
    const unsigned carry = 0u - (a.w[4] >> 31);
    for (int i = 4; i > 0; i--)
        a.w[i] = (a.w[i] << 1 | a.w[i - 1] >> 31) ^ (low[i] & carry);
    a.w[0] = a.w[0] << 1 ^ (low[0] & carry);
}

constexpr steps both(const steps &a, const steps &b)
{
    steps sum = {};
    for (int i = 159; i >= 0; i--) {
        one_more_step(sum);
        if (a.w[i / 32] >> i % 32 & 1)
            for (int k = 0; k < 5; k++)
                sum.w[k] ^= b.w[k];
    }
    return sum;
}

/* at[k][digit - 1]: digit * 16^k sequences of 2^67 steps. */
struct sequences {
    steps at[16][15];
};
constexpr sequences all_sequences()
{
    sequences all = {};
    steps base = {{2, 0, 0, 0, 0}};
    for (int i = 0; i < 67; i++)
        base = both(base, base);
    for (int k = 0; k < 16; k++) {
        all.at[k][0] = base;
        for (int digit = 1; digit < 15; digit++)
            all.at[k][digit] = both(all.at[k][digit - 1], base);
        base = both(all.at[k][14], base);
    }
    return all;
}
static __constant__ const sequences jumps __attribute__((unused)) = all_sequences();

UMSIM_RANDOM void xorwow_step(unsigned v[5])
{
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

UMSIM_RANDOM void go(unsigned v[5], const steps &by)
{
    unsigned there[5] = {0, 0, 0, 0, 0};
    for (int i = 159; i >= 0; i--) {
        xorwow_step(there);
        const unsigned taken = 0u - (by.w[i / 32] >> i % 32 & 1);
        for (int k = 0; k < 5; k++)
            there[k] ^= v[k] & taken;
    }
    for (int k = 0; k < 5; k++)
        v[k] = there[k];
}

UMSIM_RANDOM void philox_round(uint4 &c, const uint2 &k)
{
    const unsigned long long even = 0xd2511f53ull * c.x, odd = 0xcd9e8d57ull * c.z;
    c = make_uint4((unsigned)(odd >> 32) ^ c.y ^ k.x, (unsigned)odd, (unsigned)(even >> 32) ^ c.w ^ k.y,
                   (unsigned)even);
}

UMSIM_RANDOM uint4 philox(uint4 c, uint2 k)
{
    for (int i = 0; i < 10; i++) {
        philox_round(c, k);
        k.x += 0x9e3779b9;
        k.y += 0xbb67ae85;
    }
    return c;
}

/* Adds to the counter from word `low` on. */
UMSIM_RANDOM void philox_count(curandStatePhilox4_32_10_t *state, unsigned long long n, bool sequences)
{
    uint4 &c = state->ctr;
    const unsigned long long upper = (unsigned long long)c.w << 32 | c.z,
                             lower = (unsigned long long)c.y << 32 | c.x;
    const unsigned long long new_lower = sequences ? lower : lower + n;
    const unsigned long long new_upper = sequences ? upper + n : upper + (new_lower < lower);
    c = make_uint4((unsigned)new_lower, (unsigned)(new_lower >> 32), (unsigned)new_upper,
                   (unsigned)(new_upper >> 32));
    state->output = philox(c, state->key);
}

/* (0, 1] of 32 and of 53 bits. */
UMSIM_RANDOM float unit(unsigned x)
{
    return x * 0x1p-32f + 0x1p-33f;
}
UMSIM_RANDOM double unit53(unsigned x, unsigned y)
{
    return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller's two normal numbers of two uniform ones. */
UMSIM_RANDOM float2 normal_pair(unsigned x, unsigned y)
{
    const float radius = sqrtf(-2.0f * logf(unit(x)));
    const float angle = y * (0x1p-32f * 6.2831855f) + (0x1p-32f * 6.2831855f) / 2;
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}
UMSIM_RANDOM double2 normal_pair53(unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    const double radius = sqrt(-2.0 * log(unit53(x0, x1)));
    const double angle = unit53(y0, y1) * 2 * 3.1415926535897932;
    return make_double2(radius * sin(angle), radius * cos(angle));
}

} // namespace umsim

/** @name One number of 32 bits
 * @{ */
UMSIM_RANDOM unsigned int curand(curandStateXORWOW_t *state)
{
    umsim::xorwow_step(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}
UMSIM_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 &o = state->output;
    const unsigned drawn = state->STATE == 0 ? o.x : state->STATE == 1 ? o.y : state->STATE == 2 ? o.z : o.w;
    if (++state->STATE == 4) {
        state->STATE = 0;
        umsim::philox_count(state, 1, false);
    }
    return drawn;
}
/** Four at once, which only Philox has. */
UMSIM_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 o = state->output;
    umsim::philox_count(state, 1, false);
    const uint4 n = state->output;
    switch (state->STATE) {
    case 0:
        return o;
    case 1:
        return make_uint4(o.y, o.z, o.w, n.x);
    case 2:
        return make_uint4(o.z, o.w, n.x, n.y);
    default:
        return make_uint4(o.w, n.x, n.y, n.z);
    }
}
/** @} */

/** @name Going on by n numbers, or by n sequences, without drawing them
 * @{ */
UMSIM_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    umsim::steps by = {{1, 0, 0, 0, 0}};
    for (int i = 63 - (n ? __clzll((long long)n) : 63); i >= 0; i--) {
        by = umsim::both(by, by);
        if (n >> i & 1)
            umsim::one_more_step(by);
    }
    if (n)
        umsim::go(state->v, by);
    state->d += 362437 * (unsigned)n;
}
UMSIM_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    for (int k = 0; n != 0; k++, n >>= 4)
        if (n & 15)
            umsim::go(state->v, umsim::jumps.at[k][(n & 15) - 1]);
}
UMSIM_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned)(n & 3);
    umsim::philox_count(state, n / 4 + state->STATE / 4, false);
    state->STATE %= 4;
}
UMSIM_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    umsim::philox_count(state, n, true);
}
/** @} */

/** @name Sequence `subsequence` of those that `seed` gives, from its number `offset` on
 * @{ */
UMSIM_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset, curandStateXORWOW_t *state)
{
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    *state = {6615241 + high + low,
              {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
              {}};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
UMSIM_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
/** @} */

/** @name Uniform: 0 < x <= 1
 * @{ */
template <class State> UMSIM_RANDOM float curand_uniform(State *state)
{
    return umsim::unit(curand(state));
}
UMSIM_RANDOM double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned x = curand(state);
    return umsim::unit53(x, curand(state));
}
/** Of 32 bits alone: so it is in cuRAND. */
UMSIM_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return curand(state) * 0x1p-32 + 0x1p-32;
}
UMSIM_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return make_float4(umsim::unit(x.x), umsim::unit(x.y), umsim::unit(x.z), umsim::unit(x.w));
}
UMSIM_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return make_double2(umsim::unit53(x.x, x.y), umsim::unit53(x.z, x.w));
}
/** @} */

/** @name Normal: mean 0, standard deviation 1; log-normal
 * @{ */
template <class State> UMSIM_RANDOM float2 curand_normal2(State *state)
{
    const unsigned x = curand(state);
    return umsim::normal_pair(x, curand(state));
}
template <class State> UMSIM_RANDOM double2 curand_normal2_double(State *state)
{
    const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state);
    return umsim::normal_pair53(x0, x1, y0, curand(state));
}
UMSIM_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float2 a = umsim::normal_pair(x.x, x.y), b = umsim::normal_pair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class State> UMSIM_RANDOM float curand_normal(State *state)
{
    state->normal.has_float = !state->normal.has_float;
    if (!state->normal.has_float)
        return state->normal.next;
    const float2 pair = curand_normal2(state);
    state->normal.next = pair.y;
    return pair.x;
}
template <class State> UMSIM_RANDOM double curand_normal_double(State *state)
{
    state->normal.has_double = !state->normal.has_double;
    if (!state->normal.has_double)
        return state->normal.next_double;
    const double2 pair = curand_normal2_double(state);
    state->normal.next_double = pair.y;
    return pair.x;
}
template <class State> UMSIM_RANDOM float curand_log_normal(State *state, float mean, float stddev)
{
    return expf(mean + stddev * curand_normal(state));
}
template <class State> UMSIM_RANDOM double curand_log_normal_double(State *state, double mean, double stddev)
{
    return exp(mean + stddev * curand_normal_double(state));
}
/** @} */

#undef UMSIM_RANDOM

#endif
#endif
