/**
 * @file handlers.c
 * @brief A program's own SIGSEGV handler beside CUDA: it gets its own faults, and those on device pointers.
 *
 * The simulator pages managed memory by SIGSEGV, too, and has to stay out of the way of everything else;
 * NVIDIA's driver uses no signals. So the same tests hold on both.
 */
#include "child.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "kernels.h"
#include "um_check.h"
#include "um_test.h"

#define BYTES ((size_t)1 << 20)
#define OFFSET 4321

/** What one handler saw of one fault. */
struct sight {
    int calls, signal, code;
    const void *address;
    bool write;          /**< by the processor's own error code */
    bool on_alternate;   /**< the handler ran on the alternate stack */
    bool user_1_blocked; /**< SIGUSR1 was blocked meanwhile */
};

static struct sight last_sight; /* read only behind an atomic_signal_fence(): a handler writes it */
static sigjmp_buf escape;
static char alternate_stack[64 * 1024];

/* In a page fault's error code, bit 1 says that it was a write (Intel's manual, volume 3A, 4.7). */
static bool was_write(const ucontext_t *context)
{
#ifdef __x86_64__
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return false;
#endif
}

static void look(int signal, const siginfo_t *info, const void *context)
{
    sigset_t blocked;
    const uintptr_t here = (uintptr_t)&blocked, stack = (uintptr_t)alternate_stack;

    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    last_sight.calls++;
    last_sight.signal = signal;
    last_sight.code = info->si_code;
    last_sight.address = info->si_addr;
    last_sight.write = was_write(context);
    last_sight.on_alternate = here >= stack && here < stack + sizeof alternate_stack;
    last_sight.user_1_blocked = sigismember(&blocked, SIGUSR1) == 1;
}

static void look_and_jump(int signal, siginfo_t *info, void *context)
{
    look(signal, info, context);
    siglongjmp(escape, 1);
}

static void jump(int signal)
{
    last_sight.calls++;
    last_sight.signal = signal;
    siglongjmp(escape, 1);
}

static void install(void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    CHILD_ASSERT(sigaction(SIGSEGV, &action, NULL) == 0);
}

/* Touches one byte; what the handler saw, or nothing. NULL, too: not for UndefinedBehaviorSanitizer to
 * report. */
__attribute__((no_sanitize("undefined"))) static struct sight touch(char *address, bool write)
{
    memset(&last_sight, 0, sizeof last_sight);
    if (sigsetjmp(escape, 1) == 0) {
        if (write)
            *(volatile char *)address = 1;
        else
            (void)*(volatile char *)address;
    }
    atomic_signal_fence(memory_order_seq_cst);
    return last_sight;
}

/* A page of the program's own without access. */
static char *own_page(void)
{
    char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHILD_ASSERT(p != MAP_FAILED);
    return p;
}

static char *device_memory(void)
{
    char *d_x = NULL;

    CHILD_NEED(cudaMalloc((void **)&d_x, BYTES));
    CHILD_NEED(cudaMemset(d_x, 0, BYTES));
    return d_x;
}

/** Faults of several kinds, seen by a handler. */
struct faults {
    const void *device, *own;
    struct sight device_read, device_write, null_read, own_read, own_write, after_jumps;
    cudaError_t copy; /* after all that */
    int managed;      /* a value that went through managed memory after all that */
};

static int use_managed(void)
{
    int *x = NULL, value;

    if (!device_facts()->managed)
        return 42;
    CHILD_NEED(cudaMallocManaged((void **)&x, BYTES, cudaMemAttachGlobal));
    *x = 41;
    CHILD_NEED(um_add_one(x, 1, 0));
    CHILD_NEED(cudaDeviceSynchronize());
    value = *x;
    CHILD_NEED(cudaFree(x));
    return value;
}

static void make_faults(struct faults *seen, char *d_x, char *own)
{
    char byte = 1;

    seen->device = d_x + OFFSET;
    seen->own = own;
    seen->device_read = touch(d_x + OFFSET, false);
    seen->device_write = touch(d_x + OFFSET, true);
    seen->null_read = touch(NULL, false);
    seen->own_read = touch(own, false);
    seen->own_write = touch(own, true);
    seen->after_jumps = touch(d_x + OFFSET, false);
    seen->copy = cudaMemcpy(&byte, d_x + OFFSET, 1, cudaMemcpyDeviceToHost);
    if (byte != 0)
        seen->copy = cudaErrorUnknown;
    seen->managed = use_managed();
}

static void installed_before(void *area)
{
    install(look_and_jump, 0);
    make_faults(area, device_memory(), own_page());
}

static void installed_after(void *area)
{
    char *d_x = device_memory();

    install(look_and_jump, 0);
    make_faults(area, d_x, own_page());
}

static void should_see(const struct sight *sight, const void *address, int code, bool write)
{
    UM_EQUAL(sight->calls, 1);
    UM_EQUAL(sight->signal, SIGSEGV);
    UM_EQUAL(sight->code, code);
    UM_EQUAL((uintptr_t)sight->address, (uintptr_t)address);
#ifdef __x86_64__
    UM_EQUAL(sight->write, write);
#else
    (void)write;
#endif
}

static const struct faults *seen_by(void (*body)(void *))
{
    static struct faults seen[2];
    static struct child child[2];
    static bool ran[2];
    const int which = body == installed_after;

    (void)device_facts();
    if (!ran[which])
        child_run(body, &seen[which], sizeof seen[which], &child[which]);
    ran[which] = true;
    child_ended_well(&child[which]);
    return &seen[which];
}

static void should_get_device_faults(const struct faults *seen)
{
    should_see(&seen->device_read, seen->device, SEGV_ACCERR, false);
    should_see(&seen->device_write, seen->device, SEGV_ACCERR, true);
}

static void should_get_own_faults(const struct faults *seen)
{
    should_see(&seen->null_read, NULL, SEGV_MAPERR, false);
    should_see(&seen->own_read, seen->own, SEGV_ACCERR, false);
    should_see(&seen->own_write, seen->own, SEGV_ACCERR, true);
}

static void one_installed_before_CUDAs_first_call_gets_faults_on_device(void)
{
    should_get_device_faults(seen_by(installed_before));
}

static void and_the_programs_own_NULL_among_them(void)
{
    should_get_own_faults(seen_by(installed_before));
}

static void one_installed_after_it_gets_faults_on_device_pointers(void)
{
    should_get_device_faults(seen_by(installed_after));
}

static void and_gets_the_programs_own(void)
{
    should_get_own_faults(seen_by(installed_after));
}

static void should_go_on(const struct faults *seen)
{
    should_see(&seen->after_jumps, seen->device, SEGV_ACCERR, false);
    UM_EQUAL(seen->copy, cudaSuccess);
    UM_EQUAL(seen->managed, 42);
}

static void siglongjmp_out_of_the_handler_works_again_and_again_and_CUDA(void)
{
    should_go_on(seen_by(installed_before));
    should_go_on(seen_by(installed_after));
}

static void the_handlers_own_signal_mask_holds(void)
{
    CU_ASSERT_TRUE(seen_by(installed_before)->device_read.user_1_blocked);
    CU_ASSERT_TRUE(seen_by(installed_after)->device_read.user_1_blocked);
}

/** Other ways to handle a signal. Each gets a child; `right` is the child's own judgement. */
struct way {
    int calls;
    bool right;
};

static void should_work(void (*body)(void *), int calls)
{
    struct way way = {0};
    static struct child child;

    (void)device_facts();
    child_run(body, &way, sizeof way, &child);
    if (!child_ended_well(&child))
        return;
    UM_EQUAL(way.calls, calls);
    CU_ASSERT_TRUE(way.right);
}

static void by_signal(void *area)
{
    struct way *way = area;
    char *d_x = device_memory();

    CHILD_ASSERT(signal(SIGSEGV, jump) != SIG_ERR);
    way->calls = touch(d_x, false).calls;
    way->right = signal(SIGSEGV, SIG_DFL) == jump;
}

static void one_installed_by_signal_works(void)
{
    should_work(by_signal, 1);
}

static void ask_for_handler(void *area)
{
    struct way *way = area;
    struct sigaction action;

    install(look_and_jump, SA_ONSTACK);
    (void)device_memory();
    CHILD_ASSERT(sigaction(SIGSEGV, NULL, &action) == 0);
    way->right = action.sa_sigaction == look_and_jump && (action.sa_flags & SA_ONSTACK) != 0;
}

static void sigaction_tells_of_the_programs_own_handler(void)
{
    should_work(ask_for_handler, 0);
}

static void on_alternate_stack(void *area)
{
    const stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    struct way *way = area;
    char *d_x = device_memory();

    CHILD_ASSERT(sigaltstack(&stack, NULL) == 0);
    install(look_and_jump, SA_ONSTACK);
    way->calls = touch(d_x, false).calls;
    way->right = last_sight.on_alternate && touch(d_x, false).on_alternate;
}

static void an_alternate_stack_is_used(void)
{
    should_work(on_alternate_stack, 1);
}

/* A pager of the program's own: the handler opens the page and returns, and the access is made again. */
static char *paged;

static void open_page(int signal, siginfo_t *info, void *context)
{
    look(signal, info, context);
    if ((char *)info->si_addr < paged || (char *)info->si_addr >= paged + 4096)
        _exit(CHILD_CANNOT);
    mprotect(paged, 4096, PROT_READ | PROT_WRITE);
}

static void page_by_oneself(void *area)
{
    struct way *way = area;

    (void)device_memory();
    paged = own_page();
    install(open_page, 0);
    *(volatile char *)(paged + 100) = 5;
    atomic_signal_fence(memory_order_seq_cst);
    way->calls = last_sight.calls;
    way->right = paged[100] == 5 && use_managed() == 42 && last_sight.calls == 1;
}

static void a_handler_that_opens_a_page_of_its_own_and_returns_works(void)
{
    should_work(page_by_oneself, 1);
}

static void send_to_oneself(void *area)
{
    struct way *way = area;

    (void)device_memory();
    install(look_and_jump, 0);
    memset(&last_sight, 0, sizeof last_sight);
    if (sigsetjmp(escape, 1) == 0)
        raise(SIGSEGV);
    atomic_signal_fence(memory_order_seq_cst);
    way->calls = last_sight.calls;
    way->right = last_sight.code <= 0; /* it says that a process sent it */
}

static void a_SIGSEGV_that_was_sent_arrives_as_sent(void)
{
    should_work(send_to_oneself, 1);
}

static void *fault_in_thread(void *d_x)
{
    static struct sight sight;

    sight = touch(d_x, false);
    return &sight;
}

static void fault_elsewhere(void *area)
{
    struct way *way = area;
    char *d_x = device_memory();
    pthread_t thread;
    void *sight = NULL;

    install(look_and_jump, 0);
    CHILD_ASSERT(pthread_create(&thread, NULL, fault_in_thread, d_x + OFFSET) == 0);
    CHILD_ASSERT(pthread_join(thread, &sight) == 0);
    way->calls = ((struct sight *)sight)->calls;
    way->right = ((struct sight *)sight)->address == d_x + OFFSET;
}

static void a_threads_fault_reaches_the_handler_in_that_thread(void)
{
    should_work(fault_elsewhere, 1);
}

static void handle_once(void *area)
{
    struct way *way = area;
    char *d_x = device_memory();
    struct sigaction action;

    install(look_and_jump, (int)SA_RESETHAND);
    way->calls = touch(d_x, false).calls;
    CHILD_ASSERT(sigaction(SIGSEGV, NULL, &action) == 0);
    way->right = action.sa_handler == SIG_DFL;
}

static void SA_RESETHAND_after_one_fault_the_default_stands(void)
{
    should_work(handle_once, 1);
}

static void block_segv(void *area)
{
    struct way *way = area;
    sigset_t all;

    CHILD_NEED(cudaFree(NULL));
    sigfillset(&all);
    CHILD_ASSERT(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
    way->right = use_managed() == 42;
    CHILD_ASSERT(sigprocmask(SIG_SETMASK, &all, NULL) == 0);
    way->right = way->right && use_managed() == 42;
}

static void blocking_SIGSEGV_does_not_stop_managed_memory(void)
{
    if (!device_facts()->managed)
        UM_SKIP("this device has no managed memory");
    should_work(block_segv, 0);
}

static void *managed_in_thread(void *right)
{
    *(bool *)right = use_managed() == 42;
    return NULL;
}

/* A thread inherits the mask that stood before CUDA started. */
static void block_segv_early(void *area)
{
    struct way *way = area;
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    CHILD_ASSERT(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
    way->right = use_managed() == 42;
    CHILD_ASSERT(pthread_create(&thread, NULL, managed_in_thread, &way->right) == 0);
    CHILD_ASSERT(pthread_join(thread, NULL) == 0);
}

static void SIGSEGV_blocked_before_CUDAs_first_call_does_not_stop_managed(void)
{
    if (!device_facts()->managed)
        UM_SKIP("this device has no managed memory");
    should_work(block_segv_early, 0);
}

UM_TESTS("handlers",
         {"one installed before CUDA's first call gets faults on device pointers",
          one_installed_before_CUDAs_first_call_gets_faults_on_device},
         {"... and the program's own, NULL among them", and_the_programs_own_NULL_among_them},
         {"one installed after it gets faults on device pointers",
          one_installed_after_it_gets_faults_on_device_pointers},
         {"... and gets the program's own", and_gets_the_programs_own},
         {"siglongjmp out of the handler works again and again, and CUDA goes on",
          siglongjmp_out_of_the_handler_works_again_and_again_and_CUDA},
         {"the handler's own signal mask holds", the_handlers_own_signal_mask_holds},
         {"one installed by signal() works", one_installed_by_signal_works},
         {"sigaction tells of the program's own handler", sigaction_tells_of_the_programs_own_handler},
         {"an alternate stack is used", an_alternate_stack_is_used},
         {"a handler that opens a page of its own and returns works",
          a_handler_that_opens_a_page_of_its_own_and_returns_works},
         {"a SIGSEGV that was sent arrives as sent", a_SIGSEGV_that_was_sent_arrives_as_sent},
         {"a thread's fault reaches the handler in that thread",
          a_threads_fault_reaches_the_handler_in_that_thread},
         {"SA_RESETHAND: after one fault the default stands",
          SA_RESETHAND_after_one_fault_the_default_stands},
         {"blocking SIGSEGV does not stop managed memory", blocking_SIGSEGV_does_not_stop_managed_memory},
         {"SIGSEGV blocked before CUDA's first call does not stop managed memory",
          SIGSEGV_blocked_before_CUDAs_first_call_does_not_stop_managed});
