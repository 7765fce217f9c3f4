/**
 * @file message.h
 * @brief Builds the text that says why a kernel fails, without libc's formatting.
 *
 * libc's formatting may need the heap, which is closed in the GPU process. The text is built in a buffer of
 * the kernel's worker.
 */
#ifndef UMSIM_MESSAGE_H
#define UMSIM_MESSAGE_H

#include "worker.h"

struct umsim_message {
    char *at;
    const char *end; /* one byte behind it is kept for the final zero */
};

/** Begins a worker's message. */
static inline struct umsim_message umsim_message_of(struct umsim_worker *worker)
{
    worker->message[0] = '\0';
    return (struct umsim_message){worker->message, worker->message + sizeof worker->message - 1};
}

static inline void umsim_message_add(struct umsim_message *message, const char *text)
{
    while (*text && message->at < message->end)
        *message->at++ = *text++;
    *message->at = '\0';
}

static inline void umsim_message_add_number(struct umsim_message *message, int64_t number)
{
    char digits[24], *at = digits + sizeof digits - 1;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    *at = '\0';
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (number < 0)
        *--at = '-';
    umsim_message_add(message, at);
}

#endif
