/**
 * @file sandbox.c
 * @brief Implementation of sandbox.h: bubblewrap, or another user with Landlock and limits.
 */
#include "sandbox.h"
#include "grade.h"
#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * User ids that no other user has, one for each grader that runs. A container may have few ids; then they
 * come from the other range.
 */
#define OWN_UID_BASE 1879048192u
#define OWN_UID_PIDS (1u << 22) /* the largest possible process id */
#define OWN_UID_FEW 60000u
#define OWN_UID_COUNT 5000u

#define BUBBLEWRAP "/usr/bin/bwrap"

static enum um_sandbox kind;
static uid_t own_uid; /* 0: the grader's */
static bool landlock_works;

/* ---- the child, before its program ---- */

/* A limit that the grader itself has been given may be lower, and cannot be raised. */
static void limit(int resource, rlim_t value)
{
    struct rlimit now;
    if (value && getrlimit(resource, &now) == 0 && now.rlim_max < value)
        value = now.rlim_max;
    if (value && setrlimit(resource, &(struct rlimit){value, value}) != 0)
        _exit(126);
}

static void place_descriptors(const struct um_sandbox_plan *plan)
{
    int null = open("/dev/null", O_RDWR), fork_server = plan->fork_server;
    if (fork_server >= 0 && (fork_server = fcntl(fork_server, F_DUPFD, 10)) < 0)
        _exit(126);
    dup2(plan->input >= 0 ? plan->input : null, 0);
    dup2(plan->output >= 0 ? plan->output : null, 1);
    dup2(1, 2);
    if (fork_server >= 0)
        dup2(fork_server, UM_FORK_SERVER_FD);
    syscall(SYS_close_range, fork_server >= 0 ? UM_FORK_SERVER_FD + 1 : 3, ~0U, 0);
}

static void become_own_user(void)
{
    if (own_uid && (setgroups(0, NULL) != 0 || setresgid(own_uid, own_uid, own_uid) != 0 ||
                    setresuid(own_uid, own_uid, own_uid) != 0))
        _exit(126);
}

/* Drops root's powers, where the grader has them and cannot become another user (root of a container's own
 * user namespace, say). */
static void drop_powers(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    for (int power = 0; power <= CAP_LAST_CAP; power++)
        prctl(PR_CAPBSET_DROP, power, 0, 0, 0);
    if (syscall(SYS_capset, &head, none) != 0)
        _exit(126);
}

static int landlock_ruleset(void)
{
    const struct landlock_ruleset_attr all = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    return (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
}

static void landlock_allow(int ruleset, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat what;
    if (rule.parent_fd < 0 || fstat(rule.parent_fd, &what) != 0)
        return;
    const uint64_t of_files =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    rule.allowed_access = S_ISDIR(what.st_mode) ? access : access & of_files;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

static void enter_landlock(const struct um_sandbox_plan *plan)
{
    const uint64_t reading =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    int ruleset = landlock_ruleset();
    if (ruleset < 0)
        return;
    for (int i = 0; plan->read[i]; i++)
        landlock_allow(ruleset, plan->read[i], reading);
    if (plan->write)
        landlock_allow(ruleset, plan->write, (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1);
    landlock_allow(ruleset, "/proc", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    landlock_allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        _exit(126);
    close(ruleset);
}

static char **bubblewrap_arguments(const struct um_sandbox_plan *plan, char *const *environment)
{
    static char *arguments[200];
    static const char *const always[] = {
        BUBBLEWRAP,   "--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1",
        "--cap-drop", "ALL",           "--clearenv",        "--proc",        "/proc",
        "--dev",      "/dev",          "--tmpfs",           "/tmp"};
    unsigned n = 0;
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        arguments[n++] = (char *)always[i];
    for (; *environment; environment++) {
        char *copy = strdup(*environment), *value = copy ? strchr(copy, '=') : NULL;
        if (!value)
            _exit(126);
        *value = '\0';
        arguments[n++] = "--setenv";
        arguments[n++] = copy;
        arguments[n++] = value + 1;
    }
    for (int i = 0; plan->read[i]; i++) {
        arguments[n++] = "--ro-bind-try";
        arguments[n++] = (char *)plan->read[i];
        arguments[n++] = (char *)plan->read[i];
    }
    if (plan->write) {
        arguments[n++] = "--bind";
        arguments[n++] = (char *)plan->write;
        arguments[n++] = (char *)plan->write;
    }
    arguments[n++] = "--chdir";
    arguments[n++] = (char *)plan->folder;
    for (char **argument = plan->argv; *argument; argument++)
        arguments[n++] = *argument;
    return arguments;
}

__attribute__((noreturn)) static void enter(const struct um_sandbox_plan *plan)
{
    static char scratch[300];
    snprintf(scratch, sizeof scratch, "TMPDIR=%s", plan->write ? plan->write : "/nonexistent");
    char *environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", scratch, NULL};
    setsid();
    signal(SIGXFSZ, SIG_DFL);
    place_descriptors(plan);
    umask(077);
    limit(RLIMIT_AS, plan->memory_bytes);
    limit(RLIMIT_FSIZE, plan->file_bytes);
    limit(RLIMIT_CPU, plan->cpu_seconds);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    become_own_user();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (kind == UM_SANDBOX_BUBBLEWRAP) {
        /* It arranges itself to end with the grader. Had it to end before that, its child would wait for ever
         * to be told that it may go on. */
        execve(BUBBLEWRAP, bubblewrap_arguments(plan, environment), environment);
        _exit(127);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    drop_powers();
    if (kind == UM_SANDBOX_OWN && landlock_works)
        enter_landlock(plan);
    if (chdir(plan->folder) == 0)
        execve(plan->argv[0], plan->argv, environment);
    _exit(127);
}

/* ---- the grader ---- */

pid_t um_sandbox_start(const struct um_sandbox_plan *plan)
{
    pid_t pid = fork();
    if (pid < 0)
        um_cannot("cannot fork: %s", strerror(errno));
    if (pid == 0)
        enter(plan);
    return pid;
}

/* Ends all processes of that user, wherever they are. */
static void end_own_user(void)
{
    pid_t killer = fork();
    if (killer == 0) {
        if (setresuid(own_uid, own_uid, own_uid) == 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
    if (killer > 0)
        waitpid(killer, NULL, 0);
}

void um_sandbox_stop(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (own_uid && kind == UM_SANDBOX_OWN)
        end_own_user();
}

void um_sandbox_give(const char *path)
{
    if (own_uid && chown(path, own_uid, own_uid) != 0)
        um_cannot("cannot give %s to the sandbox's user: %s", path, strerror(errno));
}

bool um_sandbox_is_own(uid_t uid)
{
    return geteuid() == 0 && (uid - OWN_UID_BASE <= OWN_UID_PIDS || uid - OWN_UID_FEW < OWN_UID_COUNT);
}

static bool can_be(uid_t uid)
{
    pid_t pid = fork();
    int status = 1;
    if (pid == 0)
        _exit(setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0 ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static uid_t find_own_uid(void)
{
    uid_t uid = OWN_UID_BASE + (uid_t)getpid();
    if (geteuid() != 0)
        return 0;
    if (can_be(uid))
        return uid;
    uid = OWN_UID_FEW + (uid_t)getpid() % OWN_UID_COUNT;
    return can_be(uid) ? uid : 0;
}

/* Tests the sandbox: the fork server reports that it runs. */
static bool works(enum um_sandbox sandbox, uid_t uid)
{
    char program[4200], folder[4200], library[4200];
    snprintf(program, sizeof program, "%s/grade/sandbox/umforkserver", um_job.build);
    snprintf(folder, sizeof folder, "%s/grade/sandbox", um_job.build);
    snprintf(library, sizeof library, "%s/lib", um_job.build);
    char *argv[] = {program, NULL};
    const struct um_sandbox_plan plan = {
        .read = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", folder, library, um_scratch()},
        .folder = um_scratch(), /* workspaces are there: the sandbox has to reach it */
        .argv = argv,
        .input = -1,
        .output = -1,
        .fork_server = -1};
    int status = 1;
    kind = sandbox;
    own_uid = uid;
    pid_t pid = um_sandbox_start(&plan);
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Whether that user may read what no submission may: the lab's checks, its folder, which has the
 * solution, and the repository's history, which has it, too. */
static bool reads_the_course(uid_t uid)
{
    char checks[4200], exercise[4200], history[4200];
    int status = 1;
    snprintf(checks, sizeof checks, "%s/grade/%s.so", um_job.build, um_job.lab);
    snprintf(exercise, sizeof exercise, "%s/exercise.c", um_job.lab_dir);
    snprintf(history, sizeof history, "%s/.git/HEAD", um_job.root);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0 &&
                      access(checks, R_OK) != 0 && access(exercise, R_OK) != 0 && access(history, R_OK) != 0
                  ? 0
                  : 1);
    return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

const char *um_sandbox_choose(const char *wanted)
{
    const bool any = strcmp(wanted, "auto") == 0;
    const uid_t uid = find_own_uid();
    int ruleset = landlock_ruleset();
    landlock_works = ruleset >= 0;
    if (landlock_works)
        close(ruleset);
    if (any || strcmp(wanted, "bubblewrap") == 0)
        if (works(UM_SANDBOX_BUBBLEWRAP, uid) || works(UM_SANDBOX_BUBBLEWRAP, 0))
            return "bubblewrap";
    if (any || strcmp(wanted, "own") == 0)
        if (works(UM_SANDBOX_OWN, uid))
            return landlock_works                  ? uid ? "own uid, Landlock" : "Landlock"
                   : uid && !reads_the_course(uid) ? "own uid"
                                                   : "limits only";
    if (strcmp(wanted, "none") == 0 && works(UM_SANDBOX_NONE, 0))
        return "none";
    if (access(um_scratch(), W_OK | X_OK) != 0)
        um_cannot("TMPDIR=%s: %s", um_scratch(), strerror(errno));
    um_cannot("no sandbox works here (wanted: %s); is %s readable by other users?", wanted, um_job.build);
}
