/**
 * @file um_test.c
 * @brief The test runner: collects suites, runs them by CUnit, prints results, writes JUnit XML. See
 * um_test.h.
 *
 * CUnit's own JUnit writer aborts as soon as a test fails (2.1-3: an assertion in its Util.c), and it has no
 * notion of a skipped test: both are done here, from CUnit's failure records.
 */
#include "um_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT_MAX = 1024 };

enum outcome { PASSED, FAILED, SKIPPED };

/** What became of one test. */
struct result {
    const struct um_test *test;
    const char *suite;
    char full_name[256]; /**< `suite: test` */
    enum outcome outcome;
    double seconds;
    char *text; /**< reason of a skip, or the failures, one a line; NULL when passed */
};

static struct um_test_suite *suites; /* sorted by name */
static struct result *results;
static size_t result_count;
static struct result *current;
static struct timespec started;

void um_test_register(struct um_test_suite *suite)
{
    struct um_test_suite **at = &suites;
    while (*at && strcmp((*at)->name, suite->name) <= 0)
        at = &(*at)->next;
    suite->next = *at;
    *at = suite;
}

double um_test_patience(void)
{
    const char *text = getenv("UM_PATIENCE");
    const double patience = text ? strtod(text, NULL) : 1;

    return patience > 1 ? patience : 1;
}

_Noreturn void um_test_skip(const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    current->outcome = SKIPPED;
    free(current->text);
    current->text = strdup(text);
    longjmp(*CU_get_current_test()->pJumpBuf, 1); /* CUnit's own way out of a test: what CU_..._FATAL does */
}

void um_test_fail(const char *file, unsigned line, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    CU_assertImplementation(CU_FALSE, line, text, file, "", CU_FALSE);
}

void um_test_string_equal(const char *file, unsigned line, const char *expression, const char *got,
                          const char *expected)
{
    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
    if (!got || strcmp(got, expected))
        um_test_fail(file, line, "%s is \"%s\", expected \"%s\"", expression, got ? got : "(null)", expected);
}

void um_test_contains(const char *file, unsigned line, const char *expression, const char *text,
                      const char *part)
{
    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
    if (!text || !strstr(text, part))
        um_test_fail(file, line, "%s does not contain \"%s\"; it is: %s", expression, part,
                     text ? text : "(null)");
}

/** CUnit calls this for every test: its name leads back to ours. */
static void run_current(void)
{
    if (um_test_cannot_run) {
        const char *reason = um_test_cannot_run();
        if (reason)
            um_test_skip("%s", reason);
    }
    current->test->run();
}

static void on_start(const CU_pTest test, const CU_pSuite suite)
{
    (void)suite;
    for (size_t i = 0; i < result_count; i++)
        if (!strcmp(results[i].full_name, test->pName))
            current = &results[i];
    clock_gettime(CLOCK_MONOTONIC, &started);
}

/** Joins a test's failure records, one a line. The caller frees it. */
static char *failure_text(const CU_pFailureRecord first)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (CU_pFailureRecord f = first; f; f = f->pNext)
        fprintf(out, "%s%s:%u: %s", f == first ? "" : "\n", f->strFileName ? f->strFileName : "?",
                f->uiLineNumber, f->strCondition ? f->strCondition : "?");
    fclose(out);
    return text;
}

static void on_complete(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
    (void)test;
    (void)suite;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    current->seconds = (double)(now.tv_sec - started.tv_sec) + 1e-9 * (double)(now.tv_nsec - started.tv_nsec);
    if (failure) {
        current->outcome = FAILED;
        free(current->text);
        current->text = failure_text(failure);
        printf("  FAIL  %s\n", current->full_name);
        for (const char *line = current->text; line && *line;) {
            size_t length = strcspn(line, "\n");
            printf("        %.*s\n", (int)length, line);
            line += length + (line[length] == '\n');
        }
    } else if (current->outcome == SKIPPED) {
        printf("  SKIP  %s: %s\n", current->full_name, current->text);
    } else {
        printf("  ok    %s\n", current->full_name);
    }
    fflush(stdout);
}

static void put_xml(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; c && *c; c++) {
        if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else if (*c == '\n')
            fputs("&#10;", out);
        else if (*c == '\t' || (*c >= 0x20 && *c < 0x7f))
            fputc(*c, out);
        else
            fprintf(out, "\\x%02x",
                    *c); /* XML 1.0 has no place for control characters, nor for broken UTF-8 */
    }
}

static void put_case(FILE *out, const struct result *r)
{
    fputs("  <testcase classname=\"", out);
    put_xml(out, r->suite);
    fputs("\" name=\"", out);
    put_xml(out, r->test->name);
    fprintf(out, "\" time=\"%.6f\"", r->seconds);
    if (r->outcome == PASSED) {
        fputs("/>\n", out);
        return;
    }
    fprintf(out, ">\n    <%s message=\"", r->outcome == FAILED ? "failure" : "skipped");
    put_xml(out, r->text);
    fputs("\"/>\n  </testcase>\n", out);
}

static size_t count(enum outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < result_count; i++)
        n += results[i].outcome == outcome;
    return n;
}

static int write_xml(const char *path, const char *program)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return -1;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
    put_xml(out, program);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", result_count,
            count(FAILED), count(SKIPPED));
    for (size_t i = 0; i < result_count; i++)
        put_case(out, &results[i]);
    fputs("</testsuite>\n", out);
    int failed = ferror(out);
    if (fclose(out) || failed) {
        fprintf(stderr, "%s: cannot write\n", path);
        return -1;
    }
    return 0;
}

/** The command line, read. */
struct options {
    int list;
    const char *after, *xml;
    char **names;
    int name_count;
};

static int selected(const struct options *o, const char *full_name)
{
    for (int i = 0; i < o->name_count; i++)
        if (strstr(full_name, o->names[i]))
            return 1;
    return o->name_count == 0;
}

/** Fills `results` with the tests that the options choose, in the order in which they run. -1: out of memory.
 */
static int choose(const struct options *o)
{
    size_t total = 0;
    for (struct um_test_suite *s = suites; s; s = s->next)
        total += s->count;
    results = calloc(total ? total : 1, sizeof *results);
    if (!results)
        return -1;
    int passed_by = !o->after;
    for (struct um_test_suite *s = suites; s; s = s->next) {
        for (size_t i = 0; i < s->count; i++) {
            struct result *r = &results[result_count];
            snprintf(r->full_name, sizeof r->full_name, "%s: %s", s->name, s->tests[i].name);
            r->test = &s->tests[i];
            r->suite = s->name;
            if (passed_by && selected(o, r->full_name))
                result_count++;
            else if (!passed_by && !strcmp(r->full_name, o->after))
                passed_by = 1;
        }
    }
    return 0;
}

/** Hands the chosen tests to CUnit. CUnit wants suites apart; names are unique by their suite's name before
 * them. */
static int fill_registry(void)
{
    CU_pSuite suite = NULL;
    for (size_t i = 0; i < result_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!strcmp(results[i].full_name, results[j].full_name)) {
                fprintf(stderr, "two tests are named \"%s\"\n", results[i].full_name);
                return -1;
            }
        }
        if (!suite || strcmp(suite->pName, results[i].suite))
            suite = CU_add_suite(results[i].suite, NULL, NULL);
        if (!suite || !CU_add_test(suite, results[i].full_name, run_current)) {
            fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
            return -1;
        }
    }
    return 0;
}

static int read_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--list")) {
            o->list = 1;
        } else if ((!strcmp(argv[i], "--after") || !strcmp(argv[i], "--xml")) && i + 1 < argc) {
            *(argv[i][2] == 'a' ? &o->after : &o->xml) = argv[i + 1];
            i++;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "usage: %s [--list] [--xml FILE] [--after NAME] [NAME...]\n", argv[0]);
            return -1;
        } else {
            o->names = argv + i;
            o->name_count = argc - i;
            break;
        }
    }
    return 0;
}

static int run_all(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS || fill_registry())
        return -1;
    CU_set_test_start_handler(on_start);
    CU_set_test_complete_handler(on_complete);
    CU_set_error_action(CUEA_IGNORE);
    if (result_count)
        CU_run_all_tests();
    CU_cleanup_registry();
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    if (read_options(argc, argv, &o) || choose(&o))
        return 2;
    if (o.list) {
        for (size_t i = 0; i < result_count; i++)
            puts(results[i].full_name);
        return 0;
    }
    if (result_count == 0 && o.name_count && !o.after) {
        fprintf(stderr, "%s: no test's name contains \"%s\" (--list shows them)\n", argv[0], o.names[0]);
        return 2;
    }
    if (run_all())
        return 2;
    const char *slash = strrchr(argv[0], '/');
    if (o.xml && write_xml(o.xml, slash ? slash + 1 : argv[0]))
        return 2;
    printf("%zu passed, %zu failed, %zu skipped\n", count(PASSED), count(FAILED), count(SKIPPED));
    return count(FAILED) ? 1 : 0;
}
