/**
 * @file confine.c
 * @brief Implementation of confine.h: the seccomp rules of a student's process.
 *
 * It may ask the kernel for memory, for the time, for its own signals, to read files, and to write to stdout
 * and stderr. It may not create processes, threads, files or sockets, it may not inspect other processes, and
 * nothing becomes executable.
 */
#include "confine.h"
#include "umsim_grading.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/falloc.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asm/ioctls.h>

#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

/* Allowed whatever the arguments. */
// clang-format off
static const int allowed[] = {
    SYS_read, SYS_readv, SYS_close, SYS_fstat, SYS_newfstatat, SYS_brk, SYS_mincore,
    SYS_futex, SYS_sched_yield, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres,
    SYS_gettimeofday, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
    SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_getpid, SYS_gettid, SYS_getuid,
    SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrandom, SYS_sched_getaffinity, SYS_sysinfo, SYS_uname,
    SYS_getrusage, SYS_wait4, SYS_ppoll, SYS_set_robust_list, SYS_rseq,
    SYS_membarrier, SYS_recvfrom,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_time
    SYS_time,
#endif
#ifdef SYS_stat
    SYS_stat,
#endif
};
// clang-format on

enum { CAPACITY = 1024 };
static struct sock_filter filter[CAPACITY];
static unsigned short length;

static void put(uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (length < CAPACITY) /* install() refuses one that is full */
        filter[length++] = (struct sock_filter)BPF_JUMP(code, k, yes, no);
}

static void load(size_t offset)
{
    put(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(uint32_t action)
{
    put(BPF_RET | BPF_K, action, 0, 0);
}

enum { ARGUMENT = offsetof(struct seccomp_data, args), NUMBER = offsetof(struct seccomp_data, nr) };
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

/* A rule for one call: all other calls skip what follows up to end_rule(). */
static unsigned short rule_start;

static void begin_rule(int number)
{
    load(NUMBER);
    rule_start = length;
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 0);
}

/* Ends a rule: a call that it has not refused is allowed. */
static void end_rule(void)
{
    answer(SECCOMP_RET_ALLOW);
    filter[rule_start].jf = (uint8_t)(length - rule_start - 1);
}

/* Refuses the call unless the low half of an argument, masked, is one of these. */
static void must_be(unsigned argument, uint32_t mask, const uint32_t *values, unsigned count)
{
    load(ARGUMENT + 8 * argument);
    put(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    for (unsigned i = 0; i < count; i++)
        put(BPF_JMP | BPF_JEQ | BPF_K, values[i], (uint8_t)(count - i), 0);
    answer(REFUSED);
}

/* Refuses the call when the argument is an address from `first` up to `end`, in units of 4 GiB. */
static void must_not_stand(unsigned argument, uint32_t first, uint32_t end)
{
    load(ARGUMENT + 8 * argument + 4);
    put(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2);
    put(BPF_JMP | BPF_JGE | BPF_K, end, 1, 0);
    answer(REFUSED);
}

static void allow_when(int number, unsigned argument, uint32_t mask, uint32_t value)
{
    begin_rule(number);
    must_be(argument, mask, &value, 1);
    end_rule();
}

/* An arena is a file, too, and must not be written as one. */
static void writing(void)
{
    const uint32_t to[] = {STDOUT_FILENO, STDERR_FILENO};
    const int calls[] = {SYS_write, SYS_writev};
    for (unsigned i = 0; i < 2; i++) {
        begin_rule(calls[i]);
        must_be(0, UINT32_MAX, to, 2);
        end_rule();
    }
}

/* Allows reading at small offsets only: files are short. Where the user is root, /proc/self/mem shows
 * managed pages that are closed; these begin at 4 GiB. */
static void reading(void)
{
    begin_rule(SYS_pread64);
    must_not_stand(3, 1, UINT32_MAX);
    end_rule();
    begin_rule(SYS_lseek);
    must_not_stand(1, 1, UINT32_MAX);
    load(ARGUMENT + 8 * 2);
    put(BPF_JMP | BPF_JEQ | BPF_K, SEEK_CUR, 0, 5); /* by 0 only, which asks for the current position */
    load(ARGUMENT + 8 * 1);
    put(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(ARGUMENT + 8 * 1 + 4);
    put(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    answer(REFUSED);
    end_rule();
}

static void must_not_execute(unsigned argument)
{
    must_be(argument, PROT_EXEC, &(uint32_t){0}, 1);
}

/* The arenas stay where they are, and the device's arena stays closed. Shared memory can be made only from
 * registered memory's file. */
static void mapping(void)
{
    const uint32_t first = UMSIM_GRADING_ARENAS >> 32, end = UMSIM_GRADING_ARENAS_END >> 32;
    const uint32_t device_end = UMSIM_GRADING_DEVICE_END >> 32, file = (uint32_t)umsim_grading_file();
    const uint32_t keep[] = {MADV_NORMAL,   MADV_RANDOM,   MADV_SEQUENTIAL,
                             MADV_WILLNEED, MADV_DONTNEED, MADV_FREE};
    begin_rule(SYS_mprotect);
    must_not_execute(2);
    must_not_stand(0, first, device_end);
    end_rule();
    begin_rule(SYS_munmap);
    must_not_stand(0, first, end);
    end_rule();
    begin_rule(SYS_madvise);
    must_be(2, UINT32_MAX, keep, sizeof keep / sizeof keep[0]);
    end_rule();
    begin_rule(SYS_mremap);
    must_not_stand(0, first, end);
    must_not_stand(4, first, end);
    end_rule();
    begin_rule(SYS_mmap);
    must_not_execute(2);
    must_not_stand(0, first, end);
    load(ARGUMENT + 8 * 3);
    put(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 1, 0);
    answer(SECCOMP_RET_ALLOW);
    must_be(3, MAP_ANONYMOUS, &(uint32_t){0}, 1);
    must_be(4, UINT32_MAX, &file, 1);
    end_rule();
}

static void compose(void)
{
    const uint32_t self = (uint32_t)getpid();
    load(offsetof(struct seccomp_data, arch));
    put(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(NUMBER);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
        answer(SECCOMP_RET_ALLOW);
    }
    reading();
    writing();
    mapping();
    allow_when(SYS_ioctl, 1, UINT32_MAX, TCGETS); /* isatty() */
    allow_when(SYS_fcntl, 1, UINT32_MAX, F_GETFL);
    allow_when(SYS_kill, 0, UINT32_MAX, self);
    allow_when(SYS_tgkill, 0, UINT32_MAX, self);
    /* Files may be read, but not created: memory that counts as a file's escapes all limits. */
    const uint32_t changing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
    allow_when(SYS_openat, 2, changing, O_RDONLY);
#ifdef SYS_open
    allow_when(SYS_open, 1, changing, O_RDONLY);
#endif
    allow_when(SYS_fallocate, 1, UINT32_MAX, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE);
    answer(REFUSED);
}

static const char *install(void)
{
    struct sock_fprog program = {length, filter};
    if (length == CAPACITY) {
        errno = E2BIG;
        return "the filter of system calls";
    }
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0
               ? NULL
               : "seccomp";
}

/* ---- limits ---- */

/** Of addresses, beside its heap: the registered file's mappings, stacks, what libraries map. */
#define SPARE_BYTES ((uint64_t)1 << 30)

static bool limit(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max < value)
        value = now.rlim_max;
    return setrlimit(resource, &(struct rlimit){value, value}) == 0;
}

/* What every submission is promised. A lower limit would be the machine's, and the student would fail by it.
 */
static bool promise(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0 || now.rlim_max < value) {
        errno = EPERM;
        return false;
    }
    return limit(resource, value);
}

/* The first limit's SIGXCPU tells that it was this limit; where there is only the last one, the kernel sends
 * SIGKILL. */
static bool promise_processor(rlim_t seconds)
{
    struct rlimit now;
    if (getrlimit(RLIMIT_CPU, &now) != 0 || now.rlim_max < seconds) {
        errno = EPERM;
        return false;
    }
    return setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, now.rlim_max > seconds ? seconds + 1 : seconds}) ==
           0;
}

/* Whether a page more is given under a limit of so many pages. */
static bool is_enough(uint64_t pages, uint64_t page, const struct rlimit *before)
{
    const struct rlimit now = {pages * page, before->rlim_max};
    if (setrlimit(RLIMIT_DATA, &now) != 0)
        return false;
    void *more = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more != MAP_FAILED)
        munmap(more, page);
    return more != MAP_FAILED;
}

uint64_t um_private_bytes(void)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t short_of = 1, enough = (UINT64_C(1) << 40) / page; /* pages */
    struct rlimit before;
    if (getrlimit(RLIMIT_DATA, &before) != 0)
        return 0;
    if (before.rlim_max != RLIM_INFINITY && enough > before.rlim_max / page)
        enough = before.rlim_max / page;
    bool known = !is_enough(short_of, page, &before) && is_enough(enough, page, &before);
    while (known && enough - short_of > 1) {
        const uint64_t middle = short_of + (enough - short_of) / 2;
        if (is_enough(middle, page, &before))
            enough = middle;
        else
            short_of = middle;
    }
    setrlimit(RLIMIT_DATA, &before);
    return known ? short_of * page : 0;
}

/* All addresses of this process, in bytes; 0 when that cannot be read. */
static uint64_t addresses(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%llu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

const char *um_confine(uint64_t heap_bytes, uint64_t cpu_seconds)
{
    const uint64_t has = addresses();
    if (!promise(RLIMIT_DATA, heap_bytes))
        return "the limit on private memory (ulimit -d) is below what a submission may use";
    if (!promise_processor(cpu_seconds))
        return "the limit on processor time (ulimit -t) is below what a submission may use";
    if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 1 << 20) || !limit(RLIMIT_NOFILE, 64))
        return "setrlimit";
    /* tables of pages are no private memory: what has no addresses needs none */
    if (has && !promise(RLIMIT_AS, has + heap_bytes + SPARE_BYTES))
        return "the limit on addresses (ulimit -v) is below what a submission may use";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    personality(personality(UINT32_MAX) & ~(unsigned long)READ_IMPLIES_EXEC);
    compose();
    return install();
}
