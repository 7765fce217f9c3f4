/**
 * @file syscalls.c
 * @brief System calls and stdio on managed buffers, wherever the pages are: right contents, and the faults
 * that the host's own touches would have taken. On a GPU the driver serves such faults inside the kernel.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "moves.h"
#include "um_fill.h"

#define SIZE (4 * MiB)

/** Where a buffer's pages are before the call. */
enum where { FRESH, ON_HOST, ON_DEVICE, HALF_AND_HALF, PLACES };
static const char *const where_names[] = {"fresh", "on the host", "on the device", "half on the device"};

/** What a walk of such a buffer moves to the host, and the faults that it takes. */
static const struct {
    size_t dtoh;
    unsigned faults;
} walk[PLACES] = {{0, 12}, {0, 0}, {SIZE, 12}, {SIZE / 2, 6}};

static unsigned char *expected(uint64_t seed)
{
    static unsigned char bytes[SIZE];

    um_fill_bytes(bytes, SIZE, seed);
    return bytes;
}

static unsigned char *buffer(enum where where, uint64_t seed)
{
    unsigned char *p = managed(SIZE);

    if (where != FRESH)
        um_fill_bytes(p, SIZE, seed);
    if (where == ON_DEVICE)
        prefetch(p, SIZE, 0);
    if (where == HALF_AND_HALF)
        prefetch(p + SIZE / 2, SIZE / 2, 0);
    return p;
}

/* A file in memory with SIZE bytes of `seed` in it, read from its start. */
static int file_of(uint64_t seed)
{
    const int file = memfd_create("file", MFD_CLOEXEC);

    CU_ASSERT_EQUAL(pwrite(file, expected(seed), SIZE, 0), (ssize_t)SIZE);
    return file;
}

/* Moves SIZE bytes between a managed buffer and a file. @return bytes moved */
typedef ssize_t (*transfer)(int file, unsigned char *p);

static ssize_t by_write(int file, unsigned char *p)
{
    return write(file, p, SIZE);
}

static ssize_t by_pwrite(int file, unsigned char *p)
{
    return pwrite(file, p, SIZE, 0);
}

/* Three pieces: the middle one is ordinary memory with the same bytes. */
static ssize_t by_writev(int file, unsigned char *p)
{
    const struct iovec pieces[] = {
        {p, SIZE / 2 - 5000}, {p + SIZE / 2 - 5000, 5000}, {p + SIZE / 2, SIZE / 2}};

    return writev(file, pieces, 3);
}

static ssize_t by_fwrite(int file, unsigned char *p)
{
    FILE *stream = fdopen(dup(file), "w");
    const size_t count = stream ? fwrite(p, 1000, SIZE / 1000, stream) : 0;
    const size_t rest = fwrite(p + count * 1000, 1, SIZE - count * 1000, stream);

    fclose(stream);
    return (ssize_t)(count * 1000 + rest);
}

static ssize_t by_read(int file, unsigned char *p)
{
    return read(file, p, SIZE);
}

static ssize_t by_pread(int file, unsigned char *p)
{
    return pread(file, p, SIZE, 0);
}

static ssize_t by_readv(int file, unsigned char *p)
{
    const struct iovec pieces[] = {{p, 3}, {p + 3, SIZE - 3}};

    return readv(file, pieces, 2);
}

static ssize_t by_fread(int file, unsigned char *p)
{
    FILE *stream = fdopen(dup(file), "r");
    const size_t got = stream ? fread(p, SIZE / 4, 4, stream) : 0;

    fclose(stream);
    return (ssize_t)(got * (SIZE / 4));
}

/* Reads the buffer's pages on behalf of the host: what the file then holds is what the buffer held. */
static void sends(transfer how)
{
    for (enum where where = ON_HOST; where < PLACES; where++) {
        const int file = memfd_create("file", MFD_CLOEXEC);
        unsigned char *p = buffer(where, where), *seen = malloc(SIZE);

        MOVES(0, walk[where].dtoh, walk[where].faults, 0, CU_ASSERT_EQUAL(how(file, p), (ssize_t)SIZE));
        CU_ASSERT_EQUAL(pread(file, seen, SIZE, 0), (ssize_t)SIZE);
        if (memcmp(seen, expected(where), SIZE) != 0)
            UM_FAIL("from a buffer %s: the file holds something else", where_names[where]);
        MOVES(0, 0, 0, 0, host_reads(p, SIZE));
        free(seen);
        close(file);
        CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    }
}

/* Writes them: host and device then see the file's bytes. */
static void receives(transfer how)
{
    for (enum where where = FRESH; where < PLACES; where++) {
        const int file = file_of(100 + where);
        unsigned char *p = buffer(where, where), *seen = malloc(SIZE);

        MOVES(0, walk[where].dtoh, walk[where].faults, 0, CU_ASSERT_EQUAL(how(file, p), (ssize_t)SIZE));
        MOVES(0, 0, 0, 0, host_reads(p, SIZE));
        if (memcmp(p, expected(100 + where), SIZE) != 0)
            UM_FAIL("into a buffer %s: the host sees other bytes than the file's", where_names[where]);
        prefetch(p, SIZE, 0);
        CU_ASSERT_EQUAL(cudaMemcpy(seen, p, SIZE, cudaMemcpyDefault), cudaSuccess);
        if (memcmp(seen, expected(100 + where), SIZE) != 0)
            UM_FAIL("into a buffer %s: the device sees other bytes than the file's", where_names[where]);
        free(seen);
        close(file);
        CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    }
}

static void write_takes_managed_pages_from_where_they_are(void)
{
    sends(by_write);
}
static void pwrite_takes_managed_pages_from_where_they_are(void)
{
    sends(by_pwrite);
}
static void writev_takes_managed_pages_from_where_they_are(void)
{
    sends(by_writev);
}
static void fwrite_takes_managed_pages_from_where_they_are(void)
{
    sends(by_fwrite);
}
static void read_brings_managed_pages_to_the_host(void)
{
    receives(by_read);
}
static void pread_brings_managed_pages_to_the_host(void)
{
    receives(by_pread);
}
static void readv_brings_managed_pages_to_the_host(void)
{
    receives(by_readv);
}
static void fread_brings_managed_pages_to_the_host(void)
{
    receives(by_fread);
}

/* 64 KiB at a time, from the device's pages through a socket into the device's pages. */
static void send_and_recv_take_and_bring_managed_pages(void)
{
    unsigned char *from = buffer(ON_DEVICE, 7), *to = buffer(ON_DEVICE, 8);
    int ends[2];

    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    for (size_t done = 0; done < SIZE; done += 64 * KiB) {
        CU_ASSERT_EQUAL(send(ends[0], from + done, 64 * KiB, 0), (ssize_t)(64 * KiB));
        CU_ASSERT_EQUAL(recv(ends[1], to + done, 64 * KiB, MSG_WAITALL), (ssize_t)(64 * KiB));
    }
    CU_ASSERT_EQUAL(memcmp(to, expected(7), SIZE), 0);
    prefetch(from, SIZE, 0);
    MOVES(0, 65536, 1, 0, CU_ASSERT_EQUAL(send(ends[0], from + 5, 100, 0), 100));
    prefetch(to, SIZE, 0);
    MOVES(0, 65536, 1, 0, CU_ASSERT_EQUAL(recv(ends[1], to + MiB, 200, 0), 100));
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(cudaFree(from), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(to), cudaSuccess);
}

/* What a short read did not bring is not touched. */
static void a_short_read_touches_what_it_brought(void)
{
    const int file = memfd_create("file", MFD_CLOEXEC);
    unsigned char *p = buffer(ON_DEVICE, 1);

    CU_ASSERT_EQUAL(pwrite(file, "abc", 3, 0), 3);
    MOVES(0, 65536, 1, 0, CU_ASSERT_EQUAL(read(file, p, SIZE), 3));
    MOVES(0, 0, 0, 0, CU_ASSERT_EQUAL(read(file, p, SIZE), 0));
    CU_ASSERT_EQUAL(memcmp(p, "abc", 3), 0);
    UM_EQUAL(p[3], expected(1)[3]);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

UM_TESTS("system calls on managed memory",
         {"write() takes managed pages from where they are", write_takes_managed_pages_from_where_they_are},
         {"pwrite() takes managed pages from where they are", pwrite_takes_managed_pages_from_where_they_are},
         {"writev() takes managed pages from where they are", writev_takes_managed_pages_from_where_they_are},
         {"fwrite() takes managed pages from where they are", fwrite_takes_managed_pages_from_where_they_are},
         {"read() brings managed pages to the host", read_brings_managed_pages_to_the_host},
         {"pread() brings managed pages to the host", pread_brings_managed_pages_to_the_host},
         {"readv() brings managed pages to the host", readv_brings_managed_pages_to_the_host},
         {"fread() brings managed pages to the host", fread_brings_managed_pages_to_the_host},
         {"send() and recv() take and bring managed pages", send_and_recv_take_and_bring_managed_pages},
         {"a short read touches what it brought", a_short_read_touches_what_it_brought});
