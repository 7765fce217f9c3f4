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
#include "umsim/affine_operators.h"
#include "umsim/proof.h"

namespace umsim
{

/**
 * The loops of a row of threads as numbers: that of the first thread begins at `first`, that of the last one
 * at `last`, those between them are evenly spaced. Each runs from there on by `step` while below `limit`.
 * `usable` says that C++'s own arithmetic gives exactly these values: nothing wraps around, and no conversion
 * changes a sign.
 */
struct course {
    bool usable;
    int64_t first, last, limit, step;
};

/** The type of an integer, be it of one thread or of a row; void for anything else. */
template <class _Xp> struct course_type {
    typedef typename std::conditional<is_row_integer<_Xp>::value, _Xp, void>::type type;
};
template <class _Tp> struct course_type<row_value<_Tp>> {
    typedef typename std::conditional<is_row_integer<_Tp>::value, _Tp, void>::type type;
};

/** The largest value of an integer type, if an int64_t holds it. */
template <class _Tp> constexpr int64_t largest()
{
    return (int64_t)((UINT64_MAX >> (64 - 8 * sizeof(_Tp))) >>
                     (std::is_signed<_Tp>::value || sizeof(_Tp) == 8 ? 1 : 0));
}

template <class _Ip, class _Lp, class _Sp> struct course_in {
    static course of(row_value<_Ip> __i, row_value<_Lp> __l, row_value<_Sp> __s, bool __or_equal)
    {
        typedef decltype(_Ip() + _Lp()) __compared;
        const row_value<_Ip> __start = row_settled(__i);
        const row_value<__compared> __limit = row_settled(row_in<__compared>(__l));
        const row_value<_Sp> __step = row_settled(__s);
        const int64_t __most = largest<_Ip>();
        course __c = {false, __start.first, __start.last, __limit.first, __step.first};
        if (!__start.known || !__limit.is_uniform() || !__step.is_uniform() || __c.first < 0 || __c.last < 0)
            return __c;
        if (__c.step <= 0 || __c.step >= __most || __c.limit >= __most)
            return __c;
        __c.limit += __or_equal;
        __c.usable = __c.limit < 0 || __c.limit <= __most - __c.step;
        return __c;
    }
};
template <bool> struct course_if {
    template <class _Ip, class _Lp, class _Sp>
    static course of(_Ip __i, _Lp __limit, _Sp __step, bool __or_equal)
    {
        return course_in<typename course_type<_Ip>::type, typename course_type<_Lp>::type,
                         typename course_type<_Sp>::type>::of(__i, __limit, __step, __or_equal);
    }
};
template <> struct course_if<false> {
    template <class _Ip, class _Lp, class _Sp> static course of(_Ip, _Lp, _Sp, bool)
    {
        return course{false, 0, 0, 0, 0};
    }
};

/** `for (i = ...; i < limit; i += step)` as a course; types other than integers are not usable. */
template <class _Ip, class _Lp, class _Sp>
inline course course_of(_Ip __i, _Lp __limit, _Sp __step, bool __or_equal)
{
    constexpr bool __integers = !std::is_void<typename course_type<_Ip>::type>::value &&
                                !std::is_void<typename course_type<_Lp>::type>::value &&
                                !std::is_void<typename course_type<_Sp>::type>::value;
    return course_if<__integers>::of(__i, __limit, __step, __or_equal);
}

/** The purpose of a call of a kernel's body: to tell the course of a row, to run the turn with this value, or
 * (neither) to run everything. */
struct pass {
    bool asks, on;
    bool trial; /**< never run: what gcc has to prove of a turn (umsim/proof.h) */
    bool small; /**< the value is in small_value: an int counts without wrapping, which lets gcc vectorise */
    int small_value;
    int64_t value;
    row_index row;
    course *answer;

    template <class _Ip> __attribute__((__always_inline__)) _Ip at() const
    {
        return small ? (_Ip)small_value : (_Ip)value;
    }

    /** Stands in the loop's condition. @return whether there is a turn */
    template <class _Ip> __attribute__((__always_inline__)) bool begin(bool __more, _Ip &__i) const
    {
        if (__more)
            __i = at<_Ip>();
        return __more;
    }

    template <class _Ip> __attribute__((__always_inline__)) bool is_at(const _Ip &__i) const
    {
        return unchanged(bits_of(at<_Ip>()), __i);
    }
};

/** A call that runs the turn with a value. */
__attribute__((__always_inline__)) inline pass pass_at(bool __small, int __small_value, int64_t __value)
{
    return pass{false, true, false, __small, __small_value, __value, row_index(), nullptr};
}

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

    course ask(const row &__r) const
    {
        course __answer = {false, 0, 0, 0, 0};
        const row_index __row = {row_value<unsigned>(true, 0, (int64_t)block.x - 1), __r.y, __r.z};
        call(__r, 0, pass{true, false, false, false, 0, 0, __row, &__answer});
        return __answer;
    }

    /* What gcc has to prove; never called. */
    __attribute__((__noinline__)) static void prove(const striding &__all, const row &__r, unsigned __x,
                                                    int64_t __value)
    {
        __all.call(__r, __x, pass{false, true, true, false, 0, __value, row_index(), nullptr});
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
        const course __one = ask(first_row(__first));
        int64_t __next = __one.first;
        bool __line = _Anonymous;
        const bool __rows =
            block.x >= 8 && for_rows(__first, __last, [&](const row &__r) {
                const course __c = ask(__r);
                const bool __beside = __c.last - __c.first == block.x - 1 && __c.step >= block.x;
                const bool __together = __c.last == __c.first && __c.step >= 2 && __c.step >= block.y;
                __line &= __beside && __c.first == __next && __c.limit == __one.limit;
                __next = __c.first + block.x;
                return __c.usable && __c.step == __one.step && (__beside || __together);
            });
        return !__rows ? _Scattered : __line ? _Line : _Rows;
    }

    void iterate(const row &__r, int64_t __value, int64_t __by, uint64_t __count) const
    {
        const _Body __own(body); /* of which gcc sees that no thread changes it */
        const striding __here{__own, block, grid};
        if (__by == 0) {
            for (unsigned __x = 0; __x < __count; __x++)
                __here.call(__r, __x, pass_at(false, 0, __value));
        } else if (__value <= INT_MAX - (int64_t)__count) {
            const int __begin = (int)__value, __end = __begin + (int)__count;
            if (__begin < 0)
                __builtin_unreachable(); /* so that unsigned counts do not wrap around either */
            for (int __i = __begin; __i < __end; __i++)
                __here.call(__r, unsigned(__i - __begin), pass_at(true, __i, 0));
        } else {
            for (int64_t __i = __value; __i < __value + (int64_t)__count; __i++)
                __here.call(__r, unsigned(__i - __value), pass_at(false, 0, __i));
        }
    }

    void run_line(uint64_t __first, uint64_t __last) const
    {
        const course __c = ask(first_row(__first));
        const int64_t __length = (int64_t)((__last - __first) * block.x * block.y * block.z);
        for (int64_t __value = __c.first; __value < __c.limit; __value += __c.step)
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
                    const course __c = ask(__r);
                    const int64_t __value = __c.first + __passed * __c.step, __left = __c.limit - __value;
                    const bool __beside = __c.last != __c.first;
                    if (__left <= 0)
                        return true;
                    __any = true;
                    iterate(__r, __value, __beside, __beside && __left < block.x ? __left : block.x);
                    return true;
                });
        }
    }

    void run_as_written(uint64_t __first, uint64_t __last) const
    {
        for_rows(__first, __last, [&](const row &__r) {
            for (unsigned __x = 0; __x < block.x; __x++)
                call(__r, __x, pass{false, false, false, false, 0, 0, row_index(), nullptr});
            return true;
        });
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const striding __all = {__body, __geometry->block, __geometry->grid};
        __asm__ volatile("" : : "r"(&prove)); /* so that it is compiled */
        const formation __taken = __all.formation_of(__first, __last);
        if (__taken == _Line)
            __all.run_line(__first, __last);
        else if (__taken == _Rows)
            __all.run_rows(__first, __last);
        else
            __all.run_as_written(__first, __last);
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 1;
};

/** umcc --check: a block at a time, and of it row after row in each pass, where they step side by side. The
 * rows' threads are told (umsim_thread_alone). */
template <class _Body, bool _Builtins> struct checked_strides : striding<_Body, false> {
    typedef striding<_Body, false> base;
    typedef typename base::row row;

    template <class _How>
    __attribute__((__always_inline__)) void threads(const row &__r, unsigned __count, const _How &__how) const
    {
        const unsigned __first = (__r.z * this->block.y + __r.y) * this->block.x;
        const _Body __um_kept_body(this->body); /* of which gcc sees that no thread changes it */
        const checked_strides __here = {{__um_kept_body, this->block, this->grid}};
        const row __at = __r;
        UMSIM_THREADS_ALONE(__x, 0u, __count)
        {
            __x_end = umsim_thread_alone(__first + __x, __x_most);
            __here.call(__at, __x, __how(__x));
        }
    }

    void iterate(const row &__r, int64_t __value, int64_t __by, unsigned __count) const
    {
        if (__by == 0) {
            threads(__r, __count, [=](unsigned) { return pass_at(false, 0, __value); });
        } else if (__value <= INT_MAX - (int64_t)__count) {
            const int __begin = (int)__value;
            threads(__r, __count, [=](unsigned __x) { return pass_at(true, __begin + (int)__x, 0); });
        } else {
            threads(__r, __count, [=](unsigned __x) { return pass_at(false, 0, __value + (int64_t)__x); });
        }
    }

    /* Of this only iterate() and ask() are the program's. */
    __attribute__((__no_sanitize_thread__)) void run_rows(uint64_t __first, uint64_t __last) const
    {
        bool __any = true;
        for (int64_t __passed = 0; __any; __passed++) {
            __any = false;
            this->for_rows(
                __first, __last, [&](const row &__r) __attribute__((__no_sanitize_thread__)) {
                    const course __c = this->ask(__r);
                    const int64_t __value = __c.first + __passed * __c.step, __left = __c.limit - __value;
                    const bool __beside = __c.last != __c.first;
                    if (__left <= 0)
                        return true;
                    __any = true;
                    iterate(__r, __value, __beside,
                            __beside && __left < this->block.x ? (unsigned)__left : this->block.x);
                    return true;
                });
        }
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const checked_strides __all = {{__body, __geometry->block, __geometry->grid}};
        __asm__ volatile("" : : "r"(&base::prove));
        if (__all.formation_of(__first, __last) != base::_Scattered) {
            __all.run_rows(__first, __last);
            return;
        }
        __all.for_rows(__first, __last, [&](const row &__r) {
            __all.threads(__r, __all.block.x, [](unsigned) {
                return pass{false, false, false, false, 0, 0, row_index(), nullptr};
            });
            return true;
        });
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 0;
};
template <> struct is_alone<checked_strides> {
    static constexpr uint8_t value = UMSIM_ALONE_BY_PARTS;
};

template <class _Body, bool _Builtins> struct strides : striding<_Body, false> {
};
template <class _Body, bool _Builtins> struct anonymous_strides : striding<_Body, true> {
};

} // namespace umsim

#endif
