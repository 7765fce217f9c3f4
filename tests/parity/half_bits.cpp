/**
 * @file half_bits.cpp
 * @brief What cuda_fp16.h and cuda_bf16.h give on the host, as a number for each function: half.py compiles
 * this with the simulator's headers and with NVIDIA's, and compares.
 *
 * `half_bits NAME` lists arguments and results of one.
 *
 * Functions of one number get all 65,536; of two, each of these with the first two dozen of `others()`.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include "bits.h"

/* Zeros, ones, ends, what is no number; then any. */
static uint16_t other(int i)
{
    static const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x3c00, 0xbc00, 0x3f80, 0xbf80,
                                       0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7f80, 0xff80, 0x7e00, 0xfe01};
    return i < 16 ? special[i] : (uint16_t)next_random();
}

#define ONE(T, name)                                                                                         \
    do {                                                                                                     \
        start();                                                                                             \
        for (uint32_t a = 0; a < 65536; a++)                                                                 \
            add(#T " " #name, a, 0, bits(name(T(T##_raw{(unsigned short)a}))));                              \
        stop(#T " " #name);                                                                                  \
    } while (0)
#define TWO(T, name)                                                                                         \
    do {                                                                                                     \
        start();                                                                                             \
        random_state = 2;                                                                                    \
        for (uint32_t a = 0; a < 65536; a++)                                                                 \
            for (int i = 0; i < 24; i++) {                                                                   \
                const uint16_t b = other(i);                                                                 \
                add(#T " " #name, a, b,                                                                      \
                    bits(name(T(T##_raw{(unsigned short)a}), T(T##_raw{(unsigned short)b}))));               \
            }                                                                                                \
        stop(#T " " #name);                                                                                  \
    } while (0)
/* Of pairs: the second is the first with its halves exchanged. */
#define PAIR(T, name)                                                                                        \
    do {                                                                                                     \
        start();                                                                                             \
        random_state = 5;                                                                                    \
        for (uint32_t a = 0; a < 65536; a++) {                                                               \
            const unsigned short b = other((int)(a % 24));                                                   \
            add(#T " " #name, a, b,                                                                          \
                bits(name(T(T##_raw{(unsigned short)a, b}), T(T##_raw{b, (unsigned short)a}))));             \
        }                                                                                                    \
        stop(#T " " #name);                                                                                  \
    } while (0)
#define INTEGER(T, I, name) integers<I>(#name, [](I x) { return bits(name(x)); })
#define FLOAT(name) floats(#name, [](float x) { return bits(name(x)); })

template <class T> static T negative(T a)
{
    return -a;
}
template <class T> static T increment(T a)
{
    return ++a;
}
template <class T> static T sum(T a, T b)
{
    return a + b;
}
template <class T> static bool differ(T a, T b)
{
    return a != b;
}
template <class T> static bool below(T a, T b)
{
    return a < b;
}
template <class T> static double as_double(T a)
{
    return (double)(float)a;
}

/* CUDA's functions that are there for the host in both headers. */
#define BOTH(T, T2)                                                                                          \
    ONE(T, __habs);                                                                                          \
    ONE(T, __hneg);                                                                                          \
    ONE(T, __hisnan);                                                                                        \
    ONE(T, __hisinf);                                                                                        \
    ONE(T, negative);                                                                                        \
    ONE(T, increment);                                                                                       \
    ONE(T, as_double);                                                                                       \
    TWO(T, __hadd);                                                                                          \
    TWO(T, __hsub);                                                                                          \
    TWO(T, __hmul);                                                                                          \
    TWO(T, __hdiv);                                                                                          \
    TWO(T, __hadd_sat);                                                                                      \
    TWO(T, __hsub_sat);                                                                                      \
    TWO(T, __hmul_sat);                                                                                      \
    TWO(T, __hmax);                                                                                          \
    TWO(T, __hmin);                                                                                          \
    TWO(T, __hmax_nan);                                                                                      \
    TWO(T, __hmin_nan);                                                                                      \
    TWO(T, __heq);                                                                                           \
    TWO(T, __hne);                                                                                           \
    TWO(T, __hlt);                                                                                           \
    TWO(T, __hle);                                                                                           \
    TWO(T, __hgt);                                                                                           \
    TWO(T, __hge);                                                                                           \
    TWO(T, __hequ);                                                                                          \
    TWO(T, __hneu);                                                                                          \
    TWO(T, __hltu);                                                                                          \
    TWO(T, __hleu);                                                                                          \
    TWO(T, __hgtu);                                                                                          \
    TWO(T, __hgeu);                                                                                          \
    TWO(T, sum);                                                                                             \
    TWO(T, differ);                                                                                          \
    TWO(T, below);                                                                                           \
    PAIR(T2, __hadd2);                                                                                       \
    PAIR(T2, __h2div);                                                                                       \
    PAIR(T2, __hmax2);                                                                                       \
    PAIR(T2, __hlt2);                                                                                        \
    PAIR(T2, __hneu2_mask);                                                                                  \
    PAIR(T2, __hbequ2);                                                                                      \
    PAIR(T2, __hble2);                                                                                       \
    PAIR(T2, differ)

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : nullptr;
    BOTH(__half, __half2);
    BOTH(__nv_bfloat16, __nv_bfloat162);
    ONE(__half, __half2float);
    ONE(__half, __half2char_rz);
    ONE(__half, __half2uchar_rz);
    ONE(__half, __half2short_rz);
    ONE(__half, __half2ushort_rz);
    ONE(__half, __half2int_rz);
    ONE(__half, __half2uint_rz);
    ONE(__half, __half2ll_rz);
    ONE(__half, __half2ull_rz);
    ONE(__nv_bfloat16, __bfloat162float);
    ONE(__nv_bfloat16, __bfloat162char_rz);
    ONE(__nv_bfloat16, __bfloat162uchar_rz);
    ONE(__nv_bfloat16, __bfloat162short_rz);
    ONE(__nv_bfloat16, __bfloat162ushort_rz);
    ONE(__nv_bfloat16, __bfloat162int_rz);
    ONE(__nv_bfloat16, __bfloat162uint_rz);
    ONE(__nv_bfloat16, __bfloat162ll_rz);
    ONE(__nv_bfloat16, __bfloat162ull_rz);
    FLOAT(__float2half);
    FLOAT(__float2half_rz);
    FLOAT(__float2half_rd);
    FLOAT(__float2half_ru);
    FLOAT(__double2half);
    FLOAT(__float2bfloat16);
    FLOAT(__float2bfloat16_rz);
    FLOAT(__float2bfloat16_rd);
    FLOAT(__float2bfloat16_ru);
    FLOAT(__double2bfloat16);
    floats("double beside float to half",
           [](float x) { return bits(__double2half(std::nextafter((double)x, 0.0))); });
    floats("double beside float to bfloat16",
           [](float x) { return bits(__double2bfloat16(std::nextafter((double)x, 0.0))); });
    INTEGER(half, int, __int2half_rn);
    INTEGER(half, int, __int2half_rz);
    INTEGER(half, int, __int2half_rd);
    INTEGER(half, int, __int2half_ru);
    INTEGER(half, short, __short2half_ru);
    INTEGER(half, unsigned short, __ushort2half_ru);
    INTEGER(half, unsigned short, __ushort2half_rz);
    INTEGER(half, unsigned, __uint2half_rd);
    INTEGER(half, unsigned, __uint2half_ru);
    INTEGER(half, long long, __ll2half_rn);
    INTEGER(half, long long, __ll2half_rz);
    INTEGER(half, long long, __ll2half_rd);
    INTEGER(half, unsigned long long, __ull2half_rn);
    INTEGER(half, unsigned long long, __ull2half_ru);
    INTEGER(bfloat16, int, __int2bfloat16_rn);
    INTEGER(bfloat16, short, __short2bfloat16_rn);
    INTEGER(bfloat16, unsigned, __uint2bfloat16_rn);
    INTEGER(bfloat16, long long, __ll2bfloat16_rn);
    INTEGER(bfloat16, unsigned long long, __ull2bfloat16_rn);
    return 0;
}
