/**
 * @file system_calls.cu
 * @brief Programs that hand managed memory to the operating system while its pages are on the GPU. The table
 * of the single calls is tests/conformance/syscalls_*.c; here is what programs do with them.
 */
#include "robust.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <semaphore.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>

enum { BYTES = 1 << 16 };

/** A managed buffer of BYTES bytes, all on the GPU. */
static char *on_gpu(char value)
{
    char *p = (char *)managed_ints(BYTES / sizeof(int));

    memset(p, value, BYTES);
    to_gpu(p, BYTES);
    return p;
}

static void all_are(const char *p, char value, const char *what)
{
    for (int i = 0; i < BYTES; i++)
        HOLDS(p[i] == value, "%s, byte %d: %d, not %d", what, i, p[i], value);
}

#define WORKS(call, wanted)                                                                                  \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        const long works_answer = (long)(call);                                                              \
        HOLDS(works_answer == (long)(wanted), "%ld: %s", works_answer, strerror(errno));                     \
    } while (0)

static int a_file()
{
    return memfd_create("file", MFD_CLOEXEC);
}

/* From one managed buffer by a socket into another: each kind of send with each kind of receive. */
static void an_echo_by_messages()
{
    int ends[2];
    char *from = on_gpu('a'), *to = on_gpu('b');
    iovec out = {from, BYTES / 2}, in = {to, BYTES / 2};
    msghdr sent = {}, received = {};

    HOLDS(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socketpair");
    WORKS(sendto(ends[0], from, BYTES / 4, 0, NULL, 0), BYTES / 4);
    WORKS(recvfrom(ends[1], to, BYTES / 4, 0, NULL, NULL), BYTES / 4);
    sent.msg_iov = &out, sent.msg_iovlen = 1;
    received.msg_iov = &in, received.msg_iovlen = 1;
    to_gpu(from, BYTES), to_gpu(to, BYTES);
    WORKS(sendmsg(ends[0], &sent, 0), BYTES / 2);
    WORKS(recvmsg(ends[1], &received, 0), BYTES / 2);
    to_gpu(from, BYTES), to_gpu(to, BYTES);
    mmsghdr many_out = {sent, 0}, many_in = {received, 0};
    many_out.msg_hdr.msg_iov->iov_base = from + BYTES / 2;
    many_in.msg_hdr.msg_iov->iov_base = to + BYTES / 2;
    WORKS(sendmmsg(ends[0], &many_out, 1, 0), 1);
    WORKS(recvmmsg(ends[1], &many_in, 1, 0, NULL), 1);
    all_are(to, 'a', "what was received");
}

/* A program that keeps a file's blocks in managed memory. */
static void a_file_in_pieces()
{
    const int file = a_file();
    char *p = on_gpu('c'), *q = on_gpu('d');
    const iovec out[2] = {{p, 5000}, {p + 5000, BYTES - 5000}}, in[2] = {{q, 3}, {q + 3, BYTES - 3}};

    WORKS(pwritev(file, out, 2, 0), BYTES);
    WORKS(preadv(file, in, 2, 0), BYTES);
    all_are(q, 'c', "preadv");
    to_gpu(p, BYTES);
    WORKS(pwritev2(file, out, 2, BYTES, 0), BYTES);
    memset(q, 0, BYTES), to_gpu(q, BYTES);
    WORKS(preadv2(file, in, 2, BYTES, 0), BYTES);
    all_are(q, 'c', "preadv2");
    memset(q, 0, BYTES), to_gpu(q, BYTES), to_gpu(p, BYTES);
    WORKS(syscall(SYS_pwrite64, file, p, BYTES, (off_t)0), BYTES);
    WORKS(syscall(SYS_pread64, file, q, BYTES, (off_t)0), BYTES);
    all_are(q, 'c', "pread by its number");
}

/* What the system writes down for a program: all of it in one managed structure. */
static void structures_that_the_system_fills()
{
    struct all {
        struct stat about;
        timespec now, pause;
        pollfd ready;
        int ends[2];
        char path[64], place[4096], bytes[64];
    };
    all *m = (all *)on_gpu(0);

    strcpy(m->path, "/proc/self/exe"), to_gpu(m, sizeof *m);
    WORKS(stat(m->path, &m->about), 0);
    HOLDS(S_ISREG(m->about.st_mode), "mode %o", m->about.st_mode);
    to_gpu(m, sizeof *m);
    HOLDS(readlink(m->path, m->place, sizeof m->place) > 0, "readlink: %s", strerror(errno));
    to_gpu(m, sizeof *m);
    WORKS(syscall(SYS_clock_gettime, CLOCK_REALTIME, &m->now), 0);
    HOLDS(m->now.tv_sec > 1600000000, "it is %ld", (long)m->now.tv_sec);
    m->pause = {0, 1000}, to_gpu(m, sizeof *m);
    WORKS(nanosleep(&m->pause, NULL), 0);
    to_gpu(m, sizeof *m);
    WORKS(pipe(m->ends), 0);
    m->ready = {m->ends[1], POLLOUT, 0}, to_gpu(m, sizeof *m);
    WORKS(poll(&m->ready, 1, 0), 1);
    to_gpu(m, sizeof *m);
    WORKS(syscall(SYS_getrandom, m->bytes, sizeof m->bytes, 0), sizeof m->bytes);
    to_gpu(m, sizeof *m);
    HOLDS(getcwd(m->place, sizeof m->place), "getcwd: %s", strerror(errno));
    const int folder = open("/proc/self", O_RDONLY | O_DIRECTORY);
    to_gpu(m, sizeof *m);
    HOLDS(syscall(SYS_getdents64, folder, m->place, sizeof m->place) > 0, "getdents: %s", strerror(errno));
}

/* stdio whose buffer is managed memory: it is written out when nobody thinks of it. */
static void stdio_with_a_managed_buffer()
{
    char *buffer = on_gpu(0), name[64], line[64];
    const int file = a_file();

    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    FILE *out = fopen(name, "w");
    HOLDS(out && setvbuf(out, buffer, _IOFBF, 4096) == 0, "setvbuf");
    for (int i = 0; i < 5000; i++) {
        HOLDS(fprintf(out, "line %d\n", i) > 0, "line %d: %s", i, strerror(errno));
        if (i % 100 == 0)
            to_gpu(buffer, BYTES);
    }
    to_gpu(buffer, BYTES);
    HOLDS(fclose(out) == 0, "fclose: %s", strerror(errno));
    FILE *in = fopen(name, "r");
    HOLDS(in && setvbuf(in, buffer, _IOFBF, 4096) == 0, "setvbuf");
    for (int i = 0; i < 5000; i++) {
        int number = -1;
        if (i % 100 == 0)
            to_gpu(buffer, BYTES);
        HOLDS(fgets(line, sizeof line, in) && sscanf(line, "line %d", &number) == 1 && number == i,
              "line %d is %d", i, number);
    }
}

/* What -D_FORTIFY_SOURCE makes of read() and of recv(). */
extern "C" ssize_t __read_chk(int, void *, size_t, size_t);
extern "C" ssize_t __recv_chk(int, void *, size_t, size_t, int);

static void fortified_calls()
{
    int ends[2];
    char *p = on_gpu('e'), plain[4096];

    HOLDS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    memset(plain, 'f', sizeof plain);
    WORKS(write(ends[0], plain, sizeof plain), sizeof plain);
    WORKS(__read_chk(ends[1], p, sizeof plain, BYTES), sizeof plain);
    WORKS(write(ends[0], plain, sizeof plain), sizeof plain);
    to_gpu(p, BYTES);
    WORKS(__recv_chk(ends[1], p + 4096, sizeof plain, BYTES - 4096, 0), sizeof plain);
    for (int i = 0; i < 8192; i++)
        HOLDS(p[i] == 'f', "byte %d: %d", i, p[i]);
}

/* A semaphore and a futex word in managed memory, where nobody has to be woken. */
static void locks_of_the_C_library()
{
    sem_t *semaphore = (sem_t *)on_gpu(0);
    timespec soon;

    sem_init(semaphore, 0, 1);
    to_gpu(semaphore, BYTES);
    WORKS(sem_wait(semaphore), 0);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec = (soon.tv_nsec + 5000000) % 1000000000;
    soon.tv_sec += soon.tv_nsec < 5000000;
    to_gpu(semaphore, BYTES);
    HOLDS(sem_timedwait(semaphore, &soon) == -1 && errno == ETIMEDOUT, "sem_timedwait: %s", strerror(errno));
    pthread_mutex_t *mutex = (pthread_mutex_t *)(semaphore + 4);
    pthread_mutex_init(mutex, NULL);
    for (int i = 0; i < 100; i++) {
        to_gpu(semaphore, BYTES);
        WORKS(pthread_mutex_lock(mutex), 0);
        to_gpu(semaphore, BYTES);
        WORKS(pthread_mutex_unlock(mutex), 0);
    }
}

static void asynchronous_io()
{
    const int file = a_file();
    char *p = on_gpu('g'), *q = on_gpu('h');
    aio_context_t context = 0;
    iocb write_it = {}, read_it = {}, *list[1] = {&write_it};
    io_event event;

    if (syscall(SYS_io_setup, 4, &context) != 0)
        CANNOT("io_setup: %s", strerror(errno));
    write_it.aio_lio_opcode = IOCB_CMD_PWRITE, write_it.aio_fildes = (unsigned)file;
    write_it.aio_buf = (uintptr_t)p, write_it.aio_nbytes = BYTES;
    WORKS(syscall(SYS_io_submit, context, 1, list), 1);
    WORKS(syscall(SYS_io_getevents, context, 1, 1, &event, NULL), 1);
    HOLDS(event.res == BYTES, "written: %lld", (long long)event.res);
    read_it = write_it, read_it.aio_lio_opcode = IOCB_CMD_PREAD, read_it.aio_buf = (uintptr_t)q;
    list[0] = &read_it;
    WORKS(syscall(SYS_io_submit, context, 1, list), 1);
    WORKS(syscall(SYS_io_getevents, context, 1, 1, &event, NULL), 1);
    HOLDS(event.res == BYTES, "read: %lld", (long long)event.res);
    all_are(q, 'g', "what was read");
}

/** One operation at a time by io_uring. */
struct ring {
    int fd;
    char *queue, *answers;
    io_uring_sqe *entries;
    io_uring_params parameters;
};

static ring make_ring()
{
    ring r = {};

    r.fd = (int)syscall(SYS_io_uring_setup, 4, &r.parameters);
    if (r.fd < 0)
        CANNOT("io_uring_setup: %s", strerror(errno));
    const int both = PROT_READ | PROT_WRITE;
    const io_uring_params &at = r.parameters;
    r.queue = (char *)mmap(NULL, at.sq_off.array + 64, both, MAP_SHARED, r.fd, IORING_OFF_SQ_RING);
    r.answers = (char *)mmap(NULL, at.cq_off.cqes + 256, both, MAP_SHARED, r.fd, IORING_OFF_CQ_RING);
    r.entries = (io_uring_sqe *)mmap(NULL, 4 * sizeof(io_uring_sqe), both, MAP_SHARED, r.fd, IORING_OFF_SQES);
    HOLDS(r.queue != MAP_FAILED && r.answers != MAP_FAILED && r.entries != MAP_FAILED, "mmap");
    return r;
}

static int by_ring(const ring &r, int operation, int file, char *p)
{
    unsigned *tail = (unsigned *)(r.queue + r.parameters.sq_off.tail);
    unsigned *head = (unsigned *)(r.answers + r.parameters.cq_off.head);
    const unsigned slot = *tail & (r.parameters.sq_entries - 1);

    memset(&r.entries[slot], 0, sizeof r.entries[slot]);
    r.entries[slot].opcode = (uint8_t)operation;
    r.entries[slot].fd = file;
    r.entries[slot].addr = (uintptr_t)p;
    r.entries[slot].len = BYTES;
    ((unsigned *)(r.queue + r.parameters.sq_off.array))[slot] = slot;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    WORKS(syscall(SYS_io_uring_enter, r.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0), 1);
    const io_uring_cqe *answer = (const io_uring_cqe *)(r.answers + r.parameters.cq_off.cqes);
    const int result = answer[*head & (r.parameters.cq_entries - 1)].res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return result;
}

static void io_uring()
{
    const ring r = make_ring();
    const int file = a_file();
    char *p = on_gpu('i'), *q = on_gpu('j');

    int result = by_ring(r, IORING_OP_WRITE, file, p);
    HOLDS(result == BYTES, "written: %d", result);
    result = by_ring(r, IORING_OP_READ, file, q);
    HOLDS(result == BYTES, "read: %d", result);
    all_are(q, 'i', "what was read");
}

/* read() and write() of one thread on a buffer that kernels change the neighbours of. */
static void beside_kernels()
{
    int *x = managed_ints(8192), launches = 0;
    const int file = a_file();
    char plain[6000];
    bool stop = false;
    std::thread thread([&] {
        char *mine = (char *)(x + 512);
        for (int turn = 0; turn < 300; turn++) {
            memset(plain, turn, sizeof plain);
            WORKS(pwrite(file, plain, sizeof plain, 0), sizeof plain);
            WORKS(pread(file, mine, sizeof plain, 0), sizeof plain);
            HOLDS(memcmp(mine, plain, sizeof plain) == 0, "turn %d: read something else", turn);
            WORKS(pwrite(file, mine, sizeof plain, 0), sizeof plain);
            HOLDS(pread(file, plain, sizeof plain, 0) == (ssize_t)sizeof plain, "pread");
            HOLDS(memcmp(mine, plain, sizeof plain) == 0, "turn %d: wrote something else", turn);
        }
        __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
    });

    for (; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); launches++) {
        gpu_adds(x, 1, 512);
        gpu_adds(x + 4096, 1, 512);
    }
    thread.join();
    HOLDS(x[511] == launches && x[4096] == launches, "%d, %d after %d launches", x[511], x[4096], launches);
}

ROBUST_CASES({"an-echo-by-messages", an_echo_by_messages}, {"a-file-in-pieces", a_file_in_pieces},
             {"structures", structures_that_the_system_fills}, {"stdio-buffers", stdio_with_a_managed_buffer},
             {"fortified", fortified_calls}, {"locks", locks_of_the_C_library},
             {"asynchronous-io", asynchronous_io}, {"io_uring", io_uring}, {"beside-kernels", beside_kernels})
