/**
 * @file kernel_access.c
 * @brief Kernels on addresses that are not the GPU's: cudaErrorIllegalAddress at the synchronise, sticky; the
 * host lives.
 *
 * Each address needs a child of its own, since the first such error is the last thing that CUDA does in a
 * process. Not among them: string literals and other read-only data, which the simulator cannot close to the
 * GPU process (code and constants of kernels stand on the same pages).
 */
#include "child.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels.h"
#include "um_backend.h"
#include "um_check.h"
#include "um_test.h"

/** Larger than malloc's threshold for mmap. */
#define LARGE_BYTES ((size_t)64 << 20)
/** What the host keeps at the address. */
#define KEPT 1234.0f

static float in_data = KEPT;
static float in_bss[1024];

/** What a kernel is to follow, and when the memory is made: what stands before CUDA starts, the simulator's
 * GPU process inherits; what comes later, it never had. */
struct place {
    float *(*make)(void);
    bool before_start;
    bool write;   /**< the kernel writes there; else it reads */
    bool no_host; /**< the host cannot look at it either */
};

/** What became of it. */
struct follow {
    const struct place *place;
    cudaError_t launch, synchronize, last;
    bool host_unchanged;
};

static float *make_small(void)
{
    return malloc(sizeof(float));
}

static float *make_large(void)
{
    return malloc(LARGE_BYTES);
}

static float *make_mapped(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

static float *make_data(void)
{
    return &in_data;
}

static float *make_bss(void)
{
    return &in_bss[512];
}

static float *make_null(void)
{
    return NULL;
}

/** Larger than hardware's chunks, and small enough for the profile `tiny`. */
#define FREED_BYTES ((size_t)16 << 20)

/* Freed, and nothing else near it: hardware takes its pages away only when a chunk is empty. */
static float *make_freed(void)
{
    float *p = NULL;

    CHILD_NEED(cudaMalloc((void **)&p, FREED_BYTES));
    CHILD_NEED(cudaMemset(p, 0, FREED_BYTES));
    CHILD_NEED(cudaFree(p));
    return p;
}

/* Another thread's stack; the thread waits there until the process ends. */
static void *wait_on_a_stack(void *address)
{
    float on_stack = KEPT;

    __atomic_store_n((float **)address, &on_stack, __ATOMIC_RELEASE);
    for (;;) {
        pause();
    }
    return NULL;
}

static float *make_thread_stack(void)
{
    static float *address;
    pthread_t thread;

    CHILD_ASSERT(pthread_create(&thread, NULL, wait_on_a_stack, &address) == 0);
    while (!__atomic_load_n(&address, __ATOMIC_ACQUIRE)) {
        usleep(1000);
    }
    return address;
}

static void follow_address(struct follow *seen, float *address, float *d_x)
{
    const bool write = seen->place->write;

    if (!seen->place->no_host)
        *address = KEPT;
    seen->launch = write ? um_fill(address, 1.0f, 1, 0) : um_vector_add(d_x, address, d_x, 1, 0);
    seen->synchronize = cudaDeviceSynchronize();
    seen->last = cudaGetLastError();
    seen->host_unchanged = seen->place->no_host || *address == KEPT;
}

static void follow_in_child(void *area)
{
    struct follow *seen = area;
    const bool early = seen->place->before_start;
    float on_stack = KEPT, *address = NULL, *d_x = NULL;

    if (early && seen->place->make)
        address = seen->place->make();
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    CHILD_NEED(cudaMemset(d_x, 0, 4096));
    if (!early && seen->place->make)
        address = seen->place->make();
    follow_address(seen, seen->place->make ? address : &on_stack, d_x);
}

static void should_fail(const struct place *place)
{
    struct follow seen = {.place = place};
    static struct child child;

    if (!place->no_host)
        need_separate_memories();
    child_run(follow_in_child, &seen, sizeof seen, &child);
    if (!child_ended_well(&child))
        return;
    UM_EQUAL(seen.launch, cudaSuccess); /* a launch only queues */
    UM_EQUAL(seen.synchronize, cudaErrorIllegalAddress);
    UM_EQUAL(seen.last, cudaErrorIllegalAddress);
    CU_ASSERT_TRUE(seen.host_unchanged);
}

#define SHOULD_FAIL(test, ...)                                                                               \
    static void test(void)                                                                                   \
    {                                                                                                        \
        static const struct place place = {__VA_ARGS__};                                                     \
        should_fail(&place);                                                                                 \
    }

SHOULD_FAIL(heap_read_fails, .make = make_small, .before_start = true)
SHOULD_FAIL(heap_write_fails, .make = make_small, .before_start = true, .write = true)
SHOULD_FAIL(later_heap_fails, .make = make_small)
SHOULD_FAIL(large_malloc_fails, .make = make_large, .before_start = true)
SHOULD_FAIL(later_mapping_fails, .make = make_mapped, .write = true)
SHOULD_FAIL(stack_fails, .make = NULL)
SHOULD_FAIL(stack_write_fails, .make = NULL, .write = true)
SHOULD_FAIL(thread_stack_fails, .make = make_thread_stack, .before_start = true)
SHOULD_FAIL(data_fails, .make = make_data, .before_start = true)
SHOULD_FAIL(bss_fails, .make = make_bss, .before_start = true, .write = true)
SHOULD_FAIL(null_read_fails, .make = make_null, .no_host = true)
SHOULD_FAIL(null_write_fails, .make = make_null, .no_host = true, .write = true)
SHOULD_FAIL(freed_read_fails, .make = make_freed, .no_host = true)
SHOULD_FAIL(freed_write_fails, .make = make_freed, .no_host = true, .write = true)

/** Where the host can be told of the failure: all of these wait. */
struct waits {
    cudaError_t stream, event, copy;
};

static void wait_in_child(cudaError_t (*wait)(float *d_x, float *h_x), cudaError_t *answer)
{
    float *h_x = malloc(sizeof *h_x), *d_x = NULL;

    CHILD_ASSERT(h_x);
    CHILD_NEED(cudaMalloc((void **)&d_x, sizeof *d_x));
    CHILD_NEED(um_fill(h_x, 1.0f, 1, 0));
    *answer = wait(d_x, h_x);
}

static cudaError_t wait_for_stream(float *d_x, float *h_x)
{
    (void)d_x;
    (void)h_x;
    return cudaStreamSynchronize(0);
}

static cudaError_t wait_for_event(float *d_x, float *h_x)
{
    cudaEvent_t event = NULL;

    (void)d_x;
    (void)h_x;
    CHILD_NEED(cudaEventCreate(&event));
    (void)cudaEventRecord(event, 0); /* whether this tells already depends on how far the kernel is */
    return cudaEventSynchronize(event);
}

static cudaError_t wait_for_copy(float *d_x, float *h_x)
{
    return cudaMemcpy(h_x, d_x, sizeof *h_x, cudaMemcpyDeviceToHost);
}

static void stream_child(void *answer)
{
    wait_in_child(wait_for_stream, answer);
}

static void event_child(void *answer)
{
    wait_in_child(wait_for_event, answer);
}

static void copy_child(void *answer)
{
    wait_in_child(wait_for_copy, answer);
}

static void should_tell(void (*body)(void *))
{
    cudaError_t answer = cudaSuccess;
    static struct child child;

    need_separate_memories();
    child_run(body, &answer, sizeof answer, &child);
    if (child_ended_well(&child))
        UM_EQUAL(answer, cudaErrorIllegalAddress);
}

static void cudaStreamSynchronize_tells_of_it(void)
{
    should_tell(stream_child);
}

static void cudaEventSynchronize_tells_of_it(void)
{
    should_tell(event_child);
}

static void a_blocking_cudaMemcpy_tells_of_it(void)
{
    should_tell(copy_child);
}

/** What calls return after the failure. */
struct sticky {
    cudaError_t to_device, from_device, allocate, release, last, again, last_again, launch, synchronize;
    cudaError_t reset, allocate_after;
    bool host_lives;
};

static void stick(void *area)
{
    struct sticky *seen = area;
    float *h_x = malloc(sizeof *h_x), *d_x = NULL, *more = NULL;

    CHILD_ASSERT(h_x);
    *h_x = KEPT;
    CHILD_NEED(cudaMalloc((void **)&d_x, sizeof *d_x));
    CHILD_NEED(um_fill(h_x, 1.0f, 1, 0));
    (void)cudaDeviceSynchronize();
    seen->to_device = cudaMemcpy(d_x, h_x, sizeof *h_x, cudaMemcpyHostToDevice);
    seen->from_device = cudaMemcpy(h_x, d_x, sizeof *h_x, cudaMemcpyDeviceToHost);
    seen->allocate = cudaMalloc((void **)&more, 4096);
    seen->release = cudaFree(d_x);
    seen->last = cudaGetLastError();
    seen->again = cudaDeviceSynchronize();
    seen->last_again = cudaGetLastError();
    seen->launch = um_fill(d_x, 1.0f, 1, 0);
    seen->synchronize = cudaDeviceSynchronize();
    seen->host_lives = *h_x == KEPT;
    seen->reset = cudaDeviceReset();
    seen->allocate_after = cudaMalloc((void **)&more, 4096);
    free(h_x);
}

static const struct sticky *after_the_failure(void)
{
    static struct sticky seen;
    static struct child child;
    static bool ran;

    need_separate_memories();
    if (!ran)
        child_run(stick, &seen, sizeof seen, &child);
    ran = true;
    child_ended_well(&child);
    return &seen;
}

static void copies_return_it_too(void)
{
    UM_EQUAL(after_the_failure()->to_device, cudaErrorIllegalAddress);
    UM_EQUAL(after_the_failure()->from_device, cudaErrorIllegalAddress);
}

static void cudaMalloc_and_cudaFree_return_it_too(void)
{
    UM_EQUAL(after_the_failure()->release, cudaErrorIllegalAddress);
    UM_EQUAL(after_the_failure()->allocate, cudaErrorIllegalAddress);
}

static void cudaGetLastError_returns_it_and_the_next_call_brings_it_back(void)
{
    UM_EQUAL(after_the_failure()->last, cudaErrorIllegalAddress);
    UM_EQUAL(after_the_failure()->again, cudaErrorIllegalAddress);
    UM_EQUAL(after_the_failure()->last_again, cudaErrorIllegalAddress);
}

static void launches_and_synchronisations_return_it_too(void)
{
    UM_EQUAL(after_the_failure()->launch, cudaErrorIllegalAddress);
    UM_EQUAL(after_the_failure()->synchronize, cudaErrorIllegalAddress);
}

static void cudaDeviceReset_succeeds_and_the_device_stays_unavailable(void)
{
    UM_EQUAL(after_the_failure()->reset, cudaSuccess);
    UM_EQUAL(after_the_failure()->allocate_after, cudaErrorDevicesUnavailable);
}

static void the_host_lives_and_its_data_is_unchanged(void)
{
    CU_ASSERT_TRUE(after_the_failure()->host_lives);
}

UM_TESTS("kernel access", {"a kernel that reads the heap gets cudaErrorIllegalAddress", heap_read_fails},
         {"a kernel that writes the heap, too, and the host's data stay", heap_write_fails},
         {"heap memory from after CUDA's start is refused", later_heap_fails},
         {"a large malloc, which is a mapping of its own, is refused", large_malloc_fails},
         {"a mapping made after CUDA's start is refused", later_mapping_fails},
         {"a read of the stack is refused", stack_fails},
         {"a write to the stack is refused", stack_write_fails},
         {"another thread's stack is refused", thread_stack_fails},
         {"an ordinary global variable is refused", data_fails},
         {"an ordinary global variable without a value (.bss) is refused", bss_fails},
         {"a read through NULL is refused", null_read_fails},
         {"a write through NULL is refused", null_write_fails},
         {"a read of freed device memory is refused", freed_read_fails},
         {"a write to freed device memory is refused", freed_write_fails});

UM_TESTS("kernel access told", {"cudaStreamSynchronize tells of it", cudaStreamSynchronize_tells_of_it},
         {"cudaEventSynchronize tells of it", cudaEventSynchronize_tells_of_it},
         {"a blocking cudaMemcpy tells of it", a_blocking_cudaMemcpy_tells_of_it});

UM_TESTS("kernel access sticks", {"copies return it, too", copies_return_it_too},
         {"cudaMalloc and cudaFree return it, too", cudaMalloc_and_cudaFree_return_it_too},
         {"cudaGetLastError returns it, and the next call brings it back",
          cudaGetLastError_returns_it_and_the_next_call_brings_it_back},
         {"launches and synchronisations return it, too", launches_and_synchronisations_return_it_too},
         {"cudaDeviceReset succeeds, and the device stays unavailable",
          cudaDeviceReset_succeeds_and_the_device_stays_unavailable},
         {"the host lives, and its data is unchanged", the_host_lives_and_its_data_is_unchanged});
