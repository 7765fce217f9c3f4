/**
 * @file print.c
 * @brief Implementation of print.h: the GPU process's half takes the calls, the host's half formats and
 * prints.
 */
#include "print.h"
#include "../worker/worker.h"
#include "../worker/fail.h"
#include "../include/umsim/library.h"
#include "../include/umsim/types_error.h"
#include "../space/arena.h"
#include "../base/layout.h"
#include "../base/addresses.h"
#include "../base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/** The most arguments of a call; CUDA ignores further ones, too. */
#define ARGUMENTS_MAX 32
/** Bytes of records that one launch may leave, in a sparse mapping. Calls beyond that are lost. */
#define CAPACITY ((size_t)256 << 20)
#define CAPACITY_LEAST ((size_t)16 << 20)

/* The record of one call. Behind it lie `count` arguments of 8 bytes, then text: the format string and each
 * string argument. The argument of a string is the string's offset in the record. */
struct record {
    uint64_t grid, block; /* the grids of a launch are numbered in the order in which they ran */
    uint32_t bytes, count;
    bool is_assertion; /* arguments: file, line, block and thread, expression, function */
};

static struct buffer {
    atomic_size_t used;
    atomic_bool ever;
    _Alignas(UMSIM_PAGE) char data[];
} * buffer;
static size_t capacity;

/* What kind of argument a conversion takes. */
enum wants { NOTHING, WORD, LONG, REAL, POINTER, STRING };

struct conversion {
    const char *start, *end; /* from its % to just behind its letter */
    unsigned stars;
    enum wants wants;
};

static enum wants wants_of(char letter, bool is_long)
{
    switch (letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return is_long ? LONG : WORD;
    case 'c':
        return WORD;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return REAL;
    case 'p':
        return POINTER;
    case 's':
        return STRING;
    default:
        return NOTHING;
    }
}

static bool is_one_of(char c, const char *set)
{
    while (*set && *set != c)
        set++;
    return c && *set;
}

static const char *skip(const char *p, const char *set)
{
    while (is_one_of(*p, set))
        p++;
    return p;
}

#define DIGITS "0123456789"

/* Finds the next conversion at or behind `p`, of the form that CUDA's manual gives. What C has besides, such
 * as %zu and %.*f, an H200 prints unchanged, without taking an argument for it. @return false at the end of
 * the format. This runs in both processes, so it uses no libc. */
static bool next_conversion(const char *p, struct conversion *found)
{
    for (; *p; p++) {
        if (*p != '%')
            continue;
        *found = (struct conversion){.start = p++};
        p = skip(p, "#0- +");
        found->stars = *p == '*';
        p = found->stars ? p + 1 : skip(p, DIGITS);
        p = *p == '.' ? skip(p + 1, DIGITS) : p;
        const char *type = skip(p, "hl");
        found->wants = wants_of(*type, type > p && *p == 'l');
        p = type;
        found->end = *p ? p + 1 : p;
        if (found->wants != NOTHING)
            return true;
        p = found->end - 1; /* %%, and what is no conversion, is text */
    }
    return false;
}

/* ---- the GPU process ---- */

static size_t text_bytes(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length + 1;
}

/* The record is reserved after everything that the kernel points at has been read: a bad pointer ends the
 * kernel before that. */
static struct record *reserve(size_t bytes)
{
    size_t at = atomic_load(&buffer->used);
    do {
        if (at + bytes > capacity)
            return NULL;
    } while (!atomic_compare_exchange_weak(&buffer->used, &at, at + bytes));
    atomic_store_explicit(&buffer->ever, true, memory_order_relaxed);
    return (struct record *)(buffer->data + at);
}

static uint64_t block_number(void)
{
    const dim3 grid = umsim_builtins.grid_dim;
    const uint3 block = umsim_builtins.block_index;
    return block.x + (uint64_t)grid.x * (block.y + (uint64_t)grid.y * block.z);
}

struct arguments {
    uint64_t value[ARGUMENTS_MAX];
    const char *text[ARGUMENTS_MAX]; /* NULL for an argument that is not a string */
    uint32_t count;
};

static void add(struct arguments *all, uint64_t value, const char *text)
{
    if (all->count == ARGUMENTS_MAX)
        return;
    all->value[all->count] = value;
    all->text[all->count++] = text;
}

static void keep(const char *format, const struct arguments *all, bool is_assertion)
{
    size_t bytes = sizeof(struct record) + all->count * sizeof(uint64_t) + text_bytes(format);
    for (uint32_t i = 0; i < all->count; i++)
        bytes += all->text[i] ? text_bytes(all->text[i]) : 0;
    bytes = umsim_round_up(bytes, sizeof(uint64_t));
    struct record *record = reserve(bytes);
    if (!record)
        return;
    *record = (struct record){umsim_this_worker->command->number, block_number(), (uint32_t)bytes, all->count,
                              is_assertion};
    uint64_t *value = (uint64_t *)(record + 1);
    char *end = (char *)(value + all->count);
    const size_t length = text_bytes(format);
    memcpy(end, format, length);
    end += length;
    for (uint32_t i = 0; i < all->count; i++) {
        value[i] = all->value[i];
        if (!all->text[i])
            continue;
        const size_t of_string = text_bytes(all->text[i]);
        memcpy(end, all->text[i], of_string);
        value[i] = (uint64_t)(end - (char *)record);
        end += of_string;
    }
}

/* Where a call's arguments are: in registers and on the stack, or one behind another in memory, each at a
 * multiple of its size. */
struct source {
    va_list *list; /* NULL: in memory */
    const char *packed;
};

static uint64_t take_packed(struct source *from, size_t bytes)
{
    uint64_t value = 0;
    from->packed = (const char *)umsim_round_up((uintptr_t)from->packed, bytes);
    memcpy(&value, from->packed, bytes);
    from->packed += bytes;
    return value;
}

static uint64_t take_word(struct source *from)
{
    return (uint64_t)(from->list ? va_arg(*from->list, int) : (int)take_packed(from, sizeof(int)));
}

static uint64_t take_long(struct source *from)
{
    return from->list ? va_arg(*from->list, uint64_t) : take_packed(from, sizeof(uint64_t));
}

static uint64_t take_real(struct source *from)
{
    uint64_t bits;
    if (!from->list)
        return take_packed(from, sizeof bits);
    const double real = va_arg(*from->list, double);
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static int print(const char *format, struct source *from)
{
    struct arguments all = {.count = 0};
    struct conversion next;
    for (const char *p = format; all.count < ARGUMENTS_MAX && next_conversion(p, &next); p = next.end) {
        for (unsigned i = 0; i < next.stars; i++)
            add(&all, take_word(from), NULL);
        const char *text;
        switch (next.wants) {
        case REAL:
            add(&all, take_real(from), NULL);
            break;
        case STRING:
            text = (const char *)(uintptr_t)take_long(from);
            add(&all, 0, text ? text : "(null)");
            break;
        case WORD:
            add(&all, take_word(from), NULL);
            break;
        default:
            add(&all, take_long(from), NULL);
        }
    }
    keep(format, &all, false);
    return (int)all.count;
}

int umsim_printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    struct source from = {.list = &values};
    const int result = !umsim_in_kernel() ? vprintf(format, values) : !format ? -1 : print(format, &from);
    va_end(values);
    return result;
}

int umsim_printf_packed(const char *format, const void *arguments)
{
    struct source from = {.packed = arguments};
    return format ? print(format, &from) : -1;
}

void umsim_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    if (!umsim_in_kernel())
        __assert_fail(expression, file, line, function);
    const uint3 block = umsim_builtins.block_index, thread = umsim_builtins.thread_index;
    struct arguments all = {.count = 0};
    add(&all, 0, file);
    add(&all, line, NULL);
    add(&all, 0, function);
    const unsigned place[] = {block.x, block.y, block.z, thread.x, thread.y, thread.z};
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++)
        add(&all, place[i], NULL);
    add(&all, 0, expression);
    keep("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", &all, true);
    umsim_gpu_fail_in(umsim_this_worker, cudaErrorAssert, "failed an assertion", &block, &thread);
}

void umsim_trap(void)
{
    if (!umsim_in_kernel())
        abort();
    umsim_gpu_fail(umsim_this_worker, cudaErrorLaunchFailure, "called __trap()");
}

void umsim_misaligned(void)
{
    if (umsim_in_kernel())
        umsim_gpu_fail(
            umsim_this_worker, cudaErrorMisalignedAddress,
            "called an atomic function with an address that is not a multiple of the value's size");
}

bool umsim_print_pending(void)
{
    return atomic_load(&buffer->used) != 0;
}

/* ---- the host process ---- */

void umsim_print_start(void)
{
    if (!buffer) {
        capacity = umsim_addresses_share(CAPACITY, CAPACITY_LEAST);
        buffer = umsim_shared_memory(sizeof *buffer + capacity);
    }
    atomic_store(&buffer->used, 0);
}

bool umsim_print_used(void)
{
    return buffer && atomic_load(&buffer->ever);
}

/* umcc turns a kernel's body into a lambda. The kernel's name ends before the lambda's part, and its return
 * type is void. */
static void put_function(FILE *to, const char *function)
{
    const char *lambda = strstr(function, "::<lambda(");
    if (lambda)
        fprintf(to, "void %.*s", (int)(lambda - function), function);
    else
        fputs(function, to);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PUT(value) (stars == 0 ? fprintf(to, form, value) : fprintf(to, form, (int)argument[0], value))

/* Prints one conversion with its arguments, the width first. */
static void put(FILE *to, const struct record *record, const struct conversion *what,
                const uint64_t *argument)
{
    const unsigned stars = what->stars;
    char form[64];
    const size_t length = (size_t)(what->end - what->start);
    if (length >= sizeof form)
        return;
    memcpy(form, what->start, length);
    form[length] = 0;
    const uint64_t value = argument[stars];
    const char *text = (const char *)record + value;
    double real;
    switch (what->wants) {
    case STRING:
        if (record->is_assertion && strstr(text, "::<lambda("))
            put_function(to, text);
        else
            PUT(text);
        break;
    case REAL:
        memcpy(&real, &value, sizeof real);
        PUT(real);
        break;
    case WORD:
        PUT((int)value);
        break;
    default:
        PUT(value);
    }
}
#pragma GCC diagnostic pop

static void print_record(const struct record *record)
{
    FILE *to = record->is_assertion ? stderr : stdout;
    const uint64_t *argument = (const uint64_t *)(record + 1);
    const char *p = (const char *)(argument + record->count);
    struct conversion next;
    uint32_t taken = 0;
    while (next_conversion(p, &next) && taken + next.stars < record->count) {
        for (; p < next.start; p++)
            if (*p != '%' || p[1] != '%' || putc(*p++, to) == EOF) /* %% prints one % */
                putc(*p, to);
        put(to, record, &next, argument + taken);
        taken += next.stars + 1;
        p = next.end;
    }
    for (; *p; p++)
        if (*p != '%' || p[1] != '%' || putc(*p++, to) == EOF)
            putc(*p, to);
}

static int by_block(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left, *b = *(const struct record *const *)right;
    if (a->grid != b->grid)
        return a->grid < b->grid ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a < b ? -1 : a > b; /* a block runs on one worker, so its records are in order already */
}

/* Sorts the records. @return their number; `all` is NULL when there is no memory */
static size_t sort_records(const struct record ***all, size_t used)
{
    size_t count = 0;
    for (size_t at = 0; at < used; at += ((const struct record *)(buffer->data + at))->bytes)
        count++;
    *all = malloc((count + 1) * sizeof **all);
    if (!*all)
        return 0;
    count = 0;
    for (size_t at = 0; at < used; at += (*all)[count++]->bytes)
        (*all)[count] = (const struct record *)(buffer->data + at);
    qsort(*all, count, sizeof **all, by_block);
    return count;
}

/* When a block fails, other blocks may or may not have come as far. What the lowest failed block and those
 * before it printed is the same in every run. */
static size_t count_before_failure(const struct record **all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (all[i]->is_assertion) {
            const uint64_t grid = all[i]->grid, block = all[i]->block;
            for (i++; i < count && all[i]->grid == grid && all[i]->block == block;)
                i++;
            return i;
        }
    return count;
}

static unsigned long printed;

unsigned long umsim_print_count(void)
{
    return printed;
}

void umsim_print_flush(size_t limit)
{
    const size_t used = atomic_load(&buffer->used);
    const struct record **all;
    size_t count = sort_records(&all, used), bytes = 0;
    count = count_before_failure(all, count);
    size_t first = count;
    while (first > 0 && bytes + all[first - 1]->bytes <= limit)
        bytes += all[--first]->bytes;
    for (size_t i = first; i < count; i++)
        print_record(all[i]);
    printed += count - first;
    free(all);
    atomic_store(&buffer->used, 0);
    if (used > (size_t)1 << 20)
        madvise(buffer->data, capacity, MADV_REMOVE);
}
