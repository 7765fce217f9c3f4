/**
 * @file common_options.c
 * @brief Tests of common/um_options: what a command line means; bad input is one line and exit code 2.
 */
#include "um_lab.h"
#include "um_test.h"

#include "common_capture.h"

static uint64_t stride;

static const struct um_lab_option own_options[] = {
    {"--stride", "BYTES", "bytes between touches", UM_OPTION_SIZE, &stride, 4, 1 << 20},
    {NULL, NULL, NULL, UM_OPTION_COUNT, NULL, 0, 0},
};

static void nothing(struct um_run *run)
{
    (void)run;
}

static const struct um_strategy strategies[] = {{"pageable", "one way", nothing},
                                                {"pinned", "another", nothing},
                                                {"page", "a prefix of the first", nothing}};

static const struct um_lab lab = {.name = "lab99",
                                  .question = "Why?",
                                  .size_is = "bytes of it all",
                                  .default_size = (size_t)64 << 20,
                                  .minimum_size = 16,
                                  .strategies = strategies,
                                  .strategy_count = UM_COUNT(strategies),
                                  .options = own_options};

static struct um_options options;
static struct capture out, err;

/* Parses a command line given as one string with blanks; captures both streams. */
static int parse(const char *line)
{
    static char words[512];
    static char *argv[32];
    int argc = 1, code;

    snprintf(words, sizeof words, "%s", line);
    argv[0] = "lab99";
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    stride = 4096;
    capture_begin(&out, STDOUT_FILENO);
    capture_begin(&err, STDERR_FILENO);
    code = um_options_parse(&lab, argc, argv, &options);
    capture_end(&err);
    capture_end(&out);
    return code;
}

static void check_refused(const char *line, const char *because)
{
    const int code = parse(line);
    const char *newline = strchr(err.text, '\n');

    if (code != UM_EXIT_CANNOT)
        UM_FAIL("\"%s\" gave %d, not 2", line, code);
    if (!newline || newline[1] != '\0')
        UM_FAIL("\"%s\": not one line: %s", line, err.text);
    UM_EQUAL(strncmp(err.text, "lab99: ", 7), 0);
    UM_CONTAINS(err.text, because);
    UM_STRING_EQUAL(out.text, "");
}

static void sizes_are_read_with_their_units(void)
{
    static const struct {
        const char *text;
        size_t bytes;
    } good[] = {{"1", 1},
                {"65536", 65536},
                {"4K", 4096},
                {"4k", 4096},
                {"64M", (size_t)64 << 20},
                {"2G", (size_t)2 << 30},
                {"0016", 16},
                {"9007199254740991K", SIZE_MAX / 2 / 1024 * 1024}};
    size_t bytes;

    for (size_t i = 0; i < UM_COUNT(good); i++) {
        bytes = 0;
        if (um_parse_size(good[i].text, &bytes))
            UM_FAIL("%s was refused", good[i].text);
        UM_EQUAL(bytes, good[i].bytes);
    }
}

static void bad_sizes_are_refused_and_change_nothing(void)
{
    static const char *const bad[] = {"",
                                      "0",
                                      "0K",
                                      "-1",
                                      "-5M",
                                      "M",
                                      "64MB",
                                      "64 ",
                                      " 64",
                                      "1.5M",
                                      "0x10",
                                      "+4",
                                      "64T",
                                      "1e6",
                                      "nan",
                                      "9223372036854775808",
                                      "9007199254740992K",
                                      "8589934592G",
                                      "99999999999999999999999",
                                      "8796093022208K0"};
    size_t bytes = 77;

    for (size_t i = 0; i < UM_COUNT(bad); i++) {
        if (!um_parse_size(bad[i], &bytes))
            UM_FAIL("\"%s\" was taken as %zu", bad[i], bytes);
        UM_EQUAL(bytes, 77);
    }
}

static void counts_keep_to_their_limits(void)
{
    uint64_t value = 0;

    CU_ASSERT_PTR_NULL(um_parse_count("10", 1, 10, &value));
    UM_EQUAL(value, 10);
    CU_ASSERT_PTR_NULL(um_parse_count("18446744073709551615", 0, UINT64_MAX, &value));
    CU_ASSERT_TRUE(value == UINT64_MAX);
    UM_STRING_EQUAL(um_parse_count("11", 1, 10, &value), "is too large");
    UM_STRING_EQUAL(um_parse_count("0", 1, 10, &value), "is zero");
    UM_STRING_EQUAL(um_parse_count("-3", 1, 10, &value), "is negative");
    UM_STRING_EQUAL(um_parse_count("3x", 1, 10, &value), "is not a whole number");
    UM_STRING_EQUAL(um_parse_count("18446744073709551616", 0, UINT64_MAX, &value), "is too large a number");
}

static void an_empty_command_line_gives_the_labs_defaults(void)
{
    UM_EQUAL(parse(""), -1);
    UM_EQUAL(options.size, 64 << 20);
    UM_EQUAL(options.repeat, 1);
    UM_EQUAL(options.seed, 1);
    CU_ASSERT_TRUE(options.chosen[0] && options.chosen[1] && options.chosen[2] && !options.chosen[3]);
    CU_ASSERT_PTR_NULL(options.json);
    CU_ASSERT_FALSE(options.quiet);
    UM_STRING_EQUAL(err.text, "");
}

static void options_are_taken_with_a_blank_or_an_equals_sign(void)
{
    UM_EQUAL(parse("--size 1K --repeat=5 --seed 0 --stride=64 --quiet"), -1);
    UM_EQUAL(options.size, 1024);
    UM_EQUAL(options.repeat, 5);
    UM_EQUAL(options.seed, 0);
    UM_EQUAL(stride, 64);
    CU_ASSERT_TRUE(options.quiet);
}

static void a_size_is_rounded_up_to_whole_floats(void)
{
    UM_EQUAL(parse("--size 17"), -1);
    UM_EQUAL(options.size, 20);
}

static void strategies_are_chosen_by_whole_names(void)
{
    UM_EQUAL(parse("--strategy page"), -1);
    CU_ASSERT_TRUE(!options.chosen[0] && !options.chosen[1] && options.chosen[2]);
    UM_EQUAL(parse("--strategy pinned,pageable"), -1);
    CU_ASSERT_TRUE(options.chosen[0] && options.chosen[1] && !options.chosen[2]);
    UM_EQUAL(parse("--strategy all"), -1);
    CU_ASSERT_TRUE(options.chosen[0] && options.chosen[1] && options.chosen[2]);
}

static void bad_input_is_one_line_and_exit_code_2(void)
{
    check_refused("--size 0", "is zero");
    check_refused("--size -4", "is negative");
    check_refused("--size many", "is not a number");
    check_refused("--size=", "is empty");
    check_refused("--size 99999999999G", "is larger than any memory");
    check_refused("--size 4", "is less than this lab needs: 16 B");
    check_refused("--size", "needs a value");
    check_refused("--repeat 0", "is zero");
    check_refused("--repeat 1001", "is too large");
    check_refused("--seed -1", "is negative");
    check_refused("--strategy pin", "there is no \"pin\"; there are pageable, pinned, page, and all");
    check_refused("--strategy pinned,", "there is no \"\"");
    check_refused("--strategy=", "there is no \"\"");
    check_refused("--stride 2", "is too small");
    check_refused("--stride 2M", "is too large");
    check_refused("--sizes 4K", "is no option here");
    check_refused("--quiet=1", "is no option here");
    check_refused("64M", "options begin with --");
    check_refused("--json /no/such/folder/x.json", "No such file or directory");
    check_refused("--json /", "Is a directory");
    check_refused("--json=", "the name is empty");
}

static void an_unwritable_JSON_is_told_only_when_all_else_is_right(void)
{
    check_refused("--json / --size 0", "is zero");
}

static void a_profile_is_for_the_simulator(void)
{
    char *before = getenv("UMSIM_PROFILE") ? strdup(getenv("UMSIM_PROFILE")) : NULL;

    if (um_is_sim()) {
        UM_EQUAL(parse("--profile t4"), -1);
        UM_STRING_EQUAL(options.profile, "t4");
        UM_STRING_EQUAL(getenv("UMSIM_PROFILE"), "t4");
    } else {
        check_refused("--profile t4", "built for a real GPU");
        CU_ASSERT_PTR_NULL(getenv("UMSIM_PROFILE"));
    }
    if (before)
        setenv("UMSIM_PROFILE", before, 1);
    else
        unsetenv("UMSIM_PROFILE");
    free(before);
}

static void help_lists_every_option_and_strategy(void)
{
    static const char *const parts[] = {"lab99: Why?",     "--size SIZE",
                                        "bytes of it all", "64 MiB",
                                        "--strategy LIST", "--repeat N",
                                        "--seed N",        "--profile NAME",
                                        "--stride BYTES",  "bytes between touches (default: 4096)",
                                        "--json FILE",     "--width N",
                                        "--wide",          "--quiet",
                                        "--help",          "pageable",
                                        "pinned",          "a prefix of the first",
                                        "Exit codes: 0"};

    UM_EQUAL(parse("--help"), UM_EXIT_OK);
    UM_STRING_EQUAL(err.text, "");
    for (size_t i = 0; i < UM_COUNT(parts); i++) {
        UM_CONTAINS(out.text, parts[i]);
    }
}

static void help_wins_over_mistakes(void)
{
    UM_EQUAL(parse("--size nonsense --help"), UM_EXIT_OK);
}

static void sizes_are_written_as_people_say_them(void)
{
    char text[UM_SIZE_TEXT];

    UM_STRING_EQUAL(um_size_text(4, text), "4 B");
    UM_STRING_EQUAL(um_size_text(65536, text), "64 KiB");
    UM_STRING_EQUAL(um_size_text(1.5 * (1 << 30), text), "1.5 GiB");
    UM_STRING_EQUAL(um_size_text(150109880320.0, text), "139.8 GiB");
}

UM_TESTS("options", {"sizes are read with their units", sizes_are_read_with_their_units},
         {"bad sizes are refused and change nothing", bad_sizes_are_refused_and_change_nothing},
         {"counts keep to their limits", counts_keep_to_their_limits},
         {"an empty command line gives the lab's defaults", an_empty_command_line_gives_the_labs_defaults},
         {"options are taken with a blank or an equals sign",
          options_are_taken_with_a_blank_or_an_equals_sign},
         {"a size is rounded up to whole floats", a_size_is_rounded_up_to_whole_floats},
         {"strategies are chosen by whole names", strategies_are_chosen_by_whole_names},
         {"bad input is one line and exit code 2", bad_input_is_one_line_and_exit_code_2},
         {"an unwritable JSON is told only when all else is right",
          an_unwritable_JSON_is_told_only_when_all_else_is_right},
         {"a profile is for the simulator", a_profile_is_for_the_simulator},
         {"help lists every option and strategy", help_lists_every_option_and_strategy},
         {"help wins over mistakes", help_wins_over_mistakes},
         {"sizes are written as people say them", sizes_are_written_as_people_say_them});
