/**
 * @file compiler.c
 * @brief The compiler's process (program.h): its start, and what is said between it and this one.
 *
 * Both hold an end of a connection, which is the other's standard input: when this process ends, the compiler
 * reads its end. It is started at the first compilation, with the Python that umpython names. A question is
 *
 *     compile|verify OPTIONS MODULES\n, for each option BYTES\n and its text, for each module BYTES\n and its
 * text
 *
 * and the answer `RESULT LOG IMAGE\n`, two of them in bytes, log, image. What breaks off ends the process,
 * and the next compilation starts another one.
 */
#define _GNU_SOURCE
#include "../include/umsim/image.h"
#include "../include/umsim/image_text.h"
#include "../include/umsim/page.h"
#include "../nvrtc/beside.h"
#include "program.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/** No answer is longer, 1 GiB. */
#define LARGEST ((size_t)1 << 30)
/** LLVM may take this long for a program, seconds; there is no telling whether it would ever end. */
#define PATIENCE 300

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pid_t pid, started_by; /* 0: there is none */
    int connection;
} compiler;

__attribute__((format(printf, 2, 3))) static nvvmResult fail(nvvmProgram program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    free(program->log);
    if (vasprintf(&program->log, format, arguments) < 0)
        program->log = NULL;
    va_end(arguments);
    return NVVM_ERROR_COMPILATION;
}

/* ---- its process ---- */

/* x86-64's ld lets segments share what is one page here: as umcc's umcc_add_page_size(). */
#if defined(__x86_64__) && UMSIM_PAGE_BYTES > 4096
#define LD_OPTION "-zmax-page-size=" UMSIM_TEXT_OF_PAGE(UMSIM_PAGE_BYTES)
#else
#define LD_OPTION NULL
#endif

static int spawn(const char *script, int connection, pid_t *pid)
{
    const char *python = getenv("UMLAB_PYTHON");
    char *const argv[] = {(char *)(uintptr_t)(python && python[0] ? python : "python3"),
                          (char *)(uintptr_t)script, LD_OPTION, NULL};
    posix_spawn_file_actions_t files;
    char **environment = umsim_compilers_environment();
    if (!environment)
        return ENOMEM;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, connection, STDIN_FILENO);
    const int error = posix_spawnp(pid, argv[0], &files, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return error;
}

static void stop(void)
{
    close(compiler.connection);
    kill(compiler.pid, SIGKILL);
    while (waitpid(compiler.pid, NULL, 0) < 0 && errno == EINTR)
        ;
    compiler.pid = 0;
}

/* A child of fork() has its parent's connection, and makes its own. */
static nvvmResult start(nvvmProgram program)
{
    char script[PATH_MAX];
    int ends[2];
    if (compiler.pid && compiler.started_by == getpid())
        return NVVM_SUCCESS;
    if (compiler.pid)
        close(compiler.connection);
    compiler.pid = 0;
    if (!umsim_beside((void *)(uintptr_t)nvvmVersion, "share/umlab/nvvm/compiler.py", script))
        return fail(program, "libnvvm: share/umlab/nvvm/compiler.py is not beside this library\n");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(program, "libnvvm: no connection to a compiler: %s\n", strerror(errno));
    const struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int error = spawn(script, ends[1], &compiler.pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        compiler.pid = 0;
        return fail(program, "libnvvm: Python cannot be started: %s; UMLAB_PYTHON=... names it\n",
                    strerror(error));
    }
    compiler.connection = ends[0];
    compiler.started_by = getpid();
    return NVVM_SUCCESS;
}

/* ---- what is said ---- */

static bool tell(const char *from, size_t bytes)
{
    while (bytes) {
        const ssize_t some = send(compiler.connection, from, bytes, MSG_NOSIGNAL);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return false;
        from += some;
        bytes -= (size_t)some;
    }
    return true;
}

static bool tell_text(const char *text, size_t bytes)
{
    char head[32];
    const int length = snprintf(head, sizeof head, "%zu\n", bytes);
    return tell(head, (size_t)length) && tell(text, bytes);
}

static bool hear(char *to, size_t bytes)
{
    while (bytes) {
        const ssize_t some = recv(compiler.connection, to, bytes, 0);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return false;
        to += some;
        bytes -= (size_t)some;
    }
    return true;
}

/* @return so many bytes and a NUL, to be freed; NULL: no more comes, or no memory */
static char *hear_bytes(size_t bytes)
{
    char *text = bytes < LARGEST ? malloc(bytes + 1) : NULL;
    if (text && !hear(text, bytes)) {
        free(text);
        return NULL;
    }
    if (text)
        text[bytes] = '\0';
    return text;
}

static bool ask(const struct _nvvmProgram *program, int count, const char *const *options, int verify)
{
    char head[80];
    int length =
        snprintf(head, sizeof head, "%s %d %zu\n", verify ? "verify" : "compile", count, program->count);
    bool told = tell(head, (size_t)length);
    for (int i = 0; told && i < count; i++)
        told = tell_text(options[i], strlen(options[i]));
    for (size_t i = 0; told && i < program->count; i++)
        told = tell_text(program->modules[i].text, program->modules[i].bytes);
    return told;
}

/* The image gets what makes it one of ours, and becomes a text. Numba looks for a name in it (cooperative
 * groups), so what the log says of an image stands behind. */
static bool take_image(nvvmProgram program, const char *object, size_t bytes, const char *notes)
{
    const struct umsim_image_end end = umsim_image_end(object, bytes);
    char *image = malloc(bytes + sizeof end), *text = NULL;
    if (image) {
        memcpy(image, object, bytes);
        memcpy(image + bytes, &end, sizeof end);
        text = umsim_image_to_text(image, bytes + sizeof end);
        free(image);
    }
    const size_t length = text ? strlen(text) : 0;
    char *whole = text ? realloc(text, length + strlen(notes) + 1) : NULL;
    if (!whole) {
        free(text);
        return false;
    }
    strcpy(whole + length, notes);
    program->result = whole;
    program->result_bytes = strlen(whole) + 1;
    return true;
}

/* @return false: the compiler has ended */
static bool answer(nvvmProgram program, nvvmResult *result)
{
    char head[80];
    size_t length = 0, log_bytes, image_bytes;
    int number;
    do
        if (length + 1 >= sizeof head || !hear(head + length, 1))
            return false;
    while (head[length++] != '\n');
    head[length] = '\0';
    if (sscanf(head, "%d %zu %zu", &number, &log_bytes, &image_bytes) != 3)
        return false;
    char *log = hear_bytes(log_bytes), *image = log ? hear_bytes(image_bytes) : NULL;
    if (image) {
        *result = (nvvmResult)number;
        if (number == NVVM_SUCCESS && image_bytes && !take_image(program, image, image_bytes, log))
            *result = NVVM_ERROR_OUT_OF_MEMORY;
        if (number != NVVM_SUCCESS) {
            program->log = log;
            log = NULL;
        }
    }
    const bool whole = image != NULL;
    free(log);
    free(image);
    return whole;
}

nvvmResult umsim_nvvm_compile(nvvmProgram program, int count, const char *const *options, int verify)
{
    nvvmResult result = NVVM_SUCCESS;
    free(program->log);
    free(program->result);
    program->log = program->result = NULL;
    program->result_bytes = 0;
    if (count < 0 || (count && !options))
        return NVVM_ERROR_INVALID_INPUT;
    if (!program->count)
        return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    pthread_mutex_lock(&lock);
    result = start(program);
    if (result == NVVM_SUCCESS && (!ask(program, count, options, verify) || !answer(program, &result))) {
        stop();
        result = fail(program, "libnvvm: the compiler has ended, or does not end: the IR makes LLVM fail, or "
                               "this Python has no llvmlite\n");
    }
    pthread_mutex_unlock(&lock);
    /* cuda.bindings drops the log */
    if (!verify && program->log && (result == NVVM_ERROR_COMPILATION || result == NVVM_ERROR_INVALID_IR))
        fputs(program->log, stderr);
    return result;
}
