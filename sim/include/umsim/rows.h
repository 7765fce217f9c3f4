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

namespace umsim
{

/** Sets blockIdx and the like for device functions, which do not get them as parameters. */
inline void set_block(const uint3 &__block, const dim3 &__block_dim, const dim3 &__grid_dim)
{
    umsim_builtins.block_index = __block;
    umsim_builtins.block_dim = __block_dim;
    umsim_builtins.grid_dim = __grid_dim;
}

/**
 * The purpose of a call of a kernel's body. Most kernels begin with `if (i < n)`, which keeps gcc from
 * vectorising the loop over threads. umcc recognises such a condition (umcc/guard.c). If it holds for the
 * first and the last thread of a row, it holds for all between, and the row is run as if the condition were
 * not there. If only one comparison decides and both ends fail, all between fail too. That matters because
 * programs that launch far too many blocks (n of them instead of n / threads) are common.
 */
enum guarded : unsigned char {
    fails,        /**< the thread fails the condition */
    does_nothing, /**< ... as do those between two such threads, and threads that fail do nothing */
    holds
};
struct guard {
    bool probe;  /**< only stores in `held` whether the condition holds, and returns */
    bool assume; /**< assumes that it holds */
    guarded *held;
};

/**
 * Kernels without barriers: whole blocks as plain loops. The innermost loop runs over x without a call in it,
 * so that gcc vectorises it: threads of a block do not depend on each other's order, which `ivdep` tells gcc.
 * Each thread has its own copy of the parameters, because a kernel may assign to them.
 */
template <class _Body, bool _Builtins, bool _Guarded> struct row_form {
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

    guarded probe(unsigned __x, unsigned __y, unsigned __z) const
    {
        guarded __held = fails;
        call(__x, __y, __z, guard{true, false, &__held});
        return __held;
    }

    /* What holds for all threads of the row up to `__last`; `fails` if that is not known. */
    guarded whole_row(unsigned __first, unsigned __last, unsigned __y, unsigned __z) const
    {
        if (!_Guarded)
            return holds;
        const guarded __held = probe(__first, __y, __z);
        return __held != fails && __held == probe(__last, __y, __z) ? __held : fails;
    }

    /* Counts the global index in an int, which does not wrap around: `blockIdx.x * blockDim.x + threadIdx.x`
     * is then the loop's own variable, and gcc sees that it indexes consecutive elements. */
    void fast_row(int __first, int __last, unsigned __y, unsigned __z) const
    {
#pragma GCC ivdep
        for (int __i = __first; __i < __last; __i++)
            call((unsigned)(__i - __first), __y, __z, guard{false, _Guarded, nullptr});
    }

    void any_row(unsigned __y, unsigned __z) const
    {
#pragma GCC ivdep
        for (unsigned __x = 0; __x < block.x; __x++)
            call(__x, __y, __z, guard{false, false, nullptr});
    }

    void run_block() const
    {
        if (_Builtins)
            set_block(index, block, grid);
        const bool __countable = !_Builtins && (uint64_t)index.x * block.x + block.x <= INT_MAX;
        for (unsigned __z = 0; __z < block.z; __z++)
            for (unsigned __y = 0; __y < block.y; __y++) {
                const guarded __row = __countable ? whole_row(0, block.x - 1, __y, __z) : fails;
                if (__row == holds)
                    fast_row((int)(index.x * block.x), (int)(index.x * block.x + block.x), __y, __z);
                else if (__row == fails)
                    any_row(__y, __z);
            }
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid;
        const uint64_t __row = __first / __grid.x;
        uint3 __index = {unsigned(__first % __grid.x), unsigned(__row % __grid.y),
                         unsigned(__row / __grid.y)};
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
template <class _Body, bool _Guarded> struct numbered_rows : row_form<_Body, false, _Guarded> {
    /* @return whether it was possible */
    bool run_line(int __first, int __last) const
    {
        const guarded __all = this->whole_row(0, (unsigned)(__last - __first) - 1, 0, 0);
        if (__all == holds)
            this->fast_row(__first, __last, 0, 0);
        return __all != fails;
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const dim3 __block = __geometry->block, __grid = __geometry->grid;
        const uint64_t __begin = __first * __block.x, __end = __last * __block.x;
        if (__begin < __end && __end <= INT_MAX && __block.y * __block.z == 1 && __grid.y * __grid.z == 1) {
            const _Body __body(*static_cast<const _Body *>(__closure));
            const numbered_rows __line{{__body, {(unsigned)__begin, 0, 0}, {1, 1, 1}, __grid}};
            if (__line.run_line((int)__begin, (int)__end))
                return;
        }
        row_form<_Body, false, _Guarded>::run(__closure, __geometry, __first, __last);
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
};

template <class _Body, bool _Builtins> struct blocks : row_form<_Body, _Builtins, false> {
};
/** The same, for kernels whose first condition umcc has marked. */
template <class _Body, bool _Builtins> struct guarded_blocks : row_form<_Body, _Builtins, true> {
};

template <class _Body, bool _Builtins> struct numbered_blocks : numbered_rows<_Body, false> {
};
template <class _Body, bool _Builtins> struct guarded_numbered_blocks : numbered_rows<_Body, true> {
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
                    __all.call(__x, __y, __z, guard{false, false, nullptr});
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid;
        for (uint64_t __i = __first; __i < __last; __i++) {
            const uint64_t __row = __i / __grid.x;
            const uint3 __index = {unsigned(__i % __grid.x), unsigned(__row % __grid.y),
                                   unsigned(__row / __grid.y)};
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
        __thread_(*__thread_index, *__block_index, __geometry->block, __geometry->grid,
                  guard{false, false, nullptr});
    }

    static constexpr umsim_blocks_fn blocks_fn = nullptr;
    static constexpr umsim_thread_fn thread_fn = run;
    static constexpr uint8_t strides_too = 0;
};

} // namespace umsim

#endif
