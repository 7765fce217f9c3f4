/**
 * @file syscalls_read.c
 * @brief The calls by which the system reads the program's buffer. See syscalls.h.
 */
#include "syscalls.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define F syscall_files

/* What came out at the other end. */
static char received[SYSCALL_BYTES];

static bool came(int fd, long answer)
{
    memset(received, 0, sizeof received);
    for (long got = 0, part; got < answer; got += part) {
        part = read(fd, received + got, (size_t)(answer - got));
        if (part <= 0)
            return false;
    }
    return all_are(received, (size_t)answer, SYSCALL_OURS);
}

static bool pipe_has_it(const char *plain, long answer)
{
    (void)plain;
    return answer == SYSCALL_BYTES && came(F.pipe[0], answer);
}

static bool file_has_it(const char *plain, long answer)
{
    (void)plain;
    return answer == SYSCALL_BYTES && lseek(F.file, 0, SEEK_SET) == 0 && came(F.file, answer);
}

static bool stream_has_it(const char *plain, long answer)
{
    (void)plain;
    return answer == SYSCALL_BYTES && came(F.stream[1], answer);
}

static bool packet_has_it(const char *plain, long answer)
{
    (void)plain;
    return answer == SYSCALL_BYTES && came(F.packet[1], answer);
}

static long by_write(char *b)
{
    return syscall_answer(write(F.pipe[1], b, SYSCALL_BYTES));
}

static long by_write_to_a_file(char *b)
{
    return syscall_answer(write(F.file, b, SYSCALL_BYTES));
}

static long by_raw_write(char *b)
{
    return syscall_answer(syscall(SYS_write, F.pipe[1], b, (size_t)SYSCALL_BYTES));
}

static long by_pwrite(char *b)
{
    return syscall_answer(pwrite(F.file, b, SYSCALL_BYTES, 0));
}

/* The buffer in two parts, out of order in memory. */
static struct iovec *halves(char *b, struct iovec *two)
{
    two[0] = (struct iovec){b + SYSCALL_BYTES / 2, SYSCALL_BYTES / 2};
    two[1] = (struct iovec){b, SYSCALL_BYTES / 2};
    return two;
}

static long by_writev(char *b)
{
    struct iovec two[2];
    return syscall_answer(writev(F.pipe[1], halves(b, two), 2));
}

static long by_pwritev(char *b)
{
    struct iovec two[2];
    return syscall_answer(pwritev(F.file, halves(b, two), 2, 0));
}

static long by_pwritev2(char *b)
{
    struct iovec two[2];
    return syscall_answer(pwritev2(F.file, halves(b, two), 2, 0, 0));
}

static long by_send(char *b)
{
    return syscall_answer(send(F.stream[0], b, SYSCALL_BYTES, 0));
}

static long by_sendto(char *b)
{
    return syscall_answer(sendto(F.packet[0], b, SYSCALL_BYTES, 0, NULL, 0));
}

static long by_sendmsg(char *b)
{
    struct iovec two[2];
    struct msghdr message = {.msg_iov = halves(b, two), .msg_iovlen = 2};
    return syscall_answer(sendmsg(F.stream[0], &message, 0));
}

static long by_sendmmsg(char *b)
{
    struct iovec two[2];
    struct mmsghdr message = {.msg_hdr = {.msg_iov = halves(b, two), .msg_iovlen = 2}};
    const int sent = sendmmsg(F.packet[0], &message, 1, 0);
    return sent == 1 ? (long)message.msg_len : syscall_answer(sent);
}

static long by_vmsplice(char *b)
{
    struct iovec one = {b, SYSCALL_BYTES};
    return syscall_answer(vmsplice(F.pipe[1], &one, 1, 0));
}

static long by_process_vm_readv(char *b)
{
    struct iovec from = {b, SYSCALL_BYTES}, to = {received, SYSCALL_BYTES};
    return syscall_answer(process_vm_readv(getpid(), &to, 1, &from, 1, 0));
}

static bool received_it(const char *plain, long answer)
{
    (void)plain;
    return answer == SYSCALL_BYTES && all_are(received, SYSCALL_BYTES, SYSCALL_OURS);
}

/* A system without unbuffered access to this file says EINVAL, whatever the buffer is. */
static long by_direct_write(char *b)
{
    const int fd = open(F.path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    const long answer = fd < 0 ? -errno : syscall_answer(write(fd, b, SYSCALL_BYTES));
    if (fd >= 0)
        close(fd);
    return answer;
}

static long by_aio_write(char *b)
{
    struct aiocb block = {.aio_fildes = F.file, .aio_buf = b, .aio_nbytes = SYSCALL_BYTES};
    const struct aiocb *list[1] = {&block};
    if (aio_write(&block) < 0)
        return -errno;
    while (aio_error(&block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    const int error = aio_error(&block);
    return error ? -error : (long)aio_return(&block);
}

static long by_fwrite(char *b)
{
    FILE *file = fdopen(dup(F.pipe[1]), "w");
    const size_t put = fwrite(b, 1, SYSCALL_BYTES, file);
    return fclose(file) == 0 ? (long)put : -errno;
}

static void fill_a_line(char *plain)
{
    strcpy(plain, "a line");
}

static bool pipe_has_the_line(const char *plain, long answer)
{
    (void)plain;
    return answer >= 0 && read(F.pipe[0], received, 6) == 6 && memcmp(received, "a line", 6) == 0;
}

static long by_fputs(char *b)
{
    FILE *file = fdopen(dup(F.pipe[1]), "w");
    const int put = fputs(b, file);
    return fclose(file) == 0 && put >= 0 ? 0 : -errno;
}

static long by_fprintf(char *b)
{
    FILE *file = fdopen(dup(F.pipe[1]), "w");
    const int put = fprintf(file, "%s", b);
    return fclose(file) == 0 && put >= 0 ? 0 : -errno;
}

static long by_dprintf(char *b)
{
    return syscall_answer(dprintf(F.pipe[1], "%s", b));
}

static void fill_the_path(char *plain)
{
    strcpy(plain, F.path);
}

static long by_open(char *b)
{
    const int fd = open(b, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static long by_openat(char *b)
{
    const int fd = openat(AT_FDCWD, b, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static long by_fopen(char *b)
{
    FILE *file = fopen(b, "r");
    return file ? fclose(file) : -errno;
}

static long by_stat(char *b)
{
    struct stat status;
    return syscall_answer(stat(b, &status));
}

static long by_chmod(char *b)
{
    return syscall_answer(chmod(b, 0600));
}

static long by_truncate(char *b)
{
    return syscall_answer(truncate(b, SYSCALL_BYTES));
}

static void fill_a_millisecond(char *plain)
{
    *(struct timespec *)plain = (struct timespec){0, 1000000};
}

static long by_nanosleep(char *b)
{
    return syscall_answer(nanosleep((struct timespec *)b, NULL));
}

static long by_clock_nanosleep(char *b)
{
    return -clock_nanosleep(CLOCK_MONOTONIC, 0, (struct timespec *)b, NULL);
}

static void fill_a_poll(char *plain)
{
    *(struct pollfd *)plain = (struct pollfd){.fd = F.pipe[1], .events = POLLOUT};
}

static bool poll_answered(const char *plain, long answer)
{
    return answer == 1 && ((const struct pollfd *)plain)->revents == POLLOUT;
}

static long by_poll(char *b)
{
    return syscall_answer(poll((struct pollfd *)b, 1, 0));
}

static void fill_a_set(char *plain)
{
    FD_ZERO((fd_set *)plain);
    FD_SET(F.pipe[1], (fd_set *)plain);
}

static long by_select(char *b)
{
    struct timeval none = {0, 0};
    return syscall_answer(select(F.pipe[1] + 1, NULL, (fd_set *)b, NULL, &none));
}

static void fill_an_event(char *plain)
{
    *(struct epoll_event *)plain = (struct epoll_event){.events = EPOLLIN};
}

static long by_epoll_ctl(char *b)
{
    const int set = epoll_create1(EPOLL_CLOEXEC);
    const long answer = syscall_answer(epoll_ctl(set, EPOLL_CTL_ADD, F.pipe[0], (struct epoll_event *)b));
    close(set);
    return answer;
}

static void fill_one(char *plain)
{
    *(int *)plain = 1;
}

static long by_setsockopt(char *b)
{
    return syscall_answer(setsockopt(F.stream[0], SOL_SOCKET, SO_PASSCRED, b, sizeof(int)));
}

static long by_futex_wait(char *b)
{
    struct timespec at_once = {0, 1000};
    return syscall_answer(syscall(SYS_futex, b, FUTEX_WAIT_PRIVATE, 1, &at_once, NULL, 0));
}

static long by_futex_wake(char *b)
{
    return syscall_answer(syscall(SYS_futex, b, FUTEX_WAKE, 1, NULL, NULL, 0));
}

static void fill_a_name(char *plain)
{
    strcpy(plain, "umlab");
}

static long by_prctl_name(char *b)
{
    char before[16], now[16] = "";
    prctl(PR_GET_NAME, before);
    const long answer = syscall_answer(prctl(PR_SET_NAME, b));
    prctl(PR_GET_NAME, now);
    prctl(PR_SET_NAME, before);
    return answer == 0 && strcmp(now, "umlab") != 0 ? -ENODATA : answer;
}

static long by_memfd_create(char *b)
{
    const int fd = memfd_create(b, MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static void fill_all_processors(char *plain)
{
    sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)plain);
}

static long by_sched_setaffinity(char *b)
{
    return syscall_answer(sched_setaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)b));
}

static void fill_a_timer(char *plain)
{
    *(struct itimerspec *)plain = (struct itimerspec){.it_value = {1, 0}};
}

static long by_timerfd_settime(char *b)
{
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    const long answer = syscall_answer(timerfd_settime(timer, 0, (struct itimerspec *)b, NULL));
    close(timer);
    return answer;
}

static void fill_an_address(char *plain)
{
    *(struct sockaddr_un *)plain = (struct sockaddr_un){.sun_family = AF_UNIX};
}

static long by_bind(char *b)
{
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const long answer = syscall_answer(bind(s, (struct sockaddr *)b, sizeof(sa_family_t)));
    close(s);
    return answer;
}

/* The vector itself is in the buffer; what it names is not. */
static void fill_a_vector(char *plain)
{
    *(struct iovec *)plain = (struct iovec){received, 16};
}

static long by_writev_vector(char *b)
{
    memset(received, SYSCALL_OURS, 16);
    return syscall_answer(writev(F.pipe[1], (struct iovec *)b, 1));
}

static bool wrote_sixteen(const char *plain, long answer)
{
    (void)plain;
    return answer == 16 && came(F.pipe[0], 16);
}

static struct iovec sixteen = {received, 16};

static void fill_a_message(char *plain)
{
    *(struct msghdr *)plain = (struct msghdr){.msg_iov = &sixteen, .msg_iovlen = 1};
}

static long by_sendmsg_message(char *b)
{
    memset(received, SYSCALL_OURS, 16);
    return syscall_answer(sendmsg(F.stream[0], (struct msghdr *)b, 0));
}

static bool sent_sixteen(const char *plain, long answer)
{
    (void)plain;
    return answer == 16 && came(F.stream[1], 16);
}

static void fill_zero(char *plain)
{
    *(off_t *)plain = 0;
}

static long by_sendfile_offset(char *b)
{
    return syscall_answer(sendfile(F.pipe[1], F.file, (off_t *)b, 100));
}

static bool offset_went_on(const char *plain, long answer)
{
    return answer == 100 && *(const off_t *)plain == 100;
}

const struct syscall_case syscalls_that_read[] = {
    {"write", NULL, by_write, pipe_has_it, false},
    {"write: to a file", NULL, by_write_to_a_file, file_has_it, false},
    {"syscall(SYS_write)", NULL, by_raw_write, pipe_has_it, false},
    {"pwrite", NULL, by_pwrite, file_has_it, false},
    {"writev", NULL, by_writev, pipe_has_it, false},
    {"pwritev", NULL, by_pwritev, file_has_it, false},
    {"pwritev2", NULL, by_pwritev2, file_has_it, false},
    {"send", NULL, by_send, stream_has_it, false},
    {"sendto", NULL, by_sendto, packet_has_it, false},
    {"sendmsg", NULL, by_sendmsg, stream_has_it, false},
    {"sendmmsg", NULL, by_sendmmsg, packet_has_it, false},
    {"vmsplice", NULL, by_vmsplice, pipe_has_it, false},
    {"process_vm_readv", NULL, by_process_vm_readv, received_it, false},
    {"write: O_DIRECT", NULL, by_direct_write, file_has_it, false},
    {"aio_write", NULL, by_aio_write, file_has_it, false},
    {"fwrite", NULL, by_fwrite, pipe_has_it, true},
    {"fputs", fill_a_line, by_fputs, pipe_has_the_line, true},
    {"fprintf: %s", fill_a_line, by_fprintf, pipe_has_the_line, true},
    {"dprintf: %s", fill_a_line, by_dprintf, pipe_has_the_line, true},
    {"open: path", fill_the_path, by_open, NULL, false},
    {"openat: path", fill_the_path, by_openat, NULL, false},
    {"fopen: path", fill_the_path, by_fopen, NULL, false},
    {"stat: path", fill_the_path, by_stat, NULL, false},
    {"chmod: path", fill_the_path, by_chmod, NULL, false},
    {"truncate: path", fill_the_path, by_truncate, NULL, false},
    {"nanosleep", fill_a_millisecond, by_nanosleep, NULL, false},
    {"clock_nanosleep", fill_a_millisecond, by_clock_nanosleep, NULL, false},
    {"poll", fill_a_poll, by_poll, poll_answered, false},
    {"select", fill_a_set, by_select, NULL, false},
    {"epoll_ctl: event", fill_an_event, by_epoll_ctl, NULL, false},
    {"setsockopt: value", fill_one, by_setsockopt, NULL, false},
    {"syscall(SYS_futex): wait", fill_one, by_futex_wait, NULL, false},
    {"syscall(SYS_futex): wake", fill_one, by_futex_wake, NULL, false},
    {"prctl: name", fill_a_name, by_prctl_name, NULL, false},
    {"memfd_create: name", fill_a_name, by_memfd_create, NULL, false},
    {"sched_setaffinity: mask", fill_all_processors, by_sched_setaffinity, NULL, false},
    {"timerfd_settime: time", fill_a_timer, by_timerfd_settime, NULL, false},
    {"bind: address", fill_an_address, by_bind, NULL, false},
    {"writev: vector", fill_a_vector, by_writev_vector, wrote_sixteen, false},
    {"sendmsg: message", fill_a_message, by_sendmsg_message, sent_sixteen, false},
    {"sendfile: offset", fill_zero, by_sendfile_offset, offset_went_on, false},
    {0},
};
