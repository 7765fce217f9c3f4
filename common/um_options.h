/**
 * @file um_options.h
 * @brief The command line that all labs share, read against a lab's own description.
 *
 *     --size 64M  --strategy a,b|all  --repeat N  --seed N  --profile NAME  --json FILE|-  --width N  --wide
 *     --quiet  --help
 *
 * um_lab_main() calls this; a program that does not use um_lab_main() may call it too. Bad input gives one
 * line on stderr and exit code 2, before anything is printed or written. What depends on the device, such as
 * a size beyond its memory, is checked by um_size_fits() once the device is known.
 */
#ifndef UM_OPTIONS_H
#define UM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct um_lab;

/** Exit codes of every program here. */
enum um_exit {
    UM_EXIT_OK = 0,     /**< everything verified */
    UM_EXIT_FAILED = 1, /**< a check failed */
    UM_EXIT_CANNOT = 2, /**< cannot run here, or bad usage: said why */
};

/** The most strategies that one lab may have. */
#define UM_STRATEGIES_MAX 32

/** What the command line said, with the lab's defaults where it said nothing. */
struct um_options {
    size_t size;                    /**< bytes; the lab says what they are the size of */
    bool chosen[UM_STRATEGIES_MAX]; /**< one flag for each row of the lab's strategy table */
    int repeat;          /**< runs of each strategy; the row shown is the run with the median total */
    uint64_t seed;       /**< for um_value() */
    const char *profile; /**< simulator profile asked for, or NULL */
    const char *json;    /**< file, "-" for stdout, or NULL */
    bool quiet;          /**< only the last line, and errors */
    int argc;            /**< the arguments as given, for the JSON file */
    char **argv;
};

/** Type of an option that one lab adds for itself. */
enum um_option_type {
    UM_OPTION_SIZE,  /**< bytes with K, M, G */
    UM_OPTION_COUNT, /**< a plain number */
};

/** An option that one lab adds for itself. An array of them ends with a row whose name is NULL. */
struct um_lab_option {
    const char *name;     /**< with its dashes: "--stride" */
    const char *argument; /**< "BYTES" */
    const char *help;     /**< half a line for --help */
    enum um_option_type type;
    uint64_t *value; /**< holds the default before, the value after */
    uint64_t minimum;
    uint64_t maximum;
};

/**
 * Reads the command line. On sim it puts a `--profile` into UMSIM_PROFILE, so this call must come before the
 * first CUDA call; on cuda `--profile` is an error.
 * @return -1 to go on; else the exit code to leave main() with (0 after --help, 2 after an error line).
 */
int um_options_parse(const struct um_lab *lab, int argc, char **argv, struct um_options *options);

/**
 * Reads a size such as "65536", "64K", "64M" or "2G" (1K = 1024).
 * @return NULL and the bytes in `*bytes`; else what is wrong with it, as the end of a sentence ("is not a
 * size ...").
 */
const char *um_parse_size(const char *text, size_t *bytes);

/** Size of the buffer for um_size_text(). */
#define UM_SIZE_TEXT 32

/** Writes a number of bytes in readable form: "64 MiB", "1.5 GiB", "4 B". @return text */
const char *um_size_text(double bytes, char *text);

/** Reads a whole number from `minimum` to `maximum`. @return as um_parse_size(). */
const char *um_parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value);

/** Prints --help to stdout, from the lab's description, its strategy table and its options. */
void um_print_help(const struct um_lab *lab);

#endif
