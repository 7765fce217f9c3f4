/**
 * @file call.c
 * @brief Implementation of call.h: lends what a call's line in the table names, and takes it back.
 */
#include "call.h"
#include "call_forms.h"
#include "messages.h"
#include "special_calls.h"
#include "../base/layout.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/** How often a call is made again because another thread has closed the pages that it needs. */
#define TRIES 1000

/* ---- the table ---- */

#define NONE (-1)
/* aarch64 has none of these. */
#ifndef __x86_64__
enum {
    SYS_access = NONE,
    SYS_chmod = NONE,
    SYS_chown = NONE,
    SYS_creat = NONE,
    SYS_epoll_wait = NONE,
    SYS_getdents = NONE,
    SYS_lchown = NONE,
    SYS_link = NONE,
    SYS_lstat = NONE,
    SYS_mkdir = NONE,
    SYS_mknod = NONE,
    SYS_open = NONE,
    SYS_pipe = NONE,
    SYS_poll = NONE,
    SYS_readlink = NONE,
    SYS_rename = NONE,
    SYS_rmdir = NONE,
    SYS_select = NONE,
    SYS_stat = NONE,
    SYS_symlink = NONE,
    SYS_time = NONE,
    SYS_unlink = NONE,
    SYS_utime = NONE,
    SYS_utimes = NONE
};
#endif

#define CALL(name, number, gives, ...) {#name, number, UMSIM_##gives, {__VA_ARGS__}, NULL},
#define CALL_BY(serve, name, number, gives) {#name, number, UMSIM_##gives, {{0}}, serve},
#define RAW(name, number, gives, ...) {NULL, number, UMSIM_##gives, {__VA_ARGS__}, NULL},
#define RAW_BY(serve, name, number, gives) {NULL, number, UMSIM_##gives, {{0}}, serve},
#define BY_HAND CALL
#define OTHER(name) {#name, NONE, UMSIM_LONG, {{0}}, NULL},
const struct umsim_libc_call umsim_libc_call[UMSIM_LIBC_CALLS] = {
#include "call_table.h"
};
#undef CALL
#undef CALL_BY
#undef RAW
#undef RAW_BY
#undef BY_HAND
#undef OTHER

/* The lines by number. */
#define NUMBERS 512
#define AT_NUMBER(id, number) [(number) < 0 ? NUMBERS : (number)] = (id) + 1,
#define CALL(name, number, ...) AT_NUMBER(UMSIM_LIBC_##name, number)
#define CALL_BY(serve, name, number, ...) AT_NUMBER(UMSIM_LIBC_##name, number)
#define RAW(name, number, ...) AT_NUMBER(UMSIM_RAW_##name, number)
#define RAW_BY(serve, name, number, ...) AT_NUMBER(UMSIM_RAW_##name, number)
#define BY_HAND CALL
#define OTHER(name)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* lines without a number share the last place */
static const uint16_t by_number[NUMBERS + 1] = {
#include "call_table.h"
};
#pragma GCC diagnostic pop

/* ---- how long an argument's memory is ---- */

static size_t product(size_t a, size_t b)
{
    size_t result;
    return __builtin_mul_overflow(a, b, &result) ? 0 : result;
}

static size_t length_at(const void *length)
{
    return umsim_is_readable(length, sizeof(socklen_t)) ? *(const socklen_t *)length : 0;
}

/* 0: nothing is lent, and the call says what it thinks of its arguments. */
static size_t bytes_of(const struct umsim_argument *it, const long *argument)
{
    const size_t count = (size_t)argument[it->count], count_32 = (size_t)(int)argument[it->count];
    switch (it->form) {
    case UMSIM_FIXED:
        return it->unit;
    case UMSIM_TIMES:
        return count > SIZE_MAX / 2 ? 0 : product(count, it->unit) + it->extra;
    case UMSIM_TIMES_32:
        return count_32 > INT32_MAX ? 0 : count_32 * it->unit;
    case UMSIM_PRODUCT:
        return product(count, (size_t)argument[it->count + 1]);
    case UMSIM_EACH_PAGE:
        return count / UMSIM_HOST_PAGE + (count % UMSIM_HOST_PAGE != 0);
    case UMSIM_BITS:
        return count_32 > INT32_MAX ? 0 : (count_32 + 63) / 64 * 8;
    case UMSIM_AT:
        return length_at((const void *)argument[it->count]);
    default:
        return 0;
    }
}

/* ---- lending and taking back ---- */

long umsim_lend_argument(struct umsim_loan *loan, const struct umsim_argument *it, const long *argument)
{
    const void *p = (const void *)argument[it->at];
    switch (it->form) {
    case UMSIM_TEXT:
        return (long)umsim_lend_text(loan, p);
    case UMSIM_TEXTS:
        return (long)umsim_lend_texts(loan, p);
    case UMSIM_THEIRS:
        if ((int)argument[0] != getpid())
            return (long)p;
        __attribute__((fallthrough));
    case UMSIM_VECTOR:
        return (long)umsim_lend_vector(loan, p, (int)argument[it->count], it->access);
    case UMSIM_MESSAGE:
        return (long)umsim_lend_message(loan, p, it->access);
    case UMSIM_MESSAGES:
        return (long)umsim_lend_messages(loan, p, (unsigned)argument[it->count], it->access);
    case UMSIM_OPEN:
        return (long)p;
    default:
        return umsim_is_lendable(p) ? (long)umsim_lend(loan, p, bytes_of(it, argument), it->access) : (long)p;
    }
}

static bool has_succeeded(enum umsim_gives gives, long result)
{
    switch (gives) {
    case UMSIM_LONG:
        return result != -1;
    case UMSIM_INT:
        return (int)result != -1;
    case UMSIM_ERROR:
        return (int)result == 0;
    case UMSIM_POINTER:
        return result != 0;
    default:
        return true;
    }
}

/* What the call says, as a number that is not negative. */
static size_t amount(const struct umsim_made *made, long result)
{
    const enum umsim_gives gives = made->real ? made->call->gives : UMSIM_LONG;
    return gives == UMSIM_INT ? (size_t)(int)result : gives == UMSIM_ERROR ? 0 : (size_t)result;
}

static void take_back(struct umsim_loan *loan, const struct umsim_argument *it, const struct umsim_made *made,
                      const long *argument, long result)
{
    const void *view = (const void *)argument[it->at], *own = (const void *)made->argument[it->at];
    if (view == own || !(it->access & UMSIM_WRITTEN || it->form == UMSIM_MESSAGES))
        return;
    if (it->form == UMSIM_VECTOR || it->form == UMSIM_THEIRS)
        umsim_take_vector_back(loan, view, (int)argument[it->count], amount(made, result));
    else if (it->form == UMSIM_MESSAGE)
        umsim_take_message_back(loan, own, view, amount(made, result));
    else if (it->form == UMSIM_MESSAGES)
        umsim_take_messages_back(loan, own, view, (unsigned)amount(made, result), it->access);
    else if (it->form == UMSIM_TEXT || (it->as_result && made->call->gives == UMSIM_POINTER && made->real))
        umsim_take_back(loan, view, strlen(view) + 1);
    else if (it->form == UMSIM_PRODUCT)
        umsim_take_back(loan, view, product(amount(made, result), (size_t)argument[it->count]));
    else if (it->as_result)
        umsim_take_back(loan, view, amount(made, result) * it->unit + it->extra);
    else
        umsim_take_back(loan, view, SIZE_MAX);
}

long umsim_make(const struct umsim_made *made, const long *argument)
{
    const long *a = argument;
    if (made->real)
        return made->real(a[0], a[1], a[2], a[3], a[4], a[5]);
    return umsim_real_number(made->number, a);
}

/* Where nothing says how many arguments the call has, or which are addresses, some may be what happened to be
 * in a register. So their pages are not touched before the call has failed with EFAULT. @return whether there
 * was anything to open */
static bool opens(const struct umsim_libc_call *call, const long *argument)
{
    bool any = false;
    for (int i = 0; i < UMSIM_ARGUMENTS && call->argument[i].form; i++)
        if (call->argument[i].form == UMSIM_OPEN)
            any |= umsim_open_pages((const void *)argument[call->argument[i].at], UMSIM_PAGE,
                                    call->argument[i].access);
    return any;
}

long umsim_serve_by_table(struct umsim_made *made)
{
    struct umsim_loan loan;
    const struct umsim_argument *table = made->call->argument;
    const enum umsim_gives gives = made->real ? made->call->gives : UMSIM_LONG;
    long argument[UMSIM_ARGUMENTS], result;
    loan.first = NULL, loan.more = NULL, loan.used = 0;
    memcpy(argument, made->argument, sizeof argument);
    for (int i = 0; i < UMSIM_ARGUMENTS && table[i].form; i++)
        argument[table[i].at] = umsim_lend_argument(&loan, &table[i], made->argument);
    result = umsim_make(made, argument);
    for (int i = 0; i < TRIES && !has_succeeded(gives, result) && errno == EFAULT; i++) {
        if (!opens(made->call, made->argument))
            break;
        result = umsim_make(made, argument);
    }
    const int error = errno;
    const bool done = has_succeeded(gives, result);
    for (int i = 0; i < UMSIM_ARGUMENTS && table[i].form; i++)
        if (done || table[i].always)
            take_back(&loan, &table[i], made, argument, result);
    if (gives == UMSIM_POINTER)
        result = (long)umsim_own_address(&loan, (const void *)result);
    errno = error;
    umsim_loan_end(&loan);
    return result;
}

long umsim_serve_call(enum umsim_libc_id id, long a, long b, long c, long d, long e, long f)
{
    struct umsim_made made = {
        &umsim_libc_call[id], umsim_libc_function(id), umsim_libc_call[id].number, {a, b, c, d, e, f}};
    return made.call->serve ? made.call->serve(&made) : umsim_serve_by_table(&made);
}

/* A call that the table does not know: what its arguments point to is opened. */
static const struct umsim_libc_call unknown = {
    "syscall",
    NONE,
    UMSIM_LONG,
    {BOTH(0, PAGES), BOTH(1, PAGES), BOTH(2, PAGES), BOTH(3, PAGES), BOTH(4, PAGES), BOTH(5, PAGES)},
    NULL};

long umsim_serve_number(long number, const long *argument)
{
    struct umsim_made made = {&unknown, NULL, number, {0}};
    if (number >= 0 && number < NUMBERS && by_number[number])
        made.call = &umsim_libc_call[by_number[number] - 1];
    memcpy(made.argument, argument, sizeof made.argument);
    return made.call->serve ? made.call->serve(&made) : umsim_serve_by_table(&made);
}
