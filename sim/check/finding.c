/**
 * @file finding.c
 * @brief Implementation of finding.h: the list of findings in shared memory.
 *
 * One worker runs all kernels of a checked program, so there is one writer.
 */
#include "finding.h"
#include "../space/arena.h"
#include "../base/memory.h"

#include <stdatomic.h>
#include <string.h>

static struct findings {
    atomic_size_t count;
    atomic_ullong lost;
    struct umsim_finding finding[UMSIM_FINDINGS_MAX];
} * findings;

bool umsim_findings_start(void)
{
    if (!findings)
        findings = umsim_shared_memory(sizeof *findings);
    return findings != NULL;
}

/* A race is the same one, whichever access came first. */
static bool is_same(const struct umsim_finding *a, const struct umsim_finding *b)
{
    return a->kind == b->kind && a->line == b->line && a->passed == b->passed &&
           (a->space != UMSIM_SPACE_LOCAL || a->bytes == b->bytes) &&
           ((a->by.pc == b->by.pc && a->other.pc == b->other.pc) ||
            (a->by.pc == b->other.pc && a->other.pc == b->by.pc));
}

void umsim_finding_note(const struct umsim_finding *finding)
{
    const size_t count = atomic_load(&findings->count);
    for (size_t i = 0; i < count; i++)
        if (is_same(&findings->finding[i], finding)) {
            findings->finding[i].count++;
            findings->finding[i].one_warp &= finding->one_warp; /* the widest pair decides what cures */
            findings->finding[i].one_block &= finding->one_block;
            return;
        }
    if (count == UMSIM_FINDINGS_MAX) {
        atomic_fetch_add(&findings->lost, 1);
        return;
    }
    findings->finding[count] = *finding;
    findings->finding[count].count = 1;
    atomic_store(&findings->count, count + 1);
}

size_t umsim_findings(struct umsim_finding **all, uint64_t *lost)
{
    *all = findings ? findings->finding : NULL;
    *lost = findings ? atomic_load(&findings->lost) : 0;
    return findings ? atomic_load(&findings->count) : 0;
}
