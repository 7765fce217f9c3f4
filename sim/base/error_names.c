/**
 * @file error_names.c
 * @brief The table of all CUDA errors, with a description of each in our own words.
 */
#include "error_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ERROR(error, words)                                                                                  \
    {                                                                                                        \
        error, #error, words                                                                                 \
    }

static const struct error {
    cudaError_t number;
    const char *name, *words;
} errors[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "an argument has a value that this call does not accept"),
    ERROR(cudaErrorMemoryAllocation, "not enough memory"),
    ERROR(cudaErrorInitializationError, "the runtime could not start"),
    ERROR(cudaErrorCudartUnloading, "the runtime has already shut down"),
    ERROR(cudaErrorProfilerDisabled, "a profiling tool is in charge of profiling"),
    ERROR(cudaErrorProfilerNotInitialized, "the profiler is not set up"),
    ERROR(cudaErrorProfilerAlreadyStarted, "the profiler was started before"),
    ERROR(cudaErrorProfilerAlreadyStopped, "the profiler was stopped before"),
    ERROR(cudaErrorInvalidConfiguration, "the grid or the block does not fit the device"),
    ERROR(cudaErrorInvalidPitchValue, "the pitch is smaller than a row or too large"),
    ERROR(cudaErrorInvalidSymbol, "not a device variable"),
    ERROR(cudaErrorInvalidHostPointer, "not a host pointer"),
    ERROR(cudaErrorInvalidDevicePointer, "not a device pointer"),
    ERROR(cudaErrorInvalidTexture, "not a texture"),
    ERROR(cudaErrorInvalidTextureBinding, "the texture is bound wrongly"),
    ERROR(cudaErrorInvalidChannelDescriptor, "not a channel format"),
    ERROR(cudaErrorInvalidMemcpyDirection, "the copy has no such direction"),
    ERROR(cudaErrorAddressOfConstant, "the address of a constant variable was taken"),
    ERROR(cudaErrorTextureFetchFailed, "a texture could not be read"),
    ERROR(cudaErrorTextureNotBound, "the texture is not bound"),
    ERROR(cudaErrorSynchronizationError, "waiting for the device failed"),
    ERROR(cudaErrorInvalidFilterSetting, "no such texture filter"),
    ERROR(cudaErrorInvalidNormSetting, "this texture cannot be read as normalized values"),
    ERROR(cudaErrorMixedDeviceExecution, "device code and emulated code were mixed"),
    ERROR(cudaErrorNotYetImplemented, "not made yet"),
    ERROR(cudaErrorMemoryValueTooLarge, "an address is too large for the device"),
    ERROR(cudaErrorStubLibrary, "the program is linked with a stub instead of the driver"),
    ERROR(cudaErrorInsufficientDriver, "the driver is too old for this runtime"),
    ERROR(cudaErrorCallRequiresNewerDriver, "the driver is too old for this call"),
    ERROR(cudaErrorInvalidSurface, "not a surface"),
    ERROR(cudaErrorDuplicateVariableName, "two device variables share a name"),
    ERROR(cudaErrorDuplicateTextureName, "two textures share a name"),
    ERROR(cudaErrorDuplicateSurfaceName, "two surfaces share a name"),
    ERROR(cudaErrorDevicesUnavailable,
          "no device can be used now: all are taken, closed or lost after a fault"),
    ERROR(cudaErrorIncompatibleDriverContext, "the current driver context does not suit the runtime"),
    ERROR(cudaErrorMissingConfiguration, "the launch has no grid and block"),
    ERROR(cudaErrorPriorLaunchFailure, "an earlier kernel failed"),
    ERROR(cudaErrorLaunchMaxDepthExceeded, "kernels launch kernels too deeply"),
    ERROR(cudaErrorLaunchFileScopedTex, "a kernel launched by a kernel uses a texture of file scope"),
    ERROR(cudaErrorLaunchFileScopedSurf, "a kernel launched by a kernel uses a surface of file scope"),
    ERROR(cudaErrorSyncDepthExceeded, "device code waits for kernels too deeply"),
    ERROR(cudaErrorLaunchPendingCountExceeded, "too many launches by kernels wait"),
    ERROR(cudaErrorInvalidDeviceFunction, "not a kernel, or not one for this device"),
    ERROR(cudaErrorNoDevice, "there is no CUDA device"),
    ERROR(cudaErrorInvalidDevice, "there is no such device"),
    ERROR(cudaErrorDeviceNotLicensed, "the device has no licence for this"),
    ERROR(cudaErrorSoftwareValidityNotEstablished, "the installation was not checked"),
    ERROR(cudaErrorStartupFailure, "the runtime failed inside while starting"),
    ERROR(cudaErrorInvalidKernelImage, "the device code is damaged"),
    ERROR(cudaErrorDeviceUninitialized, "the device has no context"),
    ERROR(cudaErrorMapBufferObjectFailed, "a graphics buffer could not be mapped"),
    ERROR(cudaErrorUnmapBufferObjectFailed, "a graphics buffer could not be unmapped"),
    ERROR(cudaErrorArrayIsMapped, "the array is still mapped"),
    ERROR(cudaErrorAlreadyMapped, "the resource is mapped already"),
    ERROR(cudaErrorNoKernelImageForDevice, "the kernel was not compiled for this device"),
    ERROR(cudaErrorAlreadyAcquired, "the resource is acquired already"),
    ERROR(cudaErrorNotMapped, "the resource is not mapped"),
    ERROR(cudaErrorNotMappedAsArray, "the resource is not mapped as an array"),
    ERROR(cudaErrorNotMappedAsPointer, "the resource is not mapped as a pointer"),
    ERROR(cudaErrorECCUncorrectable, "device memory lost data beyond repair by ECC"),
    ERROR(cudaErrorUnsupportedLimit, "this device has no such limit"),
    ERROR(cudaErrorDeviceAlreadyInUse, "another thread holds the device"),
    ERROR(cudaErrorPeerAccessUnsupported, "these devices cannot reach each other"),
    ERROR(cudaErrorInvalidPtx, "the PTX code did not compile"),
    ERROR(cudaErrorInvalidGraphicsContext, "not a usable graphics context"),
    ERROR(cudaErrorNvlinkUncorrectable, "an NVLink transfer failed beyond repair"),
    ERROR(cudaErrorJitCompilerNotFound, "the compiler library for PTX is missing"),
    ERROR(cudaErrorUnsupportedPtxVersion, "the PTX code is newer than the driver's compiler"),
    ERROR(cudaErrorJitCompilationDisabled, "compiling PTX is switched off"),
    ERROR(cudaErrorUnsupportedExecAffinity, "the device cannot reserve multiprocessors this way"),
    ERROR(cudaErrorUnsupportedDevSideSync, "device code may not wait for the device here"),
    ERROR(cudaErrorContained, "an error was confined to its context"),
    ERROR(cudaErrorInvalidSource, "the device code is not valid"),
    ERROR(cudaErrorFileNotFound, "a file is missing"),
    ERROR(cudaErrorSharedObjectSymbolNotFound, "a shared library lacks a symbol"),
    ERROR(cudaErrorSharedObjectInitFailed, "a shared library could not start"),
    ERROR(cudaErrorOperatingSystem, "a system call failed"),
    ERROR(cudaErrorInvalidResourceHandle, "not a handle of a stream, an event or a kernel in use here"),
    ERROR(cudaErrorIllegalState, "the object is not in the state that this call needs"),
    ERROR(cudaErrorLossyQuery, "the answer would have to leave something out"),
    ERROR(cudaErrorSymbolNotFound, "there is no symbol of this name"),
    ERROR(cudaErrorNotReady, "the device has not finished this yet"),
    ERROR(cudaErrorIllegalAddress, "a kernel used memory that the device cannot reach"),
    ERROR(cudaErrorLaunchOutOfResources, "the launch needs more registers or shared memory than there are"),
    ERROR(cudaErrorLaunchTimeout, "a kernel ran too long and was stopped"),
    ERROR(cudaErrorLaunchIncompatibleTexturing, "the launch asks for texturing that does not fit"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, "access to the other device is on already"),
    ERROR(cudaErrorPeerAccessNotEnabled, "access to the other device is not on"),
    ERROR(cudaErrorSetOnActiveProcess, "too late: the device is in use"),
    ERROR(cudaErrorContextIsDestroyed, "the context no longer exists"),
    ERROR(cudaErrorAssert, "a kernel's assert() failed"),
    ERROR(cudaErrorTooManyPeers, "no further device can be made reachable"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part of this memory is registered already"),
    ERROR(cudaErrorHostMemoryNotRegistered, "this memory is not registered"),
    ERROR(cudaErrorHardwareStackError, "a kernel's stack overflowed or was damaged"),
    ERROR(cudaErrorIllegalInstruction, "a kernel reached an instruction that the device does not know"),
    ERROR(cudaErrorMisalignedAddress, "a kernel used an address that is not aligned to the value's size"),
    ERROR(cudaErrorInvalidAddressSpace, "a kernel used an address of the wrong kind of memory"),
    ERROR(cudaErrorInvalidPc, "a kernel jumped out of its code"),
    ERROR(cudaErrorLaunchFailure, "a kernel failed"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, "more blocks than the device can hold at once"),
    ERROR(cudaErrorTensorMemoryLeak, "a kernel ended without giving its tensor memory back"),
    ERROR(cudaErrorNotPermitted, "not allowed here"),
    ERROR(cudaErrorNotSupported, "not provided here"),
    ERROR(cudaErrorSystemNotReady, "a system service has not started yet"),
    ERROR(cudaErrorSystemDriverMismatch, "parts of the driver have different versions"),
    ERROR(cudaErrorCompatNotSupportedOnDevice,
          "the forward-compatibility driver does not support this device"),
    ERROR(cudaErrorMpsConnectionFailed, "no connection to the MPS server"),
    ERROR(cudaErrorMpsRpcFailure, "a call to the MPS server failed"),
    ERROR(cudaErrorMpsServerNotReady, "the MPS server takes no clients now"),
    ERROR(cudaErrorMpsMaxClientsReached, "the MPS server has no room for a client"),
    ERROR(cudaErrorMpsMaxConnectionsReached, "the MPS server has no connection left"),
    ERROR(cudaErrorMpsClientTerminated, "the MPS server ended this client"),
    ERROR(cudaErrorCdpNotSupported, "kernels cannot launch kernels here"),
    ERROR(cudaErrorCdpVersionMismatch, "kernels that launch kernels were built by different versions"),
    ERROR(cudaErrorStreamCaptureUnsupported, "not allowed while a stream is captured"),
    ERROR(cudaErrorStreamCaptureInvalidated, "an earlier error spoilt the capture"),
    ERROR(cudaErrorStreamCaptureMerge, "this would join two captures"),
    ERROR(cudaErrorStreamCaptureUnmatched, "the capture was not begun in this stream"),
    ERROR(cudaErrorStreamCaptureUnjoined, "the capture left a stream that did not come back"),
    ERROR(cudaErrorStreamCaptureIsolation, "captured work would depend on work outside of the capture"),
    ERROR(cudaErrorStreamCaptureImplicit, "captured work would depend on the legacy default stream"),
    ERROR(cudaErrorCapturedEvent, "the event belongs to a capture"),
    ERROR(cudaErrorStreamCaptureWrongThread, "the capture was begun by another thread"),
    ERROR(cudaErrorTimeout, "the time ran out"),
    ERROR(cudaErrorGraphExecUpdateFailure, "the graph cannot be updated so"),
    ERROR(cudaErrorExternalDevice, "a device that is no CUDA device failed"),
    ERROR(cudaErrorInvalidClusterSize, "the size of the cluster does not fit"),
    ERROR(cudaErrorFunctionNotLoaded, "the kernel is not loaded"),
    ERROR(cudaErrorInvalidResourceType, "the resource is of the wrong type"),
    ERROR(cudaErrorInvalidResourceConfiguration, "the resource cannot be set up so"),
    ERROR(cudaErrorUnknown, "an error that has no name of its own"),
    ERROR(cudaErrorApiFailureBase, "an error of an older runtime"),
};

static const struct error *find(long number)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if ((long)errors[i].number == number)
            return &errors[i];
    return NULL;
}

bool umsim_error_by_name(const char *name_or_number, cudaError_t *error)
{
    char *end;
    errno = 0;
    long number = strtol(name_or_number, &end, 10);
    bool is_number = name_or_number[0] >= '0' && name_or_number[0] <= '9' && !*end && !errno;
    const struct error *found = is_number ? find(number) : NULL;
    for (size_t i = 0; !is_number && !found && i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].name, name_or_number) == 0)
            found = &errors[i];
    if (found)
        *error = found->number;
    return found;
}

const char *umsim_error_name(cudaError_t error)
{
    const struct error *found = find((long)error);
    return found ? found->name : "unrecognized error code";
}

const char *umsim_error_words(cudaError_t error)
{
    const struct error *found = find((long)error);
    return found ? found->words : "unrecognized error code";
}
