/**
 * @file cut.c
 * @brief Blocks of the counting form that were cut at their barriers (umcc/fission.c): loops over the threads
 * of a block, and between them what a GPU's threads all do alike, which is executed once.
 *
 * That is noted before any thread is entered, and becomes the beginning of what each thread of the next loop
 * notes. So a thread's notes are what they would be if it ran by itself.
 */
#include "block.h"

#include <string.h>

void umsim_count_take_common(struct umsim_counting *it)
{
    it->is_common = false;
    it->commons = 0;
    if (!umsim_count_here.log_end)
        return;
    const size_t count = (size_t)(umsim_count_here.at + UMSIM_COUNT_LOG_BYTES) / sizeof it->log[0];
    it->commons = (unsigned)(count < UMSIM_COUNT_COMMON ? count : UMSIM_COUNT_COMMON);
    memcpy(it->common, it->log, it->commons * sizeof it->common[0]);
    if (count > UMSIM_COUNT_COMMON)
        it->common[UMSIM_COUNT_COMMON - 1] = it->log[count - 1];
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES;
}

__attribute__((visibility("default"))) void umsim_count_common(void)
{
    struct umsim_counting *it = umsim_this_worker->counting;
    umsim_count_common_end(it);
    umsim_count_interval_end(it);
    umsim_count_interval_begin(it);
    it->is_common = true;
}

/* Where a block comes from barrier to barrier and no thread does anything, what it does itself would become
 * too much to be kept: so each thread has it as all that it does. */
static void give_to_all(const struct umsim_worker *worker)
{
    for (size_t thread = 0; thread < worker->command->threads_a_block; thread++)
        umsim_count_thread(thread);
    umsim_count_common();
}

__attribute__((visibility("default"))) void umsim_count_barrier(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    worker->generation++;
    if (worker->counting->is_common && umsim_count_here.log_end &&
        (size_t)(umsim_count_here.at + UMSIM_COUNT_LOG_BYTES) > sizeof worker->counting->common / 2)
        give_to_all(worker);
}

void umsim_count_common_end(struct umsim_counting *it)
{
    if (it->is_common && umsim_count_here.log_end)
        umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES;
}
