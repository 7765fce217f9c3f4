/**
 * @file um_test.h
 * @brief The project's test runner: a thin layer over CUnit. Include it, write tests, name them as sentences.
 *
 *     static void the_sum_of_nothing_is_zero(void) {
 *         CU_ASSERT_EQUAL(sum(NULL, 0), 0);
 *     }
 *     UM_TESTS("sum", {"the sum of nothing is zero", the_sum_of_nothing_is_zero},
 *                     {"the sum wraps around", the_sum_wraps_around});
 *
 * There is no main() to write: um_test.c has it. Several files with UM_TESTS can be linked into one
 * executable (their suites run in the order of their names). One file may hold several UM_TESTS, each with
 * its own suite name.
 *
 *     ./test                   runs every test, prints one line for each, then their sum
 *     ./test NAME...           only the tests whose name, or whose suite's name, contains one of the NAMEs
 *     ./test --list            the tests' names
 *     ./test --after NAME      only those that follow the one with exactly this name (`suite: test`):
 *                              how tests/run.py goes on after a crash
 *     ./test --xml FILE        also writes JUnit XML
 *
 * Exit 0: none failed; 1: a test failed; 2: bad usage, or the XML cannot be written.
 *
 * A test's process is the runner's own. What is to die belongs in a forked child; leave that by _exit().
 */
#ifndef UM_TEST_H
#define UM_TEST_H

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stddef.h>

/** One test: a sentence that says what holds, and the function that shows it. */
struct um_test {
    const char *name;
    void (*run)(void);
};

/** A file's tests. `next` is the runner's. */
struct um_test_suite {
    const char *name;
    const struct um_test *tests;
    size_t count;
    struct um_test_suite *next;
};

/** Makes a suite known to the runner, before main(). UM_TESTS calls it. */
void um_test_register(struct um_test_suite *suite);

/**
 * Ends the running test as skipped, with a reason: it counts neither as passed nor as failed (unless an
 * assertion failed before). Works from helpers that the test calls, not from other threads or forked
 * children.
 */
_Noreturn void um_test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Records a failure with a message that carries the values; the test goes on. `if (!ok) um_test_fail(...)` is
 * for what CU_ASSERT's condition alone would not explain. @param file,line where; UM_FAIL fills them in.
 */
void um_test_fail(const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/**
 * An executable may define this: the reason why none of its tests can run here (no GPU, say), or NULL when
 * they can. Every test is then skipped with it.
 */
const char *um_test_cannot_run(void) __attribute__((weak));

/**
 * @return how many times as long as elsewhere this machine may take for what a test waits for: UM_PATIENCE of
 * the environment (50 where a processor is emulated), 1 unless set
 */
double um_test_patience(void);

/** Ends the running test as skipped: UM_SKIP("no %s here", what). */
#define UM_SKIP(...) um_test_skip(__VA_ARGS__)

/** Records a failure with its own message: UM_FAIL("%d bytes, not %d", got, expected). */
#define UM_FAIL(...) um_test_fail(__FILE__, __LINE__, __VA_ARGS__)

/** Two integers are equal; a failure shows both. Each is evaluated once. */
#define UM_EQUAL(got, expected)                                                                              \
    do {                                                                                                     \
        long long um_got_ = (long long)(got), um_expected_ = (long long)(expected);                          \
        CU_assertImplementation(CU_TRUE, __LINE__, "", __FILE__, "", CU_FALSE);                              \
        if (um_got_ != um_expected_)                                                                         \
            UM_FAIL("%s is %lld, expected %s = %lld", #got, um_got_, #expected, um_expected_);               \
    } while (0)

/** Two strings are equal; a failure shows both. */
#define UM_STRING_EQUAL(got, expected) um_test_string_equal(__FILE__, __LINE__, #got, (got), (expected))
void um_test_string_equal(const char *file, unsigned line, const char *expression, const char *got,
                          const char *expected);

/** `text` contains `part`; a failure shows the text. */
#define UM_CONTAINS(text, part) um_test_contains(__FILE__, __LINE__, #text, (text), (part))
void um_test_contains(const char *file, unsigned line, const char *expression, const char *text,
                      const char *part);

#define UM_TEST_JOIN2(a, b) a##b
#define UM_TEST_JOIN(a, b) UM_TEST_JOIN2(a, b)

/** UM_TESTS("suite", {"a sentence", function}, ...); at file scope. */
#define UM_TESTS(suite_name, ...)                                                                            \
    static const struct um_test UM_TEST_JOIN(um_tests_, __LINE__)[] = {__VA_ARGS__};                         \
    __attribute__((constructor)) static void UM_TEST_JOIN(um_register_, __LINE__)(void)                      \
    {                                                                                                        \
        static struct um_test_suite suite = {                                                                \
            suite_name, UM_TEST_JOIN(um_tests_, __LINE__),                                                   \
            sizeof UM_TEST_JOIN(um_tests_, __LINE__) / sizeof(struct um_test), NULL};                        \
        um_test_register(&suite);                                                                            \
    }                                                                                                        \
    struct um_test /* takes the semicolon */

#endif
