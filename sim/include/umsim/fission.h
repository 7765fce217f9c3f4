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

/** How a variable is kept. In the form that counts (umcc/counted.c) simple ones are not accesses, whose calls
 * take longer than all else that a barrier costs there. */
enum { umsim_keeps_apart = 0 }; /* umcc/compile.c makes it 1 there */
template <class _Tp> inline constexpr bool is_apart()
{
    return umsim_keeps_apart && (std::is_arithmetic<_Tp>::value || std::is_pointer<_Tp>::value) &&
           (sizeof(_Tp) == 4 || sizeof(_Tp) == 8);
}
template <class _Tp, size_t _Bytes = is_apart<_Tp>() ? sizeof(_Tp) : 0> struct kept_value {
    template <class _Up> static void put(_Tp &__place, const _Up &__value)
    {
        __place = __value;
    }
    static _Tp of(const _Tp &__place)
    {
        return __place;
    }
};
#ifdef __aarch64__
#define UMSIM_STORE_4 "str %w1, %0"
#define UMSIM_STORE_8 "str %1, %0"
#define UMSIM_LOAD_4 "ldr %w0, %1"
#define UMSIM_LOAD_8 "ldr %0, %1"
#else
#define UMSIM_STORE_4 "movl %1, %0"
#define UMSIM_STORE_8 "movq %1, %0"
#define UMSIM_LOAD_4 UMSIM_STORE_4
#define UMSIM_LOAD_8 UMSIM_STORE_8
#endif
template <class _Tp> struct kept_value<_Tp, 4> {
    __attribute__((__always_inline__)) static void put(_Tp &__place, _Tp __value)
    {
        __asm__(UMSIM_STORE_4 : "=m"(__place) : "r"(__value));
    }
    __attribute__((__always_inline__)) static _Tp of(const _Tp &__place)
    {
        _Tp __value;
        __asm__(UMSIM_LOAD_4 : "=r"(__value) : "m"(__place));
        return __value;
    }
};
template <class _Tp> struct kept_value<_Tp, 8> {
    __attribute__((__always_inline__)) static void put(_Tp &__place, _Tp __value)
    {
        __asm__(UMSIM_STORE_8 : "=m"(__place) : "r"(__value));
    }
    __attribute__((__always_inline__)) static _Tp of(const _Tp &__place)
    {
        _Tp __value;
        __asm__(UMSIM_LOAD_8 : "=r"(__value) : "m"(__place));
        return __value;
    }
};
#undef UMSIM_STORE_4
#undef UMSIM_STORE_8
#undef UMSIM_LOAD_4
#undef UMSIM_LOAD_8

/** A thread's variable that is needed after a barrier. */
template <class _Tp> struct kept : kept_memory<_Tp> {
    _Tp &operator[](size_t __thread_)
    {
        return *reinterpret_cast<_Tp *>(this->bytes + __thread_ * sizeof(_Tp));
    }
    template <class _Up> void keep(size_t __thread_, const _Up &__value)
    {
        kept_value<_Tp>::put((*this)[__thread_], __value);
    }
    _Tp give(size_t __thread_)
    {
        return kept_value<_Tp>::of((*this)[__thread_]);
    }
    void clear(size_t __threads)
    {
        __builtin_memset(this->bytes, 0, __threads * sizeof(_Tp));
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
    /** @name Kernels without barriers (umcc/turned.c)
     * @{ */
    bool asks, alone;  /**< only answers whether a row's threads pass the first condition; is of one thread */
    bool far;          /**< an int does not hold the threads' numbers in x */
    uint3 first, last; /**< the threads, from the first to behind the last in each direction */
    row_index row;
    row_truth *answer;
    /** @} */
    bool steady; /**< conditions within the parts are as they mostly are (umcc/steady.c) */
};

/** All threads of a block. */
inline portion all_of(const dim3 &__block, bool __trial)
{
    return portion{__trial,     false,   false, false, {0, 0, 0}, {__block.x, __block.y, __block.z},
                   row_index(), nullptr, false};
}

/**
 * A grid-stride loop (umcc/strided.c): the threads of a block make a pass together, as long as each is one
 * further than its neighbour, and all of them make it; then each makes what is left alone.
 */
template <class _Start, class _Goes, class _Next, class _Pass>
__attribute__((__always_inline__)) inline void stride_together(const _Start &__start, const _Goes &__goes,
                                                               const _Next &__next, const _Pass &__pass,
                                                               const dim3 &__block)
{
    typedef decltype(__start(uint3{0, 0, 0}, 0)) _Tp;
    const int __threads = (int)__block.x;
    _Tp __i = __start(uint3{0, 0, 0}, 0);
    bool __beside = sizeof(_Tp) >= 4 && __block.y == 1 && __block.z == 1;
    for (int __x = 1; __x < __threads; __x++)
        __beside &= (uint64_t)__start(uint3{(unsigned)__x, 0, 0}, (unsigned long)__x) ==
                    (uint64_t)__i + (uint64_t)__x;
    while (__beside) {
        const _Tp __last = (_Tp)((uint64_t)__i + (uint64_t)(__threads - 1));
        if (__last < __i || !__goes(__i) || !__goes(__last))
            break;
        for (int __x = 0; __x < __threads; __x++)
            __pass(uint3{(unsigned)__x, 0, 0}, (unsigned long)__x, (_Tp)(__i + (_Tp)__x));
        __i = __next(__i);
    }
    for (unsigned __z = 0; __z < __block.z; __z++)
        for (unsigned __y = 0; __y < __block.y; __y++)
            for (unsigned __x = 0; __x < __block.x; __x++) {
                const unsigned long __number = ((unsigned long)__z * __block.y + __y) * __block.x + __x;
                const uint3 __index = {__x, __y, __z};
                for (_Tp __own = __beside ? (_Tp)(__i + (_Tp)__x) : __start(__index, __number); __goes(__own);
                     __own = __next(__own))
                    __pass(__index, __number, __own);
            }
}

template <class _Body, bool _Builtins> struct fission {
    /* What gcc has to prove; never called. In the form that counts it is the same, without that form's calls
     * and optimized as in the fast one (umcc/compile.c). */
    __attribute__((__no_sanitize__("thread"), __noinline__))
    __attribute__((__no_instrument_function__, __unused__)) static void
    prove(const _Body &__body, const uint3 &__index, const dim3 &__block, const dim3 &__grid)
    {
        _Body __all_threads(__body);
        __all_threads(__index, __index, __block, __grid, all_of(__block, true));
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        __asm__ volatile("" : : "r"(&prove)); /* so that it is compiled */
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid, __block = __geometry->block;
        uint3 __index = block_number(__first, __grid);
        for (uint64_t __i = __first; __i < __last; __i++) {
            if (_Builtins)
                set_block(__index, __block, __grid);
            _Body __all_threads(__body);
            __all_threads(uint3{0, 0, 0}, __index, __block, __grid, all_of(__block, false));
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

/** Forms that find out for each block how to run it: _Form::run_one(). */
template <class _Form, class _Body, bool _Builtins> struct block_by_block : fission<_Body, _Builtins> {
    static void begin()
    {
    }

    static void run(const void *__closure, const umsim_geometry *__geometry, uint64_t __first,
                    uint64_t __last)
    {
        __asm__ volatile("" : : "r"(&fission<_Body, _Builtins>::prove)); /* so that it is compiled */
        _Form::begin();
        const _Body __body(*static_cast<const _Body *>(__closure));
        const dim3 __grid = __geometry->grid, __block = __geometry->block;
        for (uint64_t __i = __first; __i < __last; __i++) {
            const uint3 __index = block_number(__i, __grid);
            if (_Builtins)
                set_block(__index, __block, __grid);
            _Form::run_one(__body, __index, __block, __grid);
        }
    }

    static constexpr umsim_blocks_fn blocks_fn = run;
};

/** The same as fission, where conditions within the parts are asked for a block as a whole. */
template <class _Body, bool _Builtins>
struct steady_fission : block_by_block<steady_fission<_Body, _Builtins>, _Body, _Builtins> {
    static bool is_steady(const _Body &__body, const uint3 &__index, const dim3 &__block, const dim3 &__grid)
    {
        for (unsigned __z = 0; __z < __block.z; __z++)
            for (unsigned __y = 0; __y < __block.y; __y++) {
                if (__block.x < 2) /* evenly() wants two */
                    return false;
                _Body __row(__body);
                row_truth __answer(_Unknown);
                portion __part = all_of(__block, false);
                __part.asks = true;
                __part.row = row_index{row_value<unsigned>(true, 0, (int64_t)__block.x - 1), __y, __z};
                __part.answer = &__answer;
                __row(uint3{0, 0, 0}, __index, __block, __grid, __part);
                if (__answer.is != _All)
                    return false;
            }
        return true;
    }

    template <bool _Steady>
    __attribute__((__noinline__)) static void run_block(const _Body &__body, const uint3 &__index,
                                                        const dim3 &__block, const dim3 &__grid)
    {
        _Body __all_threads(__body);
        portion __part = all_of(__block, false);
        __part.steady = _Steady;
        __all_threads(uint3{0, 0, 0}, __index, __block, __grid, __part);
    }

    __attribute__((__always_inline__)) static void run_one(const _Body &__body, const uint3 &__index,
                                                           const dim3 &__block, const dim3 &__grid)
    {
        if (is_steady(__body, __index, __block, __grid))
            run_block<true>(__body, __index, __block, __grid);
        else
            run_block<false>(__body, __index, __block, __grid);
    }
};

/**
 * Kernels without barriers whose loops are turned inside out. The threads for which the first condition holds
 * go through the rest together: the whole block, or rows of it. Where a row's threads differ, each goes
 * alone.
 */
template <class _Body, bool _Guarded> struct turned_block {
    const _Body &body;
    const uint3 index;
    const dim3 block, grid;

    void call(const portion &__part) const __attribute__((__always_inline__))
    {
        _Body __threads(body);
        __threads(uint3{0, 0, 0}, index, block, grid, __part);
    }

    row_knowledge ask(unsigned __y, unsigned __z) const
    {
        row_truth __answer(_Unknown);
        call(portion{false,
                     true,
                     false,
                     false,
                     {0, 0, 0},
                     {0, 0, 0},
                     row_index{row_value<unsigned>(true, 0, (int64_t)block.x - 1), __y, __z},
                     &__answer,
                     false});
        return __answer.is;
    }

    template <bool _Far>
    __attribute__((__noinline__)) void part_of(const uint3 &__first, const uint3 &__last, bool __alone) const
    {
        call(portion{false, false, __alone, _Far, __first, __last, row_index(), nullptr, false});
    }

    void part(const uint3 &__first, const uint3 &__last, bool __alone) const
    {
        if ((uint64_t)index.x * block.x + block.x <= INT_MAX)
            part_of<false>(__first, __last, __alone);
        else
            part_of<true>(__first, __last, __alone);
    }

    bool is_whole() const
    {
        for (unsigned __z = 0; _Guarded && __z < block.z; __z++)
            for (unsigned __y = 0; __y < block.y; __y++)
                if (ask(__y, __z) != _All)
                    return false;
        return true;
    }

    void row(unsigned __y, unsigned __z) const
    {
        const row_knowledge __known = ask(__y, __z);
        if (__known == _All)
            part(uint3{0, __y, __z}, uint3{block.x, __y + 1, __z + 1}, false);
        for (unsigned __x = 0; __known != _All && __known != _None && __x < block.x; __x++)
            part(uint3{__x, __y, __z}, uint3{__x + 1, __y + 1, __z + 1}, true);
    }

    void run() const
    {
        if (is_whole()) {
            part(uint3{0, 0, 0}, uint3{block.x, block.y, block.z}, false);
            return;
        }
        for (unsigned __z = 0; __z < block.z; __z++)
            for (unsigned __y = 0; __y < block.y; __y++)
                row(__y, __z);
    }
};

template <class _Body, bool _Builtins, bool _Guarded>
struct turned_form : block_by_block<turned_form<_Body, _Builtins, _Guarded>, _Body, _Builtins> {
    __attribute__((__always_inline__)) static void run_one(const _Body &__body, const uint3 &__index,
                                                           const dim3 &__block, const dim3 &__grid)
    {
        turned_block<_Body, _Guarded>{__body, __index, __block, __grid}.run();
    }
};
template <class _Body, bool _Builtins> struct turned : turned_form<_Body, _Builtins, false> {
};
template <class _Body, bool _Builtins> struct guarded_turned : turned_form<_Body, _Builtins, true> {
};

/** @name The form that counts (umcc/counted.c)
 * The body tells of each thread that begins a part (umsim_count_thread()), and that its loop has ended
 * (umsim_count_common()). From count_nothing() on until one of these, nothing that is done is the
 * kernel's own.
 * @{ */
__attribute__((__always_inline__)) inline void count_nothing()
{
    __asm__ volatile("# umsim.nothing" : : : "memory");
}
/** The value is a thread's own: it is not reckoned from another one's. */
__attribute__((__always_inline__)) inline unsigned own(unsigned __value)
{
    __asm__("" : "+r"(__value));
    return __value;
}
/** The value is there from here on. */
template <class _Tp, bool _Simple = std::is_arithmetic<_Tp>::value || std::is_pointer<_Tp>::value>
struct present {
    __attribute__((__always_inline__)) static void now(const _Tp &__value)
    {
        __asm__ volatile("" : : "g"(__value));
    }
};
template <class _Tp> struct present<_Tp, false> {
    static void now(const _Tp &)
    {
    }
};
template <class _Tp> __attribute__((__always_inline__)) inline void have(const _Tp &__value)
{
    present<_Tp>::now(__value);
}
template <class _Body, bool _Builtins>
struct counted_fission : block_by_block<counted_fission<_Body, _Builtins>, _Body, _Builtins> {
    __attribute__((__always_inline__)) static void begin()
    {
        count_nothing();
    }

    __attribute__((__always_inline__)) static void run_one(const _Body &__body, const uint3 &__index,
                                                           const dim3 &__block, const dim3 &__grid)
    {
        _Body __all_threads(__body);
        umsim_count_common();
        __all_threads(uint3{0, 0, 0}, __index, __block, __grid, all_of(__block, false));
        count_nothing();
    }
};
/** @} */

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
