/**
 * @file option_table.h
 * @brief umcc's options: their names, how each takes its value, and what each does.
 *
 * options.c reads the command line by this table.
 */
#ifndef UMCC_OPTION_TABLE_H
#define UMCC_OPTION_TABLE_H

#include <stddef.h>

/** What an option does. */
enum action {
    A_IGNORE,
    A_STAGE,
    A_CHECK,
    A_CHECK_JSON,
    A_OUTPUT,
    A_OUTPUT_DIRECTORY,
    A_PREPROCESS, /* to g++ -E: `text` and the value */
    A_COMPILE,    /* to g++ as `text` */
    A_LINK,       /* to the linker: `text` and the value */
    A_LIBRARY,
    A_HOST,
    A_LINKER,
    A_STANDARD,
    A_OPTIMIZE,
    A_DEBUG,
    A_DEVICE_DEBUG,
    A_PLAIN,
    A_KEYED,
    A_KEYED_EXCEPT,
    A_NO_COUNT,
    A_PRECOMPILE,
    A_REPORT,
    A_SHARED,
    A_LANGUAGE,
    A_COMPILER,
    A_ARCHIVER,
    A_MD,
    A_MMD,
    A_M,
    A_MM,
    A_MF,
    A_MT,
    A_MP,
    A_VERBOSE,
    A_DRY_RUN,
    A_KEEP,
    A_KEEP_DIRECTORY,
    A_RUN,
    A_RUN_ARGUMENTS,
    A_CUDART,
    A_DEFAULT_STREAM,
    A_WERROR,
    A_RDC,
    A_ARCH,
    A_FORWARD,
    A_REFUSE,
    A_HELP,
    A_VERSION
};

/** How an option takes its value. */
enum value { NO, YES, LIST, JOINED }; /* JOINED: -Idir too; LIST: split at commas */

/** One option. */
struct umcc_option {
    const char *name, *other;
    enum value value;
    enum action action;
    const char *text;
    const char *help; /* NULL: not in --help's main part */
};

extern const struct umcc_option umcc_option_table[];
extern const size_t umcc_option_count;

#endif
