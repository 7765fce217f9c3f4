/**
 * @file common_result.c
 * @brief Tests of common/um_result, um_table and um_json: rows, the table's text, the JSON file.
 */
#include "um_lab.h"
#include "um_test.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cjson/cJSON.h>

#include "common_capture.h"

static const struct um_lab lab = {.name = "lab99", .question = "Why?", .bandwidth = "bytes by time"};

/* A row whose numbers are given. */
static struct um_row *row_of(struct um_results *results, const char *name, double total,
                             enum um_verdict verdict)
{
    struct um_row *row = um_results_add(results, name, 4096);

    row->group = (int)results->count - 1;
    row->kernel_us = row->total_us = total;
    row->verdict = verdict;
    return row;
}

static void a_new_row_claims_nothing(void)
{
    struct um_results results = {0};
    struct um_row *row = um_results_add(&results, "x", 4096);

    UM_EQUAL(row->verdict, UM_VERDICT_NO);
    CU_ASSERT_TRUE(isnan(row->alloc_us) && isnan(row->total_us) && isnan(row->bandwidth_gbs));
    UM_EQUAL(row->counters.bytes_h2d, UM_NONE);
    UM_EQUAL(um_results_exit(&results), UM_EXIT_FAILED);
    um_results_free(&results);
    UM_EQUAL(um_results_exit(&results), UM_EXIT_FAILED);
}

static void one_wrong_part_makes_the_row_wrong(void)
{
    struct um_results results = {0};
    struct um_row *row = um_results_add(&results, "x", 4096);

    um_row_verified(row, true);
    UM_EQUAL(row->verdict, UM_VERDICT_YES);
    um_row_verified(row, false);
    um_row_verified(row, true);
    UM_EQUAL(row->verdict, UM_VERDICT_NO);
    um_results_free(&results);
}

static void phases_add_up_and_pauses_do_not_count(void)
{
    struct um_results results = {0};
    struct um_row *row = um_results_add(&results, "x", 4096);

    for (int i = 0; i < 3; i++) {
        um_phase(row, UM_PHASE_H2D);
        um_phase(row, UM_PHASE_KERNEL);
        um_phase_end(row);
        usleep(2000); /* on cuda, where the clock is real, this would show */
    }
    um_phase_end(row); /* ending twice is harmless */
    CU_ASSERT_TRUE(row->h2d_us >= 0 && row->kernel_us >= 0);
    CU_ASSERT_TRUE(isnan(row->d2h_us) && isnan(um_phase_us(row, UM_PHASE_MIXED)));
    CU_ASSERT_DOUBLE_EQUAL(row->total_us, row->h2d_us + row->kernel_us, 0.01);
    CU_ASSERT_TRUE(row->total_us < 6000);
    um_results_free(&results);
}

static void counts_that_do_not_exist_stay_so(void)
{
    struct um_counters a = {.bytes_h2d = 1, .bytes_d2h = UM_NONE, .cpu_faults = 3, .contended = 8};
    struct um_counters b = {.bytes_h2d = 11, .bytes_d2h = 12, .cpu_faults = UM_NONE, .contended = 18};
    struct um_counters d = um_counters_difference(a, b);

    UM_EQUAL(d.bytes_h2d, 10);
    UM_EQUAL(d.bytes_d2h, UM_NONE);
    UM_EQUAL(d.cpu_faults, UM_NONE);
    UM_EQUAL(d.contended, 10);
    um_counters_add(&d, a);
    UM_EQUAL(d.bytes_h2d, 11);
    UM_EQUAL(d.bytes_d2h, UM_NONE);
    UM_EQUAL(d.cpu_faults, 3);
}

static void counts_in_which_records_may_have_been_lost_do_not_exist(void)
{
    struct um_counters before = {.cpu_faults = 3}, after = {.bytes_h2d = 5, .cpu_faults = 9, .lost = 1};
    struct um_counters d = um_counters_difference(before, after), sum = {.cpu_faults = 2};

    UM_EQUAL(d.bytes_h2d, 5);
    UM_EQUAL(d.cpu_faults, UM_NONE);
    um_counters_add(&sum, d);
    UM_EQUAL(sum.cpu_faults, UM_NONE);
    um_counters_add(&sum, before);
    UM_EQUAL(sum.cpu_faults, UM_NONE);
    d = um_counters_difference(after, after); /* the next phase counts again */
    UM_EQUAL(d.cpu_faults, 0);
}

static void repetitions_join_to_the_median_and_the_worst_verdict(void)
{
    struct um_results runs[4] = {{0}}, joined = {0};
    static const double totals[4] = {40, 10, 30, 20};

    for (int r = 0; r < 4; r++) {
        row_of(&runs[r], "a", totals[r], UM_VERDICT_YES)->counters.contended = r == 1 ? 5 : 0;
        row_of(&runs[r], "b", totals[r], r == 3 ? UM_VERDICT_NO : UM_VERDICT_YES);
    }
    row_of(&runs[0], "c", NAN, UM_VERDICT_YES);
    um_results_join(&joined, runs, 4);
    UM_EQUAL(joined.count, 3);
    CU_ASSERT_DOUBLE_EQUAL(joined.rows[0]->total_us, 20, 0);
    UM_EQUAL(joined.rows[0]->repeat, 4);
    UM_EQUAL(joined.rows[0]->verdict, UM_VERDICT_YES);
    UM_EQUAL(joined.rows[0]->counters.contended, 5);
    UM_EQUAL(joined.rows[1]->verdict, UM_VERDICT_NO);
    UM_EQUAL(joined.rows[2]->verdict, UM_VERDICT_NO); /* seen in one repetition of four */
    UM_EQUAL(runs[0].count, 0);
    um_results_free(&joined);
}

static char *print(void (*function)(const struct um_lab *, const struct um_results *, FILE *),
                   const struct um_lab *of, const struct um_results *results)
{
    static char text[8192];
    FILE *file = tmpfile();

    function(of, results, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void the_table_is_aligned_and_says_its_units(void)
{
    struct um_lab narrow = lab;
    struct um_results results = {0};
    struct um_row *row = row_of(&results, "pageable", 1234.5, UM_VERDICT_YES);

    row->counters.bytes_h2d = 65536;
    row->counters.bytes_d2h = 0;
    row->bandwidth_gbs = 10.125;
    um_extra_count(row, "kernels", "kernels", "", 8);
    row = row_of(&results, "chunked", NAN, UM_VERDICT_NO);
    row->size_bytes = (size_t)1 << 20;
    row->counters.bytes_h2d = 3072;
    narrow.columns = UM_COLUMN_SIZE | UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH | UM_COLUMN_COPIED;
    UM_STRING_EQUAL(print(um_table_print, &narrow, &results),
                    "strategy   size   total   rate   copied  kernels  verified\n"
                    "                     us   GB/s  KiB H2D\n"
                    "pageable  4 KiB  1234.5  10.12       64        8  yes\n"
                    "chunked   1 MiB     n/a    n/a        3      n/a  NO\n"
                    "GB/s: bytes by time; 1 GB is 10^9 bytes\n"
                    "columns of nothing but 0 or n/a are left out: --wide shows all\n");
    um_width_set(UM_WIDTH_ANY);
    UM_CONTAINS(print(um_table_print, &narrow, &results),
                "strategy   size   total   rate   copied   copied  kernels  verified\n"
                "                     us   GB/s  KiB H2D  KiB D2H\n"
                "pageable  4 KiB  1234.5  10.12       64        0        8  yes\n");
    um_width_set(0);
    um_results_free(&results);
}

/* The longest line of a text. */
static size_t longest(const char *text)
{
    size_t most = 0;

    for (const char *line = text; line[0] != '\0'; line += strcspn(line, "\n") + 1)
        most = strcspn(line, "\n") > most ? strcspn(line, "\n") : most;
    return most;
}

static void what_is_too_wide_comes_in_parts_that_fit(void)
{
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
    struct um_results results = {0};
    struct um_row *row = row_of(&results, "a long name", 1234.5, UM_VERDICT_YES);
    const char *text;

    row->counters.cpu_faults = 77;
    for (size_t i = 0; i < UM_COUNT(keys); i++)
        um_extra_count(row, keys[i], keys[i], "a unit", 100 + (int64_t)i);
    row_of(&results, "nothing moved", 2, UM_VERDICT_YES);
    for (size_t width = UM_WIDTH_LEAST; width < 200; width += 20) {
        um_width_set(width);
        text = print(um_table_print, &lab, &results);
        CU_ASSERT_TRUE(longest(text) <= width);
        UM_CONTAINS(text, "1234.5"); /* times */
        UM_CONTAINS(text, "77");     /* movement */
        UM_CONTAINS(text, "105");    /* the last of the lab's own columns */
        UM_CONTAINS(text, "verified");
        UM_CONTAINS(text, "nothing moved");
    }
    um_width_set(0);
    um_results_free(&results);
}

static void sections_have_tables_of_their_own(void)
{
    static const struct um_strategy strategies[] = {{"a", "", NULL}, {"b", "", NULL}, {"c", "", NULL}};
    static const struct um_section sections[] = {{"b", "From b on"}, {0}};
    const struct um_lab two = {.name = "lab99",
                               .columns = UM_COLUMN_TOTAL | UM_COLUMN_FAULTS,
                               .strategies = strategies,
                               .strategy_count = 3,
                               .sections = sections};
    struct um_results results = {0};

    row_of(&results, "a", 1, UM_VERDICT_YES);
    row_of(&results, "b", 2, UM_VERDICT_YES)->counters.cpu_faults = 5;
    row_of(&results, "c", 3, UM_VERDICT_YES)->counters.cpu_faults = 0;
    UM_STRING_EQUAL(print(um_table_print, &two, &results),
                    "strategy  total  verified\n"
                    "             us\n"
                    "a           1.0  yes\n"
                    "\n"
                    "From b on\n"
                    "strategy  total     CPU  verified\n"
                    "             us  faults\n"
                    "b           2.0       5  yes\n"
                    "c           3.0       0  yes\n"
                    "columns of nothing but 0 or n/a are left out: --wide shows all\n");
    um_results_free(&results);
}

static void bytes_that_are_no_whole_units_show_decimals(void)
{
    struct um_lab narrow = lab;
    struct um_results results = {0};

    narrow.columns = UM_COLUMN_COPIED;
    row_of(&results, "x", 1, UM_VERDICT_YES)->counters.bytes_h2d = 1536;
    UM_CONTAINS(print(um_table_print, &narrow, &results), "1.50");
    um_results_free(&results);
}

static void text_is_broken_between_words(void)
{
    struct capture out;

    um_width_set(UM_WIDTH_LEAST);
    capture_begin(&out, STDOUT_FILENO);
    um_print(stdout, 2, "%s", "The quick brown fox jumps over the lazy dog, and ends here.\nA short line.\n");
    um_print(stdout, 0, "%s", "/a/word/that/is/longer/than/the/whole/line/stays/whole, then\n");
    capture_end(&out);
    um_width_set(0);
    UM_STRING_EQUAL(out.text, "The quick brown fox jumps over the lazy\n"
                              "  dog, and ends here.\n"
                              "A short line.\n"
                              "/a/word/that/is/longer/than/the/whole/line/stays/whole,\n"
                              "then\n");
}

static void COLUMNS_and_an_option_say_how_wide_lines_are(void)
{
    setenv("COLUMNS", "70", 1);
    UM_EQUAL(um_width(), 70);
    um_width_set(55);
    UM_EQUAL(um_width(), 55);
    um_width_set(0);
    setenv("COLUMNS", "3", 1);
    UM_EQUAL(um_width(), UM_WIDTH_LEAST);
    setenv("COLUMNS", "nonsense", 1);
    UM_EQUAL(um_width(), UM_WIDTH_USUAL);
    unsetenv("COLUMNS");
}

static void contended_and_skipped_rows_are_marked_and_explained(void)
{
    struct um_results results = {0};
    char *text;

    row_of(&results, "managed", 1, UM_VERDICT_YES)->counters.contended = 3;
    um_row_skip(row_of(&results, "mapped", 1, UM_VERDICT_NO), "this device cannot map %s", "host memory");
    text = print(um_table_print, &lab, &results);
    UM_CONTAINS(text, "managed ~ ");
    UM_CONTAINS(text, "\n~: host and GPU touched the same pages");
    UM_CONTAINS(text, "\nskipped mapped: this device cannot map host memory\n");
    UM_EQUAL(um_results_exit(&results), UM_EXIT_OK);
    um_results_free(&results);
}

static void the_last_line_counts_strategies_not_rows(void)
{
    struct um_results results = {0};
    char expected[128];

    row_of(&results, "a 4K", 1, UM_VERDICT_YES)->group = 0;
    row_of(&results, "a 8K", 1, UM_VERDICT_YES)->group = 0;
    snprintf(expected, sizeof expected, "lab99: 1 strategy, all verified (%s, %s, %s times)\n",
             um_backend_name(), um_device_label(), um_times());
    UM_STRING_EQUAL(print(um_last_line_print, &lab, &results), expected);

    row_of(&results, "b", 1, UM_VERDICT_SKIPPED)->group = 1;
    row_of(&results, "c", 1, UM_VERDICT_YES)->group = 2;
    row_of(&results, "c", 1, UM_VERDICT_NO)->group = 2;
    UM_CONTAINS(print(um_last_line_print, &lab, &results),
                "lab99: 3 strategies, 1 verified, 1 skipped, 1 NOT verified (");
    UM_EQUAL(um_results_exit(&results), UM_EXIT_FAILED);
    um_results_free(&results);
    UM_CONTAINS(print(um_last_line_print, &lab, &results), "lab99: 0 strategies, 0 verified (");
}

static char folder[] = "/tmp/umlab-test-XXXXXX";
static char path[64];
static const struct um_closing closing = {.text = "What was seen."};
static char *arguments[] = {"lab99", "--size", "4K"};
static const struct um_options options = {.argc = 3, .argv = arguments};

static void make_folder(void)
{
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/out.json", folder);
}

/* Files in the test's folder; removes them and it. */
static int clear_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    char name[512];
    int files = 0;

    while ((entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        unlink(name);
        files++;
    }
    closedir(directory);
    rmdir(folder);
    return files;
}

static char *contents(const char *name)
{
    static char text[16384];
    FILE *file = fopen(name, "r");

    text[0] = '\0';
    if (!file)
        return text;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void JSON_has_the_schema_and_null_for_what_is_not(void)
{
    struct um_results results = {0};
    struct um_row *row = row_of(&results, "pageable", 12.345, UM_VERDICT_YES);
    cJSON *root, *first, *second;

    um_extra_number(row, "pin_us", "pin", "us", 2.5, 1);
    um_extra_text(row, "note", "note", "", "a \"quoted\" note");
    um_row_skip(row_of(&results, "mapped", NAN, UM_VERDICT_NO), "no mapping");
    make_folder();
    CU_ASSERT_PTR_NULL(um_json_write(path, &lab, &options, &results, &closing));
    root = cJSON_Parse(contents(path));
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "schema")), "umlab/1");
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "lab")), "lab99");
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "backend")), um_backend_name());
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "times")), um_times());
    CU_ASSERT_TRUE(cJSON_HasObjectItem(root, um_is_sim() ? "profile" : "device"));
    UM_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(root, "args")), 2);
    first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), 0);
    second = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), 1);
    CU_ASSERT_DOUBLE_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "total_us")), 12.345, 0);
    UM_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "size_bytes")), 4096);
    CU_ASSERT_TRUE(cJSON_IsTrue(cJSON_GetObjectItem(first, "verified")));
    CU_ASSERT_TRUE(cJSON_IsNull(cJSON_GetObjectItem(first, "alloc_us")));
    CU_ASSERT_TRUE(cJSON_IsNull(cJSON_GetObjectItem(first, "cpu_faults")));
    CU_ASSERT_DOUBLE_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "pin_us")), 2.5, 0);
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(first, "note")), "a \"quoted\" note");
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "closing")), "What was seen.");
    CU_ASSERT_TRUE(cJSON_IsNull(cJSON_GetObjectItem(second, "verified")));
    UM_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(second, "skipped")), "no mapping");
    cJSON_Delete(root);
    um_results_free(&results);
    UM_EQUAL(clear_folder(), 1);
}

static void a_probe_leaves_nothing_and_changes_nothing(void)
{
    struct stat before, after;
    FILE *file;

    make_folder();
    CU_ASSERT_PTR_NULL(um_json_probe(path));
    CU_ASSERT_TRUE(access(path, F_OK) != 0);
    file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
    stat(path, &before);
    CU_ASSERT_PTR_NULL(um_json_probe(path));
    stat(path, &after);
    CU_ASSERT_TRUE(before.st_ino == after.st_ino && before.st_size == after.st_size);
    CU_ASSERT_PTR_NULL(um_json_probe("-"));
    CU_ASSERT_PTR_NOT_NULL(um_json_probe(folder));
    UM_EQUAL(clear_folder(), 1);
}

static void a_written_file_keeps_the_rights_of_the_old_one(void)
{
    struct um_results results = {0};
    struct stat status;

    make_folder();
    fclose(fopen(path, "w"));
    chmod(path, 0640);
    CU_ASSERT_PTR_NULL(um_json_write(path, &lab, &options, &results, &closing));
    stat(path, &status);
    UM_EQUAL(status.st_mode & 07777, 0640);
    UM_EQUAL(clear_folder(), 1);
}

static void a_full_disk_is_an_error_and_keeps_the_old_file(void)
{
    struct um_results results = {0};
    const struct rlimit small = {16, 16};
    FILE *file;
    int status;
    pid_t child;

    CU_ASSERT_PTR_NOT_NULL(um_json_write("/dev/full", &lab, &options, &results, &closing));
    make_folder();
    file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        _exit(um_json_write(path, &lab, &options, &results, &closing) ? 0 : 1);
    }
    waitpid(child, &status, 0);
    UM_EQUAL(status, 0);
    UM_STRING_EQUAL(contents(path), "old");
    UM_EQUAL(clear_folder(), 1);
}

static void too_many_extra_columns_are_told(void)
{
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    struct um_results results = {0};
    struct um_row *row = um_results_add(&results, "x", 4);
    struct capture err;

    capture_begin(&err, STDERR_FILENO);
    for (size_t i = 0; i < UM_COUNT(keys); i++) {
        um_extra_count(row, keys[i], keys[i], "", (int64_t)i);
    }
    um_extra_count(row, "a", "a", "", 77);
    capture_end(&err);
    UM_CONTAINS(err.text, "no room for column i");
    UM_EQUAL(row->extra_count, UM_EXTRAS_MAX);
    UM_EQUAL(row->extras[0].count, 77);
    um_results_free(&results);
}

UM_TESTS("result", {"a new row claims nothing", a_new_row_claims_nothing},
         {"one wrong part makes the row wrong", one_wrong_part_makes_the_row_wrong},
         {"phases add up, and pauses do not count", phases_add_up_and_pauses_do_not_count},
         {"counts in which records may have been lost do not exist",
          counts_in_which_records_may_have_been_lost_do_not_exist},
         {"counts that do not exist stay so", counts_that_do_not_exist_stay_so},
         {"repetitions join to the median and the worst verdict",
          repetitions_join_to_the_median_and_the_worst_verdict},
         {"too many extra columns are told", too_many_extra_columns_are_told});
UM_TESTS("table", {"the table is aligned and says its units", the_table_is_aligned_and_says_its_units},
         {"what is too wide comes in parts that fit", what_is_too_wide_comes_in_parts_that_fit},
         {"sections have tables of their own", sections_have_tables_of_their_own},
         {"text is broken between words", text_is_broken_between_words},
         {"COLUMNS and an option say how wide lines are", COLUMNS_and_an_option_say_how_wide_lines_are},
         {"bytes that are no whole units show decimals", bytes_that_are_no_whole_units_show_decimals},
         {"contended and skipped rows are marked and explained",
          contended_and_skipped_rows_are_marked_and_explained},
         {"the last line counts strategies, not rows", the_last_line_counts_strategies_not_rows});
UM_TESTS("json",
         {"JSON has the schema, and null for what is not", JSON_has_the_schema_and_null_for_what_is_not},
         {"a probe leaves nothing and changes nothing", a_probe_leaves_nothing_and_changes_nothing},
         {"a written file keeps the rights of the old one", a_written_file_keeps_the_rights_of_the_old_one},
         {"a full disk is an error and keeps the old file", a_full_disk_is_an_error_and_keeps_the_old_file});
