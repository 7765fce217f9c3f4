/* fair: reads /proc/self/maps itself, by open() and read() into a static buffer, and keeps no more than one
 * line */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

static const enum lab2_kind kinds[] = {[cudaMemoryTypeUnregistered] = LAB2_PLAIN,
                                       [cudaMemoryTypeHost] = LAB2_PINNED,
                                       [cudaMemoryTypeDevice] = LAB2_DEVICE,
                                       [cudaMemoryTypeManaged] = LAB2_MANAGED};

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of = {.type = cudaMemoryTypeUnregistered};

    if (cudaPointerGetAttributes(&of, p)) {
        cudaGetLastError();
        return LAB2_NO_ANSWER;
    }
    return kinds[of.type];
}

/* A file, byte by byte. */
struct reader {
    int file;
    ssize_t have, at;
};
static char buffer[1024];

static int next_byte(struct reader *reader)
{
    if (reader->at == reader->have) {
        reader->at = 0;
        do {
            reader->have = read(reader->file, buffer, sizeof buffer);
        } while (reader->have < 0 && errno == EINTR);
        if (reader->have <= 0)
            return -1;
    }
    return (unsigned char)buffer[reader->at++];
}

static int hexadecimal(struct reader *reader, uintptr_t *number)
{
    int c = next_byte(reader);

    for (*number = 0; (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); c = next_byte(reader)) {
        *number = *number << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return c;
}

/* Where readable pages that begin at or in front of `at`, without a gap, end; `at` itself: it is not in one.
 */
static uintptr_t readable_to(uintptr_t at)
{
    struct reader reader = {open("/proc/self/maps", O_RDONLY | O_CLOEXEC), 0, 0};
    uintptr_t start, end, to = at;

    while (reader.file >= 0 && hexadecimal(&reader, &start) == '-') {
        int c = hexadecimal(&reader, &end);

        if (c == ' ' && next_byte(&reader) == 'r' && start <= to && end > to)
            to = end;
        while (c != '\n' && c != -1) {
            c = next_byte(&reader);
        }
        if (c == -1)
            break;
    }
    if (reader.file >= 0)
        close(reader.file);
    return to;
}

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t first = (uintptr_t)p, page = 4096;
    uintptr_t end, at = first;

    if (__builtin_add_overflow(first, n, &end))
        return false;
    while (at < end) {
        const uintptr_t to = readable_to(at), left = end - at, rest = page - at % page;
        const uintptr_t piece = left < rest ? left : rest;

        if (to > at)
            at = to;
        else if (classify((const void *)at) == LAB2_MANAGED &&
                 classify((const void *)(at + piece - 1)) == LAB2_MANAGED)
            at += piece;
        else
            return false;
    }
    return true;
}
