/**
 * @file memory.c
 * @brief The simulator's memory as a client has it (channel.h): closed, and opened at a touch when the server
 * says so; registered memory, whose pages become the server's file.
 */
#include "client.h"
#include "../base/access.h"
#include "../base/layout.h"
#include "umsim_grading.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

enum { DEVICE, PINNED, MANAGED, ARENAS };
static struct arena {
    char *base;
    size_t bytes;
    uintptr_t opened_from, opened_to; /* what may be open of it */
} arenas[ARENAS] = {{(char *)UMSIM_DEVICE_BASE, 0, 0, 0},
                    {(char *)UMSIM_PINNED_BASE, 0, 0, 0},
                    {(char *)UMSIM_MANAGED_BASE, 0, 0, 0}};
static int registered_file;
static struct sigaction programs; /* what the program wants done with a SIGSEGV that is no business of ours */

static struct arena *arena_of(const void *p)
{
    for (int i = 0; i < ARENAS; i++)
        if ((uintptr_t)p - (uintptr_t)arenas[i].base < arenas[i].bytes)
            return &arenas[i];
    return NULL;
}

void umsim_client_close(unsigned which)
{
    for (int i = PINNED; i < ARENAS; i++) {
        struct arena *it = &arenas[i];
        if (!(which & (i == PINNED ? UMSIM_CLOSES_PINNED : UMSIM_CLOSES_MANAGED)))
            continue;
        if (it->opened_from < it->opened_to)
            mprotect((void *)it->opened_from, it->opened_to - it->opened_from, PROT_NONE);
        it->opened_from = it->opened_to = 0;
    }
}

static void open_pages(struct arena *arena, uintptr_t from, uintptr_t to, int protection)
{
    if (mprotect((void *)from, to - from, protection) != 0)
        umsim_client_die("cannot open %zu bytes: %s", (size_t)(to - from), strerror(errno));
    if (arena->opened_from == arena->opened_to || from < arena->opened_from)
        arena->opened_from = from;
    if (to > arena->opened_to)
        arena->opened_to = to;
}

/* ---- faults ---- */

static int (*system_sigaction)(int, const struct sigaction *, struct sigaction *);

/* The access is repeated. */
static void end_by(int number)
{
    system_sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

/* The access is repeated, and ends the program, or its handler is called. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    if (programs.sa_flags & SA_SIGINFO)
        programs.sa_sigaction(number, info, context);
    else if (programs.sa_handler != SIG_DFL && programs.sa_handler != SIG_IGN)
        programs.sa_handler(number);
    else
        end_by(number);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    struct arena *arena = info->si_code > 0 ? arena_of(info->si_addr) : NULL;
    struct umsim_message touch = {.kind = UMSIM_CLIENT_TOUCH}, answer = {.kind = UMSIM_SERVER_REFUSED};
    touch.word[0] = (uintptr_t)info->si_addr;
    touch.word[1] = umsim_access_of(context).is_write;
    if (arena)
        umsim_client_say(&touch, NULL, &answer);
    if (answer.kind == UMSIM_SERVER_OPENED)
        open_pages(arena, answer.word[0], answer.word[1], (int)answer.word[2]);
    else
        pass_on(number, info, context);
    errno = error;
}

/* ---- the start ---- */

static void map(struct arena *arena, size_t bytes, int fd)
{
    const int flags =
        MAP_NORESERVE | MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    if (mmap(arena->base, bytes, PROT_NONE, flags, fd, 0) != arena->base)
        umsim_client_die("%zu bytes of addresses at %p are not free: %s", bytes, (void *)arena->base,
                         strerror(errno));
    arena->bytes = bytes;
    if (fd >= 0)
        close(fd);
}

void umsim_client_memory_begin(const struct umsim_welcome *welcome, const int fd[UMSIM_CLIENT_FDS])
{
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER, .sa_sigaction = on_fault};
    sigaction(SIGSEGV, &handler, &programs); /* the system's: there are no arenas yet */
    map(&arenas[DEVICE], welcome->device_bytes, -1);
    map(&arenas[PINNED], welcome->pinned_bytes, fd[UMSIM_FD_PINNED]);
    map(&arenas[MANAGED], welcome->managed_bytes, fd[UMSIM_FD_MANAGED]);
    registered_file = fd[UMSIM_FD_REGISTERED];
}

int umsim_grading_file(void)
{
    return registered_file;
}

/* ---- a program's own wishes for SIGSEGV, as other programs have them (fault/signals.h) ---- */

int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (!system_sigaction)
        system_sigaction = (__typeof__(system_sigaction))dlsym(RTLD_NEXT, "sigaction");
    if (number != SIGSEGV || !arenas[DEVICE].bytes)
        return system_sigaction(number, new, old);
    const struct sigaction before = programs;
    if (new)
        programs = *new;
    if (old)
        *old = before;
    return 0;
}

__sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* ---- pinned memory: open from the start, so that system calls can be given it ---- */

cudaError_t umsim_client_cudaMallocHost(void **ptr, size_t size);
cudaError_t umsim_client_cudaHostAlloc(void **pHost, size_t size, unsigned flags);

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    const cudaError_t error = umsim_client_cudaMallocHost(ptr, size);
    if (!error && size)
        (void)*(volatile char *)*ptr;
    return error;
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned flags)
{
    const cudaError_t error = umsim_client_cudaHostAlloc(pHost, size, flags);
    if (!error && size)
        (void)*(volatile char *)*pHost;
    return error;
}

/* ---- registered memory ---- */

cudaError_t umsim_client_cudaHostRegister(void *ptr, size_t size, unsigned flags);
cudaError_t umsim_client_cudaHostUnregister(void *ptr);

/* The server has taken the pages' bytes into its file, at the offsets of their addresses. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned flags)
{
    const uintptr_t from = umsim_round_down((uintptr_t)ptr, UMSIM_HOST_PAGE);
    const size_t bytes = umsim_round_up((uintptr_t)ptr + size, UMSIM_HOST_PAGE) - from;
    const cudaError_t error = umsim_client_cudaHostRegister(ptr, size, flags);
    const int protection = flags & cudaHostRegisterReadOnly ? PROT_READ : PROT_READ | PROT_WRITE;
    if (!error && mmap((void *)from, bytes, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                       registered_file, (off_t)from) == MAP_FAILED)
        umsim_client_die("registered memory cannot be mapped: %s", strerror(errno));
    return error;
}

/* The pages become private ones again, with the bytes that the server has of them. */
cudaError_t cudaHostUnregister(void *ptr)
{
    struct umsim_message ask = {.kind = UMSIM_CLIENT_REGISTERED}, pages;
    const cudaError_t error = umsim_client_cudaHostUnregister(ptr);
    if (error)
        return error;
    umsim_client_say(&ask, NULL, &pages);
    const size_t bytes = pages.word[1];
    if (bytes && mmap((void *)pages.word[0], bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        umsim_client_die("no memory for what was registered: %s", strerror(errno));
    ask.word[0] = 1;
    umsim_client_say(&ask, NULL, &pages);
    return cudaSuccess;
}
