/**
 * @file work.c
 * @brief Tests of interop/um_interop.h: what is queued is right, and what cannot be right is refused.
 */
#include "interop/um_interop.h"
#include "kernels.h"
#include "um_test.h"

#include "made.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 1000 };

static struct um_place at(um_buffer buffer, uint64_t offset)
{
    return (struct um_place){buffer, offset};
}

static void kernels_work_on_every_kind_of_memory(void)
{
    float host[N], got[N];
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    for (int memory = UM_MEMORY_DEVICE; memory <= UM_MEMORY_MANAGED; memory++) {
        um_buffer x = made(memory, sizeof host), y = made(memory, sizeof host);
        UM_EQUAL(um_copy_from_host(at(x, 0), host, sizeof host, 0), cudaSuccess);
        UM_EQUAL(um_copy(at(y, 0), at(x, 0), sizeof host, 0), cudaSuccess);
        UM_EQUAL(um_launch_saxpy(at(y, 0), 2, at(x, 0), N, 0), cudaSuccess);
        UM_EQUAL(um_launch_vector_add(at(y, 0), at(y, 0), at(x, 0), N, 0), cudaSuccess);
        UM_EQUAL(um_synchronize(0), cudaSuccess);
        UM_EQUAL(um_copy_to_host(got, at(y, 0), sizeof got, 0), cudaSuccess);
        UM_EQUAL(um_synchronize(0), cudaSuccess);
        for (int i = 0; i < N; i++)
            UM_EQUAL(got[i], 4 * i);
        UM_EQUAL(um_buffer_free(x), cudaSuccess);
        UM_EQUAL(um_buffer_free(y), cudaSuccess);
    }
}

static void ranges_beyond_a_buffer_are_refused(void)
{
    um_buffer x = made(UM_MEMORY_DEVICE, 400);
    char host[400] = {0};
    UM_EQUAL(um_copy_from_host(at(x, 1), host, 400, 0), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "buffer of 400 bytes");
    UM_EQUAL(um_copy_from_host(at(x, UINT64_MAX), host, 2, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_copy_to_host(host, at(x, 400), 1, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_copy_to_host(host, at(x, 400), 0, 0), cudaSuccess);
    UM_EQUAL(um_launch_saxpy(at(x, 0), 1, at(x, 0), 101, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_launch_saxpy(at(x, 0), 1, at(x, 0), UINT64_MAX / 2, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_launch_saxpy(at(x, 2), 1, at(x, 0), 10, 0), cudaErrorMisalignedAddress);
    UM_EQUAL(um_launch_vector_add(at(x, 0), at(x, 0), at(0, 0), 10, 0), cudaErrorInvalidResourceHandle);
    UM_EQUAL(um_launch_vector_add(at(x, 0), at(x, 0), at(x, 0), 0, 0), cudaSuccess);
    UM_EQUAL(um_buffer_free(x), cudaSuccess); /* nothing that failed still holds it */
}

static void host_pointers_that_are_none_are_refused(void)
{
    um_buffer x = made(UM_MEMORY_DEVICE, 8192);
    struct um_buffer_info info;
    char *unreadable = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *half = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *constant = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(half + 4096, 4096);
    UM_EQUAL(um_buffer_describe(x, &info), cudaSuccess);
    UM_EQUAL(um_copy_from_host(at(x, 0), NULL, 4, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_copy_from_host(at(x, 0), (void *)8, 4, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_copy_from_host(at(x, 0), unreadable, 4, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_copy_from_host(at(x, 0), half, 4096, 0), cudaSuccess);
    UM_EQUAL(um_copy_from_host(at(x, 0), half, 4097, 0), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "not all mapped");
    UM_EQUAL(um_copy_from_host(at(x, 0), constant, 8192, 0), cudaSuccess);
    UM_EQUAL(um_copy_to_host(constant, at(x, 0), 8192, 0), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "for writing");
    UM_EQUAL(um_copy_from_host(at(x, 0), (void *)(uintptr_t)info.address, 4, 0), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "device memory");
    UM_EQUAL(um_buffer_free(x), cudaSuccess);
    munmap(unreadable, 8192);
    munmap(half, 4096);
    munmap(constant, 8192);
}

static void managed_memory_that_is_away_is_copied_from(void)
{
    um_buffer x = made(UM_MEMORY_MANAGED, 8192), y = made(UM_MEMORY_DEVICE, 8192);
    struct um_buffer_info info;
    int got = 0;
    UM_EQUAL(um_buffer_describe(x, &info), cudaSuccess);
    *(int *)(uintptr_t)info.address = 42;
    UM_EQUAL(um_prefetch_place(at(x, 0), 8192, 0, 0), cudaSuccess);
    UM_EQUAL(um_synchronize(0), cudaSuccess);
    UM_EQUAL(um_copy_from_host(at(y, 0), (void *)(uintptr_t)info.address, 8192, 0), cudaSuccess);
    UM_EQUAL(um_copy_to_host(&got, at(y, 0), sizeof got, 0), cudaSuccess);
    UM_EQUAL(um_synchronize(0), cudaSuccess);
    UM_EQUAL(got, 42);
    UM_EQUAL(um_prefetch_place(at(y, 0), 8192, 0, 0), cudaErrorInvalidValue);
    UM_CONTAINS(um_error_text(), "only managed memory");
    UM_EQUAL(um_prefetch_place(at(x, 0), 8192, -1, 0), cudaSuccess);
    UM_EQUAL(um_buffer_free(x), cudaSuccess);
    UM_EQUAL(um_buffer_free(y), cudaSuccess);
}

static void records_move_as_their_fields_say(void)
{
    um_buffer x = made(UM_MEMORY_MANAGED, 10 * sizeof(struct um_record));
    struct um_buffer_info info;
    struct um_record *records;
    uint64_t fields, bytes;
    const struct um_field *field = um_record_fields(&fields, &bytes);
    UM_EQUAL(um_buffer_describe(x, &info), cudaSuccess);
    records = (struct um_record *)(uintptr_t)info.address;
    memset(records, 0, (size_t)info.bytes);
    records[9].velocity[2] = 3;
    UM_EQUAL(um_launch_record_move(at(x, 0), 2, 10, 0), cudaSuccess);
    UM_EQUAL(um_synchronize(0), cudaSuccess);
    UM_EQUAL(records[9].position[2], 6);
    UM_EQUAL(bytes, sizeof(struct um_record));
    UM_EQUAL(fields, 4);
    UM_STRING_EQUAL(field[1].name, "velocity");
    UM_EQUAL(field[1].offset, offsetof(struct um_record, velocity));
    UM_EQUAL(field[1].elements, 3);
    UM_EQUAL(um_buffer_free(x), cudaSuccess);
}

static void streams_are_ordered_without_waiting(void)
{
    um_buffer x = made(UM_MEMORY_DEVICE, N * sizeof(float));
    float host[N] = {0};
    um_stream one, two;
    UM_EQUAL(um_stream_create(&one), cudaSuccess);
    UM_EQUAL(um_stream_create(&two), cudaSuccess);
    host[N - 1] = 1;
    UM_EQUAL(um_copy_from_host(at(x, 0), host, sizeof host, one), cudaSuccess);
    UM_EQUAL(um_launch_saxpy(at(x, 0), 1, at(x, 0), N, one), cudaSuccess);
    UM_EQUAL(um_stream_order(one, two), cudaSuccess);
    UM_EQUAL(um_launch_saxpy(at(x, 0), 1, at(x, 0), N, two), cudaSuccess);
    UM_EQUAL(um_stream_order(two, 1),
             cudaSuccess); /* the legacy stream, as the CUDA array interface numbers it */
    UM_EQUAL(um_launch_saxpy(at(x, 0), 1, at(x, 0), N, 1), cudaSuccess);
    UM_EQUAL(um_stream_order(1, 2), cudaSuccess);
    UM_EQUAL(um_copy_to_host(host, at(x, 0), sizeof host, 2), cudaSuccess);
    UM_EQUAL(um_synchronize(2), cudaSuccess);
    UM_EQUAL(host[N - 1], 8);
    UM_EQUAL(um_stream_destroy(one), cudaSuccess);
    UM_EQUAL(um_stream_destroy(two), cudaSuccess);
    UM_EQUAL(um_stream_destroy(1), cudaErrorInvalidResourceHandle);
    for (um_stream none = 3; none; none = none == 3 ? 12345 : none == 12345 ? (um_stream)1 << 62 : 0) {
        UM_EQUAL(um_synchronize(none), cudaErrorInvalidResourceHandle);
        UM_EQUAL(um_stream_order(none, 0), cudaErrorInvalidResourceHandle);
        UM_EQUAL(um_stream_destroy(none), cudaErrorInvalidResourceHandle);
        UM_CONTAINS(um_error_text(), "no stream");
    }
    UM_EQUAL(um_buffer_free(x), cudaSuccess);
}

static void an_address_is_told_about_without_being_followed(void)
{
    um_buffer x = made(UM_MEMORY_DEVICE, 4096);
    struct um_buffer_info buffer;
    struct um_pointer_info info;
    int on_stack = 0;
    UM_EQUAL(um_buffer_describe(x, &buffer), cudaSuccess);
    UM_EQUAL(um_pointer_query((void *)(uintptr_t)(buffer.address + 100), &info), cudaSuccess);
    UM_EQUAL(info.type, cudaMemoryTypeDevice);
    UM_EQUAL(info.buffer, x);
    UM_EQUAL(info.base, buffer.address);
    UM_EQUAL(info.bytes, 4096);
    UM_EQUAL(info.host_visible, 0);
    UM_EQUAL(um_pointer_query(&on_stack, &info), cudaSuccess);
    UM_EQUAL(info.type, cudaMemoryTypeUnregistered);
    UM_EQUAL(info.host_visible, 1);
    UM_EQUAL(um_pointer_query((void *)16, &info), cudaSuccess);
    UM_EQUAL(info.host_visible, 0);
    UM_EQUAL(um_pointer_query(NULL, &info), cudaSuccess);
    UM_EQUAL(um_pointer_query((void *)UINTPTR_MAX, &info), cudaSuccess);
    UM_EQUAL(info.host_visible, 0);
    UM_EQUAL(um_buffer_free(x), cudaSuccess);
}

UM_TESTS("interop: work", {"kernels work on every kind of memory", kernels_work_on_every_kind_of_memory},
         {"ranges beyond a buffer are refused", ranges_beyond_a_buffer_are_refused},
         {"host pointers that are none are refused", host_pointers_that_are_none_are_refused},
         {"managed memory that is away is copied from", managed_memory_that_is_away_is_copied_from},
         {"records move as their fields say", records_move_as_their_fields_say},
         {"streams are ordered without waiting", streams_are_ordered_without_waiting},
         {"an address is told about without being followed",
          an_address_is_told_about_without_being_followed});
