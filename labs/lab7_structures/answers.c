/**
 * @file answers.c
 * @brief Implementation of answers.h: answers lab 7's questions from its rows.
 */
#include "answers.h"

#define APART ((size_t)512) /* small managed allocations on an H200 (driver 580, CUDA 13.0) */
#define BLOCK ((size_t)2 << 20)

bool answer_copied(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer)
{
    const struct um_row *row = um_answering_row(results, "arrays");
    const size_t n = options->size / sizeof(struct um_record);

    if (!row)
        return false;
    answer->happened = um_mib((double)row->counters.bytes_h2d);
    answer->rule = um_mib((double)(n * STEP_READS));
    snprintf(answer->why, sizeof answer->why, "%zu particles x %zu bytes of 32; %zu of them come back", n,
             STEP_READS, STEP_WRITES);
    return true;
}

bool answer_fetched(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer)
{
    const struct um_row *row = um_answering_row(results, "records");

    if (!row)
        return false;
    answer->happened =
        um_extra_value(row, "kernel_moved_kib") * 1024 / (double)(options->size / sizeof(struct um_record));
    answer->rule = 2 * UM_SECTOR_BYTES;
    snprintf(answer->why, sizeof answer->why,
             "its sector of %d bytes is read, and written back, for 36 of them", UM_SECTOR_BYTES);
    return true;
}

bool answer_moved(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "arrays-managed");
    const size_t n = options->size / sizeof(struct um_record);

    if (!row)
        return false;
    answer->happened = um_mib((double)row->counters.bytes_migrated_h2d);
    if (n * sizeof(float) % BLOCK == 0) /* else a block holds pages of two fields */
        answer->rule = um_mib((double)(n * STEP_READS));
    snprintf(answer->why, sizeof answer->why,
             "as copied by hand: pages of fields that nobody touches stay; records: %g",
             um_mib((double)options->size));
    return true;
}

bool answer_nodes(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *by_node = um_answering_row(results, "list-nodes");
    const struct um_row *packed = um_answering_row(results, "list-packed");

    (void)options;
    if (!by_node || !packed)
        return false;
    answer->happened = by_node->total_us / packed->total_us;
    snprintf(answer->why, sizeof answer->why, "%zu allocations and copies of 16 bytes, for one of each",
             (size_t)nodes);
    return true;
}

bool answer_apart(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "list-managed");

    (void)options;
    if (!row)
        return false;
    answer->happened = (double)row->counters.bytes_migrated_h2d / 1024;
    if (nodes * APART % BLOCK == 0)
        answer->rule = (double)(nodes * APART) / 1024;
    snprintf(answer->why, sizeof answer->why, "%zu nodes, %zu bytes apart, of which each uses 16",
             (size_t)nodes, APART);
    return true;
}

bool answer_back(const struct um_results *results, const struct um_options *options, struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "list-managed");

    (void)options;
    if (!row)
        return false;
    answer->happened = (double)row->counters.cpu_faults;
    snprintf(answer->why, sizeof answer->why,
             "for each 2 MiB 6 in order, 32 if nothing came along; here a piece comes once half of it was "
             "asked for");
    return true;
}

void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing)
{
    const struct um_row *by_node = um_answering_row(results, "list-nodes");
    const struct um_row *packed = um_answering_row(results, "list-packed");
    const struct um_row *records = um_answering_row(results, "records");
    const struct um_row *arrays = um_answering_row(results, "arrays");
    char times[UM_TIMES_TEXT];

    (void)options;
    if (by_node && packed) {
        um_closing_say(
            closing, "One list took %.0f us packed into one buffer and %.0f node by node: %s as long.",
            packed->total_us, by_node->total_us, um_times_text(by_node->total_us / packed->total_us, times));
        closing->fastest = packed;
        closing->surprise = um_answering_row(results, "list-managed");
    }
    if (records && arrays)
        um_closing_say(closing, "%sOne step of time: records took %s as long as arrays.",
                       closing->text[0] ? " " : "",
                       um_times_text(records->total_us / arrays->total_us, times));
}
