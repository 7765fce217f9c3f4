/**
 * @file precompiled.c
 * @brief Makes and finds headers that were compiled beforehand (precompiled.h).
 *
 * What a program has to be is in one file, so that it is replaced as a whole: the compiler with all its
 * options, of which the file's name is a hash; the names that a program must not mention (seldom.c); the text
 * that it has to begin with. What g++ made of that text has a hash of it in its name.
 */
#define _GNU_SOURCE
#include "precompiled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between these lines of a preprocessed file are the headers that umcc includes. */
static const char begin_line[] = "# 0 \"<command-line>\"\n", end_line[] = "\n# 0 \"<command-line>\" 2\n";

/* ---- which files ---- */

/* Messages are about the user's text, and what is compiled is the same with all of them. */
static bool is_for_messages(const char *option)
{
    return strcmp(option, "-w") == 0 || strncmp(option, "-fdiagnostics-", 14) == 0 ||
           (strncmp(option, "-W", 2) == 0 && !(option[2] != '\0' && option[3] == ','));
}

/* The compiler's file: another one is another compiler. */
static bool add_compiler(const struct umcc_drive *d, struct umcc_text *key)
{
    const char *name = d->o->compiler, *path = strchr(name, '/') ? NULL : getenv("PATH");
    const char *file = name;
    struct stat is;
    bool found = !path && stat(name, &is) == 0;
    while (path && *path && !found) {
        const int length = (int)strcspn(path, ":");
        file = umcc_printf("%.*s/%s", length, path, name);
        found = access(file, X_OK) == 0 && stat(file, &is) == 0;
        path += length + (path[length] == ':');
    }
    if (found)
        umcc_text_printf(key, "%s\n%jd %jd %jd\n", file, (intmax_t)is.st_ino, (intmax_t)is.st_size,
                         (intmax_t)is.st_mtime);
    return found;
}

/* Eight bytes at a time: it is made of a megabyte for each program. */
static uint64_t hash_of(const char *text)
{
    const size_t length = strlen(text);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, text + i, length - i < sizeof word ? length - i : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* @return the path of the files for the form d->form, without endings; NULL: there can be none
 * @param key gets the compiler and its options */
static const char *find_files(struct umcc_drive *d, struct umcc_text *key)
{
    struct umcc_list c = {0};
    umcc_start_command(d, &c, UMCC_CUDA, "c++-header");
    umcc_add_compiling(d, &c, UMCC_CUDA);
    const bool found = add_compiler(d, key);
    for (int i = 1; i < c.count; i++)
        if (!is_for_messages(c.items[i]))
            umcc_text_printf(key, "%s\n", c.items[i]);
    free(c.items);
    return found ? umcc_printf("%s/lib/umlab/headers/%016" PRIx64, d->places->prefix, hash_of(key->data))
                 : NULL;
}

/* Where g++ keeps the headers `text`. */
static const char *compiled_name(const char *files, const char *text)
{
    return umcc_printf("%s-%016" PRIx64 ".gch", files, hash_of(text));
}

/* What a program has to be. */
struct demands {
    struct umcc_text file;
    const char *key, *names, *headers; /* in the file, each ended by a NUL */
};

static bool read_demands(const char *path, struct demands *demands)
{
    if (access(path, R_OK) != 0 || umcc_read_file(path, &demands->file) != UMCC_OK || !demands->file.data)
        return false;
    const char *end = demands->file.data + demands->file.length;
    demands->key = demands->file.data;
    demands->names = demands->key + strlen(demands->key) + 1;
    demands->headers = demands->names < end ? demands->names + strlen(demands->names) + 1 : end;
    return demands->headers < end;
}

/* ---- a program ---- */

bool umcc_shorten(struct umcc_drive *d, const struct umcc_text *rewritten, struct umcc_text *shorter)
{
    struct umcc_text key = {0};
    struct demands demands = {{0}, NULL, NULL, NULL};
    const char *files = d->o->keep ? NULL : find_files(d, &key);
    const char *from = rewritten->data ? strstr(rewritten->data, begin_line) : NULL, *behind = NULL;
    if (files && from && read_demands(umcc_printf("%s.headers", files), &demands) &&
        strcmp(key.data, demands.key) == 0) {
        const size_t length = strlen(demands.headers);
        from += sizeof begin_line - 1;
        behind = strncmp(from, demands.headers, length) == 0 ? from + length : NULL;
    }
    if (behind && umcc_mentions_any(demands.names, behind))
        behind = NULL;
    if (behind) {
        umcc_text_add(shorter, rewritten->data, (size_t)(from - rewritten->data));
        umcc_text_printf(shorter, "#pragma GCC pch_preprocess \"%s\"\n",
                         compiled_name(files, demands.headers));
        umcc_text_add(shorter, behind, rewritten->length - (size_t)(behind - rewritten->data));
    }
    umcc_text_free(&key);
    umcc_text_free(&demands.file);
    return behind;
}

/* ---- making them ---- */

/* Cuts out of a program that is empty what its headers are. */
static bool cut_headers(const struct umcc_text *program, struct umcc_text *headers)
{
    const char *begin = program->data ? strstr(program->data, begin_line) : NULL, *end = NULL;
    for (const char *at = begin; at && (at = strstr(at, end_line)); at++)
        end = at;
    if (!end)
        return false;
    begin += sizeof begin_line - 1;
    umcc_text_add(headers, begin, (size_t)(end + sizeof end_line - 1 - begin));
    return true;
}

/* Makes the folder that the files are in, if it can. */
static void make_folder(const struct umcc_drive *d)
{
    static const char *const folders[] = {"lib", "lib/umlab", "lib/umlab/headers"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdir(umcc_printf("%s/%s", d->places->prefix, folders[i]), 0777);
}

/* Replaces the file as a whole. */
static int write_demands(struct umcc_drive *d, const char *path, const struct umcc_text *text)
{
    struct umcc_result result;
    if (!umcc_start_result(d, path, &result))
        return UMCC_FAILED;
    const int status = umcc_write_file(result.temporary, text);
    return status == UMCC_OK ? umcc_finish_result(d, &result) : status;
}

/* Has g++ compile the headers. What it says of them is of no use to anybody. */
static int compile_headers(struct umcc_drive *d, const struct umcc_text *rest, const char *path)
{
    struct umcc_list c = {0};
    struct umcc_result result;
    const char *source = umcc_temporary_name(d, "headers", ".ii");
    const char *messages = umcc_temporary_name(d, "headers", ".messages");
    if (!source || !messages || !umcc_start_result(d, path, &result) ||
        umcc_write_file(source, rest) != UMCC_OK)
        return UMCC_FAILED;
    umcc_start_command(d, &c, UMCC_CUDA, "c++-header");
    umcc_list_add(&c, "-fpreprocessed");
    umcc_add_compiling(d, &c, UMCC_CUDA);
    umcc_list_add(&c, source);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, result.temporary);
    const int status = umcc_execute(d, &c, messages);
    return status == UMCC_OK ? umcc_finish_result(d, &result) : status;
}

int umcc_precompile_headers(struct umcc_drive *d, const struct umcc_text *rewritten)
{
    struct umcc_text all = {0}, headers = {0}, rest = {0}, names = {0};
    struct demands before = {{0}, NULL, NULL, NULL};
    const char *files = find_files(d, &all), *compiled = NULL;
    int status = files && cut_headers(rewritten, &headers) ? UMCC_OK : UMCC_FAILED;
    if (status == UMCC_OK)
        status = umcc_leave_out_seldom(&headers, &rest, &names);
    if (status == UMCC_OK) {
        make_folder(d);
        compiled = compiled_name(files, headers.data);
        status = compile_headers(d, &rest, compiled);
    }
    if (status == UMCC_OK) {
        const char *path = umcc_printf("%s.headers", files);
        if (read_demands(path, &before) && strcmp(compiled, compiled_name(files, before.headers)) != 0)
            unlink(compiled_name(files, before.headers));
        umcc_text_add(&all, "", 1);
        umcc_text_printf(&all, "%s", names.data ? names.data : "");
        umcc_text_add(&all, "", 1);
        umcc_text_add(&all, headers.data, headers.length);
        status = write_demands(d, path, &all);
    }
    umcc_text_free(&before.file);
    umcc_text_free(&all);
    umcc_text_free(&headers);
    umcc_text_free(&rest);
    umcc_text_free(&names);
    return status;
}
