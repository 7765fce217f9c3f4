/**
 * @file patience.c
 * @brief How long a call has had a processor to itself: on a busy machine a right solution must not miss its
 * deadline.
 *
 * A deadline by the clock alone fails whoever is graded beside other work; one by processor time alone never
 * ends a call that sleeps. So what counts is the clock less the time in which the call wanted a processor and
 * got none, which Linux counts for each thread (/proc/PID/task/TID/schedstat, its second number), and less
 * what a virtual machine's host took from its processors (/proc/stat, steal). Where the kernel does not
 * count, the clock alone counts.
 */
#include "grade.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/** By the clock a deadline is at most so many times what is allowed, whatever the machine does. */
#define PATIENCE 8
/** The least by which a deadline is moved, in seconds: each time all processes are listed. */
#define SHORTEST 0.1
enum { PROCESSES_MAX = 4096 };

struct process {
    pid_t pid, parent;
    double started; /* seconds since the machine's start */
    bool below;
};

static bool read_file(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* @return whether the process is there */
static bool look_up(pid_t pid, struct process *process)
{
    char path[64], text[1024];
    int parent;
    unsigned long long ticks;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!read_file(path, text, sizeof text))
        return false;
    const char *behind_name = strrchr(text, ')'); /* a process may call itself anything */
    if (!behind_name ||
        sscanf(behind_name,
               ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &parent,
               &ticks) != 2)
        return false;
    *process = (struct process){pid, parent, (double)ticks / (double)sysconf(_SC_CLK_TCK), false};
    return true;
}

static size_t list_processes(struct process *process)
{
    size_t count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && count < PROCESSES_MAX && (entry = readdir(folder));)
        count += isdigit((unsigned char)entry->d_name[0]) && look_up(atoi(entry->d_name), &process[count]);
    if (folder)
        closedir(folder);
    return count;
}

static void mark_below(struct process *process, size_t count, pid_t ancestor)
{
    bool found;
    do {
        found = false;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; !process[i].below && j < count; j++)
                if (process[i].parent == ancestor ||
                    (process[j].below && process[j].pid == process[i].parent))
                    found = process[i].below = true;
    } while (found);
}

/* How long its threads waited for a processor, in seconds: the sum, since one mostly waits for another. */
static double waited(pid_t pid)
{
    char path[96], text[128];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        unsigned long long wait;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/schedstat", (int)pid, entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && read_file(path, text, sizeof text) &&
            sscanf(text, "%*u %llu", &wait) == 1)
            sum += (double)wait / 1e9;
    }
    if (folder)
        closedir(folder);
    return sum;
}

/* How long the processes below `ancestor` that are not older than `seconds` waited for a processor. */
static double waited_below(pid_t ancestor, double seconds)
{
    struct process *process = malloc(PROCESSES_MAX * sizeof *process);
    struct timespec now;
    double sum = 0;
    if (!process)
        return 0;
    clock_gettime(CLOCK_BOOTTIME, &now);
    /* Starts are counted in ticks of 10 ms. */
    const double since = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - seconds - 0.02;
    const size_t count = list_processes(process);
    mark_below(process, count, ancestor);
    for (size_t i = 0; i < count; i++)
        if (process[i].below && process[i].started >= since)
            sum += waited(process[i].pid);
    free(process);
    return sum;
}

double um_stolen(void)
{
    char text[256];
    unsigned long long ticks;
    if (!read_file("/proc/stat", text, sizeof text) ||
        sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) != 1)
        return 0;
    return (double)ticks / (double)sysconf(_SC_CLK_TCK) / (double)sysconf(_SC_NPROCESSORS_ONLN);
}

double um_time_had(pid_t ancestor, double started, double stolen)
{
    const double seconds = um_now() - started;
    if (seconds < SHORTEST)
        return seconds;
    const double had = seconds - waited_below(ancestor, seconds) - (um_stolen() - stolen);
    return had < seconds / PATIENCE ? seconds / PATIENCE : had;
}

bool um_in_time(struct um_deadline *deadline, pid_t ancestor)
{
    const double now = um_now();
    if (now < deadline->at)
        return true;
    if (now >= deadline->begin + PATIENCE * deadline->allowed)
        return false;
    const double left = deadline->allowed - (um_time_had(ancestor, deadline->started, deadline->stolen) -
                                             (deadline->begin - deadline->started));
    if (left <= 0)
        return false;
    deadline->at = now + (left < SHORTEST ? SHORTEST : left);
    return true;
}

struct um_deadline um_deadline(double started, double allowed)
{
    const double now = um_now();
    return (struct um_deadline){started ? started : now, now, allowed, now + allowed, um_stolen()};
}
