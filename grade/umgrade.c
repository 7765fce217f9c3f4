/**
 * @file umgrade.c
 * @brief The grader: it runs a lab's checks on a submission and decides the verdicts.
 *
 * docs/grading.md has the whole picture; grade.h says which file does what.
 *
 *     umgrade --lab lab1 --lab-dir labs/lab1_explicit --checks build/sim/grade/lab1.so --root .
 *             --build build/sim --out build/grade [--submission DIR] [--seed N] [--profile NAME]
 *             [--sandbox auto|bubblewrap|own|none] [--only FUNCTION,...] [--canary first|only|none]
 *     UMLAB_SEED=N umgrade ...     the same as --seed N, for a seed that submissions must not learn
 *     UMLAB_KEY=FILE               the course's key (key.h); without, ROOT/.umlab/key, or else the public one
 *     UMLAB_STUDENT=ID             who handed it in: what is drawn by the key is another one's for another ID
 *
 * --only judges some of the exercises and gives no result for the others; it is for tests of the checks, not
 * for grades. The seed normally comes from course.json. --seed is for tests, because every process of the
 * machine can read a command line.
 *
 * Before the submission the grader solves an exercise of its own (canary.c). With --canary only that is all,
 * and with --canary none it has been done: once for a whole class.
 *
 * Exit 0: full marks. 1: below. 2: nothing could be judged, and the last line of stderr says why:
 * `umgrade: grader failed: CAUSE` for what the machine lacks.
 */
#include "library.h"
#include "sandbox.h"
#include "grade.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

struct um_job um_job = {.sandbox_wanted = "auto", .student = "", .timeout_scale = 1};

static bool is_asked_rightly; /* so what fails from now on is neither the caller's doing nor a submission's */
static enum { CANARY_FIRST, CANARY_ONLY, CANARY_NONE } canary;

double um_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

char *um_text(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        um_cannot("no memory");
    return text;
}

/* A limit that is often the cause, and that what failed does not know of. */
static const char *limits(void)
{
    static char text[80];
    struct rlimit addresses;
    if (is_asked_rightly && getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
        snprintf(text, sizeof text, " (addresses are limited: ulimit -v %llu)",
                 (unsigned long long)addresses.rlim_cur >> 10);
    return text;
}

void um_cannot(const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    static bool again; /* um_clean() cannot do without memory */
    char *clean = again ? text : (again = true, um_clean(text));
    fprintf(stderr, "umgrade: %s%s%s\n", is_asked_rightly ? "grader failed: " : "", clean, limits());
    um_fork_server_end();
    um_workspace_remove();
    exit(2);
}

/* On an interrupt, the lines already have what was judged. The workspace is removed, and the sandbox ends
 * with its parent. */
static void on_signal(int number)
{
    alarm(5); /* removing needs malloc(): if the signal interrupted malloc(), the next grading removes the
                 workspace */
    um_workspace_remove(); // NOLINT(bugprone-signal-handler)
    signal(number, SIG_DFL);
    raise(number);
}

static const char *existing(const char *path)
{
    char *absolute = realpath(path, NULL);
    if (!absolute)
        um_cannot("%s: %s", path, strerror(errno));
    return absolute;
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || text[0] < '0' || text[0] > '9')
        um_cannot("%s is not a whole number", text);
    return value;
}

static void read_timeout_scale(void)
{
    const char *text = getenv("GRADE_TIMEOUT_SCALE");
    char *end;
    if (!text || !*text)
        return;
    um_job.timeout_scale = strtod(text, &end);
    if (*end || !(um_job.timeout_scale > 0 && um_job.timeout_scale <= 1000))
        um_cannot("GRADE_TIMEOUT_SCALE=%s: not a number from 0 to 1000", text);
}

static void read_canary(const char *text)
{
    static const char *const names[] = {"first", "only", "none"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            canary = i;
            return;
        }
    um_cannot("--canary is first, only or none, not %s", text);
}

static const char *read_options(int argc, char **argv)
{
    static const struct option options[] = {{"lab", required_argument, NULL, 'l'},
                                            {"lab-dir", required_argument, NULL, 'd'},
                                            {"checks", required_argument, NULL, 'c'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"build", required_argument, NULL, 'b'},
                                            {"out", required_argument, NULL, 'o'},
                                            {"submission", required_argument, NULL, 's'},
                                            {"seed", required_argument, NULL, 'n'},
                                            {"profile", required_argument, NULL, 'p'},
                                            {"sandbox", required_argument, NULL, 'g'},
                                            {"only", required_argument, NULL, 'f'},
                                            {"canary", required_argument, NULL, 'y'},
                                            {NULL, 0, NULL, 0}};
    const char *checks = NULL, *out = NULL;
    bool seeded = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'l':
            um_job.lab = optarg;
            break;
        case 'd':
            um_job.lab_dir = existing(optarg);
            break;
        case 'c':
            checks = existing(optarg);
            break;
        case 'r':
            um_job.root = existing(optarg);
            break;
        case 'b':
            um_job.build = existing(optarg);
            break;
        case 'o':
            out = optarg;
            break;
        case 's':
            um_job.submission = existing(optarg);
            break;
        case 'n':
            um_job.seed = number(optarg);
            seeded = true;
            break;
        case 'p':
            um_job.profile = optarg;
            break;
        case 'g':
            um_job.sandbox_wanted = optarg;
            break;
        case 'f':
            um_job.only = optarg;
            break;
        case 'y':
            read_canary(optarg);
            break;
        default:
            exit(2);
        }
    }
    if (!um_job.lab || !um_job.lab_dir || !checks || !um_job.root || !um_job.build || !out || optind < argc)
        um_cannot("--lab, --lab-dir, --checks, --root, --build and --out are needed");
    if (!um_job.submission)
        um_job.submission = um_job.lab_dir;
    if (!seeded)
        um_job.seed = um_course_seed();
    if (mkdir(out, 0755) != 0 && errno != EEXIST)
        um_cannot("cannot make %s: %s", out, strerror(errno));
    um_job.out = existing(out);
    return checks;
}

/* Only this process ever has the key: what it starts are programs, with other memory and without the file. */
static void load_key(void)
{
    const char *student = getenv("UMLAB_STUDENT"), *why = um_key_load(getenv("UMLAB_KEY"), um_job.root);
    if (why)
        um_cannot("%s", why);
    if (student)
        um_job.student = student;
}

/* Checks are the course's own code. They register themselves when they are loaded. */
static void load_checks(const char *path)
{
    if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
        um_cannot("%s", dlerror());
}

/* @return whether there is a submission to be graded */
static bool prepare(int argc, char **argv)
{
    const char *checks = read_options(argc, argv);
    read_timeout_scale();
    if (getenv("UMLAB_SEED")) /* every process can read arguments in /proc, and so can submissions */
        um_job.seed = number(getenv("UMLAB_SEED"));
    prctl(PR_SET_DUMPABLE, 0); /* where the sandbox's user is also the grader's, this protects the grader's
                                  memory from being read */
    load_key();
    is_asked_rightly = true;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is told by whoever writes it */
    um_source_check_limits();
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    load_checks(checks);
    if (canary != CANARY_ONLY)
        um_result_start();
    um_job.sandbox = um_sandbox_choose(um_job.sandbox_wanted);
    if (canary != CANARY_NONE)
        um_canary();
    return canary != CANARY_ONLY;
}

int main(int argc, char **argv)
{
    static struct um_build build;
    const char *functions[UM_LIBRARY_NEEDS];
    const double before = um_now();
    if (!prepare(argc, argv))
        return 0;
    um_source_take();
    um_exercise_functions(functions, UM_LIBRARY_NEEDS);
    um_source_build(&build, functions);
    um_result_build(&build);
    if (build.ok)
        um_fork_server_start();
    um_judge(build.ok);
    um_fork_server_end();
    um_workspace_remove();
    return um_result_end(&build, um_now() - before);
}
