/**
 * @file syscalls.h
 * @brief System calls and C library calls that are given a buffer in GPU memory: one table of the calls by
 * which the system reads the buffer, one of those by which it writes there.
 *
 * syscalls.c runs each case on managed memory whose pages are on the GPU, on pinned memory, and on device
 * memory, and compares the answer with the one that hardware gave.
 */
#ifndef CONFORMANCE_SYSCALLS_H
#define CONFORMANCE_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

/** Size of the buffer in bytes: several pages, less than a pipe or a socket holds. */
#define SYSCALL_BYTES 32768

/** What stands in each byte that the system is to read, and in each that it is to write. */
#define SYSCALL_OURS 'x'
#define SYSCALL_THEIRS 'y'

/** One case. The buffer holds SYSCALL_OURS everywhere, unless `fill` puts something else there. */
struct syscall_case {
    /** The call, and which of its arguments is meant where there are several. */
    const char *name;
    /** Puts into ordinary memory what the buffer has to hold before the call; NULL: SYSCALL_OURS. */
    void (*fill)(char *plain);
    /** Makes the call. @return what it answered, or -errno */
    long (*call)(char *buffer);
    /** Looks at the result. @param plain a copy of the buffer after the call @param answer what `call`
     * returned, never negative. NULL: the answer is all */
    bool (*right)(const char *plain, long answer);
    /** The C library touches the buffer itself: on device memory the process dies by SIGSEGV, so it is not
     * tried. */
    bool in_user_space;
};

/** The tables, ended by a case without a name. */
extern const struct syscall_case syscalls_that_read[], syscalls_that_write[];

/** Descriptors that the cases use: open from syscalls_prepare() on, in the process that called it. */
struct syscall_files {
    int file;      /**< a file of SYSCALL_BYTES bytes SYSCALL_THEIRS, at its start before each case */
    int pipe[2];   /**< an empty pipe */
    int stream[2]; /**< a connected pair of stream sockets, empty */
    int packet[2]; /**< a connected pair of datagram sockets, empty */
    char path[64]; /**< the file's name */
};
extern struct syscall_files syscall_files;

/** Makes the descriptors. @return whether all could be made */
bool syscalls_prepare(void);
/** Closes them, and removes the file. */
void syscalls_clean_up(void);

/** -errno where a call failed, else its result: `return syscall_answer(read(...))`. */
long syscall_answer(long result);
/** Whether `bytes` bytes are all `c`. */
bool all_are(const char *p, size_t bytes, char c);

#endif
