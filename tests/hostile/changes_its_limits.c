/* hostile: wants more, and another root */
#include "exercise.h"

#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_DATA, &all) == 0 || setrlimit(RLIMIT_CPU, &all) == 0 || setuid(0) == 0 ||
        chroot("/") == 0 || unshare(CLONE_NEWUSER) == 0 || mount("none", "/tmp", "tmpfs", 0, NULL) == 0 ||
        prctl(PR_SET_PDEATHSIG, 0) == 0)
        puts("HARM: was allowed");
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
