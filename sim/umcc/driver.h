/**
 * @file driver.h
 * @brief umcc's command line, child processes and temporary files.
 */
#ifndef UMCC_DRIVER_H
#define UMCC_DRIVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

/** Exit statuses of umcc. */
enum { UMCC_OK = 0, UMCC_FAILED = 1, UMCC_USAGE = 2 };

/** A growing list of strings that it does not own. `items[count]` is NULL, as exec() requires. */
struct umcc_list {
    char **items;
    int count, capacity;
};

/** Adds one text (not copied). */
void umcc_list_add(struct umcc_list *list, const char *text);
/** Adds all of another list. */
void umcc_list_add_all(struct umcc_list *list, const struct umcc_list *more);
/** Adds a formatted string, which lives until the program ends. */
void umcc_list_printf(struct umcc_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** @return a formatted string that lives until the program ends. */
char *umcc_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The language that a source file is compiled as. */
enum umcc_language { UMCC_CUDA, UMCC_CXX, UMCC_C, UMCC_OBJECT };

/** One input, in command-line order: a file, or an argument for the linker alone such as -lm. */
struct umcc_input {
    const char *text;
    enum umcc_language language;
    const char *object; /**< the file that the linker gets, once this input is compiled */
};

/** The stage after which umcc stops. */
enum umcc_stage {
    UMCC_LINK,
    UMCC_COMPILE,
    UMCC_PREPROCESS,
    UMCC_REWRITE,
    UMCC_DEPENDENCIES,
    UMCC_LIBRARY,
    UMCC_DEVICE_LINK,
    UMCC_CUBIN,
    UMCC_FATBIN
};

/** __CUDA_ARCH__ if no -arch gives another: nvcc 13's value. */
#define UMCC_ARCH_DEFAULT 750

/** The parsed command line. */
struct umcc_options {
    enum umcc_stage stage;
    const char *output, *output_directory;
    struct umcc_input *inputs;
    int input_count, source_count;
    struct umcc_list preprocess; /**< -I, -D and the like */
    struct umcc_list compile;    /**< -g, -W and the like */
    struct umcc_list host;       /**< -Xcompiler: for every call of g++ */
    struct umcc_list link;       /**< -L, -Xlinker, -shared */
    const char *standard, *optimize;
    const char *check;      /**< --check: its list; NULL without it */
    const char *check_json; /**< --check-json: the file; NULL without it */
    const char *compiler, *archiver;
    const char *language; /**< -x: applies to the inputs that follow */
    bool debug, device_debug, shared, verbose, dry_run, keep, run, help, version, no_cuda_library;
    bool forward_unknown;
    bool plain;               /**< --plain: see umcc_is_plain() */
    bool keyed;               /**< --keyed, which runs kernels as written, too */
    const char *keyed_except; /**< --keyed-except: its list; NULL without it */
    bool no_count;            /**< --no-count: see umcc_counts() */
    bool precompile;  /**< --precompile: no source, but headers for those that come with these options */
    bool report;      /**< --report-transformations */
    bool relocatable; /**< -rdc=true, -dc */
    int arch;         /**< __CUDA_ARCH__ in device code */
    bool arch_named;  /**< ... by -arch or -gencode */
    const char *keep_directory;
    bool dependencies;        /**< -MD, -MMD: in addition to compiling */
    bool system_dependencies; /**< -MD, -M */
    bool phony_targets;
    const char *dependency_file, *dependency_target;
    struct umcc_list run_arguments;
    const char *error; /**< what is wrong with the command line; NULL if nothing */
};

/**
 * Copies the command line to `list`, with each --options-file replaced by the words of its files.
 * @return what is wrong, NULL if nothing
 */
const char *umcc_expand_options_files(struct umcc_list *list, int argc, char **argv);
/** Why there are no static programs. */
#define UMCC_NO_STATIC                                                                                       \
    "-static: the simulator is a shared library only, which has to be loaded before the C library's "        \
    "functions are "                                                                                         \
    "bound; leave it out (-static-libstdc++, -static-libgcc and -cudart static are accepted)"

/** Reads the command line. What is wrong is in `options->error`. */
void umcc_read_options(struct umcc_options *options, int argc, char **argv);
/** @return whether each source becomes a module: --cubin, --fatbin. */
static inline bool umcc_makes_module(const struct umcc_options *o)
{
    return o->stage == UMCC_CUBIN || o->stage == UMCC_FATBIN;
}

/** Prints the options. */
void umcc_print_help(void);

/** The folders that umcc needs, found relative to its own file. */
struct umcc_places {
    const char *prefix;  /**< the folder that has bin/ with umcc itself */
    const char *include; /**< folder with umsim/device.h */
    const char *library; /**< folder with libumsim.so */
};

/** A number that changes with umcc, its headers and its library: caches of what it has made depend on it. */
uint64_t umcc_build_id(const struct umcc_places *places);

/** Prints these folders on stderr, as nvcc -v does. */
void umcc_describe_places(const struct umcc_options *options, const struct umcc_places *places);

/** Runs the steps that the options ask for. @return the exit status. */
int umcc_drive(struct umcc_options *options, const struct umcc_places *places);

/**
 * Call it after `path` could not be preprocessed. Prints on stderr which of its headers belong to libraries
 * that the simulator does not have; `include` is the folder of the simulator's own headers.
 */
void umcc_hint_at_libraries(const struct umcc_options *options, const char *include, const char *path);

/**
 * @name Child processes, and files that must not be left behind
 * @{
 */
/** From this call on, Ctrl-C and the like end the child that is running, and umcc_run() and
 * umcc_interrupted() report it. */
void umcc_catch_signals(void);
/** @return whether a signal asked umcc to stop. */
bool umcc_interrupted(void);
/** Runs a program found on PATH. @return its exit status; 1, with a message, when it died or could not be
 * started. */
int umcc_run(const struct umcc_list *command);
/** The same; what the program writes on stderr goes to the file `messages`, if that is not NULL. */
int umcc_run_quietly(const struct umcc_list *command, const char *messages);
/** Goes on twice: true in a second process, which works beside this one and ends with umcc_end_beside(). One
 * at a time. */
bool umcc_begin_beside(void);
void umcc_end_beside(int status) __attribute__((noreturn));
/** Waits for that process, which is ended if its work is not wanted any more. @return its status, UMCC_FAILED
 * if there was none */
int umcc_wait_beside(bool wanted);
/** Prints a command as nvcc does: `#$ g++ ...`, quoted for the shell. */
void umcc_print_command(const struct umcc_list *command);
/** Makes the folder for temporary files. @return its path; NULL, with a message, if that fails */
const char *umcc_temporary_directory(bool dry_run);
/** Remembers a file to be removed at the end. @return the path. */
const char *umcc_remove_later(const char *path);
/** Removes the remembered files. Ends the program by the signal that interrupted it, if there was one. */
void umcc_clean_up(void);
/** @} */

#endif
