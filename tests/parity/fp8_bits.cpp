/**
 * @file fp8_bits.cpp
 * @brief What cuda_fp8.h gives on the host, as a number for each function: half.py compiles this with the
 * simulator's headers and with NVIDIA's, and compares.
 *
 * `fp8_bits NAME` lists arguments and results of one.
 *
 * All codes, all halves and bfloat16s; floats and doubles at and beside ties, and others.
 */
#include <cuda_fp8.h>
#include <cmath>
#include "bits.h"

static double double_of(uint64_t word)
{
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

/* Beside each float that floats() has, and any 64 bits: NaNs of all kinds among them. */
template <class Function> static void doubles(const char *name, Function function)
{
    char beside[100];
    snprintf(beside, sizeof beside, "%s, beside floats", name);
    floats(beside, [&](float x) {
        const double outside = std::nextafter((double)x, x < 0 ? -1e300 : 1e300);
        return function((double)x) << 32 ^ function(std::nextafter((double)x, 0.0)) << 16 ^ function(outside);
    });
    start();
    random_state = 6;
    for (uint64_t high = 0; high < 65536; high++)
        for (int i = 0; i < 6; i++) {
            const uint64_t low = (uint64_t)next_random() << 24 ^ next_random();
            const uint64_t word = high << 48 | (i < 2 ? (uint64_t)i : low & 0xffffffffffff);
            add(name, word, 0, function(double_of(word)));
        }
    stop(name);
}

/* All numbers of 16 bits, as the first and, rotated, as the second of a pair. */
template <class Function> static void words(const char *name, Function function)
{
    start();
    for (uint32_t a = 0; a < 65536; a++)
        add(name, a, 0, function((unsigned short)a, (unsigned short)(a * 257u)));
    stop(name);
}

#define TO_FP8(saturate, kind)                                                                               \
    do {                                                                                                     \
        const char *const with = " " #saturate " " #kind;                                                    \
        char name[100];                                                                                      \
        auto named = [&](const char *what) {                                                                 \
            snprintf(name, sizeof name, "%s%s", what, with);                                                 \
            return name;                                                                                     \
        };                                                                                                   \
        floats(named("float"), [](float x) { return bits(__nv_cvt_float_to_fp8(x, saturate, kind)); });      \
        floats(named("float2"), [](float x) {                                                                \
            return bits(__nv_cvt_float2_to_fp8x2(float2{x, 3 - x}, saturate, kind));                         \
        });                                                                                                  \
        doubles(named("double"), [](double x) { return bits(__nv_cvt_double_to_fp8(x, saturate, kind)); });  \
        doubles(named("double2"), [](double x) {                                                             \
            return bits(__nv_cvt_double2_to_fp8x2(double2{x, 3 - x}, saturate, kind));                       \
        });                                                                                                  \
        words(named("half"), [](unsigned short a, unsigned short) {                                          \
            return bits(__nv_cvt_halfraw_to_fp8(__half_raw{a}, saturate, kind));                             \
        });                                                                                                  \
        words(named("half2"), [](unsigned short a, unsigned short b) {                                       \
            return bits(__nv_cvt_halfraw2_to_fp8x2(__half2_raw{a, b}, saturate, kind));                      \
        });                                                                                                  \
        words(named("bfloat16"), [](unsigned short a, unsigned short) {                                      \
            return bits(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{a}, saturate, kind));                  \
        });                                                                                                  \
        words(named("bfloat162"), [](unsigned short a, unsigned short b) {                                   \
            return bits(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw{a, b}, saturate, kind));           \
        });                                                                                                  \
    } while (0)

#define TO_SCALE(saturate, way)                                                                              \
    do {                                                                                                     \
        floats("scale of float " #saturate " " #way,                                                         \
               [](float x) { return bits(__nv_cvt_float_to_e8m0(x, saturate, way)); });                      \
        floats("scale of float2 " #saturate " " #way, [](float x) {                                          \
            return bits(__nv_cvt_float2_to_e8m0x2(float2{x, 3 - x}, saturate, way));                         \
        });                                                                                                  \
        doubles("scale of double " #saturate " " #way,                                                       \
                [](double x) { return bits(__nv_cvt_double_to_e8m0(x, saturate, way)); });                   \
        doubles("scale of double2 " #saturate " " #way, [](double x) {                                       \
            return bits(__nv_cvt_double2_to_e8m0x2(double2{x, 3 - x}, saturate, way));                       \
        });                                                                                                  \
        words("scale of bfloat16 " #saturate " " #way, [](unsigned short a, unsigned short) {                \
            return bits(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{a}, saturate, way));                  \
        });                                                                                                  \
        words("scale of bfloat162 " #saturate " " #way, [](unsigned short a, unsigned short b) {             \
            return bits(__nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw{a, b}, saturate, way));           \
        });                                                                                                  \
    } while (0)

/* A type's constructors and operators. */
#define CONVERTED(T, U)                                                                                      \
    do {                                                                                                     \
        start();                                                                                             \
        for (int a = 0; a < 256; a++) {                                                                      \
            T number;                                                                                        \
            number.__x = (__nv_fp8_storage_t)a;                                                              \
            add(#T " to " #U, (uint64_t)a, 0, bits(static_cast<U>(number)));                                 \
        }                                                                                                    \
        stop(#T " to " #U);                                                                                  \
    } while (0)
#define CONVERTED_PAIR(T, U)                                                                                 \
    words(#T " to " #U, [](unsigned short a, unsigned short) {                                               \
        T number;                                                                                            \
        number.__x = a;                                                                                      \
        return bits(static_cast<U>(number));                                                                 \
    })
#define INTEGERS(T, I) integers<I>(#T " of " #I, [](I x) { return bits(T(x)); })
#define TYPE(T, T2, T4)                                                                                      \
    do {                                                                                                     \
        CONVERTED(T, __half);                                                                                \
        CONVERTED(T, __nv_bfloat16);                                                                         \
        CONVERTED(T, float);                                                                                 \
        CONVERTED(T, double);                                                                                \
        CONVERTED(T, bool);                                                                                  \
        CONVERTED(T, char);                                                                                  \
        CONVERTED(T, signed char);                                                                           \
        CONVERTED(T, unsigned char);                                                                         \
        CONVERTED(T, short);                                                                                 \
        CONVERTED(T, unsigned short);                                                                        \
        CONVERTED(T, int);                                                                                   \
        CONVERTED(T, unsigned);                                                                              \
        CONVERTED(T, long);                                                                                  \
        CONVERTED(T, unsigned long);                                                                         \
        CONVERTED(T, long long);                                                                             \
        CONVERTED(T, unsigned long long);                                                                    \
        CONVERTED_PAIR(T2, float2);                                                                          \
        CONVERTED_PAIR(T2, __half2);                                                                         \
        words(#T4 " to float4", [](unsigned short a, unsigned short b) {                                     \
            T4 number;                                                                                       \
            number.__x = a | (unsigned)b << 16;                                                              \
            const float4 f = static_cast<float4>(number);                                                    \
            return bits(float2{f.x, f.y}) * 31 ^ bits(float2{f.z, f.w});                                     \
        });                                                                                                  \
        INTEGERS(T, short);                                                                                  \
        INTEGERS(T, unsigned short);                                                                         \
        INTEGERS(T, int);                                                                                    \
        INTEGERS(T, unsigned);                                                                               \
        INTEGERS(T, long);                                                                                   \
        INTEGERS(T, unsigned long);                                                                          \
        INTEGERS(T, long long);                                                                              \
        INTEGERS(T, unsigned long long);                                                                     \
        floats(#T " of float", [](float x) { return bits(T(x)); });                                          \
        doubles(#T " of double", [](double x) { return bits(T(x)); });                                       \
        words(#T " of half",                                                                                 \
              [](unsigned short a, unsigned short) { return bits(T(__half(__half_raw{a}))); });              \
        words(#T " of bfloat16", [](unsigned short a, unsigned short) {                                      \
            return bits(T(__nv_bfloat16(__nv_bfloat16_raw{a})));                                             \
        });                                                                                                  \
        floats(#T2 " of float2", [](float x) { return bits(T2(float2{x, 3 - x})); });                        \
        doubles(#T2 " of double2", [](double x) { return bits(T2(double2{x, 3 - x})); });                    \
        words(#T2 " of half2", [](unsigned short a, unsigned short b) {                                      \
            return bits(T2(__half2(__half2_raw{a, b})));                                                     \
        });                                                                                                  \
        words(#T2 " of bfloat162", [](unsigned short a, unsigned short b) {                                  \
            return bits(T2(__nv_bfloat162(__nv_bfloat16_raw{a}, __nv_bfloat16_raw{b})));                     \
        });                                                                                                  \
        words(#T4 " of half2", [](unsigned short a, unsigned short b) {                                      \
            return bits(T4(__half2(__half2_raw{a, b}), __half2(__half2_raw{b, 1})));                         \
        });                                                                                                  \
        words(#T4 " of bfloat162", [](unsigned short a, unsigned short b) {                                  \
            return bits(T4(__nv_bfloat162(__nv_bfloat16_raw{a}, __nv_bfloat16_raw{b}),                       \
                           __nv_bfloat162(__nv_bfloat16_raw{b}, __nv_bfloat16_raw{7})));                     \
        });                                                                                                  \
        floats(#T4 " of float4", [](float x) { return bits(T4(float4{x, 3 - x, x * 5, 1 / x})); });          \
        doubles(#T4 " of double4", [](double x) { return bits(T4(double4{x, 3 - x, x * 5, 1 / x})); });      \
        doubles(#T4 " of double4_16a", [](double x) {                                                        \
            return bits(T4(double4_16a{x, 3 - x, x * 5, 1 / x}));                                            \
        });                                                                                                  \
        doubles(#T4 " of double4_32a", [](double x) {                                                        \
            return bits(T4(double4_32a{x, 3 - x, x * 5, 1 / x}));                                            \
        });                                                                                                  \
        printf(#T " %zu of %zu, pair %zu of %zu, four %zu of %zu\n", sizeof(T), alignof(T), sizeof(T2),      \
               alignof(T2), sizeof(T4), alignof(T4));                                                        \
    } while (0)

#define FROM_FP8(kind)                                                                                       \
    do {                                                                                                     \
        words("half of " #kind, [](unsigned short a, unsigned short) {                                       \
            return bits(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, kind));                               \
        });                                                                                                  \
        words("half2 of " #kind,                                                                             \
              [](unsigned short a, unsigned short) { return bits(__nv_cvt_fp8x2_to_halfraw2(a, kind)); });   \
    } while (0)

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : nullptr;
    TO_FP8(__NV_NOSAT, __NV_E4M3);
    TO_FP8(__NV_SATFINITE, __NV_E4M3);
    TO_FP8(__NV_NOSAT, __NV_E5M2);
    TO_FP8(__NV_SATFINITE, __NV_E5M2);
    FROM_FP8(__NV_E4M3);
    FROM_FP8(__NV_E5M2);
    TO_SCALE(__NV_NOSAT, cudaRoundZero);
    TO_SCALE(__NV_NOSAT, cudaRoundPosInf);
    TO_SCALE(__NV_SATFINITE, cudaRoundZero);
    TO_SCALE(__NV_SATFINITE, cudaRoundPosInf);
    words("bfloat16 of a scale", [](unsigned short a, unsigned short) {
        return bits(__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)a));
    });
    words("bfloat162 of scales",
          [](unsigned short a, unsigned short) { return bits(__nv_cvt_e8m0x2_to_bf162raw(a)); });
    TYPE(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3);
    TYPE(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2);
    TYPE(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0);
    CONVERTED_PAIR(__nv_fp8x2_e8m0, __nv_bfloat162);
    return 0;
}
