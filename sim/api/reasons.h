/**
 * @file reasons.h
 * @brief Finds out why a call was refused: from its arguments, its error, and what is known of memory,
 * streams and events.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_REASONS_H
#define UMSIM_API_REASONS_H

#include "call.h"

/** Lines of text: what is wrong, then what to do instead. Source lines are found out when it is printed
 * (base/source_line.h). */
struct umsim_reason {
    char text[1200];
    size_t used;
};

__attribute__((format(printf, 2, 3))) void umsim_reason_add(struct umsim_reason *reason, const char *format,
                                                            ...);

/** Adds why the call was refused. */
void umsim_reason_find(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);

/** Adds what `p` is: which allocation it is in and where that was made, or which part of the host's memory.
 */
void umsim_reason_pointer(struct umsim_reason *reason, const void *p);

/** The value of the call's first argument of a kind, or NULL if it has none. */
const void *umsim_argument_of(const struct umsim_api_call *call, enum umsim_argument_kind kind);

/** @name The causes in files of their own: each returns whether it was this, and has said so @{ */
bool umsim_reason_launch(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
bool umsim_reason_copy(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
bool umsim_reason_kind(struct umsim_reason *reason, unsigned kind);
bool umsim_reason_set(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
bool umsim_reason_free(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
bool umsim_reason_ipc(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
bool umsim_reason_handle(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error);
/** @} */

/** A handle that was destroyed: by which call, and where that returned to (NULL: not known). */
struct umsim_destroyed {
    const void *handle;
    const char *call;
    const void *caller;
};
const struct umsim_destroyed *umsim_destroyed_find(const void *handle);

#endif
