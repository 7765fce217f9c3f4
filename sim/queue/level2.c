/**
 * @file level2.c
 * @brief Implementation of level2.h: the ranges that were accessed last, and how many bytes ago.
 */
#include "level2.h"
#include "../base/machine.h"

#include <stdbool.h>

/* The ranges that are remembered. */
#define RANGES 64

/* Each device has one. */
static struct level {
    struct {
        uint64_t begin, end;
        double at; /* how many bytes had been accessed by the end of the launch */
        bool is_new;
    } kept[RANGES];
    double accessed;
} levels[UMSIM_DEVICES_MAX];

double umsim_level2_has(unsigned device, uint64_t begin, uint64_t end, double bytes)
{
    const struct level *it = &levels[device];
    const double held = (double)umsim_machine_of(device)->attributes.l2_cache_size / 2;
    double most = 0;
    for (int i = 0; i < RANGES; i++) {
        const uint64_t first = begin > it->kept[i].begin ? begin : it->kept[i].begin;
        const uint64_t last = end < it->kept[i].end ? end : it->kept[i].end;
        if (first >= last)
            continue;
        const double since = it->accessed - it->kept[i].at + bytes;
        const double fits = since > held ? held / since * (held / since) * (held / since) : 1;
        const double part = (double)(last - first) / (double)(end - begin) * fits;
        most = part > most ? part : most;
    }
    return most;
}

void umsim_level2_keep(unsigned device, uint64_t begin, uint64_t end)
{
    struct level *it = &levels[device];
    int place = 0;
    for (int i = 0; i < RANGES; i++) {
        if (it->kept[i].begin == begin && it->kept[i].end == end) {
            place = i;
            break;
        }
        if (!it->kept[i].is_new && (it->kept[place].is_new || it->kept[i].at < it->kept[place].at))
            place = i;
    }
    it->kept[place].begin = begin;
    it->kept[place].end = end;
    it->kept[place].is_new = true;
}

void umsim_level2_pass(unsigned device, double bytes)
{
    struct level *it = &levels[device];
    it->accessed += bytes;
    for (int i = 0; i < RANGES; i++) {
        if (it->kept[i].is_new)
            it->kept[i].at = it->accessed;
        it->kept[i].is_new = false;
    }
}
