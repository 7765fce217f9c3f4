/**
 * @file launch.c
 * @brief Launches in a client: the stub puts the kernel's parameters together, as in any program
 * (umsim/abi.h), and they are sent to the server. What a launch may not do, the server says.
 */
#include "client.h"
#include "umsim.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PENDING_MAX = 64, KERNELS_MAX = 4096 };

struct pending {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    bool cooperative;
};
static _Thread_local struct pending pending[PENDING_MAX];
static _Thread_local unsigned count;
static _Thread_local cudaError_t outcome;

/* The server keeps the last error. */
static cudaError_t refuse(cudaError_t error)
{
    struct umsim_message message = {.kind = UMSIM_CLIENT_LAUNCH};
    unsigned at = 0;
    umsim_client_put_offset(&message, &at, NULL);
    message.word[UMSIM_LAUNCH_ERROR] = (uint64_t)error;
    umsim_client_say(&message, NULL, NULL);
    return error;
}

int umsim_push_call(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st *stream)
{
    if (count == PENDING_MAX) /* a program that pushes by itself and calls no stub */
        count--;
    pending[count++] = (struct pending){grid, block, shared_bytes, stream, false};
    return 0;
}

unsigned umsim_pending_launches(void)
{
    return count;
}

void umsim_launched(unsigned number, const char *file, int line)
{
    (void)file, (void)line;
    if (count < number)
        return;
    count = number - 1;
    outcome = refuse(cudaErrorInvalidDeviceFunction);
}

static _Thread_local bool for_a_node;

void umsim_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes)
{
    struct umsim_message message = {.kind = for_a_node ? UMSIM_CLIENT_PARAMETERS : UMSIM_CLIENT_LAUNCH,
                                    .bytes = (uint32_t)bytes},
                         answer;
    unsigned at = 0;
    if (!count || bytes > UMSIM_CLOSURE_MAX) { /* a kernel that is called like a function */
        outcome = refuse(cudaErrorInvalidConfiguration);
        return;
    }
    const struct pending *now = &pending[--count];
    umsim_client_put_offset(&message, &at, kernel);
    umsim_client_put(&message, &at, &now->stream, sizeof now->stream);
    umsim_client_put(&message, &at, &now->shared, sizeof now->shared);
    umsim_client_put(&message, &at, &now->grid, sizeof now->grid);
    umsim_client_put(&message, &at, &now->block, sizeof now->block);
    message.word[UMSIM_LAUNCH_COOPERATIVE] = now->cooperative;
    umsim_client_say(&message, closure, &answer);
    outcome = (cudaError_t)answer.word[0];
}

/* ---- kernels by their stubs' addresses ---- */

static struct {
    void (*stub)(void);
    umsim_thunk_fn thunk;
} kernels[KERNELS_MAX];
static unsigned kernels_count;

void umsim_register_kernel(void (*stub)(void), umsim_thunk_fn thunk, const char *name)
{
    (void)name;
    if (kernels_count == KERNELS_MAX)
        umsim_client_die("there are more than %d kernels", KERNELS_MAX);
    kernels[kernels_count].stub = stub;
    kernels[kernels_count++].thunk = thunk;
}

void umsim_register_parameters(void (*stub)(void), const struct umsim_parameter *list, unsigned count)
{
    (void)stub, (void)list, (void)count;
}

void umsim_register_sizes(void (*stub)(void), const struct umsim_sizes *sizes)
{
    (void)stub, (void)sizes;
}

void umsim_register_variable(const void *variable, size_t bytes)
{
    (void)variable, (void)bytes;
}

void umsim_name_variable(const void *variable, const char *name)
{
    (void)variable, (void)name;
}

void umsim_register_module_of_pages(const struct umsim_module *module)
{
    (void)module;
}

void umsim_register_module_of_other_pages(const struct umsim_module *module)
{
    (void)module;
}

void umsim_unregister_module(const struct umsim_module *module)
{
    (void)module;
}

static cudaError_t launch(const void *func, struct pending how, void **args)
{
    for (unsigned i = 0; i < kernels_count; i++)
        if ((uintptr_t)kernels[i].stub == (uintptr_t)func) {
            umsim_push_call(how.grid, how.block, how.shared, how.stream);
            pending[count - 1].cooperative = how.cooperative;
            kernels[i].thunk(kernels[i].stub, args);
            return outcome;
        }
    return refuse(func ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    return launch(func, (struct pending){gridDim, blockDim, sharedMem, stream, false}, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    return launch(func, (struct pending){gridDim, blockDim, sharedMem, stream, true}, args);
}

/* Attributes but this one are hints, or what the server would refuse, too. */
static cudaError_t read_attributes(const cudaLaunchConfig_t *config, bool *cooperative)
{
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        const unsigned blocks =
            attribute->val.clusterDim.x * attribute->val.clusterDim.y * attribute->val.clusterDim.z;
        if (attribute->id == cudaLaunchAttributeCooperative)
            *cooperative = attribute->val.cooperative != 0;
        else if ((attribute->id == cudaLaunchAttributeClusterDimension && blocks != 1) ||
                 attribute->id == cudaLaunchAttributeProgrammaticEvent ||
                 attribute->id == cudaLaunchAttributeLaunchCompletionEvent ||
                 attribute->id == cudaLaunchAttributeDeviceUpdatableKernelNode)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    bool cooperative = false;
    if (!config || (config->numAttrs && !config->attrs))
        return refuse(cudaErrorInvalidValue);
    const cudaError_t error = read_attributes(config, &cooperative);
    if (error)
        return refuse(error);
    return launch(func,
                  (struct pending){config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                   config->stream, cooperative},
                  args);
}

/* ---- graphs' nodes: the parameters go ahead ---- */

static void send_parameters(const struct cudaKernelNodeParams *params)
{
    if (!params || !params->func || !params->kernelParams)
        return;
    for_a_node = true;
    launch(params->func,
           (struct pending){params->gridDim, params->blockDim, params->sharedMemBytes, NULL, false},
           params->kernelParams);
    for_a_node = false;
}

cudaError_t umsim_client_cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *after, size_t count,
                                                const struct cudaKernelNodeParams *params);
cudaError_t umsim_client_cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                      const struct cudaKernelNodeParams *params);
cudaError_t umsim_client_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                          const struct cudaKernelNodeParams *params);

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams)
{
    send_parameters(pNodeParams);
    return umsim_client_cudaGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies,
                                               pNodeParams);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)
{
    send_parameters(pNodeParams);
    return umsim_client_cudaGraphKernelNodeSetParams(node, pNodeParams);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    send_parameters(pNodeParams);
    return umsim_client_cudaGraphExecKernelNodeSetParams(hGraphExec, node, pNodeParams);
}
