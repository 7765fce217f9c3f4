/**
 * @file progress.c
 * @brief Implementation of progress.h.
 */
#include "progress.h"
#include "../base/libc.h"
#include "../base/processes.h"
#include "../base/program_clock.h"
#include "../base/report.h"
#include "../worker/launches.h"

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#define FIRST_NS UINT64_C(10000000000)
static const uint64_t TIMES = 3; /* as long, until it is said again */
/** The clock is told where it shows less than this part of what was waited. */
static const double SLOWER = 10;
/** The most that counts between two polls: the program may have been stopped between them. */
static const uint64_t POLL_MOST_NS = UINT64_C(500000000);

/* Threads may wait at the same time, which counts once. */
static atomic_ullong seen_ns, waited_ns, due_ns = FIRST_NS;

/* The skew is what the waits took less than they were modelled to. */
static void tell_clock(uint64_t ns)
{
    const double shown = (double)ns + (double)umsim_program_clock_skew();
    if (umsim_program_clock_is_modelled() && umsim_program_clock_was_read() && shown < (double)ns / SLOWER)
        umsim_say(
            "the program's own clock has counted %.2g s of it, what a GPU would take. If the program repeats "
            "its work until some seconds have passed, UMSIM_CLOCK=real has them pass as they do.",
            shown > 0 ? shown / 1e9 : 0);
}

static void tell(uint64_t ns)
{
    const unsigned done = atomic_load(&umsim_processes->completed);
    const unsigned at =
        done == atomic_load(&umsim_processes->submitted) ? done - 1 : done; /* it has just ended */
    const struct umsim_command *command = &umsim_launches->ring[at % UMSIM_RING];
    const dim3 grid = command->geometry.grid, block = command->geometry.block;
    const unsigned long long begun = atomic_load(&umsim_launches->next_block);
    const double part = begun < command->blocks ? (double)begun / (double)command->blocks : 1;
    umsim_say(
        "computing for %.0f s so far: %s<<<(%u, %u, %u), (%u, %u, %u)>>>, launch %u, has begun %.0f%% of its "
        "blocks.\n"
        "  Processors stand in for a GPU here: a smaller size ends sooner. Ctrl-C ends the program.",
        (double)ns / 1e9, command->kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, at + 1,
        100 * part);
    tell_clock(ns);
}

void umsim_progress_waited(uint64_t *from_ns)
{
    const uint64_t now = umsim_real_ns(), seen = atomic_exchange(&seen_ns, now);
    const uint64_t passed = now - (seen > *from_ns ? seen : *from_ns);
    const uint64_t waited = atomic_fetch_add(&waited_ns, passed < POLL_MOST_NS ? passed : POLL_MOST_NS);
    unsigned long long due = atomic_load(&due_ns);
    *from_ns = now;
    if (waited < due || !atomic_compare_exchange_strong(&due_ns, &due, due * TIMES))
        return;
    if (isatty(STDERR_FILENO))
        tell(waited);
}
