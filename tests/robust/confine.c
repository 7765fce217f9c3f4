/**
 * @file confine.c
 * @brief Runs a program under a seccomp filter: `confine [--docker] [--overcommit] [NAME=ERRNO...] -- PROGRAM
 * ...`.
 *
 * `NAME=ERRNO` lets that system call fail (`memfd_create=ENOSYS`), as an old kernel or a container does.
 * `--docker` refuses what Docker's default profile refuses. `--overcommit` refuses what a machine with
 * vm.overcommit_memory=2 and 1 GiB left refuses: shared anonymous and private writable memory beyond it.
 * Exit 2 with `SKIP: reason` where there is no seccomp.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RULES_MAX = 400 };

static struct sock_filter rules[RULES_MAX];
static unsigned short count;

#define CALL(name)                                                                                           \
    {                                                                                                        \
#name, SYS_##name                                                                                    \
    }
static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    CALL(set_robust_list),
    CALL(memfd_create),
    CALL(clone3),
    CALL(rseq),
    CALL(pidfd_open),
    CALL(close_range),
    CALL(mremap),
    CALL(madvise),
    CALL(getrandom),
    CALL(statx),
    CALL(tgkill),
    CALL(sigaltstack),
    CALL(userfaultfd),
    CALL(membarrier),
    CALL(prctl),
    CALL(sched_setaffinity),
    CALL(process_vm_readv),
    CALL(process_vm_writev),
    CALL(landlock_create_ruleset),
};

/* What Docker's documentation lists as blocked by the default profile, without privileges. */
static const unsigned dockers[] = {
    SYS_acct,
    SYS_add_key,
    SYS_bpf,
    SYS_clock_adjtime,
    SYS_clock_settime,
    SYS_delete_module,
    SYS_finit_module,
    SYS_get_mempolicy,
    SYS_init_module,
    SYS_kcmp,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_mbind,
    SYS_mount,
    SYS_move_pages,
    SYS_nfsservctl,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_personality,
    SYS_pivot_root,
    SYS_quotactl,
    SYS_reboot,
    SYS_request_key,
    SYS_set_mempolicy,
    SYS_setns,
    SYS_settimeofday,
    SYS_swapon,
    SYS_swapoff,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
};

static const struct {
    const char *name;
    unsigned number;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"ENOMEM", ENOMEM}, {"EINVAL", EINVAL}};

static void add(struct sock_filter rule)
{
    if (count < RULES_MAX)
        rules[count++] = rule;
}

static void load(size_t offset)
{
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(unsigned error)
{
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | error : SECCOMP_RET_ALLOW));
}

/* The call's number is loaded. */
static void refuse(unsigned number, unsigned error)
{
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    answer(error);
}

/* Jumps `skip` rules ahead unless the test holds. */
static void unless(unsigned short test, unsigned value, unsigned char skip)
{
    add((struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | test | BPF_K), value, 0, skip));
}

#define ARGUMENT(i, high) (offsetof(struct seccomp_data, args) + (size_t)(i)*8 + ((high) ? 4 : 0))

/* mmap() of 1 GiB or more that would be accounted: fails by ENOMEM. Ends with other calls' number lost. */
static void refuse_accounted_memory(void)
{
    enum { GiB = 1 << 30 };
    unless(BPF_JEQ, SYS_mmap, 15);
    load(ARGUMENT(1, true));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 0, 3, 0)); /* 4 GiB and more */
    load(ARGUMENT(1, false));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, GiB, 1, 0));
    answer(0);
    load(ARGUMENT(3, false));
    unless(BPF_JSET, MAP_ANONYMOUS, 7);
    unless(BPF_JSET, MAP_SHARED, 1);
    answer(ENOMEM);
    unless(BPF_JSET, MAP_PRIVATE, 4);
    load(ARGUMENT(2, false));
    unless(BPF_JSET, PROT_WRITE, 2);
    answer(ENOMEM);
    answer(0);
    answer(0);
}

static int complain(const char *what)
{
    fprintf(stderr, "confine: %s\n", what);
    return 125;
}

/* NAME=ERRNO. @return whether both are known */
static bool refuse_by_name(const char *wish)
{
    const char *equals = strchr(wish, '=');
    for (size_t c = 0; equals && c < sizeof calls / sizeof *calls; c++) {
        if (strlen(calls[c].name) != (size_t)(equals - wish) ||
            strncmp(calls[c].name, wish, (size_t)(equals - wish)) != 0)
            continue;
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
            if (strcmp(errors[e].name, equals + 1) == 0)
                return refuse(calls[c].number, errors[e].number), true;
    }
    return false;
}

int main(int argc, char **argv)
{
    bool accounted = false;
    int i = 1;
    load(offsetof(struct seccomp_data, nr));
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--overcommit") == 0)
            accounted = true;
        else if (strcmp(argv[i], "--docker") == 0) {
            for (size_t c = 0; c < sizeof dockers / sizeof *dockers; c++)
                refuse(dockers[c], EPERM);
            refuse(SYS_clone3, ENOSYS);
        } else if (!refuse_by_name(argv[i]))
            return complain("NAME=ERRNO, --docker, --overcommit, then -- PROGRAM");
    }
    if (accounted)
        refuse_accounted_memory();
    answer(0);
    const struct sock_fprog filter = {count, rules};
    if (i + 1 >= argc || count == RULES_MAX)
        return complain("no program, or too many rules");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        printf("SKIP: no seccomp filters here: %s\n", strerror(errno));
        return 2;
    }
    execvp(argv[i + 1], argv + i + 1);
    return complain(strerror(errno));
}
