/**
 * @file work_limit.c
 * @brief Implementation of work_limit.h: the processor time of the GPU process, shared among its workers.
 */
#include "work_limit.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "../base/mode.h"
#include "../base/processes.h"
#include "../worker/launches.h"

#include <stdio.h>
#include <time.h>

/** The default limit in seconds. A checked kernel takes some hundred times as long, but what students check
 * is small. */
#define LIMIT_S 30
#define LIMIT_CHECKED_S 100
/** A GPU process that gets no processor time for so long does not merely wait for its turn. */
#define IDLE_LEAST_NS UINT64_C(5000000000)
/** The most that counts between two polls, because the host may have been stopped between them. */
#define POLL_MOST_NS UINT64_C(100000000)

static uint64_t limit_ns;

void umsim_work_limit_set(double seconds)
{
    limit_ns = (uint64_t)(seconds * 1e9);
}

static uint64_t limit(void)
{
    const uint64_t standard = umsim_checks ? LIMIT_CHECKED_S : LIMIT_S;
    return limit_ns ? limit_ns : standard * 1000000000;
}

/* Workers that still take part in the launch, of which the first is not in the count. One device works at a
 * time. */
static uint64_t workers_left(void)
{
    uint64_t left = 0;
    for (unsigned device = 0; device < umsim_devices; device++)
        left += atomic_load(&umsim_launches->team[device].job_left);
    return left;
}

/* A number that changes when the launch gets on: launches that have ended, shares of its blocks that were
 * begun, workers that have ended their part. A kernel that launches kernels can do so for ever, so that what
 * these do is no sign. */
static uint64_t stage_of_launch(void)
{
    const uint64_t completed = atomic_load(&umsim_processes->completed);
    if (umsim_launches->nested_name[0])
        return completed << 48;
    return (completed << 48) + (atomic_load(&umsim_launches->next_block) << 8) + workers_left();
}

static const char *endless(uint64_t most_ns)
{
    static char text[384];
    snprintf(
        text, sizeof text,
        "was stopped: it took more than UMSIM_KERNEL_TIMEOUT allows, %g s of processor time%s (an endless "
        "loop?).\n"
        "  instead  let it come to an end; if it only is slow, allow more: UMSIM_KERNEL_TIMEOUT=%g",
        (double)most_ns / 1e9,
        umsim_launches->nested_name[0] ? ", with those that launched it"
                                       : ", and finished no block meanwhile",
        (double)most_ns / 1e8);
    return text;
}

static const char *idle(uint64_t idle_ns)
{
    static char text[384];
    snprintf(
        text, sizeof text,
        "was stopped: the process that simulates the GPU has got no processor time for %g s (is it stopped "
        "by a signal or a debugger?).\n"
        "  instead  let it go on; UMSIM_KERNEL_TIMEOUT=%g waits longer",
        (double)idle_ns / 1e9, (double)idle_ns / 1e8);
    return text;
}

const char *umsim_work_exceeds(struct umsim_work_done *work)
{
    const uint64_t real_ns = umsim_real_ns(), processor_ns = umsim_gpu_processor_ns();
    const uint64_t stage = stage_of_launch(), before = work->stage;
    uint64_t passed = real_ns - work->real_ns, worked = processor_ns - work->processor_ns;
    const bool first = !work->begun;
    *work = (struct umsim_work_done){true, real_ns, processor_ns, work->worked_ns, work->idle_ns, stage};
    if (first)
        return NULL;
    passed = passed < POLL_MOST_NS ? passed : POLL_MOST_NS;
    work->idle_ns = worked ? 0 : work->idle_ns + passed;
    work->worked_ns = stage == before ? work->worked_ns + worked / (1 + workers_left()) : 0;
    const uint64_t most = limit(), most_idle = most > IDLE_LEAST_NS ? most : IDLE_LEAST_NS;
    if (work->worked_ns > most)
        return endless(most);
    return work->idle_ns > most_idle ? idle(most_idle) : NULL;
}
