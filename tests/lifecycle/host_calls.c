/**
 * @file host_calls.c
 * @brief CUDA calls inside host functions and callbacks (programs/host_calls.cu).
 */
#include "spawn.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "um_test.h"

/* The first refusal is explained, and only that. */
static void refused(const char *mode, const char *call, const char *schedule)
{
    struct run run = {.program = "host_calls", .arguments = {mode}, .environment = {schedule}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_CONTAINS(run.err, call);
    UM_CONTAINS(run.err, "have it signal another thread, and call CUDA there");
    CU_ASSERT_PTR_EQUAL(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    run_left_nothing(&run);
}

static void an_event_behind_a_host_function_is_not_waited_for_there(void)
{
    refused("events", "umsim: cudaEventSynchronize() inside a host function", NULL);
    refused("events", "umsim: cudaEventSynchronize() inside a host function", "UMSIM_SCHED=random:3");
}

static void its_errors_are_not_those_of_the_thread_that_waits(void)
{
    refused("last-errors", "umsim: cudaGetDevice() inside a host function", NULL);
}

static void what_is_refused_is_not_done(void)
{
    refused("refused-work", "umsim: cudaLaunchKernel() inside a host function", NULL);
    refused("refused-work", "umsim: cudaLaunchKernel() inside a host function", "UMSIM_SCHED=eager");
}

static void a_graphs_host_function_may_not_call_CUDA_either(void)
{
    refused("in-graphs", "umsim: cudaDeviceSynchronize() inside a host function", NULL);
}

static void a_thread_that_it_starts_may_call_CUDA(void)
{
    struct run run = {.program = "host_calls", .arguments = {"threads-of-its-own"}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.err, "");
}

static void an_exception_that_leaves_it_ends_the_program(void)
{
    struct run run = {.program = "host_calls", .arguments = {"exceptions"}};
    run_to_end(&run);
    run_died_of(&run, SIGABRT);
    UM_CONTAINS(run.err, "terminate called after throwing an instance of 'int'");
    UM_STRING_EQUAL(run.out, "");
    run_left_nothing_after(&run, 1);
}

UM_TESTS("calls in host functions",
         {"an event behind a host function is not waited for there",
          an_event_behind_a_host_function_is_not_waited_for_there},
         {"its errors are not those of the thread that waits",
          its_errors_are_not_those_of_the_thread_that_waits},
         {"what is refused is not done", what_is_refused_is_not_done},
         {"a graph's host function may not call CUDA either",
          a_graphs_host_function_may_not_call_CUDA_either},
         {"a thread that it starts may call CUDA", a_thread_that_it_starts_may_call_CUDA},
         {"an exception that leaves it ends the program", an_exception_that_leaves_it_ends_the_program});
