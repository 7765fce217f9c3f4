/**
 * @file umsim/types_graph_nodes.h
 * @brief Types of graphs' nodes in general: memory, conditions, events, and one structure for all. Included
 * by driver_types.h.
 *
 * Names, values and layouts are CUDA's.
 */
#ifndef UMSIM_TYPES_GRAPH_NODES_H
#define UMSIM_TYPES_GRAPH_NODES_H

#include "umsim/types_graph.h"

/** @name Memory
 * @{ */
/** A node that takes device memory. */
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;           /**< where: pinned memory of the device */
    const struct cudaMemAccessDesc *accessDescs; /**< which devices reach it, or NULL */
    size_t accessDescCount;                      /**< their number */
    size_t bytesize;                             /**< how much */
    void *dptr;                                  /**< receives the address */
};
/** The same, for cudaGraphNodeParams. */
struct cudaMemAllocNodeParamsV2 {
    struct cudaMemPoolProps poolProps;           /**< where: pinned memory of the device */
    const struct cudaMemAccessDesc *accessDescs; /**< which devices reach it, or NULL */
    size_t accessDescCount;                      /**< their number */
    size_t bytesize;                             /**< how much */
    void *dptr;                                  /**< receives the address */
};
/** A node that gives memory of a graph back. */
struct cudaMemFreeNodeParams {
    void *dptr; /**< its address */
};
/** What cudaDeviceGetGraphMemAttribute() tells: uint64_t, bytes. */
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0x0,     /**< what graphs have now */
    cudaGraphMemAttrUsedMemHigh = 0x1,        /**< the most that they had; can be set to 0 */
    cudaGraphMemAttrReservedMemCurrent = 0x2, /**< what is kept for them */
    cudaGraphMemAttrReservedMemHigh = 0x3     /**< the most that was kept; can be set to 0 */
};
/** @} */

/** @name Conditions
 * @{ */
/** A number that device code sets (cudaGraphSetConditional()), and that a conditional node asks. */
typedef unsigned long long cudaGraphConditionalHandle;
/** Flags of cudaGraphConditionalHandleCreate(). */
enum cudaGraphConditionalHandleFlags {
    cudaGraphCondAssignDefault = 1 /**< each launch of the graph begins with the default value */
};
/** What a conditional node does with its graphs. */
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,    /**< runs [0] if the number is not 0; else [1], if there are two */
    cudaGraphCondTypeWhile = 1, /**< runs [0] again and again while the number is not 0 */
    cudaGraphCondTypeSwitch = 2 /**< runs the graph whose index the number is, if there is one */
};
/** A conditional node. */
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;      /**< of the same graph */
    enum cudaGraphConditionalNodeType type; /**< what is done */
    unsigned int size;                      /**< the number of graphs */
    cudaGraph_t *phGraph_out;               /**< receives an array of these graphs, which the node owns */
};
/** @} */

/** @name One structure for all nodes: cudaGraphAddNode()
 * @{ */
/** A kernel node. */
struct cudaKernelNodeParamsV2 {
    void *func; /**< the kernel */
#if !defined(__cplusplus) || __cplusplus >= 201103L
    dim3 gridDim;  /**< blocks */
    dim3 blockDim; /**< threads of a block */
#else
    uint3 gridDim;  /**< blocks */
    uint3 blockDim; /**< threads of a block */
#endif
    unsigned int sharedMemBytes; /**< dynamic shared memory of a block */
    void **kernelParams;         /**< a pointer to each argument */
    void **extra;                /**< NULL */
};
/** A copy. */
struct cudaMemcpyNodeParams {
    int flags;                           /**< 0 */
    int reserved[3];                     /**< zeros */
    struct cudaMemcpy3DParms copyParams; /**< what is copied */
};
/** A memset. */
struct cudaMemsetParamsV2 {
    void *dst;                /**< what is filled */
    size_t pitch;             /**< bytes from a row to the next; ignored for one row */
    unsigned int value;       /**< what it is filled with */
    unsigned int elementSize; /**< bytes of the value: 1, 2 or 4 */
    size_t width;             /**< elements of a row */
    size_t height;            /**< rows */
};
/** The call of a host function. */
struct cudaHostNodeParamsV2 {
    cudaHostFn_t fn; /**< the function; it must not call CUDA */
    void *userData;  /**< its argument */
};
#ifdef UMSIM_CUDA12
/** A graph as a node, which has a copy of it. */
struct cudaChildGraphNodeParams {
    cudaGraph_t graph; /**< the graph */
};
#else
/** Whether a child graph is copied. */
enum cudaGraphChildGraphNodeOwnership {
    cudaGraphChildGraphOwnershipClone = 0, /**< the node has a copy */
    cudaGraphChildGraphOwnershipMove = 1   /**< the node has the graph itself from now on */
};
/** A graph as a node. */
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;                               /**< the graph */
    enum cudaGraphChildGraphNodeOwnership ownership; /**< whose it is */
};
#endif
/** Waiting for an event. */
struct cudaEventWaitNodeParams {
    cudaEvent_t event; /**< the event */
};
/** Recording an event. */
struct cudaEventRecordNodeParams {
    cudaEvent_t event; /**< the event */
};
/** A semaphore of another library's: not provided. */
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
/** Setting such semaphores: not provided. */
struct cudaExternalSemaphoreSignalNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;                        /**< which */
    const struct cudaExternalSemaphoreSignalParams *paramsArray; /**< how */
    unsigned int numExtSems;                                     /**< their number */
};
/** Waiting for such semaphores: not provided. */
struct cudaExternalSemaphoreWaitNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;                      /**< which */
    const struct cudaExternalSemaphoreWaitParams *paramsArray; /**< how */
    unsigned int numExtSems;                                   /**< their number */
};
/** A node of any type. Set all of it to zero first. */
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type; /**< which member of the union is meant */
    int reserved0[3];            /**< zeros */
    union {
        long long reserved1[29];                                     /**< zeros */
        struct cudaKernelNodeParamsV2 kernel;                        /**< launches a kernel */
        struct cudaMemcpyNodeParams memcpy;                          /**< copies */
        struct cudaMemsetParamsV2 memset;                            /**< fills memory */
        struct cudaHostNodeParamsV2 host;                            /**< calls a host function */
        struct cudaChildGraphNodeParams graph;                       /**< runs a graph */
        struct cudaEventWaitNodeParams eventWait;                    /**< waits for an event */
        struct cudaEventRecordNodeParams eventRecord;                /**< records one */
        struct cudaExternalSemaphoreSignalNodeParamsV2 extSemSignal; /**< not provided */
        struct cudaExternalSemaphoreWaitNodeParamsV2 extSemWait;     /**< not provided */
        struct cudaMemAllocNodeParamsV2 alloc;                       /**< takes device memory */
        struct cudaMemFreeNodeParams free;                           /**< gives it back */
        struct cudaConditionalNodeParams conditional;                /**< runs graphs by a condition */
    };
    long long reserved2; /**< 0 */
};
/** @} */

/** @name Instantiation, captures, objects of the program's
 * @{ */
/** The outcome of cudaGraphInstantiateWithParams(). */
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,                     /**< it was done */
    cudaGraphInstantiateError = 1,                       /**< see the call's error */
    cudaGraphInstantiateInvalidStructure = 2,            /**< nodes wait for each other */
    cudaGraphInstantiateNodeOperationNotSupported = 3,   /**< a node does what is not possible there */
    cudaGraphInstantiateMultipleDevicesNotSupported = 4, /**< it concerns several devices */
    cudaGraphInstantiateConditionalHandleUnused = 5      /**< a condition that no node asks */
} cudaGraphInstantiateResult;
/** What cudaGraphInstantiateWithParams() is asked, and what it answers. */
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;              /**< cudaGraphInstantiateFlag... */
    cudaStream_t uploadStream;             /**< where it is uploaded, with cudaGraphInstantiateFlagUpload */
    cudaGraphNode_t errNode_out;           /**< receives the node that is in the way, or NULL */
    cudaGraphInstantiateResult result_out; /**< receives the outcome */
} cudaGraphInstantiateParams;
/** Flags of cudaStreamUpdateCaptureDependencies(). */
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0x0, /**< the next node depends on these nodes, too */
    cudaStreamSetCaptureDependencies = 0x1  /**< the next node depends on these nodes only */
};
/** An object of the program's that graphs keep alive. */
typedef struct CUuserObject_st *cudaUserObject_t;
/** Flags of cudaUserObjectCreate(). */
enum cudaUserObjectFlags {
    cudaUserObjectNoDestructorSync = 0x1 /**< nobody can wait for the destructor: it has to be set */
};
/** Flags of cudaGraphRetainUserObject(). */
enum cudaUserObjectRetainFlags {
    cudaGraphUserObjectMove = 0x1 /**< the caller's references become the graph's */
};
/** @} */

#endif
