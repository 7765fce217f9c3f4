/**
 * @file protection_revoke.h
 * @brief Closes the pages that a process has open but may no longer touch.
 */
#ifndef UMSIM_PROTECTION_REVOKE_H
#define UMSIM_PROTECTION_REVOKE_H

#include "protection.h"
#include "../record/request.h"
#include "views.h"

/** Has the host close a block: in a run with the last one, if it can be. More runs than an answer holds: it
 * closes all. */
void umsim_close_at_host(const struct umsim_managed_space *space, size_t block, struct umsim_answer *answer);

/** Has the GPU process close a block, which it does before its next launch. Nothing where it has not opened
 * it. */
void umsim_close_at_gpu(struct umsim_managed_space *space, size_t block);
void umsim_close_all_at_gpu(void);

/** All that the policy has revoked since this was called last. */
void umsim_close_revoked(struct umsim_answer *answer);

#endif
