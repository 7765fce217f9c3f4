/**
 * @file um_check.h
 * @brief Reports a failed CUDA call: what failed, where, and what the error usually means in these labs.
 *
 * In a function with a `cleanup:` label, write every CUDA call inside UM_TRY():
 *
 *     UM_TRY(cudaMalloc((void **)&d_a, bytes));
 *     ...
 *     cleanup:
 *         cudaFree(d_a);
 *
 * Where a failure is expected, or where there is nothing to clean up, use UM_CHECK(): it only reports and
 * returns false. Nothing here ends the program: a lab frees what it holds and leaves with exit code 1.
 */
#ifndef UM_CHECK_H
#define UM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reports `error` on stderr unless it is cudaSuccess: the expression, file and line, the error's name, CUDA's
 * own text, and the sentence of um_hint().
 * @return true when `error` is cudaSuccess.
 */
bool um_check(cudaError_t error, const char *expression, const char *file, int line);

/** One sentence on what `error` usually means in these labs; never NULL. It lives as long as the program. */
const char *um_hint(cudaError_t error);

/** One row of the hint table. */
struct um_hint_row {
    cudaError_t error;
    const char *sentence;
};

/** The hint table, and its length in `*count`. For tests and the docs. */
const struct um_hint_row *um_hint_table(size_t *count);

/** Reports a failed CUDA call. @return true when the call succeeded. */
#define UM_CHECK(call) um_check((call), #call, __FILE__, __LINE__)

/** Reports a failed CUDA call and jumps to the function's `cleanup:` label. */
#define UM_TRY(call)                                                                                         \
    do {                                                                                                     \
        if (!UM_CHECK(call))                                                                                 \
            goto cleanup;                                                                                    \
    } while (0)

/**
 * Like UM_TRY(), for an expression that must not be NULL or 0, such as malloc(): reports the expression, and
 * jumps.
 */
#define UM_NEED(expression)                                                                                  \
    do {                                                                                                     \
        if (!um_need((expression) ? true : false, #expression, __FILE__, __LINE__))                          \
            goto cleanup;                                                                                    \
    } while (0)

/** The function behind UM_NEED(): reports `expression` when it is false. @return `true_enough`. */
bool um_need(bool true_enough, const char *expression, const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif
