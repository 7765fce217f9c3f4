/**
 * @file address.c
 * @brief Claims about addresses: whether a GPU variable has one that the host can know, what the host may do
 * with it, and where it is good for something.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "kernels.h"
#include "um_cuda_compat.h"

/* The host has the address: cudaMalloc writes it into a variable of the host's, and a kernel is given the
 * same number. */
static void address_is_a_number(void)
{
    uintptr_t *d_seen = NULL, seen = 0;
    struct cudaPointerAttributes attributes;
    float *d_x = NULL;

    FOUND_RESULT("address-is-a-number: cudaMalloc returns", cudaMalloc((void **)&d_x, 4096));
    NEED(cudaMalloc((void **)&d_seen, sizeof *d_seen));
    NEED(claims_tell_address(d_seen, d_x + 3, 0));
    NEED(cudaMemcpy(&seen, d_seen, sizeof seen, cudaMemcpyDeviceToHost));
    FOUND_WHETHER("address-is-a-number: the host has a number that is not 0", (uintptr_t)d_x != 0);
    FOUND_WHETHER("address-is-a-number: the kernel's address is the host's plus 12",
                  seen == (uintptr_t)d_x + 12);
    NEED(cudaPointerGetAttributes(&attributes, d_x + 3));
    FOUND_WHETHER("address-is-a-number: CUDA calls it device memory",
                  attributes.type == cudaMemoryTypeDevice);
    FOUND_WHETHER("address-is-a-number: its host address is NULL", !attributes.hostPointer);
    NEED(cudaFree(d_seen));
    NEED(cudaFree(d_x));
}

/* Arithmetic on the host: an address inside the allocation is as good as its first. */
static void address_arithmetic(void)
{
    float *d_x = NULL, host[4] = {0, 1, 2, 3}, back = 0;

    NEED(cudaMalloc((void **)&d_x, sizeof host));
    NEED(cudaMemcpy(d_x, host, sizeof host, cudaMemcpyHostToDevice));
    FOUND_RESULT("address-arithmetic: copy of one element from the middle",
                 cudaMemcpy(&back, d_x + 2, sizeof back, cudaMemcpyDeviceToHost));
    FOUND("address-arithmetic: what it holds", "%g", (double)back);
    NEED(cudaFree(d_x));
}

struct fault {
    bool write;
    int signal, code;
    bool address_right;
};
static struct fault *the_fault;
static uintptr_t touched;

static void note_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    the_fault->signal = number;
    the_fault->code = info->si_code;
    the_fault->address_right = (uintptr_t)info->si_addr == touched;
    _exit(0);
}

static void touch_device_memory(void *area)
{
    struct sigaction action;
    volatile int *d_x = NULL;

    the_fault = area;
    NEED(cudaMalloc((void **)&d_x, 4096));
    memset(&action, 0, sizeof action);
    action.sa_sigaction = note_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    touched = (uintptr_t)&d_x[3];
    if (the_fault->write)
        d_x[3] = 1;
    else
        (void)d_x[3];
}

/* The host follows a cudaMalloc'd address: SIGSEGV, with that very address. */
static void host_cannot_follow(void)
{
    struct fault reading = {0}, writing = {.write = true};

    if (!child_run(touch_device_memory, &reading, sizeof reading) ||
        !child_run(touch_device_memory, &writing, sizeof writing))
        return;
    FOUND("host-cannot-follow: a read ends with signal", "%d", reading.signal);
    FOUND("host-cannot-follow: its si_code (2: no access)", "%d", reading.code);
    FOUND_WHETHER("host-cannot-follow: si_addr is the device address", reading.address_right);
    FOUND("host-cannot-follow: a write ends with signal", "%d", writing.signal);
    FOUND("host-cannot-follow: its si_code", "%d", writing.code);
}

/* Kernel and host use one pointer, and nobody copies: pinned, registered and managed memory. */
static int used_by_both(int *p, int *for_the_device)
{
    *p = 40;
    NEED(claims_increment(for_the_device));
    NEED(cudaDeviceSynchronize());
    *p += 1;
    return *p;
}

static void access_without_copies(void)
{
    int *pinned = NULL, *managed = NULL, *own = malloc(4096), *device_view = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    NEED(cudaMallocHost((void **)&pinned, sizeof *pinned));
    NEED(cudaMallocManaged((void **)&managed, sizeof *managed, cudaMemAttachGlobal));
    NEED(cudaHostRegister(own, 4096, cudaHostRegisterDefault));
    NEED(cudaHostGetDevicePointer((void **)&device_view, own, 0));
    FOUND("access-without-copies: pinned: 40 + kernel's 1 + host's 1", "%d", used_by_both(pinned, pinned));
    FOUND("access-without-copies: managed: 40 + kernel's 1 + host's 1", "%d", used_by_both(managed, managed));
    FOUND("access-without-copies: registered: 40 + kernel's 1 + host's 1", "%d",
          used_by_both(own, device_view));
    FOUND_WHETHER("access-without-copies: registered: one address for both", own == device_view);
    NEED(cudaHostUnregister(own));
    NEED(cudaFree(managed));
    NEED(cudaFreeHost(pinned));
    free(own);
}

/* One range of numbers for both sides: no device address is a host address, and CUDA can tell which is which.
 */
static void one_range_of_addresses(void)
{
    float *d_x = NULL, *pinned = NULL, on_stack = 7, back = 0;
    struct cudaPointerAttributes attributes;

    NEED(cudaMalloc((void **)&d_x, 4096));
    NEED(cudaMallocHost((void **)&pinned, 4096));
    FOUND("one-range-of-addresses: unifiedAddressing", "%d",
          um_attribute(cudaDevAttrUnifiedAddressing, 0, 0));
    NEED(cudaPointerGetAttributes(&attributes, pinned));
    FOUND_WHETHER("one-range-of-addresses: pinned memory has one address on both sides",
                  attributes.devicePointer == pinned && attributes.hostPointer == pinned);
    NEED(cudaPointerGetAttributes(&attributes, &on_stack));
    FOUND("one-range-of-addresses: type of a stack address (0: not CUDA's)", "%d", (int)attributes.type);
    FOUND_RESULT("one-range-of-addresses: copy in, direction found by address",
                 cudaMemcpy(d_x, &on_stack, sizeof on_stack, cudaMemcpyDefault));
    FOUND_RESULT("one-range-of-addresses: copy out, direction found by address",
                 cudaMemcpy(&back, d_x, sizeof back, cudaMemcpyDefault));
    FOUND("one-range-of-addresses: what came back", "%g", (double)back);
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

struct foreign {
    void *address;
    cudaError_t copy, attributes, free_null;
    int type;
};

static void hand_out(void *area)
{
    NEED(cudaMalloc(&((struct foreign *)area)->address, (size_t)64 << 20));
}

static void use_foreign(void *area)
{
    struct foreign *f = area;
    struct cudaPointerAttributes attributes;
    int x = 0;

    f->free_null = cudaFree(NULL);
    f->copy = cudaMemcpy(&x, f->address, sizeof x, cudaMemcpyDeviceToHost);
    (void)cudaGetLastError();
    f->attributes = cudaPointerGetAttributes(&attributes, f->address);
    f->type = (int)attributes.type;
}

/* Another process knows the number, but there it names nothing. */
static void valid_in_its_process(void)
{
    struct foreign f = {0};

    if (!child_run(hand_out, &f, sizeof f) || !child_run(use_foreign, &f, sizeof f))
        return;
    FOUND_RESULT("valid-in-its-process: cudaMemcpy from another process's address", f.copy);
    FOUND("valid-in-its-process: its type there (0: not CUDA's)", "%d", f.type);
}

struct heap_access {
    cudaError_t launch, synchronize;
};

static void follow_heap(void *area)
{
    struct heap_access *a = area;
    float *d_out = NULL, *heap = malloc(sizeof *heap);

    if (!heap)
        _exit(CHILD_CANNOT);
    *heap = 1;
    NEED(cudaMalloc((void **)&d_out, sizeof *d_out));
    a->launch = claims_read(d_out, heap);
    a->synchronize = cudaDeviceSynchronize();
    free(heap);
}

/* The other direction: a kernel on malloc's memory. With pageableMemoryAccess (HMM, ATS) it would work. */
static void kernel_on_malloc(void)
{
    struct heap_access a = {cudaSuccess, cudaSuccess};

    need_separate_memories();
    if (!child_run(follow_heap, &a, sizeof a))
        return;
    FOUND_RESULT("kernel-on-malloc: launch", a.launch);
    FOUND_RESULT("kernel-on-malloc: synchronise", a.synchronize);
}

static void managed_needs_no_transfer(void)
{
    enum { N = 1 << 20 };
    float *x = NULL;
    double sum = 0;

    NEED(cudaMallocManaged((void **)&x, N * sizeof *x, cudaMemAttachGlobal));
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 7);
    NEED(claims_add_one(x, N / 256, 256));
    NEED(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        sum += (double)(x[i] - (float)(i % 7));
    FOUND("managed-needs-no-transfer: elements that the kernel's increment reached", "%.0f", sum);
    NEED(cudaFree(x));
}

UM_TESTS("claims: addresses", {"address-is-a-number", address_is_a_number},
         {"address-arithmetic", address_arithmetic}, {"host-cannot-follow", host_cannot_follow},
         {"access-without-copies", access_without_copies}, {"one-range-of-addresses", one_range_of_addresses},
         {"valid-in-its-process", valid_in_its_process}, {"kernel-on-malloc", kernel_on_malloc},
         {"managed-needs-no-transfer", managed_needs_no_transfer});
