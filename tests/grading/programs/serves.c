/**
 * @file serves.c
 * @brief Preloaded by `served`: has a program serve in place of its main().
 */
#include "umsim_grading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int (*main_fn)(int, char **, char **);

static int serve(int argc, char **argv, char **environment)
{
    const char *told = getenv("SERVED"), *why = "SERVED is not set";
    int ledger, line, socket;
    (void)argc, (void)argv, (void)environment;
    unsetenv("LD_PRELOAD");
    if (told && sscanf(told, "%d:%d:%d", &ledger, &line, &socket) == 3) {
        why = umsim_server_start(ledger, NULL);
        if (!why)
            why = umsim_serve_clients(line, socket);
    }
    fprintf(stderr, "serves: %s\n", why);
    _exit(125);
}

int __libc_start_main(main_fn main, int argc, char **argv, main_fn init, void (*fini)(void),
                      void (*rtld)(void), void *stack);
int __libc_start_main(main_fn main, int argc, char **argv, main_fn init, void (*fini)(void),
                      void (*rtld)(void), void *stack)
{
    __typeof__(__libc_start_main) *real =
        (__typeof__(__libc_start_main) *)dlsym(RTLD_NEXT, "__libc_start_main");
    (void)main;
    return real(serve, argc, argv, init, fini, rtld, stack);
}
