/*
 * confine.c: see confine.h. What a cell may ask of the kernel: memory, its own signals, time, reading files, writing to
 * what is open already. It makes no processes, no threads, no files, no sockets, and looks into nobody.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

/* Allowed whatever the arguments. */
static const int allowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_lseek,
    SYS_newfstatat,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_mincore,
    SYS_futex,
    SYS_sched_yield,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_sched_getaffinity,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrusage,
    SYS_wait4,
    SYS_ppoll,
    SYS_ioctl,
    SYS_fcntl,
    SYS_dup,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_membarrier,
    SYS_recvfrom,
    SYS_sendto,
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

enum { ROOM = 256 };
static struct sock_filter filter[ROOM];
static unsigned short length;

static void put(uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
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

/* Call `number` is allowed when the low half of its argument, masked, is `value`. */
static void allow_masked(int number, unsigned argument, uint32_t mask, uint32_t value)
{
    load(NUMBER);
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 5);
    load(ARGUMENT + 8 * argument);
    put(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(REFUSED);
}

/* ... when it is not `value`. */
static void allow_unless(int number, unsigned argument, uint32_t mask, uint32_t value)
{
    load(NUMBER);
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 5);
    load(ARGUMENT + 8 * argument);
    put(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    answer(SECCOMP_RET_ALLOW);
    answer(REFUSED);
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
    allow_masked(SYS_kill, 0, UINT32_MAX, self);
    allow_masked(SYS_tgkill, 0, UINT32_MAX, self);
    /* Files are read, not made: memory that counts as a file's is beside all limits. */
    const uint32_t changing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
    allow_masked(SYS_openat, 2, changing, O_RDONLY);
#ifdef SYS_open
    allow_masked(SYS_open, 1, changing, O_RDONLY);
#endif
    allow_unless(SYS_mmap, 3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS);
    allow_masked(SYS_fallocate, 1, UINT32_MAX, 3 /* FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE */);
    answer(REFUSED);
}

static bool limit(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max < value)
        value = now.rlim_max;
    return setrlimit(resource, &(struct rlimit){value, value}) == 0;
}

const char *um_confine(uint64_t heap_bytes, uint64_t cpu_seconds)
{
    if (!limit(RLIMIT_DATA, heap_bytes) || !limit(RLIMIT_CPU, cpu_seconds) || !limit(RLIMIT_CORE, 0) ||
        !limit(RLIMIT_FSIZE, 1 << 20) || !limit(RLIMIT_NOFILE, 64))
        return "setrlimit";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    compose();
    struct sock_fprog program = {length, filter};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return "seccomp";
    return NULL;
}
