/**
 * @file umsim/types_device.h
 * @brief What a program can ask about a device: attributes, properties, limits. Included by driver_types.h.
 *
 * cudaDeviceProp has CUDA 13.0's layout, or CUDA 12.8's with -DUMSIM_CUDA12. CUDA 13 dropped clockRate,
 * memoryClockRate, computeMode, deviceOverlap and others from the structure: cudaDeviceGetAttribute() gives
 * them, in both versions. Programs that umcc compiles may use the fields as before.
 */
#ifndef UMSIM_TYPES_DEVICE_H
#define UMSIM_TYPES_DEVICE_H

#include <stddef.h>

/** The attributes of cudaDeviceGetAttribute(); always an int. If no unit is given: 0 no, 1 yes. */
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,           /**< threads in one block */
    cudaDevAttrMaxBlockDimX = 2,                 /**< block size, x */
    cudaDevAttrMaxBlockDimY = 3,                 /**< block size, y */
    cudaDevAttrMaxBlockDimZ = 4,                 /**< block size, z */
    cudaDevAttrMaxGridDimX = 5,                  /**< grid size in blocks, x */
    cudaDevAttrMaxGridDimY = 6,                  /**< grid size in blocks, y */
    cudaDevAttrMaxGridDimZ = 7,                  /**< grid size in blocks, z */
    cudaDevAttrMaxSharedMemoryPerBlock = 8,      /**< shared memory that a block gets unasked, bytes */
    cudaDevAttrTotalConstantMemory = 9,          /**< __constant__ memory, bytes */
    cudaDevAttrWarpSize = 10,                    /**< threads that step together */
    cudaDevAttrMaxPitch = 11,                    /**< longest row of a pitched copy, bytes */
    cudaDevAttrMaxRegistersPerBlock = 12,        /**< 32-bit registers for one block */
    cudaDevAttrClockRate = 13,                   /**< processor clock, kHz */
    cudaDevAttrTextureAlignment = 14,            /**< bytes */
    cudaDevAttrGpuOverlap = 15,                  /**< copies and kernels can overlap; see AsyncEngineCount */
    cudaDevAttrMultiProcessorCount = 16,         /**< multiprocessors */
    cudaDevAttrKernelExecTimeout = 17,           /**< a watchdog stops long kernels */
    cudaDevAttrIntegrated = 18,                  /**< shares memory with the host */
    cudaDevAttrCanMapHostMemory = 19,            /**< kernels can use mapped host memory */
    cudaDevAttrComputeMode = 20,                 /**< a cudaComputeMode */
    cudaDevAttrMaxTexture1DWidth = 21,           /**< elements */
    cudaDevAttrMaxTexture2DWidth = 22,           /**< elements */
    cudaDevAttrMaxTexture2DHeight = 23,          /**< elements */
    cudaDevAttrMaxTexture3DWidth = 24,           /**< elements */
    cudaDevAttrMaxTexture3DHeight = 25,          /**< elements */
    cudaDevAttrMaxTexture3DDepth = 26,           /**< elements */
    cudaDevAttrMaxTexture2DLayeredWidth = 27,    /**< elements */
    cudaDevAttrMaxTexture2DLayeredHeight = 28,   /**< elements */
    cudaDevAttrMaxTexture2DLayeredLayers = 29,   /**< layers */
    cudaDevAttrSurfaceAlignment = 30,            /**< bytes */
    cudaDevAttrConcurrentKernels = 31,           /**< kernels can run side by side */
    cudaDevAttrEccEnabled = 32,                  /**< memory is error-corrected */
    cudaDevAttrPciBusId = 33,                    /**< PCI bus */
    cudaDevAttrPciDeviceId = 34,                 /**< PCI device */
    cudaDevAttrTccDriver = 35,                   /**< Windows TCC driver */
    cudaDevAttrMemoryClockRate = 36,             /**< peak memory clock, kHz */
    cudaDevAttrGlobalMemoryBusWidth = 37,        /**< bits */
    cudaDevAttrL2CacheSize = 38,                 /**< bytes */
    cudaDevAttrMaxThreadsPerMultiProcessor = 39, /**< resident threads */
    cudaDevAttrAsyncEngineCount = 40,            /**< copy engines: 2 and more copy both ways at once */
    cudaDevAttrUnifiedAddressing = 41,           /**< host and device share one address range */
    cudaDevAttrMaxTexture1DLayeredWidth = 42,    /**< elements */
    cudaDevAttrMaxTexture1DLayeredLayers = 43,   /**< layers */
    cudaDevAttrMaxTexture2DGatherWidth = 45,     /**< elements */
    cudaDevAttrMaxTexture2DGatherHeight = 46,    /**< elements */
    cudaDevAttrMaxTexture3DWidthAlt = 47,        /**< elements */
    cudaDevAttrMaxTexture3DHeightAlt = 48,       /**< elements */
    cudaDevAttrMaxTexture3DDepthAlt = 49,        /**< elements */
    cudaDevAttrPciDomainId = 50,                 /**< PCI domain */
    cudaDevAttrTexturePitchAlignment = 51,       /**< bytes */
    cudaDevAttrMaxTextureCubemapWidth = 52,      /**< elements */
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53,    /**< elements */
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54,   /**< layers */
    cudaDevAttrMaxSurface1DWidth = 55,                /**< elements */
    cudaDevAttrMaxSurface2DWidth = 56,                /**< elements */
    cudaDevAttrMaxSurface2DHeight = 57,               /**< elements */
    cudaDevAttrMaxSurface3DWidth = 58,                /**< elements */
    cudaDevAttrMaxSurface3DHeight = 59,               /**< elements */
    cudaDevAttrMaxSurface3DDepth = 60,                /**< elements */
    cudaDevAttrMaxSurface1DLayeredWidth = 61,         /**< elements */
    cudaDevAttrMaxSurface1DLayeredLayers = 62,        /**< layers */
    cudaDevAttrMaxSurface2DLayeredWidth = 63,         /**< elements */
    cudaDevAttrMaxSurface2DLayeredHeight = 64,        /**< elements */
    cudaDevAttrMaxSurface2DLayeredLayers = 65,        /**< layers */
    cudaDevAttrMaxSurfaceCubemapWidth = 66,           /**< elements */
    cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,    /**< elements */
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,   /**< layers */
    cudaDevAttrMaxTexture1DLinearWidth = 69,          /**< elements */
    cudaDevAttrMaxTexture2DLinearWidth = 70,          /**< elements */
    cudaDevAttrMaxTexture2DLinearHeight = 71,         /**< elements */
    cudaDevAttrMaxTexture2DLinearPitch = 72,          /**< elements */
    cudaDevAttrMaxTexture2DMipmappedWidth = 73,       /**< elements */
    cudaDevAttrMaxTexture2DMipmappedHeight = 74,      /**< elements */
    cudaDevAttrComputeCapabilityMajor = 75,           /**< 9 of 9.0 */
    cudaDevAttrComputeCapabilityMinor = 76,           /**< 0 of 9.0 */
    cudaDevAttrMaxTexture1DMipmappedWidth = 77,       /**< elements */
    cudaDevAttrStreamPrioritiesSupported = 78,        /**< streams have priorities */
    cudaDevAttrGlobalL1CacheSupported = 79,           /**< global loads may be cached in L1 */
    cudaDevAttrLocalL1CacheSupported = 80,            /**< local loads may be cached in L1 */
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, /**< bytes */
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,    /**< 32-bit registers */
    cudaDevAttrManagedMemory = 83,                    /**< cudaMallocManaged works */
    cudaDevAttrIsMultiGpuBoard = 84,                  /**< one of several on a board */
    cudaDevAttrMultiGpuBoardGroupID = 85,             /**< which board */
    cudaDevAttrHostNativeAtomicSupported = 86,        /**< atomics reach host memory over the link */
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87, /**< float operations for each double */
    cudaDevAttrPageableMemoryAccess = 88,             /**< kernels can use malloc()ed memory */
    cudaDevAttrConcurrentManagedAccess = 89,    /**< host may touch managed memory while a kernel runs */
    cudaDevAttrComputePreemptionSupported = 90, /**< kernels can be preempted */
    cudaDevAttrCanUseHostPointerForRegisteredMem =
        91,                            /**< registered memory keeps its address on the device */
    cudaDevAttrReserved92 = 92,        /**< kept free */
    cudaDevAttrReserved93 = 93,        /**< kept free */
    cudaDevAttrReserved94 = 94,        /**< kept free */
    cudaDevAttrCooperativeLaunch = 95, /**< grid-wide barriers */
#ifdef UMSIM_CUDA12
    cudaDevAttrCooperativeMultiDeviceLaunch = 96, /**< one cooperative launch over several devices */
#else
    cudaDevAttrReserved96 = 96,        /**< kept free */
#endif
    cudaDevAttrMaxSharedMemoryPerBlockOptin =
        97,                                /**< shared memory on request (cudaFuncSetAttribute), bytes */
    cudaDevAttrCanFlushRemoteWrites = 98,  /**< remote writes can be flushed */
    cudaDevAttrHostRegisterSupported = 99, /**< cudaHostRegister works */
    cudaDevAttrPageableMemoryAccessUsesHostPageTables =
        100, /**< ... by walking the page tables of the host */
    cudaDevAttrDirectManagedMemAccessFromHost =
        101, /**< the host reads device-resident managed memory in place */
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,    /**< resident blocks */
    cudaDevAttrMaxPersistingL2CacheSize = 108,      /**< bytes */
    cudaDevAttrMaxAccessPolicyWindowSize = 109,     /**< bytes */
    cudaDevAttrReservedSharedMemoryPerBlock = 111,  /**< kept by the runtime, bytes */
    cudaDevAttrSparseCudaArraySupported = 112,      /**< sparse arrays */
    cudaDevAttrHostRegisterReadOnlySupported = 113, /**< cudaHostRegisterReadOnly works */
#ifdef UMSIM_CUDA12
    cudaDevAttrMaxTimelineSemaphoreInteropSupported = 114, /**< older spelling */
#endif
    cudaDevAttrTimelineSemaphoreInteropSupported = 114, /**< timeline semaphores */
    cudaDevAttrMemoryPoolsSupported = 115,              /**< cudaMallocAsync works */
    cudaDevAttrGPUDirectRDMASupported = 116,            /**< other devices can reach its memory */
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,   /**< bits */
    cudaDevAttrGPUDirectRDMAWritesOrdering = 118,       /**< scope */
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119,    /**< bits of cudaMemAllocationHandleType */
    cudaDevAttrClusterLaunch = 120,                     /**< thread block clusters */
    cudaDevAttrDeferredMappingCudaArraySupported = 121, /**< deferred mapping */
    cudaDevAttrReserved122 = 122,                       /**< kept free */
    cudaDevAttrReserved123 = 123,                       /**< kept free */
    cudaDevAttrReserved124 = 124,                       /**< kept free */
    cudaDevAttrIpcEventSupport = 125,                   /**< events across processes */
    cudaDevAttrMemSyncDomainCount = 126,                /**< memory synchronisation domains */
    cudaDevAttrReserved127 = 127,                       /**< kept free */
    cudaDevAttrReserved128 = 128,                       /**< kept free */
    cudaDevAttrReserved129 = 129,                       /**< kept free */
    cudaDevAttrNumaConfig = 130,                        /**< is its memory a NUMA node */
    cudaDevAttrNumaId = 131,                            /**< which NUMA node its memory is */
    cudaDevAttrReserved132 = 132,                       /**< kept free */
    cudaDevAttrMpsEnabled = 133,                        /**< runs under MPS */
    cudaDevAttrHostNumaId = 134,                        /**< NUMA node of the host nearest to it */
    cudaDevAttrD3D12CigSupported = 135,                 /**< graphics */
#ifndef UMSIM_CUDA12
    cudaDevAttrVulkanCigSupported = 138, /**< graphics */
#endif
    cudaDevAttrGpuPciDeviceId = 139,    /**< PCI device and vendor */
    cudaDevAttrGpuPciSubsystemId = 140, /**< PCI subsystem and vendor */
#ifndef UMSIM_CUDA12
    cudaDevAttrReserved141 = 141,                  /**< kept free */
    cudaDevAttrHostNumaMemoryPoolsSupported = 142, /**< pools on host NUMA nodes */
#endif
    cudaDevAttrHostNumaMultinodeIpcSupported = 143, /**< sharing across nodes */
#ifndef UMSIM_CUDA12
    cudaDevAttrHostMemoryPoolsSupported = 144,             /**< pools in host memory */
    cudaDevAttrReserved145 = 145,                          /**< kept free */
    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147, /**< some atomics reach host memory */
#endif
    cudaDevAttrMax /**< one past the last */
};

/** Who may use a device (attribute ComputeMode). */
enum cudaComputeMode {
    cudaComputeModeDefault = 0,         /**< any number of processes */
    cudaComputeModeExclusive = 1,       /**< one thread of one process */
    cudaComputeModeProhibited = 2,      /**< no thread */
    cudaComputeModeExclusiveProcess = 3 /**< one process */
};

/** The limits of cudaDeviceGetLimit() and cudaDeviceSetLimit(). Bytes, unless the comment says a number. */
enum cudaLimit {
    cudaLimitStackSize = 0x00,                    /**< stack of each device thread */
    cudaLimitPrintfFifoSize = 0x01,               /**< buffer of printf() in kernels */
    cudaLimitMallocHeapSize = 0x02,               /**< heap of malloc() in kernels */
    cudaLimitDevRuntimeSyncDepth = 0x03,          /**< device-side launches: depth, a number */
    cudaLimitDevRuntimePendingLaunchCount = 0x04, /**< device-side launches: waiting ones, a number */
    cudaLimitMaxL2FetchGranularity = 0x05,        /**< 0 to 128 */
    cudaLimitPersistingL2CacheSize = 0x06         /**< part of L2 for persisting accesses */
};

/** Is the device's memory a NUMA node of the host? */
enum cudaDeviceNumaConfig {
    cudaDeviceNumaConfigNone = 0, /**< no */
    cudaDeviceNumaConfigNumaNode  /**< yes: deviceNumaId says which */
};

#ifndef CU_UUID_HAS_BEEN_DEFINED /* cuda.h has it, too */
#define CU_UUID_HAS_BEEN_DEFINED
/** A device's identity. */
struct CUuuid_st {
    char bytes[16]; /**< not text */
};
typedef struct CUuuid_st CUuuid; /**< the driver's name for it */
#endif
typedef struct CUuuid_st cudaUUID_t; /**< the runtime's name for it */

/* Fields that CUDA 12's structure had and that programs still use. Programs that umcc compiles also find them
 * in CUDA 13's structure, in the space that it reserves; NVIDIA's CUDA 13 headers do not have them. */
#define UMSIM_DROPPED_PROPERTIES                                                                             \
    int clockRate, memoryClockRate;       /* kHz */                                                          \
    int deviceOverlap;                    /* copies overlap kernels; see asyncEngineCount */                 \
    int kernelExecTimeoutEnabled;         /* a watchdog stops long kernels */                                \
    int computeMode;                      /* a cudaComputeMode */                                            \
    int maxTexture1DLinear;               /* elements */                                                     \
    int singleToDoublePrecisionPerfRatio; /* float operations for each double */

/** What cudaGetDeviceProperties() fills in. */
struct cudaDeviceProp {
    char name[256];                  /**< ASCII, ends with 0 */
    cudaUUID_t uuid;                 /**< 16 bytes */
    char luid[8];                    /**< Windows only */
    unsigned int luidDeviceNodeMask; /**< Windows only */
    size_t totalGlobalMem;           /**< device memory, bytes */
    size_t sharedMemPerBlock;        /**< that a block gets unasked, bytes */
    int regsPerBlock;                /**< 32-bit registers */
    int warpSize;                    /**< threads */
    size_t memPitch;                 /**< longest row of a pitched copy, bytes */
    int maxThreadsPerBlock;          /**< threads */
    int maxThreadsDim[3];            /**< block size x, y, z */
    int maxGridSize[3];              /**< grid size x, y, z, in blocks */
#ifdef UMSIM_CUDA12
    int clockRate; /**< kHz */
#endif
    size_t totalConstMem;         /**< bytes */
    int major;                    /**< compute capability, 9 of 9.0 */
    int minor;                    /**< compute capability, 0 of 9.0 */
    size_t textureAlignment;      /**< bytes */
    size_t texturePitchAlignment; /**< bytes */
#ifdef UMSIM_CUDA12
    int deviceOverlap; /**< copies overlap kernels; see asyncEngineCount */
#endif
    int multiProcessorCount; /**< multiprocessors */
#ifdef UMSIM_CUDA12
    int kernelExecTimeoutEnabled; /**< a watchdog stops long kernels */
#endif
    int integrated;       /**< shares memory with the host */
    int canMapHostMemory; /**< kernels can use mapped host memory */
#ifdef UMSIM_CUDA12
    int computeMode; /**< a cudaComputeMode */
#endif
    int maxTexture1D;       /**< elements */
    int maxTexture1DMipmap; /**< elements */
#ifdef UMSIM_CUDA12
    int maxTexture1DLinear; /**< elements */
#endif
    int maxTexture2D[2];             /**< elements */
    int maxTexture2DMipmap[2];       /**< elements */
    int maxTexture2DLinear[3];       /**< elements */
    int maxTexture2DGather[2];       /**< elements */
    int maxTexture3D[3];             /**< elements */
    int maxTexture3DAlt[3];          /**< elements */
    int maxTextureCubemap;           /**< elements */
    int maxTexture1DLayered[2];      /**< elements */
    int maxTexture2DLayered[3];      /**< elements */
    int maxTextureCubemapLayered[2]; /**< elements */
    int maxSurface1D;                /**< elements */
    int maxSurface2D[2];             /**< elements */
    int maxSurface3D[3];             /**< elements */
    int maxSurface1DLayered[2];      /**< elements */
    int maxSurface2DLayered[3];      /**< elements */
    int maxSurfaceCubemap;           /**< elements */
    int maxSurfaceCubemapLayered[2]; /**< elements */
    size_t surfaceAlignment;         /**< bytes */
    int concurrentKernels;           /**< kernels can run side by side */
    int ECCEnabled;                  /**< memory is error-corrected */
    int pciBusID;                    /**< PCI bus */
    int pciDeviceID;                 /**< PCI device */
    int pciDomainID;                 /**< PCI domain */
    int tccDriver;                   /**< Windows only */
    int asyncEngineCount;            /**< copy engines */
    int unifiedAddressing;           /**< one address range with the host */
#ifdef UMSIM_CUDA12
    int memoryClockRate; /**< kHz */
#endif
    int memoryBusWidth;                /**< bits */
    int l2CacheSize;                   /**< bytes */
    int persistingL2CacheMaxSize;      /**< bytes */
    int maxThreadsPerMultiProcessor;   /**< resident threads */
    int streamPrioritiesSupported;     /**< 0 or 1 */
    int globalL1CacheSupported;        /**< 0 or 1 */
    int localL1CacheSupported;         /**< 0 or 1 */
    size_t sharedMemPerMultiprocessor; /**< bytes */
    int regsPerMultiprocessor;         /**< 32-bit registers */
    int managedMemory;                 /**< cudaMallocManaged works */
    int isMultiGpuBoard;               /**< 0 or 1 */
    int multiGpuBoardGroupID;          /**< which board */
    int hostNativeAtomicSupported;     /**< atomics reach host memory */
#ifdef UMSIM_CUDA12
    int singleToDoublePrecisionPerfRatio; /**< float operations for each double */
#endif
    int pageableMemoryAccess;              /**< kernels can use malloc()ed memory */
    int concurrentManagedAccess;           /**< host may touch managed memory while kernels run */
    int computePreemptionSupported;        /**< 0 or 1 */
    int canUseHostPointerForRegisteredMem; /**< registered memory keeps its address */
    int cooperativeLaunch;                 /**< grid-wide barriers */
#ifdef UMSIM_CUDA12
    int cooperativeMultiDeviceLaunch; /**< 0 or 1 */
#endif
    size_t sharedMemPerBlockOptin;                /**< on request, bytes */
    int pageableMemoryAccessUsesHostPageTables;   /**< ... by walking the page tables of the host */
    int directManagedMemAccessFromHost;           /**< host reads device-resident managed memory in place */
    int maxBlocksPerMultiProcessor;               /**< resident blocks */
    int accessPolicyMaxWindowSize;                /**< bytes */
    size_t reservedSharedMemPerBlock;             /**< kept by the runtime, bytes */
    int hostRegisterSupported;                    /**< cudaHostRegister works */
    int sparseCudaArraySupported;                 /**< 0 or 1 */
    int hostRegisterReadOnlySupported;            /**< cudaHostRegisterReadOnly works */
    int timelineSemaphoreInteropSupported;        /**< 0 or 1 */
    int memoryPoolsSupported;                     /**< cudaMallocAsync works */
    int gpuDirectRDMASupported;                   /**< other devices can reach its memory */
    unsigned int gpuDirectRDMAFlushWritesOptions; /**< bits */
    int gpuDirectRDMAWritesOrdering;              /**< scope */
    unsigned int memoryPoolSupportedHandleTypes;  /**< bits of cudaMemAllocationHandleType */
    int deferredMappingCudaArraySupported;        /**< 0 or 1 */
    int ipcEventSupported;                        /**< 0 or 1 */
    int clusterLaunch;                            /**< thread block clusters */
    int unifiedFunctionPointers;                  /**< 0 or 1 */
#ifdef UMSIM_CUDA12
    int reserved[63]; /**< space for later versions */
#else
    int deviceNumaConfig;              /**< a cudaDeviceNumaConfig */
    int deviceNumaId;                  /**< NUMA node of its memory */
    int mpsEnabled;                    /**< runs under MPS */
    int hostNumaId;                    /**< nearest NUMA node of the host */
    unsigned int gpuPciDeviceID;       /**< PCI device and vendor */
    unsigned int gpuPciSubsystemID;    /**< PCI subsystem and vendor */
    int hostNumaMultinodeIpcSupported; /**< 0 or 1 */
#ifdef __UMCC__
    union {
        int reserved[56];
        __extension__ struct {
            UMSIM_DROPPED_PROPERTIES
        };
    };
#else
    int reserved[56]; /**< space for later versions */
#endif
#endif
};

/** What cudaDeviceGetP2PAttribute() tells. */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,          /**< how good the link is: 0 is best */
    cudaDevP2PAttrAccessSupported = 2,          /**< whether it reaches the memory */
    cudaDevP2PAttrNativeAtomicSupported = 3,    /**< whether atomics work across the link */
    cudaDevP2PAttrCudaArrayAccessSupported = 4, /**< whether it reaches arrays */
#ifndef UMSIM_CUDA12
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5 /**< whether only some atomics work */
#endif
};

/** Flags of cudaGetDriverEntryPoint(). */
enum cudaGetDriverEntryPointFlags {
    cudaEnableDefault = 0x0,               /**< as the program was compiled */
    cudaEnableLegacyStream = 0x1,          /**< stream 0 is the legacy stream */
    cudaEnablePerThreadDefaultStream = 0x2 /**< stream 0 is the calling thread's own */
};
/** What cudaGetDriverEntryPoint() found. */
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,            /**< the function */
    cudaDriverEntryPointSymbolNotFound = 1,     /**< no function of this name */
    cudaDriverEntryPointVersionNotSufficent = 2 /**< one that is newer than the version */
};

#endif
