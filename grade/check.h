/**
 * @file check.h
 * @brief For the authors of checks (labs/labN/checks.c): calling a student's function in a cell, and judging what it did.
 *
 *     static void exact_bytes(void)
 *     {
 *         struct um_try try = {.function = "vector_add_host", .number = {1000}, .in = ab, .in_bytes = 8000,
 *                              .out_bytes = 4000};
 *         UM_EACH_SCHEDULE(&try) {
 *             um_expect(try.did.counters.memcpy_htod_bytes == 8000, "8,000 bytes to the device: a and b, once",
 *                       "%" PRIu64 " bytes", try.did.counters.memcpy_htod_bytes);
 *         }
 *     }
 *     UM_EXERCISE("vector_add_host",
 *         {"right_data", 4, right_data, .idea = "...", .learned = "..."},
 *         {"exact_bytes", 2, exact_bytes, .parent = "right_data", .idea = "...", .learned = "..."});
 *
 * Checks run in the grader's own process, as CUnit tests. They see the outputs of the call, what it returned, and the
 * ledger's difference over the call; nothing else that the student's code could say.
 */
#ifndef UM_GRADE_CHECK_H
#define UM_GRADE_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "desk.h"
#include "umsim_grading.h"

struct umsim_profile;

/** How a call in a cell ended. */
enum um_end {
    UM_RETURNED, /**< the function came back */
    UM_CRASHED,  /**< a signal: `signal` */
    UM_ENDED, /**< the process ended by itself (exit, a destructor, ...) before the grader had its answer */
    UM_TIMED_OUT, /**< it was stopped at its deadline, or at a limit */
};

/** One call of a student's function: the upper part is asked, the lower part is what happened. */
struct um_try {
    const char *function; /**< as calls.c names it */
    int64_t number[UM_DESK_NUMBERS];
    const void *in; /**< copied to the cell */
    size_t in_bytes, out_bytes;
    const char *schedule; /**< UMSIM_SCHED; NULL: lazy */
    const char *profile;  /**< UMSIM_PROFILE; NULL: the course's */
    const char *fail;     /**< UMSIM_FAIL; NULL: none */
    bool no_salt;         /**< kernels compute what they always do */

    enum um_end end;
    int signal;
    int64_t returned;
    const unsigned char *out; /**< out_bytes; valid until the next call */
    struct umsim_ledger did;  /**< the ledger's difference over the call; account[].bytes_peak within it */
    float salt;               /**< what the kernels of this call added: a whole number from 1 to 200 */
    int64_t fail_error;       /**< in UM_EACH_FAILURE: the cudaError_t that the failing call returned */
    const char *said;         /**< its stdout and stderr, cut at 64 KiB; valid until the next call */
};

/**
 * Makes the call. A call that does not come back fails the check that is running, with what the cell said, and counts as
 * CRASH or TIMEOUT.
 * @return whether the function came back: else the check is over, return
 */
bool um_call(struct um_try *try);

/** um_call() under lazy, eager and random schedules, in turn, until the check has failed: a loop's head. */
#define UM_EACH_SCHEDULE(try) for (unsigned um_schedule_ = 0; um_next_schedule(try, &um_schedule_);)
bool um_next_schedule(struct um_try *try, unsigned *index);

/**
 * um_call() once for each call of the CUDA API that a clean run makes, with that call failing (UMSIM_FAIL=CALL:K): a
 * loop's head. Calls that free, and calls that only report errors, are spared. `try->fail` says which; the clean run comes first and is not shown.
 */
#define UM_EACH_FAILURE(try) for (unsigned um_failure_ = 0; um_next_failure(try, &um_failure_);)
bool um_next_failure(struct um_try *try, unsigned *index);

/**
 * Judges. When `ok` is false the check has failed: `expected` and the formatted text say what was expected and what
 * happened; where (schedule, failure, numbers) is added. Only the first of a check is kept.
 * @return ok
 */
bool um_expect(bool ok, const char *expected, const char *happened, ...)
    __attribute__((format(printf, 3, 4)));

/**
 * um_expect() for floats: the call's outputs, from the start, are `expected` (which has the salt in it), to the bit.
 * @param what the array's name, for the report
 */
bool um_expect_floats(const struct um_try *try, const float *expected, size_t count, const char *what);

/** Whether the running check has failed already. */
bool um_has_failed(void);

/** Names the case in hand ("n = 4097") for the report, until the next call. */
void um_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Ends the check as SKIP. */
void um_skip(const char *why);

/** Hidden inputs: a sequence that follows from the course's seed, the lab, and the check's name. */
uint64_t um_random(void);
/** Fills with floats in [-1, 1), of few bits, so that sums are exact. */
void um_random_floats(float *values, size_t count);

/** The profile in use, for checks about costs: sim/model/cost.h turns it into times. Lives as long as the grader. */
const struct umsim_profile *um_profile(void);

/** One check. */
struct um_check {
    const char *name; /**< within its exercise */
    unsigned points;
    void (*body)(void);
    const char *parent;  /**< a check of the same exercise that has to pass before this one is judged */
    const char *idea;    /**< said when it fails: the idea behind it, not the solution */
    const char *learned; /**< said when it passes */
};

/** The checks of one function. Each checks.c has one UM_EXERCISE for each function, at file scope. */
struct um_exercise {
    const char *function;
    const struct um_check *check;
    unsigned checks;
    struct um_exercise *next;
};
void um_exercise_add(struct um_exercise *exercise);
#define UM_EXERCISE(function_, ...) UM_EXERCISE_AT(__COUNTER__, function_, __VA_ARGS__)
#define UM_EXERCISE_AT(n, function_, ...) UM_EXERCISE_AS(n, function_, __VA_ARGS__)
#define UM_EXERCISE_AS(n, function_, ...)                                                                    \
    static const struct um_check um_checks_##n[] = {__VA_ARGS__};                                            \
    __attribute__((constructor)) static void um_add_##n(void)                                                \
    {                                                                                                        \
        static struct um_exercise exercise = {function_, um_checks_##n,                                      \
                                              sizeof um_checks_##n / sizeof *um_checks_##n, NULL};           \
        um_exercise_add(&exercise);                                                                          \
    }                                                                                                        \
    _Static_assert(1, "")

#endif
