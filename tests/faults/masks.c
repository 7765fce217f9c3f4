/**
 * @file masks.c
 * @brief SIGSEGV in a program's masks: managed memory works, and the program is told what it asked for.
 */
#include "signals.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "um_test.h"

static int *words;
static _Atomic(int *) given;
static sigjmp_buf escape;

/* A thread of a pool that was made early, all of whose signals are for others. */
static void *touch_what_is_given(void *unused)
{
    (void)unused;
    while (!atomic_load(&given)) {
    }
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(atomic_load(&given), 0));
    return NULL;
}

static void pool_before_cuda(void *area)
{
    const sigset_t all = all_signals();
    pthread_t thread;
    sigset_t before;

    (void)area;
    CHILD_ASSERT(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
    CHILD_ASSERT(pthread_create(&thread, NULL, touch_what_is_given, NULL) == 0);
    CHILD_ASSERT(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    CHILD_ASSERT(!is_blocked(SIGSEGV));
    words = managed_words();
    atomic_store(&given, words);
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
    CHILD_ASSERT(words[0] == 1);
}

static void a_thread_from_before_CUDA_with_all_signals_blocked_touches_it(void)
{
    it_works(pool_before_cuda);
}

static void *touch_in_thread(void *unused)
{
    (void)unused;
    CHILD_ASSERT(is_blocked(SIGSEGV) && is_blocked(SIGUSR1));
    CHILD_ASSERT(touch_words(words, 0));
    return NULL;
}

static void mask_in_attributes(void *area)
{
#if __GLIBC_PREREQ(2, 32)
    const sigset_t all = all_signals();
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t told;

    words = managed_words();
    pthread_attr_init(&attributes);
    CHILD_ASSERT(pthread_attr_setsigmask_np(&attributes, &all) == 0);
    CHILD_ASSERT(pthread_attr_getsigmask_np(&attributes, &told) == 0 && sigismember(&told, SIGSEGV) == 1);
    CHILD_ASSERT(pthread_create(&thread, &attributes, touch_in_thread, NULL) == 0);
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
#else
    (void)touch_in_thread;
#endif
    (void)area;
}

static void a_thread_whose_attributes_block_all_signals_touches_it(void)
{
    it_works(mask_in_attributes);
}

static atomic_int hits;

static void touch_next(int signal_number)
{
    (void)signal_number;
    words[hits * 1024 % WORDS]++;
    hits++;
}

static void handle_alarm(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, told;

    action.sa_mask = all_signals();
    CHILD_ASSERT(sigaction(SIGALRM, &action, NULL) == 0);
    CHILD_ASSERT(sigaction(SIGALRM, NULL, &told) == 0);
    CHILD_ASSERT(told.sa_handler == handler && sigismember(&told.sa_mask, SIGSEGV) == 1);
}

/* Alarms meet the main thread anywhere, in CUDA's calls, too. */
static void alarms(bool early)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    long sum = 0;

    if (early)
        handle_alarm(touch_next);
    words = managed_words();
    if (!early)
        handle_alarm(touch_next);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int round = 0; hits < 100 || round < 20; round++)
        words_to_device(words);
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < WORDS; i += 1024)
        sum += words[i];
    CHILD_ASSERT(sum == hits);
}

static void alarms_after(void *area)
{
    (void)area;
    alarms(false);
}

static void alarms_before(void *area)
{
    (void)area;
    alarms(true);
}

static void a_handler_with_all_signals_in_its_mask_touches_it(void)
{
    it_works(alarms_after);
}

static void so_does_one_installed_before_CUDAs_first_call(void)
{
    it_works(alarms_before);
}

static void leap(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info, (void)context;
    longjmp(escape, 1);
}

/* longjmp() leaves the mask as it is in the handler. */
static void leap_from_segv(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(leap, 0);
    CHILD_ASSERT(!is_blocked(SIGSEGV));
    if (sigsetjmp(escape, 0) == 0)
        *(volatile char *)closed_page() = 1;
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(words, 0));
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
}

static void after_longjmp_out_of_a_SIGSEGV_handler_it_works(void)
{
    it_works(leap_from_segv);
}

static void leap_from_segv_twice(void *area)
{
    leap_from_segv(area);
    *(volatile char *)closed_page() = 1;
}

static void and_SIGSEGV_is_blocked_then_a_second_fault_ends_the_process(void)
{
    it_dies_of(leap_from_segv_twice, SIGSEGV);
}

static void leap_out(int signal_number)
{
    (void)signal_number;
    longjmp(escape, 1);
}

static void leap_from_alarm(void *area)
{
    (void)area;
    words = managed_words();
    handle_alarm(leap_out);
    if (sigsetjmp(escape, 0) == 0)
        raise(SIGALRM);
    CHILD_ASSERT(is_blocked(SIGSEGV) && is_blocked(SIGUSR1));
    CHILD_ASSERT(touch_words(words, 0));
}

static void after_longjmp_out_of_a_handler_with_a_full_mask_it_works(void)
{
    it_works(leap_from_alarm);
}

static void come_back(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info, (void)context;
    siglongjmp(escape, 1);
}

/* siglongjmp() restores what was believed at sigsetjmp(). */
static void jump_back(void *area)
{
    const sigset_t segv = just(SIGSEGV);

    (void)area;
    words = managed_words();
    handle_segv(come_back, 0);
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
    CHILD_ASSERT(!is_blocked(SIGSEGV));
    sigprocmask(SIG_BLOCK, &segv, NULL);
    if (sigsetjmp(escape, 1) == 0) {
        sigprocmask(SIG_UNBLOCK, &segv, NULL);
        CHILD_ASSERT(!is_blocked(SIGSEGV));
        siglongjmp(escape, 1);
    }
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(words, 0));
}

static void siglongjmp_restores_whether_SIGSEGV_is_blocked(void)
{
    it_works(jump_back);
}

/* Whatever is blocked, in whatever way, is what is told. SIGSTKFLT is the simulator's own. */
static void random_masks(void *area)
{
    sigset_t expected, set, told;

    (void)area;
    words = managed_words();
    sigemptyset(&expected);
    sigprocmask(SIG_SETMASK, &expected, NULL);
    srand(1);
    for (int i = 0; i < 20000; i++) {
        const int how = rand() % 3;
        sigemptyset(&set);
        for (int number = 1; number < 32; number++)
            if (rand() % 2)
                sigaddset(&set, number);
        CHILD_ASSERT(sigprocmask(how, &set, &told) == 0);
        for (int number = 1; number < 32; number++) {
            if (number == SIGKILL || number == SIGSTOP || number == SIGSTKFLT)
                continue;
            CHILD_ASSERT(sigismember(&told, number) == sigismember(&expected, number));
            if (how == SIG_SETMASK ? !sigismember(&set, number)
                                   : how == SIG_UNBLOCK && sigismember(&set, number))
                sigdelset(&expected, number);
            else if (how != SIG_UNBLOCK && sigismember(&set, number))
                sigaddset(&expected, number);
        }
        if (i % 1000 == 0) {
            words_to_device(words);
            CHILD_ASSERT(touch_words(words, i / 1000));
        }
    }
}

static void random_masks_are_told_as_they_were_set(void)
{
    it_works(random_masks);
}

static int touched;

static void see_mask(int signal_number, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;

    (void)info;
    hits += is_blocked(signal_number) ? 1 : 100;
    CHILD_ASSERT(!sigismember(&interrupted->uc_sigmask, SIGSEGV));
    CHILD_ASSERT(touch_words(words, touched++));
    words_to_device(words);
    siglongjmp(escape, 1);
}

static void mask_in_handler(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(see_mask, 0);
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
    CHILD_ASSERT(hits == 1);
    handle_segv(see_mask, SA_NODEFER);
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
    CHILD_ASSERT(hits == 101);
}

static void a_SIGSEGV_handler_touches_it_and_sees_SIGSEGV_blocked(void)
{
    it_works(mask_in_handler);
}

/* A handler may change with which mask the program goes on. */
static void block_on_return(int signal_number, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;

    (void)signal_number, (void)info;
    sigaddset(&interrupted->uc_sigmask, SIGSEGV);
}

static void change_mask_in_handler(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(block_on_return, 0);
    raise(SIGSEGV);
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(words, 0));
}

static void a_handler_that_blocks_SIGSEGV_for_what_it_returns_to_is_obeyed(void)
{
    it_works(change_mask_in_handler);
}

static void fault_while_blocked(void *area)
{
    const sigset_t segv = just(SIGSEGV);

    (void)area;
    words = managed_words();
    handle_segv(come_back, 0);
    sigprocmask(SIG_BLOCK, &segv, NULL);
    CHILD_ASSERT(touch_words(words, 0));
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
}

static void a_fault_of_ones_own_while_SIGSEGV_is_blocked_ends_the_process(void)
{
    it_dies_of(fault_while_blocked, SIGSEGV);
}

static ucontext_t home, away;

static void touch_away(void)
{
    CHILD_ASSERT(is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(words, 0));
}

static void contexts(void *area)
{
    static char stack[64 << 10];

    (void)area;
    words = managed_words();
    CHILD_ASSERT(getcontext(&away) == 0);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    away.uc_link = &home;
    away.uc_sigmask = all_signals();
    makecontext(&away, touch_away, 0);
    CHILD_ASSERT(swapcontext(&home, &away) == 0);
    CHILD_ASSERT(!is_blocked(SIGSEGV) && words[0] == 1);
}

static void a_context_whose_mask_is_full_touches_it(void)
{
    it_works(contexts);
}

static atomic_bool timer_ran;

static void touch_for_timer(union sigval value)
{
    (void)value;
    CHILD_ASSERT(touch_words(words, 0));
    timer_ran = true;
}

static void timers_thread(void *area)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD};
    const struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
    const sigset_t all = all_signals();
    timer_t timer;

    (void)area;
    words = managed_words();
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    event.sigev_notify_function = touch_for_timer;
    CHILD_ASSERT(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHILD_ASSERT(timer_settime(timer, 0, &soon, NULL) == 0);
    while (!timer_ran) {
    }
}

static void a_timers_own_thread_touches_it(void)
{
    it_works(timers_thread);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void older_functions(void *area)
{
    (void)area;
    words = managed_words();
    CHILD_ASSERT(sigset(SIGSEGV, SIG_HOLD) == SIG_DFL && is_blocked(SIGSEGV));
    CHILD_ASSERT(touch_words(words, 0));
    CHILD_ASSERT(sigset(SIGSEGV, SIG_IGN) == SIG_HOLD && !is_blocked(SIGSEGV));
    CHILD_ASSERT(sigset(SIGSEGV, SIG_DFL) == SIG_IGN);
    CHILD_ASSERT(sighold(SIGSEGV) == 0 && is_blocked(SIGSEGV));
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
    CHILD_ASSERT(sigrelse(SIGSEGV) == 0 && !is_blocked(SIGSEGV));
    CHILD_ASSERT((sigsetmask(~0) & 1 << (SIGSEGV - 1)) == 0 && is_blocked(SIGSEGV) && is_blocked(SIGUSR1));
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 2));
    CHILD_ASSERT((sigsetmask(0) & 1 << (SIGSEGV - 1)) != 0 && !is_blocked(SIGUSR1));
    CHILD_ASSERT(sigblock(1 << (SIGSEGV - 1)) == 0 && is_blocked(SIGSEGV) && !is_blocked(SIGUSR1));
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 3));
}

static void the_older_functions_block_it_as_well(void)
{
    it_works(older_functions);
}

UM_TESTS("signal masks",
         {"a thread from before CUDA with all signals blocked touches managed memory",
          a_thread_from_before_CUDA_with_all_signals_blocked_touches_it},
         {"a thread whose attributes block all signals touches it",
          a_thread_whose_attributes_block_all_signals_touches_it},
         {"a handler with all signals in its mask touches it",
          a_handler_with_all_signals_in_its_mask_touches_it},
         {"so does one installed before CUDA's first call", so_does_one_installed_before_CUDAs_first_call},
         {"after longjmp out of a SIGSEGV handler it works", after_longjmp_out_of_a_SIGSEGV_handler_it_works},
         {"... and SIGSEGV is blocked then: a second fault ends the process",
          and_SIGSEGV_is_blocked_then_a_second_fault_ends_the_process},
         {"after longjmp out of a handler with a full mask it works",
          after_longjmp_out_of_a_handler_with_a_full_mask_it_works},
         {"siglongjmp restores whether SIGSEGV is blocked", siglongjmp_restores_whether_SIGSEGV_is_blocked},
         {"random masks are told as they were set", random_masks_are_told_as_they_were_set},
         {"a SIGSEGV handler touches it, and sees SIGSEGV blocked, except with SA_NODEFER",
          a_SIGSEGV_handler_touches_it_and_sees_SIGSEGV_blocked},
         {"a handler that blocks SIGSEGV for what it returns to is obeyed",
          a_handler_that_blocks_SIGSEGV_for_what_it_returns_to_is_obeyed},
         {"a fault of one's own while SIGSEGV is blocked ends the process",
          a_fault_of_ones_own_while_SIGSEGV_is_blocked_ends_the_process},
         {"a context whose mask is full touches it", a_context_whose_mask_is_full_touches_it},
         {"a timer's own thread touches it", a_timers_own_thread_touches_it},
         {"the older functions block it as well", the_older_functions_block_it_as_well});
