/**
 * @file special_calls.h
 * @brief The calls that no line of call_table.h describes: each is served by a function of its own.
 */
#ifndef UMSIM_SPECIAL_CALLS_H
#define UMSIM_SPECIAL_CALLS_H

#include "call.h"

long umsim_serve_futex(struct umsim_made *made);
long umsim_serve_mlock(struct umsim_made *made);
long umsim_serve_msync(struct umsim_made *made);

/** @name Asynchronous reads and writes (asynchronous_calls.c) @{ */
long umsim_serve_aio(struct umsim_made *made);
long umsim_serve_aio_other(struct umsim_made *made); /* aio_cancel(), aio_fsync() */
long umsim_serve_aio_suspend(struct umsim_made *made);
long umsim_serve_listio(struct umsim_made *made);
long umsim_serve_aio_return(struct umsim_made *made);
long umsim_serve_aio_error(struct umsim_made *made);
long umsim_serve_io_submit(struct umsim_made *made);
/** @} */

/** @name io_uring (ring_calls.c) @{ */
long umsim_serve_ring_setup(struct umsim_made *made);
long umsim_serve_ring_enter(struct umsim_made *made);
/** @} */

#endif
