/**
 * @file canary.c
 * @brief Before the first submission, the grader solves an exercise of its own (grade/canary/), as a
 * submission is graded: the same compiler, sandbox, limits and calls.
 *
 * What it does not get right, the machine lacks: addresses, memory, disk, processes, a sandbox. A submission
 * would lose points for it. So nothing is graded then, and the grader's failure has the machine's words.
 */
#include "grade.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/** Elements of each array: 16 MiB. */
#define ELEMENTS ((size_t)4 << 20)
/**
 * What the documents of a result may take: some 20 checks, twice, each with some KiB of what its program
 * printed.
 */
#define RESULT_BYTES ((size_t)512 << 10)

/* The documents come last, when all is judged. */
static void try_to_write(void)
{
    char *path = um_text("%s/canary.%d", um_job.out, (int)getpid());
    char *bytes = calloc(1, RESULT_BYTES);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t written = 0;
    ssize_t put = 1;
    errno = 0;
    while (bytes && fd >= 0 && written < RESULT_BYTES && put > 0) {
        put = write(fd, bytes + written, RESULT_BYTES - written);
        written += put > 0 ? (size_t)put : 0;
    }
    const int closed = fd >= 0 ? close(fd) : -1, error = errno;
    if (fd >= 0)
        unlink(path);
    if (!bytes || closed != 0 || written < RESULT_BYTES)
        um_cannot("%s has not the %zu KiB that a result may take: %s", um_job.out, RESULT_BYTES >> 10,
                  strerror(error));
    free(bytes);
    free(path);
}

static void build(void)
{
    static struct um_build build;
    static const char *const functions[] = {"um_canary_add", NULL};
    um_source_take();
    um_source_build(&build, functions);
    if (!build.ok)
        um_cannot("the grader's own exercise does not compile here (memory? processes?): %s", build.log);
}

/* How its call ended, when that is not as it should. */
static const char *end_of(const struct um_try *try)
{
    static char text[200];
    if (try->end == UM_TIMED_OUT)
        return "was stopped at its deadline (a slow machine? GRADE_TIMEOUT_SCALE=3)";
    if (try->end == UM_ENDED && try->signal < 0)
        return "was ended from outside (memory?)";
    if (try->end == UM_ENDED)
        snprintf(text, sizeof text, "ended by itself, with exit status %d", try->signal);
    else
        snprintf(text, sizeof text, "ended with signal %d, %s", try->signal, strsignal(try->signal));
    return text;
}

static float sum_of(const struct um_try *try, const float *in, size_t i)
{
    return um_stored_float(&try->key,
                           um_read_float(&try->key, in[i]) + um_read_float(&try->key, in[ELEMENTS + i]));
}

static void judge(const struct um_try *try, const float *in)
{
    const struct umsim_ledger *did = &try->did;
    const void *out = try->out;
    const float *sum = out;
    if (try->end != UM_RETURNED)
        um_cannot("the grader's own exercise %s: %s", end_of(try),
                  try->said[0] ? try->said : "it says nothing");
    if (try->returned != 0)
        um_cannot("the grader's own exercise fails with CUDA's error %" PRId64 " (memory?): %s",
                  try->returned, try->said[0] ? try->said : "it says nothing");
    for (size_t i = 0; i < ELEMENTS; i++)
        if (sum[i] != sum_of(try, in, i))
            um_cannot("the grader's own exercise comes to %g instead of %g, at element %zu", (double)sum[i],
                      (double)sum_of(try, in, i), i);
    if (did->counters.launches != 1 || did->counters.memcpy_htod_bytes != 4 * ELEMENTS ||
        did->counters.memcpy_dtoh_bytes != 4 * ELEMENTS || did->kernel_bytes < 12 * ELEMENTS)
        um_cannot("the ledger of the grader's own exercise is wrong: %" PRIu64 " launches, %" PRIu64
                  " and %" PRIu64 " bytes copied, %" PRIu64 " touched",
                  (uint64_t)did->counters.launches, (uint64_t)did->counters.memcpy_htod_bytes,
                  (uint64_t)did->counters.memcpy_dtoh_bytes, (uint64_t)did->kernel_bytes);
}

static void call(void)
{
    char why[400];
    float *in = malloc(2 * ELEMENTS * sizeof *in);
    struct um_try try = {.function = "um_canary_add",
                         .number = {ELEMENTS},
                         .in = in,
                         .in_bytes = 2 * ELEMENTS * sizeof *in,
                         .out_bytes = ELEMENTS * sizeof *in,
                         .key = {{1, 2}}};
    if (!in)
        um_cannot("no memory for the inputs of the grader's own exercise");
    for (size_t i = 0; i < 2 * ELEMENTS; i++)
        in[i] = (float)(i % 1021);
    um_fork_server_start();
    if (!um_sandboxed_call_run(&try, why, sizeof why))
        um_cannot("%s", why);
    judge(&try, in);
    um_fork_server_end();
    free(in);
}

/* A process of its own, so that nothing of it is left to the submission's. */
__attribute__((noreturn)) static void solve(pid_t grader)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* by which it removes its workspace */
    if (getppid() != grader)
        _exit(2);
    um_job.lab = "canary";
    um_job.lab_dir = um_job.submission = um_text("%s/grade/canary", um_job.root);
    build();
    call();
    um_workspace_remove();
    _exit(0);
}

void um_canary(void)
{
    int status = 0;
    const pid_t grader = getpid();
    try_to_write();
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        um_cannot("cannot fork: %s (processes?)", strerror(errno));
    if (pid == 0)
        solve(grader);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        um_cannot("the grader's own exercise was ended by signal %d, %s (memory?)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    if (status != 0)
        exit(2); /* it has said why */
}
