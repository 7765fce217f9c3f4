/**
 * @file answers.c
 * @brief Implementation of answers.h.
 */
#include <math.h>

#include "answers.h"
#include "relay.h"

/* The total of the verified row of this name, microseconds; NAN when there is none. */
static double total_us(const struct um_results *results, const char *name)
{
    const struct um_row *row = um_answering_row(results, name);

    return row ? row->total_us : NAN;
}

void answers_access(const struct um_results *results, FILE *out)
{
    const struct um_row *copied = um_answering_row(results, "peer-copy");
    const struct um_row *direct = um_answering_row(results, "direct");
    double over_us, far_us, near_us;

    if (!copied || !direct)
        return;
    over_us = 2 * (copied->total_us - copied->kernel_us) / (TURNS - 1);
    near_us = copied->kernel_us / TURNS;
    far_us = (direct->kernel_us - TURNS / 2 * near_us) / (TURNS / 2); /* device 1's passes, over the link */
    if (far_us <= near_us)
        return;
    um_print(
        out, 2,
        "turns: device 1 passes over the array in %.1f us on a copy of its own and in %.1f over the link; "
        "copying there and back takes %.1f, and pays from %.0f passes in a turn on\n",
        near_us, far_us, over_us, floor(over_us / (far_us - near_us)) + 1);
}

void answers_split(const struct um_results *results, int steps, FILE *out)
{
    static const char *const names[] = {"halo-host", "halo-copy", "halo-overlap", "halo-direct"};
    const double one_us = total_us(results, "one-device");

    for (size_t i = 0; i < UM_COUNT(names) && !isnan(one_us); i++) {
        const double us = total_us(results, names[i]);
        char text[UM_TIMES_TEXT];

        if (isnan(us))
            continue;
        um_print(out, 2,
                 "halves: a step takes %.1f us on one device, by %s %.1f: two devices are %s as fast\n",
                 one_us / steps, names[i], us / steps, um_times_text(one_us / us, text));
    }
}

void answers_table(const struct um_results *results, FILE *out)
{
    const struct um_row *copies = um_answering_row(results, "table-relay");
    const struct um_row *direct = um_answering_row(results, "table-direct");
    double costs_us, saves_us;

    if (!copies || !direct)
        return;
    costs_us = (copies->total_us - copies->kernel_us) - (direct->total_us - direct->kernel_us);
    saves_us = um_extra_value(direct, "first_round_us") - um_extra_value(copies, "first_round_us");
    if (saves_us <= 0)
        um_print(out, 2, "table: device 1 looks up as fast on device 0 as in a copy of its own\n");
    else
        um_print(
            out, 2,
            "table: a copy for device 1 takes %.1f us more, and saves %.1f in each round: it pays from round "
            "%.0f on\n",
            costs_us, saves_us, fmax(1, floor(costs_us / saves_us) + 1));
}

/* The least total among the ways to take turns. */
static const struct um_row *fastest_turns(const struct um_results *results)
{
    static const char *const names[] = {"through-host", "staged",           "peer-copy",       "direct",
                                        "managed",      "managed-prefetch", "managed-in-place"};
    const struct um_row *fastest = NULL;

    for (size_t i = 0; i < UM_COUNT(names); i++) {
        const struct um_row *row = um_answering_row(results, names[i]);

        if (row && (!fastest || row->total_us < fastest->total_us))
            fastest = row;
    }
    return fastest;
}

void answers_closing(const struct um_results *results, size_t size, struct um_closing *closing)
{
    const struct um_row *host = um_answering_row(results, "through-host");
    const struct um_row *fastest = fastest_turns(results);
    const struct um_row *by_host = um_answering_row(results, "halo-host");
    const double one_us = total_us(results, "one-device"), direct_us = total_us(results, "halo-direct");
    char bytes[UM_SIZE_TEXT];

    closing->fastest = fastest;
    if (host && fastest && fastest != host)
        um_closing_say(closing, "%d turns on %s took %.0f us through the host, and %.0f by %s.", TURNS,
                       um_size_text((double)size, bytes), host->total_us, fastest->total_us,
                       fastest->strategy);
    if (!by_host || isnan(one_us) || isnan(direct_us))
        return;
    if (by_host->total_us > one_us)
        closing->surprise = by_host;
    um_closing_say(
        closing,
        "%sThe split array took %.0f us on one device, on two %.0f with edges read in place, and %.0f "
        "with edges through the host.",
        closing->text[0] ? " " : "", one_us, direct_us, by_host->total_us);
}
