/**
 * @file call_buffer.h
 * @brief The call buffer, which lies between the grader and a sandboxed call: one request, its inputs, room
 * for its outputs.
 *
 * The call buffer is a file in memory that both processes map. The student's code can write all over it. So
 * the grader keeps its own copies of everything it sent, and reads only the outputs (by its own sizes) and
 * `returned` from here. docs/grading.md has the whole picture.
 */
#ifndef UM_GRADE_CALL_BUFFER_H
#define UM_GRADE_CALL_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UM_CALL_BUFFER_NUMBERS = 8, UM_CALL_BUFFER_FUNCTION = 64 };

/** The head of the call buffer. Inputs follow at `in_offset`, outputs at `out_offset`, each at
 * the beginning of a page of the host's. */
struct um_call_buffer {
    char function[UM_CALL_BUFFER_FUNCTION]; /**< as calls.c names it */
    int64_t number[UM_CALL_BUFFER_NUMBERS]; /**< its numbers: sizes, counts, choices */
    uint64_t in_offset, in_bytes;
    uint64_t out_offset, out_bytes; /**< outputs are filled with 0xA5 before the call */
    int64_t returned;               /**< what the function returned */
};

/** What calls.c gets: a request, with its inputs and outputs in ordinary (pageable) heap memory. */
struct um_request {
    const int64_t *number;
    const void *in; /**< in_bytes; NULL when there are none */
    void *out;      /**< out_bytes; NULL when there are none */
    size_t in_bytes, out_bytes;
};

/**
 * The value of `returned` where calls.c's own calls of CUDA failed: the student's function was not called, or
 * its result cannot be used.
 */
enum { UM_NOT_SET_UP = -1 };

/**
 * What calls.c returns for a function that returns a cudaError_t: that error, and the error that the function
 * left for the caller's next cudaGetLastError(), which reveals a second free.
 */
static inline int64_t um_with_left(int64_t error, int64_t left)
{
    return error | left << 16;
}

/** One line of calls.c's table. @return what the grader gets as `returned` */
struct um_call_entry {
    const char *function;
    int64_t (*call)(const struct um_request *request);
};

/** One function that students write, and where calls.c keeps its address (student.h). */
struct um_student_entry {
    const char *function;
    void *place; /**< of a pointer to a function */
};
extern const struct um_student_entry um_students[]; /**< of each calls.c; a NULL name ends it */

/** Each calls.c ends with UM_CALLS({"vector_add_host", call_vector_add_host}, ...); the sandboxed call looks
 * it up by name. */
#define UM_CALLS(...) const struct um_call_entry um_calls[] = {__VA_ARGS__, {NULL, NULL}}
extern const struct um_call_entry um_calls[];

#ifdef __cplusplus
}
#endif
#endif
