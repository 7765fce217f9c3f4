/**
 * @file inherit.c
 * @brief What children inherit of a program that blocks or ignores SIGSEGV: what it asked for, no more.
 *
 * What fork()'s own child has: tests/lifecycle/programs/forks.cu.
 */
#include "signals.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "um_test.h"

extern char **environ;

#define CAT "/bin/cat"

enum { PLAIN, BLOCKED = 1, IGNORED = 2 };

/* The next program says what it has inherited. */
static char *const arguments[] = {"cat", "/proc/self/status", NULL};
static int said[2];

/* BLOCKED and IGNORED for what it says of SIGSEGV, which is bit 10; and 8 if it has got anything else of it:
 * SIGSTKFLT, which the simulator uses, or any other signal that is blocked. */
static int answer_of(pid_t child)
{
    unsigned long long blocked = 0, ignored = 0;
    char text[4096] = "";
    int status = -1;

    CHILD_ASSERT(child > 0 && waitpid(child, &status, 0) == child);
    CHILD_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHILD_ASSERT(read(said[0], text, sizeof text - 1) > 0);
    const char *line = strstr(text, "SigBlk:");
    CHILD_ASSERT(line && sscanf(line, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored) == 2);
    const bool others = (blocked & 0x7ffffbff) || (ignored & 0x8000);
    return (int)((blocked >> 10 & 1) * BLOCKED + (ignored >> 10 & 1) * IGNORED) + others * 8;
}

enum { BY_EXECV, BY_EXECVE, BY_EXECVP, BY_EXECVPE, BY_EXECL, BY_EXECLP, BY_EXECLE, BY_FEXECVE, WAYS };

static void become_cat(int way)
{
    dup2(said[1], STDOUT_FILENO);
    switch (way) {
    case BY_EXECV:
        execv(CAT, arguments);
        break;
    case BY_EXECVE:
        execve(CAT, arguments, environ);
        break;
    case BY_EXECVP:
        execvp("cat", arguments);
        break;
    case BY_EXECVPE:
        execvpe("cat", arguments, environ);
        break;
    case BY_EXECL:
        execl(CAT, "cat", "/proc/self/status", (char *)NULL);
        break;
    case BY_EXECLP:
        execlp("cat", "cat", "/proc/self/status", (char *)NULL);
        break;
    case BY_EXECLE:
        execle(CAT, "cat", "/proc/self/status", (char *)NULL, environ);
        break;
    default:
        fexecve(open(CAT, O_RDONLY), arguments, environ);
    }
    _exit(CHILD_CANNOT);
}

__attribute__((noinline)) static pid_t by_vfork(const int way)
{
    const pid_t child = vfork();

    if (child == 0)
        become_cat(way);
    return child;
}

static void every_exec(int expected)
{
    CHILD_ASSERT(pipe(said) == 0);
    for (int way = 0; way < WAYS; way++) {
        CHILD_ASSERT(answer_of(by_vfork(way)) == expected);
    }
    close(said[0]);
    close(said[1]);
}

static void set_up(int what)
{
    const sigset_t segv = just(SIGSEGV);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (what & BLOCKED)
        sigprocmask(SIG_BLOCK, &segv, NULL);
    signal(SIGSEGV, what & IGNORED ? SIG_IGN : SIG_DFL);
}

static void exec_all(void *area)
{
    int *words = managed_words();

    (void)area;
    for (int what = PLAIN; what <= (BLOCKED | IGNORED); what++) {
        set_up(what);
        every_exec(what);
        CHILD_ASSERT(touch_words(words, what));
        words_to_device(words);
        CHILD_ASSERT(is_blocked(SIGSEGV) == (what & BLOCKED));
    }
}

static void after_exec_SIGSEGV_is_blocked_or_ignored_as_the_program_asked(void)
{
    it_works(exec_all);
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info, (void)context;
    _exit(CHILD_CANNOT);
}

static void exec_with_handler(void *area)
{
    (void)area;
    (void)managed_words();
    set_up(PLAIN);
    handle_segv(handle, SA_ONSTACK);
    every_exec(PLAIN);
}

static void after_exec_a_handler_is_the_default_again(void)
{
    it_works(exec_with_handler);
}

static void exec_nothing(void *area)
{
    char *const no_arguments[] = {"nothing", NULL};
    struct sigaction told;
    int *words = managed_words();

    (void)area;
    set_up(BLOCKED | IGNORED);
    for (int i = 0; i < 3; i++) {
        CHILD_ASSERT(execv("/nonexistent", no_arguments) == -1);
        CHILD_ASSERT(is_blocked(SIGSEGV));
        CHILD_ASSERT(sigaction(SIGSEGV, NULL, &told) == 0 && told.sa_handler == SIG_IGN);
        CHILD_ASSERT(touch_words(words, i));
        words_to_device(words);
    }
}

static void after_an_exec_that_fails_managed_memory_works(void)
{
    it_works(exec_nothing);
}

static int spawned(const posix_spawnattr_t *attributes)
{
    posix_spawn_file_actions_t actions;
    pid_t child = -1;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, said[1], STDOUT_FILENO);
    CHILD_ASSERT(posix_spawn(&child, CAT, &actions, attributes, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    return answer_of(child);
}

static void spawn_all(void *area)
{
    const sigset_t segv = just(SIGSEGV);
    int *words = managed_words();
    posix_spawnattr_t attributes;
    sigset_t none;

    (void)area;
    sigemptyset(&none);
    CHILD_ASSERT(pipe(said) == 0);
    posix_spawnattr_init(&attributes);
    CHILD_ASSERT(spawned(NULL) == PLAIN && spawned(&attributes) == PLAIN);
    set_up(BLOCKED);
    CHILD_ASSERT(spawned(NULL) == BLOCKED && spawned(&attributes) == BLOCKED);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    CHILD_ASSERT(spawned(&attributes) == PLAIN);
    set_up(PLAIN);
    posix_spawnattr_setsigmask(&attributes, &segv);
    CHILD_ASSERT(spawned(&attributes) == BLOCKED);
    CHILD_ASSERT(touch_words(words, 0));
}

static void after_posix_spawn_SIGSEGV_is_blocked_as_the_program_asked(void)
{
    it_works(spawn_all);
}

/* A child of vfork() has the parent's memory, but signals of its own: it resets them, as shells do. */
__attribute__((noinline)) static pid_t reset_in_vfork(void)
{
    const pid_t child = vfork();

    if (child == 0) {
        for (int number = 1; number < 32; number++)
            signal(number, SIG_DFL);
        set_up(PLAIN);
        become_cat(BY_EXECV);
    }
    return child;
}

static void vfork_child(void *area)
{
    int *words = managed_words();
    struct sigaction told;

    (void)area;
    set_up(BLOCKED);
    handle_segv(handle, 0);
    CHILD_ASSERT(pipe(said) == 0);
    CHILD_ASSERT(answer_of(reset_in_vfork()) == PLAIN);
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(sigaction(SIGSEGV, NULL, &told) == 0 && told.sa_sigaction == handle);
    CHILD_ASSERT(touch_words(words, 0));
}

static void a_child_of_vfork_that_resets_all_signals_changes_nothing_here(void)
{
    it_works(vfork_child);
}

static void use_system(void *area)
{
    int *words = managed_words();

    (void)area;
    CHILD_ASSERT(system("exit 5") == 5 << 8);
    CHILD_ASSERT(touch_words(words, 0));
}

static void system_works(void)
{
    it_works(use_system);
}

UM_TESTS("inherited signals",
         {"after exec() SIGSEGV is blocked or ignored as the program asked, by every way to exec",
          after_exec_SIGSEGV_is_blocked_or_ignored_as_the_program_asked},
         {"after exec() a handler is the default again", after_exec_a_handler_is_the_default_again},
         {"after an exec() that fails managed memory works", after_an_exec_that_fails_managed_memory_works},
         {"after posix_spawn() SIGSEGV is blocked as the program asked",
          after_posix_spawn_SIGSEGV_is_blocked_as_the_program_asked},
         {"a child of vfork() that resets all signals changes nothing here",
          a_child_of_vfork_that_resets_all_signals_changes_nothing_here},
         {"system() works", system_works});
