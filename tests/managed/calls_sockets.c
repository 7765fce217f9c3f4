/**
 * @file calls_sockets.c
 * @brief Calls about sockets and descriptors, and calls with arguments that are wrong. See calls.h.
 */
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static char scratch[CALL_BYTES];

static long sends_and_receives_messages(char *b)
{
    int pair[2], sent;
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    struct iovec out[2] = {{b, 100}, {b + 4090, 100}}, in[2] = {{b + 1000, 50}, {b + 2000, 500}};
    struct msghdr message = {
        .msg_iov = out, .msg_iovlen = 2, .msg_control = b + 6000, .msg_controllen = CMSG_SPACE(4)};
    struct cmsghdr *head = (struct cmsghdr *)(b + 6000);
    *head = (struct cmsghdr){CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &pair[0], 4);
    const long put = call_answer(call_away(b) ? sendmsg(pair[0], &message, 0) : 0);
    struct msghdr *answer = (struct msghdr *)(b + 5000); /* the message itself is in the buffer, too */
    *answer = (struct msghdr){.msg_iov = in, .msg_iovlen = 2, .msg_control = b + 7000, .msg_controllen = 64};
    const long got = call_answer(recvmsg(pair[1], call_away(answer), MSG_CMSG_CLOEXEC));
    const bool came =
        answer->msg_controllen == CMSG_LEN(4) && ((struct cmsghdr *)(b + 7000))->cmsg_type == SCM_RIGHTS;
    memcpy(&sent, CMSG_DATA((struct cmsghdr *)(b + 7000)), 4);
    close(sent);
    close(pair[0]);
    close(pair[1]);
    return put * 10000 + got * 10 + came;
}

static long sends_many_messages(char *b)
{
    int pair[2];
    struct mmsghdr *many = (struct mmsghdr *)(b + 4000);
    struct iovec parts[3] = {{b, 10}, {b + 20, 20}, {scratch, 30}};
    memset(scratch, 's', 100);
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    memset(many, 0, 3 * sizeof *many);
    for (int i = 0; i < 3; i++)
        many[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    const int put = sendmmsg(pair[0], call_away(many), 3, 0);
    const long lengths = many[0].msg_len * 10000 + many[1].msg_len * 100 + many[2].msg_len;
    for (int i = 0; i < 3; i++)
        parts[i] = (struct iovec){b + 1000 + 100 * i, 25};
    const int got = recvmmsg(pair[1], call_away(many), 3, MSG_DONTWAIT, NULL);
    const long others = many[0].msg_len * 10000 + many[1].msg_len * 100 + many[2].msg_len;
    memset(many, 0, 3 * sizeof *many);
    close(pair[0]);
    close(pair[1]);
    return put * 10 + got + lengths * 7 + others * 11;
}

static long connects(char *b)
{
    struct sockaddr_un *name = (struct sockaddr_un *)(b + 100);
    socklen_t *length = (socklen_t *)b;
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
              client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memset(name, 0, sizeof *name);
    name->sun_family = AF_UNIX;
    strcpy(name->sun_path, "/tmp/umlab-calls-socket");
    unlink(name->sun_path);
    const long bound = call_answer(bind(server, call_away(name), sizeof *name));
    listen(server, 1);
    const long connected = call_answer(connect(client, call_away(name), sizeof *name));
    unlink(name->sun_path);
    *length = 1000;
    const int accepted = accept4(server, call_away(b + 1000), length, SOCK_CLOEXEC);
    const long first = *length;
    *length = 50; /* less than the name has */
    const long peer = call_answer(getpeername(client, call_away(b + 2000), length));
    const long last = *length;
    close(server);
    close(client);
    return bound * 1000 + connected * 100 + (accepted >= 0) + peer * 10 + first * 1000 + last +
           close(accepted);
}

static long waits_for_descriptors(char *b)
{
    int pair[2];
    struct pollfd *polls = (struct pollfd *)b;
    fd_set *sets = (fd_set *)(b + 1000);
    struct timespec *none = (struct timespec *)(b + 2000);
    struct epoll_event *events = (struct epoll_event *)(b + 3000);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    *none = (struct timespec){0, 0};
    polls[0] = (struct pollfd){pair[0], POLLIN, 9};
    polls[1] = (struct pollfd){pair[1], POLLOUT, 9};
    const int polled = ppoll(call_away(polls), 2, none, (sigset_t *)(b + 2100));
    const long revents = polls[0].revents * 100 + polls[1].revents;
    FD_ZERO(sets);
    FD_SET(pair[0], sets);
    FD_SET(pair[1], sets);
    const int selected = pselect(pair[1] + 1, NULL, call_away(sets), NULL, none, NULL);
    const int set = epoll_create1(EPOLL_CLOEXEC);
    *events = (struct epoll_event){.events = EPOLLOUT, .data.u64 = 5};
    epoll_ctl(set, EPOLL_CTL_ADD, pair[0], call_away(events));
    const int waited = epoll_pwait(set, call_away(events), 10, 0, (sigset_t *)(b + 2100));
    close(set);
    close(pair[0]);
    close(pair[1]);
    return polled * 1000 + revents + selected * 10 + waited;
}

const struct call_case calls_of_sockets[] = {
    {"sendmsg, recvmsg: parts, control data, the message", sends_and_receives_messages, NULL, true},
    {"sendmmsg, recvmmsg", sends_many_messages, NULL, false},
    {"bind, connect, accept4, getpeername", connects, NULL, true},
    {"ppoll, pselect, epoll_pwait", waits_for_descriptors, NULL, true},
    {0},
};

/* ---- what is wrong, or odd ---- */

/* What the compiler would refuse, if it saw it. */
static void *volatile nowhere = (void *)8;
static volatile int less_than_none = -1;

static int zeros(void)
{
    const int file = memfd_create("zeros", MFD_CLOEXEC);
    return ftruncate(file, CALL_BYTES) == 0 ? file : -1;
}

static long over_the_end(char *b)
{
    const int file = zeros();
    const long all = call_answer(pread(file, b + CALL_BYTES - 5000, 8000, 0));
    const long none = call_answer(pread(file, b + CALL_BYTES, 8000, 0));
    close(file);
    return all * 1000 + none;
}

static long writes_over_the_end(char *b)
{
    const int file = memfd_create("out", MFD_CLOEXEC);
    const long answer = call_answer(write(file, b + CALL_BYTES - 5000, 8000));
    close(file);
    return answer;
}

static long status_over_the_end(char *b)
{
    return call_answer(stat("/", (struct stat *)(b + CALL_BYTES - 8)));
}

static long text_without_an_end(char *b)
{
    return call_answer(access(b + CALL_BYTES - 100, F_OK));
}

static long text_that_is_too_long(char *b)
{
    return call_answer(access(b, F_OK));
}

static long vector_that_is_nowhere(char *b)
{
    const int file = zeros();
    const long answer =
        call_answer(readv(file, nowhere, 1)) * 1000 + call_answer(readv(file, (void *)b, less_than_none));
    close(file);
    return answer;
}

static long vector_that_is_too_long(char *b)
{
    static struct iovec parts[IOV_MAX + 1];
    const int file = zeros();
    for (int i = 0; i <= IOV_MAX; i++)
        parts[i] = (struct iovec){b + i, 1};
    const long answer =
        call_answer(readv(file, parts, IOV_MAX)) * 1000 + call_answer(readv(file, parts, IOV_MAX + 1));
    close(file);
    return answer;
}

static long message_that_is_nowhere(char *b)
{
    int pair[2];
    socklen_t length = 10;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    const long answer = call_answer(sendmsg(pair[0], nowhere, 0)) +
                        3 * call_answer(recvmmsg(pair[0], nowhere, 1, MSG_DONTWAIT, NULL)) +
                        5 * call_answer(getsockname(pair[0], (struct sockaddr *)b, nowhere)) +
                        7 * call_answer(getsockname(pair[0], nowhere, &length));
    close(pair[0]);
    close(pair[1]);
    return answer;
}

static long nothing_to_read(char *b)
{
    const int file = zeros();
    const long answer =
        call_answer(read(file, b, 0)) * 7 + call_answer(read(-1, b, 10)) + call_answer(readv(file, NULL, 0));
    close(file);
    return answer;
}

const struct call_case calls_at_edges[] = {
    {"pread: over the memory's end, and behind it", over_the_end, NULL, false},
    {"write: over the memory's end", writes_over_the_end, NULL, false},
    {"stat: over the memory's end", status_over_the_end, NULL,
     true}, /* how far a part comes is the system's */
    {"access: text without an end", text_without_an_end, NULL, false},
    {"access: text that is too long", text_that_is_too_long, NULL, false},
    {"readv: a vector that is nowhere, and of -1 parts", vector_that_is_nowhere, NULL, false},
    {"readv: as many parts as may be, and one more", vector_that_is_too_long, NULL, false},
    {"sendmsg, recvmmsg, getsockname: NULL and more", message_that_is_nowhere, NULL, false},
    {"read: nothing, and from nowhere", nothing_to_read, NULL, false},
    {0},
};
