/**
 * @file sandboxed_call.c
 * @brief The grader's side of sandboxed calls: starts the fork server in its sandbox, and follows each call
 * from order to end.
 */
#include "sandbox.h"
#include "descriptors.h"
#include "grade.h"
#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * Seconds that a call may take, times GRADE_TIMEOUT_SCALE; those in which it wanted a processor and other
 * work had it do not count (patience.c). By the clock it may take so many times that, whatever the machine
 * does.
 */
#define CALL_SECONDS 5.0
#define PATIENCE 8
/**
 * Seconds that a sandboxed call may take to start, and a fork server to report a call's end: only a broken
 * machine needs them.
 */
#define START_SECONDS 20.0
#define GIB (UINT64_C(1) << 30)

static pid_t fork_server;
static int line = -1; /* to the fork server */

/* One call's memory and descriptors. Descriptors are -1 when closed. */
struct sandboxed_call {
    struct um_call_buffer *buffer;
    struct umsim_ledger *ledger;
    int call_buffer_fd, ledger_fd, talk, talk_inside, output, output_inside;
};

void um_fork_server_start(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        um_cannot("no socket: %s", strerror(errno));
    char *program = um_text("%s/grade/sandbox/umforkserver", um_job.build);
    char *library = um_text("%s/lib/submission.so", um_job.workspace);
    char *calls = um_text("%s/grade/sandbox/%s.so", um_job.build, um_job.lab);
    char *argv[] = {program, calls, library, NULL};
    struct um_sandbox_plan plan = {
        .folder = "/",
        .argv = argv,
        .input = -1,
        .output = -1,
        .fork_server = pair[1],
        .read = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", um_text("%s/grade/sandbox", um_job.build),
                 um_text("%s/lib", um_job.build), um_text("%s/share", um_job.build),
                 um_text("%s/profiles", um_job.root), um_text("%s/lib", um_job.workspace)}};
    fork_server = um_sandbox_start(&plan);
    close(pair[1]);
    line = pair[0];
    for (int i = 4; plan.read[i]; i++)
        free((char *)plan.read[i]);
    free(program);
    free(calls);
    free(library);
}

void um_fork_server_end(void)
{
    if (line >= 0)
        close(line);
    line = -1;
    if (fork_server > 0)
        um_sandbox_stop(fork_server);
    fork_server = 0;
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Creates memory that two processes map, and that neither can shrink while the other uses it. */
static int shared_file(const char *name, size_t bytes, void **view)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        um_cannot("no shared memory for the %s: %s", name, strerror(errno));
    *view = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*view == MAP_FAILED)
        um_cannot("cannot map the %s: %s", name, strerror(errno));
    return fd;
}

/* Of the host's: inputs and outputs are mapped by themselves. */
static size_t whole_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* One file for all calls, so that its pages are there already. Nobody has it mapped from the call before:
 * all processes of that one have ended. What is behind a call's own bytes in a page is that submission's. */
static void *call_buffer_of(size_t bytes, int *file)
{
    static void *view;
    static size_t capacity;
    static int kept = -1;
    if (bytes > capacity) {
        if (capacity) {
            munmap(view, capacity);
            close(kept);
        }
        kept = shared_file("call buffer", bytes, &view);
        capacity = bytes;
    }
    *file = kept;
    return view;
}

static void make_call_buffer(struct sandboxed_call *call, const struct um_try *try)
{
    const size_t head = whole_pages(sizeof *call->buffer), in_capacity = whole_pages(try->in_bytes);
    char *view = call_buffer_of(head + in_capacity + whole_pages(try->out_bytes), &call->call_buffer_fd);
    call->buffer = (struct um_call_buffer *)(void *)view;
    memset(view, 0, head);
    snprintf(call->buffer->function, sizeof call->buffer->function, "%s", try->function);
    memcpy(call->buffer->number, try->number, sizeof try->number);
    call->buffer->in_offset = head;
    call->buffer->in_bytes = try->in_bytes;
    call->buffer->out_offset = head + in_capacity;
    call->buffer->out_bytes = try->out_bytes;
    if (try->in_bytes)
        memcpy(view + head, try->in, try->in_bytes);
    memset(view + head + in_capacity, 0xa5, try->out_bytes);
}

static void open_call(struct sandboxed_call *call, const struct um_try *try)
{
    int talk[2], output[2];
    void *view;
    make_call_buffer(call, try);
    call->ledger_fd = shared_file("ledger", sizeof *call->ledger, &view);
    call->ledger = view;
    call->ledger->key = try->key;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0 ||
        pipe2(output, O_CLOEXEC | O_NONBLOCK) != 0)
        um_cannot("no socket or pipe: %s", strerror(errno));
    fcntl(output[1], F_SETFL, 0); /* the writer waits when the socket is full; the reader never waits */
    call->talk = talk[0];
    call->talk_inside = talk[1];
    call->output = output[0];
    call->output_inside = output[1];
}

static void close_call(struct sandboxed_call *call)
{
    shut(&call->talk);
    shut(&call->output);
    munmap(call->ledger, sizeof *call->ledger);
}

static void put_text(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text ? text : "");
}

static bool send_order(struct sandboxed_call *call, const struct um_try *try)
{
    struct um_order order = {
        .device_bytes = 2 * GIB,
        .pinned_bytes = GIB / 2,
        .managed_bytes = 2 * GIB,
        .student = {.heap_bytes = GIB, .cpu_seconds = 1 + (uint64_t)(CALL_SECONDS * um_job.timeout_scale)}};
    put_text(order.schedule, sizeof order.schedule, try->schedule);
    put_text(order.profile, sizeof order.profile, try->profile ? try->profile : um_job.profile);
    put_text(order.fail, sizeof order.fail, try->fail);
    const int fd[UM_ORDER_FDS] = {[UM_FD_CALL_BUFFER] = call->call_buffer_fd,
                                  [UM_FD_LEDGER] = call->ledger_fd,
                                  [UM_FD_TALK] = call->talk_inside,
                                  [UM_FD_OUTPUT] = call->output_inside};
    const bool sent = um_send_descriptors(line, &order, sizeof order, fd, UM_ORDER_FDS);
    shut(&call->ledger_fd);
    shut(&call->talk_inside);
    shut(&call->output_inside);
    return sent;
}

/* Waits for the sandboxed call's next word, and meanwhile reads its output. @return the word, 0 at its
 * end, -1 at the deadline */
static int next_word(struct sandboxed_call *call, struct um_said *said, struct um_deadline deadline,
                     char *text, size_t size)
{
    for (;;) {
        struct pollfd ready[2] = {{call->talk, POLLIN, 0}, {call->output, POLLIN, 0}};
        if (!um_in_time(&deadline, fork_server))
            return -1;
        double left = deadline.at - um_now();
        if (poll(ready, 2, left > 1 ? 1000 : left > 0 ? 1 + (int)(left * 1000) : 1) < 0 && errno != EINTR)
            return -1;
        if (ready[1].revents && um_said_read(said, call->output) < 0)
            shut(&call->output);
        if (!ready[0].revents)
            continue;
        ssize_t got = recv(call->talk, text, size - 1, MSG_DONTWAIT);
        if (got <= 0)
            return 0;
        text[got] = '\0';
        return (unsigned char)text[0];
    }
}

/* Waits for the call to end. A fork server that does not answer is started anew. @return the call's wait
 * status; in `cpu` what it took, seconds of processor time */
static int wait_for_end(double *cpu)
{
    struct um_ended ended = {SIGKILL, 0};
    *cpu = 0;
    char word = UM_STOP;
    struct pollfd ready = {line, POLLIN, 0};
    if (send(line, &word, 1, MSG_NOSIGNAL) == 1 && poll(&ready, 1, (int)(START_SECONDS * 1000)) == 1 &&
        recv(line, &ended, sizeof ended, 0) == sizeof ended) {
        *cpu = (double)ended.cpu_ns / 1e9;
        return ended.status;
    }
    um_fork_server_end();
    um_fork_server_start();
    return SIGKILL;
}

/* `status` is the harness's; a student's process that has ended before has been told of: `text`. */
static void judge_end(struct um_try *try, int word, int status, const char *text)
{
    struct um_left left;
    memcpy(&left, text, sizeof left);
    if (word == UM_LEFT)
        status = left.status;
    if (word == UM_DONE) {
        try->end = UM_RETURNED;
    } else if (word < 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        try->end = UM_TIMED_OUT;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
        try->end = UM_CRASHED;
        try->signal = WTERMSIG(status);
    } else {
        try->end = UM_ENDED;
        try->signal = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
}

static void take_answers(struct um_try *try, const struct sandboxed_call *call)
{
    static unsigned char *out;
    free(out);
    out = malloc(try->out_bytes + 1);
    if (!out)
        um_cannot("no memory for %zu bytes of output", try->out_bytes);
    memcpy(out, (char *)call->buffer + whole_pages(sizeof *call->buffer) + whole_pages(try->in_bytes),
           try->out_bytes);
    try->out = out;
    try->returned = call->buffer->returned;
    try->did = *call->ledger; /* a sandboxed call makes one call, so its ledger began empty */
}

bool um_sandboxed_call_run(struct um_try *try, char *why, size_t size)
{
    static struct um_said said;
    struct sandboxed_call call = {0};
    char text[400];
    said.length = 0;
    said.cut = false;
    open_call(&call, try);
    const double ordered = um_now(), stolen = um_stolen();
    double cpu;
    int word = -1;
    if (send_order(&call, try))
        word = next_word(&call, &said, um_deadline(ordered, START_SECONDS), text, sizeof text);
    if (word != UM_READY) {
        wait_for_end(&cpu);
        said.text[said.length] = '\0'; /* no student code has run: the simulator says what it lacks */
        snprintf(why, size, "a sandboxed call does not start: %s%s%.300s",
                 word == UM_BROKEN ? text + 1 : "it does not answer", said.length ? "\n" : "", said.text);
        close_call(&call);
        return false;
    }
    char go = UM_GO;
    if (send(call.talk, &go, 1, MSG_NOSIGNAL) == 1)
        word = next_word(&call, &said, um_deadline(ordered, CALL_SECONDS * um_job.timeout_scale), text,
                         sizeof text);
    const double had = um_time_had(fork_server, ordered, stolen);
    judge_end(try, word, wait_for_end(&cpu), text);
    if (word == UM_BROKEN)
        um_cannot("a sandboxed call cannot go on: %.300s", text + 1);
    um_budget_take(cpu, had);
    while (call.output >= 0 && !said.cut && um_said_read(&said, call.output) > 0)
        ;
    said.text[said.length] = '\0';
    try->said = said.text;
    take_answers(try, &call);
    close_call(&call);
    return true;
}
