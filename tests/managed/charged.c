/**
 * @file charged.c
 * @brief Each launch is charged for the managed pages that it opened itself, also right behind a launch that
 * opened none.
 *
 * Several launches are handed over to the GPU process at once. While the host takes the result of one, the
 * next runs already and opens pages. If these were charged to the launch before, the pages that it opens
 * afterwards would be charged to nobody: they would stay the host's, and open to the GPU without a fault.
 */
#include <string.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

enum { TURNS = 1500, UNITS = 64, UNIT = 64 << 10 };

static void fresh_turn(int turn, int *other)
{
    unsigned char *p;
    char bar[UNITS + 1];
    SCENE_CALL(cudaMallocManaged((void **)&p, UNITS * UNIT, cudaMemAttachGlobal));
    for (size_t i = 0; i < UNITS * UNIT; i += UNIT)
        p[i] = (unsigned char)turn;
    for (int i = 0; i <= turn % 5; i++)
        SCENE_CALL(um_add_one(other, 1000, 0));
    SCENE_CALL(um_page_write(p, UNITS * UNIT, UNIT, 7, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_NEED(umsim_residency(p, UNITS * UNIT, bar, UNITS) == UNITS && strspn(bar, "G") == UNITS,
               "turn %d: the kernel wrote to each unit of 64 KiB, and they are %s", turn, bar);
    SCENE_CALL(cudaFree(p));
}

/* In each turn the memory is fresh: nothing thrashes. */
static void turns(void)
{
    int *other;
    SCENE_CALL(cudaMalloc((void **)&other, 4096));
    SCENE_CALL(cudaMemset(other, 0, 4096));
    for (int turn = 0; turn < TURNS; turn++)
        fresh_turn(turn, other);
    SCENE_CALL(cudaFree(other));
}
SCENE("turns", turns)

static void under(const char *schedule)
{
    static struct again run;
    run = (struct again){.scene = "turns", .settings = {schedule}};
    again(&run);
    again_ended_well(&run);
}

static void a_launch_behind_others_is_charged_under_lazy(void)
{
    under("UMSIM_SCHED=lazy");
}

static void a_launch_behind_others_is_charged_under_eager(void)
{
    under("UMSIM_SCHED=eager");
}

UM_TESTS("a launch that opens pages behind launches that do not",
         {"is charged for them under lazy", a_launch_behind_others_is_charged_under_lazy},
         {"is charged for them under eager", a_launch_behind_others_is_charged_under_eager});
