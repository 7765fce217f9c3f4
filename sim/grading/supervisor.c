/**
 * @file supervisor.c
 * @brief Implementation of supervisor.h: the seccomp filter in the host process, and the thread that judges
 * its calls.
 */
#include "supervisor.h"
#include "broker.h"
#include "../base/futex.h"
#include "../base/processes.h"
#include "watch.h"
#include "../record/ledger.h"
#include "../base/mode.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2] = {-1, -1}; /* the host's, the supervisor's */

bool umsim_supervisor_prepare(void)
{
    return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) == 0;
}

int umsim_supervisor_socket(void)
{
    return ends[1];
}

/* ---- passing a descriptor ---- */

union control {
    struct cmsghdr head;
    char buffer[CMSG_SPACE(sizeof(int))];
};

static bool send_descriptor(int socket, int fd)
{
    char word = 'f';
    struct iovec part = {&word, 1};
    union control control = {.head = {CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

static int receive_descriptor(int socket)
{
    char word;
    int fd = -1;
    struct iovec part = {&word, 1};
    union control control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

/* ---- the host's side ---- */

/* Sends each mremap(), and each mprotect() that opens something, to the supervisor. Related calls, which no
 * program here needs, are refused. */
static int install(void)
{
#define FIELD(name) (offsetof(struct seccomp_data, name))
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pkey_mprotect, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_remap_file_pages, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_NONE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    const unsigned flags =
        SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* Closes the descriptor here after it has been sent: no thread of this process may answer in the supervisor's
 * place. */
bool umsim_supervisor_post(void)
{
    int listener = ends[0] < 0 ? -1 : install();
    const bool posted = listener >= 0 && send_descriptor(ends[0], listener);
    umsim_supervisor_set(posted);
    if (listener >= 0)
        close(listener);
    close(ends[0]);
    close(ends[1]);
    return posted;
}

/* ---- the supervisor's side ---- */

/* For mremap(): neither what is moved nor its destination may be the simulator's memory. */
static bool is_allowed(const struct seccomp_data *call)
{
    const __u64 *argument = call->args;
    if (call->nr == SYS_mprotect)
        return umsim_broker_allows((uintptr_t)argument[0], (size_t)argument[1], (int)argument[2]);
    return umsim_watch_is_elsewhere((uintptr_t)argument[0], (size_t)argument[1]) &&
           (!(argument[3] & MREMAP_FIXED) ||
            umsim_watch_is_elsewhere((uintptr_t)argument[4], (size_t)argument[2]));
}

static void judge(int listener, const struct seccomp_notif *call)
{
    struct seccomp_notif_resp answer = {.id = call->id};
    if (is_allowed(&call->data)) {
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE; /* the arguments are in registers, so no thread can
                                                            change them now */
    } else {
        answer.error = -EPERM;
        umsim_ledger_tampered(UMSIM_TAMPERED_PROTECTION);
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Once the host has ended there is nothing to wait for: each wait would return at once, with ENOENT. */
static bool nobody_is_left(int listener)
{
    struct pollfd state = {.fd = listener, .events = POLLIN};
    return poll(&state, 1, 0) == 1 && (state.revents & POLLHUP);
}

void *umsim_supervisor_main(void *socket)
{
    static struct seccomp_notif call;
    atomic_fetch_add(&umsim_processes->checked_in, 1);
    umsim_futex_wake(&umsim_processes->checked_in);
    int listener = receive_descriptor((int)(intptr_t)socket);
    close((int)(intptr_t)socket);
    umsim_ledger_guarded(listener >= 0);
    while (listener >= 0) {
        memset(&call, 0, sizeof call);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0)
            judge(listener, &call);
        else if ((errno != EINTR && errno != ENOENT) || nobody_is_left(listener))
            break;
    }
    return NULL;
}
