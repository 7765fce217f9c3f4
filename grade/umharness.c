/**
 * @file umharness.c
 * @brief The harness's fork server: for each order it forks the process that runs calls.c.
 *
 * It is a client of the process that owns the GPU's state (sim/server/channel.h), and never maps a
 * submission: the student's function runs in a process that the harness forks (student_process.h). The lab's
 * calls.c is loaded first, once, and bound to all that it uses.
 *
 *     umharness CALLS LIBRARY    started by umforkserver, with its socket to that as descriptor 3
 */
#include "call_buffer.h"
#include "children.h"
#include "descriptors.h"
#include "protocol.h"
#include "student_process.h"
#include "sim/client/client.h"
#include "umsim_grading.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/** Beside its heap a submission has its code, stacks, and what libraries map. */
#define SPARE_BYTES ((uint64_t)256 << 20)

static void say(int talk, char word)
{
    if (send(talk, &word, 1, MSG_NOSIGNAL) != 1)
        _exit(UM_SANDBOX_CANNOT);
}

/* What the machine or the course lacks is not the submission's. The fork server ends this process. */
__attribute__((noreturn)) static void broken(int talk, const char *what, const char *why)
{
    um_send_broken(talk, what, why);
    _exit(UM_SANDBOX_CANNOT);
}

/* What calls.c defines (call_buffer.h). */
static const struct um_call_entry *calls;
static const struct um_student_entry *students;
static const char *no_calls; /* why they are not there: the course's fault */

static void load_calls(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle) {
        calls = dlsym(handle, "um_calls");
        students = dlsym(handle, "um_students");
    }
    if (!calls || !students)
        no_calls = dlerror();
}

static int64_t (*find_call(const char *function))(const struct um_request *)
{
    for (const struct um_call_entry *entry = calls; entry->function; entry++)
        if (strcmp(entry->function, function) == 0)
            return entry->call;
    return NULL;
}

static struct um_call_buffer *map_call_buffer(int fd, int talk, size_t *bytes)
{
    struct stat size;
    if (fstat(fd, &size) != 0)
        broken(talk, "call buffer", strerror(errno));
    void *buffer = mmap(NULL, (size_t)size.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (buffer == MAP_FAILED)
        broken(talk, "call buffer", strerror(errno));
    *bytes = (size_t)size.st_size;
    return buffer;
}

/* What the student may allocate has to be there: a solution that lacks memory elsewhere than others is not
 * wrong. Here only addresses can be short (ulimit -v). */
static void see_that_the_heap_fits(uint64_t bytes, int talk)
{
    bytes += SPARE_BYTES;
    void *addresses = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (addresses == MAP_FAILED)
        broken(talk, "addresses for the submission's own memory (ulimit -v)", strerror(errno));
    munmap(addresses, bytes);
}

/* Private memory of this process, that begins with the bytes of a part of the call buffer; NULL for none. */
static void *part_of(int file, uint64_t offset, uint64_t bytes, int talk)
{
    if (!bytes)
        return NULL;
    void *part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, (off_t)offset);
    if (part == MAP_FAILED)
        broken(talk, "inputs and outputs", strerror(errno));
    return part;
}

/* Outputs stay where they are: what this process writes there is the grader's at once. */
static void take_request(struct um_request *request, struct um_call_buffer *buffer, int file, int talk)
{
    void *in = part_of(file, buffer->in_offset, buffer->in_bytes, talk),
         *out = buffer->out_bytes ? (char *)buffer + buffer->out_offset : NULL;
    static int64_t number[UM_CALL_BUFFER_NUMBERS]; /* the student's process has not the buffer */
    memcpy(number, buffer->number, sizeof number);
    *request = (struct um_request){number, in, out, buffer->in_bytes, buffer->out_bytes};
}

static void make_call(struct um_call_buffer *buffer, int file, struct um_student_plan *plan)
{
    struct um_request request;
    int64_t (*call)(const struct um_request *) = find_call(buffer->function);
    char word;
    if (!call)
        broken(plan->talk, "the lab's calls.c has no", buffer->function);
    take_request(&request, buffer, file, plan->talk);
    plan->number = (int64_t *)(uintptr_t)request.number;
    plan->number_bytes = UM_CALL_BUFFER_NUMBERS * sizeof *plan->number;
    plan->in = (void *)(uintptr_t)request.in;
    plan->in_bytes = request.in_bytes;
    plan->out = request.out;
    plan->out_bytes = request.out_bytes;
    plan->out_file = file;
    plan->out_offset = (int64_t)buffer->out_offset;
    um_student_plan(plan);
    say(plan->talk, UM_READY);
    if (read(plan->talk, &word, 1) != 1 || word != UM_GO)
        _exit(UM_SANDBOX_CANNOT);
    const int64_t returned = call(&request);
    umsim_grading_settle();
    buffer->returned = returned;
    say(plan->talk, UM_DONE);
}

__attribute__((noreturn)) static void run_call(const char *library, const struct um_student_limits *limits,
                                               const int fd[UM_HARNESS_FDS])
{
    char line[40];
    close(UM_FORK_SERVER_FD);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(fd[UM_FD_OUTPUT], STDOUT_FILENO);
    dup2(fd[UM_FD_OUTPUT], STDERR_FILENO);
    close(fd[UM_FD_OUTPUT]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int talk = fd[UM_FD_TALK];
    if (no_calls)
        broken(talk, "the lab's calls.c", no_calls);
    snprintf(line, sizeof line, "%d:%d", fd[UM_FD_LINE], fd[UM_FD_SOCKET]);
    setenv(UMSIM_LINE_VARIABLE, line, 1);
    umsim_client_begin();
    clearenv();
    see_that_the_heap_fits(limits->heap_bytes, talk);
    struct um_student_plan plan = {.library = library,
                                   .functions = students,
                                   .heap_bytes = limits->heap_bytes,
                                   .cpu_seconds = limits->cpu_seconds,
                                   .talk = talk};
    struct um_call_buffer *buffer = map_call_buffer(fd[UM_FD_CALL_BUFFER], talk, &plan.call_buffer_bytes);
    plan.call_buffer = buffer;
    make_call(buffer, fd[UM_FD_CALL_BUFFER], &plan);
    for (;;)
        pause(); /* the fork server ends this process */
}

/* Ends the call when the fork server says so: the harness, and a student's process with it. One that has
 * ended by itself before has its own status. */
static bool see_it_end(pid_t child)
{
    struct um_ended ended;
    char word;
    if (recv(UM_FORK_SERVER_FD, &word, 1, 0) != 1 || word != UM_STOP)
        return false;
    kill(child, SIGKILL);
    if (waitpid(child, &ended.status, 0) != child)
        return false;
    ended.cpu_ns = um_children_end(-1);
    return send(UM_FORK_SERVER_FD, &ended, sizeof ended, MSG_NOSIGNAL) == sizeof ended;
}

int main(int argc, char **argv)
{
    struct um_student_limits limits;
    int fd[UM_HARNESS_FDS];
    if (argc < 3)
        return 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0); /* a student's process has the same user: it must not inspect this one */
    load_calls(argv[1]);
    while (um_take_descriptors(UM_FORK_SERVER_FD, &limits, sizeof limits, fd, UM_HARNESS_FDS)) {
        const pid_t child = fork();
        if (child == 0)
            run_call(argv[2], &limits, fd);
        if (child < 0)
            um_send_broken(fd[UM_FD_TALK], "the harness cannot be forked (processes: ulimit -u)",
                           strerror(errno));
        for (int i = 0; i < UM_HARNESS_FDS; i++)
            close(fd[i]);
        if (child < 0 || !see_it_end(child))
            return 1;
    }
    return 0;
}
