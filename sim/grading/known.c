/**
 * @file known.c
 * @brief Implementation of known.h: a table of the program's kernels.
 *
 * The table is in the library's own data. The GPU process inherits a copy, which no other process can write.
 */
#include "known.h"

#include <stddef.h>

enum { KERNELS_MAX = 1024 };
static struct umsim_kernel known[KERNELS_MAX];
static const struct umsim_kernel *records[KERNELS_MAX];
static size_t known_count;

void umsim_grading_know(const struct umsim_kernel *kernel)
{
    if (known_count == KERNELS_MAX)
        return;
    records[known_count] = kernel;
    known[known_count++] = *kernel;
}

bool umsim_grading_knows(const struct umsim_kernel *kernel)
{
    for (size_t i = 0; i < known_count; i++)
        if (records[i] == kernel)
            return true;
    return false;
}

const struct umsim_kernel *umsim_grading_kernel(const struct umsim_kernel *named)
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i].blocks == named->blocks && known[i].thread == named->thread)
            return &known[i];
    return NULL;
}
