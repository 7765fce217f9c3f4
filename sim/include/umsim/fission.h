/**
 * @file umsim/fission.h
 * @brief Kernels that umcc has cut at their barriers (umcc/fission.c): the body is called once for a block,
 * and loops over the threads itself. Part of umsim/device.h; students do not include this file.
 */
#ifndef UMSIM_FISSION_H
#define UMSIM_FISSION_H

#include <stddef.h>
#include <stdint.h>
#include "umsim/rows.h"

namespace umsim
{

template <class T, size_t N> inline void copy(T (&to)[N], const T (&from)[N])
{
    __builtin_memcpy(to, from, sizeof to);
}

/** Room for one T of each thread of a block: what is small on the stack, other things where threads have
 * their stacks. */
template <class T, bool Small = sizeof(T) <= 32> struct kept_room {
    alignas(T) unsigned char bytes[UMSIM_BLOCK_THREADS * sizeof(T)];
};
template <class T> struct kept_room<T, false> {
    unsigned char *bytes;
    kept_room() : bytes(static_cast<unsigned char *>(umsim_keep(UMSIM_BLOCK_THREADS * sizeof(T), alignof(T))))
    {
    }
    kept_room(const kept_room &) = delete;
    ~kept_room()
    {
        umsim_keep_end(bytes);
    }
};

/** A thread's variable that is needed behind a barrier. */
template <class T> struct kept : kept_room<T> {
    T &operator[](size_t thread)
    {
        return *reinterpret_cast<T *>(this->bytes + thread * sizeof(T));
    }
    template <class U> void keep(size_t thread, const U &value)
    {
        (*this)[thread] = value;
    }
};
template <class T, size_t N> struct kept<T[N]> : kept_room<T[N]> {
    T (&operator[](size_t thread))[N]
    {
        return *reinterpret_cast<T(*)[N]>(this->bytes + thread * sizeof(T[N]));
    }
    void keep(size_t thread, const T (&value)[N])
    {
        copy((*this)[thread], value);
    }
};

template <class Body, bool Builtins> struct fission {
    static void run(const void *closure, const umsim_geometry *geometry, uint64_t first, uint64_t last)
    {
        const Body body(*static_cast<const Body *>(closure));
        const dim3 grid = geometry->grid, block = geometry->block;
        const uint64_t row = first / grid.x;
        uint3 index = {unsigned(first % grid.x), unsigned(row % grid.y), unsigned(row / grid.y)};
        for (uint64_t i = first; i < last; i++) {
            if (Builtins)
                set_block(index, block, grid);
            Body all_threads(body);
            all_threads(uint3{0, 0, 0}, index, block, grid, guard{false, false, nullptr});
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

} // namespace umsim

#endif
