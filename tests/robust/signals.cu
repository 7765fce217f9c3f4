/**
 * @file signals.cu
 * @brief Programs with signal handlers of their own beside managed memory: faults that they recover from,
 * timers, signals that are waited for.
 */
#include "robust.h"

#include <csetjmp>
#include <csignal>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <thread>

enum { PAGES = 256, INTS_A_PAGE = PAGE / (int)sizeof(int), INTS = PAGES * INTS_A_PAGE };

static sigjmp_buf way_out;
static volatile sig_atomic_t caught;

static void leave(int number)
{
    caught = caught + 1;
    siglongjmp(way_out, number);
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {};

    action.sa_handler = handler;
    action.sa_flags = flags;
    HOLDS(sigaction(number, &action, NULL) == 0, "sigaction: %s", strerror(errno));
}

static void every_millisecond(int which)
{
    const itimerval often = {{0, 1000}, {0, 1000}};

    HOLDS(setitimer(which, &often, NULL) == 0, "setitimer");
}

static void no_more(int which)
{
    const itimerval never = {};

    setitimer(which, &never, NULL);
}

/* A touch of an address that leads nowhere, or to device memory; @return the signal. */
static int signal_of_a_store(int *p)
{
    const int number = sigsetjmp(way_out, 1);

    if (!number)
        *(volatile int *)p = 1;
    return number;
}

static void a_thousand_recovered_faults()
{
    int *managed = managed_ints(INTS), *device = NULL;

    NEED(cudaMalloc((void **)&device, PAGE));
    handle(SIGSEGV, leave, 0);
    for (int i = 0; i < 1000; i++) {
        HOLDS(signal_of_a_store(i % 2 ? device : NULL) == SIGSEGV, "fault %d", i);
        if (i % 50 == 0)
            to_gpu(managed, INTS * sizeof(int));
        managed[i % PAGES * INTS_A_PAGE] += 1;
    }
    HOLDS(caught == 1000, "%d faults", (int)caught);
    gpu_adds(managed, 1, INTS);
    for (int page = 0; page < PAGES; page++) {
        const int expected = 1 + 1000 / PAGES + (page < 1000 % PAGES);
        HOLDS(managed[page * INTS_A_PAGE] == expected, "page %d: %d", page, managed[page * INTS_A_PAGE]);
    }
}

static char *guarded;
static size_t own_page; /* the system's, which may be smaller than the simulator's */

static void open_the_page(int, siginfo_t *info, void *)
{
    char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(own_page - 1));

    if (page < guarded || page >= guarded + 64 * own_page)
        _exit(9);
    caught = caught + 1;
    mprotect(page, own_page, PROT_READ | PROT_WRITE);
}

/* A program that pages by itself: its handler opens its own pages and returns. */
static void a_handler_that_repairs()
{
    int *managed = managed_ints(64 * INTS_A_PAGE);
    struct sigaction action = {};

    action.sa_sigaction = open_the_page;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    own_page = (size_t)sysconf(_SC_PAGESIZE);
    guarded = (char *)mmap(NULL, 64 * own_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    to_gpu(managed, 64 * PAGE);
    for (int i = 0; i < 64; i++)
        guarded[i * own_page] = (char)(managed[i * INTS_A_PAGE] = i);
    HOLDS(caught == 64, "%d faults", (int)caught);
    gpu_adds(managed, 1, 64 * INTS_A_PAGE);
    for (int i = 0; i < 64; i++)
        HOLDS(managed[i * INTS_A_PAGE] == i + 1 && guarded[i * own_page] == i, "page %d", i);
}

static void count(int)
{
    caught = caught + 1;
}

static void calls_are_not_interrupted(int which, int number)
{
    enum { COUNT = 1 << 20 };
    int *there = NULL, *here = (int *)calloc(COUNT, sizeof *here), *managed = managed_ints(COUNT), turns = 0;

    NEED(cudaMalloc((void **)&there, COUNT * sizeof *there));
    NEED(cudaMemset(there, 0, COUNT * sizeof *there));
    handle(number, count, 0); /* no SA_RESTART: a slow system call ends with EINTR */
    every_millisecond(which);
    for (; caught < robust_times(150, 1500); turns++) {
        gpu_adds(managed, 1, COUNT);
        add_to_all<<<COUNT / 256, 256>>>(there, 1, COUNT);
        NEED(cudaMemcpy(here, there, COUNT * sizeof *here, cudaMemcpyDeviceToHost));
        for (int i = 0; i < COUNT; i += 512)
            managed[i]++;
    }
    no_more(which);
    for (int i = 0; i < COUNT; i++)
        HOLDS(here[i] == turns && managed[i] == turns * (i % 512 == 0 ? 2 : 1), "element %d: %d, %d", i,
              here[i], managed[i]);
}

static void alarms_in_every_call()
{
    calls_are_not_interrupted(ITIMER_REAL, SIGALRM);
}

static void a_profilers_timer()
{
    calls_are_not_interrupted(ITIMER_PROF, SIGPROF);
}

static int *theirs;

static void add_in_a_handler(int)
{
    theirs[(caught * INTS_A_PAGE) % INTS] += 1;
    caught = caught + 1;
}

/* The handler's touches are page faults like any. `full`: with every signal blocked while it runs. */
static void handler_touches_managed(bool full)
{
    struct sigaction action = {};
    long sum = 0;

    theirs = managed_ints(INTS);
    action.sa_handler = add_in_a_handler;
    action.sa_flags = SA_RESTART;
    if (full)
        sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    every_millisecond(ITIMER_REAL);
    while (caught < 150) {
        to_gpu(theirs, INTS * sizeof(int));
        for (int i = 0; i < INTS; i += INTS_A_PAGE)
            (void)*(volatile int *)(theirs + i);
    }
    no_more(ITIMER_REAL);
    for (int i = 0; i < INTS; i++)
        sum += theirs[i];
    HOLDS(sum == caught, "%ld added in %d handlers", sum, (int)caught);
}

static void a_handler_touches_managed_memory()
{
    handler_touches_managed(false);
}

static void a_handler_with_a_full_mask_touches_managed_memory()
{
    handler_touches_managed(true);
}

static void count_in_managed(int number)
{
    theirs[0] += 1;
    siglongjmp(way_out, number);
}

/* Inside the program's own SIGSEGV handler, with SIGSEGV blocked as sigaction() does. */
static void the_handler_of_SIGSEGV_touches_managed_memory()
{
    theirs = managed_ints(INTS_A_PAGE);
    handle(SIGSEGV, count_in_managed, 0);
    for (int i = 0; i < 100; i++) {
        to_gpu(theirs, PAGE);
        HOLDS(signal_of_a_store(NULL) == SIGSEGV, "fault %d", i);
    }
    HOLDS(theirs[0] == 100, "%d", theirs[0]);
}

static void waits_for_signals()
{
    sigset_t set;
    int number = 0;
    signalfd_siginfo info;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    gpu_works("with signals blocked");
    kill(getpid(), SIGUSR1);
    HOLDS(sigwait(&set, &number) == 0 && number == SIGUSR1, "sigwait: %d", number);
    const int fd = signalfd(-1, &set, SFD_CLOEXEC);
    kill(getpid(), SIGUSR2);
    HOLDS(read(fd, &info, sizeof info) == (ssize_t)sizeof info && info.ssi_signo == SIGUSR2, "signalfd");
    gpu_works("after them");
}

/* Whose handler is it? The program's, or none: not the simulator's. */
static void the_program_sees_its_own_settings()
{
    struct sigaction seen = {};
    sigset_t mask;

    gpu_works("at first");
    HOLDS(sigaction(SIGSEGV, NULL, &seen) == 0 && seen.sa_handler == SIG_DFL, "not SIG_DFL");
    handle(SIGSEGV, leave, SA_NODEFER);
    HOLDS(sigaction(SIGSEGV, NULL, &seen) == 0 && seen.sa_handler == leave, "not the program's handler");
    HOLDS(seen.sa_flags & SA_NODEFER && !(seen.sa_flags & SA_SIGINFO), "flags %#x", seen.sa_flags);
    HOLDS(signal(SIGSEGV, SIG_DFL) == leave, "signal() gave another");
    sigfillset(&mask);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    HOLDS(!sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGINT), "signals are blocked");
}

static void only_the_first_fault(int)
{
    siglongjmp(way_out, 1);
}

/* SA_RESETHAND: the second fault ends the process. */
static void a_handler_for_one_fault()
{
    gpu_works("at first");
    handle(SIGSEGV, only_the_first_fault, SA_RESETHAND);
    HOLDS(signal_of_a_store(NULL) == 1, "the first fault");
    puts("the first fault was caught");
    fflush(stdout);
    signal_of_a_store(NULL);
    HOLDS(false, "the second fault, too");
}

/* __builtin_trap() is a breakpoint on arm64. */
static void illegal_instruction()
{
#ifdef __aarch64__
    __asm__ volatile("udf #0");
#else
    __builtin_trap();
#endif
}

/* A file's mapping that has lost its file, an illegal instruction, a division: other faults, other signals.
 */
static void recovers_from_other_signals()
{
    int *managed = managed_ints(INTS);
    const int fd = memfd_create("short", MFD_CLOEXEC);
    int *mapped = (int *)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    handle(SIGBUS, leave, 0);
    handle(SIGILL, leave, 0);
    handle(SIGFPE, leave, 0);
    for (int i = 0; i < 20; i++) {
        to_gpu(managed, INTS * sizeof(int));
        HOLDS(signal_of_a_store(mapped) == SIGBUS, "SIGBUS %d", i);
        managed[0]++;
        int number = sigsetjmp(way_out, 1);
        if (!number)
            illegal_instruction();
        HOLDS(number == SIGILL, "%d", number);
        managed[INTS / 2]++;
        number = sigsetjmp(way_out, 1);
        if (!number)
            raise(SIGFPE);
        HOLDS(number == SIGFPE, "%d", number);
        managed[INTS - 1]++;
    }
    HOLDS(managed[0] == 20 && managed[INTS / 2] == 20 && managed[INTS - 1] == 20, "counts");
}

ROBUST_CASES({"a-thousand-recovered-faults", a_thousand_recovered_faults},
             {"a-handler-that-repairs", a_handler_that_repairs},
             {"alarms-in-every-call", alarms_in_every_call}, {"a-profilers-timer", a_profilers_timer},
             {"a-handler-touches-managed", a_handler_touches_managed_memory},
             {"a-handler-with-a-full-mask", a_handler_with_a_full_mask_touches_managed_memory},
             {"the-handler-of-SIGSEGV-touches-managed", the_handler_of_SIGSEGV_touches_managed_memory},
             {"waits-for-signals", waits_for_signals},
             {"sees-its-own-settings", the_program_sees_its_own_settings},
             {"a-handler-for-one-fault", a_handler_for_one_fault},
             {"recovers-from-other-signals", recovers_from_other_signals})
