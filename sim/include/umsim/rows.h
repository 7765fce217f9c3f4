/**
 * @file umsim/rows.h
 * @brief How a rewritten kernel's body is run: the ways in which the threads of a block are looped over.
 *
 * umcc chooses one for each kernel (sim/umcc/kernels.c). Part of umsim/device.h; students do not include this
 * file.
 */
#ifndef UMSIM_ROWS_H
#define UMSIM_ROWS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include "umsim/abi.h"

namespace umsim
{

/** Sets what blockIdx and kin mean in device functions, which do not get them as parameters. */
inline void set_block(const uint3 &block, const dim3 &block_dim, const dim3 &grid_dim)
{
    umsim_builtins.block_index = block;
    umsim_builtins.block_dim = block_dim;
    umsim_builtins.grid_dim = grid_dim;
}

/**
 * What a call of a kernel's body is for. Most kernels begin with `if (i < n)`, which keeps gcc from
 * vectorising the loop over threads. umcc knows such a condition when it sees one (umcc/guard.c): where it
 * holds for the first and the last thread of a row it holds for all between, and the row is run as if it were
 * not written there. Where one comparison decides and both ends fail, so do all between: programs that launch
 * far too many blocks (n of them instead of n / threads) are common.
 */
enum guarded : unsigned char {
    fails,        /**< the thread does not pass */
    does_nothing, /**< ... nor do those between two such threads, and they do nothing then */
    holds
};
struct guard {
    bool probe;  /**< only say in `held` whether the condition holds, and return */
    bool assume; /**< take it to hold */
    guarded *held;
};

/**
 * Kernels without barriers: whole blocks as plain loops. The innermost one runs over x without a call in it,
 * so that gcc vectorises it: threads of a block do not depend on each other's order, which is what `ivdep`
 * says. Each thread has its own copy of the parameters, because a kernel may assign to them.
 */
template <class Body, bool Builtins, bool Guarded> struct rows {
    const Body &body;
    const uint3 index;
    const dim3 block, grid;

    void call(unsigned x, unsigned y, unsigned z, const guard &how) const __attribute__((always_inline))
    {
        Body thread(body);
        const uint3 thread_index = {x, y, z};
        if (Builtins)
            umsim_builtins.thread_index = thread_index;
        thread(thread_index, index, block, grid, how);
    }

    guarded probe(unsigned x, unsigned y, unsigned z) const
    {
        guarded held = fails;
        call(x, y, z, guard{true, false, &held});
        return held;
    }

    /* What holds for all threads of the row up to `last`, `fails` where that is not known. */
    guarded whole_row(unsigned first, unsigned last, unsigned y, unsigned z) const
    {
        if (!Guarded)
            return holds;
        const guarded held = probe(first, y, z);
        return held != fails && held == probe(last, y, z) ? held : fails;
    }

    /* Counts the global index in an int, which does not wrap: `blockIdx.x * blockDim.x + threadIdx.x` is then
     * the loop's own variable, and what it indexes is seen to be consecutive. */
    void fast_row(int first, int last, unsigned y, unsigned z) const
    {
#pragma GCC ivdep
        for (int i = first; i < last; i++)
            call((unsigned)(i - first), y, z, guard{false, Guarded, nullptr});
    }

    void any_row(unsigned y, unsigned z) const
    {
#pragma GCC ivdep
        for (unsigned x = 0; x < block.x; x++)
            call(x, y, z, guard{false, false, nullptr});
    }

    void run_block() const
    {
        if (Builtins)
            set_block(index, block, grid);
        const bool countable = !Builtins && (uint64_t)index.x * block.x + block.x <= INT_MAX;
        for (unsigned z = 0; z < block.z; z++)
            for (unsigned y = 0; y < block.y; y++) {
                const guarded row = countable ? whole_row(0, block.x - 1, y, z) : fails;
                if (row == holds)
                    fast_row((int)(index.x * block.x), (int)(index.x * block.x + block.x), y, z);
                else if (row == fails)
                    any_row(y, z);
            }
    }

    static void run(const void *closure, const umsim_geometry *geometry, uint64_t first, uint64_t last)
    {
        const Body body(*static_cast<const Body *>(closure));
        const dim3 grid = geometry->grid;
        const uint64_t row = first / grid.x;
        uint3 index = {unsigned(first % grid.x), unsigned(row % grid.y), unsigned(row / grid.y)};
        for (uint64_t i = first; i < last; i++) {
            rows{body, index, geometry->block, grid}.run_block();
            if (++index.x < grid.x)
                continue;
            index.x = 0;
            if (++index.y < grid.y)
                continue;
            index.y = 0;
            index.z++;
        }
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr uint8_t strides_too = 0;
};

/**
 * Kernels that ask for nothing but `blockIdx.x * blockDim.x + threadIdx.x` (umcc/numbered.c): consecutive
 * blocks of one dimension are one row. Its threads are told that blocks have one thread each, and count from
 * the row's first block. A block by itself costs some 30 ns, in which 1 to 2 KiB come from memory.
 */
template <class Body, bool Guarded> struct numbered_rows : rows<Body, false, Guarded> {
    /* @return whether it was possible */
    bool run_line(int first, int last) const
    {
        const guarded all = this->whole_row(0, (unsigned)(last - first) - 1, 0, 0);
        if (all == holds)
            this->fast_row(first, last, 0, 0);
        return all != fails;
    }

    static void run(const void *closure, const umsim_geometry *geometry, uint64_t first, uint64_t last)
    {
        const dim3 block = geometry->block, grid = geometry->grid;
        const uint64_t begin = first * block.x, end = last * block.x;
        if (begin < end && end <= INT_MAX && block.y * block.z == 1 && grid.y * grid.z == 1) {
            const Body body(*static_cast<const Body *>(closure));
            const numbered_rows line{{body, {(unsigned)begin, 0, 0}, {1, 1, 1}, grid}};
            if (line.run_line((int)begin, (int)end))
                return;
        }
        rows<Body, false, Guarded>::run(closure, geometry, first, last);
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
};

template <class Body, bool Builtins> struct blocks : rows<Body, Builtins, false> {
};
/** Same, for kernels whose first condition umcc has marked. */
template <class Body, bool Builtins> struct guarded_blocks : rows<Body, Builtins, true> {
};

template <class Body, bool Builtins> struct numbered_blocks : numbered_rows<Body, false> {
};
template <class Body, bool Builtins> struct guarded_numbered_blocks : numbered_rows<Body, true> {
};

/** Kernels whose threads wait for each other: one thread at a time, each on a fiber. */
template <class Body, bool Builtins> struct threads {
    static void run(const void *closure, const umsim_geometry *geometry, const uint3 *block_index,
                    const uint3 *thread_index)
    {
        Body thread(*static_cast<const Body *>(closure));
        if (Builtins) {
            umsim_builtins.thread_index = *thread_index;
            set_block(*block_index, geometry->block, geometry->grid);
        }
        thread(*thread_index, *block_index, geometry->block, geometry->grid, guard{false, false, nullptr});
    }

    static constexpr umsim_blocks_fn blocks_fn = nullptr;
    static constexpr umsim_thread_fn thread_fn = run;
    static constexpr uint8_t strides_too = 0;
};

} // namespace umsim

#endif
