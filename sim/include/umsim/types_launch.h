/**
 * @file umsim/types_launch.h
 * @brief What cudaLaunchKernelEx() takes besides grid and block: attributes. Part of driver_types.h.
 */
#ifndef UMSIM_TYPES_LAUNCH_H
#define UMSIM_TYPES_LAUNCH_H

#include <stddef.h>
#include "vector_types.h"

/** The kinds of attributes. */
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,             /**< nothing */
    cudaLaunchAttributeAccessPolicyWindow = 1, /**< what stays in the L2 cache: no effect here */
    cudaLaunchAttributeCooperative = 2,        /**< all blocks at once, as in cudaLaunchCooperativeKernel() */
    cudaLaunchAttributeSynchronizationPolicy = 3,             /**< of streams */
    cudaLaunchAttributeClusterDimension = 4,                  /**< blocks of a cluster: 1, 1, 1 here */
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5, /**< changes nothing here */
    cudaLaunchAttributeProgrammaticStreamSerialization =
        6, /**< may begin before its predecessor has ended: it never does here */
    cudaLaunchAttributeProgrammaticEvent = 7,              /**< cudaErrorNotSupported */
    cudaLaunchAttributePriority = 8,                       /**< changes nothing here */
    cudaLaunchAttributeMemSyncDomainMap = 9,               /**< changes nothing here */
    cudaLaunchAttributeMemSyncDomain = 10,                 /**< changes nothing here */
    cudaLaunchAttributePreferredClusterDimension = 11,     /**< a preference */
    cudaLaunchAttributeLaunchCompletionEvent = 12,         /**< cudaErrorNotSupported */
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13,     /**< cudaErrorNotSupported */
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14, /**< changes nothing here */
#ifndef UMSIM_CUDA12
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16, /**< changes nothing here */
#endif
} cudaLaunchAttributeID;

/** The value of an attribute. */
union cudaLaunchAttributeValue {
    char pad[64];    /**< space for future attributes */
    int cooperative; /**< not 0: a cooperative launch */
    struct {
        unsigned int x, y, z;
    } clusterDim;                               /**< blocks of a cluster; they divide the grid's */
    int programmaticStreamSerializationAllowed; /**< not 0: the launch may begin early */
    struct {
        struct CUevent_st *event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent; /**< not provided */
    int priority;        /**< of the launch */
    struct {
        unsigned int x, y, z;
    } preferredClusterDim; /**< blocks of a cluster, where that is possible */
    struct {
        struct CUevent_st *event;
        int flags;
    } launchCompletionEvent;                  /**< not provided */
    unsigned int sharedMemCarveout;           /**< percent */
    unsigned int nvlinkUtilCentricScheduling; /**< 0 or 1 */
};
typedef union cudaLaunchAttributeValue cudaLaunchAttributeValue;

/** An attribute. */
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;                    /**< which */
    char pad[8 - sizeof(cudaLaunchAttributeID)]; /**< padding */
    cudaLaunchAttributeValue val;                /**< its value */
} cudaLaunchAttribute;

/** A launch, except the kernel and its arguments. */
typedef struct cudaLaunchConfig_st {
    dim3 gridDim;               /**< blocks */
    dim3 blockDim;              /**< threads of a block */
    size_t dynamicSmemBytes;    /**< dynamic shared memory of a block, bytes */
    struct CUstream_st *stream; /**< 0 is the default stream */
    cudaLaunchAttribute *attrs; /**< `numAttrs` attributes; NULL if there are none */
    unsigned int numAttrs;      /**< their number */
} cudaLaunchConfig_t;

#endif
