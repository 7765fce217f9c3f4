/**
 * @file units.c
 * @brief Implementation of units.h, and what the host asks of shadow words.
 */
#include "units.h"
#include "race.h"
#include "../base/devices.h"
#include "../base/memory.h"
#include "../base/processes.h"
#include "../worker/launches.h"

#define LAUNCHES_KEPT 1024

struct umsim_units *umsim_units_now;
static struct umsim_units *kept; /* of the last launches; shared by the two processes */

static const struct umsim_units *unordered[UMSIM_UNORDERED_MAX];
static unsigned unordered_count;

void umsim_units_start(void)
{
    kept = umsim_shared_memory(LAUNCHES_KEPT * sizeof *kept);
}

bool umsim_units_started(void)
{
    return kept != NULL;
}

/* With those of the kernels that its kernels launch. */
static void keep(const struct umsim_command *command, uint32_t first, uint32_t end)
{
    const unsigned slot = atomic_load(&umsim_processes->completed) + 1;
    struct umsim_units *units = &kept[slot % LAUNCHES_KEPT];
    if (units->slot != slot || units->first > first)
        *units = (struct umsim_units){.slot = slot, .first = first};
    units->end = end;
    if (command->depth == 0) {
        units->issued = command->issued;
        units->grid = command->geometry.grid;
        units->block = command->geometry.block;
        units->launched = command->launched;
        units->device = umsim_own_device;
    }
    umsim_units_now = units;
}

/* Of those that nothing puts in order with this launch, the ones that have run. Launches by kernels are not
 * compared. */
void umsim_units_launch(const struct umsim_command *command, uint32_t first, uint32_t end)
{
    keep(command, first, end);
    unordered_count = 0;
    for (unsigned n = 0; command->depth == 0 && n < command->unordered.count; n++)
        for (int i = 0; i < LAUNCHES_KEPT; i++)
            if (kept[i].issued == command->unordered.number[n] && unordered_count < UMSIM_UNORDERED_MAX)
                unordered[unordered_count++] = &kept[i];
}

void umsim_units_forget(void)
{
    for (int i = 0; i < LAUNCHES_KEPT; i++)
        kept[i].issued = 0;
}

bool umsim_units_any_unordered(void)
{
    return unordered_count != 0;
}

const struct umsim_units *umsim_units_unordered(const struct shadow_word *before)
{
    for (unsigned i = 0; i < unordered_count; i++) {
        const struct umsim_units *it = unordered[i];
        if (before->unit >= it->first && before->unit < it->end && !(it->talks && umsim_units_now->talks))
            return it;
    }
    return NULL;
}

/* ---- what the host asks ---- */

static bool is_of(const struct shadow_word *shadow, unsigned slot)
{
    const struct umsim_units *units = &kept[slot % LAUNCHES_KEPT];
    return units->slot == slot && !units->listens && shadow->unit >= units->first &&
           shadow->unit < units->end;
}

bool umsim_race_is_write_of(const uint64_t *shadow, unsigned slot)
{
    const struct shadow_word *writer = (const struct shadow_word *)shadow;
    return is_of(writer, slot) && !writer->flag;
}

bool umsim_race_is_any_write_of(const uint64_t *shadow, unsigned slot)
{
    return is_of((const struct shadow_word *)shadow, slot);
}

/* Atomic writes, too: no copy is one. */
bool umsim_race_is_beside(const uint64_t *shadow, unsigned slot, bool by_reads)
{
    const struct shadow_word *words = (const struct shadow_word *)shadow;
    return !kept[slot % LAUNCHES_KEPT].polls &&
           (is_of(&words[0], slot) || (by_reads && is_of(&words[1], slot)));
}

bool umsim_race_is_read_of(const uint64_t *shadow, unsigned slot)
{
    return is_of((const struct shadow_word *)shadow + 1, slot);
}
