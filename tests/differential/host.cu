/**
 * @file host.cu
 * @brief What the host does to regions: reads, writes, memcpy(), atomics, system calls.
 */
#include "differential.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

static void host_reads(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, false);

    for_the_host(w, r);
    host_compares(w, r, where);
}

static void host_reads_all(worker *w, region *r, region *)
{
    for_the_host(w, r);
    host_compares(w, r, {0, r->bytes});
}

/* Bytes, words, or what memset() does. */
static void host_writes(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, false);
    const unsigned char value = (unsigned char)any(w);

    for_the_host(w, r);
    note(w, r, where);
    if (value % 3 == 0)
        memset(r->p + where.offset, value, where.bytes);
    else
        for (size_t i = where.offset; i < where.offset + where.bytes; i++)
            ((volatile unsigned char *)r->p)[i] = (unsigned char)(value + i);
    for (size_t i = where.offset; i < where.offset + where.bytes; i++)
        r->model[i] = value % 3 == 0 ? value : (unsigned char)(value + i);
    pages_are_the_hosts(w, *r, where, true);
}

static void host_copies(worker *w, region *r, region *other)
{
    part where = any_part(w, *r, false);
    const size_t source = below(w, other->bytes);

    if (where.bytes > other->bytes - source)
        where.bytes = other->bytes - source;
    for_the_host(w, r);
    for_the_host(w, other);
    note(w, r, where);
    memcpy(r->p + where.offset, other->p + source, where.bytes);
    memcpy(&r->model[where.offset], &other->model[source], where.bytes);
    compare(w, *other, other->p + source, source, where.bytes);
    pages_are_the_hosts(w, *r, where, true);
}

static void host_adds_atomically(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const unsigned value = (unsigned)any(w);

    for_the_host(w, r);
    note(w, r, where);
    for (size_t i = where.offset; i < where.offset + where.bytes; i += sizeof value) {
        unsigned was, before = __atomic_fetch_add((unsigned *)(r->p + i), value, __ATOMIC_SEQ_CST);
        memcpy(&was, &r->model[i], sizeof was);
        if (was != before)
            compare(w, *r, (const unsigned char *)&before, i, sizeof before);
        was += value;
        memcpy(&r->model[i], &was, sizeof was);
    }
}

static void need_bytes(worker *w, region *r, const char *call, ssize_t answer, size_t wanted)
{
    if (answer != (ssize_t)wanted)
        report_call(w, r, call, answer < 0 ? strerror(errno) : "not all bytes");
}

static part small_part(worker *w, const region &r)
{
    part where = any_part(w, r, false);

    if (where.bytes > SCRATCH)
        where.bytes = SCRATCH;
    return where;
}

/* From the region into a file; the file then holds what the model says. */
static void write_calls(worker *w, region *r, region *)
{
    const part where = small_part(w, *r);

    for_the_host(w, r);
    if (below(w, 2)) {
        lseek(w->file, 0, SEEK_SET);
        need_bytes(w, r, "write", write(w->file, r->p + where.offset, where.bytes), where.bytes);
    } else
        need_bytes(w, r, "pwrite", pwrite(w->file, r->p + where.offset, where.bytes, 0), where.bytes);
    need_bytes(w, r, "pread of the file", pread(w->file, w->pageable, where.bytes, 0), where.bytes);
    compare(w, *r, w->pageable, where.offset, where.bytes);
}

static void read_calls(worker *w, region *r, region *)
{
    const part where = small_part(w, *r);
    const unsigned char value = (unsigned char)any(w);

    for_the_host(w, r);
    note(w, r, where);
    for (size_t i = 0; i < where.bytes; i++)
        r->model[where.offset + i] = w->pageable[i] = (unsigned char)(value - 3 * i);
    need_bytes(w, r, "pwrite of the file", pwrite(w->file, w->pageable, where.bytes, 0), where.bytes);
    if (below(w, 2)) {
        lseek(w->file, 0, SEEK_SET);
        need_bytes(w, r, "read", read(w->file, r->p + where.offset, where.bytes), where.bytes);
    } else
        need_bytes(w, r, "pread", pread(w->file, r->p + where.offset, where.bytes, 0), where.bytes);
    pages_are_the_hosts(w, *r, where, true);
}

const kind host_kinds[] = {{"the host reads", 14, false, host_reads},
                           {"the host reads all", 1, false, host_reads_all},
                           {"the host writes", 12, false, host_writes},
                           {"memcpy() between regions", 5, true, host_copies},
                           {"the host's atomics", 4, false, host_adds_atomically},
                           {"write() and pwrite()", 4, false, write_calls},
                           {"read() and pread()", 4, false, read_calls},
                           {NULL, 0, false, NULL}};
