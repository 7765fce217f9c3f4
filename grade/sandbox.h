/**
 * @file sandbox.h
 * @brief Starts a process that is not trusted.
 *
 * "bubblewrap" is used where it works: the process gets its own view of the file system, of PIDs and of the
 * network. Elsewhere "own" is used: another user when the grader is root, Landlock where the kernel has it,
 * and file modes. Limits hold in both. "none" is for tests only.
 */
#ifndef UM_GRADE_SANDBOX_H
#define UM_GRADE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum um_sandbox { UM_SANDBOX_BUBBLEWRAP, UM_SANDBOX_OWN, UM_SANDBOX_NONE };

/** What the process may see and do. Paths are absolute, and the same inside. */
struct um_sandbox_plan {
    const char *read[24]; /* readable; NULL ends the list */
    const char *write;    /* the one folder that it may write; NULL: none */
    const char *folder;   /* where it starts */
    char **argv;          /* its program and arguments */
    int input, output;    /* its descriptor 0 (or -1: /dev/null); 1 and 2 */
    int fork_server;      /* becomes descriptor UM_FORK_SERVER_FD, or -1 */
    size_t memory_bytes;  /* RLIMIT_AS; 0: none */
    size_t file_bytes;    /* RLIMIT_FSIZE; 0: none */
    unsigned cpu_seconds; /* RLIMIT_CPU; 0: none */
};

/** Decides which sandbox to use. @param wanted "auto", "bubblewrap", "own", "none" @return its name */
const char *um_sandbox_choose(const char *wanted);

/** Gives the workspace to the user that the sandbox runs as. */
void um_sandbox_give(const char *path);

/** Whether this is one of the user ids that graders run sandboxes as; no other user has them. */
bool um_sandbox_is_own(uid_t uid);

/** Starts the process. @return its process id; ending that process ends everything in the sandbox */
pid_t um_sandbox_start(const struct um_sandbox_plan *plan);

/** Ends everything in the sandbox, and waits. */
void um_sandbox_stop(pid_t pid);

#endif
