/**
 * @file launch.c
 * @brief Kernel launches (CUDA Runtime API, Execution Control; umsim/abi.h), and what kernels declare about
 * themselves (umsim.h).
 */
#include "graph.h"
#include "runtime.h"
#include "occupancy.h"
#include "../base/foreign_call.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../queue/kernel_op.h"
#include "../include/umsim.h"
#include "../include/umsim/library.h"
#include "../include/umsim/reach.h"
#include "../space/modules.h"
#include "../base/machine.h"
#include "../device/nested.h"
#include "../worker/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of C++'s library, where the program has it. */
extern void *__cxa_get_globals(void) __attribute__((weak));

/* How many launches may wait for their arguments, each an argument of the one before. */
#define PENDING_MAX 64

/* The configuration of a launch. */
struct configuration {
    dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
    bool cooperative;
    const void *caller; /* where the launch is in the program */
};

/* What a host thread has set for its next launches: an argument of a launch may launch something itself. It
 * is reached by a pointer, because a library opened by dlopen() has little thread-local memory. */
struct next_launch {
    struct configuration pending[PENDING_MAX];
    unsigned pending_count;
    struct umsim_launch_request *describing; /* umsim_launch_describe(): fill this in, do not launch */
    void *closure_buffer;
    bool probing; /* umsim_kernel_probe() calls the stub only to learn these: */
    const struct umsim_kernel *probed;
    size_t probed_bytes;
    void *probed_closure; /* receives the closure; may be NULL */
    cudaError_t outcome;
    size_t declared_count;
    struct umsim_declared declared[UMSIM_DECLARED_MAX];
    struct umsim_stands_for stands_for;
};

static const struct umsim_api_call launching = {
    "cudaLaunchKernel", "", umsim_no_arguments, NULL, NULL, false, 0};

static pthread_key_t launch_key;

static void make_launch_key(void)
{
    pthread_key_create(&launch_key, free);
}

static struct next_launch *next_launch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static __thread struct next_launch *mine __attribute__((tls_model("initial-exec")));
    if (mine)
        return mine;
    pthread_once(&once, make_launch_key);
    mine = calloc(1, sizeof *mine);
    if (!mine || pthread_setspecific(launch_key, mine) != 0) /* freed when the thread ends */
        umsim_die("no memory for a launch");
    return mine;
}

/* A value out of range is cudaErrorInvalidValue on an H200, though the manual's text suggests
 * InvalidConfiguration. */
static cudaError_t check_configuration(const struct configuration *next)
{
    const struct umsim_attributes *limit = &umsim_machine_of(umsim_device())->attributes;
    const dim3 grid = next->grid, block = next->block;
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        return cudaErrorInvalidValue;
    if (grid.x > limit->max_grid_dim_x || grid.y > limit->max_grid_dim_y || grid.z > limit->max_grid_dim_z)
        return cudaErrorInvalidValue;
    if (block.x > limit->max_block_dim_x || block.y > limit->max_block_dim_y ||
        block.z > limit->max_block_dim_z)
        return cudaErrorInvalidValue;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > (uint64_t)limit->max_threads_per_block || threads > UMSIM_BLOCK_THREADS_MAX)
        return cudaErrorInvalidValue;
    if (next->dynamic_shared > (size_t)limit->max_shared_memory_per_block_optin ||
        next->dynamic_shared > UMSIM_DYNAMIC_SHARED_MAX)
        return cudaErrorInvalidValue;
    return umsim_stream_of(next->stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t configure(const struct configuration *next)
{
    UMSIM_ENTER(cudaLaunchKernel, next->grid, next->block, next->dynamic_shared, next->stream);
    return umsim_leave(check_configuration(next));
}

/* What was declared concerns one launch. */
static void forget_declared(struct next_launch *next)
{
    next->declared_count = 0;
    next->stands_for.blocks = 0;
}

int umsim_push_call(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st *stream)
{
    if (umsim_in_kernel())
        return umsim_nested_push(grid, block, shared_bytes, stream);
    struct next_launch *next = next_launch();
    struct configuration pushed = {grid, block, shared_bytes, stream, false, NULL};
    next->outcome = configure(&pushed);
    pushed.caller = umsim_call_place(__builtin_return_address(0));
    if (next->outcome != cudaSuccess) {
        forget_declared(next);
        return 1;
    }
    if (next->pending_count == PENDING_MAX) /* a program that pushes by itself and calls no stub */
        next->pending_count--;
    next->pending[next->pending_count++] = pushed;
    return 0;
}

unsigned umsim_pending_launches(void)
{
    return umsim_in_kernel() ? 0 : next_launch()->pending_count;
}

/* Whether the stack is being left because of an exception: the C++ library's own count of these, where a
 * program has that library. */
static bool is_unwinding(void)
{
    const struct {
        void *caught;
        unsigned uncaught;
    } *globals = __cxa_get_globals ? __cxa_get_globals() : NULL;
    return globals && globals->uncaught > 0;
}

void umsim_launched(unsigned number, const char *file, int line)
{
    struct next_launch *next = next_launch();
    if (next->pending_count < number)
        return;
    next->pending_count = number - 1;
    if (is_unwinding())
        return;
    forget_declared(next);
    next->outcome = umsim_refuse(&launching, cudaErrorInvalidDeviceFunction);
    umsim_say("%s:%d: the function that was launched with <<<...>>> is no kernel: it has run on the host; a "
              "kernel is "
              "declared __global__, and the file with its definition is compiled by umcc",
              file, line);
}

static bool fits_at_once(const struct configuration *next)
{
    const dim3 grid = next->grid, block = next->block;
    const int64_t threads = (int64_t)block.x * block.y * block.z;
    const int64_t resident = umsim_resident_blocks(umsim_device(), threads, next->dynamic_shared);
    return (uint64_t)grid.x * grid.y * grid.z <=
           (uint64_t)(resident * umsim_machine_of(umsim_device())->attributes.multiprocessor_count);
}

static cudaError_t issue(struct next_launch *next, const struct configuration *now,
                         const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    UMSIM_ENTER(<<<>>>, now->grid, now->block, now->dynamic_shared, now->stream, bytes);
    call_.caller = now->caller;
    struct umsim_launch_request request = {.kernel = kernel,
                                           .geometry = {now->grid, now->block},
                                           .dynamic_shared = now->dynamic_shared,
                                           .closure = closure,
                                           .closure_bytes = bytes,
                                           .declared = next->declared,
                                           .declared_count = next->declared_count,
                                           .stands_for = next->stands_for,
                                           .cooperative = now->cooperative,
                                           .caller = now->caller};
    struct umsim_stream *stream = umsim_stream_of(now->stream);
    const unsigned device = stream ? stream->device : umsim_device();
    if (bytes > UMSIM_CLOSURE_MAX || now->dynamic_shared > umsim_dynamic_shared_limit(device, kernel))
        return umsim_leave(cudaErrorInvalidValue);
    if (now->cooperative && !fits_at_once(now))
        return umsim_leave(cudaErrorCooperativeLaunchTooLarge);
    return umsim_leave(umsim_issue_launch(&request, stream));
}

static cudaError_t describe(struct next_launch *next, const struct configuration *now,
                            const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    if (bytes > UMSIM_CLOSURE_MAX || now->dynamic_shared > umsim_dynamic_shared_limit(umsim_device(), kernel))
        return cudaErrorInvalidValue;
    *next->describing = (struct umsim_launch_request){.kernel = kernel,
                                                      .geometry = {now->grid, now->block},
                                                      .dynamic_shared = now->dynamic_shared,
                                                      .closure = memcpy(next->closure_buffer, closure, bytes),
                                                      .closure_bytes = bytes,
                                                      .declared = next->declared};
    return cudaSuccess;
}

void umsim_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    if (umsim_in_kernel()) {
        umsim_nested_launch(kernel, closure, bytes);
        return;
    }
    struct next_launch *next = next_launch();
    if (next->probing) {
        next->probed = kernel;
        next->probed_bytes = bytes;
        if (next->probed_closure && bytes <= UMSIM_CLOSURE_MAX)
            memcpy(next->probed_closure, closure, bytes);
        return;
    }
    if (!next->pending_count) { /* the program called a kernel like a function */
        next->outcome = umsim_refuse(&launching, cudaErrorInvalidConfiguration);
        return;
    }
    const struct configuration *now = &next->pending[--next->pending_count];
    next->outcome = next->describing ? describe(next, now, kernel, closure, bytes)
                                     : issue(next, now, kernel, closure, bytes);
    forget_declared(next);
}

cudaError_t umsim_launch_for_client(const struct umsim_kernel *kernel, const struct umsim_client_launch *how,
                                    const void *closure, size_t bytes)
{
    if (umsim_push_call(how->grid, how->block, how->dynamic_shared, how->stream) == 0) {
        struct next_launch *next = next_launch();
        next->pending[next->pending_count - 1].cooperative = how->cooperative;
        umsim_launch(kernel, closure, bytes);
    }
    return next_launch()->outcome;
}

/* Only the stub knows its kernel's record, and how its arguments lie. The call goes no further than
 * umsim_launch(). */
const struct umsim_kernel *umsim_kernel_probe(const void *stub, void **arguments, void *closure,
                                              size_t *bytes)
{
    umsim_thunk_fn thunk = umsim_kernel_thunk(stub, NULL);
    struct next_launch *next = next_launch();
    if (!thunk)
        return NULL;
    next->probing = true;
    next->probed_closure = closure;
    thunk((void (*)(void))(uintptr_t)stub, arguments);
    next->probing = false;
    if (bytes)
        *bytes = next->probed_bytes;
    return next->probed;
}

const struct umsim_kernel *umsim_kernel_record(const void *stub, size_t *bytes)
{
    static _Alignas(64) char zeros[UMSIM_CLOSURE_MAX];
    void *arguments[UMSIM_CLOSURE_MAX / sizeof(void *)];
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        arguments[i] = zeros;
    return umsim_kernel_probe(stub, arguments, NULL, bytes);
}

/* The last launch that was pushed is this caller's of an API function. */
static void pushed_by(const void *caller)
{
    struct next_launch *next = next_launch();
    if (!umsim_in_kernel())
        next->pending[next->pending_count - 1].caller = umsim_call_place(caller);
}

/* Whether a kernel takes such blocks, by the launch bounds that its module tells. @param name NULL: no kernel
 */
static cudaError_t check_function(const void *func, dim3 block, const char *name)
{
    if (!name)
        return func ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    const uint64_t threads = (uint64_t)block.x * block.y * block.z, most = umsim_kernel_sizes(func).threads;
    if (!most || threads <= most)
        return cudaSuccess;
    umsim_say("kernel %s says by its launch bounds that a block has at most %llu threads, and is launched "
              "with %llu: "
              "take smaller blocks, or larger bounds",
              name, (unsigned long long)most, (unsigned long long)threads);
    return cudaErrorInvalidValue;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    const char *name = NULL;
    umsim_thunk_fn thunk = umsim_kernel_thunk(func, &name);
    const cudaError_t error = check_function(func, blockDim, thunk ? name : NULL);
    if (error) {
        UMSIM_ENTER(cudaLaunchKernel, func);
        return umsim_leave(error);
    }
    if (umsim_push_call(gridDim, blockDim, sharedMem, stream) == 0) {
        pushed_by(__builtin_return_address(0));
        thunk((void (*)(void))(uintptr_t)func, args);
    }
    return next_launch()->outcome;
}

/* What a client's stub has put together for the node that it makes next. */
static struct {
    const struct umsim_kernel *kernel;
    const void *closure;
    size_t bytes;
} clients_node;

void umsim_launch_clients_node(const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    clients_node.kernel = kernel;
    clients_node.closure = closure;
    clients_node.bytes = bytes;
}

static cudaError_t describe_clients(const struct cudaKernelNodeParams *params)
{
    const struct umsim_client_launch how = {params->gridDim, params->blockDim, params->sharedMemBytes,
                                            cudaStreamLegacy, false};
    if (!clients_node.kernel)
        return cudaErrorInvalidDeviceFunction;
    return umsim_launch_for_client(clients_node.kernel, &how, clients_node.closure, clients_node.bytes);
}

cudaError_t umsim_launch_describe(const struct cudaKernelNodeParams *params,
                                  struct umsim_launch_request *request, void *closure_buffer)
{
    struct next_launch *next = next_launch();
    next->describing = request;
    next->closure_buffer = closure_buffer;
    cudaError_t error =
        umsim_is_grading() ? describe_clients(params)
                           : cudaLaunchKernel(params->func, params->gridDim, params->blockDim,
                                              params->kernelParams, params->sharedMemBytes, cudaStreamLegacy);
    next->describing = NULL;
    return error;
}

/* Blocks may wait for each other, so all of them have to be on the device at the same time. */
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    const char *name = NULL;
    umsim_thunk_fn thunk = umsim_kernel_thunk(func, &name);
    const cudaError_t error = check_function(func, blockDim, thunk ? name : NULL);
    if (error) {
        UMSIM_ENTER(cudaLaunchCooperativeKernel, func);
        return umsim_leave(error);
    }
    if (umsim_push_call(gridDim, blockDim, sharedMem, stream) == 0) {
        struct next_launch *next = next_launch();
        next->pending[next->pending_count - 1].cooperative = true;
        pushed_by(__builtin_return_address(0));
        thunk((void (*)(void))(uintptr_t)func, args);
    }
    return next_launch()->outcome;
}

static void declare(struct umsim_declared what)
{
    struct next_launch *next = next_launch();
    if (next->declared_count < UMSIM_DECLARED_MAX)
        next->declared[next->declared_count++] = what;
}

void umsim_kernel_stands_for(const struct umsim_stands_for *what)
{
    next_launch()->stands_for = *what;
}

void umsim_kernel_reads(const void *p, size_t bytes)
{
    declare((struct umsim_declared){.p = p, .bytes_read = bytes});
}

void umsim_kernel_writes(const void *p, size_t bytes)
{
    declare((struct umsim_declared){.p = p, .bytes_written = bytes});
}

void umsim_kernel_chases(const void *p, size_t dependent_accesses)
{
    declare((struct umsim_declared){.p = p, .dependent_accesses = dependent_accesses});
}
