/**
 * @file full.c
 * @brief Makes space in a log that is full of segments (segments.c).
 *
 * The hook has saved no registers but the general ones, which is why nothing here may use others.
 */
#ifdef __x86_64__
#pragma GCC target("general-regs-only")
#endif
#include "block.h"

/* Those that the thread was expected to come by, and did, come first. */
static void count_expected(struct umsim_counting *it)
{
    for (size_t i = 0; it->follows && !it->segments_done && i < it->at; i++)
        if (umsim_count_is_segment(&it->way.last[i]))
            umsim_count_segment(it, umsim_count_segment_of(&it->way.last[i]));
    it->segments_done = it->strayed = true;
}

void umsim_count_log_full(void)
{
    struct umsim_counting *it = umsim_this_worker->counting;
    size_t lines = UMSIM_COUNT_LOG;
    if (it->is_common) {
        umsim_count_common_full();
        return;
    }
    count_expected(it);
    for (size_t i = 0; i < UMSIM_COUNT_LOG; i++) {
        struct umsim_count_noted *noted = &it->log[i];
        if (!umsim_count_is_segment(noted) || noted->key & UMSIM_COUNT_KEY_DONE)
            continue;
        umsim_count_segment(it, umsim_count_segment_of(noted));
        noted->key |= UMSIM_COUNT_KEY_DONE;
    }
    while (lines > 1 && umsim_count_is_segment(&it->log[lines - 2])) /* the latest is enough */
        lines--;
    it->log[lines - 1] = it->log[UMSIM_COUNT_LOG - 1];
    umsim_count_here.at = ((intptr_t)lines - UMSIM_COUNT_LOG) * (intptr_t)sizeof it->log[0];
}
