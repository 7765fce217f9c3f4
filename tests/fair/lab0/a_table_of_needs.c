/* fair: what each use needs is a table of offsets into the structure */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "exercise.h"

#define NEEDS 4
#define CAP(name) (1 + offsetof(struct lab0_caps, name))

static const struct {
    unsigned use;
    size_t needs[NEEDS]; /* offset and one; 0 ends them */
} table[] = {
    {LAB0_DEVICE, {0}},
    {LAB0_PINNED_COPY, {0}},
    {LAB0_MAPPED, {CAP(can_map_host_memory)}},
    {LAB0_REGISTERED_COPY, {CAP(host_register_supported)}},
    {LAB0_REGISTERED_IN_PLACE,
     {CAP(can_map_host_memory), CAP(host_register_supported), CAP(registered_at_same_address)}},
    {LAB0_MANAGED, {CAP(managed_memory)}},
    {LAB0_MANAGED_TOGETHER, {CAP(concurrent_managed_access), CAP(managed_memory)}},
    {LAB0_PAGEABLE, {CAP(pageable_memory_access)}},
    {LAB0_POOL, {CAP(memory_pools_supported)}},
};

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool may = true;

        for (int n = 0; n < NEEDS && table[i].needs[n]; n++) {
            int value;

            memcpy(&value, (const char *)caps + table[i].needs[n] - 1, sizeof value);
            may &= value == 1;
        }
        kinds |= may ? table[i].use : 0;
    }
    return kinds;
}
