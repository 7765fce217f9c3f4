/* hostile: alarms, timers, signals to itself */
#include "exercise.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    alarm(1);
    struct itimerval soon = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    for (int i = 1; i < 32; i++) {
        if (i != SIGKILL && i != SIGSTOP)
            signal(i, SIG_IGN);
        raise(i == SIGKILL ? SIGTERM : i);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
