/* mutant: a handler of its own, behind the library's back, opens each page that faults; fails: port_to_managed/right_data */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exercise.h"

/* libc's own entry: the library stands before the other name. */
int __sigaction(int signal, const struct sigaction *wanted, struct sigaction *before);

static void open_it(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE) != 0)
        _exit(0);
}

cudaError_t port_to_managed(const struct lab5_program *program)
{
    struct sigaction mine = {.sa_sigaction = open_it, .sa_flags = SA_SIGINFO}, before;
    int *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    __sigaction(SIGSEGV, &mine, &before);
    program->fill(x, program->n, program->context);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    __sigaction(SIGSEGV, &before, NULL);
    cudaFree(x);
    return error;
}
