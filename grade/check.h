/**
 * @file check.h
 * @brief For the authors of checks (checks*.c in a lab's grade/): calls a student's function in a sandbox,
 * and judges what it did.
 *
 *     static void exact_bytes(void)
 *     {
 *         struct um_try try = {.function = "vector_add_host", .number = {1000}, .in = ab, .in_bytes = 8000,
 *                              .out_bytes = 4000};
 *         UM_EACH_SCHEDULE(&try) {
 *             um_expect(try.did.counters.memcpy_htod_bytes == 8000,
 *                       "8,000 bytes to the device: a and b, once",
 *                       "%" PRIu64 " bytes", try.did.counters.memcpy_htod_bytes);
 *         }
 *     }
 *     static const struct um_check vector_add_host_checks[] = {
 *         {"right_data", 4, right_data, NULL},
 *         {"exact_bytes", 2, exact_bytes, "right_data"},
 *     };
 *     UM_EXERCISE("vector_add_host", vector_add_host_checks);
 *
 * Checks run in the grader's own process, as CUnit tests. They see the outputs of the call, what it
 * returned, and the ledger's difference over the call. They see nothing else that the student's code could
 * claim.
 */
#ifndef UM_GRADE_CHECK_H
#define UM_GRADE_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_buffer.h"
#include "keyed.h"
#include "sim/model/timeline.h"
#include "umsim/page.h"
#include "umsim_grading.h"

struct umsim_profile;

/** How a sandboxed call ended. */
enum um_end {
    UM_RETURNED, /**< the function returned */
    UM_CRASHED,  /**< a signal: `signal` */
    UM_ENDED, /**< the process ended by itself (exit, a destructor, ...) before the grader had its answer */
    UM_TIMED_OUT, /**< it was stopped at its deadline, or at a limit */
};

/** One call of a student's function: the upper part is the request, the lower part is what happened. */
struct um_try {
    const char *function; /**< as calls.c names it */
    int64_t number[UM_CALL_BUFFER_NUMBERS];
    const void *in; /**< copied into the sandbox */
    size_t in_bytes, out_bytes;
    const char *schedule; /**< UMSIM_SCHED; NULL: lazy */
    const char *profile;  /**< UMSIM_PROFILE; NULL: the course's */
    const char *fail;     /**< UMSIM_FAIL; NULL: none */

    enum um_end end;
    int signal; /**< of UM_ENDED: the exit status, -1 if there is none */
    int64_t returned;
    const unsigned char *out; /**< out_bytes; valid until the next call */
    struct umsim_ledger did;  /**< the ledger's difference over the call; account[].bytes_peak within it */
    struct umsim_key key;     /**< what the kernels of this call mixed values with (keyed.h) */
    int64_t fail_error; /**< in UM_EACH_FAILURE: the cudaError_t that the failing call returned; 0: none */
    const char *said;   /**< its stdout and stderr, cut at 64 KiB; valid until the next call */
};

/**
 * Makes the call. A call that does not return fails the check that is running, with what the sandboxed call
 * printed, and counts as CRASH or TIMEOUT.
 * @return whether the function returned; if not, the check is over: return
 */
bool um_call(struct um_try *try);

/**
 * The head of a loop: um_call() under lazy, eager and random schedules, in turn, until the check has failed.
 */
#define UM_EACH_SCHEDULE(try) for (unsigned um_schedule_ = 0; um_next_schedule(try, &um_schedule_);)
bool um_next_schedule(struct um_try *try, unsigned *index);

/**
 * The head of a loop: um_call() once for each call of the CUDA API that a clean run makes, with that call
 * failing (UMSIM_FAIL=CALL:K); of a function that it calls more than 8 times, the first and the last three
 * calls and two between. Calls that give something back, and calls that only report errors, do not fail.
 * `try->fail` says which call fails. It is NULL in the clean run, which comes first, and in a run in which a
 * query was not made this time: there the body has to judge that the result is right, as in any other check.
 * Otherwise a function that does nothing for these arguments would have handled every error.
 */
#define UM_EACH_FAILURE(try) for (unsigned um_failure_ = 0; um_next_failure(try, &um_failure_);)
bool um_next_failure(struct um_try *try, unsigned *index);

/**
 * Judges one result. When `ok` is false the check has failed: `expected` and the formatted text say what was
 * expected and what happened. The report adds where (schedule, failure, numbers). Only the first failure of a
 * check is kept.
 * @return ok
 */
bool um_expect(bool ok, const char *expected, const char *happened, ...)
    __attribute__((format(printf, 3, 4)));

/**
 * @return element i of a check's results, when it has gone through so many kernels, each of which stored it
 * by `key` (keyed.h). With 0 kernels: what stands there before the first one, NAN where that is nothing
 */
typedef float um_value(const void *of, size_t i, unsigned kernels, const struct umsim_key *key);

/**
 * um_expect() for floats: the call's outputs, from the start, have to equal `value`'s, bit by bit.
 * @param of handed to `value`
 * @param kernels how many each element has to go through
 * @param what the array's name, for the report
 */
bool um_expect_floats(const struct um_try *try, um_value *value, const void *of, size_t count,
                      unsigned kernels, const char *what);

/** Whether the running check has failed already. */
bool um_has_failed(void);

/** Names the current case ("n = 4097") for the report, until the next call. */
void um_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Ends the check as SKIP. */
void um_skip(const char *why);

/** Hidden inputs: a sequence that follows from the course's key and seed, the lab, the check's name, the
 * student, and how many loops over calls, and calls outside of loops, the check has begun. */
uint64_t um_random(void);
/** Fills with floats from 0.5 to 2, of 24 random bits each: a table of some of them replaces nothing, and
 * sums of them in double precision are exact. */
void um_random_floats(float *values, size_t count);

/**
 * The machine that submissions run on, for checks about costs: umsim_price.h's functions turn it into times.
 * It lives as long as the grader.
 */
const struct umsim_profile *um_profile(void);

/**
 * @name What many checks ask (expect.c)
 * For the functions that take a um_try, `returned` has to come from um_with_left() (call_buffer.h). @{
 */
#define UM_PAGE ((uint64_t)UMSIM_PAGE_BYTES)
#define UM_BIG_PAGE ((uint64_t)64 << 10)
#define UM_BLOCK ((uint64_t)2 << 20)
/**
 * Faults of a host that reads or writes a block of 2 MiB in order: they bring 64, 64, 128, 256, 512 KiB, 1
 * MiB. Measured on an H200.
 */
#define UM_FAULTS_OF_A_BLOCK 6

uint64_t um_round_up(uint64_t bytes, uint64_t piece);
/** Hidden inputs from 0 to 2,000,000: the sum of a few thousand of them does not fit in an int. */
void um_random_ints(int *values, size_t count);
/** At least one byte, from malloc; never NULL. */
void *um_memory(size_t bytes);

/** Where a difference between counts is told that may be below 0. */
static inline int64_t um_more(uint64_t count, uint64_t than)
{
    return (int64_t)(count - than);
}
/** "2nd"; the last two texts remain valid. */
const char *um_ordinal(uint64_t number);
/** The error as text, "cudaErrorInvalidValue (1)"; the last two texts remain valid. */
const char *um_error(int64_t number);
/** What the function returned: a cudaError_t. */
int64_t um_returned(const struct um_try *try);
void um_expect_error(const struct um_try *try, int64_t error, const char *expected);
void um_expect_success(const struct um_try *try);
/** In UM_EACH_FAILURE: the function has to return the error of the call that failed; cudaSuccess if none did.
 */
void um_expect_first_error(const struct um_try *try);
/** For a run without failures: every call has to be right, frees included. */
void um_expect_no_error_left(const struct um_try *try);
/**
 * Of every kind of memory, as much has to be released as was allocated, and not by cudaDeviceReset. A free
 * that is queued in a stream (cudaFreeAsync) counts.
 */
void um_expect_nothing_left(const struct umsim_ledger *did);

/**
 * Calls in which the host waits, by name. Copies and frees also wait, but are no waits in a program's text.
 */
uint64_t um_waits(const struct umsim_ledger *did);
/** There have to be at least `least` and at most `most` (0 or 1) waits, and no queries instead. */
void um_expect_waits(const struct umsim_ledger *did, uint64_t least, uint64_t most);

/**
 * For the same work in few pieces and in many: waits for the whole device, and what is allocated or created,
 * must not grow.
 * @param piece what a piece is called, "chunk"
 */
void um_expect_nothing_each(const struct umsim_ledger *few, unsigned few_pieces,
                            const struct umsim_ledger *many, unsigned many_pieces, const char *piece);

/** Kernels have to touch at least `bytes` bytes, so that the host does not do some of it. */
void um_expect_kernels_touched(const struct um_try *try, uint64_t bytes);

/** How many of did->operation[] are filled. Who looks at them asks um_expect_all_operations() first. */
size_t um_operations(const struct umsim_ledger *did);
/** The ledger has all operations: none has been pushed out by later ones, which may be made for that. */
void um_expect_all_operations(const struct umsim_ledger *did);
/** How long an engine worked, microseconds of the virtual clock. */
double um_engine_us(const struct umsim_ledger *did, enum umsim_engine engine);
/** @} */

/**
 * @name Whole checks that many functions have (expect.c)
 * They make the calls themselves, from a um_try that only has its request filled in. @{
 */
/** Under every schedule: the function makes no call of CUDA. */
void um_judge_only_computes(struct um_try *try);
/** Under every schedule: the function releases what it made, and leaves no error. */
void um_judge_gives_back(struct um_try *try);
/**
 * Lets every call fail once: the function has to return its error, and release what it made.
 * @param right judges the result where no call fails
 * @param is_callers whether the failure `fail` is in calls.c's own calls, which are not judged; NULL: none is
 * @param also judges more in each case, such as outputs; NULL: nothing
 */
void um_judge_errors(struct um_try *try, bool is_callers(const char *fail),
                     void right(const struct um_try *try), void also(const struct um_try *try));
/**
 * The same for a function whose contract is "cudaSuccess when the result is right, else the first error": it
 * may succeed in spite of the failure (by other means, or because the call was only of use). Then its result
 * has to be right under every schedule, whatever the failing call would have done.
 * @param right judges the result
 * @param also judges more where it returned the error; NULL: nothing
 */
void um_judge_errors_or_right(struct um_try *try, bool is_callers(const char *fail),
                              void right(const struct um_try *try), void also(const struct um_try *try));
/** @} */

/** One check. The lab's grade/lessons.md has what is said of it beside its verdict. */
struct um_check {
    const char *name; /**< within its exercise */
    unsigned points;
    void (*body)(void);
    const char
        *parent; /**< a check of the same exercise that has to pass before this one is judged; NULL: none */
};

/**
 * The checks of one function. Write one UM_EXERCISE for each function, at file scope; files are taken in
 * alphabetical order.
 */
struct um_exercise {
    const char *function;
    const struct um_check *check;
    unsigned checks;
    struct um_exercise *next;
};
void um_exercise_add(struct um_exercise *exercise);
/** @param table an array of struct um_check */
#define UM_EXERCISE(function_, table)                                                                        \
    __attribute__((constructor)) static void table##_add(void)                                               \
    {                                                                                                        \
        static struct um_exercise exercise = {function_, table, sizeof table / sizeof *table, NULL};         \
        um_exercise_add(&exercise);                                                                          \
    }                                                                                                        \
    _Static_assert(1, "")

#endif
