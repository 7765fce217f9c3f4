/**
 * @file call.h
 * @brief An API call under way: its name and its arguments, from which a refusal is explained (refused.h).
 *
 * UMSIM_ENTER makes the record (runtime.h). The arguments are pointed to where they are, so a call that
 * succeeds pays for a few addresses only. A pointer that may be NULL is left out, because a NULL among the
 * arguments is told as the cause.
 */
#ifndef UMSIM_API_CALL_H
#define UMSIM_API_CALL_H

#include "../include/driver_types.h"
#include "../queue/copy_op.h"

#include <stdbool.h>
#include <stddef.h>

/** What an argument is, by its type. */
enum umsim_argument_kind {
    UMSIM_ARGUMENT_END,
    UMSIM_ARGUMENT_OTHER,
    UMSIM_ARGUMENT_PLACE,   /* any other pointer: the call reads something there, or writes its answer */
    UMSIM_ARGUMENT_POINTER, /* memory: void * */
    UMSIM_ARGUMENT_SIZE,
    UMSIM_ARGUMENT_INT,
    UMSIM_ARGUMENT_UNSIGNED, /* flags, an enum */
    UMSIM_ARGUMENT_STREAM,
    UMSIM_ARGUMENT_EVENT,
    UMSIM_ARGUMENT_COPY, /* struct umsim_copy: one of the copying calls */
    UMSIM_ARGUMENT_SET,  /* struct umsim_set: one of the memsets */
    UMSIM_ARGUMENT_DIM3,
    UMSIM_ARGUMENT_LOCATION, /* struct cudaMemLocation */
};

struct umsim_argument {
    enum umsim_argument_kind kind;
    const void *value; /* where it is */
};

struct umsim_api_call {
    const char *name, *arguments_names;     /* "cudaFree", "devPtr" */
    const struct umsim_argument *arguments; /* up to UMSIM_ARGUMENT_END */
    const void *caller;                     /* where the program called; NULL: to be found on the stack */
    const struct umsim_api_call *outer;     /* the call in which a host function makes this one */
    bool destroys;                          /* its first argument is a handle that is gone afterwards */
    uint64_t stalls;                        /* umsim_clock_stalls() at its start */
};

/* clang-format off */
/* 5 is GCC's number for pointers. cppcheck, which is no GNU compiler, cannot read it. */
#ifdef __GNUC__
#define UMSIM_KIND_OF_ARGUMENT(x)                                                                            \
    _Generic((x),                                                                                            \
        void *: UMSIM_ARGUMENT_POINTER, const void *: UMSIM_ARGUMENT_POINTER,                                \
        size_t: UMSIM_ARGUMENT_SIZE, int: UMSIM_ARGUMENT_INT, unsigned: UMSIM_ARGUMENT_UNSIGNED,             \
        cudaStream_t: UMSIM_ARGUMENT_STREAM, cudaEvent_t: UMSIM_ARGUMENT_EVENT,                              \
        struct umsim_copy: UMSIM_ARGUMENT_COPY, struct umsim_set: UMSIM_ARGUMENT_SET,                        \
        dim3: UMSIM_ARGUMENT_DIM3, struct cudaMemLocation: UMSIM_ARGUMENT_LOCATION,                          \
        default: (__builtin_classify_type(x) == 5 ? UMSIM_ARGUMENT_PLACE : UMSIM_ARGUMENT_OTHER))
#else
#define UMSIM_KIND_OF_ARGUMENT(x) UMSIM_ARGUMENT_OTHER
#endif
#define UMSIM_ARGUMENT(x) {UMSIM_KIND_OF_ARGUMENT(x), &(x)}
/* clang-format on */

/* A call of the simulator's own: it has neither a name nor arguments. */
__attribute__((unused)) static const struct umsim_argument umsim_no_arguments[] = {
    {UMSIM_ARGUMENT_END, NULL}};
#define UMSIM_OWN_CALL ((struct umsim_api_call){"", "", umsim_no_arguments, NULL, NULL, false, 0})

/* UMSIM_ARGUMENTS(a, b): {a's}, {b's}, {the end}; up to eight. */
#define UMSIM_ARGUMENTS_0()                                                                                  \
    {                                                                                                        \
        UMSIM_ARGUMENT_END, NULL                                                                             \
    }
#define UMSIM_ARGUMENTS_1(x) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_0()
#define UMSIM_ARGUMENTS_2(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_1(__VA_ARGS__)
#define UMSIM_ARGUMENTS_3(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_2(__VA_ARGS__)
#define UMSIM_ARGUMENTS_4(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_3(__VA_ARGS__)
#define UMSIM_ARGUMENTS_5(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_4(__VA_ARGS__)
#define UMSIM_ARGUMENTS_6(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_5(__VA_ARGS__)
#define UMSIM_ARGUMENTS_7(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_6(__VA_ARGS__)
#define UMSIM_ARGUMENTS_8(x, ...) UMSIM_ARGUMENT(x), UMSIM_ARGUMENTS_7(__VA_ARGS__)
#define UMSIM_ARGUMENTS_BY(_0, _1, _2, _3, _4, _5, _6, _7, _8, by, ...) by
#define UMSIM_ARGUMENTS(...)                                                                                 \
    UMSIM_ARGUMENTS_BY(_, ##__VA_ARGS__, UMSIM_ARGUMENTS_8, UMSIM_ARGUMENTS_7, UMSIM_ARGUMENTS_6,            \
                       UMSIM_ARGUMENTS_5, UMSIM_ARGUMENTS_4, UMSIM_ARGUMENTS_3, UMSIM_ARGUMENTS_2,           \
                       UMSIM_ARGUMENTS_1, UMSIM_ARGUMENTS_0, )                                               \
    (__VA_ARGS__)

#endif
