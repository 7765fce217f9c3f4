/**
 * @file process.c
 * @brief Implementation of process.h: forks the GPU process, prepares its memory and starts its threads.
 */
#include "process.h"
#include "../base/addresses.h"
#include "../base/futex.h"
#include "../base/shortage.h"
#include "../check/check.h"
#include "block_swap.h"
#include "../space/heap.h"
#include "../base/machine.h"
#include "nested.h"
#include "../devlib/print.h"
#include "../devlib/texture.h"
#include "../queue/queue.h"
#include "../space/fork.h"
#include "../space/seal_host_memory.h"
#include "worker.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"
#include "../base/mode.h"
#include "../fault/gpu_fault.h"
#include "../base/report.h"
#include "../space/arena.h"
#include "../space/managed.h"
#include "../space/protection.h"
#include "../space/registered_table.h"
#include "../uvm/uvm.h"
#include "../base/processes.h"
#include "../space/views.h"
#include "../worker/launches.h"
#include "../base/layout.h"
#include "../base/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/** With what the GPU process ends when it cannot start. */
enum { NO_THREAD = 71, NO_MEMORY = 72 };

/** How long a GPU process may take to start before it is ended and another one is tried. The limit doubles
 * with each try. */
#define START_LIMIT_NS UINT64_C(250000000)
#define START_TRIES 7

/** The least space for swapped blocks, under a limit on addresses. */
#define SWAP_LEAST ((size_t)16 << 20)

/* The memory for the workers: one mapping, which the sealing leaves as it is. In the host it stays closed: if
 * memory that the host maps later were at these addresses, a kernel that follows a pointer to it would find
 * the workers' memory instead. */
static char *workers_memory;
/* Closed until a cooperative launch opens it, because writable memory counts for RLIMIT_DATA. */
static char *swap_memory;
static size_t workers_bytes, bytes_a_worker;

static size_t swap_bytes(void)
{
    const size_t all = umsim_addresses_share(UMSIM_SWAP_BYTES, SWAP_LEAST);
    return umsim_round_down(all / umsim_workers, UMSIM_PAGE);
}

static struct umsim_worker *worker_make(unsigned index)
{
    struct umsim_worker *worker = umsim_worker_memory_open(workers_memory + index * bytes_a_worker, index);
    if (!worker)
        _exit(NO_MEMORY);
    worker->swap_area = swap_memory + index * swap_bytes();
    worker->swap_bytes = swap_bytes();
    worker->swap_open = 0;
    return worker;
}

/* Closes the descriptors that the child inherited, except one: they would keep the host's pipes and sockets
 * open. */
static void close_inherited(int kept)
{
#ifdef SYS_close_range
    if ((kept == 0 || syscall(SYS_close_range, 0, kept - 1, 0) == 0) &&
        syscall(SYS_close_range, kept + 1, ~0U, 0) == 0)
        return;
#endif
    for (int fd = 0; fd < 1024; fd++)
        if (fd != kept)
            close(fd);
}

static const char *wait_for_life(void)
{
    atomic_uint *holder = &umsim_processes->host.holder;
    static char text[400];
    const int error = umsim_service_start();
    if (error) {
        snprintf(text, sizeof text, "no thread can be started: %s", umsim_why_no_thread(error));
        return text;
    }
    while (atomic_load(holder) == 0)
        umsim_futex_wait(holder, 0, 0);
    return atomic_load(holder) & FUTEX_OWNER_DIED
               ? "the system has no robust futexes (set_robust_list), by which the GPU process learns that "
                 "the "
                 "program has ended. QEMU's user emulation (qemu-user, and Docker for another processor) is "
                 "such a "
                 "system: run it on the processor that it was built for, or in a virtual machine"
               : NULL;
}

static void block_signals(void)
{
    sigset_t blocked;
    sigfillset(&blocked);
    const int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, UMSIM_SIGNAL_INTERRUPT};
    for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
        sigdelset(&blocked, handled[i]);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, 8);
}

static void start_thread(void *(*run)(void *), void *argument, void *stack, size_t bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, bytes);
    if (pthread_create(&thread, &attributes, run, argument) != 0)
        _exit(NO_THREAD);
}

/* A core file of this process would hold the host's memory a second time, as the fork copied it. */
static void leave_no_core(void)
{
    const int file = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (umsim_real_write(file, "0", 1) < 0) {
        /* it is only large then */
    }
    close(file);
}

/* The GPU process, from its first instruction. Never returns. */
__attribute__((noreturn)) static void gpu_main(unsigned device)
{
    umsim_in_gpu = true;
    atomic_store(&umsim_managed_watch, false); /* calls here are the simulator's own */
    if (umsim_is_grading())
        prctl(PR_SET_DUMPABLE, 0); /* the host's user must not look into it */
    block_signals();
    leave_no_core();
    umsim_gpu_handlers_install();
    umsim_gpu_close_everything(device);
    if (!umsim_gpu_become(device))
        _exit(NO_MEMORY);
    for (unsigned i = 0; i < umsim_workers; i++) {
        struct umsim_worker *worker = worker_make(i);
        start_thread(umsim_worker_main, worker, worker->stack, UMSIM_WORKER_STACK);
    }
    close_inherited(umsim_registered_file());
    umsim_seal_plan(workers_memory, workers_bytes);
    for (unsigned seen; (seen = atomic_load(&umsim_processes->checked_in)) < umsim_workers;)
        umsim_futex_wait(&umsim_processes->checked_in, seen, 0);
    umsim_sleep_main_thread();
}

enum outcome { CAME_UP, DIED, HANGS };

static enum outcome wait_until_ready(unsigned device, pid_t child, uint64_t limit_ns, int *status)
{
    uint64_t limit = umsim_real_ns() + limit_ns;
    while (!atomic_load(&umsim_processes->ready)) {
        if (!umsim_spin(&umsim_processes->ready, 0, 1000))
            umsim_futex_wait(&umsim_processes->ready, 0, 2000000);
        if (waitpid(child, status, WNOHANG | __WALL) == child) {
            umsim_gpu_died(device);
            return DIED;
        }
        if (umsim_real_ns() > limit)
            return HANGS;
    }
    return CAME_UP;
}

static char *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void prepare_launches(void)
{
    atomic_store(&umsim_processes->completed, atomic_load(&umsim_processes->submitted));
    memset(umsim_launches->team, 0, sizeof umsim_launches->team);
    atomic_store(&umsim_processes->gpu_sleeps, 0);
    atomic_store(&umsim_processes->leads_sleep, 0);
    atomic_store(&umsim_launches->in_flight, false);
    atomic_store(&umsim_views->touched, 0);
    atomic_store(&umsim_launches->printed, 0);
    umsim_launches->nested_name[0] = 0;
    umsim_print_start();
    umsim_heap_start();
    umsim_textures_start();
    umsim_nested_start();
    umsim_launches->clock_khz = (uint64_t)umsim_machine.attributes.clock_rate_khz;
    if (!umsim_launches->clock_khz)
        umsim_launches->clock_khz = 1000000; /* the default, if the profile has none */
    atomic_store(&umsim_launches->fault.set, false);
    umsim_processes->sealed = umsim_processes->maps = 0;
    for (unsigned device = 0; device < umsim_devices; device++)
        umsim_protection_start(&umsim_views->gpu_opened[device], uvm_gpu(device));
    if (umsim_devices > 1)
        umsim_registered_free_ended();
    umsim_registered_tell_anew();
    atomic_flag_clear(&umsim_views->gpu_opened_lock);
}

static const char *prepare_memory(void)
{
    static char text[500];
    if (workers_memory)
        munmap(workers_memory, workers_bytes);
    bytes_a_worker = umsim_worker_memory_bytes(umsim_addresses_short());
    workers_bytes = umsim_workers * bytes_a_worker;
    workers_memory = reserve(workers_bytes);
    if (!swap_memory)
        swap_memory = reserve(umsim_workers * swap_bytes());
    if (workers_memory && swap_memory)
        return NULL;
    snprintf(text, sizeof text, "no addresses for the GPU process's threads: %s",
             umsim_why_refused(errno, workers_bytes, UMSIM_ASKED_ADDRESSES));
    return text;
}

/* What the processes share is prepared before the first of them. */
static const char *prepare(unsigned device)
{
    atomic_store(&umsim_processes->checked_in, 0);
    atomic_store(&umsim_processes->ready, 0);
    atomic_store(&umsim_processes->main_sleeps, 0);
    if (device > 0)
        return NULL;
    prepare_launches();
    const char *why = prepare_memory();
    return why ? why : wait_for_life();
}

/* A fork that no other library or handler notices. fork() would run the handlers of other libraries:
 * OpenBLAS's handler waits for its threads, and never returns while they multiply. And fork()'s child would
 * answer to the program's wait(NULL) and raise SIGCHLD; a child that is made without a termination signal
 * does neither. The price: a thread of the host may hold malloc's lock at this moment, and the child then
 * hangs when it starts its threads. Such a child is ended and another one is made. */
static pid_t quiet_fork(void)
{
    return (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
}

/* A fork takes as much private memory again as the program has. */
static const char *why_no_fork(int error)
{
    if (error == EPERM || error == EINVAL || error == ENOSYS)
        return "clone() is refused, by a sandbox (seccomp) or an emulator (QEMU's user emulation allows no "
               "clone() "
               "without a signal)";
    if (error == EAGAIN)
        return umsim_why_no_thread(error);
    return umsim_why_refused(error, umsim_private_bytes(), UMSIM_ASKED_PRIVATE);
}

static void say_how_it_ended(char *text, size_t size, int status)
{
    const int with = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    const char *why = WIFSIGNALED(status) || (with != NO_THREAD && with != NO_MEMORY) ? NULL
                      : with == NO_THREAD ? umsim_why_no_thread(EAGAIN)
                                          : umsim_why_refused(ENOMEM, workers_bytes, UMSIM_ASKED_PRIVATE);
    if (why)
        snprintf(text, size, "the GPU process got %s: %s", with == NO_THREAD ? "no thread" : "no memory",
                 why);
    else
        snprintf(text, size, "the GPU process ended while it started (%s %d)",
                 WIFSIGNALED(status) ? "signal" : "status", with);
}

static const char *try_to_start(unsigned device, uint64_t limit_ns, enum outcome *outcome)
{
    static char text[500];
    const char *why = prepare(device);
    if (why)
        return why;
    const umsim_signals before = umsim_fork_begin();
    pid_t child = quiet_fork();
    if (child == 0)
        gpu_main(device);
    int error = errno, status = 0;
    umsim_fork_end(before);
    if (child < 0) {
        snprintf(text, sizeof text, "cannot fork the GPU process: %s", why_no_fork(error));
        return text;
    }
    umsim_gpu_born(device, child);
    *outcome = wait_until_ready(device, child, limit_ns, &status);
    if (*outcome == CAME_UP)
        return NULL;
    umsim_gpu_give_up(device);
    if (*outcome == DIED)
        say_how_it_ended(text, sizeof text, status);
    return *outcome == DIED ? text : "the GPU process did not come up";
}

static const char *start(unsigned device)
{
    enum outcome outcome = HANGS;
    const char *why = NULL;
    for (int attempt = 0; attempt < START_TRIES && outcome == HANGS; attempt++) {
        outcome = DIED;
        why = try_to_start(device, START_LIMIT_NS << attempt, &outcome);
        if (!why)
            return NULL;
    }
    return why;
}

const char *umsim_gpu_start(void)
{
    const char *why = NULL;
    umsim_check_gpu_starts();
    for (unsigned device = 0; device < umsim_devices && !why; device++)
        why = start(device);
    if (why)
        umsim_gpu_stop();
    return why;
}
