/**
 * @file buffers.c
 * @brief Tests of interop/um_buffer.h: lifetimes, and handles that are wrong.
 */
#include "interop/um_buffer.h"
#include "um_test.h"

#include "made.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *um_test_cannot_run(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? NULL : "no CUDA device here";
}

static struct um_buffer_info described(um_buffer b)
{
    struct um_buffer_info info = {0};
    UM_EQUAL(um_buffer_describe(b, &info), cudaSuccess);
    return info;
}

static void each_kind_says_who_may_touch_it(void)
{
    static const struct {
        int memory;
        bool host;
    } kinds[] = {{UM_MEMORY_DEVICE, false},
                 {UM_MEMORY_PINNED, true},
                 {UM_MEMORY_MAPPED, true},
                 {UM_MEMORY_MANAGED, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        um_buffer b = made(kinds[i].memory, 4096);
        struct um_buffer_info info = described(b);
        UM_EQUAL(info.memory, kinds[i].memory);
        UM_EQUAL(info.bytes, 4096);
        UM_EQUAL(info.host_visible, kinds[i].host);
        UM_EQUAL(info.references, 1);
        CU_ASSERT_TRUE(info.device_address != 0);
        if (kinds[i].host)
            memset((void *)(uintptr_t)info.address, 1, 4096);
        UM_EQUAL(um_buffer_free(b), cudaSuccess);
    }
}

static void a_handle_is_stale_once_its_buffer_is_gone(void)
{
    um_buffer first = made(UM_MEMORY_DEVICE, 64), second;
    struct um_buffer_info info;
    UM_EQUAL(um_buffer_free(first), cudaSuccess);
    second = made(UM_MEMORY_DEVICE, 64); /* may well have the same address, and the same slot */
    CU_ASSERT_TRUE(first != second);
    UM_EQUAL(um_buffer_describe(first, &info), cudaErrorInvalidResourceHandle);
    UM_EQUAL(um_buffer_retain(first), cudaErrorInvalidResourceHandle);
    UM_EQUAL(um_buffer_release(first), cudaErrorInvalidResourceHandle);
    UM_EQUAL(um_buffer_free(first), cudaErrorInvalidResourceHandle);
    UM_CONTAINS(um_error_text(), "no living buffer");
    UM_EQUAL(um_buffer_free(second), cudaSuccess);
}

static void numbers_that_were_never_given_are_no_handles(void)
{
    static const um_buffer wrong[] = {0, 1, 7, UINT32_MAX, (um_buffer)1 << 32, UINT64_MAX, 0x7f0000000000};
    struct um_buffer_info info;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        UM_EQUAL(um_buffer_describe(wrong[i], &info), cudaErrorInvalidResourceHandle);
        UM_EQUAL(um_buffer_free(wrong[i]), cudaErrorInvalidResourceHandle);
    }
}

static void either_side_may_go_first(void)
{
    um_buffer b = made(UM_MEMORY_MANAGED, 4096);
    uint64_t buffers, bytes, before, before_bytes;
    um_buffer_alive(&before, &before_bytes);
    UM_EQUAL(um_buffer_retain(b), cudaSuccess);
    UM_EQUAL(um_buffer_free(b), cudaErrorNotPermitted);
    UM_CONTAINS(um_error_text(), "in use by 1 others");
    UM_EQUAL(um_buffer_release(b), cudaSuccess); /* the owner goes */
    *(volatile int *)(uintptr_t)described(b).address = 5;
    UM_EQUAL(um_buffer_release(b), cudaSuccess); /* the view goes, and with it the memory */
    um_buffer_alive(&buffers, &bytes);
    UM_EQUAL(buffers, before - 1);
    UM_EQUAL(bytes, before_bytes - 4096);
}

static void bad_requests_are_errors_with_a_sentence(void)
{
    um_buffer b = 77;
    UM_EQUAL(um_buffer_create(UM_MEMORY_DEVICE, 0, &b), cudaErrorInvalidValue);
    UM_EQUAL(b, 0);
    UM_CONTAINS(um_error_text(), "0 bytes");
    UM_EQUAL(um_buffer_create(4, 64, &b), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "4 is no kind of memory");
    UM_EQUAL(um_buffer_create(-1, 64, &b), cudaErrorInvalidValue);
    UM_EQUAL(um_buffer_create(UM_MEMORY_DEVICE, UINT64_MAX / 2, &b), cudaErrorMemoryAllocation);
    UM_CONTAINS(um_error_text(), "cudaMalloc");
    UM_EQUAL(cudaGetLastError(), cudaSuccess); /* nothing is left behind for the next launch to report */
}

static void memory_of_another_library_can_be_taken_up(void)
{
    void *p = NULL;
    uint64_t offset = 0;
    um_buffer b, none;
    UM_EQUAL(cudaMalloc(&p, 4096), cudaSuccess);
    UM_EQUAL(um_buffer_adopt(p, 4096, &b), cudaSuccess);
    UM_EQUAL(described(b).memory, UM_MEMORY_DEVICE);
    UM_EQUAL(described(b).adopted, 1);
    UM_EQUAL(um_buffer_find((char *)p + 12, &offset), b);
    UM_EQUAL(offset, 12);
    UM_EQUAL(um_buffer_release(b), cudaSuccess);
    UM_EQUAL(um_buffer_find(p, &offset), 0);
    UM_EQUAL(cudaMemset(p, 0, 4096), cudaSuccess); /* it was not freed with the buffer */
    UM_EQUAL(cudaFree(p), cudaSuccess);
    UM_EQUAL(um_buffer_adopt(p, 4096, &none), cudaErrorInvalidValue);
    UM_EQUAL(um_buffer_adopt(&offset, sizeof offset, &none), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "not CUDA's");
    UM_EQUAL(um_buffer_adopt(NULL, 1, &none), cudaErrorInvalidValue);
    UM_EQUAL(um_buffer_adopt((void *)4096, UINT64_MAX, &none), cudaErrorInvalidValue);
}

static void a_forked_child_is_told_and_harms_nothing(void)
{
    um_buffer b = made(UM_MEMORY_MANAGED, 4096);
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        um_buffer other;
        bool right = um_buffer_create(UM_MEMORY_DEVICE, 64, &other) == cudaErrorInitializationError;
        right = right && strstr(um_error_text(), "forked") && um_buffer_release(b) == cudaSuccess;
        _exit(right ? 0 : 1);
    }
    UM_EQUAL(waitpid(child, &status, 0), child);
    UM_EQUAL(status, 0);
    *(volatile int *)(uintptr_t)described(b).address = 5;
    UM_EQUAL(um_buffer_free(b), cudaSuccess);
}

/* ---- 10,000 cycles of create, share and drop, in every order, by eight threads ---- */

enum { THREADS = 8, CYCLES = 1250, SHARES = 3 };

static void *cycles(void *failures)
{
    for (int i = 0; i < CYCLES; i++) {
        um_buffer b = 0;
        int held = 0;
        if (um_buffer_create(i % 4, 64 + (uint64_t)i, &b) != cudaSuccess) {
            ++*(int *)failures;
            continue;
        }
        while (held < i % (SHARES + 1))
            held += um_buffer_retain(b) == cudaSuccess;
        if (um_buffer_free(b) != (held ? cudaErrorNotPermitted : cudaSuccess))
            ++*(int *)failures;
        for (int left = held ? held + 1 : 0; left > 0; left--)
            *(int *)failures += um_buffer_release(b) != cudaSuccess;
        *(int *)failures += um_buffer_release(b) != cudaErrorInvalidResourceHandle;
    }
    return NULL;
}

static void the_10000_cycles_by_eight_threads_leave_nothing(void)
{
    pthread_t threads[THREADS];
    int failures[THREADS] = {0};
    uint64_t buffers, bytes, before, before_bytes;
    um_buffer_alive(&before, &before_bytes);
    for (int i = 0; i < THREADS; i++)
        UM_EQUAL(pthread_create(&threads[i], NULL, cycles, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        UM_EQUAL(failures[i], 0);
    }
    um_buffer_alive(&buffers, &bytes);
    UM_EQUAL(buffers, before);
    UM_EQUAL(bytes, before_bytes);
}

UM_TESTS("interop: buffers", {"each kind says who may touch it", each_kind_says_who_may_touch_it},
         {"a handle is stale once its buffer is gone", a_handle_is_stale_once_its_buffer_is_gone},
         {"numbers that were never given are no handles", numbers_that_were_never_given_are_no_handles},
         {"either side may go first", either_side_may_go_first},
         {"bad requests are errors with a sentence", bad_requests_are_errors_with_a_sentence},
         {"memory of another library can be taken up", memory_of_another_library_can_be_taken_up},
         {"a forked child is told, and harms nothing", a_forked_child_is_told_and_harms_nothing},
         {"10,000 cycles by eight threads leave nothing", the_10000_cycles_by_eight_threads_leave_nothing});
