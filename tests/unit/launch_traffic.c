/**
 * @file launch_traffic.c
 * @brief Which launches are measured whose kernels declare nothing (sim/queue/traffic.h).
 */
#include "queue/traffic.h"
#include "worker/launches.h"
#include "space/arena.h"
#include "space/protection.h"
#include "um_test.h"

#include <string.h>

/* Stand-ins for the simulator's memory: device memory from 1 MiB on, pinned from 2 MiB on, no other. */
struct umsim_arena umsim_arenas[UMSIM_ARENAS];
static uint64_t changes;
static unsigned device;
unsigned umsim_checks;

/* All memory is device 0's. */
unsigned umsim_device_at(const void *p)
{
    (void)p;
    return 0;
}

struct umsim_arena *umsim_arena_of(const void *p)
{
    const uintptr_t megabyte = (uintptr_t)p >> 20;
    return megabyte == 1   ? &umsim_arenas[UMSIM_ARENA_DEVICE]
           : megabyte == 2 ? &umsim_arenas[UMSIM_ARENA_PINNED]
                           : NULL;
}

struct umsim_managed_space *umsim_managed_space_of(const void *p)
{
    (void)p;
    return NULL;
}

static void a_kernel(const void *closure, const struct umsim_geometry *geometry, uint64_t first,
                     uint64_t last)
{
    (void)closure, (void)geometry, (void)first, (void)last;
}

struct arguments {
    uintptr_t to, from;
    uint64_t step;
};
#define BUFFER(i) (((uintptr_t)1 << 20) + (uintptr_t)(i)*4096)
#define PINNED(i) (((uintptr_t)2 << 20) + (uintptr_t)(i)*4096)

static struct umsim_measurement *expect(const struct arguments *arguments, unsigned blocks, bool *measure)
{
    static const struct umsim_kernel kernel = {.name = "a_kernel", .blocks = a_kernel};
    const struct umsim_launch_request request = {.kernel = &kernel,
                                                 .geometry = {{blocks, 1, 1}, {256, 1, 1}},
                                                 .closure = arguments,
                                                 .closure_bytes = sizeof *arguments};
    return umsim_traffic_expect(&request, device, changes, measure);
}

static void collect_measured(struct umsim_measurement *it, uint64_t bytes)
{
    struct umsim_measured measured;
    memset(&measured, 0, sizeof measured);
    measured.read[UMSIM_REACH_DEVICE] = bytes;
    umsim_traffic_measured(it, &measured);
}

static uint64_t read_by(const struct umsim_measurement *it)
{
    struct umsim_measured measured = {.cycles = 5};
    umsim_traffic_of(it, &measured);
    UM_EQUAL(measured.cycles, 5); /* the launch's own */
    return measured.read[UMSIM_REACH_DEVICE];
}

/* Hands a launch over and collects it; if it is measured, it reads `bytes`. @return whether it is; `*moved`:
 * what it is charged */
static bool launch_reading(const struct arguments *arguments, unsigned blocks, uint64_t bytes,
                           uint64_t *moved)
{
    bool measure;
    struct umsim_measurement *it = expect(arguments, blocks, &measure);
    if (measure)
        collect_measured(it, bytes);
    *moved = read_by(it);
    umsim_traffic_drop(it);
    return measure;
}

static bool launch(unsigned blocks, uintptr_t to, uintptr_t from, uint64_t step)
{
    uint64_t moved;
    return launch_reading(&(struct arguments){to, from, step}, blocks, 1, &moved);
}

/* A number of blocks that no other test's launches have: a series of its own. */
static unsigned fresh(void)
{
    static unsigned blocks;
    return blocks += 100000;
}

static void the_same_launch_is_measured_the_1st_2nd_4th_time_then_each(void)
{
    const unsigned blocks = fresh();
    for (int i = 1; i <= 3000; i++) {
        const bool wanted = (i < 1024 && (i & (i - 1)) == 0) || i % 1024 == 0;
        UM_EQUAL(launch(blocks, BUFFER(0), BUFFER(1), 0), wanted);
    }
}

static void a_launch_takes_over_what_the_same_one_measured_last(void)
{
    const struct arguments arguments = {BUFFER(0), BUFFER(1), 0};
    const unsigned blocks = fresh();
    uint64_t moved;
    for (uint64_t i = 1; i <= 7; i++) {
        launch_reading(&arguments, blocks, 100 * i, &moved);
        UM_EQUAL(moved, i == 1 ? 100 : i < 4 ? 200 : 400);
    }
}

/* As many as the ring holds are decided before the first is collected. */
static void what_was_measured_need_not_be_known_when_it_is_decided(void)
{
    const struct arguments arguments = {BUFFER(0), BUFFER(1), 0};
    struct umsim_measurement *expected[UMSIM_RING];
    const unsigned blocks = fresh();
    bool measure[UMSIM_RING];
    uint64_t latest = 0;
    for (int i = 0; i < UMSIM_RING; i++)
        expected[i] = expect(&arguments, blocks, &measure[i]);
    for (uint64_t i = 0; i < UMSIM_RING; i++) {
        if (measure[i])
            collect_measured(expected[i], latest = i + 1);
        UM_EQUAL(read_by(expected[i]), latest);
        umsim_traffic_drop(expected[i]);
    }
    UM_EQUAL(latest, UMSIM_RING);
}

static void two_buffers_in_turns_are_two_launches(void)
{
    const unsigned blocks = fresh();
    for (int i = 1; i <= 8; i++) {
        const bool wanted = i == 1 || i == 2 || i == 4 || i == 8;
        UM_EQUAL(launch(blocks, BUFFER(0), BUFFER(1), 0), wanted);
        UM_EQUAL(launch(blocks, BUFFER(1), BUFFER(0), 0), wanted);
    }
}

static void a_loop_whose_arguments_count_is_not_measured_for_ever(void)
{
    const unsigned blocks = fresh();
    unsigned measured = 0;
    for (uint64_t i = 1; i <= 1024; i++)
        measured += launch(blocks, BUFFER(0), BUFFER(1), i);
    UM_EQUAL(measured, UMSIM_TRAFFIC_FIRST + 7);
    CU_ASSERT_TRUE(launch(blocks, BUFFER(0), PINNED(1), 5000)); /* other memory: another series */
}

static void a_loop_that_allocates_in_each_turn_is_not_measured_for_ever(void)
{
    const unsigned blocks = fresh();
    unsigned measured = 0;
    for (int i = 0; i < 1024; i++, changes++)
        measured += launch(blocks, BUFFER(0), BUFFER(1), 0);
    UM_EQUAL(measured, UMSIM_TRAFFIC_FIRST + 7);
}

static void another_geometry_is_another_launch(void)
{
    const unsigned blocks = fresh();
    CU_ASSERT_TRUE(launch(blocks, BUFFER(0), BUFFER(1), 0));
    CU_ASSERT_TRUE(launch(blocks + 1, BUFFER(0), BUFFER(1), 0));
    CU_ASSERT_TRUE(launch(blocks, BUFFER(0), BUFFER(1), 0));  /* the 2nd of its kind */
    CU_ASSERT_FALSE(launch(blocks, BUFFER(0), BUFFER(1), 0)); /* the 3rd */
}

/* What is one device's own memory is far for the other one. */
static void the_same_launch_on_another_device_is_another_launch(void)
{
    const struct arguments arguments = {BUFFER(0), BUFFER(1), 0};
    const unsigned blocks = fresh();
    uint64_t moved;
    for (int i = 1; i <= 3; i++) { /* the 3rd is not measured */
        device = 0;
        launch_reading(&arguments, blocks, 100, &moved);
        UM_EQUAL(moved, 100);
        device = 1;
        launch_reading(&arguments, blocks, 7, &moved);
        UM_EQUAL(moved, 7);
    }
    device = 0;
}

/* More than the tables hold: the same decisions wherever memory stands. */
static void thousands_of_different_launches_are_decided_alike_in_every_run(void)
{
    uint64_t found[2] = {0, 0};
    for (unsigned pass = 0; pass < 2; pass++) {
        const unsigned blocks = fresh();
        for (unsigned i = 0; i < 10000; i++)
            found[pass] = found[pass] * 31 +
                          launch(blocks + i % 1500, BUFFER(pass), BUFFER(pass + 7), i % 700 % (i % 9 + 1));
    }
    UM_EQUAL(found[0], found[1]);
}

UM_TESTS("launches that declare nothing",
         {"the same launch is measured the 1st, 2nd, 4th, ... time, then each 1024th",
          the_same_launch_is_measured_the_1st_2nd_4th_time_then_each},
         {"a launch takes over what the same one measured last",
          a_launch_takes_over_what_the_same_one_measured_last},
         {"what was measured need not be known when it is decided",
          what_was_measured_need_not_be_known_when_it_is_decided},
         {"two buffers in turns are two launches", two_buffers_in_turns_are_two_launches},
         {"a loop whose arguments count is not measured for ever",
          a_loop_whose_arguments_count_is_not_measured_for_ever},
         {"a loop that allocates in each turn is not measured for ever either",
          a_loop_that_allocates_in_each_turn_is_not_measured_for_ever},
         {"another geometry is another launch", another_geometry_is_another_launch},
         {"the same launch on another device is another launch",
          the_same_launch_on_another_device_is_another_launch},
         {"thousands of different launches are decided alike in every run",
          thousands_of_different_launches_are_decided_alike_in_every_run});
