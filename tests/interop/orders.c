/**
 * @file orders.c
 * @brief 10,000 cycles of create, share and drop, in every order of those who share: nothing is left on the
 * heap.
 *
 * The heap is asked how much it has given out (glibc's mallinfo2; under a sanitizer that says nothing).
 * LeakSanitizer and valgrind cannot look into a process with the simulator in it:
 * tests/python/interop_heap.py shows them this test with a stand-in for CUDA.
 */
#include "interop/um_dlpack.h"
#include "um_test.h"

#include <malloc.h>
#include <stdbool.h>

enum { HOLDERS = 5, ORDERS = 120, ROUNDS = 84 }; /* 10,080 cycles */

/* Those who share a buffer. Each is taken when the cycle begins, and dropped in its turn. */
struct cycle {
    um_buffer owner, looked_at;
    struct um_dl_managed *managed;
    struct um_dl_versioned *versioned;
};

static bool begin(struct cycle *it, int memory)
{
    static const int64_t shape[] = {4, 4}, strides[] = {-4, 1};
    struct um_dl_layout layout = {.shape = shape, .strides = strides, .ndim = 2, .dtype = {2, 32, 1}};
    struct um_buffer_info info;
    *it = (struct cycle){0};
    if (um_buffer_create(memory, 64, &it->owner) != cudaSuccess ||
        um_buffer_describe(it->owner, &info) != cudaSuccess)
        return false;
    layout.at = (struct um_place){it->owner, 48};
    return um_buffer_retain(it->owner) == cudaSuccess &&
           um_buffer_adopt((void *)(uintptr_t)info.address, 64, &it->looked_at) == cudaSuccess && // NOLINT
           um_dlpack_export(&layout, 0, (void **)&it->managed) == cudaSuccess &&
           um_dlpack_export(&layout, 1, (void **)&it->versioned) == cudaSuccess;
}

static bool drop(struct cycle *it, int who)
{
    switch (who) {
    case 0: /* the owner */
    case 1: /* a view */
        return um_buffer_release(it->owner) == cudaSuccess;
    case 2:
        it->managed->deleter(it->managed);
        return true;
    case 3:
        um_dlpack_drop(it->versioned, 1);
        return true;
    default: /* another library's look at the same memory; it holds nothing */
        return um_buffer_release(it->looked_at) == cudaSuccess;
    }
}

/* The holders in their `number`th order. */
static void order_of(int number, int *order)
{
    int left[HOLDERS] = {0, 1, 2, 3, 4}, count = HOLDERS;
    while (count > 0) {
        const int chosen = number % count;
        number /= count;
        order[HOLDERS - count] = left[chosen];
        left[chosen] = left[--count];
    }
}

/* @return what went wrong in this order: 0 nothing */
static int wrong_in(int number, int memory)
{
    struct um_buffer_info info;
    struct cycle it;
    int order[HOLDERS], wrong = 0, holding = HOLDERS - 1;
    order_of(number, order);
    if (!begin(&it, memory))
        return 1;
    for (int i = 0; i < HOLDERS; i++) {
        wrong +=
            um_buffer_describe(it.owner, &info) != (holding ? cudaSuccess : cudaErrorInvalidResourceHandle);
        wrong += holding && info.references != (uint64_t)holding;
        wrong += !drop(&it, order[i]);
        holding -= order[i] != HOLDERS - 1;
    }
    return wrong + (um_buffer_release(it.owner) != cudaErrorInvalidResourceHandle);
}

static void the_10000_cycles_in_every_order_leave_nothing(void)
{
    uint64_t buffers, bytes, before, before_bytes;
    size_t heap = 0;
    int wrong = 0;
    um_buffer_alive(&before, &before_bytes);
    for (int round = 0; round < ROUNDS; round++) {
        for (int number = 0; number < ORDERS; number++)
            wrong += wrong_in(number, (round + number) % 4);
        if (round == 0)
            heap = mallinfo2().uordblks; /* what libraries set up once is there now */
    }
    UM_EQUAL(wrong, 0);
    um_buffer_alive(&buffers, &bytes);
    UM_EQUAL(buffers, before);
    UM_EQUAL(bytes, before_bytes);
    UM_EQUAL(mallinfo2().uordblks, heap);
}

UM_TESTS("interop: orders",
         {"10,000 cycles, in every order, leave nothing", the_10000_cycles_in_every_order_leave_nothing});
