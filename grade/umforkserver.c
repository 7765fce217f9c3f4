/**
 * @file umforkserver.c
 * @brief The fork server, the sandbox's first process: for each order of the grader it forks the process that
 * owns the GPU's state, and has the harness fork the one that makes the call.
 *
 * Neither maps a submission. The harness's fork server is a program of its own (umharness.c), because it has
 * a client's libumsim.so, and its memory elsewhere: what a client registers has to be free in the other
 * process. protocol.h lists the messages; docs/grading.md says who trusts whom.
 *
 *     umforkserver CALLS LIBRARY  with its socket to the grader as descriptor 3
 *     umforkserver                exits 0, which shows that the sandbox works
 */
#include "children.h"
#include "descriptors.h"
#include "protocol.h"
#include "sim/server/channel.h"
#include "umsim_grading.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int harness; /* the socket to its fork server */

/* ---- the process that owns the GPU's state ---- */

static void set(const char *name, const char *value)
{
    if (value[0])
        setenv(name, value, 1);
}

/** What queues, streams, graphs and the like may take of it: a submission that makes them without end fails
 * there. */
#define RUNTIME_BYTES ((uint64_t)3 << 30)

__attribute__((noreturn)) static void run_runtime(const struct um_order *order, int ledger, int line,
                                                  int socket)
{
    const struct umsim_grading_limits limits = {order->device_bytes, order->pinned_bytes,
                                                order->managed_bytes};
    struct rlimit data;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set("UMSIM_SCHED", order->schedule);
    set("UMSIM_PROFILE", order->profile);
    set("UMSIM_FAIL", order->fail);
    set("UMSIM_THREADS", "1");
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur > RUNTIME_BYTES) {
        data.rlim_cur = RUNTIME_BYTES;
        setrlimit(RLIMIT_DATA, &data);
    }
    const char *why = umsim_server_start(ledger, &limits);
    if (!why)
        why = umsim_serve_clients(line, socket);
    umsim_refuse_client(socket, why);
    _exit(UM_SANDBOX_CANNOT);
}

/* ---- an order ---- */

/* The descriptors of an order that are not taken over are closed in either process. */
static pid_t begin_call(const struct um_order *order, const int fd[UM_ORDER_FDS])
{
    int pair[2];
    const int line = memfd_create("umlab line", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (line < 0 || ftruncate(line, sizeof(struct umsim_line)) != 0 ||
        fcntl(line, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        um_send_broken(fd[UM_FD_TALK], "no memory or descriptors for a line to the runtime", strerror(errno));
        return -1;
    }
    const pid_t runtime = fork();
    if (runtime == 0) {
        setpgid(0, 0);
        close(UM_FORK_SERVER_FD);
        close(harness);
        close(pair[1]);
        dup2(fd[UM_FD_OUTPUT], STDOUT_FILENO);
        dup2(fd[UM_FD_OUTPUT], STDERR_FILENO);
        for (int i = 0; i < UM_FD_LEDGER; i++)
            close(fd[i]);
        run_runtime(order, fd[UM_FD_LEDGER], line, pair[0]);
    }
    if (runtime > 0)
        setpgid(runtime, runtime); /* a group of its own, with its GPU process: they are waited for */
    const int its[UM_HARNESS_FDS] = {fd[UM_FD_CALL_BUFFER], fd[UM_FD_TALK], fd[UM_FD_OUTPUT], line, pair[1]};
    if (runtime < 0)
        um_send_broken(fd[UM_FD_TALK], "the runtime cannot be forked (processes: ulimit -u)",
                       strerror(errno));
    const bool sent = runtime > 0 && um_send_descriptors(harness, &order->student, sizeof order->student, its,
                                                         UM_HARNESS_FDS);
    close(line);
    close(pair[0]);
    close(pair[1]);
    return sent ? runtime : -1;
}

/* Waits until the grader says stop. All processes of the call have to have ended before the grader reads the
 * ledger. */
static bool see_it_end(pid_t runtime)
{
    struct um_ended ended;
    char word;
    if (recv(UM_FORK_SERVER_FD, &word, 1, 0) != 1 || word != UM_STOP)
        return false;
    if (send(harness, &word, 1, MSG_NOSIGNAL) != 1)
        return false;
    kill(-runtime, SIGKILL); /* meanwhile: what it has mapped takes a while to go */
    if (recv(harness, &ended, sizeof ended, 0) != sizeof ended)
        return false;
    ended.cpu_ns += um_children_end(-runtime);
    return send(UM_FORK_SERVER_FD, &ended, sizeof ended, MSG_NOSIGNAL) == sizeof ended;
}

/* ---- the start ---- */

/* Clients have their libraries elsewhere than other programs. */
static bool start_harness(const char *own_path, char **argv)
{
    char program[4096];
    const char *slash = strrchr(own_path, '/');
    int pair[2];
    snprintf(program, sizeof program, "%.*sumharness", slash ? (int)(slash + 1 - own_path) : 0, own_path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        personality(personality(UINT32_MAX) | ADDR_COMPAT_LAYOUT);
        dup2(pair[1], UM_FORK_SERVER_FD); /* the grader's socket closes with it */
        argv[0] = program;
        execv(program, argv);
        _exit(127);
    }
    close(pair[1]);
    harness = pair[0];
    return child > 0;
}

/* A student's process number minus another one's would say which of the calls it is, and so what is judged.
 * The calls' numbers begin at any place. */
static void skip_process_numbers(void)
{
    unsigned char count = 0;
    if (getrandom(&count, sizeof count, 0) != sizeof count)
        return;
    for (; count > 0; count--) {
        const pid_t child = vfork();
        if (child == 0)
            _exit(0);
        if (child < 0 || waitpid(child, NULL, 0) != child)
            return;
    }
}

int main(int argc, char **argv)
{
    struct um_order order;
    int fd[UM_ORDER_FDS];
    if (argc < 3)
        return 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0); /* a student's process has the same user: it must not inspect this one */
    const bool has_harness = start_harness(argv[0], argv);
    skip_process_numbers();
    while (um_take_descriptors(UM_FORK_SERVER_FD, &order, sizeof order, fd, UM_ORDER_FDS)) {
        if (!has_harness)
            um_send_broken(fd[UM_FD_TALK], "the harness does not start (processes: ulimit -u)", "no process");
        const pid_t runtime = has_harness ? begin_call(&order, fd) : -1;
        for (int i = 0; i < UM_ORDER_FDS; i++)
            close(fd[i]);
        if (runtime < 0 || !see_it_end(runtime))
            return 1;
    }
    return 0;
}
