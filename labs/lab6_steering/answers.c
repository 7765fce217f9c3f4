/**
 * @file answers.c
 * @brief Implementation of answers.h: answers lab 6's questions from its rows and from the driver's rule.
 */
#include <math.h>

#include "answers.h"
#include "um_page.h"

#define BLOCK TABLE /* 2 MiB */

/* MiB that row `name` moved to the GPU; the rule is that the array goes there `times` times. */
static bool trips(const struct um_results *results, const char *name, size_t size, int times,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, name);

    if (!row)
        return false;
    answer->happened = um_mib((double)row->counters.bytes_migrated_h2d);
    if (size >= BLOCK) /* a smaller one shares its pages */
        answer->rule = times * um_mib((double)um_whole_pages(size));
    if (row->counters.evictions > 0 && answer->happened > answer->rule) {
        answer->rule = NAN;
        snprintf(answer->why, sizeof answer->why, "%lld blocks were evicted on the way, and came again",
                 (long long)row->counters.evictions);
    }
    return true;
}

bool answer_nothing(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer)
{
    snprintf(answer->why, sizeof answer->why, "%d rounds x %g MiB: the host's turn takes all of it back",
             ROUNDS, um_mib((double)options->size));
    return trips(results, "nothing", options->size, ROUNDS, answer);
}

bool answer_prefetch(const struct um_results *results, const struct um_options *options,
                     struct um_answer *answer)
{
    snprintf(answer->why, sizeof answer->why,
             "the same bytes, asked for before anybody had to stop for them");
    return trips(results, "prefetch", options->size, ROUNDS, answer);
}

bool answer_read_mostly(const struct um_results *results, const struct um_options *options,
                        struct um_answer *answer)
{
    snprintf(answer->why, sizeof answer->why,
             "once: the GPU's first read makes a copy, and both keep theirs");
    return trips(results, "read-mostly", options->size, 1, answer);
}

bool answer_rewrite(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "read-mostly");
    char page[UM_SIZE_TEXT];

    if (!row)
        return false;
    answer->happened = um_extra_value(row, "rewrite_cpu_faults");
    answer->rule = (double)um_whole_pages(options->size) / (double)um_page_bytes();
    snprintf(answer->why, sizeof answer->why, "%g MiB by %s: each page's copy is taken away by itself",
             um_mib((double)options->size), um_size_text((double)um_page_bytes(), page));
    return true;
}

bool answer_prefer_gpu(const struct um_results *results, const struct um_options *options,
                       struct um_answer *answer)
{
    snprintf(answer->why, sizeof answer->why,
             "the host cannot map the GPU's memory: what it touches has to come");
    return trips(results, "prefer-gpu", options->size, ROUNDS, answer);
}

bool answer_accessed_by(const struct um_results *results, const struct um_options *options,
                        struct um_answer *answer)
{
    snprintf(answer->why, sizeof answer->why,
             "the GPU has a mapping beforehand: no fault, so no page moves; it reads over the bus");
    return trips(results, "accessed-by", options->size, 0, answer);
}

bool answer_comes(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "oversubscribed");
    double table_mib;

    (void)options;
    if (!row)
        return false;
    table_mib = um_extra_value(row, "table_comes") * um_mib(TABLE);
    answer->happened = um_mib((double)row->counters.bytes_migrated_h2d);
    answer->rule = ROUNDS * um_mib((double)row->size_bytes) + table_mib;
    snprintf(answer->why, sizeof answer->why,
             "%d x %g MiB: each block has gone when its turn comes again; and %g MiB for the table", ROUNDS,
             um_mib((double)row->size_bytes), table_mib);
    return true;
}

bool answer_evicted(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "oversubscribed");

    (void)options;
    if (!row)
        return false;
    const double came = um_mib((double)row->counters.bytes_migrated_h2d) / um_mib(BLOCK);
    const double capacity = (double)(free_on_device() / BLOCK);

    answer->happened = (double)row->counters.evictions;
    answer->rule = came - capacity;
    snprintf(answer->why, sizeof answer->why,
             "%.0f blocks came, %.0f had room: for each of the others one had to go", came, capacity);
    return true;
}

void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing)
{
    const struct um_row *nothing = um_answering_row(results, "nothing");
    const struct um_row *prefetch = um_answering_row(results, "prefetch");
    const struct um_row *in_place = um_answering_row(results, "accessed-by");
    const struct um_row *copies = um_answering_row(results, "read-mostly");

    (void)options;
    if (!nothing || !prefetch || !in_place)
        return;
    um_closing_say(
        closing,
        "Told nothing, the driver took %.0f us; with prefetches %.0f for the same bytes; with AccessedBy "
        "%.0f, and no page moved.",
        nothing->total_us, prefetch->total_us, in_place->total_us);
    closing->fastest = nothing->total_us < prefetch->total_us ? nothing : prefetch;
    if (in_place->total_us < closing->fastest->total_us)
        closing->fastest = in_place;
    if (!copies)
        return;
    um_closing_say(closing,
                   " ReadMostly saved the way back, until the host wrote again: that alone took %.0f us.",
                   um_extra_value(copies, "rewrite_us"));
    if (copies->total_us > nothing->total_us)
        closing->surprise = copies;
}
