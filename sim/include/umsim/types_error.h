/**
 * @file umsim/types_error.h
 * @brief cudaError_t: what every call of the CUDA runtime returns. Included by driver_types.h.
 *
 * Names and values are CUDA's. "Sticky" errors come from a kernel: every later call returns them too, until
 * the process ends. cudaGetErrorName() and cudaGetErrorString() give the text.
 */
#ifndef UMSIM_TYPES_ERROR_H
#define UMSIM_TYPES_ERROR_H

/** Outcome of a call. 0 is success. */
enum cudaError {
    cudaSuccess = 0,                        /**< the call did what was asked; for queries: the work is done */
    cudaErrorInvalidValue = 1,              /**< an argument is outside what the call accepts */
    cudaErrorMemoryAllocation = 2,          /**< not enough device, pinned or managed memory */
    cudaErrorInitializationError = 3,       /**< the runtime could not start (a child of fork() sees this) */
    cudaErrorCudartUnloading = 4,           /**< the process is ending: the runtime is gone */
    cudaErrorProfilerDisabled = 5,          /**< a profiling tool controls profiling */
    cudaErrorProfilerNotInitialized = 6,    /**< legacy, not returned */
    cudaErrorProfilerAlreadyStarted = 7,    /**< legacy, not returned */
    cudaErrorProfilerAlreadyStopped = 8,    /**< legacy, not returned */
    cudaErrorInvalidConfiguration = 9,      /**< grid or block outside the device's limits */
    cudaErrorInvalidPitchValue = 12,        /**< row pitch smaller than the row, or too large */
    cudaErrorInvalidSymbol = 13,            /**< not a __device__, __constant__ or __managed__ variable */
    cudaErrorInvalidHostPointer = 16,       /**< legacy, not returned */
    cudaErrorInvalidDevicePointer = 17,     /**< legacy, not returned */
    cudaErrorInvalidTexture = 18,           /**< textures */
    cudaErrorInvalidTextureBinding = 19,    /**< textures */
    cudaErrorInvalidChannelDescriptor = 20, /**< textures */
    cudaErrorInvalidMemcpyDirection = 21,   /**< the copy kind is none of cudaMemcpyKind */
    cudaErrorAddressOfConstant = 22,        /**< legacy, not returned */
    cudaErrorTextureFetchFailed = 23,       /**< legacy, not returned */
    cudaErrorTextureNotBound = 24,          /**< legacy, not returned */
    cudaErrorSynchronizationError = 25,     /**< legacy, not returned */
    cudaErrorInvalidFilterSetting = 26,     /**< textures */
    cudaErrorInvalidNormSetting = 27,       /**< textures */
    cudaErrorMixedDeviceExecution = 28,     /**< legacy, not returned */
    cudaErrorNotYetImplemented = 31,        /**< legacy, not returned */
    cudaErrorMemoryValueTooLarge = 32,      /**< legacy, not returned */
    cudaErrorStubLibrary = 34,              /**< linked with a stub in place of the driver */
    cudaErrorInsufficientDriver = 35,       /**< the driver is older than the runtime needs */
    cudaErrorCallRequiresNewerDriver = 36,  /**< this one call needs a newer driver */
    cudaErrorInvalidSurface = 37,           /**< surfaces */
    cudaErrorDuplicateVariableName = 43,    /**< two device variables of one name */
    cudaErrorDuplicateTextureName = 44,     /**< two textures of one name */
    cudaErrorDuplicateSurfaceName = 45,     /**< two surfaces of one name */
    cudaErrorDevicesUnavailable = 46,       /**< every device is busy, prohibited, or lost after a fault */
    cudaErrorIncompatibleDriverContext = 49,       /**< a driver context that the runtime cannot share */
    cudaErrorMissingConfiguration = 52,            /**< a launch without a configuration */
    cudaErrorPriorLaunchFailure = 53,              /**< legacy, not returned */
    cudaErrorLaunchMaxDepthExceeded = 65,          /**< device-side launches nested too deep */
    cudaErrorLaunchFileScopedTex = 66,             /**< file-scope textures in a device-side launch */
    cudaErrorLaunchFileScopedSurf = 67,            /**< file-scope surfaces in a device-side launch */
    cudaErrorSyncDepthExceeded = 68,               /**< device-side synchronisation nested too deep */
    cudaErrorLaunchPendingCountExceeded = 69,      /**< too many device-side launches wait */
    cudaErrorInvalidDeviceFunction = 98,           /**< not a kernel, or none for this device */
    cudaErrorNoDevice = 100,                       /**< no CUDA device */
    cudaErrorInvalidDevice = 101,                  /**< no device of this number, or none that can do it */
    cudaErrorDeviceNotLicensed = 102,              /**< the device lacks a licence */
    cudaErrorSoftwareValidityNotEstablished = 103, /**< installation check not run */
    cudaErrorStartupFailure = 127,                 /**< the runtime failed while starting */
    cudaErrorInvalidKernelImage = 200,             /**< device code is damaged */
    cudaErrorDeviceUninitialized = 201,            /**< the device has no context */
    cudaErrorMapBufferObjectFailed = 205,          /**< graphics: mapping failed */
    cudaErrorUnmapBufferObjectFailed = 206,        /**< graphics: unmapping failed */
    cudaErrorArrayIsMapped = 207,                  /**< graphics: destroyed while mapped */
    cudaErrorAlreadyMapped = 208,                  /**< graphics: mapped twice */
    cudaErrorNoKernelImageForDevice = 209,         /**< compiled for another architecture */
    cudaErrorAlreadyAcquired = 210,                /**< graphics: acquired twice */
    cudaErrorNotMapped = 211,                      /**< graphics: not mapped */
    cudaErrorNotMappedAsArray = 212,               /**< graphics: mapped, but not as an array */
    cudaErrorNotMappedAsPointer = 213,             /**< graphics: mapped, but not as a pointer */
    cudaErrorECCUncorrectable = 214,               /**< device memory lost bits that ECC could not restore */
    cudaErrorUnsupportedLimit = 215,               /**< the device does not have this cudaLimit */
    cudaErrorDeviceAlreadyInUse = 216,             /**< another thread uses the device exclusively */
    cudaErrorPeerAccessUnsupported = 217,          /**< these devices cannot reach each other */
    cudaErrorInvalidPtx = 218,                     /**< PTX did not compile */
    cudaErrorInvalidGraphicsContext = 219,         /**< graphics: bad context */
    cudaErrorNvlinkUncorrectable = 220,            /**< NVLink error */
    cudaErrorJitCompilerNotFound = 221,            /**< PTX compiler library missing */
    cudaErrorUnsupportedPtxVersion = 222,          /**< PTX newer than the driver's compiler */
    cudaErrorJitCompilationDisabled = 223,         /**< PTX compiling is switched off */
    cudaErrorUnsupportedExecAffinity = 224,        /**< this affinity is not supported */
    cudaErrorUnsupportedDevSideSync = 225,         /**< device-side cudaDeviceSynchronize is not supported */
    cudaErrorContained = 226,                      /**< an error that was confined to one context */
    cudaErrorInvalidSource = 300,                  /**< device code source is not valid */
    cudaErrorFileNotFound = 301,                   /**< a file is missing */
    cudaErrorSharedObjectSymbolNotFound = 302,     /**< a library lacks a symbol */
    cudaErrorSharedObjectInitFailed = 303,         /**< a library failed to start */
    cudaErrorOperatingSystem = 304,                /**< a system call failed */
    cudaErrorInvalidResourceHandle =
        400,                             /**< not a stream, event or kernel (any more), or another device's */
    cudaErrorIllegalState = 401,         /**< the object is not in the state that the call needs */
    cudaErrorLossyQuery = 402,           /**< the answer would lose information */
    cudaErrorSymbolNotFound = 500,       /**< no symbol of this name */
    cudaErrorNotReady = 600,             /**< the work is still going on (cudaStreamQuery, cudaEventQuery) */
    cudaErrorIllegalAddress = 700,       /**< a kernel touched memory that the device cannot reach; sticky */
    cudaErrorLaunchOutOfResources = 701, /**< too many registers or too much shared memory */
    cudaErrorLaunchTimeout = 702,        /**< the kernel ran too long and was stopped; sticky */
    cudaErrorLaunchIncompatibleTexturing = 703, /**< textures */
    cudaErrorPeerAccessAlreadyEnabled = 704,    /**< enabled before */
    cudaErrorPeerAccessNotEnabled = 705,        /**< not enabled */
    cudaErrorSetOnActiveProcess = 708,          /**< has to be set before the device is in use */
    cudaErrorContextIsDestroyed = 709,          /**< the context is gone */
    cudaErrorAssert = 710,                      /**< a kernel's assert() failed; sticky */
    cudaErrorTooManyPeers = 711,                /**< no more peers possible */
    cudaErrorHostMemoryAlreadyRegistered = 712, /**< the range overlaps a registered one */
    cudaErrorHostMemoryNotRegistered = 713,     /**< the pointer was not registered */
    cudaErrorHardwareStackError = 714,          /**< device stack damaged; sticky */
    cudaErrorIllegalInstruction = 715,          /**< the device met a bad instruction; sticky */
    cudaErrorMisalignedAddress = 716,           /**< a kernel used an unaligned address; sticky */
    cudaErrorInvalidAddressSpace = 717,         /**< an instruction used the wrong address space; sticky */
    cudaErrorInvalidPc = 718,                   /**< the device's program counter left the program; sticky */
    cudaErrorLaunchFailure = 719,               /**< a kernel failed for another reason; sticky */
    cudaErrorCooperativeLaunchTooLarge = 720,   /**< more blocks than can be resident at once */
    cudaErrorTensorMemoryLeak = 721,            /**< a kernel ended holding tensor memory */
    cudaErrorNotPermitted = 800,         /**< not allowed here (a CUDA call in a host function, for one) */
    cudaErrorNotSupported = 801,         /**< this system or this simulator does not provide it */
    cudaErrorSystemNotReady = 802,       /**< a system service has not started */
    cudaErrorSystemDriverMismatch = 803, /**< driver parts of different versions */
    cudaErrorCompatNotSupportedOnDevice = 804,   /**< forward compatibility not possible here */
    cudaErrorMpsConnectionFailed = 805,          /**< MPS: no connection */
    cudaErrorMpsRpcFailure = 806,                /**< MPS: a remote call failed */
    cudaErrorMpsServerNotReady = 807,            /**< MPS: server not ready */
    cudaErrorMpsMaxClientsReached = 808,         /**< MPS: no capacity for another client */
    cudaErrorMpsMaxConnectionsReached = 809,     /**< MPS: no connection left */
    cudaErrorMpsClientTerminated = 810,          /**< MPS: the server ended this client */
    cudaErrorCdpNotSupported = 811,              /**< device-side launches are not supported here */
    cudaErrorCdpVersionMismatch = 812,           /**< device-side launches of mixed versions */
    cudaErrorStreamCaptureUnsupported = 900,     /**< not allowed while a stream is captured */
    cudaErrorStreamCaptureInvalidated = 901,     /**< an error invalidated the capture */
    cudaErrorStreamCaptureMerge = 902,           /**< would merge two captures */
    cudaErrorStreamCaptureUnmatched = 903,       /**< the capture began in another stream */
    cudaErrorStreamCaptureUnjoined = 904,        /**< a forked stream did not join again */
    cudaErrorStreamCaptureIsolation = 905,       /**< would depend on work outside the capture */
    cudaErrorStreamCaptureImplicit = 906,        /**< would synchronise with the default stream */
    cudaErrorCapturedEvent = 907,                /**< the event was recorded in a capture */
    cudaErrorStreamCaptureWrongThread = 908,     /**< the capture began in another thread */
    cudaErrorTimeout = 909,                      /**< took longer than allowed */
    cudaErrorGraphExecUpdateFailure = 910,       /**< graph update not possible */
    cudaErrorExternalDevice = 911,               /**< another device (network, for one) failed */
    cudaErrorInvalidClusterSize = 912,           /**< the cluster does not fit */
    cudaErrorFunctionNotLoaded = 913,            /**< the function is not loaded */
    cudaErrorInvalidResourceType = 914,          /**< resource of the wrong type */
    cudaErrorInvalidResourceConfiguration = 915, /**< the resource cannot be configured in this way */
    cudaErrorUnknown = 999,                      /**< an error without a better name */
    cudaErrorApiFailureBase = 10000              /**< legacy, not returned */
};
/** What calls return. */
typedef enum cudaError cudaError_t;

#endif
