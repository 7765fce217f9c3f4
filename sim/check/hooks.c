/**
 * @file hooks.c
 * @brief The functions that code compiled with gcc's -fsanitize=thread calls, under the names and signatures
 * that gcc gives them.
 *
 * gcc emits no atomic operation behind the call for one: the function called here performs it. Nothing of
 * ThreadSanitizer is linked.
 *
 * Host code in the same file calls these functions, too, even before the simulator has started. There only
 * the atomic operations have an effect.
 */
#include "access.h"
#include "check.h"
#include "quick.h"
#include "race.h"
#include "rows.h"
#include "touches.h"
#include "../base/processes.h"
#include "../base/mode.h"

#include <stdatomic.h>
#include <string.h>

#define HERE __builtin_return_address(0)
#define HOOK __attribute__((visibility("default"))) /* only gcc declares these */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

static inline __attribute__((always_inline)) void check_access(const volatile void *p, size_t bytes,
                                                               unsigned how, const void *pc)
{
    if (umsim_in_gpu && umsim_checks)
        umsim_access_check((uintptr_t)p, bytes, how, pc);
    else if (umsim_checks && !umsim_in_gpu && !(how & (UMSIM_HOW_ATOMIC | UMSIM_HOW_VOLATILE)))
        umsim_touches_plain((const void *)p, how & UMSIM_HOW_WRITE, pc);
}

/* ---- ordinary accesses ---- */

static inline bool is_aligned(const void *p, size_t bytes)
{
    return (uintptr_t)p % (bytes > 8 ? 8 : bytes) == 0;
}

/* What is not decided at once: another thread runs, more is to be compared, the access is to the thread's
 * stack, or it goes the long way. Apart, so that the hooks save no registers. */
#define OTHERWISE(bytes, name, is_write)                                                                     \
    static __attribute__((noinline)) void name##bytes(void *p, const void *pc)                               \
    {                                                                                                        \
        if (umsim_quick_is_own((uintptr_t)p, bytes) && is_aligned(p, bytes))                                 \
            return;                                                                                          \
        if ((!umsim_quick_is_stamped() && !umsim_quick_restamp()) ||                                         \
            !umsim_quick_access((uintptr_t)p, bytes, is_write, pc))                                          \
            check_access(p, bytes, (is_write) ? UMSIM_HOW_WRITE | UMSIM_HOW_STORE : 0, pc);                  \
    }

#define ACCESSES(bytes)                                                                                      \
    OTHERWISE(bytes, read_otherwise, false)                                                                  \
    OTHERWISE(bytes, write_otherwise, true)                                                                  \
    HOOK void __tsan_read##bytes(void *p)                                                                    \
    {                                                                                                        \
        if (__builtin_expect((bytes) != 4 || !umsim_quick_at_once((uintptr_t)p, false, HERE), 0))            \
            read_otherwise##bytes(p, HERE);                                                                  \
    }                                                                                                        \
    HOOK void __tsan_write##bytes(void *p)                                                                   \
    {                                                                                                        \
        if (__builtin_expect((bytes) != 4 || !umsim_quick_at_once((uintptr_t)p, true, HERE), 0))             \
            write_otherwise##bytes(p, HERE);                                                                 \
    }                                                                                                        \
    HOOK void __tsan_volatile_read##bytes(void *p)                                                           \
    {                                                                                                        \
        check_access(p, bytes, UMSIM_HOW_VOLATILE, HERE);                                                    \
    }                                                                                                        \
    HOOK void __tsan_volatile_write##bytes(void *p)                                                          \
    {                                                                                                        \
        check_access(p, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE | UMSIM_HOW_VOLATILE, HERE);                \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Of loops that are judged before they begin (rows.h): it writes down where it is, too. */
HOOK void umsim_rows_hook(void *p, const uint64_t *access)
{
    const bool is_write = *access & UMSIM_ROWS_WRITE;
    const size_t bytes = *access % UMSIM_ROWS_WRITE;
    umsim_rows_note(access, HERE);
    if (bytes == 4 && __builtin_expect(umsim_quick_at_once((uintptr_t)p, is_write, HERE), 1))
        return;
    if (bytes == 4)
        is_write ? write_otherwise4(p, HERE) : read_otherwise4(p, HERE);
    else if (bytes == 8)
        is_write ? write_otherwise8(p, HERE) : read_otherwise8(p, HERE);
    else
        is_write ? write_otherwise16(p, HERE) : read_otherwise16(p, HERE);
}

HOOK void __tsan_read_range(void *p, size_t bytes)
{
    if (!umsim_quick_range_access((uintptr_t)p, bytes, false, HERE))
        check_access(p, bytes, UMSIM_HOW_UNALIGNED, HERE);
}

HOOK void __tsan_write_range(void *p, size_t bytes)
{
    if (!umsim_quick_range_access((uintptr_t)p, bytes, true, HERE))
        check_access(p, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE | UMSIM_HOW_UNALIGNED, HERE);
}

/* A constructor sets an object's table of virtual functions. */
HOOK void __tsan_vptr_update(void **p, void *table)
{
    (void)table;
    check_access(p, sizeof *p, UMSIM_HOW_WRITE | UMSIM_HOW_STORE, HERE);
}

HOOK void __tsan_init(void)
{
}

HOOK void __tsan_func_entry(void *caller)
{
    (void)caller;
}

HOOK void __tsan_func_exit(void)
{
}

/* ---- fences and atomic operations ---- */

static inline bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static inline __attribute__((always_inline)) void fence(int order)
{
    if (umsim_in_gpu && umsim_checks && order != __ATOMIC_RELAXED)
        umsim_race_fence(releases(order));
}

/* Before an atomic operation: what it releases. */
static inline __attribute__((always_inline)) void release(int order)
{
    if (releases(order))
        fence(order);
}

/* Behind one: what it acquires. */
static inline __attribute__((always_inline)) void acquire(int order)
{
    if (umsim_in_gpu && umsim_checks && order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
        umsim_race_fence(false);
}

HOOK void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    fence(order);
}

HOOK void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#define CHANGES (UMSIM_HOW_WRITE | UMSIM_HOW_ATOMIC)

/* Libnvvm's kernels tell of any atomic operation (nvvm/checked.py), and perform it themselves. `how`: 0 it
 * reads, 1 it writes, 2 it does both; `order` as C's __ATOMIC_RELAXED and so on. */
HOOK void umsim_check_atomic(const void *p, size_t bytes, int how, int order)
{
    static const unsigned hows[] = {UMSIM_HOW_ATOMIC, CHANGES | UMSIM_HOW_STORE, CHANGES};
    if (how != 0)
        release(order);
    check_access(p, bytes, hows[how], HERE);
    if (how != 1)
        acquire(order);
}

#define FETCH(bits, T, name)                                                                                 \
    HOOK T __tsan_atomic##bits##_fetch_##name(volatile T *p, T value, int order)                             \
    {                                                                                                        \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES, HERE);                                                           \
        acquire(order);                                                                                      \
        return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                                            \
    }

/* Both forms of compare_exchange. Like a GPU's, they fail only if the value differs. */
#define COMPARE(bits, T, form)                                                                               \
    HOOK int __tsan_atomic##bits##_compare_exchange_##form(volatile T *p, T *expected, T wanted, int order,  \
                                                           int failure)                                      \
    {                                                                                                        \
        (void)failure;                                                                                       \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES, HERE);                                                           \
        acquire(order);                                                                                      \
        return __atomic_compare_exchange_n(p, expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    }

#define ATOMICS(bits, T)                                                                                     \
    HOOK T __tsan_atomic##bits##_load(const volatile T *p, int order)                                        \
    {                                                                                                        \
        check_access(p, sizeof *p, UMSIM_HOW_ATOMIC, HERE);                                                  \
        acquire(order);                                                                                      \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                        \
    HOOK void __tsan_atomic##bits##_store(volatile T *p, T value, int order)                                 \
    {                                                                                                        \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES | UMSIM_HOW_STORE, HERE);                                         \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    HOOK T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order)                                 \
    {                                                                                                        \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES, HERE);                                                           \
        acquire(order);                                                                                      \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                                        \
    FETCH(bits, T, add)                                                                                      \
    FETCH(bits, T, sub)                                                                                      \
    FETCH(bits, T, and)                                                                                      \
    FETCH(bits, T, or)                                                                                       \
    FETCH(bits, T, xor)                                                                                      \
    FETCH(bits, T, nand)                                                                                     \
    COMPARE(bits, T, strong)                                                                                 \
    COMPARE(bits, T, weak)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

/* Atomics of 16 bytes exist in no kernel. They are made one after another. */
__extension__ typedef unsigned __int128 wide;
static atomic_flag wide_lock = ATOMIC_FLAG_INIT;

/* Performs `change`, with the previous value in `was`. */
#define WIDE(p, change)                                                                                      \
    wide was;                                                                                                \
    while (atomic_flag_test_and_set(&wide_lock))                                                             \
        ;                                                                                                    \
    was = *(p);                                                                                              \
    change;                                                                                                  \
    atomic_flag_clear(&wide_lock)

#define WIDE_FETCH(name, value_after)                                                                        \
    HOOK wide __tsan_atomic128_##name(volatile wide *p, wide value, int order)                               \
    {                                                                                                        \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES, HERE);                                                           \
        acquire(order);                                                                                      \
        WIDE(p, *p = (value_after));                                                                         \
        return was;                                                                                          \
    }
WIDE_FETCH(exchange, value)
WIDE_FETCH(fetch_add, was + value)
WIDE_FETCH(fetch_sub, was - value)
WIDE_FETCH(fetch_and, was &value)
WIDE_FETCH(fetch_or, was | value)
WIDE_FETCH(fetch_xor, was ^ value)
WIDE_FETCH(fetch_nand, ~(was &value))

HOOK wide __tsan_atomic128_load(const volatile wide *p, int order)
{
    check_access(p, sizeof *p, UMSIM_HOW_ATOMIC, HERE);
    acquire(order);
    WIDE(p, (void)0);
    return was;
}

HOOK void __tsan_atomic128_store(volatile wide *p, wide value, int order)
{
    release(order);
    check_access(p, sizeof *p, CHANGES | UMSIM_HOW_STORE, HERE);
    WIDE(p, *p = value);
    (void)was;
}

#define WIDE_COMPARE(form)                                                                                   \
    HOOK int __tsan_atomic128_compare_exchange_##form(volatile wide *p, wide *expected, wide wanted,         \
                                                      int order, int failure)                                \
    {                                                                                                        \
        (void)failure;                                                                                       \
        release(order);                                                                                      \
        check_access(p, sizeof *p, CHANGES, HERE);                                                           \
        acquire(order);                                                                                      \
        WIDE(p, *p = was == *expected ? wanted : was);                                                       \
        const int same = was == *expected;                                                                   \
        *expected = was;                                                                                     \
        return same;                                                                                         \
    }
WIDE_COMPARE(strong)
WIDE_COMPARE(weak)

/* ---- functions of the C library; gcc calls them for large structures, too, and umcc links to these ---- */

HOOK void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    check_access(from, bytes, UMSIM_HOW_UNALIGNED, HERE);
    check_access(to, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE | UMSIM_HOW_UNALIGNED, HERE);
    return memcpy(to, from, bytes);
}

HOOK void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    check_access(from, bytes, UMSIM_HOW_UNALIGNED, HERE);
    check_access(to, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE | UMSIM_HOW_UNALIGNED, HERE);
    return memmove(to, from, bytes);
}

HOOK void *__wrap_memset(void *to, int value, size_t bytes)
{
    check_access(to, bytes, UMSIM_HOW_WRITE | UMSIM_HOW_STORE | UMSIM_HOW_UNALIGNED, HERE);
    return memset(to, value, bytes);
}
