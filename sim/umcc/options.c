/**
 * @file options.c
 * @brief Reads umcc's command line: nvcc's options by nvcc's names, from the table in option_table.c.
 *
 * Options take their value as nvcc's do: `-o f`, `--output-file f`, `--output-file=f`, `-std=c++17`,
 * `-Idir`. Options that matter only to a real GPU (-maxrregcount, ...) are accepted and have no effect;
 * -arch sets __CUDA_ARCH__. An option that is not in the table is an error, and the message names it.
 */
#define _GNU_SOURCE
#include "driver.h"
#include "option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void fail(struct umcc_options *options, const char *error)
{
    if (!options->error)
        options->error = error;
}

static void add_input(struct umcc_options *options, const char *text, enum umcc_language language)
{
    options->inputs = realloc(options->inputs, (size_t)(options->input_count + 1) * sizeof *options->inputs);
    if (!options->inputs) {
        fputs("umcc: out of memory\n", stderr);
        exit(UMCC_FAILED);
    }
    options->inputs[options->input_count++] =
        (struct umcc_input){.text = text, .language = language, .object = text};
    options->source_count += language != UMCC_OBJECT;
}

/* Splits at commas and spaces. But `-Wl,a,b` is one option of g++'s, whatever nvcc would make of it. */
static void add_split(struct umcc_list *list, const char *text, const char *option)
{
    char *copy = umcc_printf("%s", text), *rest = copy;
    if (strncmp(copy, "-Wl,", 4) == 0 || strncmp(copy, "-Wa,", 4) == 0 || strncmp(copy, "-Wp,", 4) == 0) {
        umcc_list_add(list, copy);
        return;
    }
    for (char *item; (item = strsep(&rest, ", "));) {
        if (*item == '\0')
            continue;
        if (*option != '\0')
            umcc_list_add(list, option);
        umcc_list_add(list, item);
    }
}

static void set_stage(struct umcc_options *options, char stage)
{
    options->stage = stage == 'c'   ? UMCC_COMPILE
                     : stage == 'E' ? UMCC_PREPROCESS
                     : stage == 'r' ? UMCC_REWRITE
                     : stage == 'l' ? UMCC_LIBRARY
                     : stage == 'd' ? UMCC_DEVICE_LINK
                     : stage == 'm' ? UMCC_CUBIN
                     : stage == 'f' ? UMCC_FATBIN
                                    : UMCC_LINK;
}

/* Allows device code that spans several files. */
static void set_relocatable(struct umcc_options *options)
{
    options->relocatable = true;
    umcc_list_add(&options->preprocess, "-D__CUDACC_RDC__");
}

static void set_language(struct umcc_options *options, const char *value)
{
    if (strcmp(value, "cu") != 0 && strcmp(value, "c++") != 0 && strcmp(value, "c") != 0)
        fail(options, umcc_printf("-x %s is not one of cu, c++, c", value));
    options->language = value;
}

/* `sm_90`, `arch=compute_80,code=[sm_80,sm_90a]`: takes the highest of all that are named. A value that names
 * none changes nothing. */
static void set_arch(struct umcc_options *options, const char *value)
{
    for (const char *p = strchr(value, '_'); p; p = strchr(p + 1, '_')) {
        const int number = 10 * atoi(p + 1);
        if (number > 0 && (!options->arch_named || number > options->arch))
            options->arch = number;
        options->arch_named |= number > 0;
    }
}

static void set_standard(struct umcc_options *options, const char *value)
{
    static const char *const known[] = {"c++14",   "c++17",   "c++20",   "c++03",   "c++11",
                                        "gnu++14", "gnu++17", "gnu++20", "gnu++11", NULL};
    for (int i = 0; known[i]; i++)
        if (strcmp(value, known[i]) == 0) {
            options->standard = umcc_printf("-std=%s", value);
            return;
        }
    fail(options, umcc_printf("-std=%s is not one of c++03, c++11, c++14, c++17, c++20", value));
}

static void set_compiler(struct umcc_options *options, const char *value)
{
    size_t length = strlen(value);
    const char *last = strrchr(value, '/');
    bool program = strstr(last ? last + 1 : value, "++") || strstr(last ? last + 1 : value, "gcc");
    options->compiler =
        program ? value : umcc_printf("%s%sg++", value, length > 0 && value[length - 1] == '/' ? "" : "/");
}

static void set_default_stream(struct umcc_options *options, const char *value)
{
    if (strcmp(value, "per-thread") == 0)
        umcc_list_add(&options->preprocess, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    else if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0)
        fail(options, umcc_printf("-default-stream %s is not one of legacy, per-thread", value));
}

/* Only all-warnings means something to g++; the others concern nvcc's own messages. */
static void set_errors(struct umcc_options *options, const char *value)
{
    static const char *const known[] = {"all-warnings",
                                        "cross-execution-space-call",
                                        "reorder",
                                        "default-stream-launch",
                                        "missing-launch-bounds",
                                        "ext-lambda-captures-this",
                                        "deprecated-declarations",
                                        NULL};
    for (int i = 0; known[i]; i++) {
        if (strcmp(value, known[i]) != 0)
            continue;
        if (i == 0)
            umcc_list_add(&options->compile, "-Werror");
        return;
    }
    fail(options, umcc_printf("-Werror %s is not a kind of warning (all-warnings is)", value));
}

/* The simulator replaces all of CUDA's own libraries that a program of the runtime API links. */
static void add_library(struct umcc_options *options, const char *name)
{
    static const char *const own[] = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                      "umsim",  "nvToolsExt",    NULL};
    for (int i = 0; own[i]; i++)
        if (strcmp(name, own[i]) == 0)
            return;
    add_input(options, umcc_printf("-l%s", name), UMCC_OBJECT);
}

static void set_dependencies(struct umcc_options *options, bool only, bool system)
{
    options->dependencies = true;
    options->system_dependencies = system;
    if (only)
        options->stage = UMCC_DEPENDENCIES;
}

/* Checks the list in the way that sim/check reads it. */
static void set_check(struct umcc_options *options, const char *list)
{
    static const char *const known[] = {"all",  "memory", "init",       "race", "leak",
                                        "host", "api",    "coalescing", NULL};
    char *copy = umcc_printf("%s", list), *rest = copy;
    for (char *word; (word = strsep(&rest, ","));) {
        int i = 0;
        while (known[i] && strcmp(word, known[i]) != 0)
            i++;
        if (!known[i])
            fail(options,
                 umcc_printf("--check=%s: there are all, memory, init, race, leak, host, api, coalescing",
                             list));
    }
    options->check = list;
}

/* The file is named when the program runs, so no more is known of it here. */
static void set_check_json(struct umcc_options *options, const char *file)
{
    if (!*file)
        fail(options, "--check-json=FILE: a file's name is missing");
    if (!options->check)
        options->check = "all";
    options->check_json = file;
}

static void apply_value(struct umcc_options *options, const struct umcc_option *option, const char *value)
{
    switch (option->action) {
    case A_CHECK:
        set_check(options, option->value == NO ? option->text : value);
        break;
    case A_CHECK_JSON:
        set_check_json(options, value);
        break;
    case A_KEYED_EXCEPT:
        options->keyed_except = value;
        break;
    case A_OUTPUT:
        options->output = value;
        break;
    case A_OUTPUT_DIRECTORY:
        options->output_directory = value;
        break;
    case A_PREPROCESS:
        umcc_list_printf(&options->preprocess, "%s", option->text);
        break;
    case A_LINK:
        umcc_list_printf(&options->link, "%s%s", option->text, value);
        break;
    case A_COMPILE:
        umcc_list_printf(&options->compile, "%s%s", option->text, value);
        break;
    case A_LIBRARY:
        add_library(options, value);
        break;
    case A_HOST:
        add_split(&options->host, option->value == NO ? option->text : value, "");
        break;
    case A_LINKER:
        add_split(&options->link, value, "-Xlinker");
        break;
    case A_STANDARD:
        set_standard(options, value);
        break;
    case A_OPTIMIZE:
        if (strlen(value) != 1 || *value < '0' || *value > '3')
            fail(options, umcc_printf("-O%s: levels are 0 to 3", value));
        options->optimize = umcc_printf("-O%s", value);
        break;
    case A_LANGUAGE:
        set_language(options, value);
        break;
    case A_COMPILER:
        set_compiler(options, value);
        break;
    case A_ARCHIVER:
        options->archiver = value;
        break;
    case A_MF:
        options->dependency_file = value;
        break;
    case A_MT:
        options->dependency_target = value;
        break;
    case A_KEEP_DIRECTORY:
        options->keep_directory = value;
        break;
    case A_RUN_ARGUMENTS:
        add_split(&options->run_arguments, value, "");
        break;
    case A_CUDART:
        options->no_cuda_library = strcmp(value, "none") == 0;
        break;
    case A_DEFAULT_STREAM:
        set_default_stream(options, value);
        break;
    case A_WERROR:
        set_errors(options, value);
        break;
    case A_ARCH:
        set_arch(options, value);
        break;
    case A_RDC:
        if (strcmp(value, "true") == 0)
            set_relocatable(options);
        break;
    default:
        break;
    }
}

static void apply_flag(struct umcc_options *options, const struct umcc_option *option)
{
    switch (option->action) {
    case A_STAGE:
        set_stage(options, option->text[0]);
        if (option->text[0] != '\0' && option->text[1] == 'r')
            set_relocatable(options);
        if (umcc_makes_module(options)) {
            umcc_list_add(&options->host, "-fPIC");
            umcc_list_add(&options->compile, "-fno-gnu-unique"); /* else it could not be closed again */
        }
        break;
    case A_DEBUG:
        options->debug = true;
        break;
    case A_DEVICE_DEBUG:
        options->debug = options->device_debug = true;
        break;
    case A_NO_COUNT:
        options->no_count = true;
        break;
    case A_PRECOMPILE:
        options->precompile = true;
        break;
    case A_PLAIN:
        options->plain = true;
        break;
    case A_KEYED:
        options->keyed = true;
        break;
    case A_REPORT:
        options->report = true;
        break;
    case A_SHARED:
        options->shared = true;
        break;
    case A_MD:
        set_dependencies(options, false, true);
        break;
    case A_MMD:
        set_dependencies(options, false, false);
        break;
    case A_M:
        set_dependencies(options, true, true);
        break;
    case A_MM:
        set_dependencies(options, true, false);
        break;
    case A_MP:
        options->phony_targets = true;
        break;
    case A_VERBOSE:
        options->verbose = true;
        break;
    case A_DRY_RUN:
        options->verbose = options->dry_run = true;
        break;
    case A_KEEP:
        options->keep = true;
        break;
    case A_RUN:
        options->run = true;
        break;
    case A_FORWARD:
        options->forward_unknown = true;
        break;
    case A_HELP:
        options->help = true;
        break;
    case A_VERSION:
        options->version = true;
        break;
    case A_REFUSE:
        fail(options, umcc_printf("%s: %s", option->name, option->text));
        break;
    default:
        apply_value(options, option, "");
        break;
    }
}

static void apply(struct umcc_options *options, const struct umcc_option *option, const char *value)
{
    if (option->value == NO)
        apply_flag(options, option);
    else if (option->action == A_PREPROCESS && option->value == LIST)
        add_split(&options->preprocess, value, option->text);
    else if (option->action == A_PREPROCESS)
        umcc_list_printf(&options->preprocess, "%s%s", option->text, value);
    else
        apply_value(options, option, value);
}

/* How much of `argument` is the option's name; 0 if it is another option. `*value` is what follows it, or
 * NULL. */
static size_t match(const struct umcc_option *option, const char *argument, const char **value)
{
    const char *names[] = {option->name, option->other};
    for (int i = 0; i < 2; i++) {
        size_t length = !names[i] ? 0 : strlen(names[i]);
        if (length == 0 || strncmp(argument, names[i], length) != 0)
            continue;
        const bool ends = argument[length] == '\0', has_sign = names[i][length - 1] == '=';
        *value = ends && !has_sign ? NULL : argument + length + (argument[length] == '=');
        if (argument[length] == '\0' || (argument[length] == '=' && option->value != NO))
            return length;
        if (option->value == JOINED && i == 0)
            return length;
    }
    return 0;
}

/* The longest name wins: -lineinfo is not -l ineinfo. */
static const struct umcc_option *find(const char *argument, const char **value)
{
    const struct umcc_option *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < umcc_option_count; i++) {
        const char *v;
        size_t length = match(&umcc_option_table[i], argument, &v);
        if (length > best_length) {
            best = &umcc_option_table[i];
            best_length = length;
            *value = v;
        }
    }
    return best;
}

static enum umcc_language language_of(const struct umcc_options *options, const char *path, bool *known)
{
    *known = true;
    if (options->language)
        return strcmp(options->language, "cu") == 0  ? UMCC_CUDA
               : strcmp(options->language, "c") == 0 ? UMCC_C
                                                     : UMCC_CXX;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".cu") == 0)
        return UMCC_CUDA;
    if (dot && strcmp(dot, ".c") == 0)
        return UMCC_C;
    if (dot && (strcmp(dot, ".cpp") == 0 || strcmp(dot, ".cc") == 0 || strcmp(dot, ".cxx") == 0 ||
                strcmp(dot, ".C") == 0 || strcmp(dot, ".c++") == 0))
        return UMCC_CXX;
    *known = dot && (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0 || strcmp(dot, ".so") == 0 ||
                     strstr(name, ".so."));
    return UMCC_OBJECT;
}

static void read_input(struct umcc_options *options, const char *argument)
{
    bool known;
    enum umcc_language language = language_of(options, argument, &known);
    if (!known)
        fail(options,
             umcc_printf("don't know what to do with '%s' (-x cu says that it is CUDA C++)", argument));
    add_input(options, argument, language);
}

/* g++'s own warnings, and the options that -forward-unknown-to-host-compiler passes on. */
static bool read_forwarded(struct umcc_options *options, const char *argument)
{
    if (strncmp(argument, "-Wl,", 4) == 0)
        umcc_list_add(&options->link, argument);
    else if (strncmp(argument, "-W", 2) == 0 && argument[2] != '\0')
        umcc_list_add(&options->compile, argument);
    else if (options->forward_unknown)
        umcc_list_add(&options->host, argument);
    else
        return false;
    return true;
}

void umcc_read_options(struct umcc_options *options, int argc, char **argv)
{
    *options = (struct umcc_options){.compiler = "g++", .arch = UMCC_ARCH_DEFAULT, .archiver = "ar"};
    for (int i = 1; i < argc; i++) { /* wherever it stands, it applies to the whole line */
        const char *v = NULL;
        const struct umcc_option *option = find(argv[i], &v);
        options->forward_unknown |= option && option->action == A_FORWARD;
    }
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            read_input(options, argv[i]);
            continue;
        }
        const struct umcc_option *option = find(argv[i], &value);
        if (!option) {
            if (!read_forwarded(options, argv[i]))
                fail(options, strcmp(argv[i], "-static") == 0
                                  ? UMCC_NO_STATIC
                                  : umcc_printf("unknown option '%s' (options for g++ go behind -Xcompiler)",
                                                argv[i]));
            continue;
        }
        if (option->value != NO && !value) {
            value = i + 1 < argc ? argv[++i] : NULL;
            if (!value)
                fail(options, umcc_printf("option '%s' needs a value", argv[i]));
        }
        if (option->value == NO || value)
            apply(options, option, value);
    }
}

void umcc_print_help(void)
{
    puts(
        "umcc [options] file.cu ... : compiles CUDA C++ for the simulated GPU, as nvcc does for a real one.\n"
        "Inputs: .cu, .cpp .cc .cxx .C, .c, .o .a .so.\n");
    for (size_t i = 0; i < umcc_option_count; i++)
        if (umcc_option_table[i].help)
            printf("  %-16s %-34s %s\n", umcc_option_table[i].name,
                   umcc_option_table[i].other ? umcc_option_table[i].other : "", umcc_option_table[i].help);
    fputs("\nAccepted, without effect here:", stdout);
    for (size_t i = 0; i < umcc_option_count; i++)
        if (umcc_option_table[i].action == A_IGNORE)
            printf(" %s", umcc_option_table[i].name);
    puts("\n-W... options go to g++. Exit status: 0 done, 1 an input has errors, 2 the command line has.");
}
