/**
 * @file student_process.h
 * @brief The process in which a student's function runs, seen from calls.c.
 *
 * calls.c runs in the *harness*, a process that never maps a submission. It sets up, has the student's
 * function called, and looks at what has come of it. The call itself is made by a copy of the harness
 * (fork()), which loads the submission, locks itself in, makes the call, and ends:
 *
 *     UM_STUDENT(returned = student.vector_add_host(out, a, b, n), UM_BACK(&returned, sizeof returned),
 *                UM_BACK(out, n * sizeof *out));
 *
 * The first argument runs in the student's process, on a copy of the harness's memory. What it changes is
 * lost with that process, but for the objects that are listed behind it: their bytes come back. They are
 * data, and no more can be said of them. The GPU's memory is one and the same before, within and behind the
 * call, and so are streams, events, and what is queued. What the student's process has registered is
 * unregistered at its end, and its host functions run no more.
 *
 * In the first argument request->number is all 0: what it needs of these is taken out before.
 *
 * A process that ends by itself (a crash, exit()) ends the harness, too: the grader is told how.
 */
#ifndef UM_GRADE_STUDENT_PROCESS_H
#define UM_GRADE_STUDENT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An object of the harness's whose bytes come back from the student's process. Lists end with a NULL. */
struct um_back {
    void *object;
    size_t bytes;
};
#define UM_BACK(object, bytes) ((struct um_back){(object), (bytes)})

#define UM_STUDENT(call, ...)                                                                                \
    do {                                                                                                     \
        const struct um_back um_back[] = {__VA_ARGS__, UM_BACK(NULL, 0)};                                    \
        if (um_student_enters(um_back)) {                                                                    \
            call;                                                                                            \
            um_student_leaves(um_back);                                                                      \
        }                                                                                                    \
        um_student_has_left(um_back);                                                                        \
    } while (0)

/** Forks the student's process. @return whether this is it */
bool um_student_enters(const struct um_back *back);
/** Sends the objects back, and ends the student's process. */
__attribute__((noreturn)) void um_student_leaves(const struct um_back *back);
/** Waits for its end, and takes the objects. Does not return where it did not send them. */
void um_student_has_left(const struct um_back *back);

/** From now on the student's processes have not the request's inputs: they say what calls.c asks about. */
void um_student_sees_no_inputs(void);

/**
 * From now on a student's process has only so much private memory beyond what it has when the submission is
 * loaded and has not run, and none of CUDA's (conversation.h). 0: as much as any.
 */
void um_student_has_spare(uint64_t bytes);
/** What such a process could write to when the submission had not run, in bytes; 0: unknown, and nothing
 * limited. To be asked before the submission runs: then it may have been written over. */
uint64_t um_student_writable_bytes(void);

/** Whether the student's process, which has not been waited for, has ended. */
bool um_student_has_ended(void);
/** Tells the grader what the machine lacks (errno says why). */
__attribute__((noreturn)) void um_student_cannot(const char *what);

struct um_student_entry;
/** What the harness tells, once a call. Addresses stay valid. */
struct um_student_plan {
    const char *library; /**< the submission's */
    const struct um_student_entry *functions;
    uint64_t heap_bytes, cpu_seconds;
    void *call_buffer; /**< the student's process does not map it */
    size_t call_buffer_bytes;
    void *in; /**< the request's inputs, mapped by themselves */
    size_t in_bytes;
    void *out; /**< the request's outputs: a part of the call buffer, which is this file */
    size_t out_bytes;
    int out_file;
    int64_t out_offset;
    int64_t *number; /**< the request's numbers: the student's process loses them when it has been forked, for
                        some say what follows when its function has returned */
    size_t number_bytes;
    int talk; /**< the socket to the grader (protocol.h) */
};
void um_student_plan(const struct um_student_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
