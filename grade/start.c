/**
 * @file start.c
 * @brief What a submission's library begins with, in place of the compiler's own start files.
 *
 * Those bring code that runs when the library is loaded, whatever exercise.c holds. Without them, such code
 * can only be the submission's, and library.c refuses it. atexit() needs this one name of theirs.
 */
extern void *const __dso_handle __attribute__((visibility("hidden")));
void *const __dso_handle = (void *)&__dso_handle;
