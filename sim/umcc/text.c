/**
 * @file text.c
 * @brief Memory and strings of umcc: an arena for everything that lives as long as a source file, and
 * strings that grow.
 *
 * A compiler driver that runs out of memory can only report it and stop, so no function here returns NULL.
 */
#define _GNU_SOURCE
#include "umcc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct umcc_arena_block {
    struct umcc_arena_block *next;
    size_t used, size;
    max_align_t data[];
};

static void *must(void *p)
{
    if (!p) {
        fputs("umcc: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void *umcc_alloc(struct umcc_arena *arena, size_t bytes)
{
    const size_t align = sizeof(max_align_t);
    bytes = (bytes + align - 1) / align * align;
    struct umcc_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t size = bytes > 64 * 1024 ? bytes : 64 * 1024;
        block = must(calloc(1, sizeof *block + size)); /* pages that nobody touches cost nothing */
        block->next = arena->blocks;
        block->used = 0;
        block->size = size;
        arena->blocks = block;
    }
    void *p = (char *)block->data + block->used;
    block->used += bytes;
    return p;
}

void umcc_arena_free(struct umcc_arena *arena)
{
    while (arena->blocks) {
        struct umcc_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

static char *formatted(const char *format, va_list args)
{
    char *text = NULL;
    return must(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *umcc_format(struct umcc_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = formatted(format, args);
    va_end(args);
    char *copy = umcc_alloc(arena, strlen(text) + 1);
    strcpy(copy, text);
    free(text);
    return copy;
}

static void reserve(struct umcc_text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->capacity)
        return;
    size_t capacity = text->capacity == 0 ? 256 : text->capacity;
    while (capacity < need)
        capacity *= 2;
    text->data = must(realloc(text->data, capacity));
    text->capacity = capacity;
}

void umcc_text_add(struct umcc_text *text, const char *data, size_t length)
{
    reserve(text, length);
    if (length > 0)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void umcc_text_printf(struct umcc_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *more = formatted(format, args);
    va_end(args);
    umcc_text_add(text, more, strlen(more));
    free(more);
}

void umcc_text_free(struct umcc_text *text)
{
    free(text->data);
    *text = (struct umcc_text){0};
}
