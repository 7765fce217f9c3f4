/**
 * @file umsim_device.h
 * @brief What kernels are compiled against: umcc includes it in front of every .cu file.
 *
 * Students do not include this file. It holds, in this order: the launch of a rewritten kernel, registration,
 * __shared__ memory. umsim_barriers.h, umsim_warp.h, umsim_atomics.h and umsim_math.h have the rest.
 */
#ifndef UMSIM_DEVICE_H
#define UMSIM_DEVICE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include "umsim_abi.h"
#include "umsim_atomics.h"
#include "umsim_barriers.h"
#include "umsim_library.h"
#include "umsim_math.h"
#include "umsim_warp.h"

#ifdef UMSIM_CHECKED
/** umcc --check: before any constructor of the program's own. */
__attribute__((constructor(101))) static void umsim_checked()
{
    umsim_check_begin(UMSIM_CHECKED);
}
#endif

/** Threads of a warp. */
constexpr int warpSize = 32;

/** The part of umsim_device.h that umcc's output names. */
namespace umsim
{

/**
 * `<<<grid, block, shared, stream>>>`. A function of its own so that integers become dim3 as in CUDA.
 * @return whether the launch was refused.
 */
inline bool push_call(dim3 grid, dim3 block, size_t shared_bytes = 0, CUstream_st *stream = nullptr)
{
    return umsim_push_call(grid, block, shared_bytes, stream) != 0;
}

/** The same as a constant: the rewritten kernels see no macros. */
constexpr size_t closure_max = UMSIM_CLOSURE_MAX;

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
 * not written there.
 */
struct guard {
    bool probe;  /**< only say in `held` whether the condition holds, and return */
    bool assume; /**< take it to hold */
    bool *held;
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

    bool holds(unsigned x, unsigned y, unsigned z) const
    {
        bool held = false;
        call(x, y, z, guard{true, false, &held});
        return held;
    }

    /* Counts the global index in an int, which does not wrap: `blockIdx.x * blockDim.x + threadIdx.x` is then
     * the loop's own variable, and what it indexes is seen to be consecutive. */
    void fast_row(unsigned y, unsigned z) const
    {
        const int first = (int)(index.x * block.x);
#pragma GCC ivdep
        for (int i = first; i < first + (int)block.x; i++)
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
        const bool countable = (uint64_t)index.x * block.x + block.x <= INT_MAX;
        for (unsigned z = 0; z < block.z; z++)
            for (unsigned y = 0; y < block.y; y++)
                if (!Builtins && countable && (!Guarded || (holds(0, y, z) && holds(block.x - 1, y, z))))
                    fast_row(y, z);
                else
                    any_row(y, z);
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
};

template <class Body, bool Builtins> struct blocks : rows<Body, Builtins, false> {
};
/** Same, for kernels whose first condition umcc has marked. */
template <class Body, bool Builtins> struct guarded_blocks : rows<Body, Builtins, true> {
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
};

/** One kernel's record; a static member, because a queued launch outlives the stub's call. */
template <template <class, bool> class Form, class Body, bool Builtins, class Name> struct kernel {
    static const umsim_kernel record;
};
template <template <class, bool> class Form, class Body, bool Builtins, class Name>
const umsim_kernel kernel<Form, Body, Builtins, Name>::record = {
    Name::text(), Form<Body, Builtins>::blocks_fn, Form<Body, Builtins>::thread_fn};

/** The end of every stub: hands the kernel's body and parameters to the simulator. */
template <template <class, bool> class Form, bool Builtins, class Name, class Body>
inline void launch(const Body &body)
{
    umsim_launch(&kernel<Form, Body, Builtins, Name>::record, &body, sizeof body);
}

/** @name Registration for cudaLaunchKernel() and its kind
 * @{ */
template <class T> struct without_const {
    typedef T type;
};
template <class T> struct without_const<const T> {
    typedef T type;
};

template <size_t... I> struct positions {
};
template <size_t N, size_t... I> struct count_positions : count_positions<N - 1, N - 1, I...> {
};
template <size_t... I> struct count_positions<0, I...> {
    typedef positions<I...> type;
};

template <class... A> struct thunk {
    template <size_t... I> static void call(void (*stub)(A...), void **args, positions<I...>)
    {
        stub(*static_cast<typename without_const<A>::type *>(args[I])...);
    }
    static void run(void (*stub)(void), void **args)
    {
        (void)args;
        call(reinterpret_cast<void (*)(A...)>(stub), args, typename count_positions<sizeof...(A)>::type());
    }
};

/** Its constructor makes a stub known before main(). */
struct registrar {
    template <class... A> registrar(void (*stub)(A...), const char *name)
    {
        umsim_register_kernel(reinterpret_cast<void (*)(void)>(stub), thunk<A...>::run, name);
    }
};

/** Likewise, of a device variable. */
struct variable {
    template <class T> explicit variable(const volatile T &v)
    {
        umsim_register_variable(const_cast<const void *>(static_cast<const volatile void *>(&v)), sizeof(T));
    }
};

/** One instance of a kernel template: whoever uses `here` has it registered. */
template <class Function, Function stub, class Name> struct registered {
    static const registrar here;
};
template <class Function, Function stub, class Name>
const registrar registered<Function, stub, Name>::here(stub, Name::text());
/** @} */

/** @name __shared__ memory
 * @{ */
/* Its address alone matters: it tells one __shared__ variable from another. */
template <class Group> struct shared_key {
    static constexpr char key = 0;
};

template <class Group> inline Group &shared()
{
    return *static_cast<Group *>(umsim_shared(&shared_key<Group>::key, sizeof(Group), alignof(Group)));
}

/** `extern __shared__ T a[];` */
template <class Array> inline Array &dynamic_shared()
{
    return *static_cast<Array *>(umsim_dynamic_shared());
}
/** @} */

} // namespace umsim

/** @name Loads and stores with a cache's hint
 * Plain ones here. @{ */
template <class T> inline T __ldg(const T *address)
{
    return *address;
}
template <class T> inline T __ldcg(const T *address)
{
    return *address;
}
template <class T> inline T __ldcs(const T *address)
{
    return *address;
}
template <class T> inline void __stcg(T *address, T value)
{
    *address = value;
}
template <class T> inline void __stcs(T *address, T value)
{
    *address = value;
}
/** @} */

#endif
