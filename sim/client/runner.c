/**
 * @file runner.c
 * @brief The thread of a student's process that runs its host functions while it makes no call (channel.h).
 *
 * It is there before the process locks itself in, because threads cannot be made any more then, and sleeps
 * unless the server asks.
 */
#include "client.h"
#include "../base/futex.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { STACK_BYTES = 1 << 20 };

static void *run_functions(void *shared)
{
    struct umsim_line *line = shared;
    struct umsim_runner *it = &line->runner;
    unsigned done = atomic_load(&it->ran);
    atomic_store_explicit(&it->thread, umsim_client_thread(), memory_order_relaxed);
    for (;;) {
        void (*function)(void *, void *, void *);
        while (atomic_load(&it->asked) == done)
            umsim_futex_wait(&it->asked, done, 0);
        umsim_client_close(it->closes);
        memcpy(&function, &it->word[0], sizeof function);
        function((void *)it->word[1], (void *)it->word[2], (void *)it->word[3]);
        atomic_store(&it->ran, ++done);
        atomic_fetch_add(&line->bell, 1);
        umsim_futex_wake(&line->bell);
    }
    return NULL;
}

/* The program's signals are not for this thread. Without it a program that waits in such a way waits for
 * ever, and misses its deadline. */
void umsim_client_runner_start(struct umsim_line *line)
{
    pthread_t thread;
    pthread_attr_t how;
    sigset_t all, before;
    atomic_store(&line->runner.ran, atomic_load(&line->runner.asked)); /* one before may not have come back */
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, &how, run_functions, line) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
}
