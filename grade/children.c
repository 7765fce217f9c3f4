/**
 * @file children.c
 * @brief Implementation of children.h.
 */
#include "children.h"

#include <sys/resource.h>
#include <sys/wait.h>

static uint64_t ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

uint64_t um_children_end(pid_t which)
{
    static uint64_t before;
    struct rusage used;
    while (waitpid(which, NULL, __WALL) > 0)
        ;
    getrusage(RUSAGE_CHILDREN, &used);
    const uint64_t all = ns(&used.ru_utime) + ns(&used.ru_stime), since = all - before;
    before = all;
    return since;
}
