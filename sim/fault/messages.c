/**
 * @file messages.c
 * @brief Implementation of messages.h.
 */
#include "messages.h"

#include <limits.h>
#include <string.h>

/* ---- vectors ---- */

static bool any_part(const struct iovec *vector, int count)
{
    bool any = umsim_is_lendable(vector);
    for (int i = 0; i < count; i++)
        any = any || umsim_is_lendable(vector[i].iov_base);
    return any;
}

/* Whether the call itself would accept the vector, so that it can be looked at here. */
static bool is_vector(const struct iovec *vector, int count)
{
    return count > 0 && count <= IOV_MAX && umsim_is_readable(vector, (size_t)count * sizeof *vector);
}

const struct iovec *umsim_lend_vector(struct umsim_loan *loan, const struct iovec *vector, int count,
                                      unsigned access)
{
    if (!is_vector(vector, count) || !any_part(vector, count))
        return vector;
    struct iovec *views = umsim_loan_memory(loan, (size_t)count * sizeof *views);
    if (!views)
        return vector;
    memcpy(views, vector, (size_t)count * sizeof *views); /* managed memory opens by itself here */
    for (int i = 0; i < count; i++)
        views[i].iov_base = umsim_lend(loan, views[i].iov_base, views[i].iov_len, access);
    return views;
}

void umsim_take_vector_back(struct umsim_loan *loan, const struct iovec *views, int count, size_t bytes)
{
    for (int i = 0; i < count && bytes; i++) {
        const size_t part = bytes < views[i].iov_len ? bytes : views[i].iov_len;
        umsim_take_back(loan, views[i].iov_base, part);
        bytes -= part;
    }
}

/* ---- messages ---- */

static bool any_of_message(const struct msghdr *message)
{
    const int count = message->msg_iovlen <= IOV_MAX ? (int)message->msg_iovlen : 0;
    return umsim_is_lendable(message->msg_name) || umsim_is_lendable(message->msg_control) ||
           (is_vector(message->msg_iov, count) && any_part(message->msg_iov, count));
}

static void lend_fields(struct umsim_loan *loan, struct msghdr *view, unsigned access)
{
    const int count = view->msg_iovlen <= IOV_MAX ? (int)view->msg_iovlen : 0;
    view->msg_name = umsim_lend(loan, view->msg_name, view->msg_namelen, access);
    view->msg_control = umsim_lend(loan, view->msg_control, view->msg_controllen, access);
    view->msg_iov = (struct iovec *)umsim_lend_vector(loan, view->msg_iov, count, access);
}

const struct msghdr *umsim_lend_message(struct umsim_loan *loan, const struct msghdr *message,
                                        unsigned access)
{
    if (!umsim_is_readable(message, sizeof *message) ||
        !(umsim_is_lendable(message) || any_of_message(message)))
        return message;
    struct msghdr *view = umsim_loan_memory(loan, sizeof *view);
    if (!view)
        return message;
    *view = *message;
    lend_fields(loan, view, access);
    return view;
}

/* The call changes the lengths and the flags in the structure itself. */
void umsim_take_message_back(struct umsim_loan *loan, const struct msghdr *own, const struct msghdr *view,
                             size_t bytes)
{
    struct msghdr *message = (struct msghdr *)own;
    umsim_take_vector_back(loan, view->msg_iov, (int)view->msg_iovlen, bytes);
    umsim_take_back(loan, view->msg_name, view->msg_namelen);
    umsim_take_back(loan, view->msg_control, view->msg_controllen);
    message->msg_namelen = view->msg_namelen;
    message->msg_controllen = view->msg_controllen;
    message->msg_flags = view->msg_flags;
}

static bool any_of_messages(const struct mmsghdr *messages, unsigned count)
{
    bool any = umsim_is_lendable(messages);
    for (unsigned i = 0; i < count && !any; i++)
        any = any_of_message(&messages[i].msg_hdr);
    return any;
}

const struct mmsghdr *umsim_lend_messages(struct umsim_loan *loan, const struct mmsghdr *messages,
                                          unsigned count, unsigned access)
{
    if (count > IOV_MAX) /* as many as the system looks at */
        count = IOV_MAX;
    if (!count || !umsim_is_readable(messages, count * sizeof *messages) || !any_of_messages(messages, count))
        return messages;
    struct mmsghdr *view = umsim_loan_memory(loan, count * sizeof *view);
    if (!view)
        return messages;
    memcpy(view, messages, count * sizeof *view);
    for (unsigned i = 0; i < count; i++)
        lend_fields(loan, &view[i].msg_hdr, access);
    return view;
}

void umsim_take_messages_back(struct umsim_loan *loan, const struct mmsghdr *own, const struct mmsghdr *view,
                              unsigned count, unsigned access)
{
    struct mmsghdr *messages = (struct mmsghdr *)own;
    for (unsigned i = 0; i < count && i < IOV_MAX; i++) {
        if (access & UMSIM_WRITTEN)
            umsim_take_message_back(loan, &messages[i].msg_hdr, &view[i].msg_hdr, view[i].msg_len);
        messages[i].msg_len = view[i].msg_len;
    }
}

/* ---- lists of texts ---- */

/* @return how many there are; 0 when none is managed, or the list cannot be read */
static size_t texts_with_managed(char *const *texts)
{
    bool any = umsim_is_lendable(texts);
    for (size_t count = 0; umsim_is_readable(&texts[count], sizeof *texts); count++) {
        if (!texts[count])
            return any ? count : 0;
        any = any || umsim_is_lendable(texts[count]);
    }
    return 0;
}

char *const *umsim_lend_texts(struct umsim_loan *loan, char *const *texts)
{
    const size_t count = texts ? texts_with_managed(texts) : 0;
    char **views = count ? umsim_loan_memory(loan, (count + 1) * sizeof *views) : NULL;
    if (!views)
        return texts;
    for (size_t i = 0; i < count; i++)
        views[i] = umsim_lend_text(loan, texts[i]);
    views[count] = NULL;
    return views;
}
