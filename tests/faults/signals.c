/**
 * @file signals.c
 * @brief See signals.h.
 */
#include "signals.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "um_check.h"
#include "um_cuda_compat.h"
#include "um_test.h"

enum { PAGE_WORDS = 1024 };

int *managed_words(void)
{
    int *words = NULL;

    CHILD_NEED(cudaMallocManaged((void **)&words, BYTES_OF_WORDS, cudaMemAttachGlobal));
    CHILD_NEED(cudaMemset(words, 0, BYTES_OF_WORDS));
    words_to_device(words);
    return words;
}

void words_to_device(int *words)
{
    CHILD_NEED(um_prefetch(words, BYTES_OF_WORDS, 0, 0));
    CHILD_NEED(cudaDeviceSynchronize());
}

bool touch_words(int *words, int expected)
{
    bool right = true;

    for (int i = 0; i < WORDS; i += PAGE_WORDS)
        right = ((volatile int *)words)[i]++ == expected && right;
    return right;
}

char *closed_page(void)
{
    char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHILD_ASSERT(p != MAP_FAILED);
    return p;
}

void handle_segv(void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
    sigemptyset(&action.sa_mask);
    CHILD_ASSERT(sigaction(SIGSEGV, &action, NULL) == 0);
}

sigset_t all_signals(void)
{
    sigset_t set;

    sigfillset(&set);
    return set;
}

sigset_t just(int signal_number)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal_number);
    return set;
}

bool is_blocked(int signal_number)
{
    sigset_t now;

    CHILD_ASSERT(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    return sigismember(&now, signal_number) == 1;
}

void it_works(void (*body)(void *))
{
    static struct child child;
    int nothing = 0;

    if (!device_facts()->managed)
        UM_SKIP("this device has no managed memory");
    child_run(body, &nothing, sizeof nothing, &child);
    child_ended_well(&child);
}

void it_dies_of(void (*body)(void *), int signal_number)
{
    static struct child child;
    int nothing = 0;

    if (!device_facts()->managed)
        UM_SKIP("this device has no managed memory");
    child_run(body, &nothing, sizeof nothing, &child);
    if (!WIFSIGNALED(child.status) || WTERMSIG(child.status) != signal_number)
        UM_FAIL("status %#x, not signal %d; on stderr: %s", (unsigned)child.status, signal_number, child.err);
}
