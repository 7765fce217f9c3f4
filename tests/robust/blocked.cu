/**
 * @file blocked.cu
 * @brief SIGSEGV blocked, ignored, sent by hand, on small stacks: managed memory has to go on, because a
 * GPU's page faults are no signals.
 */
#include "robust.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>

enum { INTS = 1 << 16, INTS_A_PAGE = PAGE / (int)sizeof(int) };

/* All pages are on the GPU; the host takes them back, one by one. */
static void takes_pages_back(int *x)
{
    to_gpu(x, INTS * sizeof *x);
    for (int i = 0; i < INTS; i += INTS_A_PAGE)
        x[i] += 1;
    for (int i = 0; i < INTS; i += INTS_A_PAGE)
        HOLDS(x[i] == 1, "element %d: %d", i, x[i]);
    for (int i = 0; i < INTS; i += INTS_A_PAGE)
        x[i] = 0;
}

static std::atomic<int *> given{nullptr};

/* The usual way to make a pool of threads: none of them is to take the program's signals. */
static void a_thread_made_before_with_all_signals_blocked()
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread thread([] {
        while (!given)
            robust_sleep_ms(1);
        takes_pages_back(given);
    });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    given = managed_ints(INTS);
    thread.join();
}

static void a_thread_made_afterwards_with_all_signals_blocked()
{
    sigset_t all, before;
    int *x = managed_ints(INTS);

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread thread(takes_pages_back, x);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    thread.join();
    sigprocmask(SIG_BLOCK, &all, NULL);
    takes_pages_back(x);
}

static void blocked_before_the_first_call()
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    takes_pages_back(managed_ints(INTS));
}

/* No library function is asked: the mask is set by the system call itself. */
static void blocked_by_the_system_call()
{
    int *x = managed_ints(INTS);
    const uint64_t all = ~(uint64_t)0;

    takes_pages_back(x);
    HOLDS(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all) == 0, "%s", strerror(errno));
    takes_pages_back(x);
}

static jmp_buf plain_way_out;

static void leave_plainly(int)
{
    longjmp(plain_way_out, 1);
}

/* longjmp() does not restore the mask: SIGSEGV stays as it was in the handler. */
static void longjmp_out_of_the_handler()
{
    int *x = managed_ints(INTS);

    signal(SIGSEGV, leave_plainly);
    if (setjmp(plain_way_out) == 0)
        *(volatile int *)NULL = 1;
    takes_pages_back(x);
}

/* An alternate stack with a guard page below it, as Rust's runtime makes one. */
static void on_an_alternate_stack_of(size_t bytes)
{
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    char *memory =
        (char *)mmap(NULL, whole + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {};

    mprotect(memory, PAGE, PROT_NONE);
    stack.ss_sp = memory + PAGE + whole - bytes;
    stack.ss_size = bytes;
    HOLDS(sigaltstack(&stack, NULL) == 0, "sigaltstack: %s", strerror(errno));
    takes_pages_back(managed_ints(INTS));
}

static void on_8_KiB()
{
    on_an_alternate_stack_of(8192);
}

static void on_16_KiB()
{
    on_an_alternate_stack_of(16384);
}

/* What the system itself needs to deliver a signal, and no more. */
/* The smallest that Linux takes, which may be more than the C library says. */
static void on_MINSIGSTKSZ()
{
    static char memory[64 << 10];
    stack_t stack = {};

    stack.ss_sp = memory;
    stack.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ);
    while (sigaltstack(&stack, NULL) != 0 && errno == ENOMEM)
        stack.ss_size += 16;
    on_an_alternate_stack_of(stack.ss_size);
}

static void raised_with_the_default_action()
{
    takes_pages_back(managed_ints(INTS));
    raise(SIGSEGV);
    HOLDS(false, "raise(SIGSEGV) came back");
}

static void killed_with_the_default_action()
{
    takes_pages_back(managed_ints(INTS));
    kill(getpid(), SIGSEGV);
    robust_sleep_ms(100);
    HOLDS(false, "the process survived kill(SIGSEGV)");
}

static void sent_to_a_thread_with_the_default_action()
{
    takes_pages_back(managed_ints(INTS));
    std::thread([] { pthread_kill(pthread_self(), SIGSEGV); }).join();
    HOLDS(false, "the process survived pthread_kill(SIGSEGV)");
}

static void ignored_when_sent()
{
    int *x = managed_ints(INTS);

    signal(SIGSEGV, SIG_IGN);
    for (int i = 0; i < 10; i++) {
        raise(SIGSEGV);
        kill(getpid(), SIGSEGV);
        takes_pages_back(x);
    }
}

static volatile sig_atomic_t seen;

static void see(int, siginfo_t *info, void *)
{
    seen = info->si_code <= 0 ? seen + 1 : -1000;
}

static void handled_when_sent()
{
    int *x = managed_ints(INTS);
    struct sigaction action = {};
    sigval value = {};

    action.sa_sigaction = see;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 10; i++) {
        raise(SIGSEGV);
        sigqueue(getpid(), SIGSEGV, value);
        takes_pages_back(x);
    }
    HOLDS(seen == 20, "%d of 20 signals", (int)seen);
}

/* With the signal ignored a wild store still ends the process. */
static void a_fault_with_the_signal_ignored()
{
    takes_pages_back(managed_ints(INTS));
    signal(SIGSEGV, SIG_IGN);
    *(volatile int *)NULL = 1;
    HOLDS(false, "the store to NULL went on");
}

static void a_fault_with_the_signal_blocked()
{
    sigset_t all;

    takes_pages_back(managed_ints(INTS));
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    *(volatile int *)NULL = 1;
    HOLDS(false, "the store to NULL went on");
}

ROBUST_CASES({"a-thread-made-before", a_thread_made_before_with_all_signals_blocked},
             {"a-thread-made-afterwards", a_thread_made_afterwards_with_all_signals_blocked},
             {"before-the-first-call", blocked_before_the_first_call},
             {"by-the-system-call", blocked_by_the_system_call},
             {"longjmp-out-of-the-handler", longjmp_out_of_the_handler}, {"on-8-KiB", on_8_KiB},
             {"on-16-KiB", on_16_KiB}, {"on-MINSIGSTKSZ", on_MINSIGSTKSZ},
             {"raised", raised_with_the_default_action}, {"killed", killed_with_the_default_action},
             {"sent-to-a-thread", sent_to_a_thread_with_the_default_action},
             {"ignored-when-sent", ignored_when_sent}, {"handled-when-sent", handled_when_sent},
             {"a-fault-with-it-ignored", a_fault_with_the_signal_ignored},
             {"a-fault-with-it-blocked", a_fault_with_the_signal_blocked})
