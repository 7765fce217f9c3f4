/* fragments.c: see fragments.h. Callers hold a lock. */
#include "fragments.h"

#include <stdio.h>

/** Mappings left to the program and its libraries (Python with a large framework has about 3,000). */
#define SPARE 12000u
/** Enough for any program that is not made to be bad, and quick for the kernel to walk through. */
#define LIMIT_MAX 24000u
#define LIMIT_MIN 64u

/* Asked once: each process of the pair has an account. */
static unsigned mappings_allowed(void)
{
    static unsigned allowed;
    if (allowed)
        return allowed;
    FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
    if (!file || fscanf(file, "%u", &allowed) != 1)
        allowed = 65530; /* the kernel's default */
    if (file)
        fclose(file);
    return allowed;
}

void umsim_fragments_start(struct umsim_fragments *account)
{
    const unsigned allowed = mappings_allowed();
    unsigned limit =
        allowed > SPARE ? (allowed - SPARE) / 2 : 0; /* a part that is opened splits what was one in three */
    limit = limit > LIMIT_MAX ? LIMIT_MAX : limit < LIMIT_MIN ? LIMIT_MIN : limit;
    account->limit = limit;
    account->total = account->head = account->tail = 0;
}

static bool take_victim(struct umsim_fragments *account, struct umsim_fragmented *victim)
{
    *victim = account->ring[account->head++ % UMSIM_FRAGMENTED_MAX];
    return true;
}

bool umsim_fragments_opened(struct umsim_fragments *account, uint32_t space, uint32_t block,
                            uint16_t *openings, bool whole, struct umsim_fragmented *victim)
{
    bool is_new = *openings == 0;
    account->total += whole ? 1 - *openings : *openings < UINT16_MAX;
    *openings = whole ? 1 : (uint16_t)(*openings + (*openings < UINT16_MAX));
    if (is_new && account->tail - account->head == UMSIM_FRAGMENTED_MAX) {
        take_victim(account, victim);
        account->ring[account->tail++ % UMSIM_FRAGMENTED_MAX] = (struct umsim_fragmented){space, block};
        return true;
    }
    if (is_new)
        account->ring[account->tail++ % UMSIM_FRAGMENTED_MAX] = (struct umsim_fragmented){space, block};
    return account->total > account->limit && account->tail - account->head > 1 &&
           take_victim(account, victim);
}

void umsim_fragments_closed(struct umsim_fragments *account, uint16_t *openings)
{
    account->total -= *openings;
    *openings = 0;
}
