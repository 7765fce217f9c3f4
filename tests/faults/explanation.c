/**
 * @file explanation.c
 * @brief What the simulator says on stderr about a bad access: who, where, whose allocation, why, and what
 * instead.
 *
 * NVIDIA's driver says nothing, so these are skipped on cuda.
 */
#include "child.h"

#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "um_backend.h"
#include "um_check.h"
#include "um_fault.h"
#include "um_test.h"

#define BYTES ((size_t)1 << 20)
#define OFFSET 1234

/** What the child did, so that the test knows what to look for in its stderr. */
struct told {
    char place[80]; /**< file:line of the allocation */
    char address[40];
};

static void note(struct told *told, int line, const void *address)
{
    const char *slash = strrchr(__FILE__, '/');

    snprintf(told->place, sizeof told->place, "%s:%d", slash ? slash + 1 : __FILE__, line);
    snprintf(told->address, sizeof told->address, "%p", address);
}

/* The test's scenario runs in a child; returns its stderr. */
static const char *what_is_told(void (*scenario)(void *), struct told *told)
{
    static struct child child;

    if (!um_is_sim())
        UM_SKIP("only the simulator explains a fault: the driver is silent");
    memset(told, 0, sizeof *told);
    child_run(scenario, told, sizeof *told, &child);
    return child_ended_well(&child) ? child.err : "";
}

static char *device_memory(struct told *told)
{
    char *d_x = NULL;
    const int line = __LINE__ + 1;
    CHILD_NEED(cudaMalloc((void **)&d_x, BYTES));

    note(told, line, d_x + OFFSET);
    return d_x;
}

static void read_it(void *area)
{
    um_probe_read(device_memory(area) + OFFSET, NULL);
}

static void write_it(void *area)
{
    um_probe_write(device_memory(area) + OFFSET, NULL);
}

static void read_past_the_end(void *area)
{
    struct told *told = area;
    char *d_x = device_memory(told);

    um_probe_read(d_x + BYTES + 8, NULL);
}

static void read_freed(void *area)
{
    char *d_x = device_memory(area);

    CHILD_NEED(cudaFree(d_x));
    um_probe_read(d_x + OFFSET, NULL);
}

static void read_freed_pinned(void *area)
{
    struct told *told = area;
    char *h_x = NULL;
    const int line = __LINE__ + 1;
    CHILD_NEED(cudaMallocHost((void **)&h_x, BYTES));

    note(told, line, h_x + OFFSET);
    CHILD_NEED(cudaFreeHost(h_x));
    um_probe_read(h_x + OFFSET, NULL);
}

static void read_null(void *area)
{
    (void)device_memory(area);
    um_probe_read(NULL, NULL);
}

static void *array_handle(struct told *told)
{
    const struct cudaChannelFormatDesc channels = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array = NULL;
    const int line = __LINE__ + 1;
    CHILD_NEED(cudaMallocArray(&array, &channels, 64, 4, 0));

    note(told, line, array);
    return array;
}

static void read_array(void *area)
{
    um_probe_read(array_handle(area), NULL);
}

static void use_managed(void *area)
{
    int *x = NULL;

    (void)area;
    CHILD_NEED(cudaMallocManaged((void **)&x, BYTES, cudaMemAttachGlobal));
    x[0] = 1;
    CHILD_NEED(um_add_one(x, 1, 0));
    CHILD_NEED(cudaDeviceSynchronize());
    CHILD_ASSERT(x[0] == 2);
}

static void a_host_read_says_who_where_whose_why_and_what_instead(void)
{
    struct told told;
    const char *text = what_is_told(read_it, &told);

    UM_CONTAINS(text, "host code read device memory");
    UM_CONTAINS(text, told.address);
    UM_CONTAINS(text, "1234 bytes into a 1048576-byte cudaMalloc allocation");
    UM_CONTAINS(text, told.place);
    UM_CONTAINS(text, "why ");
    UM_CONTAINS(text, "instead ");
    UM_CONTAINS(text, "cudaMemcpyDeviceToHost");
}

static void a_host_write_is_told_as_one_with_the_copy_the_other_way(void)
{
    struct told told;
    const char *text = what_is_told(write_it, &told);

    UM_CONTAINS(text, "host code wrote device memory");
    UM_CONTAINS(text, "1234 bytes into a 1048576-byte cudaMalloc allocation");
    UM_CONTAINS(text, told.place);
    UM_CONTAINS(text, "cudaMemcpyHostToDevice");
}

static void past_the_end_by_how_much_and_of_which_allocation(void)
{
    struct told told;
    const char *text = what_is_told(read_past_the_end, &told);

    UM_CONTAINS(text, "8 bytes past the end of a 1048576-byte cudaMalloc allocation");
    UM_CONTAINS(text, told.place);
}

static void freed_device_memory_is_recognised(void)
{
    struct told told;
    const char *text = what_is_told(read_freed, &told);

    UM_CONTAINS(text, "1048576-byte cudaMalloc allocation that has been freed");
    UM_CONTAINS(text, told.place);
}

static void an_arrays_handle_is_no_pointer(void)
{
    struct told told;
    const char *text = what_is_told(read_array, &told);

    UM_CONTAINS(text, "host code read device memory");
    UM_CONTAINS(text, "the handle of an array of 64 x 4 x 1 elements of cudaMallocArray");
    UM_CONTAINS(text, told.place);
    UM_CONTAINS(text, "cudaMemcpy2DFromArray()");
}

static void freed_pinned_memory_is_recognised(void)
{
    struct told told;
    const char *text = what_is_told(read_freed_pinned, &told);

    UM_CONTAINS(text, "1048576-byte cudaMallocHost allocation that has been freed");
    UM_CONTAINS(text, told.place);
}

static void the_programs_own_faults_are_not_commented(void)
{
    struct told told;

    UM_STRING_EQUAL(what_is_told(read_null, &told), "");
}

static void managed_memory_pages_in_silence(void)
{
    struct told told;

    UM_STRING_EQUAL(what_is_told(use_managed, &told), "");
}

static void one_fault_is_explained_once(void)
{
    struct told told;
    const char *text = what_is_told(read_it, &told), *first = strstr(text, "host code");

    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NULL(strstr(first + 1, "host code"));
}

static float global[16];

static void follow(float *address)
{
    float *d_x = NULL;

    CHILD_NEED(cudaMalloc((void **)&d_x, BYTES));
    CHILD_NEED(um_vector_add(d_x, address, d_x, 1, 0));
    (void)cudaDeviceSynchronize();
}

static void follow_heap(void *area)
{
    float *h_x = malloc(sizeof *h_x);

    (void)area;
    follow(h_x);
}

static void follow_stack(void *area)
{
    float on_stack = 0;

    (void)area;
    follow(&on_stack);
}

static void follow_global(void *area)
{
    (void)area;
    follow(global);
}

static void follow_null(void *area)
{
    (void)area;
    follow(NULL);
}

static void follow_array(void *area)
{
    follow(array_handle(area));
}

static void write_heap(void *area)
{
    float *h_x = malloc(sizeof *h_x);

    (void)area;
    CHILD_NEED(um_fill(h_x, 1, 1, 0));
    (void)cudaDeviceSynchronize();
}

/* Addresses of the host's own memory differ from run to run: they are told by name. */
static void kernel_should_be_explained(void (*scenario)(void *), const char *where)
{
    struct told told;
    const char *text;

    need_separate_memories();
    text = what_is_told(scenario, &told);
    UM_CONTAINS(text, "kernel um_vector_add_kernel read memory");
    UM_CONTAINS(text, where);
    UM_CONTAINS(text, "why ");
    UM_CONTAINS(text, "instead ");
    UM_CONTAINS(text, "sticky");
}

static void a_kernel_on_the_heap_which_kernel_where_why_and_what_instead(void)
{
    kernel_should_be_explained(follow_heap, "address  <heap>, in the host's heap");
}

static void a_kernel_on_the_stack(void)
{
    kernel_should_be_explained(follow_stack, "address  <stack>, on the host's stack");
}

static void a_kernel_on_a_global_variable(void)
{
    kernel_should_be_explained(follow_global, "address  <program>, among the host program's variables");
}

static void a_kernel_on_NULL(void)
{
    kernel_should_be_explained(follow_null, "NULL");
}

static void a_kernel_on_an_arrays_handle(void)
{
    kernel_should_be_explained(follow_array,
                               "the handle of an array of 64 x 4 x 1 elements of cudaMallocArray");
}

static void a_kernels_write_is_told_as_one(void)
{
    struct told told;

    need_separate_memories();
    UM_CONTAINS(what_is_told(write_heap, &told), "kernel um_fill_kernel wrote memory");
}

UM_TESTS("explanation",
         {"a host read says who, where, whose, why and what instead",
          a_host_read_says_who_where_whose_why_and_what_instead},
         {"a host write is told as one, with the copy the other way",
          a_host_write_is_told_as_one_with_the_copy_the_other_way},
         {"past the end: by how much, and of which allocation",
          past_the_end_by_how_much_and_of_which_allocation},
         {"freed device memory is recognised", freed_device_memory_is_recognised},
         {"an array's handle is no pointer", an_arrays_handle_is_no_pointer},
         {"freed pinned memory is recognised", freed_pinned_memory_is_recognised},
         {"the program's own faults are not commented", the_programs_own_faults_are_not_commented},
         {"managed memory pages in silence", managed_memory_pages_in_silence},
         {"one fault is explained once", one_fault_is_explained_once},
         {"a kernel on the heap: which kernel, where, why and what instead",
          a_kernel_on_the_heap_which_kernel_where_why_and_what_instead},
         {"a kernel on the stack", a_kernel_on_the_stack},
         {"a kernel on a global variable", a_kernel_on_a_global_variable},
         {"a kernel on NULL", a_kernel_on_NULL},
         {"a kernel on an array's handle", a_kernel_on_an_arrays_handle},
         {"a kernel's write is told as one", a_kernels_write_is_told_as_one});
