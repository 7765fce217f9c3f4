/**
 * @file answers.c
 * @brief Implementation of answers.h: answers lab 5's questions from its rows and from the driver's rule.
 */
#include "answers.h"
#include "um_page.h"

static double in_kib(int64_t bytes)
{
    return (double)bytes / 1024;
}

/* The end of the piece that a fault at byte `at` of a block brings, when everything before it has been
 * brought: its 64 KiB, and then each larger aligned piece of which more than 51% is there or comes now. */
static size_t piece_end(size_t at, size_t block_bytes)
{
    const size_t asked = at + BIG_PAGE < block_bytes ? at + BIG_PAGE : block_bytes;
    size_t end = asked;

    for (size_t size = 2 * BIG_PAGE; size <= BLOCK; size *= 2) {
        const size_t first = at / size * size;
        const size_t last = first + size < block_bytes ? first + size : block_bytes;

        if ((asked - first) * 100 > (last - first) * 51)
            end = last;
    }
    return end;
}

/* Faults of a walk through the first `bytes` of a block of `block_bytes`; also writes the pieces as text,
 * where there is space. An allocation below 2 MiB shares a block with others, so its block is a whole one. */
static int block_faults(size_t bytes, size_t block_bytes, char *pieces, size_t capacity)
{
    char size[UM_SIZE_TEXT];
    size_t used = 0;
    int faults = 0;

    for (size_t at = 0, end; at < bytes; at = end, faults++) {
        end = piece_end(at, block_bytes);
        if (used < capacity)
            used += (size_t)snprintf(pieces + used, capacity - used, "%s%s", at > 0 ? " + " : "",
                                     um_size_text((double)(end - at), size));
    }
    return faults;
}

bool answer_first(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "managed: kernel");

    if (!row)
        return false;
    answer->happened = um_mib((double)row->counters.bytes_migrated_h2d);
    if (options->size >= BLOCK) /* a smaller one shares its pages */
        answer->rule = um_mib((double)um_whole_pages(options->size));
    snprintf(answer->why, sizeof answer->why,
             "the host wrote all of them last, and the kernel touches them all");
    return true;
}

bool answer_again(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "managed: kernel again");

    (void)options;
    if (!row)
        return false;
    answer->happened = um_mib((double)row->counters.bytes_migrated_h2d);
    answer->rule = 0;
    snprintf(answer->why, sizeof answer->why, "they are where it needs them: no fault, no move");
    return true;
}

bool answer_walk(const struct um_results *results, const struct um_options *options, struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "managed: host reads");
    const size_t blocks = options->size / BLOCK, rest = um_whole_pages(options->size % BLOCK);
    char pieces[100], others[40] = "";
    const int each = block_faults(BLOCK, BLOCK, pieces, sizeof pieces);
    const int more =
        blocks > 0 ? block_faults(rest, rest, NULL, 0) : block_faults(rest, BLOCK, pieces, sizeof pieces);

    if (!row)
        return false;
    answer->happened = (double)row->counters.cpu_faults;
    answer->rule = (double)blocks * each + more;
    if (more > 0 && blocks > 0)
        snprintf(others, sizeof others, ", and %d for the rest", more);
    if (blocks > 0)
        snprintf(answer->why, sizeof answer->why, "%zu x %d%s: a block of 2 MiB comes as %s", blocks, each,
                 others, pieces);
    else
        snprintf(answer->why, sizeof answer->why, "it comes as %s", pieces);
    return true;
}

bool answer_byte(const struct um_results *results, const struct um_options *options, struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "one-byte: GPU writes it");

    (void)options;
    if (!row)
        return false;
    answer->happened = in_kib(row->counters.bytes_migrated_h2d);
    answer->rule = in_kib(BIG_PAGE);
    snprintf(answer->why, sizeof answer->why, "a fault fills the aligned 64 KiB around it");
    return true;
}

bool answer_blocks(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer)
{
    const struct um_row *row = um_paged_row(results, "one-byte: GPU, 1 per 2 MiB");
    const size_t blocks = (options->size + BLOCK - 1) / BLOCK;

    if (!row || options->size % BLOCK != 0)
        return false;
    answer->happened = in_kib(row->counters.bytes_migrated_h2d);
    answer->rule = (double)blocks * in_kib(BIG_PAGE);
    snprintf(answer->why, sizeof answer->why,
             "%zu blocks x 64 KiB: 1 big page of 32 is no reason to bring more", blocks);
    return true;
}

bool answer_factor(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer)
{
    const struct um_row *managed = um_answering_row(results, "managed");
    const struct um_row *copied = um_answering_row(results, "explicit");

    (void)options;
    if (!managed || !copied)
        return false;
    answer->happened = managed->total_us / copied->total_us;
    snprintf(answer->why, sizeof answer->why,
             "%.0f us by %.0f us: the same bytes cross, but a fault asks for each piece of them",
             managed->total_us, copied->total_us);
    return true;
}

void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing)
{
    const struct um_row *managed = um_paged_row(results, "managed"), *byte;
    const struct um_row *copied = um_answering_row(results, "explicit");
    char times[UM_TIMES_TEXT], size[UM_SIZE_TEXT];

    (void)options;
    byte = um_paged_row(results, "one-byte: GPU writes it");
    if (managed)
        um_closing_say(closing, "Nobody called a copy, and %s crossed to the GPU and %g MiB back",
                       um_size_text((double)managed->counters.bytes_migrated_h2d, size),
                       um_mib((double)managed->counters.bytes_migrated_d2h));
    if (managed && copied)
        um_closing_say(closing, ", in %s the time of copies",
                       um_times_text(managed->total_us / copied->total_us, times));
    if (managed)
        um_closing_say(closing, ".");
    if (byte)
        um_closing_say(closing, "%sOne byte that the GPU wrote brought %s.", managed ? " " : "",
                       um_size_text((double)byte->counters.bytes_migrated_h2d, size));
    if (managed && copied)
        closing->fastest = managed->total_us < copied->total_us ? managed : copied;
    closing->surprise = byte;
}
