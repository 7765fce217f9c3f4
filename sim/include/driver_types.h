/**
 * @file driver_types.h
 * @brief Types, enumerations and flags of the CUDA runtime API, as far as the simulator provides the API.
 *
 * Include cuda_runtime.h or cuda_runtime_api.h, which include this file. Names, values and layouts are
 * those of CUDA 13.0, or of CUDA 12.8 with -DUMSIM_CUDA12; tests/parity compares them with NVIDIA's
 * headers. Error codes are in umsim/types_error.h, and what a program can ask about a device is in
 * umsim/types_device.h.
 */
#ifndef UMSIM_DRIVER_TYPES_H
#define UMSIM_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__ /* NVIDIA's name for it: programs ask whether it is there */

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "umsim/types_array.h"
#include "umsim/types_device.h"
#include "umsim/types_error.h"
#include "vector_types.h"

/** A queue of device work; what it holds runs in order. */
typedef struct CUstream_st *cudaStream_t;
/** A mark in a stream, to wait for or to time with. */
typedef struct CUevent_st *cudaEvent_t;
/** A pool that cudaMallocAsync() takes memory from. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
/** A kernel's handle, which the driver API's calls take (cuda.h). */
typedef struct CUfunc_st *cudaFunction_t;
/** The same, not bound to a context. */
typedef struct CUkern_st *cudaKernel_t;

/** A host function that a stream calls (cudaLaunchHostFunc). It must not call CUDA. */
typedef void (*cudaHostFn_t)(void *__userData);

/** @name Flags of pinned memory: cudaHostAlloc(), cudaHostRegister()
 * @{ */
#define cudaHostAllocDefault 0x00  /**< as cudaMallocHost() */
#define cudaHostAllocPortable 0x01 /**< pinned for every device */
#define cudaHostAllocMapped 0x02   /**< kernels can use it */
#define cudaHostAllocWriteCombined                                                                           \
    0x04                              /**< not cached by the host: quick to send, very slow to read back     \
                                       */
#define cudaHostRegisterDefault 0x00  /**< pin, no more */
#define cudaHostRegisterPortable 0x01 /**< pinned for every device */
#define cudaHostRegisterMapped 0x02   /**< kernels can use it */
#define cudaHostRegisterIoMemory 0x04 /**< memory of another device */
#define cudaHostRegisterReadOnly 0x08 /**< kernels only read it */
/** @} */

/** @name Flags of managed memory: cudaMallocManaged(), cudaStreamAttachMemAsync()
 * @{ */
#define cudaMemAttachGlobal 0x01 /**< any stream may use it */
#define cudaMemAttachHost 0x02   /**< no stream may, until it is attached to one */
#define cudaMemAttachSingle 0x04 /**< one stream may: for cudaStreamAttachMemAsync() only */
/** @} */

/** @name Streams
 * @{ */
#define cudaStreamDefault 0x00                  /**< it and the legacy default stream wait for each other */
#define cudaStreamNonBlocking 0x01              /**< does not */
#define cudaStreamLegacy ((cudaStream_t)0x1)    /**< the default stream that blocks the others */
#define cudaStreamPerThread ((cudaStream_t)0x2) /**< the calling thread's own default stream */
/** @} */

/** @name Flags of events: cudaEventCreateWithFlags(), cudaEventRecordWithFlags(), cudaStreamWaitEvent()
 * @{ */
#define cudaEventDefault 0x00        /**< waits by spinning, keeps a time */
#define cudaEventBlockingSync 0x01   /**< waits by sleeping */
#define cudaEventDisableTiming 0x02  /**< keeps no time: cheaper */
#define cudaEventInterprocess 0x04   /**< for several processes; needs DisableTiming */
#define cudaEventRecordDefault 0x00  /**< no flag */
#define cudaEventRecordExternal 0x01 /**< in a stream capture: as an external node */
#define cudaEventWaitDefault 0x00    /**< no flag */
#define cudaEventWaitExternal 0x01   /**< in a stream capture: as an external node */
/** @} */

/** @name Memory and events of other processes: cudaIpc...()
 * @{ */
#define CUDA_IPC_HANDLE_SIZE 64             /**< bytes of a handle */
#define cudaIpcMemLazyEnablePeerAccess 0x01 /**< cudaIpcOpenMemHandle(): has to be given */
typedef struct cudaIpcMemHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;
/** @} */

/** @name Flags of a device: cudaSetDeviceFlags()
 * @{ */
#define cudaDeviceScheduleAuto 0x00         /**< spin or yield, as the runtime sees fit */
#define cudaDeviceScheduleSpin 0x01         /**< the host spins while it waits */
#define cudaDeviceScheduleYield 0x02        /**< the host yields while it waits */
#define cudaDeviceScheduleBlockingSync 0x04 /**< the host sleeps while it waits */
#define cudaDeviceBlockingSync 0x04         /**< older name of cudaDeviceScheduleBlockingSync */
#define cudaDeviceScheduleMask 0x07         /**< the bits of the four above */
#define cudaDeviceMapHost 0x08              /**< mapped pinned memory; always on */
#define cudaDeviceLmemResizeToMax 0x10      /**< keep the local memory of the largest launch */
#define cudaDeviceSyncMemops 0x80           /**< synchronous copies are always finished on return */
#define cudaDeviceMask 0xff                 /**< all bits in use */
#define cudaInitDeviceFlagsAreValid 0x01    /**< cudaInitDevice: the flags that are passed count */
/** @} */

/** @name Other constants
 * @{ */
#define cudaOccupancyDefault 0x00                /**< no flag */
#define cudaOccupancyDisableCachingOverride 0x01 /**< assume that global loads stay cached */
#define cudaCpuDeviceId ((int)-1)                /**< the host, where a device number is asked for */
#define cudaInvalidDeviceId ((int)-2)            /**< no device */
/** @} */

/** The kind of memory that a pointer points to. */
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0, /**< unknown to CUDA: malloc()ed, a variable, NULL */
    cudaMemoryTypeHost = 1,         /**< pinned host memory */
    cudaMemoryTypeDevice = 2,       /**< device memory */
    cudaMemoryTypeManaged = 3       /**< managed memory */
};

/** The direction of a copy. */
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,     /**< within the host */
    cudaMemcpyHostToDevice = 1,   /**< to the device */
    cudaMemcpyDeviceToHost = 2,   /**< back */
    cudaMemcpyDeviceToDevice = 3, /**< within the device */
    cudaMemcpyDefault = 4         /**< deduced from the pointers */
};

#include "umsim/types_graph.h"
#include "umsim/types_launch.h"

/** What cudaPointerGetAttributes() says about an address. */
struct cudaPointerAttributes {
    enum cudaMemoryType type; /**< kind of memory */
    int device;               /**< its device, -2 when there is none */
    void *devicePointer;      /**< address for kernels; NULL when they cannot reach it */
    void *hostPointer;        /**< address for the host; NULL when it cannot reach it */
#ifndef UMSIM_CUDA12
    long reserved[8]; /**< zeros */
#endif
};

/** What cudaFuncGetAttributes() says about a kernel. Bytes where it is memory. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes;                /**< static shared memory of a block */
    size_t constSizeBytes;                 /**< constant memory */
    size_t localSizeBytes;                 /**< local memory of a thread */
    int maxThreadsPerBlock;                /**< largest block that can be launched */
    int numRegs;                           /**< registers of a thread */
    int ptxVersion;                        /**< 10 * major + minor */
    int binaryVersion;                     /**< 10 * major + minor */
    int cacheModeCA;                       /**< compiled with -dlcm=ca */
    int maxDynamicSharedSizeBytes;         /**< largest dynamic shared memory of a launch */
    int preferredShmemCarveout;            /**< percent, -1 for none */
    int clusterDimMustBeSet;               /**< clusters: launch only with a size */
    int requiredClusterWidth;              /**< clusters: x */
    int requiredClusterHeight;             /**< clusters: y */
    int requiredClusterDepth;              /**< clusters: z */
    int clusterSchedulingPolicyPreference; /**< clusters: policy */
    int nonPortableClusterSizeAllowed;     /**< clusters: more than 8 blocks */
    int reserved[16];                      /**< zeros */
};

/** What cudaFuncSetAttribute() sets. */
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,         /**< bytes, up to MaxSharedMemoryPerBlockOptin */
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,      /**< percent; see cudaSharedCarveout */
    cudaFuncAttributeClusterDimMustBeSet = 10,               /**< clusters */
    cudaFuncAttributeRequiredClusterWidth = 11,              /**< clusters */
    cudaFuncAttributeRequiredClusterHeight = 12,             /**< clusters */
    cudaFuncAttributeRequiredClusterDepth = 13,              /**< clusters */
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,     /**< clusters */
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15, /**< clusters */
    cudaFuncAttributeMax                                     /**< one past the last */
};

/** How L1 and shared memory divide the memory that they share. Only a preference. */
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,   /**< no preference */
    cudaFuncCachePreferShared = 1, /**< more shared memory */
    cudaFuncCachePreferL1 = 2,     /**< more L1 */
    cudaFuncCachePreferEqual = 3   /**< halves */
};

/** Width of shared memory's banks. Only a preference, and of no effect on today's devices. */
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,  /**< no preference */
    cudaSharedMemBankSizeFourByte = 1, /**< 4 bytes */
    cudaSharedMemBankSizeEightByte = 2 /**< 8 bytes */
};

/** Percentages with a name, for cudaFuncAttributePreferredSharedMemoryCarveout. */
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,    /**< no preference */
    cudaSharedmemCarveoutMaxShared = 100, /**< all shared memory */
    cudaSharedmemCarveoutMaxL1 = 0        /**< all L1 */
};

/** What cudaMemAdvise() tells the driver about a range of managed memory. */
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,   /**< mostly read: keep a copy on each side that reads */
    cudaMemAdviseUnsetReadMostly = 2, /**< withdraw that */
    cudaMemAdviseSetPreferredLocation =
        3, /**< pages are to live here, and be mapped from elsewhere if possible */
    cudaMemAdviseUnsetPreferredLocation = 4, /**< withdraw that */
    cudaMemAdviseSetAccessedBy = 5,          /**< this device uses it: keep it mapped there */
    cudaMemAdviseUnsetAccessedBy = 6         /**< withdraw that */
};

/** The attributes of a range of managed memory, for cudaMemRangeGetAttribute(). Each is an int, unless its
 * comment says array. */
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,            /**< 1 if all of the range is */
    cudaMemRangeAttributePreferredLocation = 2,     /**< a device, cudaCpuDeviceId or cudaInvalidDeviceId */
    cudaMemRangeAttributeAccessedBy = 3,            /**< array of devices, rest cudaInvalidDeviceId */
    cudaMemRangeAttributeLastPrefetchLocation = 4,  /**< a device, cudaCpuDeviceId or cudaInvalidDeviceId */
    cudaMemRangeAttributePreferredLocationType = 5, /**< a cudaMemLocationType */
    cudaMemRangeAttributePreferredLocationId = 6,   /**< number within that type */
    cudaMemRangeAttributeLastPrefetchLocationType = 7, /**< a cudaMemLocationType */
    cudaMemRangeAttributeLastPrefetchLocationId = 8    /**< number within that type */
};

/** The kinds of places where memory can be. */
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0, /**< none */
#ifndef UMSIM_CUDA12
    cudaMemLocationTypeNone = 0, /**< none */
#endif
    cudaMemLocationTypeDevice = 1,         /**< a device; id is its number */
    cudaMemLocationTypeHost = 2,           /**< the host; id is ignored */
    cudaMemLocationTypeHostNuma = 3,       /**< a NUMA node of the host; id is its number */
    cudaMemLocationTypeHostNumaCurrent = 4 /**< the calling thread's NUMA node; id is ignored */
};

/** A place where memory can be, for cudaMemPrefetchAsync(), cudaMemAdvise() and pools. */
struct cudaMemLocation {
    enum cudaMemLocationType type; /**< kind of place */
    int id;                        /**< which one */
};

/** The access that a place has to a pool's memory. */
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,     /**< nothing */
    cudaMemAccessFlagsProtRead = 1,     /**< read */
    cudaMemAccessFlagsProtReadWrite = 3 /**< read and write */
};

/** One line of cudaMemPoolSetAccess(). */
struct cudaMemAccessDesc {
    struct cudaMemLocation location; /**< the place */
    enum cudaMemAccessFlags flags;   /**< its access */
};

/** Kinds of memory that a pool can hold. */
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0x0, /**< none */
    cudaMemAllocationTypePinned = 0x1,  /**< stays where its location says */
#ifndef UMSIM_CUDA12
    cudaMemAllocationTypeManaged = 0x2, /**< moves between host and device */
#endif
    cudaMemAllocationTypeMax = 0x7FFFFFFF /**< makes the type 32 bits wide */
};

/** Ways of sharing a pool with another process. The simulator provides None. */
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0x0,                /**< not shared */
    cudaMemHandleTypePosixFileDescriptor = 0x1, /**< by a file descriptor */
    cudaMemHandleTypeWin32 = 0x2,               /**< Windows */
    cudaMemHandleTypeWin32Kmt = 0x4,            /**< Windows */
    cudaMemHandleTypeFabric = 0x8               /**< across machines */
};

/** What cudaMemPoolCreate() makes. Set all of it to zero first. */
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;         /**< cudaMemAllocationTypePinned */
    enum cudaMemAllocationHandleType handleTypes; /**< cudaMemHandleTypeNone */
    struct cudaMemLocation location;              /**< where its memory is */
    void *win32SecurityAttributes;                /**< Windows */
    size_t maxSize;                               /**< bytes, 0 for the system's limit */
    unsigned short usage;                         /**< bits */
    unsigned char reserved[54];                   /**< zeros */
};

/** The attributes of a pool. int for the first three, cuuint64_t (uint64_t) bytes for the others. */
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 0x1,   /**< reuse across streams that events order */
    cudaMemPoolReuseAllowOpportunistic = 0x2,        /**< reuse what happens to be finished */
    cudaMemPoolReuseAllowInternalDependencies = 0x3, /**< make a stream wait in order to reuse */
    cudaMemPoolAttrReleaseThreshold = 0x4,   /**< freed memory kept over a synchronisation, up to this */
    cudaMemPoolAttrReservedMemCurrent = 0x5, /**< taken from the device now */
    cudaMemPoolAttrReservedMemHigh = 0x6,    /**< most so far; set to 0 to start again */
    cudaMemPoolAttrUsedMemCurrent = 0x7,     /**< handed out now */
    cudaMemPoolAttrUsedMemHigh = 0x8         /**< most so far; set to 0 to start again */
};

#include "umsim/types_graph_nodes.h"

#endif
