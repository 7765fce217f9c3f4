/**
 * @file level2.c
 * @brief Implementation of level2.h: the ranges that were accessed last, and how many bytes ago.
 */
#include "level2.h"
#include "../base/machine.h"

#include <stdbool.h>

/* The ranges that are remembered. */
#define RANGES 64

static struct {
    uint64_t begin, end;
    double at; /* how many bytes had been accessed by the end of the launch */
    bool is_new;
} kept[RANGES];

static double accessed;

double umsim_level2_has(uint64_t begin, uint64_t end, double bytes)
{
    const double held = (double)umsim_machine.attributes.l2_cache_size / 2;
    double most = 0;
    for (int i = 0; i < RANGES; i++) {
        const uint64_t first = begin > kept[i].begin ? begin : kept[i].begin;
        const uint64_t last = end < kept[i].end ? end : kept[i].end;
        if (first >= last)
            continue;
        const double since = accessed - kept[i].at + bytes;
        const double fits = since > held ? held / since * (held / since) * (held / since) : 1;
        const double part = (double)(last - first) / (double)(end - begin) * fits;
        most = part > most ? part : most;
    }
    return most;
}

void umsim_level2_keep(uint64_t begin, uint64_t end)
{
    int place = 0;
    for (int i = 0; i < RANGES; i++) {
        if (kept[i].begin == begin && kept[i].end == end) {
            place = i;
            break;
        }
        if (!kept[i].is_new && (kept[place].is_new || kept[i].at < kept[place].at))
            place = i;
    }
    kept[place].begin = begin;
    kept[place].end = end;
    kept[place].is_new = true;
}

void umsim_level2_pass(double bytes)
{
    accessed += bytes;
    for (int i = 0; i < RANGES; i++) {
        if (kept[i].is_new)
            kept[i].at = accessed;
        kept[i].is_new = false;
    }
}
