/**
 * @file lab10.c
 * @brief Lab 10: whose memory, when there are two?
 *
 * Two GPUs of one host have a memory each. Four pieces of work need both: an array that they work on in turns
 * (relay.c), an array in halves whose edges both need (halves.c), a sum over both halves (sums.c), and a
 * table that both read (tables.c). Each is done with copies through the host, with copies between the
 * devices, with kernels that reach over, and with managed memory. pair.c opens and closes access between the
 * two; timeline.c draws their engines.
 *
 *     make lab10 PROFILE=h200-nvlink2
 *     make lab10 PROFILE=h200-nvlink2 ARGS="--size 128M --strategy one-device,halo-copy,halo-overlap"
 */
#include "answers.h"
#include "halves.h"
#include "pair.h"
#include "relay.h"
#include "shared.h"

/* Places in the table below. */
enum { FIRST_OF_HALVES = 7, FIRST_OF_SUMS = 14, FIRST_OF_TABLES = 17 };

static void split(struct um_run *run)
{
    halves(run, FIRST_OF_HALVES);
}

static void sum(struct um_run *run)
{
    sums(run, FIRST_OF_SUMS);
}

static void table(struct um_run *run)
{
    tables(run, FIRST_OF_TABLES);
}

static bool setup(const struct um_options *options)
{
    (void)options;
    return pair_open();
}

static void teardown(void)
{
    halves_drop();
    pair_close();
}

static void before(const struct um_results *results, FILE *out)
{
    (void)results;
    fprintf(out, "Two devices, %s.\n",
            pair_reaches() ? "which can reach each other's memory"
                           : "which cannot reach each other's memory: what needs that is skipped");
}

static void after(const struct um_results *results, FILE *out)
{
    um_print(
        out, 2,
        "to GPUs, to host, between: what copies and pages moved; far: what kernels read and wrote in the "
        "other device's memory, worked out\n");
    answers_access(results, out);
    answers_split(results, STEPS, out);
    answers_table(results, out);
    halves_draw(out);
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    answers_closing(results, options->size, closing);
}

static const struct um_section sections[] = {
    {"through-host", "In turns: each device adds to the whole array, then it is the other's turn"},
    {"one-device", "In halves: each device smooths its half, and needs the other's edge in each step"},
    {"sum-direct", "A sum over both halves"},
    {"table-copies", "A table of the host's, in which both look up one element in 16, three times"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"through-host", "turns: two copies, by a pinned buffer of the host's", relay},
    {"staged", "turns: cudaMemcpyPeer without access; the driver goes through the host", relay},
    {"peer-copy", "turns: cudaMemcpyPeer over the link", relay},
    {"direct", "turns: the array stays on device 0, and device 1's kernel reaches over", relay},
    {"managed", "turns: managed memory, moved by page faults", relay},
    {"managed-prefetch", "turns: managed memory, brought to the next one before its turn", relay},
    {"managed-in-place", "turns: managed memory that prefers device 0, mapped by device 1", relay},
    {"one-device", "halves: all of it on device 0, for comparison", split},
    {"halo-host", "halves: the edges go through the host", split},
    {"halo-copy", "halves: each device sends its edge to the other, then works", split},
    {"halo-overlap", "halves: ... works on what needs no edge while that is copied", split},
    {"halo-direct", "halves: the kernels read the other's edge where it is", split},
    {"halo-managed", "halves: managed memory, moved by page faults", split},
    {"halo-advised", "halves: managed memory, each half prefers its device and is mapped by the other",
     split},
    {"sum-direct", "sum: device 0 adds up both, the other half over the link", sum},
    {"sum-gather", "sum: the other half is copied to device 0 first", sum},
    {"sum-both", "sum: each adds up its own half, and two numbers go to the host", sum},
    {"table-copies", "table: the host sends it to each device", table},
    {"table-relay", "table: the host sends it to device 0, and that one to device 1", table},
    {"table-direct", "table: it is on device 0, and device 1 looks it up there", table},
    {"table-managed", "table: managed memory, told nothing", table},
    {"table-read-mostly", "table: managed memory with ReadMostly: each may keep a copy", table},
};

static const struct um_lab lab = {
    .name = "lab10",
    .question = "Whose memory, when there are two?",
    .about = "One array, one sum, one table, and two GPUs: by copies, by access, by managed memory.",
    .size_is = "bytes of the array that both devices work on",
    .default_size = (size_t)64 << 20,
    .size_multiple = 4 * ROW * sizeof(float), /* halves of whole rows, two at least */
    .minimum_size = 1,
    .device_arrays = 2.5,
    .host_arrays = 4,
    .managed_arrays = 2,
    .columns = UM_COLUMN_TOTAL | UM_COLUMN_FAULTS,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .setup = setup,
    .before = before,
    .after = after,
    .closing = closing,
    .teardown = teardown,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
