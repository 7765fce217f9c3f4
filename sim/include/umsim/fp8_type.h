/**
 * @file umsim/fp8_type.h
 * @brief An 8-bit floating-point type, pairs and fours of it. Included by cuda_fp8.h once for each format.
 *
 * All conversions are explicit and saturate, as CUDA's do. The first element is the lowest byte.
 */
struct __attribute__((__aligned__(1))) UMSIM_FP8 {
    __nv_fp8_storage_t __x; /**< the bits */

    UMSIM_FP8() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
    explicit UMSIM_FP8(const __half __f) : __x(umsim::fp8_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8(const __nv_bfloat16 __f) : __x(umsim::fp8_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8(const float __f) : __x(UMSIM_FP8_FORMAT::from(__f))
    {
    }
    explicit UMSIM_FP8(const double __f) : __x(UMSIM_FP8_FORMAT::from(__f))
    {
    }
/** @cond internal */
#define UMSIM_FP8_OF(I)                                                                                      \
    explicit UMSIM_FP8(const I __value) : __x(UMSIM_FP8_FORMAT::from(umsim::half_odd_double(__value)))       \
    {                                                                                                        \
    }
#define UMSIM_FP8_AS(I)                                                                                      \
    explicit operator I() const                                                                              \
    {                                                                                                        \
        return umsim::half_to_integer<I>(UMSIM_FP8_FORMAT::to(__x));                                         \
    }
    /** @endcond */
    UMSIM_FP8_OF(short)
    UMSIM_FP8_OF(unsigned short)
    UMSIM_FP8_OF(int)
    UMSIM_FP8_OF(unsigned)
    UMSIM_FP8_OF(long)
    UMSIM_FP8_OF(unsigned long)
    UMSIM_FP8_OF(long long)
    UMSIM_FP8_OF(unsigned long long)
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
    explicit operator __half() const
    {
        return umsim::half_of<__half, __half_raw>(umsim_float_to_half(UMSIM_FP8_FORMAT::to(__x)));
    }
    explicit operator __nv_bfloat16() const
    {
        return umsim::half_of<__nv_bfloat16, __nv_bfloat16_raw>(
            umsim_float_to_bfloat16(UMSIM_FP8_FORMAT::to(__x)));
    }
    explicit operator float() const
    {
        return UMSIM_FP8_FORMAT::to(__x);
    }
    explicit operator double() const
    {
        return UMSIM_FP8_FORMAT::to(__x);
    }
    explicit operator bool() const
    {
        return UMSIM_FP8_FORMAT::is_other_than_zero(__x);
    }
    UMSIM_FP8_AS(signed char)
    UMSIM_FP8_AS(unsigned char)
    UMSIM_FP8_AS(char)
    UMSIM_FP8_AS(short)
    UMSIM_FP8_AS(unsigned short)
    UMSIM_FP8_AS(int)
    UMSIM_FP8_AS(unsigned)
    UMSIM_FP8_AS(long)
    UMSIM_FP8_AS(unsigned long)
    UMSIM_FP8_AS(long long)
    UMSIM_FP8_AS(unsigned long long)
#endif
#undef UMSIM_FP8_OF
#undef UMSIM_FP8_AS
#endif
};

struct __attribute__((__aligned__(2))) UMSIM_FP8X2 {
    __nv_fp8x2_storage_t __x; /**< the bits of both */

    UMSIM_FP8X2() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
    explicit UMSIM_FP8X2(const __half2 __f) : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8X2(const __nv_bfloat162 __f) : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8X2(const float2 __f) : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8X2(const double2 __f) : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
    explicit operator __half2() const
    {
        return __half2(umsim::fp8_halves<UMSIM_FP8_FORMAT>(__x));
    }
#ifdef UMSIM_FP8_SCALES /* only these have pairs for which half is too narrow */
    explicit operator __nv_bfloat162() const
    {
        return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x));
    }
#endif
    explicit operator float2() const
    {
        return float2{umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 0), umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 1)};
    }
#endif
#endif
};

struct __attribute__((__aligned__(4))) UMSIM_FP8X4 {
    __nv_fp8x4_storage_t __x; /**< the bits of all four */

    UMSIM_FP8X4() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
    explicit UMSIM_FP8X4(const __half2 __low, const __half2 __high)
        : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__low) | (unsigned)umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__high)
                                                             << 16)
    {
    }
    explicit UMSIM_FP8X4(const __nv_bfloat162 __low, const __nv_bfloat162 __high)
        : __x(umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__low) | (unsigned)umsim::fp8x2_of<UMSIM_FP8_FORMAT>(__high)
                                                             << 16)
    {
    }
    explicit UMSIM_FP8X4(const float4 __f) : __x(umsim::fp8x4_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    explicit UMSIM_FP8X4(const double4 __f) : __x(umsim::fp8x4_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
#ifndef UMSIM_CUDA12
    explicit UMSIM_FP8X4(const double4_16a __f) : __x(umsim::fp8x4_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
    /* By reference: gcc tells users of a change of how such a value is passed. */
    explicit UMSIM_FP8X4(const double4_32a &__f) : __x(umsim::fp8x4_of<UMSIM_FP8_FORMAT>(__f))
    {
    }
#endif
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
    explicit operator float4() const
    {
        return float4{umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 0), umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 1),
                      umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 2), umsim::fp8_at<UMSIM_FP8_FORMAT>(__x, 3)};
    }
#endif
#endif
};

#undef UMSIM_FP8
#undef UMSIM_FP8X2
#undef UMSIM_FP8X4
#undef UMSIM_FP8_FORMAT
