/**
 * @file util_type.cuh
 * @brief CUB's small types: NullType, KeyValuePair, DoubleBuffer, and compile-time arithmetic.
 */
#ifndef UMSIM_CUB_UTIL_TYPE_CUH
#define UMSIM_CUB_UTIL_TYPE_CUH

#include "../cuda/std/cstdint" /* these for programs: NVIDIA's CUB includes them */
#include "../cuda/std/limits"
#include "../cuda/std/type_traits"
#include "../cuda/std/utility"
#include "config.cuh"
#include "util_debug.cuh"

#include <iterator>
#include <limits>
#include <type_traits>

namespace cub
{
/** For "no values". */
struct NullType {
    using value_type = NullType;
    template <class _Tp> __host__ __device__ NullType &operator=(const _Tp &)
    {
        return *this;
    }
    __host__ __device__ bool operator==(const NullType &) const
    {
        return true;
    }
    __host__ __device__ bool operator!=(const NullType &) const
    {
        return false;
    }
};

/** A number as a type, of CUDA 12's CUB. */
template <int _Value> struct Int2Type {
    enum { VALUE = _Value };
};

/** The logarithm of `_Number` to base 2, rounded up. */
template <int _Number> struct Log2 {
    enum { VALUE = _Number <= 1 ? 0 : 32 - __builtin_clz((unsigned)_Number - 1) };
};
template <int _Number> struct PowerOfTwo {
    enum { VALUE = (_Number & (_Number - 1)) == 0 };
};

/** @name Types of CUDA 12's CUB @{ */
template <bool _Condition, class _Then, class _Else> struct If {
    using Type = std::conditional_t<_Condition, _Then, _Else>;
};
template <class _Ap, class _Bp> struct Equals {
    enum { VALUE = std::is_same_v<_Ap, _Bp>, NEGATE = !VALUE };
};
/** @} */

/** Memory of `_Tp`'s size and alignment, whose constructor is not called: for shared memory. */
template <class _Tp> struct Uninitialized {
    alignas(_Tp) unsigned char storage[sizeof(_Tp)];
    __host__ __device__ _Tp &Alias()
    {
        return *(_Tp *)storage;
    }
};

/** A key and its value; ArgMin and ArgMax return places and elements so. */
template <class _Kp, class _Vp> struct KeyValuePair {
    using Key = _Kp;
    using Value = _Vp;
    Key key;
    Value value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const Key &__key, const Value &__value) : key(__key), value(__value)
    {
    }
    __host__ __device__ bool operator==(const KeyValuePair &__other) const
    {
        return key == __other.key && value == __other.value;
    }
    __host__ __device__ bool operator!=(const KeyValuePair &__other) const
    {
        return !(*this == __other);
    }
};

/** Two arrays, of which a sort makes the one with its result the current one. */
template <class _Tp> struct DoubleBuffer {
    _Tp *d_buffers[2] = {nullptr, nullptr};
    int selector = 0;
    __host__ __device__ DoubleBuffer()
    {
    }
    __host__ __device__ DoubleBuffer(_Tp *__current, _Tp *__alternate) : d_buffers{__current, __alternate}
    {
    }
    __host__ __device__ _Tp *Current()
    {
        return d_buffers[selector];
    }
    __host__ __device__ _Tp *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};

/** A value that only the device has when a call is made: the device reads it when it works. */
template <class _Tp, class _Ip = _Tp *> struct FutureValue {
    using value_type = _Tp;
    using iterator_type = _Ip;
    __host__ __device__ explicit FutureValue(_Ip __place) : __place_(__place)
    {
    }
    __host__ __device__ operator _Tp()
    {
        return *__place_;
    }

  private:
    _Ip __place_;
};

/** @name What kind of number a type is @{ */
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class _Tp> struct Traits {
    static constexpr Category CATEGORY = std::is_floating_point_v<_Tp> ? FLOATING_POINT
                                         : !std::is_integral_v<_Tp>    ? NOT_A_NUMBER
                                         : std::is_signed_v<_Tp>       ? SIGNED_INTEGER
                                                                       : UNSIGNED_INTEGER;
    static constexpr bool PRIMITIVE = CATEGORY != NOT_A_NUMBER, NULL_TYPE = std::is_same_v<_Tp, NullType>;
    static __host__ __device__ _Tp Max()
    {
        return std::numeric_limits<_Tp>::max();
    }
    static __host__ __device__ _Tp Lowest()
    {
        return std::numeric_limits<_Tp>::lowest();
    }
};
template <class _Tp> using NumericTraits = Traits<_Tp>;
/** @} */

/** Whether an operation has a third argument, the item's number. */
template <class _Tp, class _Fp> struct BinaryOpHasIdxParam {
    static constexpr bool value = std::is_invocable_v<_Fp, _Tp, _Tp, int>, HAS_PARAM = value;
};

namespace detail
{
/* The same, for arrays of one and of several values: "the storage of a block's or a warp's threads". */
template <class _Tp, int _Count> struct array_storage {
    alignas(_Tp) unsigned char bytes[sizeof(_Tp) * _Count];
    __host__ __device__ _Tp *values()
    {
        return (_Tp *)bytes;
    }
};
} // namespace detail
} // namespace cub

#endif
