/**
 * @file umsim/types_graph.h
 * @brief Types of pitched memory in three dimensions, of stream capture and of graphs. Included by
 * driver_types.h.
 *
 * Names, values and layouts are CUDA's.
 */
#ifndef UMSIM_TYPES_GRAPH_H
#define UMSIM_TYPES_GRAPH_H

#include <stddef.h>

#include "umsim/types_array.h"
#include "vector_types.h"

/** @name Pitched memory
 * @{ */
/** Memory whose rows are padded. */
struct cudaPitchedPtr {
    void *ptr;    /**< the first row */
    size_t pitch; /**< bytes from a row to the next */
    size_t xsize; /**< bytes of a row without the padding */
    size_t ysize; /**< rows of a slice */
};

/** The size of a copy or an allocation. */
struct cudaExtent {
    size_t width;  /**< bytes; of arrays, and of copies with an array: elements */
    size_t height; /**< rows */
    size_t depth;  /**< slices */
};

/** The position where a copy begins. */
struct cudaPos {
    size_t x; /**< bytes; in an array elements */
    size_t y; /**< rows */
    size_t z; /**< slices */
};

/** A copy in three dimensions. Set all of it to zero first. */
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;         /**< the source, or NULL */
    struct cudaPos srcPos;        /**< where the copy begins in the source */
    struct cudaPitchedPtr srcPtr; /**< the source, if it is not an array */
    cudaArray_t dstArray;         /**< the destination, or NULL */
    struct cudaPos dstPos;        /**< where the copy begins in the destination */
    struct cudaPitchedPtr dstPtr; /**< the destination, if it is not an array */
    struct cudaExtent extent;     /**< how much */
    enum cudaMemcpyKind kind;     /**< which way */
};

/** The same between devices. Set all of it to zero first. */
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;         /**< the source, or NULL */
    struct cudaPos srcPos;        /**< where the copy begins in the source */
    struct cudaPitchedPtr srcPtr; /**< the source, if it is not an array */
    int srcDevice;                /**< whose memory that is */
    cudaArray_t dstArray;         /**< the destination, or NULL */
    struct cudaPos dstPos;        /**< where the copy begins in the destination */
    struct cudaPitchedPtr dstPtr; /**< the destination, if it is not an array */
    int dstDevice;                /**< whose memory that is */
    struct cudaExtent extent;     /**< how much */
};
/** @} */

/** @name Stream capture
 * @{ */
/** Whether a stream is being captured. */
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,   /**< it is not */
    cudaStreamCaptureStatusActive = 1, /**< it is */
    cudaStreamCaptureStatusInvalidated =
        2 /**< it was, and an error has invalidated the capture; it has to be ended */
};

/** Which uncapturable calls, such as cudaMalloc(), a capture forbids. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,      /**< those of all threads */
    cudaStreamCaptureModeThreadLocal = 1, /**< those of the capturing thread */
    cudaStreamCaptureModeRelaxed = 2      /**< none */
};
/** @} */

/** @name Graphs
 * @{ */
/** Work and its order, to be launched many times. */
typedef struct CUgraph_st *cudaGraph_t;
/** A piece of work in a graph. */
typedef struct CUgraphNode_st *cudaGraphNode_t;
/** A graph made ready to be launched. */
typedef struct CUgraphExec_st *cudaGraphExec_t;

/** What a node does. */
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0x00,             /**< launches a kernel */
    cudaGraphNodeTypeMemcpy = 0x01,             /**< copies */
    cudaGraphNodeTypeMemset = 0x02,             /**< fills memory */
    cudaGraphNodeTypeHost = 0x03,               /**< calls a host function */
    cudaGraphNodeTypeGraph = 0x04,              /**< runs a graph */
    cudaGraphNodeTypeEmpty = 0x05,              /**< does nothing, but orders others */
    cudaGraphNodeTypeWaitEvent = 0x06,          /**< waits for an event */
    cudaGraphNodeTypeEventRecord = 0x07,        /**< records an event */
    cudaGraphNodeTypeExtSemaphoreSignal = 0x08, /**< not provided */
    cudaGraphNodeTypeExtSemaphoreWait = 0x09,   /**< not provided */
    cudaGraphNodeTypeMemAlloc = 0x0a,           /**< takes device memory */
    cudaGraphNodeTypeMemFree = 0x0b,            /**< gives such memory back */
    cudaGraphNodeTypeConditional = 0x0d,        /**< runs graphs by a condition */
    cudaGraphNodeTypeCount                      /**< one past the last */
};

/** A kernel node. */
struct cudaKernelNodeParams {
    void *func;                  /**< the kernel */
    dim3 gridDim;                /**< blocks */
    dim3 blockDim;               /**< threads of a block */
    unsigned int sharedMemBytes; /**< dynamic shared memory of a block */
    void **kernelParams;         /**< a pointer to each argument */
    void **extra;                /**< NULL */
};

/** A memset node. */
struct cudaMemsetParams {
    void *dst;                /**< what is filled */
    size_t pitch;             /**< bytes from a row to the next; ignored for one row */
    unsigned int value;       /**< what it is filled with */
    unsigned int elementSize; /**< bytes of the value: 1, 2 or 4 */
    size_t width;             /**< elements of a row */
    size_t height;            /**< rows */
};

/** A host node. */
struct cudaHostNodeParams {
    cudaHostFn_t fn; /**< the function; it must not call CUDA */
    void *userData;  /**< its argument */
};

/** Flags of cudaGraphInstantiate(). */
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, /**< a launch first frees what the last one has left */
    cudaGraphInstantiateFlagUpload = 2,           /**< of no effect here */
    cudaGraphInstantiateFlagDeviceLaunch = 4,     /**< not provided */
    cudaGraphInstantiateFlagUseNodePriority = 8   /**< of no effect here */
};

/** Flags of cudaGraphDebugDotPrint(). */
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1 << 0,                  /**< all of the below */
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,         /**< grid, block and shared memory of kernels */
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,         /**< how much is copied */
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,         /**< how much is filled */
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,           /**< of no effect here */
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,          /**< of no effect here */
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7, /**< of no effect here */
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,   /**< of no effect here */
    cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,     /**< of no effect here */
    cudaGraphDebugDotFlagsHandles = 1 << 10,                 /**< of no effect here */
    cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15    /**< of no effect here */
};

/** The outcome of cudaGraphExecUpdate(). */
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0x0,                        /**< it was done */
    cudaGraphExecUpdateError = 0x1,                          /**< see the call's error */
    cudaGraphExecUpdateErrorTopologyChanged = 0x2,           /**< other nodes, or another order */
    cudaGraphExecUpdateErrorNodeTypeChanged = 0x3,           /**< a node of another type */
    cudaGraphExecUpdateErrorFunctionChanged = 0x4,           /**< old drivers: another kernel */
    cudaGraphExecUpdateErrorParametersChanged = 0x5,         /**< parameters that cannot change */
    cudaGraphExecUpdateErrorNotSupported = 0x6,              /**< a part of a node is not supported */
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 0x7, /**< a kernel that cannot replace the old one */
    cudaGraphExecUpdateErrorAttributesChanged = 0x8          /**< attributes that cannot change */
};

/** The details that cudaGraphExecUpdate() reports. */
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result; /**< the outcome */
    cudaGraphNode_t errorNode;             /**< the node of the new graph that did not fit, or NULL */
    cudaGraphNode_t errorFromNode;         /**< the other end of the edge that did not fit, or NULL */
} cudaGraphExecUpdateResultInfo;

/** What an edge between nodes may say besides order. The simulator accepts only edges whose data is zero. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port;   /**< 0 */
    unsigned char to_port;     /**< 0 */
    unsigned char type;        /**< 0 */
    unsigned char reserved[5]; /**< zeros */
} cudaGraphEdgeData;
/** @} */

#endif
