/**
 * @file fuzz_rewrite.c
 * @brief What tests/umcc/fuzz.py feeds with mutated sources: umcc's passes in one process, under sanitizers.
 *
 *     fuzz_rewrite SECONDS < paths
 *
 * Each line of the input names a file of preprocessed source. For each it prints its path, the number of
 * errors and of bytes that were made of it, and ends by SIGPROF when that takes more than SECONDS of
 * processor time. Exit status 1: a rule of umcc's is broken, stderr says which.
 */
#define _GNU_SOURCE
#include "sim/umcc/umcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(1);
}

static struct umcc_text read_all(const char *path)
{
    struct umcc_text text = {0};
    char buffer[65536];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail(path, "cannot be read");
    umcc_text_add(&text, "", 0);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        umcc_text_add(&text, buffer, n);
    fclose(file);
    return text;
}

/* Each message is a line of its own: a place, then what is wrong. */
static void check_messages(const char *path, const struct umcc_unit *unit)
{
    if (unit->errors > 0 && unit->messages.length == 0)
        fail(path, "refused without a message");
    if (unit->messages.length > 0 && strstr(unit->messages.data, ": error: ") == NULL)
        fail(path, "a message that is no error");
}

/* Where the source asks which side it is compiled for, the driver merges two texts: here the text with
 * itself. */
static void merge(const char *path, struct umcc_text *source)
{
    struct umcc_unit host = {0}, device = {0};
    struct umcc_text merged = {0};
    umcc_tokenize(&host, source->data, source->length);
    umcc_tokenize(&device, source->data, source->length);
    if (host.errors + device.errors == 0 && umcc_merge_arch(&host, &device, &merged) != 0)
        fail(path, "a source does not merge with itself");
    umcc_unit_free(&host);
    umcc_unit_free(&device);
    umcc_text_free(&merged);
}

/* @return the number of errors; `made` gets the bytes that were made of it */
static int rewrite_as(const char *path, const struct umcc_text *source, bool keyed, size_t *made)
{
    struct umcc_unit unit = {.keyed = keyed, .keyed_except = "some,main"};
    struct umcc_text out = {0};
    const int errors = umcc_rewrite(&unit, source->data, source->length, &out);
    check_messages(path, &unit);
    if (errors > 0 && out.length > 0)
        fail(path, "output where it failed");
    *made = out.length;
    umcc_unit_free(&unit);
    umcc_text_free(&out);
    return errors;
}

static void rewrite(const char *path)
{
    struct umcc_text source = read_all(path);
    size_t made, keyed;
    if (umcc_mentions_arch(source.data, source.length))
        merge(path, &source);
    const int errors = rewrite_as(path, &source, false, &made);
    if (rewrite_as(path, &source, true, &keyed) < errors)
        fail(path, "--keyed takes what is refused without");
    printf("%s %d %zu\n", path, errors, made);
    umcc_text_free(&source);
}

int main(int argc, char **argv)
{
    const long limit = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        const struct itimerval timer = {.it_value = {.tv_sec = limit}};
        setitimer(ITIMER_PROF, &timer, NULL);
        rewrite(path);
        fflush(stdout);
    }
    return 0;
}
