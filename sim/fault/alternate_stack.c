/**
 * @file alternate_stack.c
 * @brief A wrapper of sigaltstack(): alternate stacks that are too small for a signal.
 *
 * What the kernel puts on a stack when it delivers a signal, the processor's registers most of all, takes 3.5
 * KiB where there is AVX-512, and more with later processors. A program whose alternate stack is smaller than
 * that (MINSIGSTKSZ, say, which is 2 KiB) is killed by the first signal that should be handled there. On a
 * GPU it may never get one. Here it gets one with each page of managed memory that comes back, as soon as its
 * handler of SIGSEGV asks for the alternate stack. So the kernel is given a larger stack in place of one that
 * is too small. The program is told of its own.
 */
#include "../base/layout.h"
#include "../base/processes.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

#if defined(__aarch64__)
enum { KERNELS_LEAST = 5120 }; /* smaller stacks are refused */
#else
enum { KERNELS_LEAST = 2048 };
#endif

enum {
    HANDLERS_OWN =
        1024, /* what on_segv() takes besides what the kernel put there, and the program's handler */
    OUR_BYTES = 64 << 10,
};

/* This thread's: what the program asked for while the larger stack stands in the kernel. */
static _Thread_local struct {
    char *larger;
    stack_t programs;
} own __attribute__((tls_model("initial-exec")));

static pthread_key_t at_end;
static bool has_key;

static int ask_kernel(const stack_t *wanted, stack_t *old)
{
    return (int)syscall(SYS_sigaltstack, wanted, old);
}

static void give_back(void)
{
    if (own.larger)
        munmap(own.larger, OUR_BYTES);
    own.larger = NULL;
}

static void thread_ends(void *unused)
{
    (void)unused;
    if (ask_kernel(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0)
        give_back();
}

__attribute__((constructor)) static void begin(void)
{
    has_key = pthread_key_create(&at_end, thread_ends) == 0;
}

/* Of AT_MINSIGSTKSZ: the tiles of AMX, which only a process saves that has asked for them. (Linux lets nobody
 * ask whose alternate stack is too small for them.) */
static size_t unused_tiles(void)
{
#if defined(__x86_64__)
    enum { GET_XCOMP_SUPP = 0x1021, GET_XCOMP_PERM = 0x1022, TILES = 18, LEAF_XSAVE = 0xd };
    uint64_t supported = 0, permitted = 0;
    unsigned bytes, offset, flags, reserved;
    if (syscall(SYS_arch_prctl, GET_XCOMP_SUPP, &supported) == 0 && supported >> TILES & 1 &&
        syscall(SYS_arch_prctl, GET_XCOMP_PERM, &permitted) == 0 && !(permitted >> TILES & 1) &&
        __get_cpuid_count(LEAF_XSAVE, TILES, &bytes, &offset, &flags, &reserved))
        return bytes;
#endif
    return 0;
}

/* As much as a signal's frame and a small handler take. */
static bool is_too_small(const stack_t *wanted)
{
    const size_t most = getauxval(AT_MINSIGSTKSZ), tiles = unused_tiles();
    const size_t frame = most > tiles ? most - tiles : KERNELS_LEAST;
    return !(wanted->ss_flags & SS_DISABLE) && wanted->ss_size >= KERNELS_LEAST &&
           wanted->ss_size < frame + HANDLERS_OWN;
}

static bool make_larger(void)
{
    if (own.larger)
        return true;
    void *p =
        mmap(NULL, OUR_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    mprotect(p, UMSIM_PAGE, PROT_NONE); /* behind the end of the stack */
    own.larger = p;
    if (has_key)
        pthread_setspecific(at_end, &own);
    return true;
}

/* A handler runs on it (SS_AUTODISARM lets it ask for another stack meanwhile). */
static bool is_in_use(void)
{
    const char here = 0;
    return own.larger && (uintptr_t)&here - (uintptr_t)own.larger < OUR_BYTES;
}

/* What the kernel said stood before, as the program knows it. */
static void tell(const stack_t *kernels, const stack_t *programs, stack_t *old)
{
    *old = *kernels;
    if (!own.larger || kernels->ss_sp != own.larger)
        return;
    old->ss_sp = programs->ss_sp;
    old->ss_size = programs->ss_size;
}

int sigaltstack(const stack_t *restrict wanted, stack_t *restrict old)
{
    stack_t kernels, ours, programs = own.programs, next = {.ss_flags = SS_DISABLE};
    const bool in_use = is_in_use();
    if (umsim_in_gpu)
        return ask_kernel(wanted, old);
    if (wanted)
        next = *wanted;
    const bool replaced = wanted && !in_use && is_too_small(&next) && make_larger();
    if (replaced)
        ours = (stack_t){.ss_sp = own.larger, .ss_flags = next.ss_flags, .ss_size = OUR_BYTES};
    if (ask_kernel(replaced ? &ours : wanted ? &next : NULL, &kernels) != 0)
        return -1;
    if (old)
        tell(&kernels, &programs, old);
    if (replaced)
        own.programs = next;
    else if (wanted && !in_use)
        give_back();
    return 0;
}
