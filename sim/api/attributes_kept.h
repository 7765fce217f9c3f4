/**
 * @file attributes_kept.h
 * @brief Attributes of streams that are kept and told.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_ATTRIBUTES_KEPT_H
#define UMSIM_API_ATTRIBUTES_KEPT_H

#include "runtime.h"

/** The stream is about to be destroyed. */
void umsim_stream_attributes_forget(const struct umsim_stream *stream);

/** The priority of streams that is nearest. Defined in stream.c. */
int umsim_stream_priority(int priority);

#endif
