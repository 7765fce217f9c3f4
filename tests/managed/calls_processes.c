/**
 * @file calls_processes.c
 * @brief Calls about processes, time, signals and System V's objects. See calls.h.
 */
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long spawns(char *b)
{
    char **list = (char **)(b + CALL_UNIT);
    int status = -1;
    pid_t child;
    strcpy(b, "/bin/sh");
    strcpy(b + 100, "-c");
    strcpy(b + 2 * CALL_UNIT - 6, "exit $((40 + 2))"); /* in two units */
    memcpy(list, (char *[]){b, b + 100, b + 2 * CALL_UNIT - 6, NULL}, 4 * sizeof *list);
    const long answer = posix_spawn(&child, call_away(b), NULL, NULL, list, environ);
    if (!answer)
        waitpid(child, &status, 0);
    return answer * 1000 + WEXITSTATUS(status);
}

static long runs_a_command(char *b)
{
    strcpy(b, "exit 7");
    const int status = system(call_away(b));
    FILE *pipe = popen(call_away(strcpy(b, "echo 12")), "r");
    char line[8] = "";
    if (pipe && !fgets(line, sizeof line, pipe))
        line[0] = '\0';
    return WEXITSTATUS(status) * 100 + atoi(line) + (pipe ? pclose(pipe) : 1);
}

static long waits_for_children(char *b)
{
    const pid_t one = fork();
    if (one == 0)
        _exit(3);
    const long first =
        wait4(one, call_away(b), 0, (struct rusage *)(b + 100)) == one ? WEXITSTATUS(*(int *)b) : -errno;
    const pid_t two = fork();
    if (two == 0)
        _exit(5);
    siginfo_t *info = (siginfo_t *)(b + 4000);
    const long second = waitid(P_PID, (id_t)two, call_away(info), WEXITED) == 0 && info->si_pid == two
                            ? info->si_status
                            : -errno;
    return first * 10 + second;
}

static long limits(char *b)
{
    struct rlimit *now = (struct rlimit *)b;
    const long got = call_answer(getrlimit(RLIMIT_NOFILE, now));
    const long set = call_answer(setrlimit(RLIMIT_NOFILE, call_away(now)));
    const long both = call_answer(prlimit(0, RLIMIT_NOFILE, call_away(now), (struct rlimit *)(b + 100)));
    return got * 100 + set * 10 + both;
}

static long processors(char *b)
{
    const size_t bytes = sizeof(cpu_set_t);
    cpu_set_t *one = (cpu_set_t *)b, *two = (cpu_set_t *)(b + 4000);
    long failures = pthread_getaffinity_np(pthread_self(), bytes, one) != 0;
    failures += pthread_setaffinity_np(pthread_self(), bytes, call_away(one)) != 0;
    failures += sched_getaffinity(0, bytes, call_away(two)) != 0;
    return failures * 1000 + CPU_EQUAL(one, two) + CPU_COUNT(one) * 10;
}

static long names(char *b)
{
    char before[16];
    pthread_getname_np(pthread_self(), before, sizeof before);
    strcpy(b, "of-managed");
    const long set = pthread_setname_np(pthread_self(), call_away(b));
    const long got = pthread_getname_np(pthread_self(), call_away(b + 100), 50);
    const long also = call_answer(prctl(PR_GET_NAME, call_away(b + 200)));
    pthread_setname_np(pthread_self(), before);
    return set * 100 + got * 10 + also;
}

static long who_it_is(char *b)
{
    const int groups = getgroups(100, (gid_t *)(b + 100));
    return call_answer(getresuid(call_away(b), (uid_t *)(b + 4), (uid_t *)(b + 5000))) * 1000 + groups;
}

static long clocks(char *b)
{
    struct timespec *cpu = (struct timespec *)b, *step = (struct timespec *)(b + 5000);
    long failures = clock_gettime(CLOCK_THREAD_CPUTIME_ID, cpu) != 0 || cpu->tv_nsec < 0;
    failures += clock_gettime(CLOCK_REALTIME_COARSE, call_away(cpu)) != 0 || cpu->tv_sec < 1000000;
    failures += clock_getres(CLOCK_MONOTONIC, call_away(step)) != 0 || step->tv_nsec != 1;
    failures += syscall(SYS_gettimeofday, call_away(b + 100), NULL) != 0 ||
                ((struct timeval *)(b + 100))->tv_sec < 1000000;
    return failures;
}

static long timers(char *b)
{
    struct itimerspec *next = (struct itimerspec *)b, *before = (struct itimerspec *)(b + 4090);
    timer_t *timer = (timer_t *)(b + 500);
    const int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct sigevent nobody = {.sigev_notify = SIGEV_NONE};
    *next = (struct itimerspec){.it_value = {1000, 0}};
    long failures = timerfd_settime(descriptor, 0, call_away(next), NULL) != 0;
    next->it_value.tv_sec = 2000;
    failures += timerfd_settime(descriptor, 0, call_away(next), before) != 0 || before->it_value.tv_sec < 998;
    failures += timerfd_gettime(descriptor, call_away(before)) != 0 || before->it_value.tv_sec < 1998;
    failures += timer_create(CLOCK_MONOTONIC, &nobody, call_away(timer)) != 0;
    failures += timer_settime(*timer, 0, call_away(next), NULL) != 0;
    failures += timer_gettime(*timer, call_away(before)) != 0 || before->it_value.tv_sec < 1998;
    timer_delete(*timer);
    close(descriptor);
    return failures;
}

static long sleeps(char *b)
{
    struct timespec *wish = (struct timespec *)b;
    *wish = (struct timespec){0, -1};
    const long wrong = call_answer(nanosleep(call_away(wish), (struct timespec *)(b + 100)));
    wish->tv_nsec = 1000;
    return wrong * 100 + clock_nanosleep(CLOCK_MONOTONIC, 0, call_away(wish), (struct timespec *)(b + 200));
}

/* SIGUSR1, blocked and sent three times over, is taken in three ways. */
static long signals(char *b)
{
    sigset_t *mask = (sigset_t *)b, before;
    siginfo_t *info = (siginfo_t *)(b + 4000);
    struct timespec none = {0, 0};
    int *number = (int *)(b + 300);
    sigemptyset(mask);
    sigaddset(mask, SIGUSR1);
    long failures = pthread_sigmask(SIG_BLOCK, call_away(mask), &before) != 0;
    raise(SIGUSR1);
    failures += sigpending(call_away(b + 200)) != 0 || !sigismember((sigset_t *)(b + 200), SIGUSR1);
    failures += sigwait(call_away(mask), number) != 0 || *number != SIGUSR1;
    raise(SIGUSR1);
    failures += sigtimedwait(call_away(mask), info, &none) != SIGUSR1 || info->si_signo != SIGUSR1;
    failures += sigtimedwait(mask, info, &none) != -1 || errno != EAGAIN;
    const int descriptor = signalfd(-1, call_away(mask), SFD_CLOEXEC);
    raise(SIGUSR1);
    struct signalfd_siginfo *read_info = (struct signalfd_siginfo *)(b + 6000);
    failures += read(descriptor, call_away(read_info), sizeof *read_info) != sizeof *read_info ||
                read_info->ssi_signo != SIGUSR1;
    failures += sigprocmask(SIG_SETMASK, &before, call_away(mask)) != 0 || !sigismember(mask, SIGUSR1);
    close(descriptor);
    return failures;
}

static long messages(char *b)
{
    const int queue = msgget(IPC_PRIVATE, 0600);
    *(long *)b = 1;
    memcpy(b + 8, "twelve bytes", 12);
    const long put = call_answer(msgsnd(queue, call_away(b), 12, IPC_NOWAIT));
    const long got = call_answer(msgrcv(queue, call_away(b + 4090), 100, 0, IPC_NOWAIT));
    msgctl(queue, IPC_RMID, NULL);
    return put * 100 + got;
}

static long semaphores(char *b)
{
    const int set = semget(IPC_PRIVATE, 1, 0600);
    memcpy(b, (struct sembuf[]){{0, 3, 0}, {0, -1, IPC_NOWAIT}}, 2 * sizeof(struct sembuf));
    const long done = call_answer(semop(set, call_away(b), 2));
    const long left = call_answer(semctl(set, 0, GETVAL));
    const long all = call_answer(semctl(set, 0, GETALL, call_away(b + 200)));
    semctl(set, 0, IPC_RMID);
    return done * 100 + left * 10 + all;
}

static long queues(char *b)
{
    struct mq_attr sizes = {.mq_maxmsg = 2, .mq_msgsize = 100};
    unsigned *priority = (unsigned *)(b + 400);
    const mqd_t queue = mq_open("/umlab-calls", O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600, &sizes);
    if (queue == (mqd_t)-1)
        return -errno;
    mq_unlink("/umlab-calls");
    const long put = call_answer(mq_send(queue, b, 30, 7));
    const long got = call_answer(mq_receive(queue, call_away(b + 200), 100, priority));
    const long none = call_answer(mq_receive(queue, b + 200, 100, priority));
    mq_close(queue);
    return put * 1000 + got * 10 + none;
}

const struct call_case calls_of_processes[] = {
    {"posix_spawn: path and arguments", spawns, NULL, true},
    {"system, popen", runs_a_command, NULL, true},
    {"wait4, waitid", waits_for_children, NULL, true},
    {"getrlimit, setrlimit, prlimit", limits, NULL, false},
    {"sched_getaffinity, pthread_setaffinity_np", processors, NULL, false},
    {"pthread_setname_np, prctl", names, NULL, false},
    {"getresuid, getgroups", who_it_is, NULL, false},
    {"clock_gettime, clock_getres, gettimeofday", clocks, NULL, true},
    {"timerfd_settime, timer_settime", timers, NULL, true},
    {"nanosleep, clock_nanosleep", sleeps, NULL, false},
    {"pthread_sigmask, sigwait, sigtimedwait, signalfd", signals, NULL, true},
    {"msgsnd, msgrcv", messages, NULL, false},
    {"semop, semctl", semaphores, NULL, false},
    {"mq_send, mq_receive", queues, NULL, false},
    {0},
};
