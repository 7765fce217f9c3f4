/**
 * @file child.c
 * @brief See child.h.
 */
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "um_check.h"
#include "device_facts.h"
#include "um_test.h"

/** Seconds that a child may take, times um_test_patience(). */
enum { CHILD_SECONDS = 30 };

static _Noreturn void be_the_child(void (*body)(void *), void *area, const int pipe_ends[2])
{
    const struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core); /* some children are to die */
    signal(SIGALRM, SIG_DFL);
    alarm((unsigned)(CHILD_SECONDS * um_test_patience()));
    dup2(pipe_ends[1], STDERR_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    body(area);
    exit(0); /* by exit(), so that the runtime ends as at the end of any program */
}

/* Reads what is there, until the writers have closed it or nothing has come for `wait_ms`. */
static void read_all(int descriptor, struct child *child, int wait_ms)
{
    struct pollfd poll_for = {.fd = descriptor, .events = POLLIN};
    size_t used = 0;
    char chunk[512];

    while (poll(&poll_for, 1, wait_ms) > 0) {
        const ssize_t got = read(descriptor, chunk, sizeof chunk);
        size_t capacity = sizeof child->err - 1 - used;

        if (got <= 0)
            break;
        if (capacity > (size_t)got)
            capacity = (size_t)got;
        memcpy(child->err + used, chunk, capacity);
        used += capacity;
    }
    child->err[used] = '\0';
}

void child_run(void (*body)(void *area), void *result, size_t bytes, struct child *child)
{
    void *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int pipe_ends[2];
    pid_t pid;

    memset(child, 0, sizeof *child);
    child->status = -1;
    if (area == MAP_FAILED || pipe(pipe_ends) != 0) {
        snprintf(child->err, sizeof child->err, "no memory or no pipe for a child: %s", strerror(errno));
        return;
    }
    memcpy(area, result, bytes);
    fflush(NULL); /* or the child prints the parent's lines once more */
    pid = fork();
    if (pid == 0)
        be_the_child(body, area, pipe_ends);
    close(pipe_ends[1]);
    if (pid > 0) {
        /* The simulated GPU holds the other end, too, and goes a moment after its host. */
        read_all(pipe_ends[0], child, (int)((CHILD_SECONDS * um_test_patience() + 1) * 1000));
        while (waitpid(pid, &child->status, 0) < 0 && errno == EINTR) {
        }
    }
    close(pipe_ends[0]);
    memcpy(result, area, bytes);
    munmap(area, bytes);
}

bool child_ended_well(const struct child *child)
{
    const bool well = WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;

    if (WIFSIGNALED(child->status))
        UM_FAIL("the child died of signal %d; on stderr: %s", WTERMSIG(child->status), child->err);
    else if (!well)
        UM_FAIL("the child ended with %d; on stderr: %s",
                WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1, child->err);
    return well;
}

const struct device_facts *device_facts(void)
{
    static struct device_facts facts;
    static bool asked;
    struct child child;

    if (asked)
        return &facts;
    asked = true;
    child_run(device_facts_ask, &facts, sizeof facts, &child);
    return &facts;
}

void need_separate_memories(void)
{
    device_facts_need_separate(device_facts());
}

const char *um_test_cannot_run(void)
{
    return device_facts_reason(device_facts());
}
