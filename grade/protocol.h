/**
 * @file protocol.h
 * @brief The messages between the grader, the fork server and a sandboxed call.
 *
 * One fork server runs in the sandbox for a whole submission. For each order it forks one sandboxed call.
 *
 *     grader -> fork server   struct um_order and the call's descriptors;
 *                             UM_STOP once the grader has the call's answer
 *     fork server -> grader   struct um_ended, the call's wait status, once after each order
 *     call -> grader          on its own socket: UM_READY before student code is loaded,
 *                             UM_DONE after the call; before UM_READY also UM_BROKEN and a text
 *     grader -> call          UM_GO
 */
#ifndef UM_GRADE_PROTOCOL_H
#define UM_GRADE_PROTOCOL_H

#include <stdint.h>

/** The fork server's own descriptor: its socket to the grader. */
enum { UM_FORK_SERVER_FD = 3 };

/** Descriptors that come with an order, in this order. */
enum um_order_fd { UM_FD_CALL_BUFFER, UM_FD_LEDGER, UM_FD_TALK, UM_FD_OUTPUT, UM_ORDER_FDS };

/** One sandboxed call. Texts are the values of UMSIM_...; empty: not set. */
struct um_order {
    char schedule[48], profile[256], fail[160];
    uint64_t device_bytes, pinned_bytes, managed_bytes; /* limits */
    uint64_t heap_bytes, cpu_seconds;                   /* of the host process */
};

enum um_fork_server_word { UM_STOP = 'S' };
enum um_call_word { UM_READY = 'R', UM_GO = 'G', UM_DONE = 'D', UM_BROKEN = 'E' };

struct um_ended {
    int status;      /* as waitpid() has it */
    uint64_t cpu_ns; /* processor time of the sandboxed call and its GPU process */
};

/** The exit status of a sandboxed call that reported its own failure with a text. */
enum { UM_SANDBOX_CANNOT = 120 };

#endif
