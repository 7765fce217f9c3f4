/**
 * @file memory.c
 * @brief Creates files in memory and shared mappings (memory.h).
 */
#include "memory.h"
#include "layout.h"
#include "report.h"
#include "shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/** Three pieces for each managed space, two windows for a module's sections, and the tables. */
enum { OWN_MAX = 1024 };
/** Shared memory larger than this is sparse, and lies in a file; */
#define FILE_LEAST ((size_t)4 << 20)
/** and larger than this it is left out of core files, too. */
#define SPARSE_LEAST ((size_t)64 << 20)

/* A file size limit holds for memory, too: ftruncate would raise SIGXFSZ. */
static bool is_allowed(size_t bytes)
{
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) != 0 || bytes <= most.rlim_cur;
}

int umsim_memory_file(const char *name, size_t bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    errno = EFBIG;
    if (is_allowed(bytes) && ftruncate(fd, (off_t)bytes) == 0)
        return fd;
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
}

void umsim_keep_out_of_cores(void *p, size_t bytes)
{
    madvise(p, bytes, MADV_DONTDUMP);
}

/* The simulator's own shared mappings. */
static struct {
    uintptr_t start, end;
} own[OWN_MAX];
static size_t own_count;

void umsim_note_own(const void *p, size_t bytes)
{
    if (own_count == OWN_MAX)
        umsim_die("more than %d pieces of shared memory", OWN_MAX);
    own[own_count].start = (uintptr_t)p;
    own[own_count++].end = (uintptr_t)p + bytes;
}

bool umsim_is_own(uintptr_t p)
{
    for (size_t i = 0; i < own_count; i++)
        if (p >= own[i].start && p < own[i].end)
            return true;
    return false;
}

void umsim_unmap_own(void *p, size_t bytes)
{
    for (size_t i = 0; i < own_count; i++)
        if (own[i].start == (uintptr_t)p) {
            own[i] = own[--own_count];
            munmap(p, bytes);
            return;
        }
}

/* Sparse tables are files, because anonymous shared memory counts as a whole where the system promises no
 * more than it has (vm.overcommit_memory = 2), and a file's only as it is used. */
void *umsim_try_shared_memory(size_t bytes)
{
    const int fd = bytes <= FILE_LEAST ? -1 : umsim_memory_file("umsim-table", bytes);
    const int kind = fd < 0 ? MAP_ANONYMOUS : 0;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | kind, fd, 0);
    const int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return p == MAP_FAILED ? NULL : p;
}

void *umsim_shared_memory(size_t bytes)
{
    void *p = umsim_try_shared_memory(bytes);
    if (!p)
        umsim_die("cannot map %zu bytes of shared memory: %s", bytes,
                  umsim_why_refused(errno, bytes, UMSIM_ASKED_ADDRESSES));
    if (bytes > SPARSE_LEAST)
        umsim_keep_out_of_cores(p, bytes);
    umsim_note_own(p, bytes);
    return p;
}
