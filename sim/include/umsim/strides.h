/**
 * @file umsim/strides.h
 * @brief Kernels that end with a grid-stride loop: all threads of a worker's blocks take a turn of it, then
 * the next.
 *
 * umcc marks such loops (umcc/loop.c): in the turn that it is told of, the kernel's body runs the loop's body
 * once. Part of umsim/device.h; students do not include this file.
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
 * A thread's loop as numbers: it runs for start, start + step, ... while below limit. `usable` where C's own
 * arithmetic comes to exactly that: nothing wraps around, nothing changes its sign on the way to a
 * comparison.
 */
struct course {
    bool usable;
    bool own; /**< each turn touches its own elements of arrays that do not overlap */
    int64_t start, limit, step;
};

/** The largest value of an integer type, if an int64_t holds it. */
template <class T> constexpr uint64_t largest()
{
    return (UINT64_MAX >> (64 - 8 * sizeof(T))) >> (std::is_signed<T>::value || sizeof(T) == 8 ? 1 : 0);
}

/** `for (I i = start; i < limit; i += step)` as a course; anything else than integers is not usable. */
template <class I, class L, class S, bool Integers> struct course_of {
    static course of(I, L, S, bool)
    {
        return course{false, false, 0, 0, 0};
    }
};
template <class I, class L, class S> struct course_of<I, L, S, true> {
    __attribute__((always_inline)) static course of(I start, L limit, S step, bool or_equal)
    {
        typedef decltype(start + limit) compared;
        const compared c_start = (compared)start, c_limit = (compared)limit;
        const uint64_t most = largest<I>();
        course c = {false, false, (int64_t)start, (int64_t)c_limit, (int64_t)step};
        const bool same =
            c.start >= 0 && (int64_t)c_start == c.start && (c_limit < 0 || (uint64_t)c_limit < most);
        if (!same || c.step <= 0 || (uint64_t)c.step >= most)
            return c;
        c.limit += or_equal;
        c.usable = c.limit < 0 || (uint64_t)c.limit + (uint64_t)c.step <= most;
        return c;
    }
};

/** Whether arrays of so many elements are all apart from each other, or the same. */
template <class P> bool are_apart(int64_t, const volatile P *)
{
    return true;
}
inline bool are_apart(int64_t)
{
    return true;
}
template <class P, class Q, class... More>
bool are_apart(int64_t count, const volatile P *p, const volatile Q *q, const volatile More *...more)
{
    const uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
    const uint64_t distance = a < b ? b - a : a - b,
                   bytes = (uint64_t)count * (a < b ? sizeof(P) : sizeof(Q));
    const bool same = a == b && sizeof(P) == sizeof(Q);
    return (same || count <= 0 || distance >= bytes) && are_apart(count, p, more...) &&
           are_apart(count, q, more...);
}

/** What a call of a kernel's body is for: to say its course, to run the turn with this value, or (neither)
 * everything. */
struct pass {
    bool probe, on;
    bool small; /**< the value is in small_value: an int counts without wrapping, which lets gcc vectorise */
    int small_value;
    int64_t value;
    course *told;

    /** Stands where the loop begins. @return as a value of i's type: whether the loop is to be entered */
    template <class I, class L, class S>
    __attribute__((always_inline)) I start(I &i, L limit, S step, bool or_equal) const
    {
        constexpr bool integers = std::is_integral<I>::value && std::is_integral<L>::value &&
                                  std::is_integral<S>::value && sizeof(I) <= 8 && sizeof(L) <= 8 &&
                                  sizeof(S) <= 8;
        if (probe) {
            *told = course_of<I, L, S, integers>::of(i, limit, step, or_equal);
            return I();
        }
        if (integers && on)
            i = small ? (I)small_value : (I)value;
        return (I)1;
    }

    /** The same for a loop that touches no memory but the elements i of these arrays. */
    template <class I, class L, class S, class... P>
    __attribute__((always_inline)) I start_own(I &i, L limit, S step, bool or_equal,
                                               const volatile P *...arrays) const
    {
        const I enter = start(i, limit, step, or_equal);
        if (probe)
            told->own = are_apart(told->limit, arrays...);
        return enter;
    }
};

/** `Anonymous`: the loop's body does not mention the built-in variables, nor what was computed from them, but
 * for i. */
template <class Body, bool Anonymous> struct striding {
    const Body &body;
    const dim3 block, grid;

    struct row {
        uint3 index;
        unsigned y, z;
    };

    __attribute__((always_inline)) void call(const row &r, unsigned x, const pass &how) const
    {
        Body thread(body);
        thread(uint3{x, r.y, r.z}, r.index, block, grid, how);
    }

    __attribute__((always_inline)) course probe(const row &r, unsigned x) const
    {
        course told = {false, false, 0, 0, 0};
        call(r, x, pass{true, false, false, 0, 0, &told});
        return told;
    }

    row first_row(uint64_t first) const
    {
        const uint64_t line = first / grid.x;
        return row{{unsigned(first % grid.x), unsigned(line % grid.y), unsigned(line / grid.y)}, 0, 0};
    }

    /* Does `f(row)` for every row of the blocks until one returns false. @return whether all did not */
    template <class F>
    __attribute__((always_inline)) bool for_rows(uint64_t first, uint64_t last, const F &f) const
    {
        uint3 index = first_row(first).index;
        for (uint64_t i = first; i < last; i++) {
            for (unsigned z = 0; z < block.z; z++)
                for (unsigned y = 0; y < block.y; y++)
                    if (!f(row{index, y, z}))
                        return false;
            if (++index.x == grid.x) {
                index.x = 0;
                if (++index.y == grid.y) {
                    index.y = 0;
                    index.z++;
                }
            }
        }
        return true;
    }

    /* How the threads of some blocks stand to each other at the start of their loops. */
    enum formation {
        SCATTERED, /* one thread after the other is better, or the only right way */
        /* those of a row side by side, or all at one place (a loop over y), with steps over each other */
        ROWS,
        LINE, /* all side by side, and the body asks for nothing but its place in this line */
    };

    formation formation_of(uint64_t first, uint64_t last) const
    {
        const course one = probe(first_row(first), 0);
        int64_t next = one.start;
        bool line = Anonymous;
        const bool rows = block.x >= 8 && for_rows(first, last, [&](const row &r) {
                              const course a = probe(r, 0), b = probe(r, block.x - 1);
                              const bool beside = b.start - a.start == block.x - 1 && a.step >= block.x;
                              const bool together = b.start == a.start && a.step >= 2 && a.step >= block.y;
                              line &= beside && a.start == next && a.limit == one.limit;
                              next = a.start + block.x;
                              return a.usable && b.usable && a.step == one.step && (beside || together);
                          });
        return !rows ? SCATTERED : line ? LINE : ROWS;
    }

    void turn(const row &r, int64_t value, int64_t by, uint64_t count) const
    {
        if (by == 0) {
#pragma GCC ivdep
            for (unsigned x = 0; x < count; x++)
                call(r, x, pass{false, true, false, 0, value, nullptr});
        } else if (value <= INT_MAX - (int64_t)count) {
            const int begin = (int)value, end = begin + (int)count;
            if (begin < 0)
                __builtin_unreachable(); /* so unsigned counts without wrapping, too */
#pragma GCC ivdep
            for (int i = begin; i < end; i++)
                call(r, unsigned(i - begin), pass{false, true, true, i, 0, nullptr});
        } else {
#pragma GCC ivdep
            for (int64_t i = value; i < value + (int64_t)count; i++)
                call(r, unsigned(i - value), pass{false, true, false, 0, i, nullptr});
        }
    }

    /* Whether the whole grid stands in a line, and whatever step it takes it stands beside where it stood.
     * Looked at by every worker for itself, so not for grids that have a thread for each element anyway. */
    bool is_free() const
    {
        const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z,
                       threads = blocks * block.x * block.y * block.z;
        const course c = probe(first_row(0), 0);
        return Anonymous && c.own && (uint64_t)c.step == threads && blocks <= 8192 &&
               formation_of(0, blocks) == LINE;
    }

    /* The part of all turns of all threads that falls to these blocks, in the elements' order. */
    void run_free(uint64_t first, uint64_t last) const
    {
        const course c = probe(first_row(0), 0);
        const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z,
                       all = c.limit > c.start ? c.limit - c.start : 0;
        const uint64_t begin = all / blocks * first / 16 * 16, end = all / blocks * last / 16 * 16;
        turn(first_row(0), c.start + begin, 1, (last == blocks ? all : end) - begin);
    }

    void run_line(uint64_t first, uint64_t last) const
    {
        const course c = probe(first_row(first), 0);
        const int64_t length = (int64_t)((last - first) * block.x * block.y * block.z);
        for (int64_t value = c.start; value < c.limit; value += c.step)
            turn(first_row(first), value, 1, c.limit - value < length ? c.limit - value : length);
    }

    /* Turn after turn until no thread has one left. */
    void run_rows(uint64_t first, uint64_t last) const
    {
        bool any = true;
        for (int64_t passed = 0; any; passed++) {
            any = false;
            for_rows(
                first, last, [&](const row &r) __attribute__((always_inline)) {
                    const course c = probe(r, 0);
                    const int64_t value = c.start + passed * c.step, left = c.limit - value;
                    if (left <= 0)
                        return true;
                    const bool beside = probe(r, block.x - 1).start != c.start;
                    any = true;
                    turn(r, value, beside, beside && left < block.x ? left : block.x);
                    return true;
                });
        }
    }

    static void run(const void *closure, const umsim_geometry *geometry, uint64_t first, uint64_t last)
    {
        const Body body(*static_cast<const Body *>(closure));
        const striding all = {body, geometry->block, geometry->grid};
        if (all.is_free())
            return all.run_free(first, last);
        const formation formation = all.formation_of(first, last);
        if (formation == LINE)
            all.run_line(first, last);
        else if (formation == ROWS)
            all.run_rows(first, last);
        else
            all.for_rows(first, last, [&](const row &r) {
                for (unsigned x = 0; x < all.block.x; x++)
                    all.call(r, x, pass{false, false, false, 0, 0, nullptr});
                return true;
            });
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 1;
};

template <class Body, bool Builtins> struct strides : striding<Body, false> {
};
template <class Body, bool Builtins> struct anonymous_strides : striding<Body, true> {
};

} // namespace umsim

#endif
