/*
 * Intrinsics: rounding modes against exact neighbours, conversions, operations on parts of a word, special
 * functions against known values; the same in kernels and in host code.
 */
#include "check.h"
#include <cfloat>
#include <cmath>

/* Is `down <= exact <= up`, with nothing between but the exact value? */
template <class F> __host__ __device__ bool brackets(F down, F nearest, F up, F zero)
{
    const F lower = nearest > 0 ? down : up;
    return down <= nearest && nearest <= up && (down == up || nextafter(down, up) == up) && zero == lower;
}

__host__ __device__ int rounding()
{
    int wrong = 0;
    float a = 1.1f, b = 0.3f;
    double c = 1.1, d = 0.3;
    for (int i = 0; i < 200; i++) {
        wrong += !brackets(__fadd_rd(a, b), __fadd_rn(a, b), __fadd_ru(a, b), __fadd_rz(a, b));
        wrong += !brackets(__fsub_rd(a, b), __fsub_rn(a, b), __fsub_ru(a, b), __fsub_rz(a, b));
        wrong += !brackets(__fmul_rd(a, b), __fmul_rn(a, b), __fmul_ru(a, b), __fmul_rz(a, b));
        wrong += !brackets(__fdiv_rd(a, b), __fdiv_rn(a, b), __fdiv_ru(a, b), __fdiv_rz(a, b));
        wrong += !brackets(__fmaf_rd(a, b, b), __fmaf_rn(a, b, b), __fmaf_ru(a, b, b), __fmaf_rz(a, b, b));
        wrong += !brackets(__dadd_rd(c, d), __dadd_rn(c, d), __dadd_ru(c, d), __dadd_rz(c, d));
        wrong += !brackets(__dmul_rd(c, d), __dmul_rn(c, d), __dmul_ru(c, d), __dmul_rz(c, d));
        wrong += !brackets(__ddiv_rd(c, d), __ddiv_rn(c, d), __ddiv_ru(c, d), __ddiv_rz(c, d));
        wrong += !brackets(__fma_rd(c, d, d), __fma_rn(c, d, d), __fma_ru(c, d, d), __fma_rz(c, d, d));
        wrong += !((double)__double2float_rd(c) <= c && c <= (double)__double2float_ru(c));
        wrong += (double)__fadd_rd(a, b) > (double)a + b || (double)__fmul_ru(a, b) < (double)a * b;
        a = -a * 1.37f;
        b *= 1.11f;
        c = -c * 1.37;
        d *= 1.11;
    }
    wrong += __fadd_rd(0.25f, 0.5f) != 0.75f || __fadd_ru(0.25f, 0.5f) != 0.75f; /* exact stays */
    wrong += __fadd_ru(1.0f, 1e-30f) != nextafterf(1, 2) || __fadd_rd(1.0f, 1e-30f) != 1;
    wrong += __fmul_rz(FLT_MAX, 2) != FLT_MAX || __fmul_ru(-FLT_MAX, 2) != -FLT_MAX;
    wrong +=
        __fma_ru(1, 1, 1e-300) != nextafter(1, 2) || __fma_rd(1, 1, 1e-300) != 1 || __fma_rz(3, 5, 7) != 22;
    wrong += __fma_rd(DBL_MAX, 2, 0) != DBL_MAX || __fma_rn(1, 1, 1e-300) != 1;
    wrong += __frcp_rd(3) >= __frcp_ru(3) || __fsqrt_rd(2) >= __fsqrt_ru(2) || __fsqrt_rz(4) != 2;
    wrong += __int2float_rz(16777217) != 16777216 || __int2float_ru(16777217) != 16777218;
    wrong +=
        __ll2double_rd(9007199254740993) != 9007199254740992 || __uint2float_rd(4294967295u) != 4294967040.0f;
    return wrong;
}

__host__ __device__ int parts()
{
    int wrong = 0;
    wrong += __vadd4(0x01ff7f80, 0x01010101) != 0x02008081 || __vaddus4(0x01ff7f80, 0x01010101) != 0x02ff8081;
    wrong += __vaddss4(0x7f80ff00, 0x01ff0101) != 0x7f800001 || __vsub2(0x00010000, 0x00020001) != 0xffffffff;
    wrong +=
        __vcmpeq4(0x01020304, 0x01000300) != 0xff00ff00 || __vsetgts2(0x0001ffff, 0x00000000) != 0x00010000;
    wrong += __vmaxs4(0x80000001, 0x00ff0000) != 0x00000001 || __vmaxu4(0x80000001, 0x00ff0000) != 0x80ff0001;
    wrong += __vabsdiffu4(0x05000003, 0x02010003) != 0x03010000 || __vsadu4(0x05000003, 0x02010003) != 4;
    wrong += __vavgu4(0x01020304, 0x02020404) != 0x02020404 || __vneg2(0x00018000) != 0xffff8000;
    wrong += __vabsss2(0x80008001) != 0x7fff7fff;
    wrong += __dp4a(0x01020304, 0x01ff0101, 10) != 10 + 1 - 2 + 3 + 4 || __dp4a(0xffu, 0xffu, 1u) != 65026;
    wrong += __funnelshift_lc(1, 2, 40) != 1 || __funnelshift_rc(1, 2, 32) != 2 || __urhadd(1, 2) != 2;
    wrong += umax(1u, 2u) != 2 || llmin(-1, 1) != -1;
    return wrong;
}

__host__ __device__ bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}
__host__ __device__ int special()
{
    int wrong = 0;
    const double at[] = {-0.999999, -0.7, -0.1, 1e-9, 0.3, 0.5, 0.9, 0.99999999};
    for (double y : at)
        wrong += !near(erf(erfinv(y)), y, 1e-14);
    for (double y = 1e-200; y < 2; y *= 7)
        wrong += !near(erfc(erfcinv(y)), y, 1e-12);
    wrong += !near(normcdfinv(0.975), 1.959963984540054, 1e-13) || !near(normcdfinvf(0.5f) + 1, 1, 1e-6);
    wrong += !near(erfcx(0.5), 0.6156903441929258749, 1e-14) || !near(erfcx(30), 0.018795888861416751, 1e-13);
    wrong += !near(erfcx(24.999999) / erfcx(25.000001), 1 + 8e-8, 1e-9);
    wrong += !near(cyl_bessel_i0(1), 1.2660658777520083, 1e-14) ||
             !near(cyl_bessel_i1(2), 1.5906368546373291, 1e-14);
    const double v[] = {3, 4, 12};
    wrong += norm(3, v) != 13 || rnorm3d(3, 4, 12) != 1.0 / 13 || norm4d(1, 1, 1, 1) != 2;
    return wrong;
}

__global__ void all(int *wrong)
{
    wrong[0] = rounding();
    wrong[1] = parts();
    wrong[2] = special();
}

int main()
{
    int *wrong = make_managed<int>(3);
    CHECK(rounding() == 0);
    CHECK(parts() == 0);
    CHECK(special() == 0);
    all<<<1, 1>>>(wrong);
    SYNC();
    CHECK(wrong[0] == 0 && wrong[1] == 0 && wrong[2] == 0);
    return finish();
}
