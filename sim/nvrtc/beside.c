/**
 * @file beside.c
 * @brief Implementation of beside.h.
 */
#define _GNU_SOURCE
#include "beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

bool umsim_beside(void *own, const char *name, char path[PATH_MAX])
{
    static const char *const ways[] = {".", "..", "../..", "../../.."};
    char real[PATH_MAX];
    Dl_info info;
    if (!dladdr(own, &info) || !realpath(info.dli_fname, real))
        return false;
    *strrchr(real, '/') = '\0';
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (snprintf(path, PATH_MAX, "%s/%s/%s", real, ways[i], name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

char **umsim_compilers_environment(void)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            copy[kept++] = environ[i];
    if (copy)
        copy[kept] = NULL;
    return copy;
}
