/**
 * @file spawn.c
 * @brief See spawn.h.
 */
#include "spawn.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "um_test.h"

enum { LIMIT_S = 20 };

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sleep_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

const char *program_path(const char *name)
{
    static const char *const folders[] = {"lifecycle-programs", "programs", ".."};
    static char path[4200];
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", self, folders[i], name);
        if (access(path, X_OK) == 0)
            break;
    }
    return path;
}

static _Noreturn void be_the_program(const struct run *run, const char *path)
{
    struct rlimit no_core = {0, 0};
    const char *words[RUN_WORDS_MAX + 2] = {path};
    setsid();
    signal(SIGINT, SIG_DFL); /* ignored where the tests run in a script's background */
    getrlimit(RLIMIT_CORE, &no_core);
    no_core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &no_core); /* some are to die */
    dup2(run->out_file, STDOUT_FILENO);
    dup2(run->err_file, STDERR_FILENO);
    for (int i = 0; i < RUN_WORDS_MAX && run->arguments[i]; i++)
        words[i + 1] = run->arguments[i];
    for (int i = 0; i < RUN_WORDS_MAX && run->environment[i]; i++)
        putenv((char *)run->environment[i]);
    if (run->before_exec)
        run->before_exec();
    execv(path, (char **)words);
    _exit(127);
}

void run_start(struct run *run)
{
    const char *path = program_path(run->program);
    run->out_file = memfd_create("out", MFD_CLOEXEC);
    run->err_file = memfd_create("err", MFD_CLOEXEC);
    run->seconds = seconds_now(); /* the start, until run_wait() */
    fflush(NULL);
    run->pid = fork();
    if (run->pid == 0)
        be_the_program(run, path);
    if (run->pid < 0)
        UM_FAIL("cannot fork: %s", strerror(errno));
}

static void read_text(int file, char *text)
{
    ssize_t got = pread(file, text, RUN_TEXT_MAX - 1, 0);
    text[got > 0 ? got : 0] = '\0';
}

const char *run_read_line(struct run *run, int line)
{
    double end = seconds_now() + LIMIT_S * um_test_patience();
    while (seconds_now() < end) {
        char *start = run->out, *next;
        read_text(run->out_file, run->out);
        for (int skip = line; (next = strchr(start, '\n')); start = next + 1) {
            if (skip-- > 0)
                continue;
            *next = '\0';
            return start;
        }
        sleep_ms(1);
    }
    read_text(run->err_file, run->err);
    UM_FAIL("%s printed no line %d; on stderr: %s", run->program, line, run->err);
    return "";
}

void run_wait(struct run *run)
{
    double end = run->seconds + (run->limit_s > 0 ? run->limit_s : LIMIT_S) * um_test_patience();
    pid_t got;
    while ((got = waitpid(run->pid, &run->status, WNOHANG)) == 0 && seconds_now() < end)
        sleep_ms(1);
    if (got == 0) {
        kill(-run->pid, SIGKILL);
        waitpid(run->pid, &run->status, 0);
    }
    run->seconds = seconds_now() - run->seconds;
    read_text(run->out_file, run->out);
    read_text(run->err_file, run->err);
    close(run->out_file);
    close(run->err_file);
    if (got == 0)
        UM_FAIL("%s did not end in time; it printed: %s%s", run->program, run->out, run->err);
}

void run_to_end(struct run *run)
{
    run_start(run);
    run_wait(run);
}

static void show(const struct run *run, const char *expected, int number)
{
    const char *how = WIFSIGNALED(run->status) ? "died of signal" : "exited with";
    int with = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : WEXITSTATUS(run->status);
    UM_FAIL("%s %s %s %d, expected %s %d; it printed: %s%s", run->program,
            run->arguments[0] ? run->arguments[0] : "", how, with, expected, number, run->out, run->err);
}

void run_exited(const struct run *run, int status)
{
    CU_PASS("counted");
    if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != status)
        show(run, "exit", status);
}

void run_died_of(const struct run *run, int signal)
{
    CU_PASS("counted");
    if (!WIFSIGNALED(run->status) || WTERMSIG(run->status) != signal)
        show(run, "signal", signal);
}

/* Fields 3 and 6 of /proc/PID/stat: state and session. They follow the name, which ends at the last
 * parenthesis. */
static bool lives(const char *pid, int *session)
{
    char path[300], text[512], state;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    const char *rest = strrchr(text, ')');
    return rest && sscanf(rest + 1, " %c %*d %*d %d", &state, session) == 2 && state != 'Z' && state != 'X';
}

bool process_ended(pid_t pid)
{
    char text[20];
    int session;
    snprintf(text, sizeof text, "%d", (int)pid);
    return !lives(text, &session);
}

int processes_of_session(pid_t session)
{
    int count = 0, its_session;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            count += lives(entry->d_name, &its_session) && its_session == session;
    if (proc)
        closedir(proc);
    return count;
}

void run_left_nothing_after(const struct run *run, double seconds)
{
    double end = seconds_now() + seconds;
    int left;
    CU_PASS("counted");
    while ((left = processes_of_session(run->pid)) > 0 && seconds_now() < end)
        sleep_ms(5);
    if (!left)
        return;
    UM_FAIL("%d processes of %s are there %.1f s after its end", left, run->program, seconds);
    kill(-run->pid, SIGKILL);
}

void run_left_nothing(const struct run *run)
{
    run_left_nothing_after(run, 1);
}
