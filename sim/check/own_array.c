/**
 * @file own_array.c
 * @brief Implementation of own_array.h: notes indices outside of arrays, and tells whose they were.
 */
#include "own_array.h"
#include "access.h"
#include "check.h"
#include "../base/undefined_data.h"

#include <stdlib.h>
#include <string.h>

/* ---- the GPU process ---- */

static bool waits;
static struct umsim_finding last;

static void note(size_t next_bytes)
{
    waits = false;
    last.bytes = next_bytes;
    umsim_finding_note(&last);
}

void umsim_own_array_index(const void *array, uint64_t index, const void *pc)
{
    if (!(umsim_checks & UMSIM_CHECK_MEMORY))
        return;
    umsim_own_array_settle(); /* an access to the array before would have been seen */
    last = (struct umsim_finding){.kind = UMSIM_FOUND_OUT_OF_BOUNDS, .array = array, .index = index};
    umsim_access_describe(&last, 0, pc, false);
    last.space = UMSIM_SPACE_LOCAL;
    waits = true;
}

void umsim_own_array_access(size_t bytes, bool is_own, bool is_before_shared)
{
    if (!waits)
        return;
    last.is_before_shared = is_before_shared;
    note(is_own || is_before_shared ? 0 : bytes);
}

void umsim_own_array_settle(void)
{
    if (waits)
        note(0);
}

/* ---- the host ---- */

/* Of the types that C++ has itself; of others the size is not known here. */
static size_t size_of(const char *type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } known[] = {{"'char ", 1},
                 {"'signed char ", 1},
                 {"'unsigned char ", 1},
                 {"'bool ", 1},
                 {"'short int ", 2},
                 {"'short unsigned int ", 2},
                 {"'int ", 4},
                 {"'unsigned int ", 4},
                 {"'float ", 4},
                 {"'long int ", 8},
                 {"'long unsigned int ", 8},
                 {"'double ", 8},
                 {"'long long int ", 8},
                 {"'long long unsigned int ", 8}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(type, known[i].name, strlen(known[i].name)) == 0)
            return known[i].bytes;
    return 0;
}

bool umsim_own_array_of(const struct umsim_finding *finding, struct umsim_own_array *out)
{
    const struct umsim_undefined_operation *it = finding->array;
    const char *bracket = strchr(it->first->name, '[');
    *out = (struct umsim_own_array){.element_bytes = size_of(it->first->name),
                                    .index = umsim_undefined_whole(it->second, finding->index)};
    if (!bracket || !out->element_bytes || finding->bytes == out->element_bytes)
        return false;
    out->elements = strtoull(bracket + 1, NULL, 10);
    strncpy(out->type, it->first->name + 1, sizeof out->type - 1);
    out->type[strcspn(out->type, "'")] = '\0';
    return true;
}
