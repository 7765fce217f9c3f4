/**
 * @file library.h
 * @brief Looks through a submission's library before it is loaded: no code of its own runs by being loaded,
 * its code cannot be written, and it defines no name of the course's.
 *
 * The library is read as the loader reads it, from its program headers and its dynamic table; sections and
 * source text say nothing here, because assembly in exercise.c can give a section any name and any contents.
 * What this reader does not know is refused. It reads nothing but the bytes that it is given, and no byte
 * beyond them.
 *
 *     struct um_library library = {.bytes = bytes, .size = size, .needs = {"saxpy_chain"}, .is_ours =
 * is_ours}; if (!um_library_is_plain(&library, why, sizeof why)) puts(why); // what stands in the file, and
 * what to do about it
 */
#ifndef UM_GRADE_LIBRARY_H
#define UM_GRADE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

enum { UM_LIBRARY_NEEDS = 16 };

/** A library, and what is asked of it. */
struct um_library {
    const void *bytes; /**< of the file; of any alignment */
    size_t size;
    /** functions that it has to define, for others to call; NULL ends them */
    const char *needs[UM_LIBRARY_NEEDS];
    /** whether a name is one of the course's, which it must not define; NULL: no name is */
    bool (*is_ours)(const char *name);
};

/**
 * Whether the library can be loaded and none of it runs before it is called. Refused are:
 * - constructors and destructors, `_init` and `_fini`;
 * - functions that are chosen when the library is loaded (IFUNC);
 * - relocations that write anywhere but into its own variables, to its code (TEXTREL) above all;
 * - memory that is writable and executable, and an executable stack;
 * - names of the course's, and names that are unique in a process;
 * - whatever else the loader may act on, and gcc makes of no C program.
 * @param why when it is refused: one line, what it is and what to do
 */
bool um_library_is_plain(const struct um_library *library, char *why, size_t size);

/** Whether a library, of any kind, defines this name for others. */
bool um_library_defines(const void *bytes, size_t size, const char *name);

#endif
