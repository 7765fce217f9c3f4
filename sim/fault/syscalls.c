/*
 * syscalls.c: read(), write() and their kin on managed memory.
 *
 * The kernel does not raise SIGSEGV for a page that the process cannot reach: a system call fails with EFAULT, or
 * stops short without a word where the first pages are open. On a GPU such calls work, because the driver serves the
 * fault in the kernel. So the common ones are wrapped: the buffer is charged as the host's touch, and the system is
 * handed the copy window's view of it. Buffers outside managed memory pass through unchanged.
 *
 * The wrappers reach programs that are linked with the simulator. Not wrapped: sendmsg and recvmsg, io_uring, aio, and
 * what the C library calls inside itself (large reads through other stdio functions than fread and fwrite).
 */
#include "../space/managed.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/** Buffers of one readv() or writev() that are looked at; more are passed on as they are (IOV_MAX is 1024). */
#define VECTOR_MAX 1024

enum access { HOST_READS, HOST_WRITES };

/* The view of a buffer that the system can use. */
static void *view(const void *buffer)
{
    struct umsim_managed_space *space = umsim_managed_space_of(buffer);
    return space ? space->window + ((const char *)buffer - space->base) : (void *)buffer;
}

static void charge(const void *buffer, ssize_t bytes, enum access access)
{
    if (bytes > 0 && umsim_managed_space_of(buffer))
        umsim_managed_host_access(buffer, (size_t)bytes, access == HOST_WRITES);
}

/* The C library's own function behind a wrapper. */
#define REAL(name)                                                                                           \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *buffer, size_t bytes)
{
    REAL(write);
    charge(buffer, (ssize_t)bytes, HOST_READS);
    return real(fd, view(buffer), bytes);
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
    REAL(read);
    ssize_t got = real(fd, view(buffer), bytes);
    charge(buffer, got, HOST_WRITES);
    return got;
}

ssize_t pwrite(int fd, const void *buffer, size_t bytes, off_t offset)
{
    REAL(pwrite);
    charge(buffer, (ssize_t)bytes, HOST_READS);
    return real(fd, view(buffer), bytes, offset);
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    REAL(pread);
    ssize_t got = real(fd, view(buffer), bytes, offset);
    charge(buffer, got, HOST_WRITES);
    return got;
}

ssize_t send(int socket, const void *buffer, size_t bytes, int flags)
{
    REAL(send);
    charge(buffer, (ssize_t)bytes, HOST_READS);
    return real(socket, view(buffer), bytes, flags);
}

ssize_t recv(int socket, void *buffer, size_t bytes, int flags)
{
    REAL(recv);
    ssize_t got = real(socket, view(buffer), bytes, flags);
    charge(buffer, got, HOST_WRITES);
    return got;
}

size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file)
{
    REAL(fwrite);
    charge(buffer, (ssize_t)(size * count), HOST_READS);
    return real(view(buffer), size, count, file);
}

size_t fread(void *buffer, size_t size, size_t count, FILE *file)
{
    REAL(fread);
    size_t got = real(view(buffer), size, count, file);
    charge(buffer, (ssize_t)(got * size), HOST_WRITES);
    return got;
}

/* The same vector with the views of its buffers; false when nothing in it is managed memory. */
static bool vector_views(const struct iovec *vector, int count, struct iovec *out)
{
    bool any = false;
    for (int i = 0; i < count && i < VECTOR_MAX; i++) {
        out[i] = (struct iovec){view(vector[i].iov_base), vector[i].iov_len};
        any = any || out[i].iov_base != vector[i].iov_base;
    }
    return any && count <= VECTOR_MAX;
}

/* The first `bytes` bytes of the vector. */
static void charge_vector(const struct iovec *vector, int count, ssize_t bytes, enum access access)
{
    for (int i = 0; i < count && bytes > 0; i++) {
        ssize_t part = bytes < (ssize_t)vector[i].iov_len ? bytes : (ssize_t)vector[i].iov_len;
        charge(vector[i].iov_base, part, access);
        bytes -= part;
    }
}

#define ALL_OF_IT ((ssize_t)(((size_t)-1) >> 1))

ssize_t writev(int fd, const struct iovec *vector, int count)
{
    REAL(writev);
    struct iovec views[VECTOR_MAX];
    if (!vector_views(vector, count, views))
        return real(fd, vector, count);
    charge_vector(vector, count, ALL_OF_IT, HOST_READS);
    return real(fd, views, count);
}

ssize_t readv(int fd, const struct iovec *vector, int count)
{
    REAL(readv);
    struct iovec views[VECTOR_MAX];
    if (!vector_views(vector, count, views))
        return real(fd, vector, count);
    ssize_t got = real(fd, views, count);
    charge_vector(vector, count, got, HOST_WRITES);
    return got;
}
