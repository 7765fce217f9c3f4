/**
 * @file umsim/fission.h
 * @brief Support for kernels that umcc has cut at their barriers (umcc/fission.c).
 *
 * The body of such a kernel is called once for a block, and loops over the threads itself. Part of
 * umsim/device.h; students do not include this file.
 */
#ifndef UMSIM_FISSION_H
#define UMSIM_FISSION_H

#include <stddef.h>
#include <stdint.h>
#include "umsim/proof.h"
#include "umsim/rows.h"

namespace umsim
{

template <class _Tp, size_t _Np> inline void copy(_Tp (&__to)[_Np], const _Tp (&__from)[_Np])
{
    __builtin_memcpy(__to, __from, sizeof __to);
}

/** Memory for one T of each thread of a block: small types on the stack, others in the place where threads
 * have their stacks. */
template <class _Tp, bool _Small = sizeof(_Tp) <= 32> struct kept_memory {
    alignas(_Tp) unsigned char bytes[UMSIM_BLOCK_THREADS * sizeof(_Tp)];
};
template <class _Tp> struct kept_memory<_Tp, false> {
    unsigned char *bytes;
    kept_memory()
        : bytes(static_cast<unsigned char *>(umsim_keep(UMSIM_BLOCK_THREADS * sizeof(_Tp), alignof(_Tp))))
    {
    }
    kept_memory(const kept_memory &) = delete;
    ~kept_memory()
    {
        umsim_keep_end(bytes);
    }
};

/** A thread's variable that is needed after a barrier. */
template <class _Tp> struct kept : kept_memory<_Tp> {
    _Tp &operator[](size_t __thread_)
    {
        return *reinterpret_cast<_Tp *>(this->bytes + __thread_ * sizeof(_Tp));
    }
    template <class _Up> void keep(size_t __thread_, const _Up &__value)
    {
        (*this)[__thread_] = __value;
    }
};
template <class _Tp, size_t _Np> struct kept<_Tp[_Np]> : kept_memory<_Tp[_Np]> {
    _Tp (&operator[](size_t __thread_))[_Np]
    {
        return *reinterpret_cast<_Tp(*)[_Np]>(this->bytes + __thread_ * sizeof(_Tp[_Np]));
    }
    void keep(size_t __thread_, const _Tp (&__value)[_Np])
    {
        copy((*this)[__thread_], __value);
    }
};

/** Makes gcc believe that unknown code has the address of kept values: an address that is kept is then known
 * there, too. */
template <class _Tp> __attribute__((__always_inline__)) inline void publish(kept<_Tp> &__kept)
{
    __asm__ volatile("" : : "r"(&__kept) : "memory");
}

/** The purpose of a call of a kernel's body. */
struct portion {
    bool trial; /**< never run: what gcc has to prove (umsim/proof.h) */
};

template <class _Body, bool _Builtins> struct fission {
    /* What gcc has to prove; never called. */
    __attribute__((__noinline__)) static void prove(const _Body &__body, const uint3 &__index,
                                                    const dim3 &__block, const dim3 &__grid)
    {
        _Body __all_threads(__body);
        __all_threads(__index, __index, __block, __grid, portion{true});
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        __asm__ volatile("" : : "r"(&prove)); /* so that it is compiled */
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid, __block = __geometry->block;
        const uint64_t __row = __first / __grid.x;
        uint3 __index = {unsigned(__first % __grid.x), unsigned(__row % __grid.y),
                         unsigned(__row / __grid.y)};
        for (uint64_t __i = __first; __i < __last; __i++) {
            if (_Builtins)
                set_block(__index, __block, __grid);
            _Body __all_threads(__body);
            __all_threads(uint3{0, 0, 0}, __index, __block, __grid, portion{false});
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

/** umcc --check: the body tells which thread's turn it is, and of barriers. */
template <class _Body, bool _Builtins> struct checked_fission : fission<_Body, _Builtins> {
};
template <> struct is_alone<checked_fission> {
    static constexpr uint8_t value = UMSIM_ALONE_BY_PARTS;
};
inline void block_met(const char * = nullptr, int = 0)
{
    umsim_block_met();
}

} // namespace umsim

#endif
