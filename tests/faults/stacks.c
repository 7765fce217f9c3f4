/**
 * @file stacks.c
 * @brief Managed memory on small stacks, and beside alternate stacks of every size.
 */
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "um_check.h"
#include "um_test.h"

/** The smallest that the kernel takes. */
#ifdef __aarch64__
#define LEAST 5120
#else
#define LEAST 2048
#endif
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* As Rust's runtime makes it in main() and in each thread: 8 KiB, or more where the kernel says that a signal
 * may take that. (An arm64 processor with the longest vectors: 9984 bytes. What x86-64 says counts tiles that
 * nobody uses.) */
static size_t eight_kibibytes(void)
{
    size_t bytes = 8192;

#ifdef __aarch64__
    if (getauxval(AT_MINSIGSTKSZ) + 3072 > bytes)
        bytes = getauxval(AT_MINSIGSTKSZ) + 3072;
#endif
    return bytes;
}

static int *words;
static sigjmp_buf escape;
static atomic_int calls;
static bool was_on_stack;

/* Memory with a page that nobody may touch below. */
static char *guarded(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHILD_ASSERT(p != MAP_FAILED && mprotect(p + page, bytes, PROT_READ | PROT_WRITE) == 0);
    return p + page;
}

static stack_t use_stack(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const stack_t stack = {.ss_sp = guarded((bytes + page - 1) / page * page), .ss_size = bytes};

    CHILD_ASSERT(sigaltstack(&stack, NULL) == 0);
    return stack;
}

/* At first a thread has none, unless AddressSanitizer has given it one. */
static bool has_none(void)
{
    stack_t told;

    CHILD_ASSERT(sigaltstack(NULL, &told) == 0);
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return told.ss_flags == SS_DISABLE;
#endif
}

static void come_back(int signal_number, siginfo_t *info, void *context)
{
    const char here = 0;
    stack_t stack;

    (void)signal_number, (void)info, (void)context;
    calls++;
    CHILD_ASSERT(sigaltstack(NULL, &stack) == 0);
    was_on_stack = (uintptr_t)&here - (uintptr_t)stack.ss_sp < stack.ss_size;
    siglongjmp(escape, 1);
}

static void fault(void)
{
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)closed_page() = 1;
}

static void with_stack(size_t bytes, bool handler)
{
    const stack_t stack = use_stack(bytes);
    stack_t told;

    if (handler)
        handle_segv(come_back, SA_ONSTACK);
    words = managed_words();
    CHILD_ASSERT(touch_words(words, 0));
    if (handler)
        fault();
    CHILD_ASSERT(calls == handler);
    words_to_device(words);
    CHILD_ASSERT(touch_words(words, 1));
    CHILD_ASSERT(sigaltstack(NULL, &told) == 0);
    CHILD_ASSERT(told.ss_sp == stack.ss_sp && told.ss_size == bytes && told.ss_flags == 0);
}

static void least(void *area)
{
    (void)area;
    with_stack(LEAST, false);
}

static void with_the_smallest_alternate_stack_managed_memory_works(void)
{
    it_works(least);
}

static void least_and_handler(void *area)
{
    (void)area;
    handle_segv(come_back, SA_ONSTACK);
    words = managed_words();
    use_stack(LEAST);
    CHILD_ASSERT(touch_words(words, 0));
}

static void and_with_a_handler_that_asks_for_it(void)
{
    it_works(least_and_handler);
}

static void one_of_8_KiB(void *area)
{
    (void)area;
    with_stack(eight_kibibytes(), true);
    CHILD_ASSERT(was_on_stack);
}

static void with_one_of_8_KiB_it_works_and_the_handler_runs_there(void)
{
    it_works(one_of_8_KiB);
}

static void every_size(void *area)
{
    (void)area;
    handle_segv(come_back, SA_ONSTACK);
    words = managed_words();
    for (size_t bytes = LEAST; bytes <= 32768; bytes += 512) {
        use_stack(bytes);
        CHILD_ASSERT(touch_words(words, (int)(bytes - LEAST) / 512));
        words_to_device(words);
    }
}

static void with_every_size_it_works(void)
{
    it_works(every_size);
}

/* A nested call for each KiB, until the stack ends. */
static int deeper(int depth)
{
    volatile char more[1024];

    more[depth % 1024] = 1;
    return depth < 0 ? 0 : deeper(depth + 1) + more[depth % 1024];
}

static void overflow(size_t bytes)
{
    use_stack(bytes);
    handle_segv(come_back, SA_ONSTACK);
    words = managed_words();
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(escape, 1) == 0)
            deeper(0);
        CHILD_ASSERT(calls == i + 1 && was_on_stack);
        CHILD_ASSERT(touch_words(words, i));
        words_to_device(words);
    }
}

static void overflow_on_small(void *area)
{
    const struct rlimit stack = {1 << 20, 1 << 20};

    (void)area;
    setrlimit(RLIMIT_STACK, &stack);
    overflow(eight_kibibytes());
}

static void a_stack_overflow_is_handled_on_an_alternate_stack_of_8_KiB(void)
{
    it_works(overflow_on_small);
}

static void overflow_without(void *area)
{
    const struct rlimit stack = {1 << 20, 1 << 20};

    (void)area;
    setrlimit(RLIMIT_STACK, &stack);
    words = managed_words();
    deeper(0);
}

static void a_stack_overflow_without_one_ends_the_process(void)
{
    it_dies_of(overflow_without, SIGSEGV);
}

static void states(void *area)
{
    char small[LEAST - 1];
    stack_t wanted = {.ss_sp = small, .ss_size = sizeof small}, told;

    (void)area;
    words = managed_words();
    CHILD_ASSERT(has_none());
    CHILD_ASSERT(sigaltstack(&wanted, NULL) == -1 && errno == ENOMEM);
    wanted = use_stack(LEAST);
    CHILD_ASSERT(sigaltstack(NULL, &told) == 0 && told.ss_sp == wanted.ss_sp && told.ss_size == LEAST);
    const stack_t larger = use_stack(16384), none = {.ss_flags = SS_DISABLE};
    CHILD_ASSERT(sigaltstack(&wanted, &told) == 0 && told.ss_sp == larger.ss_sp && told.ss_size == 16384);
    CHILD_ASSERT(sigaltstack(&none, &told) == 0 && told.ss_sp == wanted.ss_sp && told.ss_size == LEAST);
    CHILD_ASSERT(sigaltstack(NULL, &told) == 0 && told.ss_flags == SS_DISABLE);
    CHILD_ASSERT(touch_words(words, 0));
}

static void the_alternate_stack_is_told_as_it_was_set(void)
{
    it_works(states);
}

static void look_at_stack(int signal_number, siginfo_t *info, void *context)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t told;

    (void)signal_number, (void)info, (void)context;
    CHILD_ASSERT(sigaltstack(NULL, &told) == 0 && told.ss_flags == SS_ONSTACK);
    CHILD_ASSERT(sigaltstack(&none, NULL) == -1 && errno == EPERM);
    CHILD_ASSERT(touch_words(words, calls++));
    siglongjmp(escape, 1);
}

static void on_stack(void *area)
{
    (void)area;
    words = managed_words();
    handle_segv(look_at_stack, SA_ONSTACK);
    use_stack(32768);
    fault();
    CHILD_ASSERT(calls == 1);
    words_to_device(words);
    if (sigsetjmp(escape, 1) == 0)
        raise(SIGSEGV);
    CHILD_ASSERT(calls == 2);
}

static void in_a_handler_there_it_is_in_use_and_cannot_be_changed(void)
{
    it_works(on_stack);
}

static void touch_next(int signal_number)
{
    (void)signal_number;
    words[calls++ * 1024 % WORDS]++;
}

static void alarms_on_stack(void *area)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = touch_next, .sa_flags = SA_ONSTACK | SA_RESTART};
    long sum = 0;

    (void)area;
    use_stack(16384);
    words = managed_words();
    CHILD_ASSERT(sigaction(SIGALRM, &action, NULL) == 0);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int round = 0; calls < 100 || round < 20; round++)
        words_to_device(words);
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < WORDS; i += 1024)
        sum += words[i];
    CHILD_ASSERT(sum == calls);
}

static void an_alarms_handler_on_the_alternate_stack_touches_managed_memory(void)
{
    it_works(alarms_on_stack);
}

static ucontext_t home, away;

static void touch_away(void)
{
    CHILD_ASSERT(touch_words(words, 0));
}

static void coroutine(void *area)
{
    char *stack = guarded(16384);

    (void)area;
    words = managed_words();
    CHILD_ASSERT(getcontext(&away) == 0);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = 16384;
    away.uc_link = &home;
    makecontext(&away, touch_away, 0);
    CHILD_ASSERT(swapcontext(&home, &away) == 0);
    CHILD_ASSERT(words[0] == 1);
}

static void a_coroutine_on_a_stack_of_16_KiB_touches_it(void)
{
    it_works(coroutine);
}

static void *thread_with_stack(void *expected)
{
    static __thread char memory[LEAST];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    stack_t told;

    CHILD_ASSERT(has_none());
    CHILD_ASSERT(sigaltstack(&stack, NULL) == 0);
    CHILD_ASSERT(touch_words(words, *(int *)expected));
    CHILD_ASSERT(sigaltstack(NULL, &told) == 0 && told.ss_sp == memory);
    return NULL;
}

static long address_space_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");

    CHILD_ASSERT(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmSize: %ld", &kib) == 1)
            break;
    fclose(file);
    return kib;
}

static void threads_with_stacks(void *area)
{
    long before = 0;

    (void)area;
    handle_segv(come_back, SA_ONSTACK);
    words = managed_words();
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;
        if (i == 100)
            before = address_space_kib();
        CHILD_ASSERT(pthread_create(&thread, NULL, thread_with_stack, &i) == 0);
        CHILD_ASSERT(pthread_join(thread, NULL) == 0);
        words_to_device(words);
    }
#ifndef __SANITIZE_ADDRESS__ /* it keeps what was freed for a while */
    CHILD_ASSERT(address_space_kib() < before + 1024);
#endif
}

static void a_thousand_threads_with_one_each_leave_no_memory_behind(void)
{
    it_works(threads_with_stacks);
}

/* The explanation of a bad access takes more than this stack has. */
static void explain_on_small(void *area)
{
    char *d_x = NULL;

    (void)area;
    use_stack(eight_kibibytes());
    handle_segv(come_back, SA_ONSTACK);
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    if (sigsetjmp(escape, 1) == 0)
        *(volatile char *)d_x = 1;
    CHILD_ASSERT(calls == 1 && was_on_stack);
}

static void a_bad_access_on_a_small_alternate_stack_reaches_the_handler(void)
{
    need_separate_memories();
    it_works(explain_on_small);
}

enum { THREADS = 50, ROUNDS = 40 };

static void *touch_own_part(void *part)
{
    volatile int *own = words + (intptr_t)part * (WORDS / THREADS / 1024 * 1024);

    for (int i = 0; i < WORDS / THREADS / 1024; i++)
        own[i * 1024]++;
    return NULL;
}

/* More threads fault at once than the simulator has stacks for. */
static void many_at_once(void *area)
{
    (void)area;
    words = managed_words();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        words_to_device(words);
        for (intptr_t i = 0; i < THREADS; i++)
            CHILD_ASSERT(pthread_create(&thread[i], NULL, touch_own_part, (void *)i) == 0);
        for (int i = 0; i < THREADS; i++)
            CHILD_ASSERT(pthread_join(thread[i], NULL) == 0);
    }
    for (int i = 0; i < THREADS * (WORDS / THREADS / 1024); i++)
        CHILD_ASSERT(words[i * 1024] == ROUNDS);
}

static void fifty_threads_fault_at_once(void)
{
    it_works(many_at_once);
}

UM_TESTS("stacks",
         {"with the smallest alternate stack managed memory works",
          with_the_smallest_alternate_stack_managed_memory_works},
         {"... and with a handler that asks for it", and_with_a_handler_that_asks_for_it},
         {"with one of 8 KiB it works, and the handler runs there",
          with_one_of_8_KiB_it_works_and_the_handler_runs_there},
         {"with every size it works", with_every_size_it_works},
         {"a stack overflow is handled on an alternate stack of 8 KiB, again and again",
          a_stack_overflow_is_handled_on_an_alternate_stack_of_8_KiB},
         {"a stack overflow without one ends the process", a_stack_overflow_without_one_ends_the_process},
         {"the alternate stack is told as it was set", the_alternate_stack_is_told_as_it_was_set},
         {"in a handler there it is in use, and cannot be changed",
          in_a_handler_there_it_is_in_use_and_cannot_be_changed},
         {"an alarm's handler on the alternate stack touches managed memory",
          an_alarms_handler_on_the_alternate_stack_touches_managed_memory},
         {"a coroutine on a stack of 16 KiB touches it", a_coroutine_on_a_stack_of_16_KiB_touches_it},
         {"a thousand threads with one each leave no memory behind",
          a_thousand_threads_with_one_each_leave_no_memory_behind},
         {"a bad access on a small alternate stack reaches the handler",
          a_bad_access_on_a_small_alternate_stack_reaches_the_handler},
         {"fifty threads fault at once", fifty_threads_fault_at_once});
