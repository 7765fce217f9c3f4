/**
 * @file hooks.c
 * @brief The functions that the counting form of a kernel calls: gcc's -fsanitize=thread made the calls, and
 * umcc gave them these names (umcc/counted.c).
 *
 * gcc emits no atomic operation behind the call for one: the function called here performs it. Host functions
 * never come here: what calls them is the fast form.
 */
#include "block.h"

#include <stdatomic.h>
#include <string.h>

#define HERE __builtin_return_address(0)
#define HOOK __attribute__((visibility("default"))) /* only compiled kernels know these */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

static inline __attribute__((always_inline)) void count(const volatile void *p, size_t bytes,
                                                        enum umsim_counts_how how, const void *pc)
{
    umsim_count_access((uintptr_t)p, bytes, how, pc);
}

typedef float vector __attribute__((vector_size(16)));

/* A vector that lies askew cannot be read: here in one piece, as the fast form would. */
static inline __attribute__((always_inline)) void fail_if_askew(const void *p, size_t bytes)
{
    if (bytes == sizeof(vector) && __builtin_expect((uintptr_t)p % sizeof(vector) != 0, 0))
        (void)*(const volatile vector *)p;
}

#define ACCESSES(bytes)                                                                                      \
    HOOK void umsim_hook_read##bytes(void *p)                                                                \
    {                                                                                                        \
        fail_if_askew(p, bytes);                                                                             \
        count(p, bytes, UMSIM_COUNTS_READ, HERE);                                                            \
    }                                                                                                        \
    HOOK void umsim_hook_write##bytes(void *p)                                                               \
    {                                                                                                        \
        fail_if_askew(p, bytes);                                                                             \
        count(p, bytes, UMSIM_COUNTS_WRITE, HERE);                                                           \
    }                                                                                                        \
    HOOK void umsim_hook_first_read##bytes(void *p)                                                          \
    {                                                                                                        \
        fail_if_askew(p, bytes);                                                                             \
        umsim_count_first_access((uintptr_t)p, bytes, UMSIM_COUNTS_READ, HERE);                              \
    }                                                                                                        \
    HOOK void umsim_hook_first_write##bytes(void *p)                                                         \
    {                                                                                                        \
        fail_if_askew(p, bytes);                                                                             \
        umsim_count_first_access((uintptr_t)p, bytes, UMSIM_COUNTS_WRITE, HERE);                             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

HOOK void umsim_hook_read_range(void *p, size_t bytes)
{
    count(p, bytes, UMSIM_COUNTS_READ, HERE);
}

HOOK void umsim_hook_write_range(void *p, size_t bytes)
{
    count(p, bytes, UMSIM_COUNTS_WRITE, HERE);
}

/* A constructor sets an object's table of virtual functions. */
HOOK void umsim_hook_vptr_update(void **p, void *table)
{
    (void)table;
    count(p, sizeof *p, UMSIM_COUNTS_WRITE, HERE);
}

HOOK void umsim_hook_vptr_read(void **p)
{
    count(p, sizeof *p, UMSIM_COUNTS_READ, HERE);
}

HOOK void umsim_hook_init(void)
{
}

HOOK void umsim_hook_func_entry(void *caller)
{
    (void)caller;
}

HOOK void umsim_hook_func_exit(void)
{
}

/* ---- fences and atomic operations ---- */

HOOK void umsim_hook_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

HOOK void umsim_hook_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#define FETCH(bits, T, name)                                                                                 \
    HOOK T umsim_hook_atomic##bits##_fetch_##name(volatile T *p, T value, int order)                         \
    {                                                                                                        \
        (void)order;                                                                                         \
        count(p, sizeof *p, UMSIM_COUNTS_ATOMIC, HERE);                                                      \
        return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                                            \
    }

/* Both forms of compare_exchange. Like a GPU's, they fail only if the value differs. */
#define COMPARE(bits, T, form, how)                                                                          \
    HOOK int umsim_hook_atomic##bits##_compare_exchange_##form(volatile T *p, T *expected, T wanted,         \
                                                               int order, int failure)                       \
    {                                                                                                        \
        (void)order, (void)failure;                                                                          \
        const int done =                                                                                     \
            __atomic_compare_exchange_n(p, expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
        umsim_count_exchange((uintptr_t)p, sizeof *p, !done, how, HERE);                                     \
        return done;                                                                                         \
    }

/* A load or a store that is atomic is a plain one to memory. */
#define ATOMICS(bits, T)                                                                                     \
    HOOK T umsim_hook_atomic##bits##_load(const volatile T *p, int order)                                    \
    {                                                                                                        \
        (void)order;                                                                                         \
        umsim_count_load((uintptr_t)p, sizeof *p, HERE);                                                     \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                        \
    HOOK void umsim_hook_atomic##bits##_store(volatile T *p, T value, int order)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        count(p, sizeof *p, UMSIM_COUNTS_WRITE, HERE);                                                       \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    HOOK T umsim_hook_atomic##bits##_exchange(volatile T *p, T value, int order)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        count(p, sizeof *p, UMSIM_COUNTS_ATOMIC, HERE);                                                      \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                                        \
    FETCH(bits, T, add)                                                                                      \
    FETCH(bits, T, sub)                                                                                      \
    FETCH(bits, T, and)                                                                                      \
    FETCH(bits, T, or)                                                                                       \
    FETCH(bits, T, xor)                                                                                      \
    FETCH(bits, T, nand)                                                                                     \
    COMPARE(bits, T, strong, UMSIM_COUNTS_EXCHANGE)                                                          \
    COMPARE(bits, T, weak, UMSIM_COUNTS_SUM)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

/* ---- functions of the C library; gcc calls them for large structures, too ---- */

HOOK void *umsim_hook_memcpy(void *to, const void *from, size_t bytes)
{
    count(from, bytes, UMSIM_COUNTS_READ, HERE);
    count(to, bytes, UMSIM_COUNTS_WRITE, HERE);
    return memcpy(to, from, bytes);
}

HOOK void *umsim_hook_memmove(void *to, const void *from, size_t bytes)
{
    count(from, bytes, UMSIM_COUNTS_READ, HERE);
    count(to, bytes, UMSIM_COUNTS_WRITE, HERE);
    return memmove(to, from, bytes);
}

HOOK void *umsim_hook_memset(void *to, int value, size_t bytes)
{
    count(to, bytes, UMSIM_COUNTS_WRITE, HERE);
    return memset(to, value, bytes);
}
