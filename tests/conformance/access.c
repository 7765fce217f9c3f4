/**
 * @file access.c
 * @brief Who may follow which pointer: the host on device memory, kernels on the host's, and what follows
 * from it.
 *
 * Each of these spoils its process or ends it: they run in children. The fault tests (tests/faults) go
 * further; here stands what hardware was asked.
 */
#include "child.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "behaviour.h"
#include "kernels.h"
#include "launchers.h"
#include "um_cuda_compat.h"

#define KEPT 1234

/** A fault of the host, as its handler saw it. */
struct host_fault {
    bool write, early_handler; /**< asked: the kind of access; a handler installed before CUDA's first call */
    int signal, code;
    bool address_right;
};

static struct host_fault *seen_fault;
static uintptr_t expected_address;

static void note_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    seen_fault->signal = number;
    seen_fault->code = info->si_code;
    seen_fault->address_right = (uintptr_t)info->si_addr == expected_address;
    _exit(0);
}

static void install_handler(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = note_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
}

static void touch_device_memory(void *area)
{
    volatile int *d_x = NULL;

    seen_fault = area;
    if (seen_fault->early_handler)
        install_handler();
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    if (!seen_fault->early_handler)
        install_handler();
    expected_address = (uintptr_t)&d_x[3];
    if (seen_fault->write)
        d_x[3] = 1;
    else
        (void)d_x[3];
}

static void the_host_reads_cudaMallocd_memory(void)
{
    struct host_fault fault = {0};

    if (!child_run(touch_device_memory, &fault, sizeof fault))
        return;
    UM_BEHAVIOUR("host reads cudaMalloc'd memory: signal", "%d", fault.signal);
    UM_BEHAVIOUR("host reads cudaMalloc'd memory: si_code", "%d", fault.code);
    UM_BEHAVIOUR("host reads cudaMalloc'd memory: si_addr is the address", "%d", fault.address_right);
}

static void the_host_writes_cudaMallocd_memory(void)
{
    struct host_fault fault = {.write = true};

    if (!child_run(touch_device_memory, &fault, sizeof fault))
        return;
    UM_BEHAVIOUR("host writes cudaMalloc'd memory: signal", "%d", fault.signal);
    UM_BEHAVIOUR("host writes cudaMalloc'd memory: si_code", "%d", fault.code);
    UM_BEHAVIOUR("host writes cudaMalloc'd memory: si_addr is the address", "%d", fault.address_right);
}

static void a_SIGSEGV_handler_from_before_CUDA_gets_a_fault_on_device(void)
{
    struct host_fault fault = {.early_handler = true};

    if (!child_run(touch_device_memory, &fault, sizeof fault))
        return;
    UM_BEHAVIOUR("SIGSEGV handler from before CUDA: host reads cudaMalloc'd memory: signal", "%d",
                 fault.signal);
    UM_BEHAVIOUR("SIGSEGV handler from before CUDA: host reads cudaMalloc'd memory: si_code", "%d",
                 fault.code);
}

static void fault_on_null(void *area)
{
    int *d_x = NULL;
    int *volatile nowhere = (int *)16;

    seen_fault = area;
    install_handler();
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    expected_address = (uintptr_t)nowhere;
    *nowhere = 1;
}

static void a_SIGSEGV_handler_from_before_CUDA_gets_the_programs_own_faults(void)
{
    struct host_fault fault = {0};

    if (!child_run(fault_on_null, &fault, sizeof fault))
        return;
    UM_BEHAVIOUR("SIGSEGV handler from before CUDA: the program's own fault: signal", "%d", fault.signal);
    UM_BEHAVIOUR("SIGSEGV handler from before CUDA: the program's own fault: si_code", "%d", fault.code);
    UM_BEHAVIOUR("SIGSEGV handler from before CUDA: the program's own fault: si_addr is the address", "%d",
                 fault.address_right);
}

/** Where a kernel's write is to go. */
enum target { MALLOCED, STACK, FREED, NOWHERE };

/** What calls return after it. */
struct aftermath {
    enum target target;
    cudaError_t launch, synchronize, again, copy, set, allocate, release, last, last_again, peek;
    cudaError_t event_create, stream_create, launch_after, attributes, mem_info, device_count;
    cudaError_t reset, last_after_reset, allocate_after, free_null_after, count_after, synchronize_after;
    bool host_unchanged;
};

/* Freed, and nothing else near it: hardware takes its pages away only when a chunk is empty. */
static int *freed_memory(void)
{
    const size_t bytes = (size_t)64 << 20;
    int *d_x = NULL;

    CHILD_NEED(cudaMalloc((void **)&d_x, bytes));
    CHILD_NEED(cudaMemset(d_x, 0, bytes));
    CHILD_NEED(cudaFree(d_x));
    return d_x;
}

static void after_the_fault(struct aftermath *a, int *d_x, int *host)
{
    struct cudaPointerAttributes attributes;
    size_t available, total;
    cudaStream_t stream;
    cudaEvent_t event;
    void *more = NULL;
    int count;

    a->again = cudaDeviceSynchronize();
    a->copy = cudaMemcpy(d_x, host, sizeof *host, cudaMemcpyHostToDevice);
    a->set = cudaMemset(d_x, 0, sizeof *d_x);
    a->allocate = cudaMalloc(&more, 4096);
    a->release = cudaFree(d_x);
    a->event_create = cudaEventCreate(&event);
    a->stream_create = cudaStreamCreate(&stream);
    a->launch_after = conf_launch((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, 0);
    a->attributes = cudaPointerGetAttributes(&attributes, d_x);
    a->mem_info = cudaMemGetInfo(&available, &total);
    a->device_count = cudaGetDeviceCount(&count);
    a->last = cudaGetLastError();
    a->last_again = cudaGetLastError();
    a->peek = cudaPeekAtLastError();
}

static void after_the_reset(struct aftermath *a)
{
    void *more = NULL;
    int count;

    a->reset = cudaDeviceReset();
    a->last_after_reset = cudaGetLastError();
    a->count_after = cudaGetDeviceCount(&count);
    a->allocate_after = cudaMalloc(&more, 4096);
    a->free_null_after = cudaFree(NULL);
    a->synchronize_after = cudaDeviceSynchronize();
}

static void follow(void *area)
{
    struct aftermath *a = area;
    int on_stack = KEPT, *on_heap = malloc(sizeof *on_heap), *d_x = NULL, *target = NULL;

    if (!on_heap)
        _exit(CHILD_CANNOT);
    *on_heap = KEPT;
    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    if (a->target == MALLOCED)
        target = on_heap;
    if (a->target == STACK)
        target = &on_stack;
    if (a->target == FREED)
        target = freed_memory();
    a->launch = conf_write(target, 1, 0);
    a->synchronize = cudaDeviceSynchronize();
    after_the_fault(a, d_x, on_heap);
    a->host_unchanged = *on_heap == KEPT && *(volatile int *)&on_stack == KEPT;
    after_the_reset(a);
    free(on_heap);
}

static void a_kernel_on_mallocd_memory_fails_and_that_sticks(void)
{
    struct aftermath a = {.target = MALLOCED};

    need_separate_memories();
    if (!child_run(follow, &a, sizeof a))
        return;
    UM_RETURNS("kernel writes malloc'd memory: launch", a.launch);
    UM_RETURNS("kernel writes malloc'd memory: cudaDeviceSynchronize", a.synchronize);
    UM_RETURNS("kernel writes malloc'd memory: cudaDeviceSynchronize again", a.again);
    UM_RETURNS("kernel writes malloc'd memory: cudaMemcpy after it", a.copy);
    UM_RETURNS("kernel writes malloc'd memory: cudaMemset after it", a.set);
    UM_RETURNS("kernel writes malloc'd memory: cudaMalloc after it", a.allocate);
    UM_RETURNS("kernel writes malloc'd memory: cudaFree after it", a.release);
    UM_RETURNS("kernel writes malloc'd memory: cudaEventCreate after it", a.event_create);
    UM_RETURNS("kernel writes malloc'd memory: cudaStreamCreate after it", a.stream_create);
    UM_RETURNS("kernel writes malloc'd memory: launch after it", a.launch_after);
    UM_RETURNS("kernel writes malloc'd memory: cudaPointerGetAttributes after it", a.attributes);
    UM_RETURNS("kernel writes malloc'd memory: cudaMemGetInfo after it", a.mem_info);
    UM_RETURNS("kernel writes malloc'd memory: cudaGetDeviceCount after it", a.device_count);
    UM_RETURNS("kernel writes malloc'd memory: cudaGetLastError after it", a.last);
    UM_RETURNS("kernel writes malloc'd memory: cudaGetLastError once more", a.last_again);
    UM_RETURNS("kernel writes malloc'd memory: cudaPeekAtLastError after it", a.peek);
    UM_BEHAVIOUR("kernel writes malloc'd memory: the host's data stay", "%d", a.host_unchanged);
}

static void cudaDeviceReset_does_not_mend_a_kernels_fault(void)
{
    struct aftermath a = {.target = MALLOCED};

    need_separate_memories();
    if (!child_run(follow, &a, sizeof a))
        return;
    UM_RETURNS("after a kernel's fault: cudaDeviceReset", a.reset);
    UM_RETURNS("after a kernel's fault and reset: cudaGetLastError", a.last_after_reset);
    UM_RETURNS("after a kernel's fault and reset: cudaGetDeviceCount", a.count_after);
    UM_RETURNS("after a kernel's fault and reset: cudaMalloc", a.allocate_after);
    UM_RETURNS("after a kernel's fault and reset: cudaFree(NULL)", a.free_null_after);
    UM_RETURNS("after a kernel's fault and reset: cudaDeviceSynchronize", a.synchronize_after);
}

static void a_kernel_on_stack_memory_fails(void)
{
    struct aftermath a = {.target = STACK};

    need_separate_memories();
    if (!child_run(follow, &a, sizeof a))
        return;
    UM_RETURNS("kernel writes stack memory: launch", a.launch);
    UM_RETURNS("kernel writes stack memory: cudaDeviceSynchronize", a.synchronize);
    UM_RETURNS("kernel writes stack memory: cudaGetLastError after it", a.last);
    UM_BEHAVIOUR("kernel writes stack memory: the host's data stay", "%d", a.host_unchanged);
}

static void a_kernel_on_freed_device_memory_fails(void)
{
    struct aftermath a = {.target = FREED};

    if (!child_run(follow, &a, sizeof a))
        return;
    UM_RETURNS("kernel writes freed device memory: launch", a.launch);
    UM_RETURNS("kernel writes freed device memory: cudaDeviceSynchronize", a.synchronize);
    UM_RETURNS("kernel writes freed device memory: cudaGetLastError after it", a.last);
}

static void a_kernel_on_NULL_fails(void)
{
    struct aftermath a = {.target = NOWHERE};

    if (!child_run(follow, &a, sizeof a))
        return;
    UM_RETURNS("kernel writes NULL: launch", a.launch);
    UM_RETURNS("kernel writes NULL: cudaDeviceSynchronize", a.synchronize);
    UM_RETURNS("kernel writes NULL: cudaGetLastError after it", a.last);
}

/** Each of these calls would wait for the kernel that fails; each is the first to be asked. */
struct teller {
    enum { BY_STREAM, BY_EVENT, BY_COPY, BY_LEGACY_COPY, BY_FREE, BY_PREVIOUS_SUCCESS } by;
    cudaError_t told;
};

static void tell(void *area)
{
    struct teller *t = area;
    int *on_heap = malloc(sizeof *on_heap), *d_x = NULL, host = 0;
    cudaStream_t stream;
    cudaEvent_t event;

    CHILD_NEED(cudaMalloc((void **)&d_x, 4096));
    CHILD_NEED(cudaStreamCreate(&stream));
    CHILD_NEED(cudaEventCreate(&event));
    CHILD_NEED(conf_write(on_heap, 1, stream));
    if (t->by == BY_STREAM)
        t->told = cudaStreamSynchronize(stream);
    if (t->by == BY_EVENT) {
        (void)cudaEventRecord(event,
                              stream); /* whether this tells already depends on how far the kernel is */
        t->told = cudaEventSynchronize(event);
    }
    if (t->by == BY_COPY)
        t->told = cudaMemcpy(&host, d_x, sizeof host, cudaMemcpyDeviceToHost);
    if (t->by == BY_FREE)
        t->told = cudaFree(d_x);
    free(on_heap);
}

static cudaError_t told_by(int by)
{
    struct teller t = {.by = by, .told = cudaErrorUnknown};

    child_run(tell, &t, sizeof t);
    return t.told;
}

static void every_call_that_waits_tells_of_a_kernels_fault(void)
{
    need_separate_memories();
    UM_RETURNS("kernel's fault: told by cudaStreamSynchronize", told_by(BY_STREAM));
    UM_RETURNS("kernel's fault: told by cudaEventSynchronize", told_by(BY_EVENT));
    UM_RETURNS("kernel's fault: told by cudaMemcpy", told_by(BY_COPY));
    UM_RETURNS("kernel's fault: told by cudaFree", told_by(BY_FREE));
}

/** Pointers that both sides follow. */
struct shared_access {
    int pinned, mapped, registered, managed;
};

static void host_and_kernel_share_pinned_and_registered_memory(void)
{
    int *pinned = NULL, *combined = NULL, *own = malloc(4096 * sizeof *own), *registered = NULL;

    CU_ASSERT_EQUAL(cudaMallocHost((void **)&pinned, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostAlloc((void **)&combined, 4096, cudaHostAllocWriteCombined), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostRegister(own, 4096 * sizeof *own, cudaHostRegisterMapped), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostGetDevicePointer((void **)&registered, own, 0), cudaSuccess);
    *pinned = *combined = *own = 0;
    UM_RETURNS("kernel writes cudaMallocHost'ed memory: launch", conf_write(pinned, 5, 0));
    CU_ASSERT_EQUAL(conf_write(combined, 6, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_write(registered, 7, 0), cudaSuccess);
    UM_RETURNS("kernel writes pinned, write-combined and registered memory: synchronise",
               cudaDeviceSynchronize());
    UM_BEHAVIOUR("kernel writes cudaMallocHost'ed memory: the host reads", "%d", *pinned);
    UM_BEHAVIOUR("kernel writes write-combined memory: the host reads", "%d", *combined);
    UM_BEHAVIOUR("kernel writes registered memory: the host reads", "%d", *own);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(combined), cudaSuccess);
    free(own);
}

static void host_and_kernel_share_managed_memory(void)
{
    int *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, 4096, cudaMemAttachGlobal), cudaSuccess);
    *x = 1;
    UM_RETURNS("kernel writes managed memory: launch", conf_write(x, 8, 0));
    UM_RETURNS("kernel writes managed memory: synchronise", cudaDeviceSynchronize());
    UM_BEHAVIOUR("kernel writes managed memory: the host reads", "%d", *x);
    *x = 9;
    CU_ASSERT_EQUAL(conf_read(x + 1, x, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("host writes managed memory: a kernel reads", "%d", x[1]);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

UM_TESTS("access", {"the host reads cudaMalloc'd memory", the_host_reads_cudaMallocd_memory},
         {"the host writes cudaMalloc'd memory", the_host_writes_cudaMallocd_memory},
         {"a SIGSEGV handler from before CUDA gets a fault on device memory",
          a_SIGSEGV_handler_from_before_CUDA_gets_a_fault_on_device},
         {"a SIGSEGV handler from before CUDA gets the program's own faults",
          a_SIGSEGV_handler_from_before_CUDA_gets_the_programs_own_faults},
         {"a kernel on malloc'd memory fails, and that sticks",
          a_kernel_on_mallocd_memory_fails_and_that_sticks},
         {"cudaDeviceReset does not mend a kernel's fault", cudaDeviceReset_does_not_mend_a_kernels_fault},
         {"a kernel on stack memory fails", a_kernel_on_stack_memory_fails},
         {"a kernel on freed device memory fails", a_kernel_on_freed_device_memory_fails},
         {"a kernel on NULL fails", a_kernel_on_NULL_fails},
         {"every call that waits tells of a kernel's fault", every_call_that_waits_tells_of_a_kernels_fault},
         {"host and kernel share pinned and registered memory",
          host_and_kernel_share_pinned_and_registered_memory},
         {"host and kernel share managed memory", host_and_kernel_share_managed_memory});
