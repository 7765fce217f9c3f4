/**
 * @file shared_file.c
 * @brief Implementation of shared_file.h.
 */
#include "shared_file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

static void name_of(char *name, uint64_t token)
{
    snprintf(name, NAME_BYTES, "umsim-shared-%016" PRIx64, token);
}

bool umsim_shared_file_make(struct umsim_shared_file *out, size_t bytes)
{
    char name[NAME_BYTES];
    uint64_t token;
    if (getrandom(&token, sizeof token, 0) != sizeof token)
        return false;
    name_of(name, token);
    const int file = umsim_memory_file(name, bytes);
    *out = (struct umsim_shared_file){token, bytes, (int32_t)getpid(), file};
    return file >= 0;
}

/* What the system calls a file that is in no folder. */
static bool is_named(const char *path, uint64_t token)
{
    char name[NAME_BYTES], wanted[2 * NAME_BYTES], found[2 * NAME_BYTES];
    name_of(name, token);
    snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", name);
    const ssize_t length = readlink(path, found, sizeof found);
    return length == (ssize_t)strlen(wanted) && memcmp(found, wanted, (size_t)length) == 0;
}

int umsim_shared_file_open(const struct umsim_shared_file *it)
{
    char path[NAME_BYTES];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)it->process, (int)it->file);
    errno = 0;
    if (!is_named(path, it->token)) {
        errno = errno == EACCES ? EACCES : ENOENT;
        return -1;
    }
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && (uint64_t)status.st_size == it->bytes)
        return file;
    close(file);
    errno = ENOENT;
    return -1;
}

void umsim_shared_file_close(const struct umsim_shared_file *it)
{
    close(it->file);
}
