/**
 * @file host_mapping.c
 * @brief Implementation of host_mapping.h: asks /proc for a mapping, and for the kind of its file system.
 */
#include "host_mapping.h"
#include "proc_maps.h"
#include "../base/libc.h"
#include "../base/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The file system of anonymous shared memory has no mount point. Its device number is that of any memory
 * file. */
static dev_t anonymous_device(void)
{
    static dev_t device;
    struct stat about;
    const int fd = device ? -1 : memfd_create("umsim-device", MFD_CLOEXEC);
    if (fd >= 0 && fstat(fd, &about) == 0)
        device = about.st_dev;
    if (fd >= 0)
        close(fd);
    return device;
}

/* A line of /proc/self/mountinfo has the device as its third word, and the kind behind " - ". */
static bool is_of_memory(const char *line, dev_t device)
{
    unsigned major, minor;
    const char *kind = strstr(line, " - ");
    if (!kind || sscanf(line, "%*u %*u %u:%u", &major, &minor) != 2 || makedev(major, minor) != device)
        return false;
    kind += strlen(" - ");
    return strncmp(kind, "tmpfs ", 6) == 0 || strncmp(kind, "devtmpfs ", 9) == 0 ||
           strncmp(kind, "ramfs ", 6) == 0 || strncmp(kind, "hugetlbfs ", 10) == 0;
}

static bool mounted_in_memory(dev_t device)
{
    char line[4096];
    bool found = false;
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    while (mounts && !found && fgets(line, sizeof line, mounts))
        found = is_of_memory(line, device);
    if (mounts)
        fclose(mounts);
    return found;
}

/* A device's memory can be mapped from a file, too, but it has no pages to pin. */
static bool is_a_device(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode));
}

static bool in_memory(const struct umsim_mapping *mapping)
{
    return mapping->device == anonymous_device() || mapping->huge_pages || mounted_in_memory(mapping->device);
}

static int protection_of(const struct umsim_mapping *mapping)
{
    return (mapping->protection[0] == 'r' ? PROT_READ : 0) |
           (mapping->protection[1] == 'w' ? PROT_WRITE : 0) | (mapping->protection[2] == 'x' ? PROT_EXEC : 0);
}

uint64_t umsim_file_number(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 ? umsim_mapping_file(about.st_ino, major(about.st_dev), minor(about.st_dev))
                                  : 0;
}

/* A program that has no descriptor left gets the GPU process's for a moment. */
static int open_maps(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool may_retry = fd < 0 && errno == EMFILE && umsim_gpu_lend_descriptor();
    return may_retry ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static void close_maps(int fd)
{
    if (fd >= 0)
        close(fd);
    umsim_gpu_descriptor_back();
}

static bool find(const char *path, uintptr_t address, struct umsim_mapping *mapping)
{
    const int fd = open_maps(path);
    const bool found = umsim_proc_maps_find(fd, address, mapping);
    close_maps(fd);
    return found && mapping->start <= address;
}

enum umsim_pinning umsim_host_mapping_at(uintptr_t start, uintptr_t end, bool for_writing,
                                         struct umsim_host_mapping *piece)
{
    struct umsim_mapping mapping = {0};
    const int needed = for_writing ? PROT_READ | PROT_WRITE : PROT_READ;
    if (!find("/proc/self/maps", start, &mapping)) {
        const bool is_gap = mapping.start > start && mapping.start < end;
        *piece = (struct umsim_host_mapping){.start = start, .end = is_gap ? mapping.start : end};
        return UMSIM_PINS_NOT;
    }
    *piece = (struct umsim_host_mapping){.start = start,
                                         .end = mapping.end < end ? mapping.end : end,
                                         .protection = protection_of(&mapping),
                                         .shared = mapping.protection[3] == 's',
                                         .file = mapping.file,
                                         .offset = mapping.offset + (start - mapping.start)};
    if ((piece->protection & needed) != needed ||
        (piece->shared && umsim_mapping_of_file(&mapping) && is_a_device(mapping.path)))
        return UMSIM_PINS_NOT;
    return piece->shared && for_writing && !in_memory(&mapping) ? UMSIM_PINS_NOT_DISK : UMSIM_PINS;
}

static struct {
    uint64_t file, start, end;
    void (*visit)(const struct umsim_host_mapping *piece);
} sought;

static void seek(const struct umsim_mapping *mapping)
{
    const uint64_t end = mapping->offset + (mapping->end - mapping->start);
    const uint64_t first = mapping->offset > sought.start ? mapping->offset : sought.start;
    const uint64_t last = end < sought.end ? end : sought.end;
    if (mapping->file != sought.file || mapping->protection[3] != 's' || first >= last)
        return;
    const struct umsim_host_mapping piece = {.start = mapping->start + (first - mapping->offset),
                                             .end = mapping->start + (last - mapping->offset),
                                             .protection = protection_of(mapping),
                                             .shared = true,
                                             .file = mapping->file,
                                             .offset = first};
    sought.visit(&piece);
}

void umsim_host_mappings_of(uint64_t file, uint64_t start, uint64_t end,
                            void (*visit)(const struct umsim_host_mapping *piece))
{
    const int fd = open_maps("/proc/self/maps");
    sought.file = file;
    sought.start = start;
    sought.end = end;
    sought.visit = visit;
    umsim_proc_maps_each(fd, seek);
    close_maps(fd);
}

bool umsim_gpu_has_mapping(const struct umsim_host_mapping *piece)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)umsim_gpu_process_id(0));
    for (uintptr_t at = piece->start; at < piece->end;) {
        struct umsim_mapping theirs;
        if (!find(path, at, &theirs) || theirs.protection[3] != 's' || theirs.file != piece->file ||
            theirs.offset + (at - theirs.start) != piece->offset + (at - piece->start))
            return false;
        at = theirs.end;
    }
    return true;
}
