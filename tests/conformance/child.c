/**
 * @file child.c
 * @brief The fork server, and what tests ask about the device. See child.h.
 */
#include "child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "device_facts.h"
#include "um_test.h"

/** Seconds that a child may take. */
enum { CHILD_SECONDS = 60 };

/** What the runner asks the fork server for. The functions are where they are in the runner: it was forked
 * from there. */
struct request {
    void (*body)(void *area);
};

static struct {
    bool there, is_child;
    int requests;    /* the runner's end */
    char *area;      /* shared by all three processes */
    int child_error; /* the children's stderr: a file in memory */
} fork_server;

static _Noreturn void be_the_child(void (*body)(void *))
{
    const struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core); /* some children are to die */
    signal(SIGALRM, SIG_DFL);
    alarm((unsigned)(CHILD_SECONDS * um_test_patience()));
    dup2(fork_server.child_error, STDERR_FILENO);
    fork_server.is_child = true;
    body(fork_server.area);
    fflush(NULL);
    _exit(0);
}

static _Noreturn void be_the_fork_server(int requests)
{
    struct request request;

    while (read(requests, &request, sizeof request) == (ssize_t)sizeof request) {
        int status = -1;
        const pid_t pid = fork();

        if (pid == 0) {
            close(requests);
            be_the_child(request.body);
        }
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (write(requests, &status, sizeof status) != (ssize_t)sizeof status)
            break;
    }
    _exit(0); /* the runner has ended */
}

static bool open_fork_server(void)
{
    int ends[2];
    pid_t pid;

    fork_server.area = mmap(NULL, CHILD_AREA_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fork_server.child_error = memfd_create("stderr of a child", MFD_CLOEXEC);
    if (fork_server.area == MAP_FAILED || fork_server.child_error < 0)
        return false;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL); /* or a child prints the runner's lines once more */
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_the_fork_server(ends[1]);
    }
    close(ends[1]);
    fork_server.requests = ends[0];
    return pid > 0;
}

/* How a child ended, in words; NULL when well. */
static const char *how_it_ended(int status)
{
    static char text[64];

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "died of signal %d", WTERMSIG(status));
    else
        snprintf(text, sizeof text, "ended with %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return text;
}

/** @param words how the child ended when it did not end well, and its stderr */
static bool run_in_fork_server(void (*body)(void *), void *result, size_t bytes, char *words, size_t capacity)
{
    const struct request request = {body};
    char error[1024] = "";
    int status = -1;

    if (!fork_server.there || bytes > CHILD_AREA_MAX) {
        snprintf(words, capacity, "could not start: no fork server, or %zu bytes are too many", bytes);
        return false;
    }
    memcpy(fork_server.area, result, bytes);
    if (ftruncate(fork_server.child_error, 0) != 0)
        error[0] = '\0';
    lseek(fork_server.child_error, 0, SEEK_SET);
    if (write(fork_server.requests, &request, sizeof request) != (ssize_t)sizeof request ||
        read(fork_server.requests, &status, sizeof status) != (ssize_t)sizeof status)
        status = -1;
    memcpy(result, fork_server.area, bytes);
    if (!how_it_ended(status))
        return true;
    if (pread(fork_server.child_error, error, sizeof error - 1, 0) < 0)
        error[0] = '\0';
    snprintf(words, capacity, "%s; on stderr: %s", how_it_ended(status), error);
    return false;
}

_Noreturn void child_cannot(const char *file, int line, const char *what)
{
    if (!fork_server.is_child) {
        um_test_fail(file, (unsigned)line, "%s", what);
        um_test_skip("%s did not succeed", what); /* leaves the test, which has failed */
    }
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    _exit(CHILD_CANNOT);
}

bool child_run(void (*body)(void *area), void *result, size_t bytes)
{
    char words[1200];
    const bool well = run_in_fork_server(body, result, bytes, words, sizeof words);

    if (!well)
        UM_FAIL("the child %s", words);
    return well;
}

static const struct device_facts *device_facts(void)
{
    static struct device_facts facts;
    static bool asked;
    char words[1200];

    if (asked)
        return &facts;
    asked = true;
    fork_server.there = open_fork_server();
    if (!run_in_fork_server(device_facts_ask, &facts, sizeof facts, words, sizeof words))
        fprintf(stderr, "conformance: the child that looks for a device %s\n", words);
    return &facts;
}

void need_separate_memories(void)
{
    device_facts_need_separate(device_facts());
}

void need_concurrent_managed(void)
{
    if (!device_facts()->concurrent_managed)
        UM_SKIP("concurrentManagedAccess is 0: host and device may not both touch managed memory here");
}

const char *um_test_cannot_run(void)
{
    return device_facts_reason(device_facts());
}
