/**
 * @file channel.h
 * @brief How a client talks to the server that owns the simulated GPU for it.
 *
 * Ordinarily a program and the simulator share a process. In grading they do not: the *server* is a process
 * that never maps the program's code. It is the ordinary simulator (registry, queue, prices, paging, ledger)
 * with a loop in front (server/server.h). The program is its *client*: in place of libumsim.so it has a
 * library of the same name (this folder) that sends each call on, and keeps nothing that counts. So whatever
 * a program overwrites in its own process, it changes no fact.
 *
 *     client                                              server
 *     cudaMalloc(&p, n)    -- UMSIM_CLIENT_CALL ------->  looks the number up, reads structures from the
 *                                                         client's memory, calls cudaMalloc(), writes back
 *                          <-- UMSIM_SERVER_DONE -------  the returned error
 *
 * A conversation is strictly alternating: each message of the client's has one answer. While the server works
 * on a call it may ask the client to run a host function (UMSIM_SERVER_RUN); until the client says
 * UMSIM_CLIENT_RAN, the calls that this function makes are served like any other.
 *
 * The server believes nothing here: it copies a message before it reads it, and follows no address of the
 * client's by itself, but has the system copy from or to the client's memory (server/client_memory.h).
 *
 * Memory of the simulator's, as a client has it:
 * - device memory: addresses only, closed;
 * - pinned memory: the server's own file, opened allocation by allocation at the first touch;
 * - managed memory: a *copy*. Pages are opened at a touch, when the server's policy has given them to the
 *   host; the server copies their bytes in, and back out before it does anything else. A page that a program
 *   opens by itself shows stale bytes, and what it writes there goes nowhere.
 */
#ifndef UMSIM_CHANNEL_H
#define UMSIM_CHANNEL_H

#include "../base/layout.h"
#include "../include/umsim/abi.h"

#include <stdatomic.h>
#include <stdint.h>

/** What a client says. The words are arguments, each in as many words as it takes. */
enum umsim_client_word {
    UMSIM_CLIENT_CALL = 1,   /**< function `number` (calls.def's order), its arguments */
    UMSIM_CLIENT_LAUNCH,     /**< a kernel: module, words as UMSIM_LAUNCH_..., `bytes` of closure */
    UMSIM_CLIENT_PARAMETERS, /**< the same without launching it: the next call makes a graph's node of it */
    UMSIM_CLIENT_TOUCH,      /**< word 0: an address that is closed here, 1: whether it was written to */
    UMSIM_CLIENT_RAN,        /**< the host function has returned */
    UMSIM_CLIENT_REGISTERED, /**< word 0, 1: pages that are a client's own again: it wants their bytes */
    UMSIM_CLIENT_BEGIN,      /**< word 0: the process that is the client from now on, by the other channel */
    UMSIM_CLIENT_END,        /**< that process has ended */
    UMSIM_CLIENT_SETTLE,     /**< the ledger is about to be read */
};

enum umsim_launch_words {
    UMSIM_LAUNCH_KERNEL,
    UMSIM_LAUNCH_STREAM,
    UMSIM_LAUNCH_SHARED,
    UMSIM_LAUNCH_GRID,
    UMSIM_LAUNCH_BLOCK = UMSIM_LAUNCH_GRID + 2,
    UMSIM_LAUNCH_COOPERATIVE = UMSIM_LAUNCH_BLOCK + 2,
    UMSIM_LAUNCH_ERROR
};

enum umsim_closes { UMSIM_CLOSES_MANAGED = 1, UMSIM_CLOSES_PINNED = 2 };

/** What the server answers. */
enum umsim_server_word {
    UMSIM_SERVER_DONE = 1, /**< word 0: what the call returned */
    UMSIM_SERVER_RUN,      /**< word 0: a function of the client's, 1 to 3: its arguments */
    UMSIM_SERVER_OPENED,   /**< word 0, 1: pages from and to that may be opened, 2: PROT_... */
    UMSIM_SERVER_REFUSED,  /**< the touch is a fault, and has been told */
    UMSIM_SERVER_FAULTED,  /**< word 0: an argument's address that could not be followed, 1: for writing */
};

enum { UMSIM_CHANNEL_WORDS = 24, UMSIM_CHANNEL_MODULE = 64 };

struct umsim_message {
    uint32_t kind, number;
    uint32_t bytes;  /* of `data` */
    uint32_t thread; /* of the client's: each has a last error of its own */
    uint32_t closes; /* in answers: which memory is to be closed, as bits: */
    uint64_t word[UMSIM_CHANNEL_WORDS];
    char module[UMSIM_CHANNEL_MODULE]; /* what UMSIM_LAUNCH_KERNEL and the like are offsets in: a file's name
                                        */
};

/** One client's. */
struct umsim_channel {
    atomic_uint posted, answered; /* messages and answers so far */
    atomic_uint client_sleeps;
    struct umsim_message message, answer;
    char data[UMSIM_CLOSURE_MAX];
};

/**
 * A thread of the student's process that runs host functions while that process makes no call. As a driver's
 * does: a program may wait for its host function by means of its own.
 */
struct umsim_runner {
    atomic_uint asked, ran; /* functions so far */
    atomic_uint thread;     /* its number, as in messages */
    uint32_t closes;
    uint64_t word[4]; /* the function, and its arguments */
};

/** The shared memory: clients take turns, and ring one bell. */
struct umsim_line {
    atomic_uint bell, server_sleeps;
    struct umsim_runner runner;
    _Alignas(UMSIM_PAGE) struct umsim_channel host;    /* the trusted client's */
    _Alignas(UMSIM_PAGE) struct umsim_channel student; /* the one for which UMSIM_CLIENT_BEGIN was said */
};

/** Descriptors that the server sends over the socket when it has started, in this order. */
enum umsim_client_fd { UMSIM_FD_PINNED, UMSIM_FD_MANAGED, UMSIM_FD_REGISTERED, UMSIM_CLIENT_FDS };

/** What comes with them. */
struct umsim_welcome {
    uint64_t device_bytes, pinned_bytes, managed_bytes; /* the arenas' sizes; 0: the server cannot start: */
    char why[200];
};

/** The environment variable that tells a process its line: "LINE:SOCKET", two descriptors. */
#define UMSIM_LINE_VARIABLE "UMSIM_LINE"

#endif
