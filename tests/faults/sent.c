/**
 * @file sent.c
 * @brief SIGSEGVs that are sent: by raise(), kill() and their kind, to a program with managed memory.
 */
#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>

#include "um_test.h"

extern char **environ;

static int *words;
static atomic_int calls;
static siginfo_t last;
static pthread_t last_thread;

static void note(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    last = *info;
    last_thread = pthread_self();
    CHILD_ASSERT(touch_words(words, calls));
    calls++;
    words_to_device(words);
}

static void block_segv(void)
{
    const sigset_t segv = just(SIGSEGV);

    CHILD_ASSERT(pthread_sigmask(SIG_BLOCK, &segv, NULL) == 0);
}

static void unblock_segv(void)
{
    const sigset_t segv = just(SIGSEGV);

    CHILD_ASSERT(pthread_sigmask(SIG_UNBLOCK, &segv, NULL) == 0);
}

static bool is_pending(void)
{
    sigset_t pending;

    CHILD_ASSERT(sigpending(&pending) == 0);
    return sigismember(&pending, SIGSEGV) == 1;
}

static void raise_while_blocked(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(note, 0);
    block_segv();
    raise(SIGSEGV);
    raise(SIGSEGV);
    CHILD_ASSERT(calls == 0 && is_pending());
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    for (int i = 0; i < 1 << 18; i += 1024)
        words[i] = 0;
    words_to_device(words);
    unblock_segv();
    CHILD_ASSERT(calls == 1 && !is_pending());
    CHILD_ASSERT(last.si_signo == SIGSEGV && last.si_code == SI_TKILL && last.si_pid == getpid());
    CHILD_ASSERT(last.si_errno == 0);
    CHILD_ASSERT(touch_words(words, 1));
}

static void while_it_is_blocked_it_is_pending_and_arrives_once_afterwards(void)
{
    it_works(raise_while_blocked);
}

/* Before CUDA's first call, too. */
static void raise_early(void *area)
{
    (void)area;
    block_segv();
    raise(SIGSEGV);
    CHILD_ASSERT(is_pending());
    words = managed_words();
    CHILD_ASSERT(is_pending());
    handle_segv(note, 0);
    unblock_segv();
    CHILD_ASSERT(calls == 1 && !is_pending());
}

static void one_from_before_CUDA_stays_pending_and_arrives(void)
{
    it_works(raise_early);
}

static void default_when_unblocked(void *area)
{
    (void)area;
    words = managed_words();
    block_segv();
    raise(SIGSEGV);
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    unblock_segv();
}

static void one_that_is_pending_ends_the_process_when_it_is_unblocked(void)
{
    it_dies_of(default_when_unblocked, SIGSEGV);
}

static void forget_pending(void *area)
{
    (void)area;
    words = managed_words();
    block_segv();
    raise(SIGSEGV);
    signal(SIGSEGV, SIG_IGN);
    CHILD_ASSERT(!is_pending());
    signal(SIGSEGV, SIG_DFL);
    unblock_segv();
    CHILD_ASSERT(touch_words(words, 0));
}

static void one_that_is_pending_is_forgotten_when_it_is_ignored(void)
{
    it_works(forget_pending);
}

static void fetch(void *area)
{
    const sigset_t segv = just(SIGSEGV);
    const struct timespec no_time = {0, 0};
    const union sigval value = {.sival_int = 4711};
    siginfo_t info;
    int number = 0;

    (void)area;
    words = managed_words();
    block_segv();
    raise(SIGSEGV);
    CHILD_ASSERT(sigwait(&segv, &number) == 0 && number == SIGSEGV);
    CHILD_ASSERT(sigqueue(getpid(), SIGSEGV, value) == 0);
    CHILD_ASSERT(sigwaitinfo(&segv, &info) == SIGSEGV);
    CHILD_ASSERT(info.si_signo == SIGSEGV && info.si_code == SI_QUEUE && info.si_value.sival_int == 4711);
    kill(getpid(), SIGSEGV);
    CHILD_ASSERT(sigtimedwait(&segv, &info, &no_time) == SIGSEGV);
    CHILD_ASSERT(info.si_signo == SIGSEGV && info.si_code == SI_USER && info.si_pid == getpid());
    CHILD_ASSERT(sigtimedwait(&segv, &info, &no_time) == -1 && errno == EAGAIN);
    CHILD_ASSERT(touch_words(words, 0));
}

static void sigwait_and_its_kind_fetch_it_with_all_that_came_with_it(void)
{
    it_works(fetch);
}

/* Another process sends it to this one, after a while. @return the process that the signal is from */
static pid_t send_from_outside(void)
{
    char command[64];
    char *const arguments[] = {"sh", "-c", command, NULL};
    pid_t child = -1;

    snprintf(command, sizeof command, "sleep 0.05; kill -SEGV %d", (int)getpid());
    CHILD_ASSERT(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    return child;
}

static void *wait_for_it(void *unused)
{
    const sigset_t segv = just(SIGSEGV);
    int number = 0;

    (void)unused;
    CHILD_ASSERT(sigwait(&segv, &number) == 0 && number == SIGSEGV);
    CHILD_ASSERT(touch_words(words, 0));
    calls++;
    return NULL;
}

static void from_outside(void *area)
{
    pthread_t thread;
    pid_t child;

    (void)area;
    block_segv();
    words = managed_words();
    CHILD_ASSERT(pthread_create(&thread, NULL, wait_for_it, NULL) == 0);
    child = send_from_outside();
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
    CHILD_ASSERT(waitpid(child, NULL, 0) == child);
    CHILD_ASSERT(calls == 1 && !is_pending());
}

static void a_thread_that_waits_for_it_gets_what_another_process_sends(void)
{
    it_works(from_outside);
}

static atomic_bool go_on;

static void *let_it_come(void *unused)
{
    (void)unused;
    unblock_segv();
    while (!go_on) {
    }
    return NULL;
}

/* The main thread blocks it, another does not. */
static void to_the_other_thread(void *area)
{
    pthread_t thread;

    (void)area;
    block_segv();
    words = managed_words();
    handle_segv(note, 0);
    CHILD_ASSERT(pthread_create(&thread, NULL, let_it_come, NULL) == 0);
    kill(getpid(), SIGSEGV);
    while (!calls) {
    }
    CHILD_ASSERT(pthread_equal(last_thread, thread));
    go_on = true;
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
}

static void the_process_gets_it_in_a_thread_that_does_not_block_it(void)
{
    it_works(to_the_other_thread);
}

static void *take_ones_own(void *unused)
{
    (void)unused;
    while (!go_on) {
    }
    unblock_segv();
    return NULL;
}

static void to_one_thread(void *area)
{
    pthread_t thread;

    (void)area;
    words = managed_words();
    handle_segv(note, 0);
    block_segv();
    CHILD_ASSERT(pthread_create(&thread, NULL, take_ones_own, NULL) == 0);
    unblock_segv();
    CHILD_ASSERT(pthread_kill(thread, SIGSEGV) == 0);
    CHILD_ASSERT(calls == 0);
    go_on = true;
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
    CHILD_ASSERT(calls == 1 && pthread_equal(last_thread, thread));
}

static void a_thread_gets_what_is_sent_to_it_when_it_unblocks_it(void)
{
    it_works(to_one_thread);
}

static void suspend(void *area)
{
    const struct timespec second = {10, 0};
    sigset_t open;

    (void)area;
    sigemptyset(&open);
    words = managed_words();
    handle_segv(note, 0);
    block_segv();
    raise(SIGSEGV);
    CHILD_ASSERT(sigsuspend(&open) == -1 && errno == EINTR && calls == 1 && is_blocked(SIGSEGV));
    raise(SIGSEGV);
    CHILD_ASSERT(ppoll(NULL, 0, &second, &open) == -1 && errno == EINTR && calls == 2);
    raise(SIGSEGV);
    CHILD_ASSERT(pselect(0, NULL, NULL, NULL, &second, &open) == -1 && errno == EINTR && calls == 3);
    CHILD_ASSERT(is_blocked(SIGSEGV));
}

static void sigsuspend_ppoll_and_pselect_let_it_in(void)
{
    it_works(suspend);
}

/* It comes while sigsuspend() waits. */
static void send_later(void *area)
{
    sigset_t open;
    pid_t child;

    (void)area;
    sigemptyset(&open);
    words = managed_words();
    handle_segv(note, 0);
    block_segv();
    child = send_from_outside();
    while (!calls)
        CHILD_ASSERT(sigsuspend(&open) == -1 && errno == EINTR);
    CHILD_ASSERT(last.si_pid == child && last.si_code == SI_USER);
    CHILD_ASSERT(waitpid(child, NULL, 0) == child);
}

static void one_that_comes_during_sigsuspend_is_let_in(void)
{
    it_works(send_later);
}

static void once(void *area)
{
    struct sigaction action;

    (void)area;
    words = managed_words();
    handle_segv(note, (int)SA_RESETHAND);
    raise(SIGSEGV);
    CHILD_ASSERT(calls == 1 && sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
    CHILD_ASSERT(touch_words(words, 1));
    words_to_device(words);
    raise(SIGSEGV);
}

static void with_SA_RESETHAND_the_second_one_ends_the_process(void)
{
    it_dies_of(once, SIGSEGV);
}

static void *keep_working(void *unused)
{
    (void)unused;
    for (int i = 0; !go_on; i++) {
        CHILD_ASSERT(touch_words(words, i));
        words_to_device(words);
    }
    return NULL;
}

static void count(int signal_number)
{
    (void)signal_number;
    calls++;
}

/* Dispositions change all the time, while another thread works. */
static void changing(void *area)
{
    pthread_t thread;
    int raised = 0;

    (void)area;
    words = managed_words();
    CHILD_ASSERT(pthread_create(&thread, NULL, keep_working, NULL) == 0);
    for (int i = 0; i < 3000; i++) {
        struct sigaction action = {.sa_handler = i % 3 ? count : SIG_IGN, .sa_flags = i % 7 ? SA_RESTART : 0};
        sigaddset(&action.sa_mask, 1 + i % 31);
        CHILD_ASSERT(sigaction(SIGSEGV, &action, NULL) == 0);
        raise(SIGSEGV);
        raised += i % 3 != 0;
        CHILD_ASSERT(calls == raised);
    }
    go_on = true;
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
}

static void handlers_change_thousands_of_times_while_another_thread_works(void)
{
    it_works(changing);
}

UM_TESTS("signals that are sent",
         {"while it is blocked it is pending, and arrives once afterwards",
          while_it_is_blocked_it_is_pending_and_arrives_once_afterwards},
         {"one from before CUDA stays pending and arrives", one_from_before_CUDA_stays_pending_and_arrives},
         {"one that is pending ends the process when it is unblocked",
          one_that_is_pending_ends_the_process_when_it_is_unblocked},
         {"one that is pending is forgotten when it is ignored",
          one_that_is_pending_is_forgotten_when_it_is_ignored},
         {"sigwait() and its kind fetch it, with all that came with it",
          sigwait_and_its_kind_fetch_it_with_all_that_came_with_it},
         {"a thread that waits for it gets what another process sends",
          a_thread_that_waits_for_it_gets_what_another_process_sends},
         {"the process gets it in a thread that does not block it",
          the_process_gets_it_in_a_thread_that_does_not_block_it},
         {"a thread gets what is sent to it when it unblocks it",
          a_thread_gets_what_is_sent_to_it_when_it_unblocks_it},
         {"sigsuspend(), ppoll() and pselect() let it in", sigsuspend_ppoll_and_pselect_let_it_in},
         {"one that comes during sigsuspend() is let in", one_that_comes_during_sigsuspend_is_let_in},
         {"with SA_RESETHAND the second one ends the process",
          with_SA_RESETHAND_the_second_one_ends_the_process},
         {"handlers change thousands of times while another thread works",
          handlers_change_thousands_of_times_while_another_thread_works});
