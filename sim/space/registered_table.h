/**
 * @file registered_table.h
 * @brief The host's view of the table of registered memory (views.h): entries by address, and entries that
 * are free.
 *
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_REGISTERED_TABLE_H
#define UMSIM_REGISTERED_TABLE_H

#include "views.h"

/** Takes addresses for the table, before a grader's sandbox refuses them. @return false: there are none */
bool umsim_registered_table_start(void);

/** An entry that is free, or NULL when there is none. */
struct umsim_registered *umsim_registered_take(void);
/** Why there was none. @return a static text */
const char *umsim_registered_why_none(void);

/** The entry, whose memory is known now, becomes alive: kernels may reach it from the next launch on. */
void umsim_registered_enter(struct umsim_registered *entry);

/** The entry ends. It becomes free once the GPU process no longer has its memory. */
void umsim_registered_end(struct umsim_registered *entry);

/** Gives back an entry that did not become alive. */
void umsim_registered_give_back(struct umsim_registered *entry);

/** Before a GPU process is forked: tells it of all that is registered. */
void umsim_registered_tell_anew(void);

/** No GPU process runs: what is no longer registered is mapped nowhere. */
void umsim_registered_free_ended(void);

/** The live entry that holds `p`, or else the first one that begins before `end`; or NULL. */
struct umsim_registered *umsim_registered_at_or_after(const char *p, const char *end);

#endif
