/**
 * @file declares.c
 * @brief Loaded into a program (LD_PRELOAD), it declares something of each launch: so nothing is counted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "umsim.h"

struct umsim_kernel;
void umsim_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes);

static void (*launch)(const struct umsim_kernel *kernel, const void *closure, size_t bytes);
static void (*declare)(const void *p, size_t bytes);

/* Before main(), because the simulated GPU can bind no symbol later. */
__attribute__((constructor)) static void bind(void)
{
    *(void **)&launch = dlsym(RTLD_NEXT, "umsim_launch");
    *(void **)&declare = dlsym(RTLD_NEXT, "umsim_kernel_reads");
}

void umsim_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    declare(NULL, 0);
    launch(kernel, closure, bytes);
}
