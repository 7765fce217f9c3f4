/**
 * @file calls_odd.c
 * @brief Odd calls that are legal: parts that overlap or reach too far, nothing and NULL, calls that a signal
 * or a cancellation ends. See calls.h.
 */
#include "calls.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

/* What the compiler would refuse, if it saw it. */
static void *volatile nowhere;
static volatile int less_than_none = -1;
static volatile size_t three_gib = (size_t)3 << 30, all_there_is = LONG_MAX, too_much = SIZE_MAX;

/* A file of numbers that differ, as long as the buffer. */
static int numbers(void)
{
    static char bytes[CALL_BYTES];
    const int file = memfd_create("numbers", MFD_CLOEXEC);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 13 + i / 251);
    return pwrite(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes ? file : -1;
}

/* ---- vectors in the buffer that point into it ---- */

static long vectors_in_their_own_memory(char *b)
{
    struct iovec *parts = (struct iovec *)(b + CALL_UNIT - 24); /* in two units */
    const int file = numbers(), out = memfd_create("out", MFD_CLOEXEC);
    parts[0] = (struct iovec){b, 3000};
    parts[1] = (struct iovec){NULL, 0};
    parts[2] = (struct iovec){b + 2 * CALL_UNIT - 100, 5000};
    const long got = call_answer(readv(file, call_away(parts), 3));
    const long put = call_answer(writev(out, call_away(parts), 3));
    parts[3] = (struct iovec){b + 2 * CALL_UNIT + 9000, 8000};
    const long own = call_answer(process_vm_readv(getpid(), call_away(parts + 3), 1, parts, 3, 0));
    memset(parts, 0, 4 * sizeof *parts); /* addresses, which differ */
    close(file);
    close(out);
    return got * 7 + put * 11 + own;
}

/* The call reads the vector before it writes over it. */
static long a_vector_that_is_read_over(char *b)
{
    struct iovec *parts = (struct iovec *)(b + 4096);
    const int file = numbers();
    parts[0] = (struct iovec){b + 4096, 2 * sizeof *parts};
    parts[1] = (struct iovec){b + 8192, 4096};
    const long got = call_answer(readv(file, call_away(parts), 2));
    close(file);
    return got;
}

static long parts_that_overlap(char *b)
{
    const int file = numbers();
    const struct iovec parts[] = {{b, 6000}, {b + 3000, 6000}, {b + 1, 10}};
    const long got = call_answer(preadv(file, parts, 3, 0));
    fd_set *set = (fd_set *)(b + CALL_UNIT);
    FD_ZERO(set);
    FD_SET(file, set);
    const long ready = call_answer(select(file + 1, call_away(set), set, NULL, &(struct timeval){0, 0}));
    FD_ZERO(set);
    close(file);
    return got * 10 + ready;
}

/* ---- what reaches too far ---- */

static long parts_over_the_end(char *b)
{
    const int file = numbers(), out = memfd_create("out", MFD_CLOEXEC);
    char *end = b + CALL_BYTES;
    const struct iovec parts[] = {{b, 100}, {end - 5000, 9000}, {b + 200, 100}};
    const long got = call_answer(readv(file, parts, 3));
    const long put = call_answer(writev(out, parts, 3));
    const long bad_first = call_answer(readv(file, (struct iovec[]){{end, 10}, {b, 10}}, 2));
    close(file);
    close(out);
    return got * 1000 + put * 100 + bad_first;
}

static long messages_over_the_end(char *b)
{
    int pair[2];
    char *end = b + CALL_BYTES;
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    const long put = call_answer(send(pair[0], end - 100, 200, 0));
    const long good = call_answer(send(pair[0], call_away(end - 100), 100, 0));
    const long got = call_answer(recv(pair[1], call_away(end - 50), 100, MSG_DONTWAIT));
    const long random = call_answer(getrandom(end, 100, 0));
    const long folder = getcwd(end, 100) ? 1 : -errno;
    close(pair[0]);
    close(pair[1]);
    return put * 1000 + good * 100 + got * 10 + random + folder;
}

/* More than 2 GiB is asked for; the memory ends much earlier. */
static long lengths_beyond_the_memory(char *b)
{
    const int file = numbers(), out = memfd_create("out", MFD_CLOEXEC);
    const long got = call_answer(pread(file, b, three_gib, 0));
    const long put = call_answer(pwrite(out, call_away(b + CALL_BYTES - 5000), three_gib, 0));
    const long most = call_answer(pread(file, b, all_there_is, 0));
    const long more = call_answer(write(out, b, too_much));
    const struct iovec parts[] = {{b, three_gib}, {b + 100, three_gib}}, wrong[] = {{b, too_much}, {b, 1}};
    const long vector = call_answer(preadv(file, parts, 2, 100));
    const long refused = call_answer(preadv(file, wrong, 2, 0));
    const long sent = call_answer(sendto(file, b, 10, 0, (struct sockaddr *)b, (socklen_t)-1));
    close(file);
    close(out);
    return got + put * 3 + most * 5 + more * 7 + vector * 11 + refused * 13 + sent * 17;
}

/* Good memory first, then a device pointer; and device pointers where structures and texts are wanted. */
static long device_pointers(char *b)
{
    void *device;
    int pair[2];
    const int file = numbers();
    if (cudaMalloc(&device, 65536) != cudaSuccess ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return 0;
    const struct iovec parts[] = {{b, 100}, {device, 100}, {b + 200, 100}};
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = 3, .msg_name = device};
    const long got = call_answer(readv(file, parts, 3));
    const long put = call_answer(writev(pair[0], call_away((void *)parts), 3));
    const long vector = call_answer(readv(file, device, 1));
    const long sent = call_answer(sendmsg(pair[0], device, 0));
    const long came = call_answer(recvmsg(pair[1], &message, MSG_DONTWAIT));
    const long path = call_answer(open(device, O_RDONLY));
    const long status = call_answer(stat("/", device));
    const long name = call_answer(getsockname(pair[0], (struct sockaddr *)call_away(b), device));
    const long slept = call_answer(nanosleep(device, NULL));
    const long polled = call_answer(poll(device, 1, 0));
    const long spawned = posix_spawn(&(pid_t){0}, device, NULL, NULL, (char *[]){b, NULL}, NULL);
    cudaFree(device);
    close(pair[0]);
    close(pair[1]);
    close(file);
    return got + 3 * put + 5 * vector + 7 * sent + 11 * came + 13 * path + 17 * status + 19 * name +
           23 * slept + 29 * polled + 31 * spawned;
}

/* ---- nothing ---- */

static long nothing_and_null(char *b)
{
    const int file = numbers();
    int pair[2];
    char *made = getcwd(NULL, 0);
    if (!made || socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    free(made);
    long sum = call_answer(read(file, nowhere, 0)) + 2 * call_answer(read(file, nowhere, 10));
    sum = sum * 3 + call_answer(write(file, b, 0));
    sum = sum * 3 + call_answer(sendto(pair[0], call_away(b), 20, 0, NULL, 0));
    sum = sum * 3 + call_answer(recvfrom(pair[1], b + 100, 30, 0, NULL, (socklen_t *)(b + 200)));
    sum = sum * 3 + call_answer(sendto(pair[0], b, 0, 0, nowhere, 0));
    sum = sum * 3 + call_answer(recv(pair[1], b, 0, MSG_DONTWAIT));
    sum = sum * 3 + call_answer(poll((struct pollfd *)b, 0, 0));
    sum = sum * 3 + call_answer(select(0, (fd_set *)b, NULL, NULL, &(struct timeval){0, 0}));
    sum = sum * 3 + call_answer(readv(file, (struct iovec[]){{b, 0}, {nowhere, 0}}, 2));
    sum = sum * 3 + call_answer(gettimeofday(nowhere, NULL));
    sum = sum * 3 + call_answer(nanosleep(nowhere, (struct timespec *)b));
    sum = sum * 3 + call_answer(readlink("/proc/self/exe", b, 0));
    sum = sum * 3 + call_answer(stat("/", nowhere));
    sum = sum * 3 + call_answer(access("", F_OK)) + call_answer(open(nowhere, O_RDONLY));
    const int set = epoll_create1(EPOLL_CLOEXEC);
    sum = sum * 3 + call_answer(epoll_wait(set, (struct epoll_event *)b, 0, 0));
    sum = sum * 3 + call_answer(epoll_wait(set, (struct epoll_event *)b, less_than_none, 0));
    sum = sum * 3 + call_answer(mincore((void *)b, 0, nowhere));
    close(set);
    close(file);
    close(pair[0]);
    close(pair[1]);
    return sum;
}

/* ---- a control block in the buffer ---- */

/* The C library's own thread writes into it, with every signal blocked. */
static long blocks_of_asynchronous_calls(char *b)
{
    struct aiocb *block = (struct aiocb *)b, *other = (struct aiocb *)(b + CALL_UNIT);
    const struct aiocb *both[] = {block, other}, *last[] = {other};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    *block = (struct aiocb){.aio_fildes = ends[0], .aio_buf = b + 1000, .aio_nbytes = 100};
    *other = (struct aiocb){.aio_fildes = ends[0], .aio_buf = b + 2000, .aio_nbytes = 5};
    long sum = call_answer(aio_read(block));
    sum = sum * 3 + call_answer(aio_read(call_away(other)));
    sum = sum * 3 + call_answer(aio_suspend(both, 2, &(struct timespec){0, 1000000}));
    call_away(b);
    sum = sum * 3 + call_answer(write(ends[1], "first", 5));
    sum = sum * 3 + call_answer(aio_suspend(both, 2, NULL));
    while (aio_error(block) == EINPROGRESS)
        usleep(100);
    sum = sum * 3 + call_answer(aio_return(block));
    sum = sum * 3 + (block->aio_buf == b + 1000);
    sum = sum * 3 + call_answer(write(ends[1], "then", 5));
    sum = sum * 3 + call_answer(aio_suspend(call_away(last), 1, NULL));
    sum = sum * 3 + aio_error(other) + call_answer(aio_return(other)) + (other->aio_buf == b + 2000);
    sum = sum * 3 + call_answer(aio_cancel(ends[0], call_away(other)));
    memset(block, 0, sizeof *block), memset(other, 0, sizeof *other); /* addresses, which differ */
    close(ends[0]);
    close(ends[1]);
    return sum;
}

/* ---- what ends a call early ---- */

static char *touched;
static int write_end;

static void touches(int number)
{
    (void)number;
    touched[0]++;
    touched[CALL_UNIT - 1] = touched[1];
    if (write_end >= 0)
        touched[2] = (char)('0' + write(write_end, touched, 100)); /* a call of its own, on the same page */
}

static void alarm_soon(char *b, int end, int flags)
{
    struct sigaction action = {.sa_handler = touches, .sa_flags = flags};
    touched = b, write_end = end;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
}

static long a_handler_on_the_same_page(char *b)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    alarm_soon(b, -1, 0);
    const long interrupted = call_answer(read(ends[0], call_away(b), 1000));
    alarm_soon(b, ends[1], SA_RESTART);
    const long restarted = call_answer(read(ends[0], call_away(b + 50), 1000));
    alarm_soon(b, -1, 0);
    struct timespec *left = (struct timespec *)(b + CALL_UNIT);
    *left = (struct timespec){5, 0};
    const long slept = call_answer(nanosleep(call_away(left), left));
    const bool most = left->tv_sec == 4;
    memset(left, 0, sizeof *left);
    signal(SIGALRM, SIG_DFL);
    close(ends[0]);
    close(ends[1]);
    return interrupted * 10000 + restarted * 10 + slept + most;
}

static int quiet_pipe[2];

static void *reads_for_ever(void *b)
{
    return (void *)read(quiet_pipe[0], call_away(b), 1000);
}

static long a_call_that_is_cancelled(char *b)
{
    pthread_t thread;
    void *answer = NULL;
    if (pipe2(quiet_pipe, O_CLOEXEC) != 0 || pthread_create(&thread, NULL, reads_for_ever, b) != 0)
        return -errno;
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, &answer);
    close(quiet_pipe[0]);
    close(quiet_pipe[1]);
    return answer == PTHREAD_CANCELED;
}

static long a_child_of_vfork(char *b)
{
    int status = -1;
    char **list = (char **)(b + CALL_UNIT);
    strcpy(b, "/bin/sh");
    strcpy(b + 100, "-c");
    strcpy(b + 2 * CALL_UNIT - 3, "exit 9");
    memcpy(list, (char *[]){b, b + 100, b + 2 * CALL_UNIT - 3, NULL}, 4 * sizeof *list);
    call_away(b);
    const pid_t child = vfork();
    if (child == 0) {
        execve(b, list, list + 3);
        _exit(1);
    }
    waitpid(child, &status, 0);
    memset(list, 0, 4 * sizeof *list);
    return WEXITSTATUS(status);
}

const struct call_case calls_that_are_odd[] = {
    {"readv, writev, process_vm_readv: vectors in their own memory", vectors_in_their_own_memory, NULL,
     false},
    {"readv: over the vector itself", a_vector_that_is_read_over, NULL, false},
    {"preadv, select: parts that overlap", parts_that_overlap, NULL, false},
    {"readv, writev: parts over the memory's end", parts_over_the_end, NULL, false},
    {"send, recv, getrandom, getcwd: over the memory's end", messages_over_the_end, NULL, false},
    {"read, write, sendto: lengths beyond 2 GiB", lengths_beyond_the_memory, NULL, false},
    {"device pointers beside the buffer", device_pointers, NULL, false},
    {"nothing, and NULL", nothing_and_null, NULL, false},
    {"read, nanosleep: a handler on the same page", a_handler_on_the_same_page, NULL, false},
    {"read: cancelled", a_call_that_is_cancelled, NULL, false},
    {"execve: in a child of vfork()", a_child_of_vfork, NULL, false},
    {0},
};

/* A graded program gets EFAULT here, as in calls_files.c. */
const struct call_case calls_with_control_blocks[] = {
    {"aio_read, aio_suspend: control blocks", blocks_of_asynchronous_calls, NULL, false},
    {0},
};
