/**
 * @file bind.h
 * @brief Calls of a module's functions that are in another one, with which it was linked.
 *
 * umcc compiles such a call as one of a function that some library will have. The loader would look for it in
 * the whole program, where a module's functions are not, so that two modules may have functions of the same
 * name. So the function is made one of the caller's own before the caller is opened: in its copy's table of
 * symbols it gets its address, and no other name is looked at.
 */
#ifndef UMSIM_DRIVER_BIND_H
#define UMSIM_DRIVER_BIND_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a module's copy has a function of that name for others. */
bool umsim_bind_has(int file, const char *name);

/**
 * Asks for each function that a module's copy calls and lacks, and writes into the copy where it is.
 * @param find its address; NULL: nobody knows it, or not yet
 */
void umsim_bind(int file, void *(*find)(void *data, const char *name), void *data);

/**
 * Asks for each function and variable that a module's copy names, and that none of the libraries has with
 * which umcc linked it, until one is not known. (Of what a library has, the linker noted which kind it is.)
 * @param is_known whether another module has it
 * @param[out] name that one, cut off where there is no room
 * @return whether there is one
 */
bool umsim_bind_lacks(int file, bool (*is_known)(void *data, const char *name), void *data, char *name,
                      size_t bytes);

#endif
