/**
 * @file processes.c
 * @brief Whether the host process and the GPU process live, and how the GPU process is ended (processes.h).
 */
#include "processes.h"
#include "futex.h"
#include "libc.h"
#include "layout.h"
#include "report.h"
#include "shortage.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct umsim_processes *umsim_processes;
bool umsim_in_gpu;
unsigned umsim_workers;

static pid_t host_process;
static struct gpu {
    pid_t process; /* 0: none */
    int pidfd;     /* -1: an old kernel has no descriptors of processes, or this one was lent */
    bool alive;
} gpus[UMSIM_DEVICES_MAX];
static int end_status = -1; /* as waitpid() gives it; -1: not known */

/* A page that the system empties in a forked child, however that is forked. */
static _Atomic(volatile unsigned char *) mark;

void umsim_mark_host(void)
{
    void *page = mmap(NULL, UMSIM_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        umsim_die("no memory for a page: %s", strerror(errno));
    madvise(page, UMSIM_PAGE, MADV_WIPEONFORK);
    *(volatile unsigned char *)page = 1;
    atomic_store(&mark, page); /* other threads ask without a lock */
}

void umsim_mark_child(void)
{
    volatile unsigned char *page = atomic_load(&mark);
    if (page)
        *page = 0;
}

bool umsim_in_child(void)
{
    const volatile unsigned char *page = atomic_load(&mark);
    return !umsim_in_gpu && page && !*page; /* in the GPU process the page is closed */
}

void umsim_host_lives(void)
{
    struct umsim_life *life = &umsim_processes->host;
    life->held = (struct robust_list_head){.list = {&life->entry},
                                           .futex_offset = (long)offsetof(struct umsim_life, holder) -
                                                           (long)offsetof(struct umsim_life, entry)};
    life->entry.next = &life->held.list;
    bool held = syscall(SYS_set_robust_list, &life->held, sizeof life->held) == 0;
    atomic_store(&life->holder, held ? (unsigned)syscall(SYS_gettid) | FUTEX_WAITERS : FUTEX_OWNER_DIED);
    umsim_futex_wake(&life->holder);
}

void umsim_gpu_born(unsigned device, pid_t process)
{
    host_process = getpid();
    gpus[device] = (struct gpu){process, (int)syscall(SYS_pidfd_open, process, 0), true};
    end_status = -1;
}

void umsim_gpu_died(unsigned device)
{
    gpus[device].alive = false;
}

static void stop(struct gpu *gpu)
{
    if (gpu->process <= 0)
        return;
    if (gpu->alive || waitpid(gpu->process, NULL, WNOHANG | __WALL) == 0) {
        kill(gpu->process, SIGKILL);
        while (waitpid(gpu->process, NULL, __WALL) < 0 && errno == EINTR)
            ;
    }
    if (gpu->pidfd >= 0)
        close(gpu->pidfd);
    *gpu = (struct gpu){0, -1, false};
}

void umsim_gpu_give_up(unsigned device)
{
    stop(&gpus[device]);
}

void umsim_gpu_stop(void)
{
    if (host_process != getpid())
        return;
    for (unsigned device = 0; device < umsim_devices; device++)
        stop(&gpus[device]);
}

static _Atomic(pid_t) ending_thread;

void umsim_process_ends(void)
{
    atomic_store(&ending_thread, (pid_t)syscall(SYS_gettid));
}

/* Another thread has called exit(), and this one is about to learn that the GPU is gone. A program may exit()
 * itself then, with another status. A second is more than the rest of the end takes, unless that waits for
 * this thread. */
static void let_process_end(void)
{
    static _Thread_local bool waited __attribute__((tls_model("initial-exec")));
    const pid_t thread = atomic_load(&ending_thread);
    if (waited || !thread || thread == (pid_t)syscall(SYS_gettid))
        return;
    waited = true;
    umsim_real_nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

static bool is_alive(struct gpu *gpu)
{
    if (!gpu->alive)
        return false;
    struct pollfd ended = {.fd = gpu->pidfd, .events = POLLIN};
    if (gpu->pidfd >= 0 && poll(&ended, 1, 0) != 1)
        return true;
    const pid_t collected = waitpid(gpu->process, &end_status, WNOHANG | __WALL);
    if (collected != gpu->process)
        end_status = -1;
    gpu->alive = collected == 0;
    return gpu->alive;
}

bool umsim_gpu_alive(void)
{
    bool alive = umsim_devices > 0;
    for (unsigned device = 0; device < umsim_devices && alive; device++)
        alive = is_alive(&gpus[device]);
    if (!alive)
        let_process_end();
    return alive;
}

static bool is_lent;

bool umsim_gpu_lend_descriptor(void)
{
    if (!gpus[0].process || gpus[0].pidfd < 0 || host_process != getpid())
        return false;
    close(gpus[0].pidfd);
    gpus[0].pidfd = -1;
    is_lent = true;
    return true;
}

/* The process cannot be another one: its number is free only when this process has waited for it. */
void umsim_gpu_descriptor_back(void)
{
    if (is_lent && gpus[0].alive)
        gpus[0].pidfd = (int)syscall(SYS_pidfd_open, gpus[0].process, 0);
    is_lent = false;
}

const char *umsim_gpu_end(void)
{
    static char text[200];
    if (end_status < 0)
        return gpus[0].process ? "it was ended" : "its kernel could not be stopped, so it was ended";
    if (WIFSIGNALED(end_status) && WTERMSIG(end_status) == SIGKILL)
        snprintf(text, sizeof text, "it was killed (signal 9) %s", umsim_kills_since());
    else if (WIFSIGNALED(end_status))
        snprintf(text, sizeof text, "signal %d (%s) ended it", WTERMSIG(end_status),
                 strsignal(WTERMSIG(end_status)));
    else
        snprintf(text, sizeof text, "it ended by itself with status %d, which is a mistake of the simulator",
                 WEXITSTATUS(end_status));
    return text;
}

pid_t umsim_gpu_process_id(unsigned device)
{
    return gpus[device].process;
}

uint64_t umsim_gpu_processor_ns(void)
{
    uint64_t ns = 0;
    for (unsigned device = 0; device < umsim_devices; device++) {
        clockid_t clock;
        struct timespec used;
        if (gpus[device].process <= 0 || clock_getcpuclockid(gpus[device].process, &clock) ||
            umsim_real_clock_gettime(clock, &used))
            return umsim_real_ns();
        ns += (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
    }
    return ns;
}
