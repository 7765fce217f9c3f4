/**
 * @file beside.h
 * @brief What libraries that call compilers need: where those are, and in which environment they run.
 */
#ifndef UMSIM_NVRTC_BESIDE_H
#define UMSIM_NVRTC_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/**
 * Finds a file that is installed with the library: as installed and as built they lie below one folder,
 * PREFIX/NAME and PREFIX/driver/LIBRARY or PREFIX/lib/umlab/driver/LIBRARY.
 * @param own a function of the library's
 * @param name below the prefix
 */
bool umsim_beside(void *own, const char *name, char path[PATH_MAX]);

/** The environment without LD_PRELOAD: compilers need no simulated GPU. @return to be freed; NULL: no memory
 */
char **umsim_compilers_environment(void);

#endif
