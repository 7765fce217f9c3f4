/**
 * @file sent_default.c
 * @brief SIGSEGVs that are sent to a program with managed memory that has not asked for them, or ignores
 * them.
 */
#include "signals.h"

#include <pthread.h>

#include "um_test.h"

static int *words;

static void raise_by_default(void *area)
{
    (void)area;
    words = managed_words();
    raise(SIGSEGV);
}

static void kill_by_default(void *area)
{
    (void)area;
    words = managed_words();
    kill(getpid(), SIGSEGV);
    pause();
}

static void *raise_in_thread(void *unused)
{
    raise(SIGSEGV);
    return unused;
}

static void raise_in_thread_by_default(void *area)
{
    pthread_t thread;

    (void)area;
    words = managed_words();
    CHILD_ASSERT(pthread_create(&thread, NULL, raise_in_thread, NULL) == 0);
    pthread_join(thread, NULL);
}

static void by_default_raise_ends_the_process_by_the_signal(void)
{
    it_dies_of(raise_by_default, SIGSEGV);
}

static void and_so_does_kill(void)
{
    it_dies_of(kill_by_default, SIGSEGV);
}

static void and_a_thread_that_raises_it(void)
{
    it_dies_of(raise_in_thread_by_default, SIGSEGV);
}

static void ignore(void *area)
{
    (void)area;
    words = managed_words();
    CHILD_ASSERT(signal(SIGSEGV, SIG_IGN) == SIG_DFL);
    raise(SIGSEGV);
    kill(getpid(), SIGSEGV);
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    raise(SIGSEGV);
    CHILD_ASSERT(touch_words(words, 1));
    CHILD_ASSERT(signal(SIGSEGV, SIG_DFL) == SIG_IGN);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 2));
}

static void ignored_it_is_ignored_and_managed_memory_works(void)
{
    it_works(ignore);
}

static void ignore_and_fault(void *area)
{
    ignore(area);
    signal(SIGSEGV, SIG_IGN);
    *(volatile char *)closed_page() = 1;
}

static void a_fault_of_ones_own_is_not_ignored(void)
{
    it_dies_of(ignore_and_fault, SIGSEGV);
}

/* To the whole group: the simulated GPU is in it, too. */
static void ignore_as_a_group(void *area)
{
    (void)area;
    setpgid(0, 0);
    words = managed_words();
    signal(SIGSEGV, SIG_IGN);
    CHILD_ASSERT(kill(0, SIGSEGV) == 0);
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
}

static void one_for_the_whole_group_leaves_the_GPU_alone(void)
{
    it_works(ignore_as_a_group);
}

UM_TESTS("signals that are sent and not handled",
         {"by default raise() ends the process by the signal",
          by_default_raise_ends_the_process_by_the_signal},
         {"... and so does kill()", and_so_does_kill},
         {"... and a thread that raises it", and_a_thread_that_raises_it},
         {"ignored, it is ignored, and managed memory works", ignored_it_is_ignored_and_managed_memory_works},
         {"a fault of one's own is not ignored", a_fault_of_ones_own_is_not_ignored},
         {"one for the whole group leaves the GPU alone", one_for_the_whole_group_leaves_the_GPU_alone});
