/**
 * @file rings.c
 * @brief io_uring on managed memory: served where it is entered by syscall(), and refused, never wrong, where
 * nobody can step in between.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "moves.h"

#define BYTES (64 * KiB)

static struct {
    int fd;
    struct io_uring_params made;
    char *shared;
    struct io_uring_sqe *entries;
} ring;

typedef long (*enter)(int fd, unsigned count, unsigned wanted, unsigned flags);

static long by_syscall(int fd, unsigned count, unsigned wanted, unsigned flags)
{
    return syscall(SYS_io_uring_enter, fd, count, wanted, flags, NULL, 0);
}

/* As liburing does. */
static long by_assembly(int fd, unsigned count, unsigned wanted, unsigned flags)
{
#ifdef __x86_64__
    long result;
    register long r10 __asm__("r10") = flags, r8 __asm__("r8") = 0, r9 __asm__("r9") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_io_uring_enter), "D"((long)fd), "S"((long)count), "d"((long)wanted),
                       "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = SYS_io_uring_enter, x0 __asm__("x0") = fd, x1 __asm__("x1") = count,
                     x2 __asm__("x2") = wanted, x3 __asm__("x3") = flags, x4 __asm__("x4") = 0,
                     x5 __asm__("x5") = 0;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    const long result = x0;
#endif
    return result;
}

static size_t shared_bytes(void)
{
    return ring.made.cq_off.cqes + ring.made.cq_entries * sizeof(struct io_uring_cqe);
}

static void make_ring(struct io_uring_params *made)
{
    ring.fd = (int)syscall(SYS_io_uring_setup, 8, made);
    if (ring.fd < 0)
        UM_SKIP("no io_uring here: %s", strerror(errno));
    ring.made = *made;
    ring.entries = mmap(NULL, made->sq_entries * sizeof *ring.entries, PROT_READ | PROT_WRITE, MAP_SHARED,
                        ring.fd, IORING_OFF_SQES);
    ring.shared = mmap(NULL, shared_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
    CU_ASSERT_FATAL(ring.shared != MAP_FAILED && (void *)ring.entries != MAP_FAILED);
}

static void need_a_ring(void)
{
    struct io_uring_params made = {0};
    if (!ring.shared)
        make_ring(&made);
}

/* All but its number. */
static void unmap_ring(void)
{
    munmap(ring.entries, ring.made.sq_entries * sizeof *ring.entries);
    munmap(ring.shared, shared_bytes());
    ring.shared = NULL;
}

static unsigned *word(unsigned offset)
{
    return (unsigned *)(ring.shared + offset);
}

/* Puts an entry into the queue. */
static void queue_up(struct io_uring_sqe entry)
{
    const unsigned tail = *word(ring.made.sq_off.tail), place = tail & *word(ring.made.sq_off.ring_mask);

    ring.entries[place] = entry;
    word(ring.made.sq_off.array)[place] = place;
    __atomic_store_n(word(ring.made.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
}

/* The next result, of which there has to be one. */
static long next_result(uint64_t *data)
{
    unsigned *head = word(ring.made.cq_off.head);
    const struct io_uring_cqe *answers = (const struct io_uring_cqe *)(ring.shared + ring.made.cq_off.cqes);

    CU_ASSERT_NOT_EQUAL_FATAL(*head, __atomic_load_n(word(ring.made.cq_off.tail), __ATOMIC_ACQUIRE));
    const struct io_uring_cqe *answer = &answers[*head & *word(ring.made.cq_off.ring_mask)];
    const long result = answer->res;
    if (data)
        *data = answer->user_data;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return result;
}

/* One operation, from queue to answer. */
static long operate_entry(enter how, struct io_uring_sqe entry)
{
    const unsigned place = *word(ring.made.sq_off.tail) & *word(ring.made.sq_off.ring_mask);

    queue_up(entry);
    /* A kernel that looks by itself may sleep by now. */
    const unsigned wakes = ring.made.flags & IORING_SETUP_SQPOLL ? IORING_ENTER_SQ_WAKEUP : 0;
    UM_EQUAL(how(ring.fd, 1, 1, IORING_ENTER_GETEVENTS | wakes), 1);
    CU_ASSERT_EQUAL(ring.entries[place].addr, entry.addr);
    CU_ASSERT_EQUAL(ring.entries[place].off, entry.off);
    return next_result(NULL);
}

static struct io_uring_sqe entry_for(int opcode, int file, const void *p, unsigned length)
{
    return (struct io_uring_sqe){
        .opcode = (unsigned char)opcode, .fd = file, .addr = (uintptr_t)p, .len = length};
}

static long operate(enter how, int opcode, int file, const void *p, unsigned length)
{
    return operate_entry(how, entry_for(opcode, file, p, length));
}

/* A file of bytes that differ. */
static int some_file(char *bytes)
{
    const int file = memfd_create("some", MFD_CLOEXEC);

    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (char)(i * 7 + i / 256);
    CU_ASSERT_EQUAL(pwrite(file, bytes, BYTES, 0), (ssize_t)BYTES);
    return file;
}

static void to_the_device(char *p)
{
    prefetch(p, BYTES, 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static char wanted[BYTES], seen[BYTES];

static void a_ring_that_is_entered_by_syscall_is_served(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted);
    const struct iovec halves[] = {{p + BYTES / 2, BYTES / 2}, {p, BYTES / 2}};

    to_the_device(p);
    MOVES(0, BYTES, 1, 0, UM_EQUAL(operate(by_syscall, IORING_OP_READ, file, p, BYTES), BYTES));
    CU_ASSERT_EQUAL(memcmp(p, wanted, BYTES), 0);
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_WRITEV, file, halves, 2), BYTES);
    CU_ASSERT_EQUAL(pread(file, seen, BYTES, 0), (ssize_t)BYTES);
    CU_ASSERT_EQUAL(memcmp(seen, wanted + BYTES / 2, BYTES / 2), 0);
    CU_ASSERT_EQUAL(memcmp(seen + BYTES / 2, wanted, BYTES / 2), 0);
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_READV, file, halves, 2), BYTES);
    CU_ASSERT_EQUAL(memcmp(p, wanted, BYTES), 0);
    UM_EQUAL(operate(by_syscall, IORING_OP_READ, file, (void *)8, 10), -EFAULT);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* What other operations read and write, and paths: the answers of ordinary memory. */
static void paths_messages_and_times_are_served(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    struct statx *about = (struct statx *)(p + 4096);
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);

    strcpy(p, "/proc/self/exe");
    to_the_device(p);
    const long file = operate_entry(by_syscall, (struct io_uring_sqe){.opcode = IORING_OP_OPENAT,
                                                                      .fd = AT_FDCWD,
                                                                      .addr = (uintptr_t)p,
                                                                      .open_flags = O_RDONLY});
    CU_ASSERT(file >= 0);
    close((int)file);
    to_the_device(p);
    UM_EQUAL(operate_entry(by_syscall, (struct io_uring_sqe){.opcode = IORING_OP_STATX,
                                                             .fd = AT_FDCWD,
                                                             .addr = (uintptr_t)p,
                                                             .len = STATX_BASIC_STATS,
                                                             .off = (uintptr_t)about}),
             0);
    CU_ASSERT((about->stx_mask & STATX_SIZE) && about->stx_size > 0);
    struct iovec *part = (struct iovec *)(p + 8192);
    struct msghdr *message = (struct msghdr *)(p + 12288);
    *part = (struct iovec){p, 14};
    *message = (struct msghdr){.msg_iov = part, .msg_iovlen = 1};
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_SENDMSG, ends[0], message, 1), 14);
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_SEND, ends[0], p, 5), 5);
    to_the_device(p);
    struct io_uring_sqe receive = entry_for(IORING_OP_RECV, ends[1], p + 20000, 100);
    receive.msg_flags = MSG_DONTWAIT;
    UM_EQUAL(operate_entry(by_syscall, receive), 19);
    CU_ASSERT_EQUAL(memcmp(p + 20000, "/proc/self/exe/proc", 19), 0);
    struct __kernel_timespec *soon = (struct __kernel_timespec *)(p + 16384);
    *soon = (struct __kernel_timespec){0, 1000};
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_TIMEOUT, -1, soon, 1), -ETIME);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* The kernel keeps what it was given when the call has returned: for operations that wait, for the next in a
 * chain, for threads of its own. */
static void operations_that_end_later_are_served(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted);
    const struct iovec halves[] = {{p + BYTES / 2, BYTES / 2}, {p, BYTES / 2}};
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);

    to_the_device(p);
    struct io_uring_sqe first = entry_for(IORING_OP_READV, file, halves, 2),
                        second = entry_for(IORING_OP_WRITEV, file, halves, 2),
                        third = entry_for(IORING_OP_READ, ends[0], p, 1000);
    first.flags = IOSQE_IO_LINK | IOSQE_ASYNC, second.flags = IOSQE_ASYNC;
    first.user_data = 1, second.user_data = 2, third.user_data = 4, second.off = BYTES;
    queue_up(first), queue_up(second);
    UM_EQUAL(by_syscall(ring.fd, 2, 2, IORING_ENTER_GETEVENTS), 2);
    for (int i = 0; i < 2; i++)
        UM_EQUAL(next_result(NULL), BYTES);
    CU_ASSERT_EQUAL(pread(file, seen, BYTES, BYTES), (ssize_t)BYTES);
    CU_ASSERT_EQUAL(memcmp(seen, wanted, BYTES), 0);
    to_the_device(p);
    queue_up(third);
    UM_EQUAL(by_syscall(ring.fd, 1, 0, 0), 1);
    to_the_device(p);
    CU_ASSERT_EQUAL(write(ends[1], "late", 4), 4);
    UM_EQUAL(by_syscall(ring.fd, 0, 1, IORING_ENTER_GETEVENTS), 0);
    UM_EQUAL(next_result(NULL), 4);
    CU_ASSERT_EQUAL(memcmp(p, "late", 4), 0);
    CU_ASSERT_EQUAL(memcmp(p + 4, wanted + BYTES / 2 + 4, 1000), 0);
    close(file);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void *enters_again_and_again(void *failures)
{
    for (int i = 0; i < 2000; i++)
        if (by_syscall(ring.fd, 4, 0, 0) < 0)
            ++*(int *)failures;
    return NULL;
}

/* One fills the queue, both empty it: no entry keeps another one's address. */
static void two_threads_enter_one_ring(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted);
    int failures = 0, right = 0, done = 0;
    pthread_t thread;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, enters_again_and_again, &failures), 0);

    for (unsigned turn = 0; turn < 1000; turn++) {
        const size_t at = turn % 16 * 4096;
        struct io_uring_sqe entry = entry_for(IORING_OP_READ, file, p + at, 4096);
        entry.off = at, entry.user_data = at;
        if (turn % 16 == 0)
            memset(p, 0, BYTES), to_the_device(p);
        queue_up(entry);
        by_syscall(ring.fd, 1, 0, 0);
        while (*word(ring.made.cq_off.head) == __atomic_load_n(word(ring.made.cq_off.tail), __ATOMIC_ACQUIRE))
            by_syscall(ring.fd, 1, 1, IORING_ENTER_GETEVENTS);
        uint64_t data = 0;
        done += next_result(&data) == 4096 && data == at;
        right += memcmp(p + at, wanted + at, 4096) == 0;
    }
    pthread_join(thread, NULL);
    UM_EQUAL(failures, 0);
    UM_EQUAL(done, 1000);
    UM_EQUAL(right, 1000);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* A ring that the program has closed is not kept by the library, and its number is the next file's. */
static void a_closed_ring_is_gone(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES), line[256];
    const int next = ring.fd, file = some_file(wanted);

    unmap_ring();
    UM_EQUAL(dup2(file, next), next);
    UM_EQUAL(by_syscall(next, 1, 1, IORING_ENTER_GETEVENTS), -1);
    UM_EQUAL(errno, EOPNOTSUPP);
    FILE *maps = fopen("/proc/self/maps", "r");
    CU_ASSERT_FATAL(maps != NULL);
    while (fgets(line, sizeof line, maps))
        CU_ASSERT(!strstr(line, "io_uring"));
    fclose(maps);
    close(next);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void a_rings_parameters_may_be_managed_memory(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted);

    unmap_ring();
    close(ring.fd);
    memset(p, 0, BYTES);
    to_the_device(p);
    make_ring((struct io_uring_params *)p);
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_READ, file, p, BYTES), BYTES);
    CU_ASSERT_EQUAL(memcmp(p, wanted, BYTES), 0);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* Nobody enters, so nobody can lend. */
static void a_ring_that_the_kernel_looks_at_is_refused_and_never_wrong(void)
{
    need_a_ring();
    struct io_uring_params made = {.flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 10000};
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted);

    unmap_ring();
    close(ring.fd);
    make_ring(&made);
    memset(p, 'x', BYTES);
    to_the_device(p);
    UM_EQUAL(operate(by_syscall, IORING_OP_READ, file, p, BYTES), -EFAULT);
    UM_EQUAL(operate(by_syscall, IORING_OP_WRITE, file, p, BYTES), -EFAULT);
    for (size_t i = 0; i < BYTES; i += 100)
        UM_EQUAL(p[i], 'x');
    UM_EQUAL(operate(by_syscall, IORING_OP_READ, file, p, BYTES), BYTES); /* the host has the pages now */
    CU_ASSERT_EQUAL(memcmp(p, wanted, BYTES), 0);
    unmap_ring();
    close(ring.fd);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* On hardware this works, too. Here it is an error that the program sees, and no byte is another. */
static void a_ring_that_is_entered_in_assembly_is_refused_and_never_wrong(void)
{
    need_a_ring();
    char *p = managed_on_host(BYTES);
    const int file = some_file(wanted), empty = memfd_create("empty", MFD_CLOEXEC);

    memset(p, 'x', BYTES);
    to_the_device(p);
    UM_EQUAL(operate(by_assembly, IORING_OP_READ, file, p, BYTES), -EFAULT);
    UM_EQUAL(operate(by_assembly, IORING_OP_WRITE, empty, p, BYTES), -EFAULT);
    UM_EQUAL(lseek(empty, 0, SEEK_END), 0);
    for (size_t i = 0; i < BYTES; i += 100)
        UM_EQUAL(p[i], 'x');
    UM_EQUAL(operate(by_assembly, IORING_OP_READ, file, p, BYTES), BYTES); /* the host has the pages now */
    CU_ASSERT_EQUAL(memcmp(p, wanted, BYTES), 0);
    close(file);
    close(empty);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

UM_TESTS("io_uring on managed memory",
         {"a ring that is entered by syscall() is served", a_ring_that_is_entered_by_syscall_is_served},
         {"paths, messages and times are served", paths_messages_and_times_are_served},
         {"operations that end later are served", operations_that_end_later_are_served},
         {"two threads enter one ring", two_threads_enter_one_ring},
         {"a closed ring is gone", a_closed_ring_is_gone},
         {"a ring's parameters may be managed memory", a_rings_parameters_may_be_managed_memory},
         {"a ring that the kernel looks at is refused, and never wrong",
          a_ring_that_the_kernel_looks_at_is_refused_and_never_wrong},
         {"a ring that is entered in assembly is refused, and never wrong",
          a_ring_that_is_entered_in_assembly_is_refused_and_never_wrong});
