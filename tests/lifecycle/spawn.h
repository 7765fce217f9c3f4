/**
 * @file spawn.h
 * @brief Runs programs for the lifecycle tests: each in a session of its own, so that what it leaves behind
 * is seen.
 *
 *     struct run run = {.program = "victim",
 *                       .arguments = {"endless"},
 *                       .environment = {"UMSIM_KERNEL_TIMEOUT=0.3"}};
 *     run_to_end(&run);
 *     run_exited(&run, 0);             // fails the test, with the program's output, if not
 *     UM_CONTAINS(run.err, "timeout");
 *     run_left_nothing(&run);
 *
 * or, to do something to it while it lives: run_start(), run_read_line(), ..., run_wait().
 */
#ifndef LIFECYCLE_SPAWN_H
#define LIFECYCLE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { RUN_WORDS_MAX = 6, RUN_TEXT_MAX = 8192 };

/** A program's run: what is asked for, then what came of it. */
struct run {
    const char *program; /**< tests/lifecycle/programs, tests/programs or a lab, without a folder */
    const char *arguments[RUN_WORDS_MAX];   /**< as far as they are not NULL */
    const char *environment[RUN_WORDS_MAX]; /**< NAME=VALUE, beside what this process has */
    void (*before_exec)(void);              /**< in the child; NULL for nothing */
    double limit_s;                         /**< 0 is 20 s; after it, all its processes are killed */

    pid_t pid;
    int status;                                /**< as waitpid() gives it */
    double seconds;                            /**< from the start to the end */
    char out[RUN_TEXT_MAX], err[RUN_TEXT_MAX]; /**< longer output is cut off */
    int out_file, err_file;                    /**< spawn.c's own */
};

void run_start(struct run *run);

/** Waits until the program has printed a whole line, number `line` from 0, and returns it. Fails the test:
 * "". */
const char *run_read_line(struct run *run, int line);

/** Waits for its end and collects its output. */
void run_wait(struct run *run);

/** run_start() and run_wait(). */
void run_to_end(struct run *run);

/** @name Assertions: a failure shows the program's output @{ */
void run_exited(const struct run *run, int status);
void run_died_of(const struct run *run, int signal);
/** No process of its session is there within `seconds`: the GPU process went with it. */
void run_left_nothing_after(const struct run *run, double seconds);
void run_left_nothing(const struct run *run);
/** @} */

/** How many processes of `session` there are, zombies left out. */
int processes_of_session(pid_t session);

/** Whether a process is gone, or a zombie. */
bool process_ended(pid_t pid);

/** The path of a test program. Static text. */
const char *program_path(const char *name);

double seconds_now(void);
void sleep_ms(long ms);

#endif
