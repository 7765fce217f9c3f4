/**
 * @file syscalls.c
 * @brief Wrappers that let read(), write() and related functions work on managed memory.
 *
 * The kernel raises no SIGSEGV for a page that the process cannot reach. Instead the system call fails with
 * EFAULT, or, where the first pages are open, transfers less than was asked and reports no error. On a GPU
 * such calls work, because the driver serves the fault inside the kernel. So the common calls are wrapped:
 * the wrapper charges the buffer as a touch by the host, and gives the system the copy window's view of it.
 * Buffers outside managed memory are passed through unchanged.
 *
 * The wrappers reach programs that are linked with the simulator. Not wrapped: sendmsg and recvmsg, io_uring,
 * aio, and calls that the C library makes internally (large reads through stdio functions other than fread
 * and fwrite).
 */
#include "../grading/broker.h"
#include "../space/managed.h"
#include "../space/views.h"
#include "../record/request.h"
#include "../base/layout.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/** The most buffers of one readv() or writev() that are examined. A call with more is passed on unchanged
 * (IOV_MAX is 1024). */
#define VECTOR_MAX 1024

enum access { HOST_READS, HOST_WRITES };

/* Copies page by page, from the first to the last, because the system would touch the pages in this order. */
static void copy_in_order(char *to, const char *from, size_t bytes, const void *managed)
{
    size_t part = UMSIM_PAGE - (uintptr_t)managed % UMSIM_PAGE;
    for (size_t done = 0; done < bytes; done += part, part = UMSIM_PAGE) {
        if (part > bytes - done)
            part = bytes - done;
        memcpy(to + done, from + done, part);
    }
}

/* A graded program has no second view of managed memory. So the system reads or writes a private buffer, and
 * the bytes get from there to their place by the host's own touches. */
static void *detour(const void *buffer, size_t bytes, enum access access)
{
    void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED)
        return (void *)buffer; /* the call then fails with EFAULT */
    if (access == HOST_READS)
        copy_in_order(own, buffer, bytes, buffer);
    return own;
}

/* Returns the view of a buffer that the system can use. If the system reads the buffer, that is charged here.
 */
static void *lend(const void *buffer, size_t bytes, enum access access)
{
    struct umsim_managed_space *space = bytes ? umsim_managed_space_of(buffer) : NULL;
    if (!space)
        return (void *)buffer;
    if (umsim_broker_serves())
        return detour(buffer, bytes, access);
    if (access == HOST_READS)
        umsim_managed_host_access(buffer, bytes, false);
    return space->window + ((const char *)buffer - space->base);
}

/* Ends what lend() began.
 * @param got how many bytes the system wrote */
static void take_back(const void *buffer, void *view, size_t bytes, ssize_t got)
{
    if (view == buffer)
        return;
    if (!umsim_broker_serves()) {
        if (got > 0)
            umsim_managed_host_access(buffer, (size_t)got, true);
        return;
    }
    if (got > 0)
        copy_in_order((char *)buffer, view, (size_t)got, buffer);
    munmap(view, bytes);
}

/* The C library's own function behind a wrapper. */
#define REAL(name)                                                                                           \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *buffer, size_t bytes)
{
    REAL(write);
    void *view = lend(buffer, bytes, HOST_READS);
    ssize_t put = real(fd, view, bytes);
    take_back(buffer, view, bytes, 0);
    return put;
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
    REAL(read);
    void *view = lend(buffer, bytes, HOST_WRITES);
    ssize_t got = real(fd, view, bytes);
    take_back(buffer, view, bytes, got);
    return got;
}

ssize_t pwrite(int fd, const void *buffer, size_t bytes, off_t offset)
{
    REAL(pwrite);
    void *view = lend(buffer, bytes, HOST_READS);
    ssize_t put = real(fd, view, bytes, offset);
    take_back(buffer, view, bytes, 0);
    return put;
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    REAL(pread);
    void *view = lend(buffer, bytes, HOST_WRITES);
    ssize_t got = real(fd, view, bytes, offset);
    take_back(buffer, view, bytes, got);
    return got;
}

ssize_t send(int socket, const void *buffer, size_t bytes, int flags)
{
    REAL(send);
    void *view = lend(buffer, bytes, HOST_READS);
    ssize_t put = real(socket, view, bytes, flags);
    take_back(buffer, view, bytes, 0);
    return put;
}

ssize_t recv(int socket, void *buffer, size_t bytes, int flags)
{
    REAL(recv);
    void *view = lend(buffer, bytes, HOST_WRITES);
    ssize_t got = real(socket, view, bytes, flags);
    take_back(buffer, view, bytes, got);
    return got;
}

size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file)
{
    REAL(fwrite);
    void *view = lend(buffer, size * count, HOST_READS);
    size_t put = real(view, size, count, file);
    take_back(buffer, view, size * count, 0);
    return put;
}

size_t fread(void *buffer, size_t size, size_t count, FILE *file)
{
    REAL(fread);
    void *view = lend(buffer, size * count, HOST_WRITES);
    size_t got = real(view, size, count, file);
    take_back(buffer, view, size * count, (ssize_t)(got * size));
    return got;
}

static bool any_managed(const struct iovec *vector, int count)
{
    bool any = false;
    for (int i = 0; i < count && i < VECTOR_MAX; i++)
        any = any || umsim_managed_space_of(vector[i].iov_base);
    return any && count <= VECTOR_MAX;
}

static void lend_vector(const struct iovec *vector, int count, struct iovec *views, enum access access)
{
    for (int i = 0; i < count; i++)
        views[i] = (struct iovec){lend(vector[i].iov_base, vector[i].iov_len, access), vector[i].iov_len};
}

/* The system wrote `got` bytes, beginning with the first buffer. */
static void take_vector_back(const struct iovec *vector, int count, const struct iovec *views, ssize_t got)
{
    for (int i = 0; i < count; i++) {
        ssize_t part = got < (ssize_t)vector[i].iov_len ? got : (ssize_t)vector[i].iov_len;
        take_back(vector[i].iov_base, views[i].iov_base, vector[i].iov_len, part);
        got -= part > 0 ? part : 0;
    }
}

ssize_t writev(int fd, const struct iovec *vector, int count)
{
    REAL(writev);
    struct iovec views[VECTOR_MAX];
    if (!any_managed(vector, count))
        return real(fd, vector, count);
    lend_vector(vector, count, views, HOST_READS);
    ssize_t put = real(fd, views, count);
    take_vector_back(vector, count, views, 0);
    return put;
}

ssize_t readv(int fd, const struct iovec *vector, int count)
{
    REAL(readv);
    struct iovec views[VECTOR_MAX];
    if (!any_managed(vector, count))
        return real(fd, vector, count);
    lend_vector(vector, count, views, HOST_WRITES);
    ssize_t got = real(fd, views, count);
    take_vector_back(vector, count, views, got);
    return got;
}
