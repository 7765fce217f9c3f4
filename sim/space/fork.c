/**
 * @file fork.c
 * @brief Implementation of fork.h: MADV_DONTFORK, and handlers of pthread_atfork().
 */
#include "fork.h"
#include "arena.h"
#include "register.h"
#include "views.h"
#include "../base/libc.h"
#include "../base/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t forks = PTHREAD_MUTEX_INITIALIZER; /* held while the program forks */

/* A signal's handler that forks while its own thread holds the lock would wait for itself. */
umsim_signals umsim_fork_hold(void)
{
    const umsim_signals before = umsim_signals_block();
    pthread_mutex_lock(&forks);
    return before;
}

void umsim_fork_allow(umsim_signals before)
{
    pthread_mutex_unlock(&forks);
    umsim_signals_change(SIG_SETMASK, before);
}

static void advise(void *p, size_t bytes, int advice)
{
    if (p && bytes)
        madvise(p, bytes, advice);
}

/* The policy's tables and the like stay mapped in children; no code there uses them. */
static void set_inheritance(int advice)
{
    static bool is_kept = true; /* at first, children inherit all */
    if (is_kept && advice == MADV_DOFORK)
        return;
    is_kept = advice == MADV_DOFORK;
    for (int i = 0; i < UMSIM_ARENAS; i++) {
        if (i != UMSIM_ARENA_PINNED)
            advise(umsim_arenas[i].base, umsim_arenas[i].size, advice);
        advise(umsim_arenas[i].window, umsim_arenas[i].size, advice);
    }
    for (unsigned i = 1; i < atomic_load(&umsim_views->spaces); i++) {
        const struct umsim_managed_space *space = &umsim_views->space[i];
        advise(space->base, space->bytes, advice);
        advise(space->window, space->bytes, advice);
    }
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++) {
        const struct umsim_section *section = &umsim_views->section[i];
        advise(section->base, section->bytes, advice);
        advise(section->window, section->bytes, advice);
    }
}

umsim_signals umsim_fork_begin(void)
{
    const umsim_signals before = umsim_fork_hold();
    set_inheritance(MADV_DOFORK);
    return before;
}

void umsim_fork_end(umsim_signals before)
{
    set_inheritance(MADV_DONTFORK);
    umsim_fork_allow(before);
}

/* ---- when the program forks ---- */

static bool copies;              /* the child is to get copies of registered memory */
static int copied[2] = {-1, -1}; /* a pipe: it has them */

static void close_end(int end)
{
    if (copied[end] >= 0)
        close(copied[end]);
    copied[end] = -1;
}

static void before_fork(void)
{
    pthread_mutex_lock(&forks);
    copies = !umsim_in_child() && umsim_register_has_moved();
    if (copies && pipe2(copied, O_CLOEXEC) != 0)
        copied[0] = copied[1] = -1;
    if (copies) {
        const umsim_signals before = umsim_signals_block();
        umsim_register_before_fork();
        umsim_signals_change(SIG_SETMASK, before);
    }
}

/* The thread that forked may not write to the memory before the child has its copy. */
static void in_parent(void)
{
    char byte;
    const umsim_signals before = umsim_signals_block();
    close_end(1);
    if (copied[0] >= 0)
        while (umsim_real_read(copied[0], &byte, 1) < 0 && errno == EINTR)
            ;
    close_end(0);
    if (copies)
        umsim_register_after_fork(false);
    umsim_signals_change(SIG_SETMASK, before);
    pthread_mutex_unlock(&forks);
}

/* A parent that has been killed meanwhile hears nothing, and the signal for that is nobody's concern. */
static void tell_the_parent(void)
{
    static const struct timespec at_once;
    const umsim_signals broken_pipe = UMSIM_SIGNAL_BIT(SIGPIPE);
    if (copied[1] >= 0 && umsim_real_write(copied[1], "", 1) != 1)
        syscall(SYS_rt_sigtimedwait, &broken_pipe, NULL, &at_once, sizeof broken_pipe);
    close_end(1); /* the parent waits for the end of the pipe, too */
}

static void in_child(void)
{
    const umsim_signals before = umsim_signals_block();
    umsim_mark_child();
    close_end(0);
    if (copies)
        umsim_register_after_fork(true);
    tell_the_parent();
    umsim_signals_change(SIG_SETMASK, before);
    pthread_mutex_unlock(&forks);
}

void umsim_fork_start(void)
{
    umsim_mark_host();
    pthread_atfork(before_fork, in_parent, in_child);
}
