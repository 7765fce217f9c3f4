/**
 * @file uvm_thrash.c
 * @brief Pages that both sides fight over: when that is noticed, who has to wait, when a page is pinned, when
 * the pin ends.
 *
 * Times are chosen here; what an H200 does is in tests/managed/thrash.c.
 */
#include "uvm_fixture.h"

#define US UINT64_C(1000)
#define CPU_TURN (30 * US) /* until the GPU's turn */
#define GPU_TURN (60 * US)

static uint64_t now;
static struct uvm_delta sum; /* over a test */

static void begin(size_t bytes)
{
    fresh_allocation(bytes);
    now = 1000 * US;
    sum = (struct uvm_delta){0};
}

static void add(const struct uvm_delta *delta)
{
    sum.cpu_faults += delta->cpu_faults;
    sum.gpu_fault_groups += delta->gpu_fault_groups;
    sum.throttled_groups += delta->throttled_groups;
    sum.pages_thrashing += delta->pages_thrashing;
    sum.pages_pinned += delta->pages_pinned;
    sum.pages_mapped_remotely[UVM_GPU] += delta->pages_mapped_remotely[UVM_GPU];
    for (int i = 0; i < UVM_PROCESSORS; i++) {
        sum.throttles[i] += delta->throttles[i];
        sum.throttled_ns[i] += delta->throttled_ns[i];
    }
}

/* Time goes on by `takes`, and by what was waited. */
static struct uvm_delta end_turn(struct uvm_delta delta, uint64_t takes)
{
    now = delta.now_ns + takes;
    add(&delta);
    return delta;
}

static struct uvm_delta host_turn(uintptr_t p, uint64_t takes)
{
    struct uvm_delta delta = {.now_ns = now};

    CU_ASSERT_NOT_EQUAL(uvm_cpu_fault(space, p, true, &delta), UVM_INVALID_ADDRESS);
    return end_turn(delta, takes);
}

static struct uvm_delta gpu_turn(uintptr_t p, uint64_t takes)
{
    struct uvm_delta delta = {.now_ns = now};
    struct uvm_opening opening;

    uvm_unpin(space, now);
    CU_ASSERT_NOT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p, true, &opening), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_OK);
    return end_turn(delta, takes);
}

/* The third move within a lapse of the one before makes it: host, GPU (first move), host, GPU, host, GPU. */
static void until_thrashing(uintptr_t p)
{
    host_turn(p, CPU_TURN);
    for (int i = 0; i < 2; i++) {
        gpu_turn(p, GPU_TURN);
        host_turn(p, CPU_TURN);
    }
    UM_EQUAL(sum.pages_thrashing, 0);
    COUNTS(gpu_turn(p, GPU_TURN), 64 * KiB, 0, 0);
    UM_EQUAL(sum.pages_thrashing, UVM_PAGES_PER_BIG_PAGE);
}

static void the_third_move_within_500_us_of_the_one_before_makes_64_KiB(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    UM_EQUAL(sum.throttles[UVM_CPU] + sum.throttles[UVM_GPU], 0);
}

static void slower_turns_never_do(void)
{
    begin(2 * MiB);
    for (int i = 0; i < 50; i++) {
        COUNTS(host_turn(BASE, UVM_THRASHING_LAPSE_NS + 1), 0, i ? 64 * KiB : 0, 1);
        COUNTS(gpu_turn(BASE, UVM_THRASHING_LAPSE_NS + 1), 64 * KiB, 0, 0);
    }
    UM_EQUAL(sum.pages_thrashing, 0);
}

static void where_no_time_is_known_nothing_thrashes(void)
{
    begin(2 * MiB);
    for (now = 0; sum.cpu_faults < 50; now = 0) {
        host_turn(BASE, 0);
        now = 0;
        COUNTS(gpu_turn(BASE, 0), 64 * KiB, 0, 0);
    }
    UM_EQUAL(sum.pages_thrashing, 0);
}

static void a_thrashing_page_moves_alone(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    COUNTS(host_turn(BASE, CPU_TURN), 0, UVM_PAGE_BYTES, 1); /* favoured: does not wait */
    UM_EQUAL(sum.throttles[UVM_CPU], 0);
    COUNTS(host_turn(BASE + 2 * UVM_PAGE_BYTES, CPU_TURN), 0, UVM_PAGE_BYTES, 1);
    COUNTS(host_turn(BASE + 64 * KiB, CPU_TURN), 0, 0, 1); /* not fought over: populated */
}

static void the_other_side_waits_until_the_period_ends_then_the_first(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    uint64_t period = now;
    host_turn(BASE, CPU_TURN);
    uint64_t start = now;
    struct uvm_delta delta = gpu_turn(BASE, GPU_TURN);
    UM_EQUAL(delta.throttles[UVM_GPU], 1);
    UM_EQUAL(delta.throttled_ns[UVM_GPU], period + UVM_THRASHING_NAP_NS - start);
    UM_EQUAL(delta.throttled_groups, delta.throttled_ns[UVM_GPU] / UVM_THROTTLED_REFAULT_NS);
    UM_EQUAL(delta.gpu_fault_groups, 1 + delta.throttled_groups);
    COUNTS(delta, UVM_PAGE_BYTES, 0, 0);
    /* now the host waits, half as long again, by when the page has come to rest */
    period = delta.now_ns;
    start = now;
    delta = host_turn(BASE, CPU_TURN);
    UM_EQUAL(delta.throttles[UVM_CPU], 1);
    UM_EQUAL(delta.throttled_ns[UVM_CPU], (period + UVM_THRASHING_NAP_NS - start) * 3 / 2);
    COUNTS(delta, 0, UVM_PAGE_BYTES, 1);
}

/* Turns until the page is pinned. @return how many; 200: it was not */
static int until_pinned(uintptr_t p)
{
    int turns = 0;

    for (; turns < 200 && sum.pages_pinned == 0; turns++) {
        host_turn(p, CPU_TURN);
        if (sum.pages_pinned == 0)
            gpu_turn(p, GPU_TURN);
    }
    return turns;
}

static void after_ten_throttles_the_page_is_pinned_to_the_host_and_mapped(void)
{
    begin(2 * MiB);
    int turns = until_pinned(BASE);
    CU_ASSERT(turns > 10 && turns < 100);
    CU_ASSERT(sum.throttles[UVM_CPU] + sum.throttles[UVM_GPU] >= UVM_THRASHING_PIN_THRESHOLD);
    host_turn(BASE, CPU_TURN); /* pinned on the GPU, it comes here once more */
    struct uvm_delta before = sum;
    for (int i = 0; i < 100; i++) {
        COUNTS(host_turn(BASE, US), 0, 0, 0);
        COUNTS(gpu_turn(BASE, US), 0, 0, 0);
    }
    UM_EQUAL(sum.cpu_faults, before.cpu_faults);
    UM_EQUAL(sum.gpu_fault_groups, before.gpu_fault_groups);
    CU_ASSERT(uvm_granted(space, UVM_CPU, BASE, true));
    CU_ASSERT(uvm_granted(space, UVM_GPU, BASE, true));
    UM_EQUAL(sum.pages_mapped_remotely[UVM_GPU], 1);
    UM_EQUAL(sum.pages_pinned, 1);
}

static void a_pin_ends_after_150_ms_and_with_it_the_GPUs_mapping(void)
{
    size_t block;

    begin(2 * MiB);
    until_pinned(BASE);
    host_turn(BASE, 0);
    while (uvm_revoked_next(space, UVM_GPU, &block))
        ;
    CU_ASSERT_FALSE(uvm_pins_end(space, now + UVM_THRASHING_PIN_NS / 2));
    now += UVM_THRASHING_PIN_NS;
    CU_ASSERT(uvm_pins_end(space, now));
    uvm_unpin(space, now);
    CU_ASSERT_FALSE(uvm_granted(space, UVM_GPU, BASE, false));
    CU_ASSERT(uvm_granted(space, UVM_CPU, BASE, true));
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block));
    CU_ASSERT_FALSE(uvm_pins_end(space, now + UVM_THRASHING_PIN_NS));
    sum = (struct uvm_delta){0};
    struct uvm_delta delta = gpu_turn(BASE, GPU_TURN);
    UM_EQUAL(delta.gpu_fault_groups, 1);
    CU_ASSERT(uvm_delta_bytes(&delta, UVM_HTOD) >= UVM_PAGE_BYTES);
    CU_ASSERT(until_pinned(BASE) < 100); /* and it begins again */
}

static void what_a_prefetch_moved_is_not_suspect_any_more(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    struct uvm_delta delta = {.now_ns = now};
    CU_ASSERT_EQUAL(uvm_prefetch(space, BASE, 2 * MiB, UVM_CPU, &delta), UVM_OK);
    now += US;
    COUNTS(gpu_turn(BASE, GPU_TURN), 64 * KiB, 0, 0);
    COUNTS(host_turn(BASE, CPU_TURN), 0, 64 * KiB, 1);
    UM_EQUAL(sum.throttles[UVM_CPU] + sum.throttles[UVM_GPU], 0);
}

static void where_the_preferred_location_is_the_host_it_is_pinned_there(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    advise(BASE, 2 * MiB, UVM_SET_PREFERRED_LOCATION, UVM_CPU);
    COUNTS(host_turn(BASE, CPU_TURN), 0, UVM_PAGE_BYTES, 1);
    COUNTS(gpu_turn(BASE, GPU_TURN), 0, 0, 0);
    UM_EQUAL(sum.throttles[UVM_CPU] + sum.throttles[UVM_GPU], 0);
    CU_ASSERT(uvm_granted(space, UVM_GPU, BASE, true));
}

static void pages_that_may_be_duplicated_do_not_thrash(void)
{
    begin(2 * MiB);
    advise(BASE, 2 * MiB, UVM_SET_READ_MOSTLY, UVM_GPU);
    for (int i = 0; i < 40; i++) {
        host_turn(BASE, CPU_TURN);
        gpu_turn(BASE, GPU_TURN);
    }
    UM_EQUAL(sum.pages_thrashing, 0);
}

static void freeing_forgets_it_all(void)
{
    begin(2 * MiB);
    until_pinned(BASE);
    CU_ASSERT_EQUAL(uvm_range_destroy(space, BASE, 2 * MiB), UVM_OK);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 2 * MiB), UVM_OK);
    sum = (struct uvm_delta){0};
    until_thrashing(BASE);
    uvm_unpin(space, now + 2 * UVM_THRASHING_PIN_NS);
    CU_ASSERT_FALSE(uvm_pins_end(space, UINT64_MAX / 2));
}

static void a_block_that_was_quiet_for_a_second_is_forgiven(void)
{
    begin(2 * MiB);
    until_thrashing(BASE);
    now += UVM_THRASHING_EPOCH_NS + US;
    sum = (struct uvm_delta){0};
    COUNTS(host_turn(BASE, CPU_TURN), 0, 64 * KiB, 1); /* all 64 KiB again */
    for (int i = 0; i < 2; i++) {
        COUNTS(gpu_turn(BASE, GPU_TURN), 64 * KiB, 0, 0);
        COUNTS(host_turn(BASE, CPU_TURN), 0, 64 * KiB, 1);
    }
}

static void evictions_do_not_count(void)
{
    struct uvm_delta delta = {0};

    fresh(1);
    CU_ASSERT_EQUAL_FATAL(uvm_range_create(space, BASE, 4 * MiB), UVM_OK);
    now = 1000 * US;
    sum = delta;
    host_turn(BASE, US);
    host_turn(BASE + 2 * MiB, US);
    for (int i = 0; i < 40; i++) { /* each evicts the other */
        gpu_turn(BASE, US);
        gpu_turn(BASE + 2 * MiB, US);
    }
    UM_EQUAL(sum.pages_thrashing, 0);
}

static unsigned told[UVM_EVENT_THROTTLING + 1];
static uint64_t told_pages, told_wait_ns;

static void observe(void *context, const struct uvm_event *event)
{
    (void)context;
    told[event->type]++;
    told_pages += event->type == UVM_EVENT_THRASHING ? event->bytes / UVM_PAGE_BYTES : 0;
    told_wait_ns += event->wait_ns;
}

static void observers_are_told_of_each(void)
{
    begin(2 * MiB);
    for (int i = 0; i < 12; i++) {
        struct uvm_delta delta = {.now_ns = now, .observer = observe};
        struct uvm_opening opening;
        uvm_cpu_fault(space, BASE, true, &delta);
        end_turn(delta, CPU_TURN);
        delta = (struct uvm_delta){.now_ns = now, .observer = observe};
        uvm_gpu_touch(space, UVM_GPU, BASE, true, &opening);
        uvm_gpu_replay(space, UVM_GPU, NULL, &delta);
        end_turn(delta, GPU_TURN);
    }
    UM_EQUAL(told_pages, sum.pages_thrashing);
    UM_EQUAL(told[UVM_EVENT_THROTTLING], sum.throttles[UVM_CPU] + sum.throttles[UVM_GPU]);
    UM_EQUAL(told_wait_ns, sum.throttled_ns[UVM_CPU] + sum.throttled_ns[UVM_GPU]);
    CU_ASSERT(told[UVM_EVENT_THROTTLING] > 0);
}

UM_TESTS("uvm thrashing",
         {"the third move within 500 us of the one before makes the pages of 64 KiB thrash",
          the_third_move_within_500_us_of_the_one_before_makes_64_KiB},
         {"slower turns never do", slower_turns_never_do},
         {"where no time is known nothing thrashes", where_no_time_is_known_nothing_thrashes},
         {"a thrashing page moves alone", a_thrashing_page_moves_alone},
         {"the other side waits until the period ends, then the first",
          the_other_side_waits_until_the_period_ends_then_the_first},
         {"after ten throttles the page is pinned to the host and mapped for the GPU",
          after_ten_throttles_the_page_is_pinned_to_the_host_and_mapped},
         {"a pin ends after 150 ms, and with it the GPU's mapping",
          a_pin_ends_after_150_ms_and_with_it_the_GPUs_mapping},
         {"what a prefetch moved is not suspect any more", what_a_prefetch_moved_is_not_suspect_any_more},
         {"where the preferred location is the host, it is pinned there at once",
          where_the_preferred_location_is_the_host_it_is_pinned_there},
         {"pages that may be duplicated do not thrash", pages_that_may_be_duplicated_do_not_thrash},
         {"freeing forgets it all", freeing_forgets_it_all},
         {"a block that was quiet for a second is forgiven", a_block_that_was_quiet_for_a_second_is_forgiven},
         {"evictions do not count", evictions_do_not_count},
         {"observers are told of each", observers_are_told_of_each});
