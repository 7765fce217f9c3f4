/**
 * @file protection_revoke.h
 * @brief Closes the pages that a process has open but may no longer touch.
 */
#ifndef UMSIM_PROTECTION_REVOKE_H
#define UMSIM_PROTECTION_REVOKE_H

#include "protection.h"
#include "request.h"
#include "views.h"

/** Has the host close a block, together with the block before it if the two can be one run. If there are more
 * runs than an answer holds, the host closes everything. */
void umsim_close_at_host(const struct umsim_managed_space *space, size_t block, struct umsim_answer *answer);

/** Has a device's process close a block before its next launch. Does nothing if that process has not opened
 * the block. */
void umsim_close_at_gpu(struct umsim_managed_space *space, unsigned device, size_t block);
/** The same of all devices' processes. */
void umsim_close_at_gpus(struct umsim_managed_space *space, size_t block);
void umsim_close_all_at_gpu(unsigned device);

/** Closes all that the policy has revoked since the last call. */
void umsim_close_revoked(struct umsim_answer *answer);

#endif
