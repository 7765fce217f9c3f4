/**
 * @file umsim/rows.h
 * @brief How a rewritten kernel's body is run: the ways of looping over the threads of a block.
 *
 * umcc chooses one for each kernel (sim/umcc/kernels.c). Part of umsim/device.h; students do not include
 * this file.
 */
#ifndef UMSIM_ROWS_H
#define UMSIM_ROWS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include "umsim/abi.h"
#include "umsim/affine_operators.h"

namespace umsim
{

/** Sets blockIdx and the like for device functions, which do not get them as parameters. */
inline void set_block(const uint3 &__block, const dim3 &__block_dim, const dim3 &__grid_dim)
{
    umsim_builtins.block_index = __block;
    umsim_builtins.block_dim = __block_dim;
    umsim_builtins.grid_dim = __grid_dim;
}

/** Which block of a grid is number `__i`. */
inline uint3 block_number(uint64_t __i, const dim3 &__grid)
{
    const uint64_t __row = __i / __grid.x;
    return {unsigned(__i % __grid.x), unsigned(__row % __grid.y), unsigned(__row / __grid.y)};
}

/**
 * The purpose of a call of a kernel's body. Most kernels begin with `if (i < n)`, which keeps gcc from
 * vectorising the loop over threads. umcc asks the condition for a whole row of threads (umcc/guard.c); where
 * it holds for all of them or for none, the row runs with that value in its place.
 */
struct guard {
    bool asks;         /**< only stores what is known of the condition, and returns */
    bool known, value; /**< the condition's value for the thread of this call, if known */
    row_index row;
    row_truth *answer;
    /** @name Conditions behind the first (umcc/steady.c)
     * @{ */
    row_truth *rest; /**< whether all are as they mostly are */
    bool steady;     /**< they are so for the thread of this call */
    bool trial;      /**< never run: what gcc has to prove (umsim/proof.h) */
    /** @} */
};

/**
 * The value of a variable for a thread: what the function gives. Of a row whose values are known to be evenly
 * spaced they are computed from those of its first two threads: gcc sees the distance, and that none wraps
 * around (umcc/steady.c).
 */
template <class _Tp, class _Fp>
__attribute__((__always_inline__)) inline _Tp evenly(bool __steady, const uint3 &__index, const _Fp &__value)
{
    if (!__steady || !std::is_same<typename std::remove_cv<_Tp>::type, int>::value)
        return __value(__index);
    const int __first = (int)__value(uint3{0, __index.y, __index.z});
    const unsigned __next = (unsigned)__value(uint3{1, __index.y, __index.z});
    return (_Tp)(__first + (int)(__next - (unsigned)__first) * (int)__index.x);
}

/** A call that runs a thread as it is written. */
inline guard as_written()
{
    return guard{false, false, false, row_index(), nullptr, nullptr, false, false};
}

/** A call that runs a thread of which it is known whether the first condition holds. */
inline guard as_known(bool __value, bool __steady = false)
{
    return guard{false, true, __value, row_index(), nullptr, nullptr, __steady, false};
}

/** What is known of a row's conditions: of the first, and of whether the others are as they mostly are. */
struct row_answers {
    row_knowledge first, rest;
};

/**
 * Kernels without barriers: whole blocks as plain loops. The innermost loop runs over x without a call in it,
 * so that gcc vectorises it where it finds that threads do not depend on each other. It is not told so (by
 * `ivdep`), because threads share the place of their own arrays on the stack: what one thread stores there
 * the next one would find.
 * Each thread has its own copy of the parameters, because a kernel may assign to them.
 */
template <class _Body, bool _Builtins, bool _Guarded, bool _Steady = false> struct row_form {
    const _Body &body;
    const uint3 index;
    const dim3 block, grid;

    void call(unsigned __x, unsigned __y, unsigned __z, const guard &__how) const
        __attribute__((__always_inline__))
    {
        _Body __thread_(body);
        const uint3 __thread_index = {__x, __y, __z};
        if (_Builtins)
            umsim_builtins.thread_index = __thread_index;
        __thread_(__thread_index, index, block, grid, __how);
    }

    /* What is known of the conditions for the first `__count` threads of a row. */
    row_answers ask(unsigned __count, unsigned __y, unsigned __z) const
    {
        row_truth __answer(_Unknown), __rest(_Unknown);
        if (_Guarded)
            call(0, __y, __z,
                 guard{true, false, false,
                       row_index{row_value<unsigned>(true, 0, (int64_t)__count - 1), __y, __z}, &__answer,
                       &__rest, false, false});
        return row_answers{__answer.is, __count < 2 ? _Unknown : __rest.is}; /* evenly() wants two */
    }

    /* What gcc has to prove; never called. */
    __attribute__((__noinline__)) static void prove(const _Body &__body, const uint3 &__thread_index,
                                                    const uint3 &__index, const dim3 &__block,
                                                    const dim3 &__grid)
    {
        _Body __thread_(__body);
        guard __how = as_written();
        __how.trial = true;
        __thread_(__thread_index, __index, __block, __grid, __how);
    }

    /* Counts the global index in an int, which does not wrap around: `blockIdx.x * blockDim.x + threadIdx.x`
     * is then the loop's own variable, and gcc sees that it indexes consecutive elements. */
    void fast_row(int __first, int __last, unsigned __y, unsigned __z, const guard &__how) const
        __attribute__((__always_inline__))
    {
        const _Body __own(body); /* of which gcc sees that no thread changes it */
        const row_form __here{__own, index, block, grid};
        for (int __i = __first; __i < __last; __i++)
            __here.call((unsigned)(__i - __first), __y, __z, __how);
    }

    void slow_row(unsigned __y, unsigned __z) const
    {
        for (unsigned __x = 0; __x < block.x; __x++)
            call(__x, __y, __z, as_written());
    }

    /* Runs `__last` - `__first` threads whose global indices an int holds. */
    void run_row(int __first, int __last, unsigned __y, unsigned __z, row_answers __known) const
    {
        if (_Steady && __known.first == _All && __known.rest == _All)
            fast_row(__first, __last, __y, __z, as_known(true, true));
        else if (_Guarded && __known.first == _All)
            fast_row(__first, __last, __y, __z, as_known(true));
        else if (_Guarded && __known.first == _None)
            fast_row(__first, __last, __y, __z, as_known(false));
        else
            fast_row(__first, __last, __y, __z, as_written());
    }

    void run_block() const
    {
        if (_Builtins)
            set_block(index, block, grid);
        const bool __countable = !_Builtins && (uint64_t)index.x * block.x + block.x <= INT_MAX;
        for (unsigned __z = 0; __z < block.z; __z++)
            for (unsigned __y = 0; __y < block.y; __y++)
                if (__countable)
                    run_row((int)(index.x * block.x), (int)(index.x * block.x + block.x), __y, __z,
                            ask(block.x, __y, __z));
                else
                    slow_row(__y, __z);
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        if (_Steady)
            __asm__ volatile("" : : "r"(&prove)); /* so that it is compiled */
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid;
        uint3 __index = block_number(__first, __grid);
        for (uint64_t __i = __first; __i < __last; __i++) {
            row_form{__body, __index, __geometry->block, __grid}.run_block();
            if (++__index.x < __grid.x)
                continue;
            __index.x = 0;
            if (++__index.y < __grid.y)
                continue;
            __index.y = 0;
            __index.z++;
        }
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 0;
};

/**
 * Kernels that use only `blockIdx.x * blockDim.x + threadIdx.x` (umcc/numbered.c): consecutive blocks of one
 * dimension are one row. Its threads see blocks of one thread each, and count from the row's first block. The
 * fixed cost of a block is some 30 ns, in which 1 to 2 KiB come from memory.
 */
template <class _Body, bool _Guarded, bool _Steady = false>
struct numbered_rows : row_form<_Body, false, _Guarded, _Steady> {
    explicit numbered_rows(const row_form<_Body, false, _Guarded, _Steady> &__line)
        : row_form<_Body, false, _Guarded, _Steady>(__line)
    {
    }

    /* Whether the other conditions are known of the first threads, though not of all: then blocks are better
     * run one by one. */
    bool is_steady_at_first(unsigned __threads) const
    {
        return _Steady && this->ask(__threads, 0, 0).rest == _All;
    }

    /* @return whether it was possible */
    bool run_line(int __first, int __last, unsigned __threads) const
    {
        const row_answers __known = this->ask((unsigned)(__last - __first), 0, 0);
        if (_Guarded && __known.first != _All && __known.first != _None)
            return false;
        if (_Steady && __known.first == _All && __known.rest != _All && is_steady_at_first(__threads))
            return false;
        this->run_row(__first, __last, 0, 0, __known);
        return true;
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const dim3 __block = __geometry->block, __grid = __geometry->grid;
        const uint64_t __begin = __first * __block.x, __end = __last * __block.x;
        if (__begin < __end && __end <= INT_MAX && __block.y * __block.z == 1 && __grid.y * __grid.z == 1) {
            const _Body __body(*static_cast<const _Body *>(__closure));
            const numbered_rows __line(row_form<_Body, false, _Guarded, _Steady>{
                __body, {(unsigned)__begin, 0, 0}, {1, 1, 1}, __grid});
            if (__line.run_line((int)__begin, (int)__end, __block.x))
                return;
        }
        row_form<_Body, false, _Guarded, _Steady>::run(__closure, __geometry, __first, __last);
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
};

template <class _Body, bool _Builtins> struct blocks : row_form<_Body, _Builtins, false> {
};
/** The same, for kernels whose first condition umcc has marked. */
template <class _Body, bool _Builtins> struct guarded_blocks : row_form<_Body, _Builtins, true> {
};

/** ... and others that it has marked, too. */
template <class _Body, bool _Builtins> struct steady_blocks : row_form<_Body, _Builtins, true, true> {
};

template <class _Body, bool _Builtins> struct numbered_blocks : numbered_rows<_Body, false> {
};
template <class _Body, bool _Builtins> struct guarded_numbered_blocks : numbered_rows<_Body, true> {
};
template <class _Body, bool _Builtins> struct steady_numbered_blocks : numbered_rows<_Body, true, true> {
};

/** umcc --plain: block after block, and one thread after another, as they are written. */
template <class _Body, bool _Builtins> struct plain_blocks {
    static void run_block(const row_form<_Body, _Builtins, false> &__all)
    {
        if (_Builtins)
            set_block(__all.index, __all.block, __all.grid);
        for (unsigned __z = 0; __z < __all.block.z; __z++)
            for (unsigned __y = 0; __y < __all.block.y; __y++)
                for (unsigned __x = 0; __x < __all.block.x; __x++)
                    __all.call(__x, __y, __z, as_written());
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid;
        for (uint64_t __i = __first; __i < __last; __i++) {
            const uint3 __index = block_number(__i, __grid);
            run_block(row_form<_Body, _Builtins, false>{__body, __index, __geometry->block, __grid});
        }
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 0;
};

/** Kernels whose threads wait for each other: one thread at a time, each on a fiber. */
template <class _Body, bool _Builtins> struct threads {
    static void run(const void *__closure, const umsim_geometry *__geometry, const uint3 *__block_index,
                    const uint3 *__thread_index)
    {
        _Body __thread_(*static_cast<const _Body *>(__closure));
        if (_Builtins) {
            umsim_builtins.thread_index = *__thread_index;
            set_block(*__block_index, __geometry->block, __geometry->grid);
        }
        __thread_(*__thread_index, *__block_index, __geometry->block, __geometry->grid, as_written());
    }

    static constexpr umsim_blocks_fn blocks_fn = nullptr;
    static constexpr umsim_thread_fn thread_fn = run;
    static constexpr uint8_t strides_too = 0;
};

/** umcc --check, kernels whose threads wait for nobody: a block at a time, and one thread after another. What
 * the compiler knows nothing of happens between two threads, so each makes its own accesses. */
template <class _Body, bool _Builtins> struct lone_threads {
    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first, uint64_t)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid, __block = __geometry->block;
        const uint3 __index = block_number(__first, __grid);
        const row_form<_Body, _Builtins, false> __all{__body, __index, __block, __grid};
        if (_Builtins)
            set_block(__index, __block, __grid);
        for (unsigned __z = 0; __z < __block.z; __z++)
            for (unsigned __y = 0; __y < __block.y; __y++)
                UMSIM_THREADS_ALONE(__x, 0u, __block.x)
                {
                    __x_end = umsim_thread_alone((__z * __block.y + __y) * __block.x + __x, __x_most);
                    __all.call(__x, __y, __z, as_written());
                }
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 0;
};
template <template <class, bool> class _Form> struct is_alone {
    static constexpr uint8_t value = 0;
};
template <> struct is_alone<lone_threads> {
    static constexpr uint8_t value = UMSIM_ALONE;
};

} // namespace umsim

#endif
