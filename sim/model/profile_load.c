/**
 * @file profile_load.c
 * @brief Finds and reads profile files, and follows their bases.
 *
 * It is the only file of sim/model that makes system calls.
 */
#include "profile.h"
#include "profile_known.h"
#include "profile_parse.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A profile has a few tens of kilobytes. A path given by mistake (a device, a core dump) must not be read
 * whole. */
#define LARGEST_FILE ((size_t)1 << 20)

/* The deepest chain of bases: a deeper one is circular. */
#define DEEPEST_BASE 8

#define PATH_SIZE 4096

/** What stays the same while one profile and its bases are loaded. */
struct load {
    const char *const *dirs;
    size_t count;
    struct umsim_profile_draft *draft;
    char *error;
    size_t error_size;
};

static int is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static int file_exists(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

/** Tries DIR/NAME.json, where DIR has `length` characters.
 * @return 1 when it is there. */
static int try_dir(const char *dir, size_t length, const char *name, char path[PATH_SIZE])
{
    int n = snprintf(path, PATH_SIZE, "%.*s/%s.json", (int)length, length ? dir : ".", name);
    return n > 0 && n < PATH_SIZE && file_exists(path);
}

/** Finds the file for a name: beside `beside` (a path, or NULL) first, then in the folders. */
static int find(const struct load *load, const char *name, const char *beside, char path[PATH_SIZE])
{
    if (is_path(name)) {
        if ((size_t)snprintf(path, PATH_SIZE, "%s", name) < PATH_SIZE)
            return 0;
        snprintf(load->error, load->error_size, "profile: path too long");
        return -1;
    }
    if (beside) {
        const char *slash = strrchr(beside, '/');
        if (slash ? try_dir(beside, (size_t)(slash - beside) + (slash == beside), name, path)
                  : try_dir(".", 1, name, path))
            return 0;
    }
    for (size_t i = 0; i < load->count; i++)
        if (try_dir(load->dirs[i], strlen(load->dirs[i]), name, path))
            return 0;
    snprintf(load->error, load->error_size,
             "no profile named \"%s\" (looked for %s.json in %zu folder%s%s%s)", name, name, load->count,
             load->count == 1 ? "" : "s", load->count ? ", first " : "", load->count ? load->dirs[0] : "");
    return -1;
}

/** Reads a whole file. @return memory to free, or NULL with the error set. By lines: fread() is one of those
 * that the simulator wraps, and this runs while it starts. */
static char *read_file(const struct load *load, const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(LARGEST_FILE + 2) : NULL;
    errno = file ? errno : errno ? errno : EIO;
    const char *reason = file ? (text ? NULL : "out of memory") : strerror(errno);
    if (text) {
        *length = 0;
        while (*length <= LARGEST_FILE && fgets(text + *length, (int)(LARGEST_FILE + 2 - *length), file))
            *length += strlen(text + *length);
        const long place = ftell(file); /* -1: a pipe */
        if (ferror(file))
            reason = strerror(errno);
        else if (*length > LARGEST_FILE)
            reason = "larger than 1 MiB: not a profile";
        else if (place >= 0 && (size_t)place != *length)
            reason = "it has zero bytes: not a profile";
    }
    if (file)
        fclose(file);
    if (!reason)
        return text;
    free(text);
    snprintf(load->error, load->error_size, "%s: %s", path, reason);
    return NULL;
}

/** Puts "FILE: " in front of the error line that the parser wrote. */
static int blame(const struct load *load, const char *path)
{
    char line[512];
    snprintf(line, sizeof line, "%s", load->error_size ? load->error : "");
    const char *slash = strrchr(path, '/');
    snprintf(load->error, load->error_size, "%s: %s", slash ? slash + 1 : path, line);
    return -1;
}

/** Takes the figures over, if this very text was read when the library was built. */
static bool is_known(const char *text, size_t length, struct umsim_profile *profile)
{
    const struct umsim_known_profile *known = &umsim_known_profile;
    if (!known || known->size != sizeof *profile || known->length != length ||
        memcmp(known->text, text, length) != 0)
        return false;
    memcpy(profile, known->figures, sizeof *profile);
    return true;
}

static int load_file(const struct load *load, const char *name, const char *beside, int depth)
{
    char path[PATH_SIZE], base[UMSIM_PROFILE_BASE];
    if (find(load, name, beside, path))
        return beside ? blame(load, beside) : -1;
    if (depth > DEEPEST_BASE) {
        snprintf(load->error, load->error_size,
                 "base: profiles that are each other's base, or more than %d deep", DEEPEST_BASE);
        return blame(load, path);
    }
    size_t length = 0;
    char *text = read_file(load, path, &length);
    if (!text)
        return -1;
    if (depth == 0 && is_known(text, length, load->draft->profile)) {
        free(text);
        return 0;
    }
    int bad = umsim_profile_parse_base(text, length, base, load->error, load->error_size);
    if (bad)
        blame(load, path);
    if (!bad && base[0])
        bad = load_file(load, base, path, depth + 1);
    if (!bad) {
        bad = umsim_profile_parse(text, length, load->draft, load->error, load->error_size);
        if (!bad && depth == 0)
            bad = umsim_profile_check(load->draft, load->error, load->error_size);
        if (bad)
            blame(load, path);
    }
    free(text);
    return bad;
}

static int load_as(const char *name, const char *beside, const char *const *dirs, size_t count,
                   struct umsim_profile *profile, char *error, size_t error_size)
{
    struct umsim_profile_draft draft = {.profile = profile};
    struct load load = {dirs, count, &draft, error, error_size};
    memset(profile, 0, sizeof *profile);
    if (error_size)
        error[0] = '\0';
    return load_file(&load, name, beside, 0);
}

int umsim_profile_load(const char *name_or_path, const char *const *dirs, size_t count,
                       struct umsim_profile *profile, char *error, size_t error_size)
{
    if (!name_or_path || !name_or_path[0]) {
        snprintf(error, error_size, "profile: empty name");
        return -1;
    }
    return load_as(name_or_path, NULL, dirs, count, profile, error, error_size);
}

/* What one program's kernels and one paging policy take to be the same on all devices.
 * @return NULL, or the figure's name; its values then */
static const char *differs(const struct umsim_attributes *a, const struct umsim_attributes *b,
                           int64_t values[2])
{
    const struct {
        const char *key;
        int64_t one, other;
    } same[] = {
        {"compute_capability_major", a->compute_capability_major, b->compute_capability_major},
        {"compute_capability_minor", a->compute_capability_minor, b->compute_capability_minor},
        {"warp_size", a->warp_size, b->warp_size},
        {"clock_rate_khz", a->clock_rate_khz, b->clock_rate_khz},
        {"managed_memory", a->managed_memory, b->managed_memory},
        {"concurrent_managed_access", a->concurrent_managed_access, b->concurrent_managed_access},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (same[i].one != same[i].other) {
            values[0] = same[i].one;
            values[1] = same[i].other;
            return same[i].key;
        }
    return NULL;
}

int umsim_profile_load_other(const char *name_or_path, const char *const *dirs, size_t count,
                             const struct umsim_profile *machine, unsigned device,
                             struct umsim_profile *profile, char *error, size_t error_size)
{
    struct load load = {dirs, count, NULL, error, error_size};
    const char *name = machine->others[device - 1];
    char path[PATH_SIZE];
    int64_t values[2];
    if (find(&load, name_or_path, NULL, path) || load_as(name, path, dirs, count, profile, error, error_size))
        return -1;
    const char *key = differs(&machine->attributes, &profile->attributes, values);
    if (key)
        snprintf(error, error_size,
                 "%s: others: attributes.%s is %lld of device 0, and %lld of %s, device %u: devices of one "
                 "machine "
                 "may not differ in it",
                 machine->name, key, (long long)values[0], (long long)values[1], name, device);
    return key ? -1 : 0;
}
