/**
 * @file steps.h
 * @brief The state of one run of umcc, which driver.c (the steps), compile.c (the steps of a .cu file),
 * results.c (names and files of results) and commands.c (g++'s command line) share.
 */
#ifndef UMCC_STEPS_H
#define UMCC_STEPS_H

#include "driver.h"
#include "umcc.h"

/** Everything that one run of umcc needs. */
struct umcc_drive {
    struct umcc_options *o;
    const struct umcc_places *places;
    int serial;
    bool for_device; /* the source is now preprocessed as device code (arch.c) */
    enum umcc_form {
        UMCC_ONE_FORM,
        UMCC_COUNTABLE,
        UMCC_COUNTING
    } form;          /* what is now compiled (counted.h) */
    bool casts;      /* the source needs umcc's casts (compile.c) */
    bool as_written; /* how the form before this one was compiled at last */
};

/** A result in progress: `temporary` becomes `path`. */
struct umcc_result {
    const char *path, *temporary;
};

/** @name driver.c
 * @{ */
/** Runs a command and frees it. What it says goes to the file `messages`, or to stderr if that is NULL.
 * @return UMCC_OK or UMCC_FAILED */
int umcc_execute(struct umcc_drive *d, struct umcc_list *command, const char *messages);
/** Preprocesses a source. @return the exit status. */
int umcc_preprocess(struct umcc_drive *d, const struct umcc_input *input, const char *output,
                    const char *dependencies, const char *target);
/** @} */

/** @name compile.c
 * @{ */
/** Compiles a .cu file to `object`. @return the exit status. */
int umcc_compile_cuda(struct umcc_drive *d, const struct umcc_input *input, const char *object,
                      const char *dependencies, const char *target);
/** Writes what umcc makes of the preprocessed source `from` to `to`. @return the exit status. */
int umcc_rewrite_only(struct umcc_drive *d, const struct umcc_input *input, const char *from, const char *to);
/** Compiles CUDA's headers beforehand, in each form that programs with these options have (precompiled.h).
 * @return the exit status. */
int umcc_precompile(struct umcc_drive *d);
/** @} */

/** @name module.c
 * @{ */
/** What is to be preprocessed for a module of `source`: this, or a copy with the lines of the text that a
 * package was handed. May add options to the command. */
const char *umcc_module_text(struct umcc_drive *d, struct umcc_list *c, const char *source);
/** Makes a module of an object file. @return the exit status. */
int umcc_link_module(struct umcc_drive *d, const char *object, const char *output);
/** @} */

/** @name results.c
 * @{ */
/** @return the path without its folders. */
const char *umcc_base_name(const char *path);
/** @return the name of a source's result: `dir/x.cu` and ".o" give `x.o`, in -odir's folder if one was named.
 */
const char *umcc_default_name(const struct umcc_drive *d, const char *source, const char *extension);
/** @return the name of a file that is removed at the end; NULL, with a message, if there is no folder for it.
 */
const char *umcc_temporary_name(struct umcc_drive *d, const char *source, const char *extension);
/** @return the name of an intermediate file: kept under --keep, otherwise temporary; NULL as above. */
const char *umcc_intermediate_name(struct umcc_drive *d, const char *source, const char *extension);
/**
 * Begins a result at `path`. Devices such as /dev/null cannot be replaced by renaming: they are written
 * directly.
 * @return false, with a message, if it cannot be written
 */
bool umcc_start_result(struct umcc_drive *d, const char *path, struct umcc_result *result);
/** Gives a result its name. @return the exit status. */
int umcc_finish_result(struct umcc_drive *d, const struct umcc_result *result);
/** Adds a file to `text`. @return the exit status, with a message when it is no success. */
int umcc_read_file(const char *path, struct umcc_text *text);
/** Writes a file. @return the exit status, with a message when it is no success. */
int umcc_write_file(const char *path, const struct umcc_text *text);
/** @} */

/** @name commands.c
 * @{ */
/** Begins a call of g++. `form` is g++'s word for the language of the input. */
void umcc_start_command(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language,
                        const char *form);
/** @return whether the program is one for NVRTC, which is code for the device only: __CUDA_ARCH__ is defined
 * from beginning to end. */
bool umcc_is_device_only(const struct umcc_options *o);
/** Adds macros and header folders: those of the command line, and those that CUDA is compiled with. */
void umcc_add_preprocessing(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language);
/**
 * @return the -O option for a language. nvcc's -O applies to host code: kernels are optimized fully unless -G
 * is given. g++ compiles both at once, so -O1 and -O2 become -O3, which gcc needs to vectorise; -O0 stays,
 * for those who want to inspect the program.
 */
const char *umcc_optimization(const struct umcc_drive *d, enum umcc_language language);
/** @return whether kernels' loops and barriers are left as they are written: --plain, -O0, -G. */
bool umcc_is_plain(const struct umcc_drive *d);
/** @return whether kernels get a form that counts their accesses: where g++ can compile it. */
bool umcc_counts(const struct umcc_drive *d);
/** Adds the options for code generation: optimization, debugging, checks, and the command line's own words.
 */
void umcc_add_compiling(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language);
/** Adds the options by which g++ writes dependencies for make to `file`, with `target` as the target. */
void umcc_add_dependencies(struct umcc_drive *d, struct umcc_list *c, const char *file, const char *target);
/** To a command that links: sections that begin with a page larger than the linker's own would leave holes
 * between segments (umsim/page.h). arm64's linker takes 64 KiB. */
void umcc_add_page_size(struct umcc_list *c);
/** @} */

#endif
