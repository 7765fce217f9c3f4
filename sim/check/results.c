/**
 * @file results.c
 * @brief Implementation of results.h: a document is put together in memory and written as a whole.
 */
#include "results.h"
#include "check.h"
#include "../base/libc.h"
#include "../base/memory.h"
#include "../base/mode.h"
#include "../base/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_BYTES ((size_t)16 << 20) /* of address space; pages are used as they fill */
#define COUNT_DIGITS 20
#define AT_ONCE_BYTES ((size_t)256 << 10) /* up to here each report is written at once */

static char path[2 * PATH_MAX]; /* "": nobody wants it */
static bool is_stream;          /* no regular file: only the last document is written */
static const char *named_by;
static pid_t owner;
static struct part {
    char *text;
    size_t used;
} parts[UMSIM_RESULTS_PARTS];
static uint64_t dropped; /* reports for which there was no space */
static size_t published; /* bytes of the newest document's reports */
static bool has_failed;
static struct umsim_results_sums sums;
static atomic_int busy; /* the thread that changes or writes the document */

/* A signal handler may come here while its thread is here already. @return whether it does not */
static bool begin(void)
{
    const int me = gettid();
    for (int other = 0; !atomic_compare_exchange_weak(&busy, &other, me); other = 0) {
        if (other == me)
            return false;
        sched_yield();
    }
    return true;
}

static void end(void)
{
    atomic_store(&busy, 0);
}

/* ---- writing ---- */

static void fail(const char *what)
{
    if (!has_failed)
        umsim_say("%s=%s: %s; what was found is on stderr only", named_by, path, what);
    has_failed = true;
}

static bool put(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = umsim_real_write(file, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

static void add_checks(struct umsim_fields *head)
{
    static const char *const names[] = {"memory", "init", "race", "leak", "host", "coalescing", "api"};
    umsim_field_open(head, "checks", '[');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (umsim_checks >> i & 1)
            umsim_field_text(head, "", names[i]);
    umsim_field_close(head, '[');
}

static void add_head(struct umsim_fields *head, bool complete, int status)
{
    umsim_field_text(head, "schema", "umlab-check/1");
    umsim_field_text(head, "program", program_invocation_short_name);
    umsim_field_number(head, "process", (uint64_t)owner);
    add_checks(head);
    umsim_field_true(head, "complete", complete);
    umsim_field_text(head, "verdict", sums.errors ? "errors" : complete ? "clean" : "unknown");
    umsim_field_number(head, "errors", sums.errors);
    umsim_field_number(head, "notes", sums.notes);
    if (complete && status >= 0)
        umsim_field_number(head, "exit_status", (uint64_t)status);
    else
        umsim_field_null(head, "exit_status");
    umsim_field_number(head, "not_listed", dropped);
    umsim_field_number(head, "lost_accesses", sums.lost);
    umsim_field_open(head, "leaked", '{');
    umsim_field_number(head, "bytes", sums.leaked_bytes);
    umsim_field_number(head, "allocations", sums.leaked_allocations);
    umsim_field_close(head, '{');
}

static bool put_document(int file, bool complete, int status)
{
    static struct umsim_fields head; /* under `busy` */
    static const char *const before[UMSIM_RESULTS_PARTS] = {",\n\"reports\":[", "\n],\n\"coalescing\":["};
    head.used = 0;
    add_head(&head, complete, status);
    bool done = put(file, "{", 1) && put(file, head.text, head.used);
    for (int i = 0; i < UMSIM_RESULTS_PARTS; i++)
        done = done && put(file, before[i], strlen(before[i])) && put(file, parts[i].text, parts[i].used);
    return done && put(file, "\n]}\n", 4);
}

/* A pipe that nobody reads must not hold up the program's end. */
static int open_stream(void)
{
    const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0)
        fcntl(file, F_SETFL, O_APPEND);
    return file;
}

static int open_beside(char *name, size_t size)
{
    int file = -1;
    for (unsigned i = 0; file < 0 && i < 100; i++) {
        snprintf(name, size, "%s.%d-%u.tmp", path, (int)owner, i);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* @return 0, or an errno */
static int write_document(bool complete, int status)
{
    char name[sizeof path + 64];
    const int file = is_stream ? open_stream() : open_beside(name, sizeof name);
    if (file < 0)
        return errno;
    int error = put_document(file, complete, status) ? 0 : errno ? errno : ENOSPC;
    if (close(file) != 0 && !error) /* some file systems tell only now that the disk is full */
        error = errno;
    if (is_stream)
        return error;
    if (!error && rename(name, path) != 0)
        error = errno;
    if (error)
        unlink(name);
    return error;
}

static void publish(bool complete, int status)
{
    if (is_stream && !complete)
        return;
    const int saved = errno, error = write_document(complete, status);
    if (error)
        fail(strerror(error));
    published = parts[UMSIM_RESULTS_REPORTS].used;
    errno = saved;
}

/* ---- the file ---- */

/* The program may change its folder, and a symbolic link stays one. */
static void settle_path(const char *wish)
{
    char given[PATH_MAX], folder[PATH_MAX];
    const char *number = strstr(wish, "%p");
    if (number)
        snprintf(given, sizeof given, "%.*s%d%s", (int)(number - wish), wish, (int)owner, number + 2);
    else
        snprintf(given, sizeof given, "%s", wish);
    struct stat found, output;
    const bool exists = stat(given, &found) == 0;
    if (exists && S_ISDIR(found.st_mode))
        umsim_die("%s=%s: %s", named_by, wish, strerror(EISDIR));
    is_stream = exists && !S_ISREG(found.st_mode);
    for (int i = STDOUT_FILENO; exists && i <= STDERR_FILENO; i++)
        is_stream |= fstat(i, &output) == 0 && output.st_ino == found.st_ino && output.st_dev == found.st_dev;
    if (exists && !is_stream && realpath(given, path))
        return;
    char *slash = strrchr(given, '/');
    snprintf(path, sizeof path, "%s", given);
    if (slash == given)
        return;
    if (slash)
        *slash = 0;
    if (realpath(slash ? given : ".", folder))
        snprintf(path, sizeof path, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                 slash ? slash + 1 : given);
}

void umsim_results_open(const char *wish, const char *by)
{
    owner = getpid();
    named_by = by;
    settle_path(wish);
    for (int i = 0; i < UMSIM_RESULTS_PARTS; i++) {
        parts[i].text = mmap(NULL, PART_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (parts[i].text == MAP_FAILED)
            umsim_die("%s=%s: no memory for it", named_by, wish);
    }
    const int error = !is_stream ? write_document(false, -1) : access(path, W_OK) == 0 ? 0 : errno;
    if (error)
        umsim_die("%s=%s: %s", named_by, wish, strerror(error));
}

bool umsim_results_wanted(void)
{
    return path[0] && owner == getpid();
}

/* ---- what it holds ---- */

/* Room for the number that it ends with, which may grow. */
static size_t add(struct part *part, const struct umsim_fields *members, uint64_t count)
{
    char tail[COUNT_DIGITS + 32];
    snprintf(tail, sizeof tail, ",\"count\":%*llu}", COUNT_DIGITS, (unsigned long long)count);
    const size_t bytes = members->used + strlen(tail) + 4;
    if (members->is_cut || bytes > PART_BYTES - part->used) {
        dropped++;
        return 0;
    }
    part->used +=
        (size_t)sprintf(part->text + part->used, "%s\n{%s%s", part->used ? "," : "", members->text, tail);
    return part->used - 1 - COUNT_DIGITS;
}

size_t umsim_results_add(enum umsim_results_part part, const struct umsim_fields *members, uint64_t count)
{
    if (!umsim_results_wanted() || !begin())
        return 0;
    const size_t report = add(&parts[part], members, count);
    const size_t used = parts[UMSIM_RESULTS_REPORTS].used;
    if (part == UMSIM_RESULTS_REPORTS && (used <= AT_ONCE_BYTES || used - published > published / 8))
        publish(false, -1);
    end();
    return report;
}

void umsim_results_count(size_t report, uint64_t count)
{
    char digits[COUNT_DIGITS + 1];
    if (!report || !umsim_results_wanted() || !begin())
        return;
    snprintf(digits, sizeof digits, "%*llu", COUNT_DIGITS, (unsigned long long)count);
    memcpy(parts[UMSIM_RESULTS_REPORTS].text + report, digits, COUNT_DIGITS);
    end();
}

void umsim_results_sums(const struct umsim_results_sums *now)
{
    sums = *now;
}

bool umsim_results_close(int status)
{
    if (!umsim_results_wanted() || !begin())
        return true;
    publish(true, status);
    end();
    return !has_failed;
}
