/**
 * @file umsim/cu_results.h
 * @brief CUresult: what every call of the driver API returns. Included by cuda.h.
 *
 * Names and values are CUDA's, which programs are written and compiled with.
 */
#ifndef UMSIM_CU_RESULTS_H
#define UMSIM_CU_RESULTS_H

/** Outcome of a call. 0 is success. cuGetErrorName() and cuGetErrorString() give the text. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,                 /**< the call did what was asked; for queries: the work is done */
    CUDA_ERROR_INVALID_VALUE = 1,     /**< an argument is outside what the call accepts */
    CUDA_ERROR_OUT_OF_MEMORY = 2,     /**< not enough device, pinned or managed memory */
    CUDA_ERROR_NOT_INITIALIZED = 3,   /**< the runtime could not start (a child of fork() sees this) */
    CUDA_ERROR_DEINITIALIZED = 4,     /**< the process is ending: the runtime is gone */
    CUDA_ERROR_PROFILER_DISABLED = 5, /**< a profiling tool controls profiling */
    CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,    /**< legacy, not returned */
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,    /**< legacy, not returned */
    CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,    /**< legacy, not returned */
    CUDA_ERROR_STUB_LIBRARY = 34,               /**< linked with a stub in place of the driver */
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36, /**< this one call needs a newer driver */
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,   /**< every device is busy, prohibited, or lost after a fault */
    CUDA_ERROR_NO_DEVICE = 100,           /**< no CUDA device */
    CUDA_ERROR_INVALID_DEVICE = 101,      /**< no device of this number, or none that can do it */
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102, /**< the device lacks a licence */
    CUDA_ERROR_INVALID_IMAGE = 200,       /**< device code is damaged */
    CUDA_ERROR_INVALID_CONTEXT = 201,     /**< the device has no context */
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_MAP_FAILED = 205,                /**< graphics: mapping failed */
    CUDA_ERROR_UNMAP_FAILED = 206,              /**< graphics: unmapping failed */
    CUDA_ERROR_ARRAY_IS_MAPPED = 207,           /**< graphics: destroyed while mapped */
    CUDA_ERROR_ALREADY_MAPPED = 208,            /**< graphics: mapped twice */
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,         /**< compiled for another architecture */
    CUDA_ERROR_ALREADY_ACQUIRED = 210,          /**< graphics: acquired twice */
    CUDA_ERROR_NOT_MAPPED = 211,                /**< graphics: not mapped */
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,       /**< graphics: mapped, but not as an array */
    CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,     /**< graphics: mapped, but not as a pointer */
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,         /**< device memory lost bits that ECC could not restore */
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,         /**< the device does not have this cudaLimit */
    CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,    /**< another thread uses the device exclusively */
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,   /**< these devices cannot reach each other */
    CUDA_ERROR_INVALID_PTX = 218,               /**< PTX did not compile */
    CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,  /**< graphics: bad context */
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,      /**< NVLink error */
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,    /**< PTX compiler library missing */
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,   /**< PTX newer than the driver's compiler */
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,  /**< PTX compiling is switched off */
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224, /**< this affinity is not supported */
    CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,  /**< device-side cudaDeviceSynchronize is not supported */
    CUDA_ERROR_CONTAINED = 226,                 /**< an error that was confined to one context */
    CUDA_ERROR_INVALID_SOURCE = 300,            /**< device code source is not valid */
    CUDA_ERROR_FILE_NOT_FOUND = 301,            /**< a file is missing */
    CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302, /**< a library lacks a symbol */
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,      /**< a library failed to start */
    CUDA_ERROR_OPERATING_SYSTEM = 304,               /**< a system call failed */
    CUDA_ERROR_INVALID_HANDLE = 400,  /**< not a stream, event or kernel (any more), or another device's */
    CUDA_ERROR_ILLEGAL_STATE = 401,   /**< the object is not in the state that the call needs */
    CUDA_ERROR_LOSSY_QUERY = 402,     /**< the answer would lose information */
    CUDA_ERROR_NOT_FOUND = 500,       /**< no symbol of this name */
    CUDA_ERROR_NOT_READY = 600,       /**< the work is still going on (cudaStreamQuery, cudaEventQuery) */
    CUDA_ERROR_ILLEGAL_ADDRESS = 700, /**< a kernel touched memory that the device cannot reach; sticky */
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,        /**< too many registers or too much shared memory */
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,                 /**< the kernel ran too long and was stopped; sticky */
    CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,  /**< textures */
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,    /**< enabled before */
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,        /**< not enabled */
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,         /**< has to be set before the device is in use */
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,           /**< the context is gone */
    CUDA_ERROR_ASSERT = 710,                         /**< a kernel's assert() failed; sticky */
    CUDA_ERROR_TOO_MANY_PEERS = 711,                 /**< no more peers possible */
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712, /**< the range overlaps a registered one */
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,     /**< the pointer was not registered */
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,           /**< device stack damaged; sticky */
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,            /**< the device met a bad instruction; sticky */
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,             /**< a kernel used an unaligned address; sticky */
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717, /**< an instruction used the wrong address space; sticky */
    CUDA_ERROR_INVALID_PC = 718,            /**< the device's program counter left the program; sticky */
    CUDA_ERROR_LAUNCH_FAILED = 719,         /**< a kernel failed for another reason; sticky */
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720, /**< more blocks than can be resident at once */
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,           /**< a kernel ended holding tensor memory */
    CUDA_ERROR_NOT_PERMITTED = 800,    /**< not allowed here (a CUDA call in a host function, for one) */
    CUDA_ERROR_NOT_SUPPORTED = 801,    /**< this system or this simulator does not provide it */
    CUDA_ERROR_SYSTEM_NOT_READY = 802, /**< a system service has not started */
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,         /**< driver parts of different versions */
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804, /**< forward compatibility not possible here */
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805,          /**< MPS: no connection */
    CUDA_ERROR_MPS_RPC_FAILURE = 806,                /**< MPS: a remote call failed */
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807,           /**< MPS: server not ready */
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,        /**< MPS: no capacity for another client */
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,    /**< MPS: no connection left */
    CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,          /**< MPS: the server ended this client */
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811,              /**< device-side launches are not supported here */
    CUDA_ERROR_CDP_VERSION_MISMATCH = 812,           /**< device-side launches of mixed versions */
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,     /**< not allowed while a stream is captured */
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,     /**< an error invalidated the capture */
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,           /**< would merge two captures */
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,       /**< the capture began in another stream */
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,        /**< a forked stream did not join again */
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,       /**< would depend on work outside the capture */
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,        /**< would synchronise with the default stream */
    CUDA_ERROR_CAPTURED_EVENT = 907,                 /**< the event was recorded in a capture */
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,    /**< the capture began in another thread */
    CUDA_ERROR_TIMEOUT = 909,                        /**< took longer than allowed */
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,      /**< graph update not possible */
    CUDA_ERROR_EXTERNAL_DEVICE = 911,                /**< another device (network, for one) failed */
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,           /**< the cluster does not fit */
    CUDA_ERROR_FUNCTION_NOT_LOADED = 913,            /**< the function is not loaded */
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,          /**< resource of the wrong type */
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915, /**< the resource cannot be configured in this way */
    CUDA_ERROR_KEY_ROTATION = 916,
    CUDA_ERROR_UNKNOWN = 999 /**< an error without a better name */
} CUresult;

#endif
