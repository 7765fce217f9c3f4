/**
 * @file proof.c
 * @brief Implementation of proof.h: reads g++'s messages about transformed kernels.
 */
#define _GNU_SOURCE
#include "proof.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
    if (!p) {
        fputs("umcc: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

struct umcc_kernel *umcc_kernel_at(struct umcc_kernels *kernels, int number)
{
    if (number == kernels->capacity) {
        kernels->capacity = number == 0 ? 16 : number * 2;
        kernels->items = must(realloc(kernels->items, (size_t)kernels->capacity * sizeof *kernels->items));
    }
    if (number == kernels->count)
        kernels->items[kernels->count++] = (struct umcc_kernel){0};
    return &kernels->items[number];
}

void umcc_describe_kernel(struct umcc_kernel *kernel, const char *name, const char *file, int line,
                          int last_line)
{
    if (kernel->name) /* the second time, it is the same text */
        return;
    kernel->name = must(strdup(name));
    kernel->file = must(strdup(file));
    kernel->line = line;
    kernel->last_line = last_line;
}

bool umcc_any_transformed(const struct umcc_kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++)
        if (kernels->items[i].is_transformed)
            return true;
    return false;
}

/* Copies a line without the escape sequences of colours. @return the start of the next line */
static const char *read_line(const char *from, char *line, size_t size)
{
    size_t used = 0;
    for (; *from != '\0' && *from != '\n'; from++) {
        if (*from == '\033') {
            while (*from != '\0' && *from != '\n' && !isalpha((unsigned char)*from))
                from++;
            if (*from == '\0' || *from == '\n')
                break;
        } else if (used < size - 1) {
            line[used++] = *from;
        }
    }
    line[used] = '\0';
    return *from == '\n' ? from + 1 : from;
}

/* What g++ says in a line: behind `error: `, and behind the `um-probe 3: ` of a call that is still there. */
static const char *reason(const char *line)
{
    const char *error = strstr(line, "error: "), *probe = error ? strstr(error, "um-probe ") : NULL;
    const char *text = probe ? strchr(probe, ':') : NULL;
    return !error ? NULL : text ? text + 2 : error + 7;
}

static bool refuse(struct umcc_kernel *kernel, const char *why)
{
    const bool now = kernel->is_transformed && !kernel->stays_plain;
    if (now && (kernel->is_turned || kernel->is_steady)) { /* the rest is tried once more */
        kernel->stays_unturned = true;
        kernel->is_transformed = kernel->is_turned = kernel->is_steady = false;
        return true;
    }
    if (now || (kernel->stays_plain && kernel->lacks_reason)) {
        kernel->lacks_reason = !why;
        kernel->why = why ? must(strdup(why)) : NULL;
    }
    kernel->stays_plain |= now;
    return now;
}

/* `um-probe 3`, anywhere in the line. */
static bool read_probe(struct umcc_kernels *kernels, const char *line)
{
    bool any = false;
    for (const char *probe = strstr(line, "um-probe "); probe; probe = strstr(probe, "um-probe ")) {
        char *end;
        const long number = strtol(probe += 9, &end, 10);
        if (end > probe && number >= 0 && number < kernels->count)
            any |= refuse(&kernels->items[number], reason(line));
    }
    return any;
}

/* The first error behind a line such as `um-probe 3: In lambda function:` tells the reason. */
static void give_reason(struct umcc_kernels *kernels, const char *line)
{
    for (int i = 0; reason(line) && i < kernels->count; i++)
        if (kernels->items[i].lacks_reason)
            refuse(&kernels->items[i], reason(line));
}

/* `file:line:column: error: why` where the line is a kernel's. */
static bool read_place(struct umcc_kernels *kernels, const char *line)
{
    const char *error = strstr(line, "error: ");
    bool any = false;
    for (int i = 0; error && i < kernels->count; i++) {
        struct umcc_kernel *kernel = &kernels->items[i];
        const size_t length = strlen(kernel->file);
        if (strncmp(line, kernel->file, length) != 0 || line[length] != ':')
            continue;
        const long at = strtol(line + length + 1, NULL, 10);
        if (at >= kernel->line && at <= kernel->last_line)
            any |= refuse(kernel, reason(line));
    }
    return any;
}

void umcc_read_refusals(struct umcc_kernels *kernels, const char *messages)
{
    char line[4096];
    bool any = false;
    while (*messages != '\0') {
        messages = read_line(messages, line, sizeof line);
        any |= read_probe(kernels, line);
        any |= read_place(kernels, line);
        give_reason(kernels, line);
    }
    for (int i = 0; !any && i < kernels->count; i++)
        refuse(&kernels->items[i], NULL);
    for (int i = 0; i < kernels->count; i++)
        kernels->items[i].lacks_reason = false;
}

/* `guard, numbered`: what a form of umsim/rows.h, strides.h or fission.h is made by. */
static const char *transformations(const char *form)
{
    static const char *const names[][2] = {
        {"guarded_blocks", "guard"},     {"guarded_numbered_blocks", "guard, numbered"},
        {"numbered_blocks", "numbered"}, {"strides", "loop"},
        {"anonymous_strides", "loop"},   {"fission", "fission"},
        {"checked_fission", "fission"},  {"checked_strides", "loop"},
        {"turned", "fission"},           {"guarded_turned", "guard, fission"},
        {"steady_blocks", "guard"},      {"steady_numbered_blocks", "guard, numbered"},
        {"steady_fission", "fission"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (form && strcmp(form, names[i][0]) == 0)
            return names[i][1];
    return "none";
}

void umcc_print_forms(const struct umcc_kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++) {
        const struct umcc_kernel *k = &kernels->items[i];
        fprintf(stderr, "umcc: %s:%d: %s: %s%s%s%s%s\n", k->file, k->line, k->name, transformations(k->form),
                k->is_steady ? ", steady" : "", k->is_turned ? ", turned" : "", k->why ? ": " : "",
                k->why ? k->why : "");
    }
}

void umcc_print_uncut(const struct umcc_kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++) {
        const struct umcc_kernel *k = &kernels->items[i];
        if (k->stays_plain)
            fprintf(stderr, "umcc: %s:%d: %s: thread by thread where it is counted%s%s\n", k->file, k->line,
                    k->name, k->why ? ": " : "", k->why ? k->why : "");
    }
}

void umcc_kernels_free(struct umcc_kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++) {
        free(kernels->items[i].name);
        free(kernels->items[i].file);
        free(kernels->items[i].why);
    }
    free(kernels->items);
    *kernels = (struct umcc_kernels){0};
}
