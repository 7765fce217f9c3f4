/**
 * @file host_fault.c
 * @brief Implementation of host_fault.h: the SIGSEGV handler, and the program's own disposition behind it.
 *
 * Everything here may run at any instruction of the program. So it calls no malloc, and takes no lock but the
 * managed one and disposition.c's, which are never held by code that touches managed memory.
 */
#include "host_fault.h"
#include "../base/access.h"
#include "../base/disposition.h"
#include "../base/own_stack.h"
#include "../base/signal_mask.h"
#include "explain.h"
#include "../record/ledger.h"
#include "../base/processes.h"
#include "../check/buffers.h"
#include "../check/check.h"
#include "../check/touches.h"
#include "../space/managed.h"
#include "../space/register.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

/* A SIGSEGV that is sent on as the stand-in says so in si_errno, which nothing else uses: MARK, and the
 * si_code that it came with. */
#define MARK 0x5e670000u
#define MARKED(info) (((unsigned)(info)->si_errno & 0xffff0000u) == MARK)

static _Thread_local bool postponed __attribute__((tls_model("initial-exec")));
static atomic_bool sent_without_mark; /* the system refused to send the mark along */

/* One call of the handler. */
struct arrival {
    int signal_number;
    siginfo_t *info;
    void *context;
    bool served;      /* the access can go on */
    bool is_programs; /* the program's handler has to be called */
};

static umsim_signals mask_of(const void *context)
{
    return umsim_signals_of(&((const ucontext_t *)context)->uc_sigmask);
}

/* The mask with which the interrupted code goes on. */
static void set_mask_of(void *context, umsim_signals mask)
{
    umsim_signals_put(&((ucontext_t *)context)->uc_sigmask, mask);
}

static bool was_sent(const siginfo_t *info)
{
    return info->si_code <= 0;
}

static bool is_handler(const struct sigaction *wish)
{
    return (wish->sa_flags & SA_SIGINFO) || (wish->sa_handler != SIG_DFL && wish->sa_handler != SIG_IGN);
}

/* Ends the process by the signal, as soon as the handler has returned: with the interrupted code's registers,
 * as a core file should show them. */
static void end_by(int signal_number, const siginfo_t *info, void *context)
{
    siginfo_t same = *info;
    umsim_disposition_give_up(signal_number);
    set_mask_of(context, mask_of(context) & ~UMSIM_SIGNAL_BIT(signal_number));
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal_number, &same) != 0)
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal_number);
}

/* Sends the signal on as the stand-in, which is blocked where the program believes SIGSEGV blocked. One that
 * was sent to the process may go to any thread. */
static void postpone(const siginfo_t *info)
{
    const bool to_thread = info->si_code == SI_TKILL;
    const pid_t process = getpid();
    siginfo_t marked = *info;
    marked.si_errno = (int)(MARK | (uint16_t)info->si_code);
    marked.si_code = SI_QUEUE; /* others may only be sent to oneself */
    postponed = true;
    long failed = to_thread ? syscall(SYS_rt_tgsigqueueinfo, process, syscall(SYS_gettid),
                                      UMSIM_SIGNAL_STAND_IN, &marked)
                            : syscall(SYS_rt_sigqueueinfo, process, UMSIM_SIGNAL_STAND_IN, &marked);
    if (!failed)
        return;
    atomic_store(&sent_without_mark, true);
    if (to_thread)
        syscall(SYS_tgkill, process, syscall(SYS_gettid), UMSIM_SIGNAL_STAND_IN);
    else
        syscall(SYS_kill, process, UMSIM_SIGNAL_STAND_IN);
}

/* A signal that nobody blocks takes its course: ignored, the end, or the program's handler. A fault cannot be
 * ignored. */
static void take_course(struct arrival *arrival)
{
    const struct sigaction *wish = umsim_disposition_wish(arrival->signal_number);
    if (is_handler(wish))
        arrival->is_programs = true;
    else if (wish->sa_handler == SIG_DFL || !was_sent(arrival->info))
        end_by(arrival->signal_number, arrival->info, arrival->context);
}

/* Opens the page, if it is one that the simulator has closed; else says what it is. */
static void serve(void *argument)
{
    struct arrival *arrival = argument;
    void *address = arrival->info->si_addr;
    const struct umsim_access access = umsim_access_of(arrival->context);
    if (umsim_in_child()) { /* the pages are the parent's */
        umsim_explain_child_fault(address, access);
        return;
    }
    arrival->served = umsim_buffers_touched(address, access, umsim_access_pc(arrival->context));
    if (arrival->served)
        return;
    umsim_touches_note(address, access, umsim_access_pc(arrival->context));
    const enum umsim_host_touch touch = umsim_managed_host_touch(address, access.is_write);
    arrival->served = touch == UMSIM_TOUCH_OPENED || umsim_register_settling(address);
    if (arrival->served) {
        umsim_ledger_totals();
        return;
    }
    umsim_ledger_host_fault();
    umsim_explain_host_fault(address, access, touch == UMSIM_TOUCH_FORBIDDEN);
    if (!is_handler(umsim_disposition_wish(arrival->signal_number)))
        umsim_check_host_fault(umsim_access_pc(arrival->context));
}

/* Calls the program's handler as the kernel would: with its mask, and with the program's view of the mask at
 * the interruption, which the handler may change. It need not return. */
__attribute__((noinline)) static void call_handler(const struct arrival *arrival)
{
    const struct sigaction *wish = umsim_disposition_wish(arrival->signal_number);
    void (*const handler)(int, siginfo_t *, void *) = wish->sa_sigaction;
    const umsim_signals before = mask_of(arrival->context);
    umsim_signals mask = before | umsim_signals_for_kernel(umsim_signals_of(&wish->sa_mask));
    if (arrival->signal_number == SIGSEGV && !(wish->sa_flags & SA_NODEFER))
        mask |= UMSIM_STAND_IN_BIT;
    if (wish->sa_flags & (int)SA_RESETHAND)
        umsim_disposition_change(arrival->signal_number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    set_mask_of(arrival->context, umsim_signals_for_program(before));
    umsim_signals_change(SIG_SETMASK, mask & ~UMSIM_SEGV_BIT);
    handler(arrival->signal_number, arrival->info, arrival->context);
    umsim_signals_block();
    set_mask_of(arrival->context, umsim_signals_for_kernel(mask_of(arrival->context)));
}

static void on_segv(unsigned entry, siginfo_t *info, void *context)
{
    const int saved_errno = errno;
    const bool blocked = mask_of(context) & UMSIM_STAND_IN_BIT;
    struct arrival arrival = {.signal_number = SIGSEGV, .info = info, .context = context};
    umsim_disposition_entered(entry);
    if (!was_sent(info))
        umsim_on_own_stack(serve, &arrival);
    if (blocked && was_sent(info))
        postpone(info);
    else if (blocked && !arrival.served) /* a fault does not wait */
        end_by(SIGSEGV, info, context);
    else if (!arrival.served)
        take_course(&arrival);
    errno = saved_errno;
    if (arrival.is_programs)
        call_handler(&arrival);
}

/* A SIGSEGV that was sent on, and is not blocked any more; or one that is meant. */
static void on_stand_in(int signal_number, siginfo_t *info, void *context)
{
    const int saved_errno = errno;
    struct arrival arrival = {.signal_number = signal_number, .info = info, .context = context};
    if (MARKED(info) || atomic_exchange(&sent_without_mark, false)) {
        umsim_host_signal_restore(info);
        arrival.signal_number = SIGSEGV;
    }
    take_course(&arrival);
    errno = saved_errno;
    if (arrival.is_programs)
        call_handler(&arrival);
}

#define ENTRY(number)                                                                                        \
    static void entry_##number(int signal_number, siginfo_t *info, void *context)                            \
    {                                                                                                        \
        (void)signal_number;                                                                                 \
        on_segv(number, info, context);                                                                      \
    }
ENTRY(0)
ENTRY(1)
ENTRY(2)
ENTRY(3)
ENTRY(4)
ENTRY(5)
ENTRY(6)
ENTRY(7)

static const umsim_handler entries[UMSIM_DISPOSITIONS] = {entry_0, entry_1, entry_2, entry_3,
                                                          entry_4, entry_5, entry_6, entry_7};

void umsim_host_handler_install(void)
{
    umsim_disposition_install(entries, on_stand_in);
}

bool umsim_host_signal_postponed(void)
{
    const bool was = postponed;
    postponed = false;
    return was;
}

void umsim_host_signal_restore(siginfo_t *info)
{
    if (MARKED(info)) {
        info->si_code = (int16_t)(info->si_errno & 0xffff);
        info->si_errno = 0;
    }
    info->si_signo = SIGSEGV;
}

/* In the order in which the loader looks names up: this library or the C library, whichever is first. */
static int find_first(struct dl_phdr_info *object, size_t size, void *first)
{
    const uintptr_t own = (uintptr_t)umsim_host_handler_install,
                    libc = (uintptr_t)dlsym(RTLD_NEXT, "sigaction");
    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        const size_t bytes = object->dlpi_phdr[i].p_type == PT_LOAD ? object->dlpi_phdr[i].p_memsz : 0;
        if (own - start < bytes || libc - start < bytes)
            return *(bool *)first = own - start < bytes, 1;
    }
    return 0;
}

/* In a program that is linked with this library no thread really blocks SIGSEGV, from the beginning. */
__attribute__((constructor)) static void begin(void)
{
    bool is_first = false;
    dl_iterate_phdr(find_first, &is_first);
    if (!is_first)
        return;
    umsim_host_handler_install();
    const umsim_signals mask = umsim_signals_for_program(umsim_signals_blocked());
    umsim_signals_change(SIG_SETMASK, umsim_signals_for_kernel(mask));
}
