/**
 * @file timers.c
 * @brief A wrapper of timer_create(), whose functions run in threads that the C library makes.
 *
 * In these threads the C library really blocks all signals, past the wrappers of signals.c. So the program's
 * function is called by one of the simulator's, which unblocks SIGSEGV first. A timer carries the address of
 * a function and a value of the program's, and nothing else. So each function of the program gets a caller of
 * its own, of which there are some.
 */
#include "../base/signal_mask.h"
#include "wrapper.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

typedef void (*notified)(union sigval value);

enum { CALLERS = 16 };

static _Atomic(notified) programs[CALLERS];

static void call(unsigned number, union sigval value)
{
    const umsim_signals mask = umsim_signals_blocked();
    if (mask & UMSIM_SEGV_BIT)
        umsim_signals_change(SIG_SETMASK, umsim_signals_for_kernel(umsim_signals_for_program(mask)));
    atomic_load (&programs[number])(value);
}

#define CALLER(number)                                                                                       \
    static void caller_##number(union sigval value)                                                          \
    {                                                                                                        \
        call(number, value);                                                                                 \
    }
CALLER(0)
CALLER(1)
CALLER(2)
CALLER(3)
CALLER(4)
CALLER(5)
CALLER(6)
CALLER(7)
CALLER(8)
CALLER(9)
CALLER(10)
CALLER(11)
CALLER(12)
CALLER(13)
CALLER(14)
CALLER(15)

static const notified callers[CALLERS] = {caller_0,  caller_1,  caller_2,  caller_3, caller_4,  caller_5,
                                          caller_6,  caller_7,  caller_8,  caller_9, caller_10, caller_11,
                                          caller_12, caller_13, caller_14, caller_15};

/* The caller of a function. With more functions than callers: the function itself. */
static notified caller_of(notified function)
{
    for (unsigned i = 0; i < CALLERS; i++) {
        notified none = NULL;
        if (atomic_compare_exchange_strong(&programs[i], &none, function) || none == function)
            return callers[i];
    }
    return function;
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
    UMSIM_REAL(timer_create);
    if (!event || event->sigev_notify != SIGEV_THREAD || !event->sigev_notify_function)
        return real(clock, event, timer);
    struct sigevent ours = *event;
    ours.sigev_notify_function = caller_of(event->sigev_notify_function);
    return real(clock, &ours, timer);
}
