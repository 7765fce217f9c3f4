/**
 * @file results.c
 * @brief The names of umcc's results, and the files that they are written to.
 *
 * A result is written to a temporary file beside its final name, and renamed when every step has succeeded.
 * So a failed run leaves no incomplete file.
 */
#define _GNU_SOURCE
#include "steps.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *umcc_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *umcc_default_name(const struct umcc_drive *d, const char *source, const char *extension)
{
    char *name = umcc_printf("%s", umcc_base_name(source));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return !d->o->output_directory ? umcc_printf("%s%s", name, extension)
                                   : umcc_printf("%s/%s%s", d->o->output_directory, name, extension);
}

const char *umcc_temporary_name(struct umcc_drive *d, const char *source, const char *extension)
{
    const char *directory = umcc_temporary_directory(d->o->dry_run);
    if (!directory)
        return NULL;
    return umcc_remove_later(
        umcc_printf("%s/%d-%s%s", directory, d->serial++, umcc_base_name(source), extension));
}

const char *umcc_intermediate_name(struct umcc_drive *d, const char *source, const char *extension)
{
    if (!d->o->keep)
        return umcc_temporary_name(d, source, extension);
    const char *directory = d->o->keep_directory;
    return !directory ? umcc_printf("%s%s", umcc_base_name(source), extension)
                      : umcc_printf("%s/%s%s", directory, umcc_base_name(source), extension);
}

bool umcc_start_result(struct umcc_drive *d, const char *path, struct umcc_result *result)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    *result = (struct umcc_result){path, path};
    if (there && S_ISDIR(status.st_mode)) {
        fprintf(stderr, "umcc: cannot write %s: it is a folder\n", path);
        return false;
    }
    if (there && !S_ISREG(status.st_mode))
        return true;
    char *folder = umcc_printf("%s", path);
    const char *parent = dirname(folder);
    if (!d->o->dry_run && access(parent, W_OK | X_OK) != 0) {
        fprintf(stderr, "umcc: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    result->temporary =
        d->o->dry_run ? path : umcc_remove_later(umcc_printf("%s.umcc-%ld", path, (long)getpid()));
    return true;
}

int umcc_finish_result(struct umcc_drive *d, const struct umcc_result *result)
{
    if (d->o->dry_run || result->path == result->temporary)
        return UMCC_OK;
    if (umcc_interrupted() || rename(result->temporary, result->path) != 0) {
        if (!umcc_interrupted())
            fprintf(stderr, "umcc: cannot write %s: %s\n", result->path, strerror(errno));
        return UMCC_FAILED;
    }
    return UMCC_OK;
}

int umcc_read_file(const char *path, struct umcc_text *text)
{
    FILE *file = fopen(path, "rb");
    char buffer[65536];
    size_t n;
    if (!file) {
        fprintf(stderr, "umcc: cannot read %s: %s\n", path, strerror(errno));
        return UMCC_FAILED;
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        umcc_text_add(text, buffer, n);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? UMCC_FAILED : UMCC_OK;
}

int umcc_write_file(const char *path, const struct umcc_text *text)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text->data, 1, text->length, file) == text->length;
    if (file)
        good &= fclose(file) == 0;
    if (!good)
        fprintf(stderr, "umcc: cannot write %s: %s\n", path, strerror(errno));
    return good ? UMCC_OK : UMCC_FAILED;
}
