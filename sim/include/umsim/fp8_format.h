/**
 * @file umsim/fp8_format.h
 * @brief What the types of cuda_fp8.h share: a format as a class, and the conversions that all have. C++
 * only.
 *
 * umsim/fp8_type.h is written for a type of unnamed format, as umsim/half_type.h is.
 */
#ifndef UMSIM_FP8_FORMAT_H
#define UMSIM_FP8_FORMAT_H

/** @cond internal */
namespace umsim
{

/* E4M3 and E5M2. */
template <__nv_fp8_interpretation_t _Kind> struct fp8_number {
    static UMSIM_HALF_FN __nv_fp8_storage_t from(float __x)
    {
        return __nv_cvt_float_to_fp8(__x, __NV_SATFINITE, _Kind);
    }
    static UMSIM_HALF_FN __nv_fp8_storage_t from(double __x)
    {
        return __nv_cvt_double_to_fp8(__x, __NV_SATFINITE, _Kind);
    }
    static UMSIM_HALF_FN float to(__nv_fp8_storage_t __code)
    {
        return umsim_fp8_to_float(__code, umsim_fp8_format_of(_Kind == __NV_E4M3));
    }
    static UMSIM_HALF_FN bool is_other_than_zero(__nv_fp8_storage_t __code)
    {
        return (__code & 0x7f) != 0;
    }
};

/* E8M0: powers of two, no zero. */
struct fp8_scale {
    static UMSIM_HALF_FN __nv_fp8_storage_t from(float __x)
    {
        return __nv_cvt_float_to_e8m0(__x, __NV_SATFINITE, cudaRoundPosInf);
    }
    static UMSIM_HALF_FN __nv_fp8_storage_t from(double __x)
    {
        return __nv_cvt_double_to_e8m0(__x, __NV_SATFINITE, cudaRoundPosInf);
    }
    static UMSIM_HALF_FN float to(__nv_fp8_storage_t __code)
    {
        return umsim_e8m0_to_float(__code);
    }
    static UMSIM_HALF_FN bool is_other_than_zero(__nv_fp8_storage_t)
    {
        return true;
    }
};

/* A number of any type to 8 bits. */
template <class _Format, class _Fp> UMSIM_HALF_FN __nv_fp8_storage_t fp8_of(_Fp __x)
{
    return _Format::from(__x);
}
template <class _Format> UMSIM_HALF_FN __nv_fp8_storage_t fp8_of(__half __x)
{
    return _Format::from(umsim_half_to_float(half_bits<unsigned short>(__x)));
}
template <class _Format> UMSIM_HALF_FN __nv_fp8_storage_t fp8_of(__nv_bfloat16 __x)
{
    return _Format::from(umsim_bfloat16_to_float(half_bits<unsigned short>(__x)));
}
template <class _Format, class _Pair> UMSIM_HALF_FN __nv_fp8x2_storage_t fp8x2_of(const _Pair &__f)
{
    return (__nv_fp8x2_storage_t)(fp8_of<_Format>(__f.x) | fp8_of<_Format>(__f.y) << 8);
}
template <class _Format, class _Four> UMSIM_HALF_FN __nv_fp8x4_storage_t fp8x4_of(const _Four &__f)
{
    return fp8_of<_Format>(__f.x) | (unsigned)fp8_of<_Format>(__f.y) << 8 |
           (unsigned)fp8_of<_Format>(__f.z) << 16 | (unsigned)fp8_of<_Format>(__f.w) << 24;
}

/* One of two or four. */
template <class _Format> UMSIM_HALF_FN float fp8_at(unsigned __codes, int __i)
{
    return _Format::to((__nv_fp8_storage_t)(__codes >> 8 * __i));
}
template <class _Format> UMSIM_HALF_FN __half2_raw fp8_halves(unsigned __codes)
{
    __half2_raw __result;
    __result.x = umsim_float_to_half(fp8_at<_Format>(__codes, 0));
    __result.y = umsim_float_to_half(fp8_at<_Format>(__codes, 1));
    return __result;
}

} // namespace umsim
/** @endcond */

#endif
