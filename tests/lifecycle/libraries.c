/**
 * @file libraries.c
 * @brief Libraries with kernels and device variables come and go by dlopen() and dlclose()
 * (programs/plugins.cu).
 */
#include "spawn.h"

#include "um_test.h"

/* Fewer where a sanitizer makes each new GPU process several times as long. */
#if defined(__SANITIZE_ADDRESS__)
#define MANY "50"
#else
#define MANY "1000"
#endif

static void plugins(const char *mode, const char *rounds, const char *schedule)
{
    struct run run = {
        .program = "plugins", .arguments = {mode, rounds}, .environment = {schedule}, .limit_s = 120};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.err, "");
    run_left_nothing(&run);
}

static void two_libraries_in_turn_a_thousand_times_leave_nothing(void)
{
    plugins("in-turn", MANY, NULL);
}

static void they_may_come_to_other_addresses_each_time(void)
{
    plugins("at-other-addresses", "60", NULL);
}

static void they_come_and_go_while_kernels_of_others_run(void)
{
    plugins("while-others-run", "40", NULL);
    plugins("while-others-run", "40", "UMSIM_SCHED=eager");
    plugins("while-others-run", "40", "UMSIM_SCHED=random:5");
}

static void two_threads_have_a_library_each(void)
{
    plugins("by-two-threads", "100", NULL);
    plugins("by-two-threads", "100", "UMSIM_SCHED=eager");
}

static void what_is_queued_runs_before_its_library_is_closed(void)
{
    plugins("with-work-queued", "50", NULL);
    plugins("with-work-queued", "50", "UMSIM_SCHED=random:9");
}

static void what_was_set_for_a_kernel_ends_with_its_library(void)
{
    plugins("settings-end-with-it", "10", NULL);
}

static void a_host_function_may_close_a_library(void)
{
    plugins("in-a-host-function", "20", NULL);
}

static void a_forked_child_that_closes_a_library_takes_nothing_away(void)
{
    plugins("in-children", NULL, NULL);
}

static void a_fatal_error_about_a_module_ends_the_program_at_once(void)
{
    struct run run = {.program = "plugins", .arguments = {"too-many"}};
    run_to_end(&run);
    run_exited(&run, 2);
    UM_CONTAINS(run.err, "umsim: too many modules with __managed__ variables (at most 63)");
    CU_ASSERT_TRUE(run.seconds < 10);
    run_left_nothing_after(&run, 1);
}

static void a_thread_that_waits_for_ever_does_not_hold_up_the_end(void)
{
    plugins("at-the-end", NULL, NULL);
}

UM_TESTS("libraries",
         {"two libraries in turn, " MANY " times, leave nothing",
          two_libraries_in_turn_a_thousand_times_leave_nothing},
         {"they may come to other addresses each time", they_may_come_to_other_addresses_each_time},
         {"they come and go while kernels of others run", they_come_and_go_while_kernels_of_others_run},
         {"two threads have a library each", two_threads_have_a_library_each},
         {"what is queued runs before its library is closed",
          what_is_queued_runs_before_its_library_is_closed},
         {"what was set for a kernel ends with its library", what_was_set_for_a_kernel_ends_with_its_library},
         {"a host function may close a library", a_host_function_may_close_a_library},
         {"a forked child that closes a library takes nothing away",
          a_forked_child_that_closes_a_library_takes_nothing_away},
         {"a fatal error about a module ends the program at once",
          a_fatal_error_about_a_module_ends_the_program_at_once},
         {"a thread that waits for ever does not hold up the end",
          a_thread_that_waits_for_ever_does_not_hold_up_the_end});
