/**
 * @file grade.h
 * @brief What the grader's own files share.
 *
 * Authors of checks need check.h only.
 *
 *     umgrade.c         options; the order of things
 *     source.c          the submission: which files are taken from it, and the library made of them
 *     library.c             looks through that library, as bytes, before it is loaded
 *     sandbox.c         how an untrusted process is started
 *     canary.c          whether this machine can grade
 *     sandboxed_call.c  the fork server in its sandbox, and the life of one sandboxed call
 *     patience.c        what of a call's time counts on a busy machine
 *     call.c            um_call() and the loops around it
 *     budget.c          what all calls may take
 *     judge.c           checks as CUnit tests; um_expect()
 *     values.c          results of kernels, against what they should be
 *     expect.c          what the checks of several labs share
 *     result.c          what is printed, and the documents
 *     lessons.c         what is said of a check beside its verdict
 *     key.c             the course's key; siphash.c: the function by which values are drawn from it
 *     inputs.c          hidden inputs, the profile's figures
 *     clean.c           what others wrote, made fit to be shown
 */
#ifndef UM_GRADE_GRADE_H
#define UM_GRADE_GRADE_H

#include "check.h"
#include "key.h"

#include <stdarg.h>
#include <sys/types.h>

enum um_status { UM_PASS, UM_FAIL, UM_SKIP, UM_TIMEOUT, UM_CRASH, UM_BUILD_ERROR };
const char *um_status_name(enum um_status status);

/** What is graded, and where files are. All paths are absolute. */
struct um_job {
    const char *lab;            /* "lab1" */
    const char *submission;     /* folder with exercise.c */
    const char *lab_dir;        /* with exercise.h, grade/calls.c */
    const char *root;           /* the checkout: headers, profiles */
    const char *build;          /* build/sim */
    const char *out;            /* results */
    const char *profile;        /* NULL: the course's */
    const char *sandbox_wanted; /* "auto", "bubblewrap", "own", "none" */
    const char *sandbox;        /* the one that is used */
    const char *only;           /* functions, with commas: only their exercises are judged; NULL: all */
    const char *student;        /* who handed it in, by an id that lasts; "": nobody in particular */
    uint64_t seed;
    double timeout_scale;
    char workspace[256]; /* the submission's own folder, removed at the end */
};
extern struct um_job um_job;

/** The most output of an untrusted process that is kept. */
enum { UM_SAID_MAX = 64 << 10 };
struct um_said {
    char text[UM_SAID_MAX + 1];
    size_t length;
    bool cut;
    bool too_much; /* what said it was stopped */
};
/** Reads what is available, without waiting. @return 1 when there was something, 0 when not, -1 at the end */
int um_said_read(struct um_said *said, int fd);

/** One check's verdict. */
struct um_verdict {
    const struct um_exercise *exercise;
    const struct um_check *check;
    enum um_status status;
    const char *idea, *learned; /* lessons.c */
    char name[128], schedule[48], where[400], expected[512], happened[1024], output[4096];
    double seconds;
    unsigned line; /* of exercise.c: where the function begins; 0: nobody knows */
};

/** What printf() would print, from malloc. */
char *um_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
double um_now(void);
/** Ends the grader with exit status 2: this, and not the submission, is what failed. */
__attribute__((noreturn, format(printf, 1, 2))) void um_cannot(const char *format, ...);

/* source.c */
struct um_build {
    bool ok;
    char log[16384];
    double seconds;
};
const char *um_scratch(void);      /* the folder of workspaces */
void um_source_check_limits(void); /* ends the grader where files may not be as large as a build may need */
void um_source_take(void);
/** @param functions that the submission has to define; NULL ends them */
void um_source_build(struct um_build *build, const char *const *functions);
/** @return the line of exercise.c at which it defines a function, by the compiler; 0: nobody knows */
unsigned um_source_line(const char *function);
void um_workspace_remove(void);

/* canary.c */
/** Ends the grader, with what the machine lacks, unless an exercise of its own has its right answer here. */
void um_canary(void);

/* sandboxed_call.c */
void um_fork_server_start(void);
void um_fork_server_end(void);
/** Runs one sandboxed call for `try`. @return false, with the reason in `why`, when sandboxed calls cannot be
 * run at all */
bool um_sandboxed_call_run(struct um_try *try, char *why, size_t size);

/* patience.c */
/** A deadline that other work on the machine moves. Times are um_now()'s, in seconds. */
struct um_deadline {
    double started; /* no process that counts is older */
    double begin, allowed;
    double at;     /* when it has to be asked about next */
    double stolen; /* um_stolen() when it was made */
};
/** `allowed` seconds from now. @param started when the first process was started that counts; 0: now */
struct um_deadline um_deadline(double started, double allowed);
/** Whether the processes below `ancestor` may go on: the seconds in which they waited for a processor do not
 * count, up to eight times what is allowed. Moves `at`. */
bool um_in_time(struct um_deadline *deadline, pid_t ancestor);
/** The seconds since `started` without those in which the processes below `ancestor` waited for a processor,
 * and without what the host of a virtual machine has taken since um_stolen() was `stolen`. Of short times all
 * count: to find out costs some milliseconds. */
double um_time_had(pid_t ancestor, double started, double stolen);
/** What the host of a virtual machine has taken since its start, in seconds of each processor. */
double um_stolen(void);

/* judge.c */
void um_judge(bool built);
/** The functions of the lab that students write; NULL ends them. */
void um_exercise_functions(const char **function, unsigned capacity);
const struct um_verdict *um_verdicts(unsigned *count);
/** Ends the running check: a call did not return. */
void um_fail_as(enum um_status status, const char *expected, const char *happened);
const char *um_running_name(void);

/* budget.c */
/** The exercise whose calls follow; another one has its own budget of processor time. */
void um_budget_start(const struct um_exercise *exercise);
void um_budget_take(double cpu, double real);
/** @return false, after ending the running check, when calls have taken more than they may */
bool um_budget_left(void);

/* call.c */
void um_call_forget(void);
/** Where the running check is: schedule, failure, case. @return the schedule */
const char *um_where(char *text, size_t size);
const char *um_last_said(void);

/* lessons.c */
/** What lessons.md says of a check ("vector_add_host/right_data"): `what` is "idea" or "learned". */
const char *um_lesson(const char *check, const char *what);

/* inputs.c */
/** Before a check: what follows is drawn for it. */
void um_random_start(const char *name);
/** Before a loop over calls, or a call that is in none. */
void um_random_begin(void);
/** Before each call. */
void um_random_next_call(void);
/** A value for this call: half of its key, a schedule, which call fails. The same arguments give the same
 * value. */
uint64_t um_random_of(enum um_draw what, uint64_t number);
uint64_t um_course_seed(void); /* course.json's, of this term */

/* clean.c */
/** Valid UTF-8, from malloc: whatever else is in the text, control characters but for tabs and line ends, and
 * characters that reorder what a reader sees, become U+FFFD. result.py's clean() is the same. */
char *um_clean(const char *text);

/* result.c */
void um_result_start(void);
/** Prints the compiler's message, warnings too; nothing when it had none. */
void um_result_build(const struct um_build *build);
void um_result_check(const struct um_verdict *verdict);
/** @return the exit status */
int um_result_end(const struct um_build *build, double seconds);

#endif
