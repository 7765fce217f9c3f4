/**
 * @file rebind.h
 * @brief Has programs that opened the library by dlopen() call its wrappers, too.
 *
 * A program that is linked with the library finds its read() before the C library's. Python does not: it was
 * bound to the C library before this library came. So the addresses by which the program and its libraries
 * call the functions of call_table.h are replaced, in the tables that the loader has filled (GOT). The C
 * library, the loader and this library keep theirs.
 *
 * A program that is linked with the library is left as it is.
 */
#ifndef UMSIM_REBIND_H
#define UMSIM_REBIND_H

/** Finds the C library's own functions behind all wrappers: in the GPU process it would be too late. */
void umsim_libc_find_all(void);

/** Looks at what has been loaded since the last time. */
void umsim_rebind(void);

/** Likewise, if something may have been loaded; nearly free if not. */
void umsim_rebind_later_ones(void);

#endif
