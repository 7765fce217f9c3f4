/**
 * @file umsim/cu_attributes.h
 * @brief CUdevice_attribute: what a program can ask about a device. Included by cuda.h.
 *
 * Names and values are CUDA's, which programs are written and compiled with.
 */
#ifndef UMSIM_CU_ATTRIBUTES_H
#define UMSIM_CU_ATTRIBUTES_H

/** The attributes of cuDeviceGetAttribute(); always an int. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1, /**< threads in one block */
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,       /**< block size, x */
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,       /**< block size, y */
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,       /**< block size, z */
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,        /**< grid size in blocks, x */
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,        /**< grid size in blocks, y */
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,        /**< grid size in blocks, z */
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK =
        8, /**< shared memory that a block gets unasked, bytes */
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,    /**< __constant__ memory, bytes */
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,               /**< threads that step together */
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,               /**< longest row of a pitched copy, bytes */
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12, /**< 32-bit registers for one block */
    CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,        /**< processor clock, kHz */
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14, /**< bytes */
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,       /**< copies and kernels can overlap; see AsyncEngineCount */
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,             /**< multiprocessors */
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,              /**< a watchdog stops long kernels */
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,                       /**< shares memory with the host */
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,              /**< kernels can use mapped host memory */
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,                     /**< a cudaComputeMode */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,         /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,         /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,  /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28, /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29, /**< layers */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,              /**< bytes */
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,             /**< kernels can run side by side */
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,                    /**< memory is error-corrected */
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,                     /**< PCI bus */
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,                  /**< PCI device */
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,                     /**< Windows TCC driver */
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,              /**< peak memory clock, kHz */
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,        /**< bits */
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,                  /**< bytes */
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39, /**< resident threads */
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40, /**< copy engines: 2 and more copy both ways at once */
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41, /**< host and device share one address range */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,  /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43, /**< layers */
    CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45,        /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46,       /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47,     /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48,    /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49,     /**< elements */
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,                         /**< PCI domain */
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,               /**< bytes */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53,  /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54, /**< layers */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,               /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,               /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,              /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,               /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,              /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60,               /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,       /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62,      /**< layers */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,       /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64,      /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,      /**< layers */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66,          /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67,  /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68, /**< layers */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,        /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,        /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,       /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,        /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73,     /**< elements */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74,    /**< elements */
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,              /**< 9 of 9.0 */
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,              /**< 0 of 9.0 */
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77,     /**< elements */
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,           /**< streams have priorities */
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,             /**< global loads may be cached in L1 */
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,              /**< local loads may be cached in L1 */
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,  /**< bytes */
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,      /**< 32-bit registers */
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,                        /**< cudaMallocManaged works */
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,                       /**< one of several on a board */
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,              /**< which board */
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86, /**< atomics reach host memory over the link */
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87, /**< float operations for each double */
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,                /**< kernels can use malloc()ed memory */
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS =
        89, /**< host may touch managed memory while a kernel runs */
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90, /**< kernels can be preempted */
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM =
        91, /**< registered memory keeps its address on the device */
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92,        /**< kept free */
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93, /**< kept free */
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94, /**< kept free */
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,               /**< grid-wide barriers */
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH =
        96, /**< one cooperative launch over several devices */
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN =
        97, /**< shared memory on request (cudaFuncSetAttribute), bytes */
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98, /**< remote writes can be flushed */
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99, /**< cudaHostRegister works */
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES =
        100, /**< ... by walking the page tables of the host */
    CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST =
        101, /**< the host reads device-resident managed memory in place */
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106, /**< resident blocks */
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,  /**< bytes */
    CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109, /**< bytes */
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,     /**< kept by the runtime, bytes */
    CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,          /**< sparse arrays */
    CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,    /**< cudaHostRegisterReadOnly works */
    CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114, /**< older spelling */
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,               /**< cudaMallocAsync works */
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,            /**< other devices can reach its memory */
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117, /**< bits */
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,      /**< scope */
    CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119, /**< bits of cudaMemAllocationHandleType */
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,                 /**< thread block clusters */
    CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121, /**< deferred mapping */
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122,         /**< kept free */
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123,         /**< kept free */
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124,                     /**< kept free */
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125,                   /**< events across processes */
    CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126,                 /**< memory synchronisation domains */
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127,           /**< kept free */
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128,          /**< kept free */
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129,             /**< kept free */
    CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130,                           /**< is its memory a NUMA node */
    CU_DEVICE_ATTRIBUTE_NUMA_ID = 131,                               /**< which NUMA node its memory is */
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132,                   /**< kept free */
    CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133,                           /**< runs under MPS */
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,        /**< NUMA node of the host nearest to it */
    CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135, /**< graphics */
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
    CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138,                          /**< graphics */
    CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139,                             /**< PCI device and vendor */
    CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140,                          /**< PCI subsystem and vendor */
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141, /**< kept free */
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142,              /**< pools on host NUMA nodes */
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143,             /**< sharing across nodes */
    CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED = 144,                   /**< pools in host memory */
    CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145,      /**< kept free */
    CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146,
    CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED =
        147, /**< some atomics reach host memory */
    CU_DEVICE_ATTRIBUTE_MAX = 148
} CUdevice_attribute;

#endif
