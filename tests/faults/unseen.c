/**
 * @file unseen.c
 * @brief Code that deals with SIGSEGV past the C library, by system calls: what a library does that was
 * opened by a program which the simulator's wrappers do not reach.
 *
 * A GPU's driver does not mind. The simulator notices at the next CUDA call.
 */
#include "signals.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "um_check.h"
#include "um_test.h"

/* As the kernel has it, here and on arm64. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static int *words;
static sigjmp_buf escape;
static int calls;
static struct kernel_action found; /* what stood before */

static void ask(struct kernel_action *now)
{
    CHILD_ASSERT(syscall(SYS_rt_sigaction, SIGSEGV, NULL, now, 8) == 0);
}

static void come_back(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info, (void)context;
    calls++;
    siglongjmp(escape, 1);
}

/* The restorer, which the C library keeps to itself, is that of whoever stands. */
static void put(uintptr_t handler, unsigned long flags)
{
    struct kernel_action action, some;
    struct sigaction note = {.sa_handler = SIG_DFL};

    ask(&found);
    note.sa_sigaction = come_back;
    note.sa_flags = SA_SIGINFO;
    CHILD_ASSERT(sigaction(SIGUSR2, &note, NULL) == 0);
    CHILD_ASSERT(syscall(SYS_rt_sigaction, SIGUSR2, NULL, &some, 8) == 0);
    memset(&action, 0, sizeof action);
    action.handler = (void (*)(int, siginfo_t *, void *))handler;
    action.flags = flags | (some.flags & 0x04000000);
    action.restorer = some.restorer;
    CHILD_ASSERT(syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, 8) == 0);
}

static void put_back(void)
{
    CHILD_ASSERT(syscall(SYS_rt_sigaction, SIGSEGV, &found, NULL, 8) == 0);
}

static void fault(void)
{
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
}

static void block_unseen(int how)
{
    const uint64_t segv = UINT64_C(1) << (SIGSEGV - 1);

    CHILD_ASSERT(syscall(SYS_rt_sigprocmask, how, &segv, NULL, sizeof segv) == 0);
}

static void block(void *area)
{
    (void)area;
    words = managed_words();
    for (int i = 0; i < 5; i++) {
        block_unseen(SIG_BLOCK);
        words_to_device(words);
        CHILD_ASSERT(touch_words(words, i));
        block_unseen(SIG_UNBLOCK);
    }
}

static void blocked_by_a_system_call_it_works_from_the_next_CUDA_call_on(void)
{
    it_works(block);
}

static void block_and_wait(void *area)
{
    (void)area;
    words = managed_words();
    block_unseen(SIG_BLOCK);
    CHILD_NEED(cudaDeviceSynchronize());
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    block_unseen(SIG_BLOCK);
    CHILD_NEED(cudaStreamSynchronize(0));
    CHILD_ASSERT(touch_words(words, 1));
}

static void and_if_that_only_waits_for_nothing(void)
{
    it_works(block_and_wait);
}

static void *block_in_thread(void *unused)
{
    (void)unused;
    block_unseen(SIG_BLOCK);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 0));
    return NULL;
}

static void other_thread(void *area)
{
    pthread_t thread;

    (void)area;
    words = managed_words();
    CHILD_ASSERT(pthread_create(&thread, NULL, block_in_thread, NULL) == 0);
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
}

static void in_any_thread_that_makes_the_call(void)
{
    it_works(other_thread);
}

static void default_unseen(void *area)
{
    (void)area;
    words = managed_words();
    put((uintptr_t)SIG_DFL, 0);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 0));
    put((uintptr_t)SIG_IGN, 0);
    CHILD_NEED(cudaDeviceSynchronize());
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
    raise(SIGSEGV);
    CHILD_ASSERT(touch_words(words, 2));
}

static void the_default_or_SIG_IGN_by_a_system_call_is_noticed_too(void)
{
    it_works(default_unseen);
}

static void default_unseen_and_raise(void *area)
{
    (void)area;
    handle_segv(come_back, 0);
    words = managed_words();
    put((uintptr_t)SIG_DFL, 0);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 0));
    fault();
}

static void and_is_the_programs_wish_then(void)
{
    it_dies_of(default_unseen_and_raise, SIGSEGV);
}

static void handler_unseen(void *area)
{
    struct sigaction told;

    (void)area;
    words = managed_words();
    put((uintptr_t)come_back, SA_SIGINFO | SA_NODEFER);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 0) && calls == 0);
    fault();
    fault();
    CHILD_ASSERT(calls == 2);
    CHILD_ASSERT(sigaction(SIGSEGV, NULL, &told) == 0 && told.sa_sigaction == come_back);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1) && calls == 2);
}

static void a_handler_put_there_gets_the_programs_own_faults_only(void)
{
    it_works(handler_unseen);
}

/* What the kernel told it, it puts back later: as a library that is closed. */
static void restore_unseen(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(come_back, 0);
    for (int i = 0; i < 20; i++) {
        put((uintptr_t)SIG_IGN, 0);
        words_to_device(words);
        CHILD_ASSERT(touch_words(words, 2 * i));
        raise(SIGSEGV);
        CHILD_ASSERT(calls == i);
        put_back();
        words_to_device(words);
        CHILD_ASSERT(touch_words(words, 2 * i + 1));
        fault();
        CHILD_ASSERT(calls == i + 1);
    }
}

static void what_is_put_back_there_is_what_stood_before(void)
{
    it_works(restore_unseen);
}

/* As Python's faulthandler: puts back what stood, says something, and raises the signal again. */
static void say_and_raise(int signal_number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    if (calls++)
        _exit(CHILD_CANNOT);
    put_back();
    raise(signal_number);
}

static void report_and_die(void *area)
{
    (void)area;
    words = managed_words();
    put((uintptr_t)say_and_raise, SA_SIGINFO | SA_NODEFER);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 0));
    *(volatile char *)closed_page() = 1;
}

static void a_handler_that_puts_it_back_and_raises_ends_the_process(void)
{
    it_dies_of(report_and_die, SIGSEGV);
}

/* A handler that does not know the address asks whoever stood before. */
static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    calls++;
    found.handler(signal_number, info, context);
}

static void chain(void *area)
{
    (void)area;
    words = managed_words();
    put((uintptr_t)pass_on, SA_SIGINFO);
    CHILD_ASSERT(touch_words(words, 0) && calls > 0);
    words_to_device(words);
    calls = 0;
    CHILD_ASSERT(touch_words(words, 1) && calls == 0);
}

static void a_handler_that_calls_the_one_before_works_at_once(void)
{
    it_works(chain);
}

UM_TESTS("past the C library",
         {"blocked by a system call, SIGSEGV is let in from the next CUDA call on",
          blocked_by_a_system_call_it_works_from_the_next_CUDA_call_on},
         {"... even if that only waits, for nothing", and_if_that_only_waits_for_nothing},
         {"... in any thread that makes the call", in_any_thread_that_makes_the_call},
         {"the default, or SIG_IGN, by a system call is noticed, too",
          the_default_or_SIG_IGN_by_a_system_call_is_noticed_too},
         {"... and is the program's wish then", and_is_the_programs_wish_then},
         {"a handler put there gets the program's own faults only",
          a_handler_put_there_gets_the_programs_own_faults_only},
         {"what is put back there is what stood before", what_is_put_back_there_is_what_stood_before},
         {"a handler that puts it back and raises the signal ends the process",
          a_handler_that_puts_it_back_and_raises_ends_the_process},
         {"a handler that calls the one before works at once",
          a_handler_that_calls_the_one_before_works_at_once});
