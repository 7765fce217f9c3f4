/**
 * @file process.c
 * @brief Child processes, and temporary files that are removed whatever happens.
 *
 * A signal handler only notes the signal and passes it to the child. The program then ends in the ordinary
 * way, through umcc_clean_up().
 */
#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static volatile pid_t child, beside;
static struct umcc_list to_remove;
static const char *directory;

static void on_signal(int signal)
{
    caught = signal;
    if (child > 0)
        kill(child, signal);
    if (beside > 0)
        kill(beside, signal);
}

void umcc_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool umcc_interrupted(void)
{
    return caught != 0;
}

static void *must(void *p)
{
    if (!p) {
        fputs("umcc: out of memory\n", stderr);
        exit(UMCC_FAILED);
    }
    return p;
}

void umcc_list_add(struct umcc_list *list, const char *text)
{
    if (list->count + 2 > list->capacity) {
        list->capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        list->items = must(realloc(list->items, (size_t)list->capacity * sizeof *list->items));
    }
    list->items[list->count++] = (char *)text;
    list->items[list->count] = NULL;
}

void umcc_list_add_all(struct umcc_list *list, const struct umcc_list *more)
{
    for (int i = 0; i < more->count; i++)
        umcc_list_add(list, more->items[i]);
}

static char *format(const char *text, va_list args)
{
    char *result = NULL;
    if (vasprintf(&result, text, args) < 0)
        result = NULL;
    return must(result);
}

void umcc_list_printf(struct umcc_list *list, const char *text, ...)
{
    va_list args;
    va_start(args, text);
    umcc_list_add(list, format(text, args));
    va_end(args);
}

char *umcc_printf(const char *text, ...)
{
    va_list args;
    va_start(args, text);
    char *result = format(text, args);
    va_end(args);
    return result;
}

static void start_child(const struct umcc_list *command, const char *messages)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old; /* what was ignored when umcc started stays ignored, as under nohup */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == on_signal)
            signal(signals[i], SIG_DFL);
    }
    if (messages && !freopen(messages, "w", stderr))
        _exit(127);
    execvp(command->items[0], command->items);
    fprintf(stderr, "umcc: cannot run %s: %s\n", command->items[0], strerror(errno));
    _exit(127);
}

int umcc_run(const struct umcc_list *command)
{
    return umcc_run_quietly(command, NULL);
}

int umcc_run_quietly(const struct umcc_list *command, const char *messages)
{
    if (caught)
        return UMCC_FAILED;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "umcc: cannot start %s: %s\n", command->items[0], strerror(errno));
        return UMCC_FAILED;
    }
    if (pid == 0)
        start_child(command, messages);
    child = pid;
    if (caught)
        kill(pid, caught);
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return UMCC_FAILED;
    child = 0;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (!caught)
        fprintf(stderr, "umcc: %s was killed by signal %d (%s)\n", command->items[0], WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    return UMCC_FAILED;
}

bool umcc_begin_beside(void)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        beside = 0;
        if (!freopen("/dev/null", "w", stderr)) /* the other process says what there is to say */
            _exit(UMCC_FAILED);
        return true;
    }
    beside = pid > 0 ? pid : 0;
    if (caught && beside > 0)
        kill(beside, caught);
    return false;
}

void umcc_end_beside(int status)
{
    fflush(NULL);
    _exit(caught ? UMCC_FAILED : status);
}

int umcc_wait_beside(bool wanted)
{
    int status;
    if (beside <= 0)
        return UMCC_FAILED;
    if (!wanted)
        kill(beside, SIGTERM);
    while (waitpid(beside, &status, 0) < 0)
        if (errno != EINTR)
            return UMCC_FAILED;
    beside = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : UMCC_FAILED;
}

static bool is_plain(const char *text)
{
    return *text != '\0' && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                         "-_=+./,:@%^") == strlen(text);
}

void umcc_print_command(const struct umcc_list *command)
{
    fputs("#$", stderr);
    for (int i = 0; i < command->count; i++) {
        const char *text = command->items[i];
        fputc(' ', stderr);
        if (is_plain(text)) {
            fputs(text, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *text != '\0'; text++)
            fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

const char *umcc_temporary_directory(bool dry_run)
{
    if (directory)
        return directory;
    const char *base = getenv("TMPDIR");
    char *path = umcc_printf("%s/umcc-XXXXXX", base && *base != '\0' ? base : "/tmp");
    if (!dry_run && !mkdtemp(path)) {
        fprintf(stderr, "umcc: cannot make a folder for temporary files (%s): %s\n", path, strerror(errno));
        return NULL;
    }
    return directory = path;
}

const char *umcc_remove_later(const char *path)
{
    umcc_list_add(&to_remove, path);
    return path;
}

void umcc_clean_up(void)
{
    for (int i = 0; i < to_remove.count; i++)
        unlink(to_remove.items[i]);
    if (directory)
        rmdir(directory);
    to_remove.count = 0;
    directory = NULL;
    if (caught) {
        signal(caught, SIG_DFL);
        raise(caught);
    }
}
