/**
 * @file own_array.c
 * @brief Implementation of own_array.h: notes indices outside of arrays, and tells whose they were.
 */
#include "own_array.h"
#include "access.h"
#include "check.h"
#include "quick.h"
#include "../base/undefined_data.h"

#include <stdlib.h>
#include <string.h>

/* ---- the GPU process ---- */

#define NOWHERE UINTPTR_MAX

static bool waits;
static uintptr_t told_at;         /* an access that comes next; 0: none */
static struct umsim_finding last; /* an index, or an access that g++ may be about to have looked at */

static void note(size_t next_bytes)
{
    waits = false;
    if (!last.outside)
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
    umsim_quick_close();
}

void umsim_own_array_outside(const void *access, uintptr_t p, const void *pc)
{
    if (!(umsim_checks & UMSIM_CHECK_MEMORY) || umsim_access_is_judged(p))
        return;
    if (last.outside)
        umsim_own_array_settle();
    struct umsim_finding index = waits ? last : (struct umsim_finding){.kind = UMSIM_FOUND_OUT_OF_BOUNDS};
    umsim_access_describe(&index, p, pc, false);
    const bool on_stack = umsim_access_is_on_stacks(p);
    index.space = UMSIM_SPACE_LOCAL;
    index.outside = access;
    last = index;
    waits = true;
    umsim_quick_close();
    told_at = on_stack ? p : NOWHERE; /* and the short way is closed */
    if (on_stack)
        umsim_own_array_settle(); /* the kernel may not survive it */
}

bool umsim_own_array_access(uintptr_t p, size_t bytes, bool is_own, bool is_before_shared)
{
    const bool is_told = told_at == p;
    told_at = NOWHERE;
    if (!waits)
        return is_told;
    if (last.outside) {
        waits = last.address != p; /* the other checks tell it */
        umsim_own_array_settle();
        return false;
    }
    last.is_before_shared = is_before_shared;
    note(is_own || is_before_shared ? 0 : bytes);
    return false;
}

void umsim_own_array_settle(void)
{
    if (waits)
        note(0);
}

bool umsim_own_array_is_idle(void)
{
    return !waits && (told_at == 0 || told_at == NOWHERE);
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

bool umsim_own_array_accessed(const struct umsim_finding *finding, bool *is_write, size_t *bytes)
{
    const struct umsim_undefined_pointer *it = finding->outside;
    if (!it || it->alignment)
        return false;
    char name[64] = "'";
    const char *type = it->type->name + 1;
    if (strncmp(type, "const ", 6) == 0)
        type += 6;
    strncpy(name + 1, type, sizeof name - 2);
    name[strcspn(name + 1, "'") + 1] = ' ';
    *is_write = it->use;
    *bytes = size_of(name);
    return true;
}

bool umsim_own_array_of(const struct umsim_finding *finding, struct umsim_own_array *out)
{
    const struct umsim_undefined_operation *it = finding->array;
    if (!it)
        return false;
    const char *bracket = strchr(it->first->name, '[');
    *out = (struct umsim_own_array){.element_bytes = size_of(it->first->name),
                                    .index = umsim_undefined_whole(it->second, finding->index)};
    if (!bracket || !out->element_bytes || (!finding->outside && finding->bytes == out->element_bytes))
        return false;
    out->elements = strtoull(bracket + 1, NULL, 10);
    strncpy(out->type, it->first->name + 1, sizeof out->type - 1);
    out->type[strcspn(out->type, "'")] = '\0';
    return true;
}
