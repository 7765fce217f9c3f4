/**
 * @file umforkserver.c
 * @brief The fork server, which runs in the sandbox and makes a sandboxed call for each order of the grader.
 *
 * The lab's calls.c is loaded first, once, and bound to all that it uses. A sandboxed call starts the
 * simulator in grading mode, locks itself in, loads the student's library, locks its code, and makes one
 * call. protocol.h lists the messages; docs/grading.md says who trusts whom.
 *
 *     umforkserver CALLS LIBRARY  with its socket to the grader as descriptor 3
 *     umforkserver                exits 0, which shows that the sandbox works
 */
#include "confine.h"
#include "call_buffer.h"
#include "protocol.h"
#include "umsim_grading.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

__attribute__((noreturn)) static void broken(int talk, const char *what, const char *why)
{
    char text[400];
    int length = snprintf(text, sizeof text, "%c%s: %s", UM_BROKEN, what, why);
    send(talk, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1, MSG_NOSIGNAL);
    _exit(UM_SANDBOX_CANNOT);
}

static void set(const char *name, const char *value)
{
    if (value[0])
        setenv(name, value, 1);
}

/* Only the simulator is told its settings; the student's code is loaded after they have been removed from
 * the environment. */
static void start_simulator(const struct um_order *order, const int fd[UM_ORDER_FDS])
{
    set("UMSIM_SCHED", order->schedule);
    set("UMSIM_PROFILE", order->profile);
    set("UMSIM_FAIL", order->fail);
    set("UMSIM_THREADS", "1");
    struct umsim_grading_limits limits = {order->device_bytes, order->pinned_bytes, order->managed_bytes};
    const char *why = umsim_grading_start(fd[UM_FD_LEDGER], &limits);
    if (why)
        broken(fd[UM_FD_TALK], "simulator", why);
    clearenv();
}

static struct um_call_buffer *map_call_buffer(int fd, int talk)
{
    struct stat size;
    if (fstat(fd, &size) != 0)
        broken(talk, "call buffer", strerror(errno));
    void *buffer = mmap(NULL, (size_t)size.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (buffer == MAP_FAILED)
        broken(talk, "call buffer", strerror(errno));
    close(fd);
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

/* Student code is not running yet, but it is loaded: from here on, errors are the submission's. */
__attribute__((noreturn)) static void complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
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

/* None of its code runs yet: library.c has looked. */
static void load_submission(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        complain("the submission cannot be loaded", dlerror());
    for (const struct um_student_entry *entry = students; entry->function; entry++) {
        void *function = dlsym(handle, entry->function);
        if (!function)
            complain("the submission has no function", entry->function);
        memcpy(entry->place, &function, sizeof function);
    }
}

static void make_call(int64_t (*call)(const struct um_request *), struct um_call_buffer *buffer, int talk)
{
    struct um_call_buffer head = *buffer; /* the student's code may write into the call buffer */
    void *in = head.in_bytes ? malloc(head.in_bytes) : NULL;
    void *out = head.out_bytes ? malloc(head.out_bytes) : NULL;
    if ((head.in_bytes && !in) || (head.out_bytes && !out))
        complain("no memory for", "inputs and outputs");
    if (in)
        memcpy(in, (char *)buffer + head.in_offset, head.in_bytes);
    if (out)
        memcpy(out, (char *)buffer + head.out_offset, head.out_bytes);
    struct um_request request = {head.number, in, out, head.in_bytes, head.out_bytes};
    int64_t returned = call(&request);
    umsim_grading_settle();
    fflush(stdout); /* after the word there is no time for it */
    if (out)
        memcpy((char *)buffer + head.out_offset, out, head.out_bytes);
    buffer->returned = returned;
    say(talk, UM_DONE);
}

/* exit() would go on to the simulator's own end, which waits for what the sandbox forbids. It runs this
 * before that: what was printed comes out, and the grader learns the status. */
static void leave_at_once(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

__attribute__((noreturn)) static void run_call(const char *library, const struct um_order *order,
                                               int fd[UM_ORDER_FDS])
{
    char word;
    close(UM_FORK_SERVER_FD);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 1); /* for the GPU process, which reads the files that it has mapped */
    dup2(fd[UM_FD_OUTPUT], STDOUT_FILENO);
    dup2(fd[UM_FD_OUTPUT], STDERR_FILENO);
    close(fd[UM_FD_OUTPUT]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (no_calls)
        broken(fd[UM_FD_TALK], "the lab's calls.c", no_calls);
    start_simulator(order, fd);
    struct um_call_buffer *buffer = map_call_buffer(fd[UM_FD_CALL_BUFFER], fd[UM_FD_TALK]);
    int64_t (*call)(const struct um_request *) = find_call(buffer->function);
    if (!call)
        broken(fd[UM_FD_TALK], "the lab's calls.c has no", buffer->function);
    see_that_the_heap_fits(order->heap_bytes, fd[UM_FD_TALK]);
    const char *why = um_confine(order->heap_bytes, order->cpu_seconds, fd[UM_FD_TALK]);
    if (why)
        broken(fd[UM_FD_TALK], why, strerror(errno));
    say(fd[UM_FD_TALK], UM_READY);
    if (read(fd[UM_FD_TALK], &word, 1) != 1 || word != UM_GO)
        _exit(UM_SANDBOX_CANNOT);
    on_exit(leave_at_once, NULL);
    load_submission(library);
    why = um_confine_code();
    if (why)
        complain(why, strerror(errno));
    make_call(call, buffer, fd[UM_FD_TALK]);
    for (;;)
        sleep(1000); /* the grader ends this process: no student code runs any more */
}

/* @return false when the grader is gone */
static bool take_order(struct um_order *order, int fd[UM_ORDER_FDS])
{
    union {
        struct cmsghdr head;
        char buffer[CMSG_SPACE(UM_ORDER_FDS * sizeof(int))];
    } control;
    struct iovec part = {order, sizeof *order};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.buffer,
                             .msg_controllen = sizeof control.buffer};
    ssize_t got;
    while ((got = recvmsg(UM_FORK_SERVER_FD, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != sizeof *order || !head || head->cmsg_len != CMSG_LEN(UM_ORDER_FDS * sizeof(int)))
        return false;
    memcpy(fd, CMSG_DATA(head), UM_ORDER_FDS * sizeof(int));
    return true;
}

static uint64_t cpu_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
           (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

/* Waits until the grader says stop. The sandboxed call may have ended by itself before; then it keeps its
 * own status. Its GPU process has to end with it, because the grader reads the ledger next. */
static bool see_it_end(pid_t child)
{
    static uint64_t before;
    struct um_ended ended;
    char word;
    if (recv(UM_FORK_SERVER_FD, &word, 1, 0) != 1 || word != UM_STOP)
        return false;
    kill(child, SIGKILL);
    if (waitpid(child, &ended.status, 0) != child)
        return false;
    while (waitpid(-1, NULL, __WALL) > 0)
        ;
    const uint64_t after = cpu_of_children();
    ended.cpu_ns = after - before;
    before = after;
    return send(UM_FORK_SERVER_FD, &ended, sizeof ended, MSG_NOSIGNAL) == sizeof ended;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    struct um_order order;
    int fd[UM_ORDER_FDS];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE,
          0); /* a sandboxed call has the same user: it must not be able to inspect this process */
    load_calls(argv[1]);
    while (take_order(&order, fd)) {
        pid_t child = fork();
        if (child == 0)
            run_call(argv[2], &order, fd);
        for (int i = 0; i < UM_ORDER_FDS; i++)
            close(fd[i]);
        if (child < 0 || !see_it_end(child))
            return 1;
    }
    return 0;
}
