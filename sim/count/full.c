/**
 * @file full.c
 * @brief Makes space in a log that is full of segments (segments.c).
 *
 * The hook has saved no registers but the general ones, which is why nothing here may use others.
 */
#pragma GCC target("general-regs-only")
#include "block.h"

/* The latest stays: it tells of what threads do first (umcc/tellers.c). */
void umsim_count_common_full(struct umsim_counting *it)
{
    const size_t lines = (size_t)(umsim_count_here.at + UMSIM_COUNT_LOG_BYTES) / sizeof it->log[0];
    it->log[UMSIM_COUNT_COMMON - 1] = it->log[lines - 1];
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES + UMSIM_COUNT_COMMON * (intptr_t)sizeof it->log[0];
}

/* Those that the thread was expected to come by, and did, come first. */
static void count_expected(struct umsim_counting *it)
{
    for (size_t i = 0; it->follows && !it->segments_done && i < it->at; i++)
        if (it->way.step[i].segment)
            umsim_count_segment(it, it->way.step[i].segment);
    it->segments_done = it->strayed = true;
}

void umsim_count_log_full(void)
{
    struct umsim_counting *it = umsim_this_worker->counting;
    struct umsim_count_noted *log = (struct umsim_count_noted *)umsim_count_here.log_end - UMSIM_COUNT_LOG;
    size_t lines = UMSIM_COUNT_LOG, own = 0;
    if (it->is_common) {
        umsim_count_common_full(it);
        return;
    }
    const unsigned thread = it->thread;
    if (umsim_count_here.row_next != UMSIM_COUNT_NO_ROW) { /* others' notes come before */
        own = it->commons;
        it->thread = umsim_count_here.row_thread;
        umsim_count_here.row_end = 0; /* no other one goes on in it */
    }
    count_expected(it);
    for (size_t i = own; i < UMSIM_COUNT_LOG; i++) {
        struct umsim_count_noted *noted = &log[i];
        const struct umsim_segment *segment = umsim_count_segment_of(noted);
        if (!segment || noted->key & UMSIM_COUNT_KEY_DONE)
            continue;
        umsim_count_segment(it, segment);
        noted->key |= UMSIM_COUNT_KEY_DONE;
    }
    it->thread = thread;
    while (lines > own + 1 && umsim_count_is_segment(&log[lines - 2])) /* the latest is enough */
        lines--;
    log[lines - 1] = log[UMSIM_COUNT_LOG - 1];
    umsim_count_here.at = ((intptr_t)lines - UMSIM_COUNT_LOG) * (intptr_t)sizeof it->log[0];
}
