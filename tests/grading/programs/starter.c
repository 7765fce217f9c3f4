/**
 * @file starter.c
 * @brief Has a program that knows nothing of it run in grading mode: preloaded by `graded`, it starts that
 * between the program's constructors, which tell the simulator of its kernels, and its main().
 */
#include "umsim_grading.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int (*main_fn)(int, char **, char **);
static main_fn program;

static int forks_to_go;

/* As on a system without user notification: GRADED_SUPERVISOR=0. */
static void forbid_filters(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(125);
}

static void start(int ledger)
{
    const char *supervisor = getenv("GRADED_SUPERVISOR");
    if (supervisor && supervisor[0] == '0')
        forbid_filters();
    const char *why = umsim_grading_start(ledger, NULL);
    if (!why)
        return;
    fprintf(stderr, "graded: %s\n", why);
    _exit(125);
}

/* GRADED_FORKS=2: not the program is graded, but the children of its children, each with a ledger of its own.
 */
pid_t fork(void)
{
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    pid_t child = real();
    if (child != 0 || forks_to_go <= 0 || --forks_to_go > 0)
        return child;
    int ledger = memfd_create("ledger", MFD_CLOEXEC);
    if (ftruncate(ledger, sizeof(struct umsim_ledger)) != 0)
        _exit(125);
    start(ledger);
    return child;
}

static int start_and_go_on(int argc, char **argv, char **environment)
{
    const char *ledger = getenv("GRADED_LEDGER"), *forks = getenv("GRADED_FORKS");
    forks_to_go = forks ? atoi(forks) : 0;
    if (ledger && forks_to_go == 0)
        start(atoi(ledger));
    /* what the program starts itself runs as ever */
    unsetenv("GRADED_LEDGER");
    unsetenv("LD_PRELOAD");
    int status = program(argc, argv, environment);
    umsim_grading_settle();
    return status;
}

int __libc_start_main(main_fn main, int argc, char **argv, main_fn init, void (*fini)(void),
                      void (*rtld)(void), void *stack);
int __libc_start_main(main_fn main, int argc, char **argv, main_fn init, void (*fini)(void),
                      void (*rtld)(void), void *stack)
{
    __typeof__(__libc_start_main) *real =
        (__typeof__(__libc_start_main) *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return real(start_and_go_on, argc, argv, init, fini, rtld, stack);
}
