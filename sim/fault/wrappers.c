/**
 * @file wrappers.c
 * @brief The functions of the C library's names that programs call instead: one for each line of
 * call_table.h.
 *
 * Each costs a read and a branch as long as no managed memory is alive, and while the simulator's own code
 * calls it. In a program that is linked with the simulator they stand in front of the C library's by their
 * names; where the library is opened by dlopen(), rebind.h puts them there.
 *
 * Not reached: what the C library, other libraries and the program do without calling such a function:
 * system calls in assembly (liburing, libaio, Go), and the C library's calls of itself.
 */
#include "call.h"
#include "clock_waits.h"
#include "rebind.h"
#include "../space/managed.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

/* ---- the C library's own ---- */

static umsim_real_call real[UMSIM_LIBC_CALLS];
static atomic_bool is_known[UMSIM_LIBC_CALLS];

static long is_missing(long a, long b, long c, long d, long e, long f)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    errno = ENOSYS;
    return -1;
}

/* Of a name that only old programs use (__xstat), the newest version is none. */
umsim_real_call umsim_libc_function(enum umsim_libc_id id)
{
    const char *name = umsim_libc_call[id].name;
    if (atomic_load(&is_known[id]) || !name)
        return real[id];
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        found = dlvsym(RTLD_NEXT, name, FIRST_VERSION);
    if (found)
        *(void **)&real[id] = found;
    else
        real[id] = is_missing;
    atomic_store(&is_known[id], true);
    return real[id];
}

void umsim_libc_find_all(void)
{
    for (int id = 0; id < UMSIM_LIBC_CALLS; id++)
        umsim_libc_function((enum umsim_libc_id)id);
}

/* Until a function is known, its first call looks it up: looking all up takes 0.2 ms, which a program that
 * never calls CUDA should not pay. */
#define CALL(name, ...)                                                                                      \
    static long first_##name(long a, long b, long c, long d, long e, long f)                                 \
    {                                                                                                        \
        return umsim_libc_function(UMSIM_LIBC_##name)(a, b, c, d, e, f);                                     \
    }
#define CALL_BY(serve, name, ...) CALL(name)
#define BY_HAND CALL
#define RAW(name, ...)
#define RAW_BY(serve, name, ...)
#define OTHER(name)
#include "call_table.h"
#undef CALL
#undef CALL_BY

#define CALL(name, ...) [UMSIM_LIBC_##name] = first_##name,
#define CALL_BY(serve, name, ...) CALL(name)
static umsim_real_call real[UMSIM_LIBC_CALLS] = {
#include "call_table.h"
};
#undef CALL
#undef CALL_BY

/* ---- the wrappers ---- */

static inline bool passes(void)
{
    return __builtin_expect(!atomic_load_explicit(&umsim_managed_watch, memory_order_relaxed), 1);
}

/* As in call.h: any of these functions, whatever the types of its arguments. */
#define WRAPPER(name, symbol)                                                                                \
    long umsim_wrapped_##name(long, long, long, long, long, long) __asm__(symbol);                           \
    long umsim_wrapped_##name(long a, long b, long c, long d, long e, long f)                                \
    {                                                                                                        \
        if (passes())                                                                                        \
            return real[UMSIM_LIBC_##name](a, b, c, d, e, f);                                                \
        return umsim_serve_call(UMSIM_LIBC_##name, a, b, c, d, e, f);                                        \
    }
#undef BY_HAND
#define CALL(name, ...) WRAPPER(name, #name)
#define CALL_BY(serve, name, ...) WRAPPER(name, #name)
#define BY_HAND(name, ...) WRAPPER(name, "umsim_served_" #name)
#include "call_table.h"

/* ---- by number ---- */

typedef long (*by_number)(long, long, long, long, long, long, long);

long umsim_real_number(long number, const long *a)
{
    return ((by_number)(void (*)(void))umsim_libc_function(UMSIM_LIBC_syscall))(number, a[0], a[1], a[2],
                                                                                a[3], a[4], a[5]);
}

long umsim_wrapped_syscall(long, long, long, long, long, long, long) __asm__("syscall");
long umsim_wrapped_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    if (umsim_clock_number(number, (long[]){a, b, c, d, e, f}, &result))
        return result;
    if (passes() && number != SYS_io_uring_setup) /* a ring is remembered: it may be used later */
        return ((by_number)(void (*)(void))umsim_libc_function(UMSIM_LIBC_syscall))(number, a, b, c, d, e, f);
    return umsim_serve_number(number, (long[]){a, b, c, d, e, f});
}

/* The one function here with more arguments than registers take. */
long umsim_wrapped_recvfrom_chk(long, long, size_t, size_t, long, long, long) __asm__("__recvfrom_chk");
long umsim_wrapped_recvfrom_chk(long fd, long buffer, size_t bytes, size_t capacity, long flags, long address,
                                long length)
{
    if (bytes > capacity) /* which the C library's own ends the program for */
        return ((by_number)(void (*)(void))umsim_libc_function(UMSIM_LIBC___recvfrom_chk))(
            fd, buffer, (long)bytes, (long)capacity, flags, address, length);
    return umsim_wrapped_recvfrom(fd, buffer, (long)bytes, flags, address, length);
}
