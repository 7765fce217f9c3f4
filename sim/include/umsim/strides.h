/**
 * @file umsim/strides.h
 * @brief Kernels that end with a grid-stride loop: all threads of a worker's blocks take one pass of it,
 * then the next.
 *
 * umcc marks such loops (umcc/loop.c): each call of the kernel's body names a pass, and runs the loop's
 * body once for it. Part of umsim/device.h; students do not include this file.
 */
#ifndef UMSIM_STRIDES_H
#define UMSIM_STRIDES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#include "umsim/abi.h"

namespace umsim
{

/**
 * A thread's loop as numbers: it runs for start, start + step, ... while below limit. `usable` says that C's
 * own arithmetic gives exactly these values: nothing wraps around, and no conversion for a comparison changes
 * a sign.
 */
struct course {
    bool usable;
    bool own; /**< each pass accesses only its own elements of arrays that do not overlap */
    int64_t start, limit, step;
};

/** The largest value of an integer type, if an int64_t holds it. */
template <class _Tp> constexpr uint64_t largest()
{
    return (UINT64_MAX >> (64 - 8 * sizeof(_Tp))) >> (std::is_signed<_Tp>::value || sizeof(_Tp) == 8 ? 1 : 0);
}

/** `for (_Ip i = start; i < limit; i += step)` as a course; types other than integers are not usable. */
template <class _Ip, class _Lp, class _Sp, bool _Integers> struct course_of {
    static course of(_Ip, _Lp, _Sp, bool)
    {
        return course{false, false, 0, 0, 0};
    }
};
template <class _Ip, class _Lp, class _Sp> struct course_of<_Ip, _Lp, _Sp, true> {
    __attribute__((__always_inline__)) static course of(_Ip __start, _Lp __limit, _Sp __step, bool __or_equal)
    {
        typedef decltype(__start + __limit) __compared;
        const __compared __c_start = (__compared)__start, __c_limit = (__compared)__limit;
        const uint64_t __most = largest<_Ip>();
        course __c = {false, false, (int64_t)__start, (int64_t)__c_limit, (int64_t)__step};
        const bool __same = __c.start >= 0 && (int64_t)__c_start == __c.start &&
                            (__c_limit < 0 || (uint64_t)__c_limit < __most);
        if (!__same || __c.step <= 0 || (uint64_t)__c.step >= __most)
            return __c;
        __c.limit += __or_equal;
        __c.usable = __c.limit < 0 || (uint64_t)__c.limit + (uint64_t)__c.step <= __most;
        return __c;
    }
};

/** Whether arrays of this many elements are disjoint or identical, each with each. */
template <class _Pp> bool are_apart(int64_t, const volatile _Pp *)
{
    return true;
}
inline bool are_apart(int64_t)
{
    return true;
}
template <class _Pp, class _Qp, class... _More>
bool are_apart(int64_t __count, const volatile _Pp *__p, const volatile _Qp *__q,
               const volatile _More *...__more)
{
    const uintptr_t __a = (uintptr_t)__p, __b = (uintptr_t)__q;
    const uint64_t __distance = __a < __b ? __b - __a : __a - __b,
                   __bytes = (uint64_t)__count * (__a < __b ? sizeof(_Pp) : sizeof(_Qp));
    const bool __same = __a == __b && sizeof(_Pp) == sizeof(_Qp);
    return (__same || __count <= 0 || __distance >= __bytes) && are_apart(__count, __p, __more...) &&
           are_apart(__count, __q, __more...);
}

/** The purpose of a call of a kernel's body: to report its course, to run the pass with this value, or
 * (neither) to run everything. */
struct pass {
    bool probe, on;
    bool small; /**< the value is in small_value: an int counts without wrapping, which lets gcc vectorise */
    int small_value;
    int64_t value;
    course *told;

    /** Stands where the loop begins. @return whether the loop is to be entered, as a value of i's type */
    template <class _Ip, class _Lp, class _Sp>
    __attribute__((__always_inline__)) _Ip start(_Ip &__i, _Lp __limit, _Sp __step, bool __or_equal) const
    {
        constexpr bool __integers = std::is_integral<_Ip>::value && std::is_integral<_Lp>::value &&
                                    std::is_integral<_Sp>::value && sizeof(_Ip) <= 8 && sizeof(_Lp) <= 8 &&
                                    sizeof(_Sp) <= 8;
        if (probe) {
            *told = course_of<_Ip, _Lp, _Sp, __integers>::of(__i, __limit, __step, __or_equal);
            return _Ip();
        }
        if (__integers && on)
            __i = small ? (_Ip)small_value : (_Ip)value;
        return (_Ip)1;
    }

    /** The same for a loop that accesses no memory but the elements i of these arrays. */
    template <class _Ip, class _Lp, class _Sp, class... _Pp>
    __attribute__((__always_inline__)) _Ip start_own(_Ip &__i, _Lp __limit, _Sp __step, bool __or_equal,
                                                     const volatile _Pp *...__arrays) const
    {
        const _Ip __enter = start(__i, __limit, __step, __or_equal);
        if (probe)
            told->own = are_apart(told->limit, __arrays...);
        return __enter;
    }
};

/** `_Anonymous`: the loop's body mentions neither the built-in variables nor what was computed from them,
 * except i. */
template <class _Body, bool _Anonymous> struct striding {
    const _Body &body;
    const dim3 block, grid;

    struct row {
        uint3 index;
        unsigned y, z;
    };

    __attribute__((__always_inline__)) void call(const row &__r, unsigned __x, const pass &__how) const
    {
        _Body __thread_(body);
        __thread_(uint3{__x, __r.y, __r.z}, __r.index, block, grid, __how);
    }

    __attribute__((__always_inline__)) course probe(const row &__r, unsigned __x) const
    {
        course __told = {false, false, 0, 0, 0};
        call(__r, __x, pass{true, false, false, 0, 0, &__told});
        return __told;
    }

    row first_row(uint64_t __first) const
    {
        const uint64_t __line = __first / grid.x;
        return row{{unsigned(__first % grid.x), unsigned(__line % grid.y), unsigned(__line / grid.y)}, 0, 0};
    }

    /* Calls `__f(row)` for every row of the blocks until one call returns false. @return false if one did */
    template <class _Fp>
    __attribute__((__always_inline__)) bool for_rows(uint64_t __first, uint64_t __last, const _Fp &__f) const
    {
        uint3 __index = first_row(__first).index;
        for (uint64_t __i = __first; __i < __last; __i++) {
            for (unsigned __z = 0; __z < block.z; __z++)
                for (unsigned __y = 0; __y < block.y; __y++)
                    if (!__f(row{__index, __y, __z}))
                        return false;
            if (++__index.x == grid.x) {
                __index.x = 0;
                if (++__index.y == grid.y) {
                    __index.y = 0;
                    __index.z++;
                }
            }
        }
        return true;
    }

    /* How the threads of some blocks are positioned relative to each other at the start of their loops. */
    enum formation {
        _Scattered, /* one thread after the other is better, or the only correct way */
        /* those of a row side by side, or all at one place (a loop over y), with steps over each other */
        _Rows,
        _Line, /* all side by side, and the body uses only its position in this line */
    };

    formation formation_of(uint64_t __first, uint64_t __last) const
    {
        const course __one = probe(first_row(__first), 0);
        int64_t __next = __one.start;
        bool __line = _Anonymous;
        const bool __rows =
            block.x >= 8 && for_rows(__first, __last, [&](const row &__r) {
                const course __a = probe(__r, 0), __b = probe(__r, block.x - 1);
                const bool __beside = __b.start - __a.start == block.x - 1 && __a.step >= block.x;
                const bool __together = __b.start == __a.start && __a.step >= 2 && __a.step >= block.y;
                __line &= __beside && __a.start == __next && __a.limit == __one.limit;
                __next = __a.start + block.x;
                return __a.usable && __b.usable && __a.step == __one.step && (__beside || __together);
            });
        return !__rows ? _Scattered : __line ? _Line : _Rows;
    }

    void iterate(const row &__r, int64_t __value, int64_t __by, uint64_t __count) const
    {
        if (__by == 0) {
#pragma GCC ivdep
            for (unsigned __x = 0; __x < __count; __x++)
                call(__r, __x, pass{false, true, false, 0, __value, nullptr});
        } else if (__value <= INT_MAX - (int64_t)__count) {
            const int __begin = (int)__value, __end = __begin + (int)__count;
            if (__begin < 0)
                __builtin_unreachable(); /* so that unsigned counts do not wrap around either */
#pragma GCC ivdep
            for (int __i = __begin; __i < __end; __i++)
                call(__r, unsigned(__i - __begin), pass{false, true, true, __i, 0, nullptr});
        } else {
#pragma GCC ivdep
            for (int64_t __i = __value; __i < __value + (int64_t)__count; __i++)
                call(__r, unsigned(__i - __value), pass{false, true, false, 0, __i, nullptr});
        }
    }

    /* Whether the whole grid forms a line, and each step moves it by exactly its own length. Every worker
     * checks this for itself, so large grids, which have a thread for each element anyway, are not checked.
     */
    bool is_free() const
    {
        const uint64_t __blocks = (uint64_t)grid.x * grid.y * grid.z,
                       __threads = __blocks * block.x * block.y * block.z;
        const course __c = probe(first_row(0), 0);
        return _Anonymous && __c.own && (uint64_t)__c.step == __threads && __blocks <= 8192 &&
               formation_of(0, __blocks) == _Line;
    }

    /* Runs these blocks' share of all passes of all threads, in the elements' order. */
    void run_free(uint64_t __first, uint64_t __last) const
    {
        const course __c = probe(first_row(0), 0);
        const uint64_t __blocks = (uint64_t)grid.x * grid.y * grid.z,
                       __all = __c.limit > __c.start ? __c.limit - __c.start : 0;
        const uint64_t __begin = __all / __blocks * __first / 16 * 16,
                       __end = __all / __blocks * __last / 16 * 16;
        iterate(first_row(0), __c.start + __begin, 1, (__last == __blocks ? __all : __end) - __begin);
    }

    void run_line(uint64_t __first, uint64_t __last) const
    {
        const course __c = probe(first_row(__first), 0);
        const int64_t __length = (int64_t)((__last - __first) * block.x * block.y * block.z);
        for (int64_t __value = __c.start; __value < __c.limit; __value += __c.step)
            iterate(first_row(__first), __value, 1,
                    __c.limit - __value < __length ? __c.limit - __value : __length);
    }

    /* Runs pass after pass until no thread has one left. */
    void run_rows(uint64_t __first, uint64_t __last) const
    {
        bool __any = true;
        for (int64_t __passed = 0; __any; __passed++) {
            __any = false;
            for_rows(
                __first, __last, [&](const row &__r) __attribute__((__always_inline__)) {
                    const course __c = probe(__r, 0);
                    const int64_t __value = __c.start + __passed * __c.step, __left = __c.limit - __value;
                    if (__left <= 0)
                        return true;
                    const bool __beside = probe(__r, block.x - 1).start != __c.start;
                    __any = true;
                    iterate(__r, __value, __beside, __beside && __left < block.x ? __left : block.x);
                    return true;
                });
        }
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const striding __all = {__body, __geometry->block, __geometry->grid};
        if (__all.is_free())
            return __all.run_free(__first, __last);
        const formation __taken = __all.formation_of(__first, __last);
        if (__taken == _Line)
            __all.run_line(__first, __last);
        else if (__taken == _Rows)
            __all.run_rows(__first, __last);
        else
            __all.for_rows(__first, __last, [&](const row &__r) {
                for (unsigned __x = 0; __x < __all.block.x; __x++)
                    __all.call(__r, __x, pass{false, false, false, 0, 0, nullptr});
                return true;
            });
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 1;
};

template <class _Body, bool _Builtins> struct strides : striding<_Body, false> {
};
template <class _Body, bool _Builtins> struct anonymous_strides : striding<_Body, true> {
};

} // namespace umsim

#endif
