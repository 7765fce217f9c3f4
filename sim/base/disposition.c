/**
 * @file disposition.c
 * @brief Implementation of disposition.h: the wishes, and which of them stands.
 *
 * The lock is held with all signals blocked, and nobody's memory but this file's is touched meanwhile. So a
 * handler of the program may come here at any time.
 */
#include "disposition.h"
#include "futex.h"
#include "libc.h"
#include "signal_mask.h"

#include <pthread.h>
#include <stdatomic.h>

/* As the kernel has it. */
struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    umsim_signals mask;
};

static const umsim_handler *entries;
static umsim_handler stand_in;
static struct sigaction wishes[UMSIM_DISPOSITIONS];
static unsigned long used_at[UMSIM_DISPOSITIONS], uses; /* 0: never */
static struct sigaction stand_ins_wish;
static atomic_uint present;
static atomic_bool given_up;
static pid_t owner; /* 0: not installed */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static umsim_signals take_lock(void)
{
    const umsim_signals before = umsim_signals_block();
    umsim_spin_lock(&lock);
    return before;
}

static void release_lock(umsim_signals before)
{
    umsim_spin_unlock(&lock);
    umsim_signals_change(SIG_SETMASK, before);
}

static void in_child(void)
{
    atomic_flag_clear(&lock); /* another thread of the parent may have held it */
    owner = getpid();
}

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
           umsim_signals_of(&a->sa_mask) == umsim_signals_of(&b->sa_mask);
}

/* With the lock held: the entry for a wish. The one that was not wanted for longest makes room. */
static unsigned entry_for(const struct sigaction *wish)
{
    unsigned oldest = atomic_load(&present) ? 0 : 1;
    for (unsigned i = 0; i < UMSIM_DISPOSITIONS; i++) {
        if (used_at[i] && is_same(&wishes[i], wish))
            return i;
        if (i != atomic_load(&present) && used_at[i] < used_at[oldest])
            oldest = i;
    }
    wishes[oldest] = *wish;
    return oldest;
}

static bool is_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* The simulator's handler, with those flags of the program's that the kernel alone can honour: a handler on
 * the alternate stack, and system calls that a signal which was sent breaks off. */
static struct sigaction real_action(umsim_handler handler, const struct sigaction *wish)
{
    struct sigaction action = {.sa_sigaction = handler};
    action.sa_flags = SA_SIGINFO | (wish->sa_flags & (SA_ONSTACK | SA_RESTART));
    if (!is_handler(wish))
        action.sa_flags |= SA_RESTART;
    sigfillset(&action.sa_mask); /* for the managed lock: see there */
    return action;
}

/* With the lock held. A signal that becomes ignored is pending no longer; the kernel sees to that. */
static void let_stand(unsigned entry)
{
    const struct sigaction *wish = &wishes[entry];
    struct sigaction action = real_action(entries[entry], wish), its = real_action(stand_in, wish);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    atomic_store(&present, entry);
    used_at[entry] = ++uses;
    umsim_real_sigaction(SIGSEGV, &action, NULL);
    if (!is_handler(wish) && wish->sa_handler == SIG_IGN)
        umsim_real_sigaction(UMSIM_SIGNAL_STAND_IN, &ignore, NULL);
    umsim_real_sigaction(UMSIM_SIGNAL_STAND_IN, &its, NULL);
}

/* The entry that is this handler, or UMSIM_DISPOSITIONS. */
static unsigned entry_of(const void *handler)
{
    unsigned i = 0;
    while (i < UMSIM_DISPOSITIONS && (const void *)(uintptr_t)entries[i] != handler)
        i++;
    return i;
}

void umsim_disposition_install(const umsim_handler entry[UMSIM_DISPOSITIONS], umsim_handler other)
{
    struct sigaction before;
    if (owner)
        return;
    entries = entry;
    stand_in = other;
    pthread_atfork(NULL, NULL, in_child);
    umsim_real_sigaction(SIGSEGV, NULL, &before);
    umsim_real_sigaction(UMSIM_SIGNAL_STAND_IN, NULL, &stand_ins_wish);
    const umsim_signals mask = take_lock();
    umsim_signals_put(&before.sa_mask, umsim_signals_for_program(umsim_signals_of(&before.sa_mask)));
    let_stand(entry_for(&before));
    owner = getpid();
    release_lock(mask);
}

bool umsim_disposition_is_installed(void)
{
    return owner != 0;
}

bool umsim_disposition_is_ours(void)
{
    return owner && owner == getpid();
}

void umsim_disposition_change(int signal_number, const struct sigaction *wanted, struct sigaction *old)
{
    struct sigaction wish, before;
    if (wanted)
        wish = *wanted;
    const umsim_signals mask = take_lock();
    before = *umsim_disposition_wish(signal_number);
    if (wanted && signal_number == SIGSEGV)
        let_stand(entry_for(&wish));
    else if (wanted)
        stand_ins_wish = wish;
    release_lock(mask);
    if (old)
        *old = before;
}

void umsim_disposition_translate(struct sigaction *action)
{
    const unsigned entry = owner ? entry_of((void *)(uintptr_t)action->sa_sigaction) : UMSIM_DISPOSITIONS;
    if (entry < UMSIM_DISPOSITIONS)
        *action = wishes[entry];
}

const struct sigaction *umsim_disposition_wish(int signal_number)
{
    return signal_number == SIGSEGV ? &wishes[atomic_load(&present)] : &stand_ins_wish;
}

/* What stands in the kernel. */
static bool ask_kernel(struct kernel_action *action)
{
    return syscall(SYS_rt_sigaction, SIGSEGV, NULL, action, sizeof action->mask) == 0;
}

/* An entry that another piece of code has put back may also be called by a handler which stands in its place:
 * then the wish remains that handler's. Asked with the lock held: another thread may just be changing it, and
 * what stands in the kernel comes last. */
void umsim_disposition_entered(unsigned entry)
{
    struct kernel_action stands;
    if (entry == atomic_load(&present))
        return;
    const umsim_signals mask = take_lock();
    if (entry != atomic_load(&present) && ask_kernel(&stands) && entry_of(stands.handler) == entry)
        let_stand(entry);
    release_lock(mask);
}

void umsim_disposition_give_up(int signal_number)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    atomic_store(&given_up, true);
    umsim_real_sigaction(signal_number, &by_default, NULL);
}

void umsim_disposition_ignore_really(bool ignore)
{
    const struct sigaction action = {.sa_handler = SIG_IGN};
    const unsigned entry = atomic_load(&present);
    const struct sigaction ours = real_action(entries[entry], &wishes[entry]);
    umsim_real_sigaction(SIGSEGV, ignore ? &action : &ours, NULL);
}

static struct sigaction wish_of(const struct kernel_action *stands)
{
    const int known =
        SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER | (int)SA_RESETHAND | SA_NOCLDSTOP | SA_NOCLDWAIT;
    struct sigaction wish = {.sa_flags = (int)stands->flags & known};
    wish.sa_sigaction = (umsim_handler)(uintptr_t)stands->handler;
    umsim_signals_put(&wish.sa_mask, umsim_signals_for_program(stands->mask));
    return wish;
}

void umsim_disposition_reassert(void)
{
    struct kernel_action stands;
    if (!owner || atomic_load(&given_up) || !ask_kernel(&stands) ||
        stands.handler == (void *)(uintptr_t)entries[atomic_load(&present)])
        return;
    const umsim_signals mask = take_lock();
    if (ask_kernel(&stands)) { /* another thread may have seen it first */
        const unsigned entry = entry_of(stands.handler);
        const struct sigaction wish = wish_of(&stands);
        let_stand(entry < UMSIM_DISPOSITIONS ? entry : entry_for(&wish));
    }
    release_lock(mask);
}
