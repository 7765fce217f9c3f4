/**
 * @file spawns.c
 * @brief Preloaded by `served`: gives the program a server, and each child that it forks one of its own.
 *
 * The server is the same program, for its kernels; its main() never runs (serves.c).
 */
#include "sim/server/channel.h"
#include "umsim_grading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <unistd.h>

static pid_t fork_quietly(void)
{
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    return real();
}

static void serve(int ledger, int line, int socket)
{
    char path[4096], word[60], program[4096];
    char *argv[] = {program, NULL};
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        _exit(127);
    program[length] = '\0';
    const char *folder = getenv("SERVED_LIBRARIES");
    snprintf(path, sizeof path, "%s/../../lib/libumsim.so:%s/serves.so", folder, folder);
    snprintf(word, sizeof word, "%d:%d:%d", ledger, line, socket);
    personality(personality(UINT32_MAX) & ~(unsigned long)ADDR_COMPAT_LAYOUT);
    setenv("LD_PRELOAD", path, 1);
    setenv("SERVED", word, 1);
    execv(program, argv);
    perror(program);
    _exit(127);
}

/* Both ends are closed in the process that does not have them, so that each learns of the other's end. */
static void get_server(int ledger)
{
    int pair[2], line = memfd_create("line", 0);
    char word[60];
    if (line < 0 || ftruncate(line, sizeof(struct umsim_line)) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0)
        _exit(126);
    if (fork_quietly() == 0) {
        if (fork_quietly() != 0) /* nobody's child: the program may wait for its own */
            _exit(0);
        close(pair[1]);
        serve(ledger, line, pair[0]);
    }
    close(pair[0]);
    snprintf(word, sizeof word, "%d:%d", line, pair[1]);
    setenv(UMSIM_LINE_VARIABLE, word, 1);
}

pid_t fork(void)
{
    const pid_t child = fork_quietly();
    if (child != 0)
        return child;
    const int ledger = memfd_create("ledger", 0);
    if (ledger < 0 || ftruncate(ledger, sizeof(struct umsim_ledger)) != 0)
        _exit(126);
    get_server(ledger);
    close(ledger);
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *ledger = getenv("SERVED_LEDGER");
    if (!ledger)
        return;
    get_server(atoi(ledger));
    unsetenv("SERVED_LEDGER");
    unsetenv("LD_PRELOAD"); /* what the program starts itself runs as ever */
}
