/**
 * @file client.h
 * @brief A client's side of the conversation (channel.h): what its own files share.
 */
#ifndef UMSIM_CLIENT_H
#define UMSIM_CLIENT_H

#include "../server/channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** @name client.c
 * One conversation at a time: the calls of other threads wait. A host function that the server asks for runs
 * in the thread whose call the server is at work on, and may call CUDA itself.
 * @{ */
/** Puts an argument into the next words. */
void umsim_client_put(struct umsim_message *message, unsigned *at, const void *value, size_t bytes);
/** Puts the address of a kernel or of a variable: as its module's name and its place in there. */
void umsim_client_put_offset(struct umsim_message *message, unsigned *at, const void *address);
/** Sends a call, and runs what the server asks for. @return what the call returned */
uint64_t umsim_client_call(const struct umsim_message *message);
/** The same for any message, with `bytes` of data behind it. `answer` may be NULL. */
void umsim_client_say(const struct umsim_message *message, const void *data, struct umsim_message *answer);
/** Says one thing, and runs nothing that the server asks for, from now on: for those who test the server. */
void umsim_client_ask(const struct umsim_message *message, const void *data, struct umsim_message *answer);
/** Touches an argument, so that managed memory is there and a bad pointer ends the program where it should.
 */
void umsim_client_touch(const void *p, size_t bytes, bool writes);
/** Ends the program: this cannot happen where kernels do not run. */
__attribute__((noreturn)) void umsim_client_device_only(const char *name);
/** Ends the program with a line. */
__attribute__((noreturn, format(printf, 1, 2))) void umsim_client_die(const char *format, ...);
/** Before the first call: finds the server. */
void umsim_client_begin(void);

/**
 * The trusted client forks the process that will run a submission's code: a copy of itself, that talks to the
 * server by the other channel, and does not map the first one. Until that process has ended this one makes no
 * call.
 * @return 0 in the new process, else its number; -1: it cannot be forked (errno)
 */
pid_t umsim_client_lend(void);
/** Waits until it has ended, and takes the GPU back: what it has left registered is undone, what it has
 * queued is run without its memory and its functions. @return its status, as waitpid() has it */
int umsim_client_take(pid_t student);
/** @} */

/** @name runner.c
 * The thread of channel.h's struct umsim_runner, in a student's process.
 * @{ */
void umsim_client_runner_start(struct umsim_line *line);
/** This thread's number in messages. */
uint32_t umsim_client_thread(void);
/** @} */

/** @name memory.c @{ */
void umsim_client_memory_begin(const struct umsim_welcome *welcome, const int fd[UMSIM_CLIENT_FDS]);
/** Closes all that is open of managed memory, and of pinned memory. */
void umsim_client_close(unsigned which);
/** @} */

#endif
