/**
 * @file proc_maps.c
 * @brief Implementation of proc_maps.h: a parser for the lines of /proc/PID/maps.
 */
#include "proc_maps.h"
#include "../base/layout.h"
#include "../base/libc.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char *number(const char *text, unsigned base, uint64_t *value)
{
    for (*value = 0;; text++) {
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10)
                                                        : base;
        if (digit >= base)
            return text;
        *value = *value * base + digit;
    }
}

uint64_t umsim_mapping_file(uint64_t inode, uint64_t major, uint64_t minor)
{
    return inode ? inode ^ major << 56 ^ minor << 44 : 0;
}

bool umsim_mapping_of_file(const struct umsim_mapping *mapping)
{
    return mapping->path[0] == '/' && strncmp(mapping->path, "/memfd:umsim-", 13) != 0;
}

/* The fields of a line: start-end protection offset device inode path. */
static struct umsim_mapping parse(const char *line)
{
    struct umsim_mapping m = {0};
    uint64_t start, end, major, minor, inode;
    line = number(line, 16, &start);
    line = number(line + 1, 16, &end) + 1;
    memcpy(m.protection, line, 4);
    line = number(line + 5, 16, &m.offset);
    line = number(line + 1, 16, &major);
    line = number(line + 1, 16, &minor);
    line = number(line + 1, 10, &inode);
    while (*line == ' ')
        line++;
    m.start = start;
    m.end = end;
    m.file = umsim_mapping_file(inode, major, minor);
    m.device = makedev((unsigned)major, (unsigned)minor);
    m.huge_pages = strncmp(line, "/anon_hugepage", 14) == 0;
    m.path = line;
    return m;
}

/* @param enough ends it early */
static bool each(int fd, void (*visit)(const struct umsim_mapping *), const bool *enough)
{
    static char text[1 << 16];
    size_t filled = 0;
    ssize_t got = -1;
    while (fd >= 0 && !*enough && (got = umsim_real_read(fd, text + filled, sizeof text - 1 - filled)) > 0) {
        filled += (size_t)got;
        text[filled] = 0;
        char *line = text;
        for (char *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            struct umsim_mapping m = parse(line);
            visit(&m);
        }
        filled -= (size_t)(line - text);
        memmove(text, line, filled);
    }
    return *enough || got == 0;
}

bool umsim_proc_maps_each(int fd, void (*visit)(const struct umsim_mapping *))
{
    const bool never = false;
    return each(fd, visit, &never);
}

/* ---- one mapping ---- */

/* PROCMAP_QUERY of Linux 6.11, which <linux/fs.h> of older systems lacks. */
struct query {
    uint64_t size, flags, address;
    uint64_t start, end, vma_flags, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};
#define QUERY _IOWR('f', 17, struct query)
enum { READABLE = 1, WRITABLE = 2, EXECUTABLE = 4, SHARED = 8, OR_NEXT = 16 };

static char found_path[256];

static bool ask(int fd, uintptr_t address, struct umsim_mapping *found)
{
    struct query query = {.size = sizeof query,
                          .flags = OR_NEXT,
                          .address = address,
                          .name = (uintptr_t)found_path,
                          .name_size = sizeof found_path};
    found_path[0] = 0;
    if (ioctl(fd, QUERY, &query) != 0)
        return false;
    *found = (struct umsim_mapping){
        .start = query.start,
        .end = query.end,
        .protection = {query.vma_flags & READABLE ? 'r' : '-', query.vma_flags & WRITABLE ? 'w' : '-',
                       query.vma_flags & EXECUTABLE ? 'x' : '-', query.vma_flags & SHARED ? 's' : 'p'},
        .offset = query.offset,
        .file = umsim_mapping_file(query.inode, query.major, query.minor),
        .device = makedev(query.major, query.minor),
        .huge_pages = query.page_size > UMSIM_PAGE,
        .path = found_path};
    return true;
}

static struct {
    uintptr_t address;
    struct umsim_mapping *found;
    bool done;
} sought;

static void seek(const struct umsim_mapping *mapping)
{
    if (sought.done || mapping->end <= sought.address)
        return;
    sought.done = true;
    *sought.found = *mapping;
    sought.found->path = strncpy(found_path, mapping->path, sizeof found_path - 1);
}

bool umsim_proc_maps_find(int fd, uintptr_t address, struct umsim_mapping *found)
{
    if (fd < 0)
        return false;
    if (ask(fd, address, found))
        return true;
    if (errno == ENOENT)
        return false;
    sought.address = address;
    sought.found = found;
    sought.done = false;
    if (lseek(fd, 0, SEEK_SET) != 0) /* it may have been read before */
        return false;
    return each(fd, seek, &sought.done) && sought.done;
}
