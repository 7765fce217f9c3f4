/**
 * @file um_options.c
 * @brief Implementation of um_options.h: parses a lab's command line and prints its help.
 */
#include "um_lab.h"

#include <ctype.h>
#include <errno.h>

/** An upper limit for repetitions: nobody waits for more. */
#define REPEAT_MAX 1000

/** The largest --width: beyond it --wide says the same. */
#define WIDTH_MOST 10000

const char *um_size_text(double bytes, char *text)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;

    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, UM_SIZE_TEXT, bytes == (double)(long long)bytes ? "%.0f %s" : "%.1f %s", bytes,
             units[unit]);
    return text;
}

/* Reads a whole number at the start of `text`; `*rest` is what follows it. @return NULL, or what is wrong */
static const char *parse_digits(const char *text, uint64_t *value, const char **rest)
{
    char *end;

    if (text[0] == '-' && isdigit((unsigned char)text[1]))
        return "is negative";
    if (!isdigit((unsigned char)text[0]))
        return text[0] == '\0' ? "is empty" : "is not a number";
    errno = 0;
    *value = strtoull(text, &end, 10);
    *rest = end;
    return errno == ERANGE ? "is too large a number" : NULL;
}

const char *um_parse_size(const char *text, size_t *bytes)
{
    const char *rest = NULL, *wrong;
    uint64_t value = 0;
    unsigned shift = 0;

    wrong = parse_digits(text, &value, &rest);
    if (wrong)
        return wrong;
    switch (rest[0]) {
    case '\0':
        break;
    case 'k':
    case 'K':
        shift = 10;
        break;
    case 'm':
    case 'M':
        shift = 20;
        break;
    case 'g':
    case 'G':
        shift = 30;
        break;
    default:
        return "is not a size (a whole number of bytes, or one with K, M or G, as in 64M)";
    }
    if (shift != 0 && rest[1] != '\0')
        return "is not a size (a whole number of bytes, or one with K, M or G, as in 64M)";
    if (value == 0)
        return "is zero";
    if (value > (SIZE_MAX >> 1) >> shift)
        return "is larger than any memory";
    *bytes = (size_t)value << shift;
    return NULL;
}

const char *um_parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value)
{
    const char *rest = NULL, *wrong = parse_digits(text, value, &rest);

    if (wrong)
        return wrong;
    if (rest[0] != '\0')
        return "is not a whole number";
    if (*value < minimum)
        return *value == 0 ? "is zero" : "is too small";
    return *value > maximum ? "is too large" : NULL;
}

/* Prints one line on stderr. @return the exit code for bad usage */
static int refuse(const struct um_lab *lab, const char *option, const char *value, const char *wrong)
{
    fprintf(stderr, "%s: %s%s%s %s (--help lists what there is)\n", lab->name, option, value[0] ? " " : "",
            value, wrong);
    return UM_EXIT_CANNOT;
}

static int unknown_strategy(const struct um_lab *lab, const char *name, size_t length)
{
    fprintf(stderr, "%s: --strategy: there is no \"%.*s\"; there are", lab->name, (int)length, name);
    for (size_t i = 0; i < lab->strategy_count; i++) {
        fprintf(stderr, " %s,", lab->strategies[i].name);
    }
    fprintf(stderr, " and all\n");
    return UM_EXIT_CANNOT;
}

static void choose_all(const struct um_lab *lab, struct um_options *options)
{
    for (size_t i = 0; i < lab->strategy_count && i < UM_STRATEGIES_MAX; i++) {
        options->chosen[i] = true;
    }
}

static int parse_strategies(const struct um_lab *lab, const char *list, struct um_options *options)
{
    memset(options->chosen, 0, sizeof options->chosen);
    for (const char *name = list;; name++) {
        const size_t length = strcspn(name, ",");
        size_t i = 0;

        while (i < lab->strategy_count && (strlen(lab->strategies[i].name) != length ||
                                           strncmp(lab->strategies[i].name, name, length) != 0)) {
            i++;
        }
        if (i < lab->strategy_count)
            options->chosen[i] = true;
        else if (length == 3 && strncmp(name, "all", 3) == 0)
            choose_all(lab, options);
        else
            return unknown_strategy(lab, name, length);
        name += length;
        if (name[0] == '\0')
            return -1;
    }
}

static int parse_profile(const struct um_lab *lab, const char *name, struct um_options *options)
{
    if (!um_is_sim())
        return refuse(lab, "--profile", name,
                      "is for the simulator, and this program was built for a real GPU (BACKEND=cuda)");
    if (name[0] == '\0')
        return refuse(lab, "--profile", name, "is empty");
    options->profile = name;
    setenv("UMSIM_PROFILE", name,
           1); /* the simulator reads it at the first CUDA call, and refuses unknown names */
    return -1;
}

static int parse_json(const struct um_lab *lab, const char *path, struct um_options *options)
{
    const char *wrong = um_json_probe(path);

    if (wrong) {
        fprintf(stderr, "%s: --json %s cannot be written: %s\n", lab->name, path, wrong);
        return UM_EXIT_CANNOT;
    }
    options->json = path;
    return -1;
}

static int parse_size_option(const struct um_lab *lab, const char *value, struct um_options *options)
{
    const size_t multiple = lab->size_multiple != 0 ? lab->size_multiple : sizeof(float);
    const char *wrong = um_parse_size(value, &options->size);

    if (wrong)
        return refuse(lab, "--size", value, wrong);
    if (options->size < lab->minimum_size) {
        char least[UM_SIZE_TEXT], text[64];

        snprintf(text, sizeof text, "is less than this lab needs: %s",
                 um_size_text((double)lab->minimum_size, least));
        return refuse(lab, "--size", value, text);
    }
    options->size = (options->size + multiple - 1) / multiple * multiple;
    return -1;
}

static int parse_own_option(const struct um_lab *lab, const struct um_lab_option *option, const char *value)
{
    const char *wrong;
    uint64_t number = 0;
    size_t bytes = 0;

    if (option->type == UM_OPTION_SIZE) {
        wrong = um_parse_size(value, &bytes);
        number = bytes;
        if (!wrong && number < option->minimum)
            wrong = "is too small";
        if (!wrong && number > option->maximum)
            wrong = "is too large";
    } else {
        wrong = um_parse_count(value, option->minimum, option->maximum, &number);
    }
    if (wrong)
        return refuse(lab, option->name, value, wrong);
    *option->value = number;
    return -1;
}

/* Parses one option with its value. @return -1 to go on */
static int parse_option(const struct um_lab *lab, const char *name, const char *value,
                        struct um_options *options)
{
    const struct um_lab_option *own = lab->options;
    const char *wrong = NULL;
    uint64_t number = 0;

    if (strcmp(name, "--size") == 0)
        return parse_size_option(lab, value, options);
    if (strcmp(name, "--strategy") == 0)
        return parse_strategies(lab, value, options);
    if (strcmp(name, "--profile") == 0)
        return parse_profile(lab, value, options);
    if (strcmp(name, "--json") == 0) {
        options->json = value; /* checked last, when everything else is right */
        return -1;
    }
    if (strcmp(name, "--repeat") == 0) {
        wrong = um_parse_count(value, 1, REPEAT_MAX, &number);
        options->repeat = (int)number;
    } else if (strcmp(name, "--seed") == 0) {
        wrong = um_parse_count(value, 0, UINT64_MAX, &options->seed);
    } else if (strcmp(name, "--width") == 0) {
        wrong = um_parse_count(value, UM_WIDTH_LEAST, WIDTH_MOST, &number);
        um_width_set((size_t)number);
    } else {
        while (own && own->name && strcmp(own->name, name) != 0) {
            own++;
        }
        if (!own || !own->name)
            return refuse(lab, name, "", "is no option here");
        return parse_own_option(lab, own, value);
    }
    return wrong ? refuse(lab, name, value, wrong) : -1;
}

/* Whether `name` is an option that takes a value: only then is a missing value the right complaint. */
static bool takes_value(const struct um_lab *lab, const char *name)
{
    static const char *const common[] = {"--size",    "--strategy", "--repeat", "--seed",
                                         "--profile", "--json",     "--width"};

    for (size_t i = 0; i < UM_COUNT(common); i++) {
        if (strcmp(common[i], name) == 0)
            return true;
    }
    for (const struct um_lab_option *own = lab->options; own && own->name; own++) {
        if (strcmp(own->name, name) == 0)
            return true;
    }
    return false;
}

static int parse_argument(const struct um_lab *lab, int argc, char **argv, int *i, struct um_options *options)
{
    const char *argument = argv[*i], *equals = strchr(argument, '=');
    char name[64];

    if (strncmp(argument, "--", 2) != 0)
        return refuse(lab, argument, "", "is no option: options begin with --");
    if (strcmp(argument, "--quiet") == 0) {
        options->quiet = true;
        return -1;
    }
    if (strcmp(argument, "--wide") == 0) {
        um_width_set(UM_WIDTH_ANY);
        return -1;
    }
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - argument) : 63, argument);
    if (!takes_value(lab, name))
        return refuse(lab, argument, "", "is no option here");
    if (equals)
        return parse_option(lab, name, equals + 1, options);
    if (*i + 1 >= argc)
        return refuse(lab, name, "", "needs a value");
    return parse_option(lab, name, argv[++*i], options);
}

int um_options_parse(const struct um_lab *lab, int argc, char **argv, struct um_options *options)
{
    *options = (struct um_options){.size = lab->default_size,
                                   .repeat = lab->default_repeat > 0 ? lab->default_repeat : 1,
                                   .seed = 1,
                                   .argc = argc,
                                   .argv = argv};
    choose_all(lab, options);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            um_print_help(lab);
            return UM_EXIT_OK;
        }
    }
    for (int i = 1; i < argc; i++) {
        const int stop = parse_argument(lab, argc, argv, &i, options);

        if (stop >= 0)
            return stop;
    }
    return options->json ? parse_json(lab, options->json, options) : -1;
}

static void help_line(const char *name, const char *argument, const char *text)
{
    char left[64];

    snprintf(left, sizeof left, "%s %s", name, argument);
    printf("  %-20s %s\n", left, text);
}

void um_print_help(const struct um_lab *lab)
{
    char text[160], size[UM_SIZE_TEXT];

    printf("%s: %s\n", lab->name, lab->question);
    if (lab->about)
        printf("\n%s\n", lab->about);
    printf("\nOptions\n");
    snprintf(text, sizeof text, "%s; a number with K, M or G (default: %s)",
             lab->size_is ? lab->size_is : "bytes", um_size_text((double)lab->default_size, size));
    help_line("--size", "SIZE", text);
    if (lab->strategy_count > 0)
        help_line("--strategy", "LIST", "which to run: names with commas, or all (default: all)");
    snprintf(text, sizeof text, "runs of each; the one with the median total is shown (default: %d)",
             lab->default_repeat > 0 ? lab->default_repeat : 1);
    help_line("--repeat", "N", text);
    help_line("--seed", "N", "for the data (default: 1)");
    help_line("--profile", "NAME", "the machine to imitate: a name in profiles/, or a file (simulator only)");
    for (const struct um_lab_option *own = lab->options; own && own->name; own++) {
        snprintf(text, sizeof text, "%s (default: %llu)", own->help, (unsigned long long)*own->value);
        help_line(own->name, own->argument, text);
    }
    help_line("--json", "FILE", "also write the results there as JSON (umlab/1); - is stdout");
    help_line("--width", "N", "characters of a line (default: 100, or COLUMNS)");
    help_line("--wide", "", "one table with all columns, however wide");
    help_line("--quiet", "", "print the last line only");
    help_line("--help", "", "print this");
    if (lab->strategy_count > 0)
        printf("\nStrategies\n");
    for (size_t i = 0; i < lab->strategy_count; i++) {
        help_line(lab->strategies[i].name, "", lab->strategies[i].summary);
    }
    printf("\nExit codes: 0 all verified, 1 a check failed, 2 cannot run here or bad usage.\n");
}
