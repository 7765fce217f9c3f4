/**
 * @file student.h
 * @brief The table through which a lab's calls.c enters a submission.
 *
 * A submission is exercise.c alone, linked by itself. calls.c is the course's: it is built with the course,
 * and it is bound to CUDA, to the kernels and to the C library before any submission is there. So nothing
 * that a submission defines can take the place of what calls.c uses. calls.c, in turn, reaches the student's
 * functions by this table only. It is filled, by name, in the process in which a submission is loaded, and
 * empty elsewhere: a call of one of them is the first argument of UM_STUDENT() (student_process.h).
 *
 *     #include "../exercise.h"
 *     #define UM_STUDENTS(FUNCTION) FUNCTION(vector_add_host) FUNCTION(saxpy_chain)
 *     #include "grade/student.h"
 *     ...
 *         UM_STUDENT(returned = student.vector_add_host(out, a, b, n), UM_BACK(&returned, sizeof returned));
 *
 * The types are exercise.h's. A name that is not in the list does not compile.
 */
#ifndef UM_STUDENTS
#error "define UM_STUDENTS(FUNCTION), the list of the functions that students write, before grade/student.h"
#endif

#include "call_buffer.h"
#include "student_process.h"

#define UM_STUDENT_MEMBER(function) __typeof__(&function) function;
#define UM_STUDENT_ENTRY(function) {#function, &student.function},

/** The student's functions. */
static struct {
    UM_STUDENTS(UM_STUDENT_MEMBER)
} student;

const struct um_student_entry um_students[] = {UM_STUDENTS(UM_STUDENT_ENTRY){NULL, NULL}};
