/**
 * @file umsim/device.h
 * @brief What kernels are compiled against: umcc includes it in front of every .cu file.
 *
 * Students do not include this file. It holds, in this order: the launch of a rewritten kernel,
 * registration, __shared__ memory. The rest is in umsim/barriers.h, umsim/warp.h, umsim/atomics.h,
 * umsim/nv_atomics.h, umsim/math.h and umsim/texture.h.
 */
#ifndef UMSIM_DEVICE_H
#define UMSIM_DEVICE_H

/* <initializer_list>, <new>, <stdio.h> and <time.h> are for programs: nvcc includes them too, and kernels
 * construct objects in place. */
#include <initializer_list>
#include <new>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <type_traits>
#include "umsim/abi.h"
#include "umsim/atomics.h"
#include "umsim/barriers.h"
#include "umsim/fission.h"
#include "umsim/indices.h"
#include "umsim/library.h"
#include "umsim/math.h"
#include "umsim/module.h"
#include "umsim/nv_atomics.h"
#include "umsim/ptx.h"
#include "umsim/rows.h"
#include "umsim/strides.h"
#include "umsim/texture.h"
#include "umsim/undefined.h"
#include "umsim/warp.h"

#ifdef UMSIM_CHECKED
/** For umcc --check: runs before any of the program's own constructors. */
__attribute__((__constructor__(101))) static void umsim_checked()
{
#ifdef UMSIM_CHECK_RESULTS
    umsim_check_json(UMSIM_CHECK_RESULTS);
#endif
    umsim_check_begin(UMSIM_CHECKED);
}
#endif

/** As nvcc has them: the condition is not evaluated. Nothing is concluded from it here. */
#define __builtin_assume(...) ((void)sizeof((__VA_ARGS__) ? 1 : 0))
#define __assume(...) ((void)sizeof((__VA_ARGS__) ? 1 : 0)) /**< The same. */

/** The number of threads of a warp. */
constexpr int warpSize = 32;

/** The part of umsim/device.h that umcc's output names. */
namespace umsim
{

/**
 * `<<<__grid, __block, shared, __stream>>>`, a temporary of the launch's expression. It is a constructor, so
 * that integers become dim3 as in CUDA. At the expression's end it tells whether a kernel has taken the
 * launch; the position is the launch's own.
 */
class launching
{
    const bool refused_;
    const unsigned number_; /* 0: nothing waits */
    const char *const file_;
    const int line_;

  public:
    /* Inline, so that the call's place is the launch's own, for whoever looks it up. */
    __attribute__((__always_inline__))
    launching(dim3 __grid, dim3 __block, size_t __shared_bytes = 0, CUstream_st *__stream = nullptr,
              const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
        : refused_(umsim_push_call(__grid, __block, __shared_bytes, __stream) != 0),
          number_(refused_ ? 0 : umsim_pending_launches()), file_(__file), line_(__line)
    {
    }
    launching(const launching &) = delete;
    ~launching()
    {
        if (number_ != 0)
            umsim_launched(number_, file_, line_);
    }
    bool refused() const
    {
        return refused_;
    }
};

/** Whether an expression of that type can be a kernel: one that names a function which is no kernel has a
 * function's type. */
template <class _Tp> struct may_be_kernel {
    static constexpr bool value = false;
};
template <class... _Pp> struct may_be_kernel<void (*)(_Pp...)> {
    static constexpr bool value = true;
};
template <class _Tp> struct may_be_kernel<const _Tp> : may_be_kernel<_Tp> {
};
template <class _Tp> struct may_be_kernel<volatile _Tp> : may_be_kernel<_Tp> {
};
template <class _Tp> struct may_be_kernel<const volatile _Tp> : may_be_kernel<_Tp> {
};
template <class _Tp> struct may_be_kernel<_Tp &> : may_be_kernel<_Tp> {
};
template <class _Tp> struct may_be_kernel<_Tp &&> : may_be_kernel<_Tp> {
};
template <class... _Pp> struct may_be_kernel<void (&)(_Pp...)> {
    static constexpr bool value = true;
};

/** The same values as constants: the rewritten kernels see no macros. */
constexpr size_t closure_max = UMSIM_CLOSURE_MAX, parameters_max = UMSIM_PARAMETERS_MAX;

/** One parameter, where it lies as CUDA places it. */
template <class _Tp> struct parameter {
    _Tp value;
};
template <size_t _At, class... _Pp> struct parameters_from {
    static constexpr size_t bytes = _At;
};
template <size_t _At, class _Pp, class... _More> struct parameters_from<_At, _Pp, _More...> {
    static constexpr size_t
        align = alignof(parameter<_Pp>),
        bytes = parameters_from<(_At + align - 1) / align * align + sizeof(parameter<_Pp>), _More...>::bytes;
};
template <class... _Pp> struct any_reference {
    static constexpr bool value = false;
};
template <class _Pp, class... _More> struct any_reference<_Pp, _More...> {
    static constexpr bool value = std::is_reference<_Pp>::value || any_reference<_More...>::value;
};
/** A parameter's type as it is in the function's type, without `__restrict__`, which gcc forgets to take away
 * in templates. */
template <class _Tp> struct parameter_type {
    typedef _Tp type;
};
template <class _Tp> struct parameter_type<_Tp *__restrict__> {
    typedef _Tp *type;
};
template <class _Tp> struct parameter_type<_Tp *const __restrict__> {
    typedef _Tp *type;
};
/** What the compiler says about a kernel's parameters (umcc/stubs.c). */
template <class _Function> struct parameters;
template <class... _Pp> struct parameters<void(_Pp...)> {
    static constexpr size_t bytes = parameters_from<0, _Pp...>::bytes;
    static constexpr bool are_values = !any_reference<_Pp...>::value;
};

/** One kernel's record. It is a static member, because a queued launch outlives the stub's call. */
template <template <class, bool> class _Form, class _Body, bool _Builtins, class _Name, class _Counted>
struct kernel {
    static const umsim_kernel record;
};
template <template <class, bool> class _Form, class _Body, bool _Builtins, class _Name, class _Counted>
const umsim_kernel kernel<_Form, _Body, _Builtins, _Name, _Counted>::record = {
    _Name::text(),
    _Form<_Body, _Builtins>::blocks_fn,
    _Form<_Body, _Builtins>::thread_fn,
    _Counted::thread_fn,
    _Counted::blocks_fn,
    _Form<_Body, _Builtins>::strides_too,
    _Counted::waits,
    _Counted::knows_grid,
    is_alone<_Form>::value,
#ifdef UMSIM_CHECKED
    1
#else
    0
#endif
};

/* A body some of whose parameters have a copy constructor or a destructor. Those run on the host, where the
 * kernel is launched; threads get a copy of the bytes, as on a GPU. */
template <class _Body> struct bytewise {
    alignas(_Body) unsigned char bytes[sizeof(_Body)];
    template <class... _Ap> __attribute__((__always_inline__)) void operator()(_Ap &&...__a)
    {
        (*reinterpret_cast<_Body *>(bytes))(static_cast<_Ap &&>(__a)...);
    }
};
template <class _Body, bool _Plain = __is_trivially_copyable(_Body)> struct device_body {
    typedef _Body type;
    static void clear_padding(const _Body &__body) /* so that equal launches have equal bytes */
    {
        __builtin_clear_padding(const_cast<_Body *>(&__body));
    }
};
template <class _Body> struct device_body<_Body, false> {
    typedef bytewise<_Body> type;
    static void clear_padding(const _Body &)
    {
    }
};

/** The form that counts (umcc/counted.c), of a kernel that has none. */
template <class _Name> struct uncounted {
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr umsim_blocks_fn blocks_fn = nullptr;
    static constexpr uint8_t waits = 0, knows_grid = 0;
};

/** What a text has of the form that counts: nothing, as another text has it, and only there it is known
 * which; threads; or blocks, cut at their barriers. */
enum counts { counts_elsewhere, counts_threads, counts_blocks };

/** The same of a kernel that has one: what is compiled to count defines run() in another way than what is
 * not. Its name does not tell the two apart, so one takes the other's place. */
template <class _Name, bool _Here> struct counting_body {
    static void run_thread(const void *, const umsim_geometry *, const uint3 *, const uint3 *)
    {
        __builtin_trap();
    }
    static void run_blocks(const void *, const umsim_geometry *, uint64_t, uint64_t)
    {
        __builtin_trap();
    }
};
template <class _Name> struct counting_body<_Name, true> {
    typedef typename device_body<typename _Name::body>::type body;
    __attribute__((__always_inline__)) static void run_thread(const void *__closure,
                                                              const umsim_geometry *__geometry,
                                                              const uint3 *__block,
                                                              const uint3 *__thread_index)
    {
        threads<body, _Name::builtins>::run(__closure, __geometry, __block, __thread_index);
    }
    __attribute__((__always_inline__)) static void
    run_blocks(const void *__closure, const umsim_geometry *__geometry, uint64_t __first, uint64_t __last)
    {
        counted_fission<body, _Name::builtins>::run(__closure, __geometry, __first, __last);
    }
};
template <class _Name> struct counted_threads {
    __attribute__((__noipa__)) static void run(const void *__closure, const umsim_geometry *__geometry,
                                               const uint3 *__block, const uint3 *__thread_index)
    {
        counting_body<_Name, unsigned(_Name::counts) == counts_threads>::run_thread(__closure, __geometry,
                                                                                    __block, __thread_index);
    }
};
template <class _Name> struct counted_blocks {
    __attribute__((__noipa__)) static void run(const void *__closure, const umsim_geometry *__geometry,
                                               uint64_t __first, uint64_t __last)
    {
        counting_body<_Name, unsigned(_Name::counts) == counts_blocks>::run_blocks(__closure, __geometry,
                                                                                   __first, __last);
    }
};

/* Which of the two a text defines. */
template <class _Name, unsigned _Counts> struct counting_forms {
    static constexpr umsim_thread_fn thread_fn = counted_threads<_Name>::run;
    static constexpr umsim_blocks_fn blocks_fn = counted_blocks<_Name>::run;
};
template <class _Name> struct counting_forms<_Name, counts_threads> {
    static constexpr umsim_thread_fn thread_fn = counted_threads<_Name>::run;
    static constexpr umsim_blocks_fn blocks_fn = nullptr;
};
template <class _Name> struct counting_forms<_Name, counts_blocks> {
    static constexpr umsim_thread_fn thread_fn = nullptr;
    static constexpr umsim_blocks_fn blocks_fn = counted_blocks<_Name>::run;
};
template <class _Name> struct counted : counting_forms<_Name, _Name::counts> {
    static constexpr uint8_t waits = _Name::waits, knows_grid = _Name::knows_grid;
};

/** The end of every stub: hands the kernel's body and parameters to the simulator. */
template <template <class, bool> class _Form, bool _Builtins, class _Name,
          template <class> class _Counted = uncounted, class _Body>
inline void launch(const _Body &__body)
{
    device_body<_Body>::clear_padding(__body);
    umsim_launch(&kernel<_Form, typename device_body<_Body>::type, _Builtins, _Name, _Counted<_Name>>::record,
                 &__body, sizeof __body);
}

/**
 * @name Registration for cudaLaunchKernel() and related functions
 * @{
 */
template <class _Tp> struct without_const {
    typedef _Tp type;
};
template <class _Tp> struct without_const<const _Tp> {
    typedef _Tp type;
};

/* One argument of cudaLaunchKernel(): for a reference, the array holds the address of what it refers to. */
template <class _Tp> struct argument {
    typedef typename without_const<_Tp>::type type;
    static type &of(void *__p)
    {
        return *static_cast<type *>(__p);
    }
};
template <class _Tp> struct argument<_Tp &> {
    static _Tp &of(void *__p)
    {
        return **static_cast<_Tp **>(__p);
    }
};

template <size_t... _Ip> struct positions {
};
template <size_t _Np, size_t... _Ip> struct count_positions : count_positions<_Np - 1, _Np - 1, _Ip...> {
};
template <size_t... _Ip> struct count_positions<0, _Ip...> {
    typedef positions<_Ip...> type;
};

template <class... _Ap> struct thunk {
    template <size_t... _Ip> static void call(void (*__stub)(_Ap...), void **__args, positions<_Ip...>)
    {
        __stub(argument<_Ap>::of(__args[_Ip])...);
    }
    static void run(void (*__stub)(void), void **__args)
    {
        (void)__args;
        call(reinterpret_cast<void (*)(_Ap...)>(__stub), __args,
             typename count_positions<sizeof...(_Ap)>::type());
    }
};

/* How the parameters lie; a reference is an address. */
template <class _Tp> struct parameter_slot {
    _Tp value;
};
/* Hidden: a template's variable that others may see keeps its library loaded for ever (STB_GNU_UNIQUE). */
template <class... _Ap> struct __attribute__((__visibility__("hidden"))) kernel_layout {
    static const umsim_parameter list[sizeof...(_Ap) + 1];
};
template <class... _Ap>
const umsim_parameter kernel_layout<_Ap...>::list[sizeof...(_Ap) + 1] = {
    {static_cast<uint32_t>(sizeof(parameter_slot<_Ap>)),
     static_cast<uint32_t>(alignof(parameter_slot<_Ap>))}...};

/** Its constructor makes a stub known before main(). */
struct registrar {
    template <class... _Ap> registrar(void (*__stub)(_Ap...), const char *__name)
    {
        void (*const __known)(void) = reinterpret_cast<void (*)(void)>(__stub);
        umsim_register_kernel(__known, thunk<_Ap...>::run, __name);
        umsim_register_parameters(__known, kernel_layout<_Ap...>::list, sizeof...(_Ap));
    }
};

/** The same for a device variable. */
struct variable {
    template <class _Tp> variable(const volatile _Tp &__v, const char *__name)
    {
        const void *const __at = const_cast<const void *>(static_cast<const volatile void *>(&__v));
        umsim_register_variable(__at, sizeof(_Tp));
        umsim_name_variable(__at, __name);
    }
};

/** For umcc --check: the position of each variable, and the gap behind it. */
struct known_variable {
    template <class _Tp> known_variable(const volatile _Tp &__v, const char *__name, const char (&__gap)[64])
    {
        umsim_check_variable(const_cast<const void *>(static_cast<const volatile void *>(&__v)), sizeof(_Tp),
                             __name, __gap, sizeof __gap);
    }
};

/** One instance of a kernel template: any use of `here` registers it. */
template <class _Function, _Function __stub, class _Name> struct registered {
    static const registrar here;
};
template <class _Function, _Function __stub, class _Name>
const registrar registered<_Function, __stub, _Name>::here(__stub, _Name::text());
/** @} */

/** @name __shared__ memory
 * @{ */
/* What a kernel may declare, on every GPU. */
constexpr size_t static_shared_max = 0xc000;

/* Only its address matters: it distinguishes one __shared__ variable from another. */
template <class _Group> struct shared_key {
    static constexpr char key = 0;
};
template <class _Group> constexpr char shared_key<_Group>::key; /* before C++17 it has to be defined apart */

template <class _Group> inline _Group &shared()
{
    return *static_cast<_Group *>(umsim_shared(&shared_key<_Group>::key, sizeof(_Group), alignof(_Group)));
}

/** `extern __shared__ T a[];` */
template <class _Array> inline _Array &dynamic_shared()
{
    return *static_cast<_Array *>(umsim_dynamic_shared());
}
/** @} */

} // namespace umsim

/**
 * @name Loads and stores with a cache hint
 * They are plain loads and stores here.
 * @{
 */
template <class _Tp> inline _Tp __ldg(const _Tp *__address)
{
    return *__address;
}
template <class _Tp> inline _Tp __ldcg(const _Tp *__address)
{
    return *__address;
}
template <class _Tp> inline _Tp __ldca(const _Tp *__address)
{
    return *__address;
}
template <class _Tp> inline _Tp __ldlu(const _Tp *__address)
{
    return *__address;
}
/** Reads from memory, not from a cache. */
template <class _Tp> inline _Tp __ldcv(const _Tp *__address)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* structures have no volatile copy constructor */
    return *__address;
}
template <class _Tp> inline _Tp __ldcs(const _Tp *__address)
{
    return *__address;
}
template <class _Tp> inline void __stcg(_Tp *__address, _Tp __value)
{
    *__address = __value;
}
template <class _Tp> inline void __stwb(_Tp *__address, _Tp __value)
{
    *__address = __value;
}
template <class _Tp> inline void __stwt(_Tp *__address, _Tp __value)
{
    *__address = __value;
}
template <class _Tp> inline void __stcs(_Tp *__address, _Tp __value)
{
    *__address = __value;
}
/** @} */

#endif
