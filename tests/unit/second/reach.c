/**
 * @file reach.c
 * @brief Of the second implementation of the paging policy: who reaches whose memory, and who has a page.
 */
#include "model.h"

bool model_reaches(int side, int whose)
{
    return side == whose || (side > 0 && (whose == 0 || model.linked));
}

/* How far away another one's memory is: the less the closer. */
static int distance(int side, int whose)
{
    if (side == whose)
        return 0;
    if (!model_reaches(side, whose))
        return 200 + whose;
    return whose > 0 ? whose : 100; /* a linked GPU is closer than the host */
}

int model_closest_holder(int p, int side)
{
    int closest = NONE;

    for (int holder = 0; holder < model.sides; holder++)
        if (model.pages[p].at[holder] &&
            (closest == NONE || distance(side, holder) < distance(side, closest)))
            closest = holder;
    return closest;
}

int model_holders(int p)
{
    int count = 0;

    for (int side = 0; side < model.sides; side++)
        count += model.pages[p].at[side];
    return count;
}
