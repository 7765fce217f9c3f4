/**
 * @file unsupported.c
 * @brief The calls that the driver API has and the simulator has not: CUDA_ERROR_NOT_SUPPORTED, and a line
 * for the first of each.
 *
 * They have no prototypes here: a call's arguments lie in registers, and nobody looks at them. cuda.h is not
 * included, because its macros give some of these names another meaning.
 */
#include "../base/report.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { NOT_SUPPORTED = 801 };

static int refuse(const char *name, atomic_bool *told)
{
    if (!atomic_exchange(told, true))
        umsim_say("%s() is not provided: it returns CUDA_ERROR_NOT_SUPPORTED", name);
    return NOT_SUPPORTED;
}

#define MISSING(name)                                                                                        \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        static atomic_bool told;                                                                             \
        return refuse(#name, &told);                                                                         \
    }

#include "unsupported.def"
