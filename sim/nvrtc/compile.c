/**
 * @file compile.c
 * @brief Compiling a program: its texts become files in a folder of its own, and umcc makes a module of them.
 *
 * umcc is a process: what it prints is the log. It has the environment of this one, but not the library that
 * this one has loaded first.
 */
#define _GNU_SOURCE
#include "beside.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/** umcc's status where its options are wrong. */
#define UMCC_USAGE 2
/** Of a path of a temporary folder. */
#define FOLDER_BYTES 1024

__attribute__((format(printf, 2, 3))) static nvrtcResult fail(nvrtcProgram program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    free(program->log);
    if (vasprintf(&program->log, format, arguments) < 0)
        program->log = NULL;
    va_end(arguments);
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

/* ---- files ---- */

/* Writes DIR/NAME, and makes the folders that the name has. */
static bool write_text(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return false;
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *at = '/';
    }
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    const bool whole = fputs(text, file) >= 0;
    return fclose(file) == 0 && whole;
}

/* @return the file's bytes, with a NUL behind; NULL: there is none, or no memory */
static char *read_bytes(const char *folder, const char *name, size_t *bytes)
{
    char path[PATH_MAX];
    struct stat is;
    char *text = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (file && fstat(fileno(file), &is) == 0 && (text = malloc((size_t)is.st_size + 1))) {
        *bytes = fread(text, 1, (size_t)is.st_size, file);
        text[*bytes] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

static int remove_one(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    (void)is, (void)kind, (void)at;
    return remove(path);
}

/* ---- umcc ---- */

static bool find_umcc(char path[PATH_MAX])
{
    const char *named = getenv("UMCC");
    if (named && named[0])
        return snprintf(path, PATH_MAX, "%s", named) < PATH_MAX && access(path, X_OK) == 0;
    return umsim_beside((void *)(uintptr_t)nvrtcVersion, "bin/umcc", path);
}

/* @return its wait status; -1: it could not be started */
static int run(const char *folder, char *const argv[])
{
    char log[PATH_MAX];
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    char **environment = umsim_compilers_environment();
    snprintf(log, sizeof log, "%s/log", folder);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    if (environment && posix_spawn(&child, argv[0], &files, NULL, argv, environment) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return status;
}

/* NVRTC's options that umcc has no word for, because they ask for what is so here, or for nothing that it
 * makes. */
static bool means_nothing(const char *option)
{
    static const char *const none[] = {"--device-as-default-execution-space",
                                       "-default-device",
                                       "--pch",
                                       "-pch",
                                       "--minimal",
                                       "-minimal",
                                       "--no-source-include",
                                       "-no-source-include",
                                       "--relocatable-device-code",
                                       "-dlto",
                                       "--dlink-time-opt",
                                       "-dopt",
                                       "--dopt",
                                       "--split-compile",
                                       "--device-debug-info"};
    const size_t length = strcspn(option, "=");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strlen(none[i]) == length && strncmp(none[i], option, length) == 0)
            return true;
    return false;
}

/* A folder of NVIDIA's headers, which packages bring along: the simulator's have the same names, and stand
 * for them. */
static bool has_other_headers(const char *option)
{
    static const char *const words[] = {"--include-path=", "-I"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(option, words[i], length) == 0)
            return snprintf(path, sizeof path, "%s/cuda_fp16.h", option + length) < (int)sizeof path &&
                   access(path, R_OK) == 0;
    }
    return false;
}

/* Writes the program's texts. @return whether all of it is there */
static bool write_program(nvrtcProgram program, const char *folder)
{
    char *text = umsim_nvrtc_source(program);
    bool written = text && write_text(folder, "program.cu", text);
    for (int i = 0; written && i < program->headers_count; i++) {
        char name[PATH_MAX];
        written = snprintf(name, sizeof name, "include/%s", program->headers[i].name) < (int)sizeof name &&
                  write_text(folder, name, program->headers[i].text);
    }
    free(text);
    return written;
}

static nvrtcResult compile_in(nvrtcProgram program, const char *folder, int count, const char *const *options)
{
    char umcc[PATH_MAX], source[PATH_MAX], include[PATH_MAX], output[PATH_MAX];
    char *const fixed[] = {umcc, "--cubin", "-o", output, "-D__CUDACC_RTC__", include, source};
    int argc = sizeof fixed / sizeof *fixed;
    size_t bytes;
    if (!find_umcc(umcc))
        return fail(program, "nvrtc: there is no umcc beside the simulator's library; UMCC=FILE names one\n");
    snprintf(source, sizeof source, "%s/program.cu", folder);
    snprintf(include, sizeof include, "-I%s/include", folder);
    snprintf(output, sizeof output, "%s/module", folder);
    char **argv = calloc((size_t)count + sizeof fixed / sizeof *fixed + 1, sizeof *argv);
    if (!argv || !write_program(program, folder)) {
        free(argv);
        return fail(program, "nvrtc: the program cannot be written to %s: %s\n", folder, strerror(errno));
    }
    memcpy(argv, fixed, sizeof fixed);
    for (int i = 0; i < count; i++)
        if (!means_nothing(options[i]) && !has_other_headers(options[i]))
            argv[argc++] = (char *)(uintptr_t)options[i];
    const int status = run(folder, argv);
    free(argv);
    if (status == -1)
        return fail(program, "nvrtc: umcc cannot be started: %s\n", strerror(errno));
    program->log = read_bytes(folder, "log", &bytes);
    if (status == 0)
        program->image = read_bytes(folder, "module", &program->bytes);
    if (WIFEXITED(status) && WEXITSTATUS(status) == UMCC_USAGE)
        return NVRTC_ERROR_INVALID_OPTION;
    return program->image ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult umsim_nvrtc_compile(nvrtcProgram program, int count, const char *const *options)
{
    char folder[FOLDER_BYTES];
    const char *temporary = getenv("TMPDIR");
    if (snprintf(folder, sizeof folder, "%s/umlab-nvrtc-XXXXXX",
                 temporary && temporary[0] ? temporary : "/tmp") >= (int)sizeof folder ||
        !mkdtemp(folder))
        return fail(program, "nvrtc: no folder for files: %s: %s\n", folder, strerror(errno));
    const nvrtcResult result = compile_in(program, folder, count, options);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return result;
}
