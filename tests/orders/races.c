/**
 * @file races.c
 * @brief Sources of the simulator whose words several processes share, with threads in the places of
 * processes and ThreadSanitizer to watch (races.py).
 *
 *     races ring | table | runner
 *
 * Each case ends with status 0 if what was handed over was right. ThreadSanitizer's own status is another.
 */
#include "sim/base/futex.h"
#include "sim/base/memory.h"
#include "sim/check/table.h"
#include "sim/client/client.h"
#include "sim/server/channel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the sources ask of the rest of the simulator ---- */

void *umsim_shared_memory(size_t bytes)
{
    return calloc(1, bytes);
}

uint32_t umsim_client_thread(void)
{
    return 7;
}

static unsigned closed;
void umsim_client_close(unsigned what)
{
    closed += what;
}

/* ---- the ring of launches: each side sleeps and is woken as in worker.c and kernel_op.c ---- */

enum { LAUNCHES = 20000, RING = 4 };
static struct {
    atomic_uint submitted, completed, gpu_sleeps, host_sleeps;
    unsigned asked[RING], answer[RING];
} ring;

static void wait_for(atomic_uint *counter, unsigned goal, atomic_uint *sleeper,
                     struct umsim_patience *patience)
{
    while (!umsim_await(counter, goal, patience)) {
        const unsigned seen = atomic_load_explicit(counter, memory_order_relaxed);
        if ((int)(seen - goal) < 0)
            umsim_sleep_while(counter, seen, sleeper, 0);
    }
}

static void count(atomic_uint *counter, unsigned now, atomic_uint *sleeper)
{
    atomic_store(counter, now);
    umsim_wake_sleeper(counter, now, sleeper);
}

static void *gpu(void *nothing)
{
    struct umsim_patience patience = {0};
    for (unsigned i = 0; i < LAUNCHES; i++) {
        wait_for(&ring.submitted, i + 1, &ring.gpu_sleeps, &patience);
        ring.answer[i % RING] = ring.asked[i % RING] + 1;
        count(&ring.completed, i + 1, &ring.host_sleeps);
    }
    return nothing;
}

static int run_ring(void)
{
    pthread_t other;
    struct umsim_patience patience = {0};
    unsigned wrong = 0;
    pthread_create(&other, NULL, gpu, NULL);
    for (unsigned i = 0; i < LAUNCHES + RING; i++) {
        if (i >= RING) {
            wait_for(&ring.completed, i - RING + 1, &ring.host_sleeps, &patience);
            wrong += ring.answer[i % RING] != i - RING + 1;
        }
        if (i < LAUNCHES) {
            ring.asked[i % RING] = i;
            count(&ring.submitted, i + 1, &ring.gpu_sleeps);
        }
    }
    pthread_join(other, NULL);
    printf("%u launches, %u wrong answers\n", (unsigned)LAUNCHES, wrong);
    return wrong != 0;
}

/* ---- the table of known memory (check/table.c) ---- */

enum { RANGES = 40, CHANGES = 4000, LOOKS = 4000, UNIT = 4096 };
static atomic_bool is_over, has_looked;

/* All members of a range follow from where it begins, so that one made of two is seen. */
static struct umsim_memory_known range_at(uintptr_t base)
{
    struct umsim_memory_known range;
    memset(&range, 0, sizeof range);
    range.base = base;
    range.bytes = base / 2;
    range.account = (unsigned)(base / 3);
    range.of_device = base * 5;
    return range;
}

static void *change(void *nothing)
{
    for (unsigned i = 0; i < CHANGES || !atomic_load(&has_looked); i++) {
        const struct umsim_memory_known range = range_at(UNIT << i % RANGES / 4);
        umsim_table_add(&range);
        if (i % 3)
            umsim_table_remove(range.base);
        if (i % 50 == 0)
            umsim_table_remove_all(UMSIM_KNOWN_ALLOCATION);
    }
    atomic_store(&is_over, true);
    return nothing;
}

static int run_table(void)
{
    pthread_t other;
    unsigned looked = 0, wrong = 0;
    umsim_table_start();
    pthread_create(&other, NULL, change, NULL);
    for (; !atomic_load(&is_over); looked++) {
        struct umsim_memory_known seen;
        umsim_table_find((uintptr_t)UNIT << looked % 11, &seen);
        const struct umsim_memory_known right = range_at(seen.base);
        atomic_store(&has_looked, looked >= LOOKS);
        wrong += seen.base ? memcmp(&seen, &right, sizeof seen) != 0 : seen.bytes != 0;
    }
    pthread_join(other, NULL);
    printf("%u looks at the table, %u of them wrong\n", looked, wrong);
    return wrong != 0;
}

/* ---- a host function that a server has its client's thread run (client/runner.c) ---- */

enum { FUNCTIONS = 3000 };
static unsigned effect;

static void add(void *number, void *second, void *third)
{
    effect += (unsigned)(uintptr_t)number + (second != NULL) + (third != NULL);
}

static int run_runner(void)
{
    static struct umsim_line line;
    void (*const function)(void *, void *, void *) = add;
    unsigned wrong = 0;
    umsim_client_runner_start(&line);
    for (unsigned i = 1; i <= FUNCTIONS; i++) {
        const unsigned bell = atomic_load_explicit(&line.bell, memory_order_relaxed);
        memcpy(&line.runner.word[0], &function, sizeof function);
        line.runner.word[1] = i;
        line.runner.closes = 1;
        atomic_fetch_add(&line.runner.asked, 1);
        umsim_futex_wake(&line.runner.asked);
        while (atomic_load(&line.runner.ran) != i)
            umsim_spin(&line.bell, bell, 10);
        wrong += effect != i * (i + 1) / 2 || closed != i;
    }
    printf("%u functions, %u wrong\n", (unsigned)FUNCTIONS, wrong);
    return wrong != 0;
}

int main(int arguments, char **argument)
{
    const char *name = arguments > 1 ? argument[1] : "";
    if (strcmp(name, "ring") == 0)
        return run_ring();
    if (strcmp(name, "table") == 0)
        return run_table();
    if (strcmp(name, "runner") == 0)
        return run_runner();
    fprintf(stderr, "races ring | table | runner\n");
    return 2;
}
