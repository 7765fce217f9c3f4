/**
 * @file conversation.h
 * @brief How the harness asks a student's process step by step, where objects of both call each other.
 *
 * Most exercises are one call, whose results are compared (student_process.h). Where a student's function is
 * given functions to call, and hands out functions to be called later, it takes several steps, and what is
 * judged is what has been called in which. The objects have to live in the student's process. So the harness
 * asks, one question after the other, and what the process then calls, it has to tell the harness, at once,
 * and by a message that cannot be taken back:
 *
 *     harness                                            student's process
 *     um_ask(&question, &answer) ---- question ------>   respond(): the student's function runs
 *        heard(1)                <--- um_tell(1) -----   and has called retain()
 *                                 -------------------->  which returns
 *                                <--- answer ---------   respond() returns
 *
 * Nothing that the process says here is believed. A message is the act itself, as a call of CUDA's is one
 * when it arrives: who sends what a right function would call, in the step in which it would call it, and
 * answers rightly before the next question is known, has done what the exercise asks for.
 */
#ifndef UM_GRADE_CONVERSATION_H
#define UM_GRADE_CONVERSATION_H

#include <stddef.h>
#include <stdint.h>

#include "student_process.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs in the student's process: answers one question. Both are shared with the harness, which copies the
 * answer when this has returned; `answer` is what the last call has left there. */
typedef void um_respond(const void *question, void *answer);

struct um_conversation {
    um_respond *respond;
    size_t question_bytes, answer_bytes; /**< of the largest */
    /** How much private memory that process may take beyond what it has when none of the submission's code
     * has run; 0: as much as any. What it needs must not grow with the number of questions then: enough of
     * them show what is never given back, wherever it is kept. It has no memory of CUDA's in such a
     * conversation. */
    uint64_t spare_bytes;
    const struct um_back *back; /**< what comes back at the end, as UM_STUDENT()'s; NULL: nothing */
};

/**
 * Begins: forks the student's process, which answers until the end.
 * @param conversation has to stay until the end
 * @return the bytes that the process could write to before: a submission might keep things there without
 * asking for room. 0 where there is no limit, or the system holds none (RLIMIT_DATA)
 */
uint64_t um_conversation_begin(const struct um_conversation *conversation);

/** Asks, and waits for the answer. Does not return where the process ends instead: the grader is told how.
 * @param heard called for each um_tell() in its order, before that one returns; NULL where none is expected
 */
void um_ask(const void *question, size_t question_bytes, void *answer, size_t answer_bytes,
            void heard(uint32_t word, void *context), void *context);

/** Ends it, and waits for the process's end. */
void um_conversation_end(void);

/** In the student's process, while it answers: says `word`, and goes on when the harness has heard it. */
void um_tell(uint32_t word);

#ifdef __cplusplus
}
#endif
#endif
