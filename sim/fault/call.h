/**
 * @file call.h
 * @brief The calls that are served when they are given managed memory: what each does with its arguments.
 *
 * call_table.h has a line for each. wrappers.c makes of it a function of the C library's name, which programs
 * call instead. It passes the call on as long as no managed memory is alive; otherwise call.c looks at the
 * arguments, lends what is managed (loan.h), makes the call, and takes back what it wrote.
 *
 * All these functions take at most six arguments, numbers or pointers. They travel in registers, whatever
 * their types are, so one kind of function stands for all (x86-64 and aarch64 on Linux; variable arguments,
 * too).
 */
#ifndef UMSIM_LIBC_H
#define UMSIM_LIBC_H

#include "loan.h"

#include <stdint.h>

#define CALL(name, ...) UMSIM_LIBC_##name,
#define CALL_BY(serve, name, ...) UMSIM_LIBC_##name,
#define RAW(name, ...) UMSIM_RAW_##name,
#define RAW_BY(serve, name, ...) UMSIM_RAW_##name,
#define BY_HAND(name, ...) UMSIM_LIBC_##name,
#define OTHER(name) UMSIM_LIBC_##name,
enum umsim_libc_id {
#include "call_table.h"
    UMSIM_LIBC_CALLS
};
#undef CALL
#undef CALL_BY
#undef RAW
#undef RAW_BY
#undef BY_HAND
#undef OTHER

#define UMSIM_ARGUMENTS 6
typedef long (*umsim_real_call)(long, long, long, long, long, long);

/** The C library's own function; one that it lacks fails with ENOSYS. */
umsim_real_call umsim_libc_function(enum umsim_libc_id id);
/** The C library's syscall(), with six arguments. */
long umsim_real_number(long number, const long *argument);

/** What a call says when it has succeeded. */
enum umsim_gives {
    UMSIM_LONG,    /* not -1 */
    UMSIM_INT,     /* an int that is not -1 */
    UMSIM_ERROR,   /* an int: 0, otherwise an error's number */
    UMSIM_POINTER, /* not NULL */
    UMSIM_ITEMS    /* how many elements were read or written */
};

/** How long an argument's memory is. */
enum umsim_form {
    UMSIM_NO_ARGUMENT,
    UMSIM_FIXED,     /* `unit` bytes */
    UMSIM_TIMES,     /* argument `count` times `unit`, and `extra` */
    UMSIM_TIMES_32,  /* likewise, where that argument is an int */
    UMSIM_PRODUCT,   /* arguments `count` and `count` + 1, multiplied */
    UMSIM_EACH_PAGE, /* a byte for each page of argument `count` bytes */
    UMSIM_BITS,      /* one bit for each number below argument `count` */
    UMSIM_AT,        /* what argument `count` points to, a socklen_t, says before the call, and after it */
    UMSIM_TEXT,      /* up to its NUL character */
    UMSIM_TEXTS,     /* pointers to texts, up to a NULL */
    UMSIM_VECTOR,    /* argument `count` iovecs */
    UMSIM_THEIRS,    /* likewise, if argument 0 is this process */
    UMSIM_MESSAGE,   /* a msghdr */
    UMSIM_MESSAGES,  /* argument `count` mmsghdrs */
    UMSIM_OPEN,      /* unknown, perhaps none: opened where it is, if the call says EFAULT */
};

struct umsim_argument {
    uint8_t at;     /* which argument, from 0 */
    uint8_t access; /* enum umsim_access */
    uint8_t form;
    uint8_t count;
    uint16_t unit;
    uint8_t extra;
    bool as_result; /* the call returns how much of it was written, in units */
    bool always;    /* it is written when the call fails, too */
};

struct umsim_made;

struct umsim_libc_call {
    const char *name; /* of the C library's function; NULL: there is none */
    long number;      /* of the system call with the same arguments; -1: there is none */
    enum umsim_gives gives;
    struct umsim_argument argument[6];
    long (*serve)(struct umsim_made *made); /* NULL: as `argument` says */
};
extern const struct umsim_libc_call umsim_libc_call[UMSIM_LIBC_CALLS];

/** A call as the program made it. */
struct umsim_made {
    const struct umsim_libc_call *call;
    umsim_real_call real; /* NULL: it was made by number, through syscall() */
    long number;
    long argument[UMSIM_ARGUMENTS];
};

/** Makes the call with these arguments. */
long umsim_make(const struct umsim_made *made, const long *argument);
/** Lends what one argument points to. @return the argument for the call */
long umsim_lend_argument(struct umsim_loan *loan, const struct umsim_argument *it, const long *argument);
/** Serves it as its table says; or, if it has no line there, opens what its arguments point to. */
long umsim_serve_by_table(struct umsim_made *made);
/** Serves a call that was made by name, or by number. */
long umsim_serve_call(enum umsim_libc_id id, long a, long b, long c, long d, long e, long f);
long umsim_serve_number(long number, const long *argument);

#endif
