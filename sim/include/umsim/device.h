/**
 * @file umsim/device.h
 * @brief What kernels are compiled against: umcc includes it in front of every .cu file.
 *
 * Students do not include this file. It holds, in this order: the launch of a rewritten kernel, registration,
 * __shared__ memory. umsim/barriers.h, umsim/warp.h, umsim/atomics.h, umsim/math.h and umsim/texture.h
 * have the rest.
 */
#ifndef UMSIM_DEVICE_H
#define UMSIM_DEVICE_H

/* <initializer_list>, <new> and <time.h> are for programs: nvcc brings them, and kernels construct objects in
 * place. */
#include <initializer_list>
#include <new>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "umsim/abi.h"
#include "umsim/atomics.h"
#include "umsim/barriers.h"
#include "umsim/fission.h"
#include "umsim/library.h"
#include "umsim/math.h"
#include "umsim/module.h"
#include "umsim/ptx.h"
#include "umsim/rows.h"
#include "umsim/strides.h"
#include "umsim/texture.h"
#include "umsim/warp.h"

#ifdef UMSIM_CHECKED
/** umcc --check: before any constructor of the program's own. */
__attribute__((constructor(101))) static void umsim_checked()
{
    umsim_check_begin(UMSIM_CHECKED);
}
#endif

/** Threads of a warp. */
constexpr int warpSize = 32;

/** The part of umsim/device.h that umcc's output names. */
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

/** One kernel's record; a static member, because a queued launch outlives the stub's call. */
template <template <class, bool> class Form, class Body, bool Builtins, class Name> struct kernel {
    static const umsim_kernel record;
};
template <template <class, bool> class Form, class Body, bool Builtins, class Name>
const umsim_kernel kernel<Form, Body, Builtins, Name>::record = {
    Name::text(), Form<Body, Builtins>::blocks_fn, Form<Body, Builtins>::thread_fn,
    Form<Body, Builtins>::strides_too};

/* A body some of whose parameters have a copy constructor or a destructor. Those run where it is launched;
 * threads get the bytes, as on a GPU. */
template <class Body> struct bytewise {
    alignas(Body) unsigned char bytes[sizeof(Body)];
    template <class... A> __attribute__((always_inline)) void operator()(A &&...a)
    {
        (*reinterpret_cast<Body *>(bytes))(static_cast<A &&>(a)...);
    }
};
template <class Body, bool Plain = __is_trivially_copyable(Body)> struct device_body {
    typedef Body type;
    static void clear_padding(const Body &body) /* the same launch has the same bytes */
    {
        __builtin_clear_padding(const_cast<Body *>(&body));
    }
};
template <class Body> struct device_body<Body, false> {
    typedef bytewise<Body> type;
    static void clear_padding(const Body &)
    {
    }
};

/** The end of every stub: hands the kernel's body and parameters to the simulator. */
template <template <class, bool> class Form, bool Builtins, class Name, class Body>
inline void launch(const Body &body)
{
    device_body<Body>::clear_padding(body);
    umsim_launch(&kernel<Form, typename device_body<Body>::type, Builtins, Name>::record, &body, sizeof body);
}

/** @name Registration for cudaLaunchKernel() and its kind
 * @{ */
template <class T> struct without_const {
    typedef T type;
};
template <class T> struct without_const<const T> {
    typedef T type;
};

/* One argument of cudaLaunchKernel(): what a reference refers to has its address there. */
template <class T> struct argument {
    typedef typename without_const<T>::type type;
    static type &of(void *p)
    {
        return *static_cast<type *>(p);
    }
};
template <class T> struct argument<T &> {
    static T &of(void *p)
    {
        return **static_cast<T **>(p);
    }
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
        stub(argument<A>::of(args[I])...);
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

/** Under umcc --check: what stands where, and the gap behind it. */
struct known_variable {
    template <class T> known_variable(const volatile T &v, const char *name, const char (&gap)[64])
    {
        umsim_check_variable(const_cast<const void *>(static_cast<const volatile void *>(&v)), sizeof(T),
                             name, gap, sizeof gap);
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
template <class T> inline T __ldca(const T *address)
{
    return *address;
}
template <class T> inline T __ldlu(const T *address)
{
    return *address;
}
/** Not from a cache. */
template <class T> inline T __ldcv(const T *address)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* structures have no volatile copy */
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
template <class T> inline void __stwb(T *address, T value)
{
    *address = value;
}
template <class T> inline void __stwt(T *address, T value)
{
    *address = value;
}
template <class T> inline void __stcs(T *address, T value)
{
    *address = value;
}
/** @} */

#include "cuda_device_runtime_api.h"

#endif
