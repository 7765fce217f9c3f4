/**
 * @file host_fault.c
 * @brief Implementation of host_fault.h: the SIGSEGV handler, and the program's own disposition behind it.
 *
 * Everything here may run at any instruction of the program. So it calls no malloc, and takes no lock but the
 * managed one, which is never held by code that touches managed memory.
 */
#include "host_fault.h"
#include "../base/access.h"
#include "explain.h"
#include "../record/ledger.h"
#include "../base/libc.h"
#include "../check/buffers.h"
#include "../space/managed.h"
#include "../space/register.h"

#include <errno.h>
#include <string.h>

static struct sigaction program_wish; /* the program's own disposition of SIGSEGV */
static bool stands;

/* Does what would happen without the simulator. With the default disposition the access is made again, and
 * kills the process. */
static void take_normal_course(int signal_number, siginfo_t *info, void *context)
{
    struct sigaction wish = program_wish;
    bool with_info = wish.sa_flags & SA_SIGINFO;
    if (!with_info && (wish.sa_handler == SIG_DFL || wish.sa_handler == SIG_IGN)) {
        struct sigaction by_default = {.sa_handler = SIG_DFL};
        umsim_real_sigaction(signal_number, &by_default, NULL);
        return;
    }
    if (wish.sa_flags & (int)SA_RESETHAND)
        program_wish = (struct sigaction){.sa_handler = SIG_DFL};
    sigset_t mask = wish.sa_mask, before;
    if (!(wish.sa_flags & SA_NODEFER))
        sigaddset(&mask, signal_number);
    sigset_t open = ((const ucontext_t *)context)->uc_sigmask; /* the mask at the access */
    sigdelset(&open, signal_number);
    umsim_real_sigmask(SIG_SETMASK, &open, &before);
    umsim_real_sigmask(SIG_BLOCK, &mask, NULL);
    if (with_info)
        wish.sa_sigaction(signal_number, info, context);
    else
        wish.sa_handler(signal_number);
    umsim_real_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_segv(int signal_number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    struct umsim_access access = umsim_access_of(context);
    bool sent_by_a_process = info->si_code <= 0;
    if (!sent_by_a_process && umsim_buffers_touched(info->si_addr, access, umsim_access_pc(context))) {
        errno = saved_errno;
        return;
    }
    if (!sent_by_a_process) {
        enum umsim_host_touch touch = umsim_managed_host_touch(info->si_addr, access.is_write);
        if (touch == UMSIM_TOUCH_OPENED || umsim_register_settling(info->si_addr)) {
            umsim_ledger_totals();
            errno = saved_errno;
            return;
        }
        umsim_ledger_host_fault();
        umsim_explain_host_fault(info->si_addr, access, touch == UMSIM_TOUCH_FORBIDDEN);
    }
    errno = saved_errno;
    take_normal_course(signal_number, info, context);
}

void umsim_host_handler_install(void)
{
    struct sigaction action = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&action.sa_mask); /* for the managed lock: see there */
    umsim_real_sigaction(SIGSEGV, &action, &program_wish);
    sigset_t faults; /* the program may have blocked them before its first CUDA call */
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    umsim_real_sigmask(SIG_UNBLOCK, &faults, NULL);
    stands = true;
}

bool umsim_host_handler_stands(void)
{
    return stands;
}

void umsim_host_handler_chain(const struct sigaction *wanted, struct sigaction *old)
{
    struct sigaction before = program_wish;
    if (wanted)
        program_wish = *wanted;
    if (old)
        *old = before;
}
