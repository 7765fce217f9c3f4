/**
 * @file told_by_code.c
 * @brief What kernels compiled by `umcc --check` tell of themselves by calls (umsim/abi.h): which thread
 * runs, and where it has come to.
 */
#include "check.h"
#include "pretest.h"
#include "quick.h"
#include "race.h"
#include "rows.h"
#include "../base/mode.h"
#include "../base/processes.h"
#include "../include/umsim/abi.h"
#include "../worker/worker.h"

void umsim_synchronised(unsigned threads)
{
    if (umsim_in_gpu && (umsim_checks & UMSIM_CHECK_RACE) && umsim_this_worker->current)
        umsim_race_synchronised(threads == umsim_this_worker->command->threads_a_block);
}

void umsim_polls(int begins)
{
    if (umsim_in_gpu && umsim_this_worker && umsim_this_worker->current)
        umsim_this_worker->current->polls = begins;
}

void umsim_left(const char *file, int line)
{
    struct umsim_fiber *me = umsim_in_gpu && umsim_this_worker ? umsim_this_worker->current : NULL;
    if (!me)
        return;
    if (me->left_since != me->generation)
        me->left_count = 0;
    me->left_since = me->generation;
    if (me->left_count < UMSIM_LEFT_MAX)
        me->left[me->left_count++] = (struct umsim_place_in_source){file, line};
}

unsigned umsim_threads_alone(unsigned end)
{
    umsim_rows_cut = 0;
    umsim_rows_idle = false;
    return end;
}

/* worker.c has written down their indices. */
unsigned umsim_thread_alone(unsigned number, unsigned end)
{
    struct umsim_worker *worker = umsim_this_worker;
    worker->alone = worker->fibers + number;
    if (umsim_rows_idle)
        return end;
    if (umsim_pretest_rows_kept)
        umsim_pretest_settle();
    umsim_quick_next(worker->alone);
    return end - umsim_rows_cut;
}

void umsim_block_met(void)
{
    if (umsim_in_gpu && (umsim_checks & UMSIM_CHECK_RACE))
        umsim_race_barrier();
}

void umsim_came_to_end(void)
{
    if (umsim_in_gpu && umsim_this_worker && umsim_this_worker->current)
        umsim_this_worker->current->came_to_end = true;
}

void umsim_block_scope(int block)
{
    if (umsim_in_gpu && (umsim_checks & UMSIM_CHECK_RACE))
        umsim_race_block_scope(block);
}

void umsim_check_warp(void)
{
    if (umsim_checks & UMSIM_CHECK_RACE)
        umsim_race_warp_barrier();
}
