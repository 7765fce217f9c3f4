/**
 * @file exec.c
 * @brief Wrappers of exec() and posix_spawn(): the next program inherits what this one believes.
 *
 * A program inherits which signals are blocked, and which are ignored. That SIGSEGV is blocked or ignored is
 * only believed here (base/signal_mask.h, base/disposition.h), so it is made real for the exec. In a child of
 * vfork() this touches the child alone.
 */
#include "../base/disposition.h"
#include "../base/processes.h"
#include "../base/signal_mask.h"
#include "wrapper.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

extern char **environ;

/* What is restored when there was no exec. */
struct truth {
    umsim_signals mask;
    bool ignored;
};

static bool is_ignored(void)
{
    const struct sigaction *wish = umsim_disposition_wish(SIGSEGV);
    return umsim_disposition_is_installed() && !(wish->sa_flags & SA_SIGINFO) && wish->sa_handler == SIG_IGN;
}

static struct truth tell_truth(void)
{
    struct truth truth = {.mask = umsim_signals_blocked(), .ignored = !umsim_in_gpu && is_ignored()};
    if (truth.mask & UMSIM_STAND_IN_BIT)
        umsim_signals_change(SIG_SETMASK, umsim_signals_for_program(truth.mask));
    if (truth.ignored)
        umsim_disposition_ignore_really(true);
    return truth;
}

/* The exec has failed, or was another process's. */
static void untell(const struct truth *truth)
{
    const int saved_errno = errno;
    if (truth->ignored)
        umsim_disposition_ignore_really(false);
    if (truth->mask & UMSIM_STAND_IN_BIT)
        umsim_signals_change(SIG_SETMASK, truth->mask);
    errno = saved_errno;
}

/* Runs one of the C library's functions, which returns only when it has failed. */
#define EXEC(call)                                                                                           \
    do {                                                                                                     \
        const struct truth truth = tell_truth();                                                             \
        const int failed = (call);                                                                           \
        untell(&truth);                                                                                      \
        return failed;                                                                                       \
    } while (0)

int execve(const char *path, char *const arguments[], char *const environment[])
{
    UMSIM_SERVED(execve);
    EXEC(real(path, arguments, environment));
}

int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    UMSIM_SERVED(execvpe);
    EXEC(real(file, arguments, environment));
}

int execvp(const char *file, char *const arguments[])
{
    return execvpe(file, arguments, environ);
}

int fexecve(int file, char *const arguments[], char *const environment[])
{
    UMSIM_SERVED(fexecve);
    EXEC(real(file, arguments, environment));
}

/* How many arguments stand behind the first, up to NULL. */
static size_t count_arguments(va_list behind)
{
    size_t count = 0;
    while (va_arg(behind, char *))
        count++;
    return count;
}

/* Makes `arguments` of the first argument and those behind it. */
#define COLLECT(first)                                                                                       \
    va_list behind;                                                                                          \
    va_start(behind, first);                                                                                 \
    const size_t count = count_arguments(behind);                                                            \
    va_end(behind);                                                                                          \
    char *arguments[count + 2];                                                                              \
    arguments[0] = (char *)(first);                                                                          \
    arguments[count + 1] = NULL;                                                                             \
    va_start(behind, first);                                                                                 \
    for (size_t i = 0; i < count; i++)                                                                       \
    arguments[i + 1] = va_arg(behind, char *)

int execl(const char *path, const char *first, ...)
{
    COLLECT(first);
    va_end(behind);
    return execve(path, arguments, environ);
}

int execlp(const char *file, const char *first, ...)
{
    COLLECT(first);
    va_end(behind);
    return execvpe(file, arguments, environ);
}

int execle(const char *path, const char *first, ...)
{
    COLLECT(first);
    (void)va_arg(behind, char *); /* the NULL */
    char *const *environment = va_arg(behind, char *const *);
    va_end(behind);
    return execve(path, arguments, environment);
}

/* Unless the program says which signals the child blocks, it blocks those of the caller. */
static const posix_spawnattr_t *with_mask(const posix_spawnattr_t *attributes, posix_spawnattr_t *copy)
{
    short flags = 0;
    sigset_t mask;
    if (attributes)
        *copy = *attributes;
    else
        posix_spawnattr_init(copy);
    posix_spawnattr_getflags(copy, &flags);
    if ((flags & POSIX_SPAWN_SETSIGMASK) || !(umsim_signals_blocked() & UMSIM_STAND_IN_BIT))
        return attributes;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    posix_spawnattr_setsigmask(copy, &mask);
    posix_spawnattr_setflags(copy, (short)(flags | POSIX_SPAWN_SETSIGMASK));
    return copy;
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    UMSIM_SERVED(posix_spawn);
    posix_spawnattr_t copy;
    return real(child, path, actions, with_mask(attributes, &copy), arguments, environment);
}

int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    UMSIM_SERVED(posix_spawnp);
    posix_spawnattr_t copy;
    return real(child, file, actions, with_mask(attributes, &copy), arguments, environment);
}
