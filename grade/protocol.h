/**
 * @file protocol.h
 * @brief The messages between the grader, the fork server, the harness and a call.
 *
 * One fork server runs in the sandbox for a whole submission. It has a second process beside it, the
 * harness's own fork server, because programs of two kinds of libraries are forked: R is the simulator, and
 * owns the GPU's state (umsim_serve_clients()); the harness is its client, and runs calls.c.
 *
 *     grader -> fork server    struct um_order and the call's descriptors;
 *                              UM_STOP once the grader has the call's answer
 *     fork server -> harness   struct um_student_limits and the harness's descriptors; UM_STOP
 *     harness -> fork server,
 *     fork server -> grader    struct um_ended, how the call has ended, once after each order
 *     call -> grader           on its own socket: UM_READY before any student's process, UM_DONE after the
 * call, or struct um_left; UM_BROKEN and a text, where something failed that is not the submission's grader
 * -> call           UM_GO
 */
#ifndef UM_GRADE_PROTOCOL_H
#define UM_GRADE_PROTOCOL_H

#include <stdint.h>

/** The descriptor of either fork server to the process that gives it orders. */
enum { UM_FORK_SERVER_FD = 3 };

/** Descriptors that come with an order, in this order. */
enum um_order_fd { UM_FD_CALL_BUFFER, UM_FD_TALK, UM_FD_OUTPUT, UM_FD_LEDGER, UM_ORDER_FDS };
/** And those that the harness gets: the first three, and its line to R. */
enum um_harness_fd { UM_FD_LINE = UM_FD_OUTPUT + 1, UM_FD_SOCKET, UM_HARNESS_FDS };

/** What the harness is told of a call. The student's process is a copy of it, so nothing here may tell what
 * is judged: neither the schedule, nor the machine, nor which call is made to fail. */
struct um_student_limits {
    uint64_t heap_bytes, cpu_seconds; /* of the student's process */
};

/** One call. Texts are the values of UMSIM_...; empty: not set. */
struct um_order {
    char schedule[48], profile[256], fail[160];
    uint64_t device_bytes, pinned_bytes, managed_bytes; /* limits */
    struct um_student_limits student;
};

enum um_fork_server_word { UM_STOP = 'S' };
enum um_call_word { UM_READY = 'R', UM_GO = 'G', UM_DONE = 'D', UM_BROKEN = 'E', UM_LEFT = 'L' };

/** The student's process has ended before its function returned. */
struct um_left {
    char word;  /* UM_LEFT */
    int status; /* as waitpid() has it */
};

struct um_ended {
    int status;      /* of the harness, as waitpid() has it */
    uint64_t cpu_ns; /* processor time of all processes of the call */
};

/** The exit status of a student's process that reported its own failure with a text. */
enum { UM_SANDBOX_CANNOT = 120 };

#endif
