/**
 * @file seal_host_memory.c
 * @brief Implementation of seal_host_memory.h: plans which mappings to close, and closes them while the first
 * thread sleeps.
 */
#include "seal_host_memory.h"
#include "../base/processes.h"
#include "../base/futex.h"
#include "../base/memory.h"
#include "proc_maps.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RANGES_MAX 16384
/** The first thread sleeps within a microsecond, unless it lost its core. So the wait spins for these rounds,
 * then sleeps. */
#define SLEEP_ROUNDS 100
#define SLEEP_NS UINT64_C(50000)

static struct {
    uintptr_t start, end;
} range[RANGES_MAX];
static size_t ranges;

/* No dlsym(): another thread may have been in dlopen() when this process was forked, and its lock stays
 * taken. */
extern void __asan_init(void) __attribute__((weak));

bool umsim_seal_impossible(void)
{
    return &__asan_init != NULL;
}

static void plan(uintptr_t start, uintptr_t end)
{
    if (start < end && ranges && range[ranges - 1].end == start)
        range[ranges - 1].end = end;
    else if (start < end && ranges < RANGES_MAX) {
        range[ranges].start = start;
        range[ranges++].end = end;
    }
}

static struct {
    const char *program; /* the program's file */
    uintptr_t start, end;
} keep;

/* What the program shares with others, registered or not. What may be executed is a library's affair. */
static bool is_programs_shared(const struct umsim_mapping *m)
{
    return m->protection[0] == 'r' && m->protection[2] != 'x' && !umsim_is_own(m->start);
}

/* Plans to close a mapping if it is private and writable, and is neither a library's data nor the .bss that
 * directly follows it. Shared memory of the program's is closed, too. */
static void consider(const struct umsim_mapping *m)
{
    static uintptr_t library_end; /* where the library data seen last ends */
    bool of_file =
        umsim_mapping_of_file(m) && m->protection[3] == 'p'; /* shared anonymous memory shows as /dev/zero */
    bool of_library = of_file ? strcmp(m->path, keep.program) != 0 : !m->path[0] && m->start == library_end;
    umsim_processes->maps++;
    if (of_library)
        library_end = m->end;
    if (m->protection[3] == 's' ? !is_programs_shared(m) : m->protection[1] != 'w' || of_library)
        return;
    plan(m->start, m->end < keep.start ? m->end : keep.start < m->start ? m->start : keep.start);
    plan(m->start > keep.end ? m->start : keep.end, m->end);
}

void umsim_seal_plan(const char *start, size_t bytes)
{
    static char program[4096];
    ranges = 0;
    if (umsim_seal_impossible())
        return;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    keep.program = program;
    keep.start = (uintptr_t)start;
    keep.end = (uintptr_t)start + bytes;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    umsim_proc_maps_each(fd, consider);
    close(fd);
}

size_t umsim_sealed_part(const char *p, size_t bytes, bool *closed)
{
    const uintptr_t start = (uintptr_t)p;
    uintptr_t end = start + bytes;
    *closed = false;
    for (size_t i = 0; i < ranges && !*closed; i++) {
        *closed = start - range[i].start < range[i].end - range[i].start;
        const uintptr_t edge = *closed ? range[i].end : range[i].start;
        if (edge > start && edge < end)
            end = edge;
    }
    return end - start;
}

void umsim_seal_when_main_sleeps(void)
{
    while (!umsim_spin(&umsim_processes->main_sleeps, 0, SLEEP_ROUNDS))
        umsim_futex_wait(&umsim_processes->main_sleeps, 0,
                         SLEEP_NS); /* the first thread cannot wake anybody from where it is */
    for (size_t i = 0; i < ranges; i++)
        if (mprotect((void *)range[i].start, range[i].end - range[i].start, PROT_NONE) == 0)
            umsim_processes->sealed++;
}

/* The kernel writes into a thread's rseq area at every preemption, and the first thread's area will be
 * closed. */
static void leave_rseq(void)
{
#ifdef SYS_rseq
    extern const ptrdiff_t __rseq_offset __attribute__((weak));
    extern const unsigned int __rseq_size __attribute__((weak));
#if defined(__aarch64__)
    const unsigned SIGNATURE = 0xd428bc00; /* glibc's RSEQ_SIG: an instruction that traps */
#else
    const unsigned SIGNATURE = 0x53053053;
#endif
    enum { UNREGISTER = 1 };
    if (&__rseq_offset && __rseq_size)
        syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, 32, UNREGISTER, SIGNATURE);
#endif
}

void umsim_sleep_main_thread(void)
{
    leave_rseq();
    atomic_uint *main_sleeps = &umsim_processes->main_sleeps, *host = &umsim_processes->host.holder;
    _Static_assert(FUTEX_OWNER_DIED == 1 << 30 && FUTEX_WAIT == 0 && FUTEX_WAKE == 1 &&
                       UMSIM_DEVICES_MAX <= 8,
                   "the loops below have them as numbers");
#if defined(__x86_64__)
    __asm__ volatile(
        "movl $1, (%0)\n"
        "1:\n\t"
        "movl (%1), %%edx\n\t" /* as long as it is so */
        "testl $0x40000000, %%edx\n\t"
        "jnz 2f\n\t"
        "movq %1, %%rdi\n\t"
        "xorl %%esi, %%esi\n\t"
        "xorl %%r10d, %%r10d\n\t"
        "movl $202, %%eax\n\t" /* futex */
        "syscall\n\t"
        "jmp 1b\n"
        "2:\n\t"
        "movq %1, %%rdi\n\t" /* the system has woken one process only: now those of other devices */
        "movl $1, %%esi\n\t"
        "movl $8, %%edx\n\t"
        "movl $202, %%eax\n\t"
        "syscall\n\t"
        "movl $231, %%eax\n\t" /* exit_group */
        "xorl %%edi, %%edi\n\t"
        "syscall"
        :
        : "r"(main_sleeps), "r"(host)
        : "rax", "rcx", "rdx", "rsi", "rdi", "r10", "r11", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("mov w9, #1\n\t"
                     "stlr w9, [%0]\n" /* nothing before it comes later */
                     "1:\n\t"
                     "ldr w2, [%1]\n\t" /* as long as it is so */
                     "tbnz w2, #30, 2f\n\t"
                     "mov x0, %1\n\t"
                     "mov x1, #0\n\t"
                     "mov x3, #0\n\t"
                     "mov x8, #98\n\t" /* futex */
                     "svc #0\n\t"
                     "b 1b\n"
                     "2:\n\t"
                     "mov x0, %1\n\t" /* wakes those of other devices */
                     "mov x1, #1\n\t"
                     "mov x2, #8\n\t"
                     "mov x8, #98\n\t"
                     "svc #0\n\t"
                     "mov x8, #94\n\t" /* exit_group */
                     "mov x0, #0\n\t"
                     "svc #0"
                     :
                     : "r"(main_sleeps), "r"(host)
                     : "x0", "x1", "x2", "x3", "x8", "x9", "memory");
#else
#error "umsim_sleep_main_thread: write the loop for this processor"
#endif
    __builtin_unreachable();
}
