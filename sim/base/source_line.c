/**
 * @file source_line.c
 * @brief Finds source lines with addr2line, which reads the debug information (source_line.h).
 *
 * addr2line is run only after something has failed.
 */
#include "source_line.h"
#include "libc.h"
#include "library.h"
#include "python_place.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs addr2line and puts its output into `out`: two lines (function, place) for each inlined caller, the
 * innermost first. */
static size_t ask_addr2line(const char *file, uintptr_t offset, char *out, size_t size)
{
    char address[32];
    snprintf(address, sizeof address, "0x%lx", (unsigned long)offset);
    char *arguments[] = {"addr2line", "-f", "-C", "-i", "-e", (char *)file, address, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int failed = posix_spawnp(&child, "addr2line", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; !failed && length < size - 1 &&
                      (got = umsim_real_read(ends[0], out + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    if (!failed)
        waitpid(child, NULL, 0);
    out[length] = 0;
    return length;
}

/* Inline functions of CUDA's header, and of ours in folders. */
static bool is_header(const char *path, const char *name)
{
    static const char *const ours[] = {"include/umsim/", "include/cuda/detail/"};
    bool found = strncmp(name, "cuda_runtime", 12) == 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const size_t length = strlen(ours[i]);
        found |= (size_t)(name - path) >= length && strncmp(name - length, ours[i], length) == 0;
    }
    return found;
}

#define CLOSURE "::{lambda(uint3" /* a kernel's closure: umsim/abi.h */

/* A closure's own name is meaningless; the name of the function around it contains the kernel's. */
static const char *around(const char *function, char *rest)
{
    const bool is_closure = strncmp(function, "operator()", 10) == 0;
    for (char *line; is_closure && (line = strsep(&rest, "\n"));)
        if (strstr(line, CLOSURE))
            return line;
    return is_closure ? "" : function;
}

/* Finds the innermost place in the user's own code, and writes its function to `function`.
 * @return "file:line", or NULL if there is none */
static const char *users_line(char *lines, const char **function)
{
    char *rest = lines;
    for (char *line; (*function = strsep(&rest, "\n")) && (line = strsep(&rest, "\n"));) {
        char *name = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
        name[strcspn(name, " ")] = 0; /* "(discriminator 3)" */
        if (*name && !strchr(name, '?') && !is_header(line, name)) {
            *function = around(*function, rest);
            return name;
        }
    }
    return NULL;
}

/* Behind `umsim::threads<`, or another form (sim/include/umsim), in front of a kernel's body. */
static const char *behind_form(const char *name)
{
    static const char ours[] = "umsim::";
    const char *const form = name + sizeof ours - 1;
    if (strncmp(name, ours, sizeof ours - 1) != 0)
        return name;
    const char *const end = form + strspn(form, "abcdefghijklmnopqrstuvwxyz_");
    return *end == '<' ? end + 1 : name;
}

/* Copies a function's name. A kernel's body is a closure in its stub: "umsim::threads<scale(float*,
 * int)::{lambda(uint3, ...". */
static void copy_function(const char *name, char *out, size_t size)
{
    static const char none[] = "void "; /* a template's return type is first */
    const char *closure = strstr(name, CLOSURE);
    if (closure)
        name = behind_form(name);
    if (strncmp(name, none, sizeof none - 1) == 0)
        name += sizeof none - 1;
    const int shown = closure ? (int)(closure - name) : (int)strlen(name);
    snprintf(out, size, "%.*s", shown, strchr(name, '?') ? "" : name);
}

void umsim_source_place(const void *return_address, char *function, size_t function_size, char *text,
                        size_t size)
{
    struct umsim_library library;
    Dl_info where = {0};
    uintptr_t call = (uintptr_t)return_address - 1;
    if (function_size)
        *function = 0;
    if (umsim_python_place_text(return_address)) {
        snprintf(text, size, "%s", umsim_python_place_text(return_address));
        return;
    }
    if (!return_address || !umsim_library_of((void *)call, &library)) {
        snprintf(text, size, "an unknown place");
        return;
    }
    char lines[8192];
    const char *file = library.file[0] ? library.file : "/proc/self/exe";
    char program[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (!library.file[0] && length > 0) {
        program[length] = 0;
        file = program;
    }
    const char *inside = NULL;
    const char *line =
        ask_addr2line(file, call - library.base, lines, sizeof lines) ? users_line(lines, &inside) : NULL;
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    if (line && function_size)
        copy_function(inside, function, function_size);
    if (line)
        snprintf(text, size, "%s", line);
    else if (dladdr((void *)call, &where) && where.dli_sname)
        snprintf(text, size, "%s+0x%lx", where.dli_sname, (unsigned long)(call - (uintptr_t)where.dli_saddr));
    else
        snprintf(text, size, "%s+0x%lx", name, (unsigned long)(call - library.base));
}

void umsim_source_line(const void *return_address, char *text, size_t size)
{
    umsim_source_place(return_address, NULL, 0, text, size);
}

void umsim_source_lines(const char *text, char *out, size_t size)
{
    size_t used = 0;
    char place[256];
    while (*text && used + 1 < size) {
        const size_t plain = strcspn(text, "\001");
        const int written = snprintf(out + used, size - used, "%.*s", (int)plain, text);
        used += written > 0 ? (size_t)written : 0;
        text += plain;
        if (!*text || used + 1 >= size)
            break;
        umsim_source_line((const void *)(uintptr_t)strtoull(text + 1, NULL, 16), place, sizeof place);
        const int line = snprintf(out + used, size - used, "%s", place);
        used += line > 0 ? (size_t)line : 0;
        text += strcspn(text, "\002");
        text += *text == '\002';
    }
    out[used < size ? used : size - 1] = 0;
}
