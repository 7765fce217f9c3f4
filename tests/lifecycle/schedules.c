/**
 * @file schedules.c
 * @brief The programs of tests/programs whose order matters, again under every schedule; and what only `lazy`
 * shows.
 */
#include "spawn.h"

#include <stdio.h>

#include "um_test.h"

enum { SEEDS = 20 };

static void under(const char *program, const char *schedule)
{
    struct run run = {.program = program, .environment = {schedule}};
    run_to_end(&run);
    run_exited(&run, 0);
}

static void under_all(const char *program)
{
    char schedule[64];
    under(program, "UMSIM_SCHED=lazy");
    under(program, "UMSIM_SCHED=eager");
    for (int seed = 1; seed <= SEEDS; seed++) {
        snprintf(schedule, sizeof schedule, "UMSIM_SCHED=random:%d", seed);
        under(program, schedule);
    }
}

static void streams_and_events_keep_their_order_under_every_schedule(void)
{
    under_all("streams_in_order");
}

static void eight_host_threads_come_to_the_right_numbers_under_every(void)
{
    under_all("host_threads");
}

static void host_functions_keep_their_order_under_every_schedule(void)
{
    under_all("host_functions");
}

static void a_legal_spin_on_a_mapped_flag_ends_under_every_schedule(void)
{
    under("mapped_flag", "UMSIM_SCHED=lazy");
    under("mapped_flag", "UMSIM_SCHED=eager");
    under("mapped_flag", "UMSIM_SCHED=random:1");
}

static void a_kernel_that_polls_does_not_give_up_before_the_host_has_had_the_time(void)
{
    under("mapped_latch", "UMSIM_SCHED=lazy");
    under("mapped_latch", "UMSIM_SCHED=eager");
    under("mapped_latch", "UMSIM_SCHED=random:1");
}

static void a_forgotten_synchronisation_shows_stale_data_every_time_under(void)
{
    for (int i = 0; i < 20; i++) {
        struct run run = {.program = "victim", .arguments = {"forgotten"}};
        run_to_end(&run);
        run_exited(&run, 0);
        UM_STRING_EQUAL(run.out, "1 1 1 then 2 2 2\ncudaSuccess\n");
    }
}

static void threads_clocks_go_from_creator_to_thread_to_joiner_four_threads(void)
{
    static const char *const schedules[] = {"UMSIM_SCHED=lazy", "UMSIM_SCHED=eager", "UMSIM_THREADS=1"};
    struct run first = {.program = "clocks"};
    run_to_end(&first);
    run_exited(&first, 0);
    for (int i = 0; i < 9; i++) {
        struct run run = {.program = "clocks", .environment = {schedules[i % 3]}};
        run_to_end(&run);
        run_exited(&run, 0);
        UM_STRING_EQUAL(run.out, first.out);
    }
}

UM_TESTS(
    "schedules",
    {"streams and events keep their order under every schedule",
     streams_and_events_keep_their_order_under_every_schedule},
    {"eight host threads come to the right numbers under every schedule",
     eight_host_threads_come_to_the_right_numbers_under_every},
    {"host functions keep their order under every schedule",
     host_functions_keep_their_order_under_every_schedule},
    {"a legal spin on a mapped flag ends under every schedule",
     a_legal_spin_on_a_mapped_flag_ends_under_every_schedule},
    {"a kernel that polls does not give up before the host has had the time",
     a_kernel_that_polls_does_not_give_up_before_the_host_has_had_the_time},
    {"threads' clocks go from creator to thread to joiner; four threads give the same times again and again",
     threads_clocks_go_from_creator_to_thread_to_joiner_four_threads},
    {"a forgotten synchronisation shows stale data every time under lazy",
     a_forgotten_synchronisation_shows_stale_data_every_time_under});
