/**
 * @file stack.c
 * @brief Kernels that use more stack than a thread has: cudaErrorIllegalAddress at the synchronise, as on an
 * H200, and, on the simulator, a line that says so. A higher cudaLimitStackSize is honoured.
 */
#include "child.h"

#include <string.h>

#include "stack_kernels.h"
#include "um_backend.h"
#include "um_check.h"
#include "um_test.h"

enum { ENDLESS = 1000000000 };

/** What is launched, with which limit; and what came of it. */
struct use {
    cudaError_t (*recurse)(int *d_work, int frames);
    int frames;
    cudaError_t (*take)(int *d_work, size_t bytes);
    size_t bytes;
    size_t limit; /**< 0: as it is at first */
    cudaError_t set, launch, synchronize, last;
    int result;
};

static void use_in_child(void *area)
{
    struct use *use = area;
    int *d_work = NULL;

    if (use->limit)
        use->set = cudaDeviceSetLimit(cudaLimitStackSize, use->limit);
    CHILD_NEED(cudaMalloc((void **)&d_work, 64 * sizeof *d_work));
    CHILD_NEED(cudaMemset(d_work, 0, 64 * sizeof *d_work));
    use->launch = use->recurse ? use->recurse(d_work, use->frames) : use->take(d_work, use->bytes);
    use->synchronize = cudaDeviceSynchronize();
    use->last = cudaGetLastError();
    if (use->synchronize == cudaSuccess)
        CHILD_NEED(cudaMemcpy(&use->result, d_work + 32, sizeof use->result, cudaMemcpyDeviceToHost));
}

static void should_overflow(struct use use, const char *thread)
{
    static struct child child;

    child_run(use_in_child, &use, sizeof use, &child);
    if (!child_ended_well(&child))
        return;
    UM_EQUAL(use.launch, cudaSuccess);
    UM_EQUAL(use.synchronize, cudaErrorIllegalAddress);
    UM_EQUAL(use.last, cudaErrorIllegalAddress);
    if (!um_is_sim())
        return;
    UM_CONTAINS(child.err, "overflowed its stack");
    UM_CONTAINS(child.err, thread);
    UM_CONTAINS(child.err, "cudaLimitStackSize");
    UM_CONTAINS(child.err, "sticky");
}

static void should_work(struct use use, int result)
{
    static struct child child;

    child_run(use_in_child, &use, sizeof use, &child);
    if (!child_ended_well(&child))
        return;
    UM_EQUAL(use.set, cudaSuccess);
    UM_EQUAL(use.launch, cudaSuccess);
    UM_EQUAL(use.synchronize, cudaSuccess);
    UM_EQUAL(use.result, result);
    UM_STRING_EQUAL(child.err, "");
}

#define WHERE "(block 0,0,0 thread 5,0,0)"

static void recursion_without_end_is_a_stack_overflow(void)
{
    should_overflow((struct use){.recurse = recurse, .frames = ENDLESS}, "kernel plain");
    should_overflow((struct use){.recurse = recurse_widely, .frames = ENDLESS}, "kernel plain");
}

static void in_a_kernel_with_barriers_its_thread_is_named(void)
{
    should_overflow((struct use){.recurse = recurse_with_barriers, .frames = ENDLESS}, WHERE);
    should_overflow((struct use){.recurse = recurse_widely_with_barriers, .frames = ENDLESS}, WHERE);
}

static void with_the_highest_limit_endless_recursion_is_one_too(void)
{
    should_overflow((struct use){.recurse = recurse, .frames = ENDLESS, .limit = 512000}, "kernel plain");
    should_overflow((struct use){.recurse = recurse_with_barriers, .frames = ENDLESS, .limit = 512000},
                    WHERE);
}

static void wide_frames_overflow_the_stack_that_a_thread_has_at_first(void)
{
    should_overflow((struct use){.recurse = recurse_widely_with_barriers, .frames = 1000}, WHERE);
}

static void a_higher_limit_lets_1_000_frames_work(void)
{
    should_work((struct use){.recurse = recurse, .frames = 1000, .limit = 300000}, 1000);
    should_work((struct use){.recurse = recurse_with_barriers, .frames = 1000, .limit = 300000}, 1000);
    should_work((struct use){.recurse = recurse_widely, .frames = 1000, .limit = 300000}, 1000);
    should_work((struct use){.recurse = recurse_widely_with_barriers, .frames = 1000, .limit = 300000}, 1000);
}

static void a_higher_limit_lets_20_000_frames_work(void)
{
    if (!um_is_sim())
        UM_SKIP("a GPU's frames of this size need more than its highest limit");
    should_work((struct use){.recurse = recurse, .frames = 20000, .limit = 512000}, 20000);
    should_work((struct use){.recurse = recurse_with_barriers, .frames = 20000, .limit = 512000}, 20000);
}

static void alloca_of_512_bytes_works(void)
{
    should_work((struct use){.take = take, .bytes = 512}, 512);
    should_work((struct use){.take = take_with_barriers, .bytes = 512}, 512);
}

static void alloca_of_8_KiB_is_a_stack_overflow(void)
{
    should_overflow((struct use){.take = take, .bytes = 8192}, "alloca() was asked for 8192 bytes");
    should_overflow((struct use){.take = take_with_barriers, .bytes = 8192}, WHERE);
}

static void alloca_of_800_000_bytes_is_a_stack_overflow(void)
{
    should_overflow((struct use){.take = take, .bytes = 800000}, "alloca() was asked for 800000 bytes");
    should_overflow((struct use){.take = take_with_barriers, .bytes = 800000}, WHERE);
}

static void a_higher_limit_lets_alloca_have_more(void)
{
    should_work((struct use){.take = take, .bytes = 100000, .limit = 300000}, 100000);
    should_work((struct use){.take = take_with_barriers, .bytes = 100000, .limit = 300000}, 100000);
}

/** Launches one after the other, as the limit goes up and down. */
struct changes {
    cudaError_t worst;
    int wrong;
};

static void launch_with_changing_limits(void *area)
{
    static const size_t limits[] = {1024, 300000, 4096, 512000, 1024, 300000};
    struct changes *seen = area;
    int *d_work = NULL;

    CHILD_NEED(cudaMalloc((void **)&d_work, 64 * sizeof *d_work));
    CHILD_NEED(cudaMemset(d_work, 0, 64 * sizeof *d_work));
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const int frames = limits[i] > 10000 ? 1000 : 3;
        int result = 0;
        CHILD_NEED(cudaDeviceSetLimit(cudaLimitStackSize, limits[i]));
        CHILD_NEED(recurse_widely_with_barriers(d_work, frames));
        const cudaError_t error = cudaDeviceSynchronize();
        seen->worst = error ? error : seen->worst;
        (void)cudaMemcpy(&result, d_work + 32, sizeof result, cudaMemcpyDeviceToHost);
        seen->wrong += result != frames;
    }
}

static void the_limit_may_go_up_and_down_between_launches(void)
{
    struct changes seen = {cudaSuccess, 0};
    static struct child child;

    child_run(launch_with_changing_limits, &seen, sizeof seen, &child);
    if (!child_ended_well(&child))
        return;
    UM_EQUAL(seen.worst, cudaSuccess);
    UM_EQUAL(seen.wrong, 0);
}

UM_TESTS("the stack of a kernel's thread",
         {"recursion without end is a stack overflow", recursion_without_end_is_a_stack_overflow},
         {"in a kernel with barriers its thread is named", in_a_kernel_with_barriers_its_thread_is_named},
         {"with the highest limit endless recursion is one, too",
          with_the_highest_limit_endless_recursion_is_one_too},
         {"wide frames overflow the stack that a thread has at first",
          wide_frames_overflow_the_stack_that_a_thread_has_at_first},
         {"a higher limit lets 1,000 frames work", a_higher_limit_lets_1_000_frames_work},
         {"a higher limit lets 20,000 frames work", a_higher_limit_lets_20_000_frames_work},
         {"alloca() of 512 bytes works", alloca_of_512_bytes_works},
         {"alloca() of 8 KiB is a stack overflow", alloca_of_8_KiB_is_a_stack_overflow},
         {"alloca() of 800,000 bytes is a stack overflow", alloca_of_800_000_bytes_is_a_stack_overflow},
         {"a higher limit lets alloca() have more", a_higher_limit_lets_alloca_have_more},
         {"the limit may go up and down between launches", the_limit_may_go_up_and_down_between_launches});
