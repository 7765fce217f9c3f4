/**
 * @file syscalls_write.c
 * @brief The calls by which the system writes into the program's buffer. See syscalls.h.
 */
#include "syscalls.h"

#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define F syscall_files

static char theirs[SYSCALL_BYTES];

/* Puts bytes into a descriptor's other end. */
static void feed(int fd)
{
    memset(theirs, SYSCALL_THEIRS, sizeof theirs);
    if (write(fd, theirs, sizeof theirs) != (ssize_t)sizeof theirs)
        perror("feeding a descriptor");
}

static bool all_theirs(const char *plain, long answer)
{
    return answer == SYSCALL_BYTES && all_are(plain, SYSCALL_BYTES, SYSCALL_THEIRS);
}

static long by_read(char *b)
{
    feed(F.pipe[1]);
    return syscall_answer(read(F.pipe[0], b, SYSCALL_BYTES));
}

static long by_read_of_a_file(char *b)
{
    return syscall_answer(read(F.file, b, SYSCALL_BYTES));
}

static long by_raw_read(char *b)
{
    return syscall_answer(syscall(SYS_read, F.file, b, (size_t)SYSCALL_BYTES));
}

ssize_t checked_read(int fd, void *buffer, size_t bytes, size_t capacity) __asm__("__read_chk");

static long by_checked_read(char *b)
{
    return syscall_answer(checked_read(F.file, b, SYSCALL_BYTES, SYSCALL_BYTES));
}

static long by_pread(char *b)
{
    return syscall_answer(pread(F.file, b, SYSCALL_BYTES, 0));
}

static struct iovec *halves(char *b, struct iovec *two)
{
    two[0] = (struct iovec){b + SYSCALL_BYTES / 2, SYSCALL_BYTES / 2};
    two[1] = (struct iovec){b, SYSCALL_BYTES / 2};
    return two;
}

static long by_readv(char *b)
{
    struct iovec two[2];
    return syscall_answer(readv(F.file, halves(b, two), 2));
}

static long by_preadv(char *b)
{
    struct iovec two[2];
    return syscall_answer(preadv(F.file, halves(b, two), 2, 0));
}

static long by_preadv2(char *b)
{
    struct iovec two[2];
    return syscall_answer(preadv2(F.file, halves(b, two), 2, 0, 0));
}

static long by_recv(char *b)
{
    feed(F.stream[1]);
    return syscall_answer(recv(F.stream[0], b, SYSCALL_BYTES, 0));
}

static long by_recv_peeking(char *b)
{
    feed(F.stream[1]);
    return syscall_answer(recv(F.stream[0], b, SYSCALL_BYTES, MSG_PEEK));
}

static long by_recvfrom(char *b)
{
    feed(F.packet[1]);
    return syscall_answer(recvfrom(F.packet[0], b, SYSCALL_BYTES, 0, NULL, NULL));
}

static long by_recvmsg(char *b)
{
    struct iovec two[2];
    struct msghdr message = {.msg_iov = halves(b, two), .msg_iovlen = 2};
    feed(F.stream[1]);
    return syscall_answer(recvmsg(F.stream[0], &message, 0));
}

static long by_recvmmsg(char *b)
{
    struct iovec two[2];
    struct mmsghdr message = {.msg_hdr = {.msg_iov = halves(b, two), .msg_iovlen = 2}};
    feed(F.packet[1]);
    const int got = recvmmsg(F.packet[0], &message, 1, 0, NULL);
    return got == 1 ? (long)message.msg_len : syscall_answer(got);
}

static long by_process_vm_writev(char *b)
{
    struct iovec from = {theirs, SYSCALL_BYTES}, to = {b, SYSCALL_BYTES};
    memset(theirs, SYSCALL_THEIRS, sizeof theirs);
    return syscall_answer(process_vm_writev(getpid(), &from, 1, &to, 1, 0));
}

static long by_direct_read(char *b)
{
    const int fd = open(F.path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    const long answer = fd < 0 ? -errno : syscall_answer(read(fd, b, SYSCALL_BYTES));
    if (fd >= 0)
        close(fd);
    return answer;
}

static long by_aio_read(char *b)
{
    struct aiocb block = {.aio_fildes = F.file, .aio_buf = b, .aio_nbytes = SYSCALL_BYTES};
    const struct aiocb *list[1] = {&block};
    if (aio_read(&block) < 0)
        return -errno;
    while (aio_error(&block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    const int error = aio_error(&block);
    return error ? -error : (long)aio_return(&block);
}

static long by_fread(char *b)
{
    FILE *file = fopen(F.path, "r");
    const size_t got = fread(b, 1, SYSCALL_BYTES, file);
    fclose(file);
    return (long)got;
}

/* Larger than what the stream holds: the rest is read straight into the buffer. */
static long by_fread_after_a_byte(char *b)
{
    FILE *file = fopen(F.path, "r");
    b[0] = (char)fgetc(file);
    const size_t got = fread(b + 1, 1, SYSCALL_BYTES - 1, file);
    fclose(file);
    return (long)got + 1;
}

static bool a_line_of_theirs(const char *plain, long answer)
{
    return answer == 0 && all_are(plain, 99, SYSCALL_THEIRS) && plain[99] == '\0';
}

static long by_fgets(char *b)
{
    FILE *file = fopen(F.path, "r");
    const char *got = fgets(b, 100, file);
    fclose(file);
    return got ? 0 : -errno;
}

static long by_setvbuf(char *b)
{
    FILE *file = fopen(F.path, "r");
    setvbuf(file, b, _IOFBF, SYSCALL_BYTES);
    const int c = fgetc(file);
    fclose(file);
    return c == SYSCALL_THEIRS ? SYSCALL_BYTES : -errno;
}

static long by_getrandom(char *b)
{
    return syscall_answer(getrandom(b, 256, 0));
}

static bool changed(const char *plain, long answer)
{
    return answer >= 0 && !all_are(plain, 16, SYSCALL_OURS);
}

static long by_stat(char *b)
{
    return syscall_answer(stat("/", (struct stat *)b));
}

static long by_fstat(char *b)
{
    return syscall_answer(fstat(F.file, (struct stat *)b));
}

static bool size_of_the_file(const char *plain, long answer)
{
    return answer == 0 && ((const struct stat *)plain)->st_size == SYSCALL_BYTES;
}

static long by_statx(char *b)
{
    return syscall_answer(statx(F.file, "", AT_EMPTY_PATH, STATX_SIZE, (struct statx *)b));
}

static long by_statfs(char *b)
{
    return syscall_answer(statfs("/", (struct statfs *)b));
}

static long by_getcwd(char *b)
{
    return getcwd(b, SYSCALL_BYTES) ? 0 : -errno;
}

static long by_readlink(char *b)
{
    return syscall_answer(readlink("/proc/self/exe", b, SYSCALL_BYTES) > 0 ? 0 : -1);
}

static long by_getdents(char *b)
{
    const int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const long got = syscall_answer(syscall(SYS_getdents64, fd, b, (size_t)SYSCALL_BYTES));
    close(fd);
    return got > 0 ? 0 : got;
}

static long by_clock_gettime(char *b)
{
    return syscall_answer(clock_gettime(CLOCK_REALTIME, (struct timespec *)b));
}

static long by_raw_clock_gettime(char *b)
{
    return syscall_answer(syscall(SYS_clock_gettime, CLOCK_REALTIME, b));
}

static long by_gettimeofday(char *b)
{
    return syscall_answer(gettimeofday((struct timeval *)b, NULL));
}

static long by_uname(char *b)
{
    return syscall_answer(uname((struct utsname *)b));
}

static long by_sysinfo(char *b)
{
    return syscall_answer(sysinfo((struct sysinfo *)b));
}

static long by_getrusage(char *b)
{
    return syscall_answer(getrusage(RUSAGE_SELF, (struct rusage *)b));
}

static long by_getrlimit(char *b)
{
    return syscall_answer(getrlimit(RLIMIT_STACK, (struct rlimit *)b));
}

static long by_times(char *b)
{
    return times((struct tms *)b) == (clock_t)-1 ? -errno : 0;
}

static long by_pipe(char *b)
{
    return syscall_answer(pipe2((int *)b, O_CLOEXEC));
}

static bool two_descriptors(const char *plain, long answer)
{
    const int *ends = (const int *)plain;
    return answer == 0 && close(ends[0]) == 0 && close(ends[1]) == 0;
}

static long by_socketpair(char *b)
{
    return syscall_answer(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, (int *)b));
}

static void fill_a_length(char *plain)
{
    *(socklen_t *)plain = 128;
}

static long by_getsockname(char *b)
{
    return syscall_answer(getsockname(F.stream[0], (struct sockaddr *)(b + 64), (socklen_t *)b));
}

static long by_getsockopt(char *b)
{
    return syscall_answer(getsockopt(F.stream[0], SOL_SOCKET, SO_TYPE, b + 64, (socklen_t *)b));
}

static long by_waitpid(char *b)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(7);
    const long answer = syscall_answer(waitpid(child, (int *)b, 0));
    if (answer == -EFAULT)
        waitpid(child, NULL, 0);
    return answer < 0 ? answer : 0;
}

static bool seven(const char *plain, long answer)
{
    const int status = *(const int *)plain;
    return answer == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

static long by_sched_getaffinity(char *b)
{
    return syscall_answer(sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)b));
}

static long by_sigpending(char *b)
{
    return syscall_answer(sigpending((sigset_t *)b));
}

static long by_old_mask(char *b)
{
    return -pthread_sigmask(SIG_BLOCK, NULL, (sigset_t *)b);
}

static long by_old_action(char *b)
{
    return syscall_answer(sigaction(SIGUSR2, NULL, (struct sigaction *)b));
}

static long by_getitimer(char *b)
{
    return syscall_answer(getitimer(ITIMER_REAL, (struct itimerval *)b));
}

static long by_epoll_wait(char *b)
{
    const int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLOUT, .data.u64 = 77};
    epoll_ctl(set, EPOLL_CTL_ADD, F.pipe[1], &event);
    const long answer = syscall_answer(epoll_wait(set, (struct epoll_event *)b, 1, 0));
    close(set);
    return answer;
}

static bool event_77(const char *plain, long answer)
{
    return answer == 1 && ((const struct epoll_event *)plain)->data.u64 == 77;
}

static long by_ioctl(char *b)
{
    feed(F.pipe[1]);
    return syscall_answer(ioctl(F.pipe[0], FIONREAD, (int *)b));
}

static bool as_many_bytes(const char *plain, long answer)
{
    return answer == 0 && *(const int *)plain == SYSCALL_BYTES;
}

static long by_mincore(char *b)
{
    static char page[8192] __attribute__((aligned(16384)));
    return syscall_answer(mincore(page, sizeof page, (unsigned char *)b));
}

/* These are about the buffer's own pages. */
static long by_mlock(char *b)
{
    return syscall_answer(mlock(b, 4096));
}

static long by_madvise(char *b)
{
    return syscall_answer(madvise(b, 4096, MADV_WILLNEED));
}

static long by_madvise_core(char *b)
{
    return syscall_answer(madvise(b, 4096, MADV_DONTDUMP));
}

static long by_msync(char *b)
{
    return syscall_answer(msync(b, 4096, MS_SYNC));
}

const struct syscall_case syscalls_that_write[] = {
    {"read", NULL, by_read, all_theirs, false},
    {"read: a file", NULL, by_read_of_a_file, all_theirs, false},
    {"syscall(SYS_read)", NULL, by_raw_read, all_theirs, false},
    {"__read_chk", NULL, by_checked_read, all_theirs, false},
    {"pread", NULL, by_pread, all_theirs, false},
    {"readv", NULL, by_readv, all_theirs, false},
    {"preadv", NULL, by_preadv, all_theirs, false},
    {"preadv2", NULL, by_preadv2, all_theirs, false},
    {"recv", NULL, by_recv, all_theirs, false},
    {"recv: MSG_PEEK", NULL, by_recv_peeking, all_theirs, false},
    {"recvfrom", NULL, by_recvfrom, all_theirs, false},
    {"recvmsg", NULL, by_recvmsg, all_theirs, false},
    {"recvmmsg", NULL, by_recvmmsg, all_theirs, false},
    {"process_vm_writev", NULL, by_process_vm_writev, all_theirs, false},
    {"read: O_DIRECT", NULL, by_direct_read, all_theirs, false},
    {"aio_read", NULL, by_aio_read, all_theirs, false},
    {"fread", NULL, by_fread, all_theirs, true},
    {"fread: after fgetc", NULL, by_fread_after_a_byte, all_theirs, true},
    {"fgets", NULL, by_fgets, a_line_of_theirs, true},
    {"setvbuf", NULL, by_setvbuf, all_theirs, true},
    {"getrandom", NULL, by_getrandom, changed, false},
    {"stat", NULL, by_stat, changed, false},
    {"fstat", NULL, by_fstat, size_of_the_file, false},
    {"statx", NULL, by_statx, changed, false},
    {"statfs", NULL, by_statfs, changed, false},
    {"getcwd", NULL, by_getcwd, changed, false},
    {"readlink", NULL, by_readlink, changed, false},
    {"syscall(SYS_getdents64)", NULL, by_getdents, changed, false},
    {"clock_gettime", NULL, by_clock_gettime, changed, true},
    {"syscall(SYS_clock_gettime)", NULL, by_raw_clock_gettime, changed, false},
    {"gettimeofday", NULL, by_gettimeofday, changed, true},
    {"newuname", NULL, by_uname, changed, false},
    {"sysinfo", NULL, by_sysinfo, changed, false},
    {"getrusage", NULL, by_getrusage, changed, false},
    {"getrlimit", NULL, by_getrlimit, changed, false},
    {"times", NULL, by_times, changed, true},
    {"pipe2", NULL, by_pipe, two_descriptors, false},
    {"socketpair", NULL, by_socketpair, two_descriptors, false},
    {"getsockname: address, length", fill_a_length, by_getsockname, NULL, false},
    {"getsockopt: value, length", fill_a_length, by_getsockopt, NULL, false},
    {"waitpid: status", NULL, by_waitpid, seven, false},
    {"sched_getaffinity", NULL, by_sched_getaffinity, NULL, false},
    {"sigpending", NULL, by_sigpending, changed, false},
    {"pthread_sigmask: old mask", NULL, by_old_mask, changed, true},
    {"sigaction: old action", NULL, by_old_action, changed, true},
    {"getitimer", NULL, by_getitimer, changed, false},
    {"epoll_wait", NULL, by_epoll_wait, event_77, false},
    {"ioctl: FIONREAD", NULL, by_ioctl, as_many_bytes, false},
    {"mincore: vector", NULL, by_mincore, NULL, false},
    {"mlock: its own pages", NULL, by_mlock, NULL, false},
    {"madvise: its own pages, MADV_WILLNEED", NULL, by_madvise, NULL, false},
    {"madvise: its own pages, MADV_DONTDUMP", NULL, by_madvise_core, NULL, false},
    {"msync: its own pages", NULL, by_msync, NULL, false},
    {0},
};
