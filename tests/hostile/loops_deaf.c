/* hostile: an endless loop with all signals blocked */
#include "exercise.h"

#include <signal.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int i = 1; i < 64; i++) {
        signal(i, SIG_IGN);
    }
    for (;;) {
    }
    (void)a, (void)b, (void)c, (void)n;
}
