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

/** What becomes of a line in the L2 cache. */
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,    /**< as any other */
    cudaAccessPropertyStreaming = 1, /**< goes first */
    cudaAccessPropertyPersisting = 2 /**< stays longest */
};
/** How a range of memory is to be kept in the L2 cache: accepted and told, of no effect here. */
struct cudaAccessPolicyWindow {
    void *base_ptr;                   /**< where it begins */
    size_t num_bytes;                 /**< how long it is: at most accessPolicyMaxWindowSize */
    float hitRatio;                   /**< the part of its accesses that have hitProp: 0 to 1 */
    enum cudaAccessProperty hitProp;  /**< of these */
    enum cudaAccessProperty missProp; /**< of the others: not persisting */
};
/** How a thread waits for a stream: accepted and told, of no effect here. */
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,        /**< as the library likes */
    cudaSyncPolicySpin = 2,        /**< it asks again and again */
    cudaSyncPolicyYield = 3,       /**< it lets others run in between */
    cudaSyncPolicyBlockingSync = 4 /**< it sleeps */
};
/** How blocks of clusters are spread. */
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,      /**< as the library likes */
    cudaClusterSchedulingPolicySpread = 1,       /**< over the multiprocessors */
    cudaClusterSchedulingPolicyLoadBalancing = 2 /**< where there is little to do */
};
/** The domains whose stores a fence waits for: accepted and told, of no effect here. */
typedef enum cudaLaunchMemSyncDomain {
    cudaLaunchMemSyncDomainDefault = 0, /**< the device's */
    cudaLaunchMemSyncDomainRemote = 1   /**< others' */
} cudaLaunchMemSyncDomain;
/** Their numbers. */
typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_; /**< of the default domain */
    unsigned char remote;   /**< of the remote one */
} cudaLaunchMemSyncDomainMap;

/** The value of an attribute. */
union cudaLaunchAttributeValue {
    char pad[64];                                                       /**< space for future attributes */
    struct cudaAccessPolicyWindow accessPolicyWindow;                   /**< for the L2 cache */
    enum cudaSynchronizationPolicy syncPolicy;                          /**< of a stream */
    enum cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference; /**< changes nothing here */
    cudaLaunchMemSyncDomainMap memSyncDomainMap;                        /**< changes nothing here */
    cudaLaunchMemSyncDomain memSyncDomain;                              /**< changes nothing here */
    int cooperative;                                                    /**< not 0: a cooperative launch */
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

/** @name Attributes of streams, and of graphs' kernel nodes
 * @{ */
#define cudaStreamAttrID cudaLaunchAttributeID       /**< which attribute of a stream */
#define cudaStreamAttrValue cudaLaunchAttributeValue /**< its value */
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow       /**< the L2 cache */
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy /**< of waits */
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap           /**< of fences */
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain                 /**< of fences */
#define cudaStreamAttributePriority cudaLaunchAttributePriority                           /**< its priority */
#define cudaKernelNodeAttrID cudaLaunchAttributeID       /**< which attribute of a kernel node */
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue /**< its value */
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow /**< the L2 cache */
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative /**< all blocks at once */
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority       /**< its priority */
#define cudaKernelNodeAttributeClusterDimension                                                              \
    cudaLaunchAttributeClusterDimension /**< blocks of a cluster */
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference                                             \
    cudaLaunchAttributeClusterSchedulingPolicyPreference                            /**< of clusters */
#define cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap /**< of fences */
#define cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain       /**< of fences */
/** @} */

#endif
