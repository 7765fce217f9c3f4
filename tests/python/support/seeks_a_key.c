/**
 * @file seeks_a_key.c
 * @brief An exercise.c for lab 1 that looks for the course's key, in all files, texts and memory that it
 * reaches.
 *
 * Its test defines KEY_PATHS, a list of where the key is, and INVERTED, the key's text with each bit
 * inverted: the text itself would stand in this program's memory.
 */
#include "exercise.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 32, BYTES = DIGITS / 2, MOST = 256 << 20, PROCESSES = 1 << 17 };
static const unsigned char inverted[DIGITS] = {INVERTED};
static unsigned searched;
static sigjmp_buf back;

static int value(int i)
{
    const int c = inverted[i] ^ 0xff;
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static int is_text(const unsigned char *at)
{
    for (int i = 0; i < DIGITS; i++)
        if (at[i] != (inverted[i] ^ 0xff))
            return 0;
    return 1;
}

static int are_bytes(const unsigned char *at)
{
    for (int i = 0; i < BYTES; i++)
        if (at[i] != (value(2 * i) << 4 | value(2 * i + 1)))
            return 0;
    return 1;
}

/* Skips quickly what begins neither as the key's text nor as its bytes. */
static void search(const unsigned char *at, size_t size, const char *where)
{
    const int first = inverted[0] ^ 0xff, byte = value(0) << 4 | value(1);
    searched++;
    for (size_t i = 0; i + DIGITS <= size; i++)
        if ((at[i] == first && is_text(at + i)) || (at[i] == byte && are_bytes(at + i)))
            printf("HARM: the key is in %s\n", where);
}

static void search_file(const char *path)
{
    static unsigned char text[1 << 16];
    const int fd = open(path, O_RDONLY);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (got > 0)
        search(text, (size_t)got, path);
    memset(text, 0, sizeof text);
    if (fd >= 0)
        close(fd);
}

static void search_processes(void)
{
    static const char *const files[] = {"environ", "cmdline", "fd/3", "fd/4", "fd/5"};
    char path[400];
    for (int process = 1; process < PROCESSES; process++)
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            snprintf(path, sizeof path, "/proc/%d/%s", process, files[i]);
            search_file(path);
        }
}

static void cannot_be_read(int number)
{
    siglongjmp(back, number);
}

/* What is readable, as far as a touch of it does not say otherwise: the simulator closes pages, too. */
static void search_memory(void)
{
    static char maps[1 << 16];
    const int fd = open("/proc/self/maps", O_RDONLY);
    size_t size = 0;
    for (ssize_t got;
         fd >= 0 && size < sizeof maps - 1 && (got = read(fd, maps + size, sizeof maps - 1 - size)) > 0;)
        size += (size_t)got;
    signal(SIGBUS, cannot_be_read);
    signal(SIGSEGV, cannot_be_read);
    for (char *line = strtok(maps, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long from, to;
        char may[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, may) == 3 && may[0] == 'r' && to - from <= MOST &&
            !strstr(line, "[v") && sigsetjmp(back, 1) == 0)
            search((const unsigned char *)from, to - from, line);
    }
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static const char *const paths[] = {KEY_PATHS};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        search_file(paths[i]);
    search_processes();
    const unsigned before = searched;
    search_memory();
    printf("SEARCHED: %s\n", before > 0 && searched > before + 10 ? "processes, memory" : "too little");
    printf("%u texts, %u pieces of memory\n", before, searched - before);
    (void)c, (void)a, (void)b, (void)n;
    return cudaErrorNotSupported;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
