// 8-bit floating-point numbers: all codes to float, all halves and many floats to 8 bits, on the device and
// on the host. Both are compared with a search for the nearest among the numbers that the formats'
// definitions give.
#include "common.h"

#include <cuda_fp8.h>
#include <cstring>

enum { CODES = 256, NUMBERS = 65536 };

struct Tables {
    float value[2][CODES];             // of each code, in E4M3 and in E5M2
    unsigned char of_half[2][NUMBERS]; // beyond the largest: the largest
    unsigned char of_float[2][NUMBERS];
    unsigned char past[2][NUMBERS]; // beyond the largest: NaN or infinity
    float2 pair[NUMBERS];           // through a pair and a four
    float4 four[NUMBERS];
};

__host__ __device__ float value_of(int kind, int code)
{
    __nv_fp8_e4m3 four;
    __nv_fp8_e5m2 five;
    four.__x = five.__x = (__nv_fp8_storage_t)code;
    return kind == 0 ? (float)four : (float)five;
}

__host__ __device__ void fill(Tables *t, const float *x, int i)
{
    for (int kind = 0; kind < 2; kind++) {
        const __nv_fp8_interpretation_t as = kind == 0 ? __NV_E4M3 : __NV_E5M2;
        if (i < CODES)
            t->value[kind][i] = value_of(kind, i);
        __half_raw raw;
        raw.x = (unsigned short)i;
        t->of_half[kind][i] = __nv_cvt_halfraw_to_fp8(raw, __NV_SATFINITE, as);
        t->of_float[kind][i] = kind == 0 ? __nv_fp8_e4m3(x[i]).__x : __nv_fp8_e5m2(x[i]).__x;
        t->past[kind][i] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, as);
    }
    t->pair[i] = (float2)__nv_fp8x2_e4m3(make_float2(x[i], -x[i]));
    t->four[i] = (float4)__nv_fp8x4_e5m2(make_float4(x[i], 1, 2, x[i] * 2));
}

__global__ void on_device(Tables *t, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        fill(t, x, i);
}

// The values that the formats' definitions give.
static double defined(int kind, int code)
{
    const int digits = kind == 0 ? 3 : 2, bias = kind == 0 ? 7 : 15;
    const int exponent = (code & 0x7f) >> digits, rest = code & ((1 << digits) - 1);
    const double size = exponent == 0 ? std::ldexp(rest, 1 - bias - digits)
                                      : std::ldexp((1 << digits) + rest, exponent - bias - digits);
    return code & 0x80 ? -size : size;
}

// The code of the nearest number; of two that are as near, the even one. `most`: the largest finite code.
static int nearest(int kind, double x, bool saturate)
{
    const int most = kind == 0 ? 0x7e : 0x7b, sign = std::signbit(x) ? 0x80 : 0;
    const double size = std::fabs(x);
    if (std::isnan(x))
        return 0x7f;
    int best = 0;
    for (int code = 0; code <= most; code++) {
        const double off = std::fabs(defined(kind, code) - size),
                     least = std::fabs(defined(kind, best) - size);
        if (off > least)
            break;
        if (off < least || (off == least && code % 2 == 0))
            best = code;
    }
    // What would be rounded to a number behind the largest, had the format one.
    const double step = defined(kind, most) - defined(kind, most - 1);
    const double limit = defined(kind, most) + step / 2;
    if (size > limit || (size == limit && most % 2 == 1))
        best = saturate ? most : most + 1;
    return best | sign;
}

static int wrong_values(const Tables &t)
{
    int wrong = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int code = 0; code < CODES; code++) {
            const int size = code & 0x7f;
            const float value = t.value[kind][code];
            if (kind == 0 ? size == 0x7f : size > 0x7c)
                wrong += !std::isnan(value);
            else if (kind == 1 && size == 0x7c)
                wrong += value != (code & 0x80 ? -INFINITY : INFINITY);
            else
                wrong += value != defined(kind, code) || std::signbit(value) != (code >> 7);
        }
    return wrong;
}

static int wrong_codes(const Tables &t, const std::vector<float> &x)
{
    int wrong = 0;
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < NUMBERS; i++) {
            __half_raw raw;
            raw.x = (unsigned short)i;
            wrong += t.of_half[kind][i] != nearest(kind, __half2float(__half(raw)), true);
        }
        for (int i = 0; i < NUMBERS; i++) {
            wrong += t.of_float[kind][i] != nearest(kind, x[i], true);
            wrong += t.past[kind][i] != nearest(kind, x[i], false);
        }
    }
    for (int i = 0; i < NUMBERS; i++) {
        const float low = value_of(0, nearest(0, x[i], true)), high = value_of(0, nearest(0, -x[i], true));
        const float first = value_of(1, nearest(1, x[i], true)),
                    last = value_of(1, nearest(1, x[i] * 2, true));
        if (std::isnan(x[i]))
            continue;
        wrong += t.pair[i].x != low || t.pair[i].y != high;
        wrong += t.four[i].x != first || t.four[i].y != 1 || t.four[i].z != 2 || t.four[i].w != last;
    }
    return wrong;
}

int main()
{
    Random random(8);
    std::vector<float> x(NUMBERS);
    for (int i = 0; i < NUMBERS; i++) {
        const unsigned word = random.next() << 16 ^ random.next();
        memcpy(&x[i], &word, sizeof word);
        if (i % 2 == 0) // in range, and every fourth at a tie or a number
            x[i] = std::ldexp(1 + (i % 4 == 0 ? (float)(random.next() % 16) / 16 : random.uniform()),
                              (int)(random.next() % 36) - 19);
    }
    Tables *t, *host = new Tables;
    float *numbers;
    CHECK(cudaMalloc(&t, sizeof *t));
    CHECK(cudaMalloc(&numbers, NUMBERS * sizeof *numbers));
    CHECK(cudaMemcpy(numbers, x.data(), NUMBERS * sizeof *numbers, cudaMemcpyHostToDevice));
    on_device<<<blocks_for(NUMBERS, 256), 256>>>(t, numbers, NUMBERS);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(host, t, sizeof *t, cudaMemcpyDeviceToHost));
    int wrong = wrong_values(*host), codes = wrong_codes(*host, x);
    printf("device: %d values and %d codes are wrong\n", wrong, codes);
    int all = wrong + codes;
    for (int i = 0; i < NUMBERS; i++)
        fill(host, x.data(), i);
    wrong = wrong_values(*host), codes = wrong_codes(*host, x);
    printf("host: %d values and %d codes are wrong\n", wrong, codes);
    all += wrong + codes;
    delete host;
    CHECK(cudaFree(t));
    CHECK(cudaFree(numbers));
    return report(all == 0);
}
