/**
 * @file host_access.c
 * @brief Host code on device pointers: each access faults, and the same address works where it is at home.
 *
 * One child makes all the accesses; each test looks at one thing of what it saw. Where hardware's answer is
 * not recorded yet, the test prints what it sees (a line that begins with "seen") and asserts only what is
 * known.
 */
#include "child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kernels.h"
#include "um_backend.h"
#include "um_check.h"
#include "um_fault.h"
#include "um_test.h"

/** Ints in the allocation that is tried: 4 MiB, so that hardware gives it chunks of its own. */
#define INTS ((size_t)1 << 20)
#define INTERIOR 12345

/** One access: where it was made, and what came of it. */
struct access {
    const void *address;
    struct um_fault fault;
};

/** What the child saw. */
struct host_access {
    struct access read, write, interior, last_byte, small, past_end, freed;
    struct um_mapping mapping;
    bool mapped;
    cudaError_t copy, kernel, synchronize, copy_back; /* on the very addresses, after the faults */
    int copied, interior_after;
    size_t wrong; /* of all elements, after all that */
};

static struct access try_read(const void *address)
{
    struct access access = {.address = address};

    um_probe_read(address, &access.fault);
    return access;
}

static struct access try_write(void *address)
{
    struct access access = {.address = address};

    um_probe_write(address, &access.fault);
    return access;
}

/* The control: what the host could not do, a copy and a kernel can, at the very same address. */
static void control(struct host_access *seen, int *d_x, int *h_x)
{
    seen->copy = cudaMemcpy(&seen->copied, d_x, sizeof seen->copied, cudaMemcpyDeviceToHost);
    seen->kernel = um_add_one(d_x + INTERIOR, 1, 0);
    seen->synchronize = cudaDeviceSynchronize();
    seen->copy_back = cudaMemcpy(h_x, d_x, INTS * sizeof *h_x, cudaMemcpyDeviceToHost);
    seen->interior_after = h_x[INTERIOR];
    for (size_t i = 0; i < INTS; i++) {
        if (h_x[i] != (int)i + (i == INTERIOR))
            seen->wrong++;
    }
}

static void make_accesses(void *area)
{
    struct host_access *seen = area;
    int *h_x = malloc(INTS * sizeof *h_x), *d_x = NULL, *d_small = NULL;

    CHILD_ASSERT(h_x);
    for (size_t i = 0; i < INTS; i++) {
        h_x[i] = (int)i;
    }
    CHILD_NEED(cudaMalloc((void **)&d_x, INTS * sizeof *d_x));
    CHILD_NEED(cudaMalloc((void **)&d_small, sizeof *d_small));
    CHILD_NEED(cudaMemcpy(d_x, h_x, INTS * sizeof *d_x, cudaMemcpyHostToDevice));
    seen->read = try_read(d_x);
    seen->write = try_write(d_x);
    seen->interior = try_read(d_x + INTERIOR);
    seen->last_byte = try_write((char *)(d_x + INTS) - 1);
    seen->small = try_read(d_small);
    seen->past_end = try_read(d_x + INTS);
    seen->mapped = um_mapping_of(d_x, &seen->mapping);
    control(seen, d_x, h_x);
    CHILD_NEED(cudaFree(d_x));
    seen->freed = try_read(d_x + INTERIOR);
    CHILD_NEED(cudaFree(d_small));
    free(h_x);
}

/* What the child saw; the test fails here when it did not get to its end. */
static const struct host_access *seen_by_host(void)
{
    static struct host_access seen;
    static struct child child;
    static bool ran;

    if (!ran)
        child_run(make_accesses, &seen, sizeof seen, &child);
    ran = true;
    child_ended_well(&child);
    return &seen;
}

static void should_be_refused(const struct access *access)
{
    CU_ASSERT_TRUE(access->fault.faulted);
    UM_EQUAL(access->fault.signal, SIGSEGV);
    UM_EQUAL(access->fault.code, SEGV_ACCERR);
    UM_EQUAL((uintptr_t)access->fault.address, (uintptr_t)access->address);
}

static void the_hosts_read_of_a_cudaMallocd_address_is_refused(void)
{
    should_be_refused(&seen_by_host()->read);
}

static void the_hosts_write_to_it_is_refused_with_that_address(void)
{
    should_be_refused(&seen_by_host()->write);
}

static void a_read_inside_the_allocation_is_refused_with_the_interior(void)
{
    should_be_refused(&seen_by_host()->interior);
}

static void a_write_to_its_last_byte_is_refused(void)
{
    should_be_refused(&seen_by_host()->last_byte);
}

static void a_read_of_a_4_byte_allocation_is_refused(void)
{
    should_be_refused(&seen_by_host()->small);
}

/* An H200 (driver 580, CUDA 13.0) reserves 2 MiB for the allocation, and keeps them when it is freed. */
static void a_read_one_past_its_end_is_refused(void)
{
    should_be_refused(&seen_by_host()->past_end);
}

static void a_read_after_cudaFree_is_refused(void)
{
    should_be_refused(&seen_by_host()->freed);
}

static void the_line_of_proc_self_maps_shows_no_access(void)
{
    const struct host_access *seen = seen_by_host();
    const uintptr_t address = (uintptr_t)seen->read.address;

    CU_ASSERT_TRUE_FATAL(seen->mapped);
    CU_ASSERT_TRUE(seen->mapping.start <= address && address < seen->mapping.end);
    printf("  seen  the mapping: %s %s\n", seen->mapping.permissions, seen->mapping.name);
    if (strncmp(seen->mapping.permissions, "---", 3) != 0)
        UM_FAIL("the mapping's permissions are %s", seen->mapping.permissions);
}

static void cudaMemcpy_of_that_very_address_works(void)
{
    const struct host_access *seen = seen_by_host();

    UM_EQUAL(seen->copy, cudaSuccess);
    UM_EQUAL(seen->copied, 0);
    UM_EQUAL(seen->copy_back, cudaSuccess);
}

static void a_kernel_on_that_very_address_works(void)
{
    const struct host_access *seen = seen_by_host();

    UM_EQUAL(seen->kernel, cudaSuccess);
    UM_EQUAL(seen->synchronize, cudaSuccess);
    UM_EQUAL(seen->interior_after, INTERIOR + 1);
}

static void what_the_faults_touched_is_unchanged(void)
{
    UM_EQUAL(seen_by_host()->wrong, 0);
}

static void die_of_a_read(void *area)
{
    volatile char **address = area;
    char *d_x = NULL;

    signal(SIGSEGV, SIG_DFL); /* a sanitizer has put its own there */
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    *address = d_x;
    (void)*(volatile char *)d_x;
    fprintf(stderr, "the read went through\n");
}

static void without_a_handler_the_program_dies_of_SIGSEGV(void)
{
    static struct child child;
    const char *address = NULL;

    child_run(die_of_a_read, &address, sizeof address, &child);
    CU_ASSERT_PTR_NOT_NULL(address);
    if (!WIFSIGNALED(child.status) || WTERMSIG(child.status) != SIGSEGV)
        UM_FAIL("the child did not die of SIGSEGV (wait status %#x); on stderr: %s", child.status, child.err);
}

UM_TESTS("host access",
         {"the host's read of a cudaMalloc'd address is refused, with that address",
          the_hosts_read_of_a_cudaMallocd_address_is_refused},
         {"the host's write to it is refused, with that address",
          the_hosts_write_to_it_is_refused_with_that_address},
         {"a read inside the allocation is refused, with the interior address",
          a_read_inside_the_allocation_is_refused_with_the_interior},
         {"a write to its last byte is refused", a_write_to_its_last_byte_is_refused},
         {"a read of a 4-byte allocation is refused", a_read_of_a_4_byte_allocation_is_refused},
         {"a read one past its end is refused", a_read_one_past_its_end_is_refused},
         {"a read after cudaFree is refused", a_read_after_cudaFree_is_refused},
         {"the line of /proc/self/maps shows no access", the_line_of_proc_self_maps_shows_no_access},
         {"cudaMemcpy of that very address works", cudaMemcpy_of_that_very_address_works},
         {"a kernel on that very address works", a_kernel_on_that_very_address_works},
         {"what the faults touched is unchanged", what_the_faults_touched_is_unchanged},
         {"without a handler the program dies of SIGSEGV", without_a_handler_the_program_dies_of_SIGSEGV});
