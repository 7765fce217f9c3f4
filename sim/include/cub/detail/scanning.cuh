/**
 * @file scanning.cuh
 * @brief The prefix sums of a block's or a warp's values, in all of CUB's forms.
 *
 * Every form is one walk over the thread's items that begins with what comes before them: the other threads'
 * items and, if there is one, a value that comes before all.
 */
#ifndef UMSIM_CUB_DETAIL_SCANNING_CUH
#define UMSIM_CUB_DETAIL_SCANNING_CUH

#include "group.cuh"

namespace cub
{
namespace detail
{
/* One value, or an array, as an array. */
template <class _Tp> struct items_of {
    static constexpr int count = 1;
};
template <class _Tp, int _Items> struct items_of<_Tp[_Items]> {
    static constexpr int count = _Items;
};
template <class _Tp> __host__ __device__ decltype(auto) item(_Tp &__x, int __i)
{
    if constexpr (std::is_array_v<_Tp>)
        return (__x[__i]);
    else
        return (__x);
}

/* What comes before all items: nothing, a value, or what the first warp's callback returns for their sum. */
struct no_start {
    static constexpr bool has = false;
};
template <class _Tp> struct given_start {
    static constexpr bool has = true;
    _Tp value;
};
template <class _Callback> struct asked_start {
    static constexpr bool has = true;
    _Callback &callback;
};

/* The methods that BlockScan and WarpScan have. Storage: a value for each thread, and one more. */
template <class _Self, class _Gp, class _Tp>
class scanner : public with_temporary<_Self, array_storage<_Tp, _Gp::threads + 1>>
{
    using base = with_temporary<_Self, array_storage<_Tp, _Gp::threads + 1>>;

  public:
    using base::base;

    /** (in, out), and a total or a callback. @{ */
    template <class _Ip, class _Op, class... _More>
    __device__ void InclusiveSum(_Ip &&__in, _Op &__out, _More &&...__more)
    {
        this->template with<true>(__in, __out, add(), __more...);
    }
    template <class _Ip, class _Op> __device__ void ExclusiveSum(_Ip &&__in, _Op &__out)
    {
        this->template with<false>(__in, __out, _Tp(), add());
    }
    template <class _Ip, class _Op, class _More>
    __device__ void ExclusiveSum(_Ip &&__in, _Op &__out, _More &__total_or_callback)
    {
        if constexpr (std::is_same_v<_More, _Tp>)
            this->template with<false>(__in, __out, _Tp(), add(), __total_or_callback);
        else
            this->template with<false>(__in, __out, add(), __total_or_callback);
    }
    /** @} */
    /** (in, out, op), (in, out, op, total or callback), (in, out, start, op), (in, out, start, op, total). @{
     */
    template <class _Ip, class _Op, class... _More>
    __device__ void InclusiveScan(_Ip &&__in, _Op &__out, _More &&...__more)
    {
        this->template with<true>(__in, __out, __more...);
    }
    template <class _Ip, class _Op, class... _More>
    __device__ void ExclusiveScan(_Ip &&__in, _Op &__out, _More &&...__more)
    {
        this->template with<false>(__in, __out, __more...);
    }
    /** @} */

  protected:
    template <class _Fp>
    static constexpr bool is_operation = std::is_invocable_v<_Fp &, const _Tp &, const _Tp &>;

    template <bool _Inclusive, class _Ip, class _Op, class _Fp>
    __device__ void with(_Ip &__in, _Op &__out, _Fp &&__op)
    {
        static_assert(is_operation<_Fp>, "cub: a scan needs an operation on two of its values");
        this->template walk<_Inclusive>(__in, __out, __op, no_start());
    }
    template <bool _Inclusive, class _Ip, class _Op, class _Ap, class _Bp>
    __device__ void with(_Ip &__in, _Op &__out, _Ap &&__a, _Bp &&__b)
    {
        if constexpr (!is_operation<_Ap>)
            this->template walk<_Inclusive>(__in, __out, __b, given_start<_Tp>{(_Tp)__a});
        else if constexpr (std::is_same_v<std::decay_t<_Bp>, _Tp>)
            __b = this->template walk<_Inclusive>(__in, __out, __a, no_start());
        else
            this->template walk<_Inclusive>(__in, __out, __a, asked_start<std::remove_reference_t<_Bp>>{__b});
    }
    template <bool _Inclusive, class _Ip, class _Op, class _Fp>
    __device__ void with(_Ip &__in, _Op &__out, _Tp __start, _Fp &&__op, _Tp &__total)
    {
        __total = this->template walk<_Inclusive>(__in, __out, __op, given_start<_Tp>{__start});
    }

    /* @return the items' sum, without the start */
    template <bool _Inclusive, class _Ip, class _Op, class _Fp, class _Sp>
    __device__ _Tp walk(_Ip &__in, _Op &__out, _Fp &__op, _Sp __start)
    {
        constexpr int __items = items_of<_Ip>::count;
        _Tp __sum = (_Tp)item(__in, 0);
        for (int __i = 1; __i < __items; __i++)
            __sum = __op(__sum, (_Tp)item(__in, __i));
        _Tp *const __s = this->__storage_.values();
        _Tp __before = __sum, __through = __sum;
        const _Tp __all = scan<_Gp>(__s, __sum, __before, __through, __op);
        bool __has = _Gp::rank() > 0;
        if constexpr (_Sp::has) {
            const _Tp __first = this->first(__start, __all);
            __before = __has ? (_Tp)__op(__first, __before) : __first;
            __has = true;
        }
        for (int __i = 0; __i < __items; __i++) {
            const _Tp __value = (_Tp)item(__in, __i);
            const _Tp __next = __has ? (_Tp)__op(__before, __value) : __value;
            if constexpr (_Inclusive)
                item(__out, __i) = __next;
            else if (__has)
                item(__out, __i) = __before;
            __before = __next;
            __has = true;
        }
        _Gp::done();
        return __all;
    }
    __device__ _Tp first(const given_start<_Tp> &__start, const _Tp &)
    {
        return __start.value;
    }
    template <class _Callback> __device__ _Tp first(asked_start<_Callback> __start, const _Tp &__all)
    {
        _Tp *const __place = this->__storage_.values() + _Gp::threads;
        if (_Gp::rank() < 32) {
            const _Tp __value = __start.callback(__all);
            if (_Gp::rank() == 0)
                *__place = __value;
        }
        _Gp::sync();
        return *__place;
    }
};
} // namespace detail
} // namespace cub

#endif
