/**
 * @file python_place.h
 * @brief Which line of a Python program the calling thread is at.
 *
 * A call of CUDA's that comes from Python returns to a package's machine code, whose line says nothing to the
 * program's author. So in a Python process the place of a call is the innermost line of the program's own:
 * of a file that is neither an installed package's nor the standard library's (umpython says where those are:
 * UMLAB_PYTHON_LIBRARIES). A place is told by an address,
 * as all others are (source_line.h): of a text that is kept for good.
 *
 * Python is asked by its public functions, of the interpreter that is in the process.
 */
#ifndef UMSIM_PYTHON_PLACE_H
#define UMSIM_PYTHON_PLACE_H

/**
 * The place of the calling thread. Takes the interpreter's lock if this thread has released it, so do not
 * call it while holding a lock that another thread may want while it has that one.
 * @return NULL: no interpreter is in the process, or this thread runs no Python
 */
const void *umsim_python_place(void);

/** "article.py:12", if `place` is such a place; else NULL. */
const char *umsim_python_place_text(const void *place);

#endif
