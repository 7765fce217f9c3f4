/**
 * @file messages.h
 * @brief Lends what a call's argument only points to: the parts of vectors and messages, the texts of a list.
 *
 * The call gets a copy of the structure, with the addresses in it replaced. Structures with nothing to lend
 * are passed on as they are, and so are those that cannot be read: the call then says so itself.
 */
#ifndef UMSIM_MESSAGES_H
#define UMSIM_MESSAGES_H

#include "loan.h"

#include <sys/socket.h>
#include <sys/uio.h>

const struct iovec *umsim_lend_vector(struct umsim_loan *loan, const struct iovec *vector, int count,
                                      unsigned access);
/** The call wrote `bytes` bytes to the vector that it was given, beginning with the first part. */
void umsim_take_vector_back(struct umsim_loan *loan, const struct iovec *views, int count, size_t bytes);

const struct msghdr *umsim_lend_message(struct umsim_loan *loan, const struct msghdr *message,
                                        unsigned access);
void umsim_take_message_back(struct umsim_loan *loan, const struct msghdr *own, const struct msghdr *view,
                             size_t bytes);

const struct mmsghdr *umsim_lend_messages(struct umsim_loan *loan, const struct mmsghdr *messages,
                                          unsigned count, unsigned access);
/** @param count how many messages were sent or have come */
void umsim_take_messages_back(struct umsim_loan *loan, const struct mmsghdr *own, const struct mmsghdr *view,
                              unsigned count, unsigned access);

/** Pointers to texts, up to a NULL. */
char *const *umsim_lend_texts(struct umsim_loan *loan, char *const *texts);

#endif
