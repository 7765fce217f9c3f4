/**
 * @file again.c
 * @brief See again.h.
 */
#include "again.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "um_test.h"

void scene_run(const char *name, void (*scene)(void))
{
    const char *wanted = getenv("UM_SCENE");

    if (!wanted || strcmp(wanted, name) != 0)
        return;
    scene();
    exit(0);
}

long scene_setting(const char *name, long otherwise)
{
    const char *value = getenv(name);

    return value ? strtol(value, NULL, 10) : otherwise;
}

bool long_version(void)
{
    return scene_setting("UM_LONG", 0) != 0;
}

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static _Noreturn void be_the_scene(const struct again *run, int out, int err)
{
    const struct rlimit no_core = {0, 0};

    setsid(); /* so that all of its processes can be ended */
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    setenv("UM_SCENE", run->scene, 1);
    for (int i = 0; i < AGAIN_SETTINGS_MAX && run->settings[i]; i++)
        putenv((char *)run->settings[i]);
    execl("/proc/self/exe", run->scene, (char *)NULL);
    _exit(127);
}

static void read_text(int file, char *text)
{
    const ssize_t got = pread(file, text, AGAIN_TEXT_MAX - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    close(file);
}

void again(struct again *run)
{
    const int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    const double end = seconds_now() + (run->limit_s > 0 ? run->limit_s : 60) * um_test_patience();
    const struct timespec pause = {0, 500000};
    pid_t pid, got;

    fflush(NULL);
    pid = fork();
    if (pid == 0)
        be_the_scene(run, out, err);
    if (pid < 0)
        UM_FAIL("cannot fork: %s", strerror(errno));
    while ((got = waitpid(pid, &run->status, WNOHANG)) == 0 && seconds_now() < end)
        nanosleep(&pause, NULL);
    run->in_time = got != 0;
    if (got == 0) {
        kill(-pid, SIGKILL);
        waitpid(pid, &run->status, 0);
    }
    read_text(out, run->out);
    read_text(err, run->err);
}

static void show(const struct again *run, const char *expected)
{
    char settings[256] = "";
    size_t used = 0;

    for (int i = 0; i < AGAIN_SETTINGS_MAX && run->settings[i] && used < sizeof settings; i++)
        used += (size_t)snprintf(settings + used, sizeof settings - used, " %s", run->settings[i]);
    UM_FAIL("the scene %s with%s %s %d, expected %s; it printed: %.300s%.500s", run->scene, settings,
            !run->in_time              ? "did not end in time: killed with"
            : WIFSIGNALED(run->status) ? "died of signal"
                                       : "exited with",
            WIFSIGNALED(run->status) ? WTERMSIG(run->status) : WEXITSTATUS(run->status), expected, run->out,
            run->err);
}

bool again_ended_well(const struct again *run)
{
    const bool well = run->in_time && WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;

    CU_PASS("counted");
    if (!well)
        show(run, "exit 0");
    return well;
}

bool again_died_of(const struct again *run, int signal)
{
    const bool so = run->in_time && WIFSIGNALED(run->status) && WTERMSIG(run->status) == signal;

    CU_PASS("counted");
    if (!so)
        show(run, strsignal(signal));
    return so;
}

unsigned long long again_number(const struct again *run, const char *name)
{
    char wanted[80];
    const char *at;

    snprintf(wanted, sizeof wanted, "%s=", name);
    at = strstr(run->out, wanted);
    if (!at) {
        UM_FAIL("the scene %s printed no %s; it printed: %.300s%.500s", run->scene, wanted, run->out,
                run->err);
        return 0;
    }
    return strtoull(at + strlen(wanted), NULL, 10);
}
