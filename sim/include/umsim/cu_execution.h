/**
 * @file umsim/cu_execution.h
 * @brief Modules, libraries, functions, launches of the driver API. Included by cuda.h.
 */
#ifndef UMSIM_CU_EXECUTION_H
#define UMSIM_CU_EXECUTION_H

#include "umsim/cu_names.h"
#include "umsim/cu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Loads a module (umcc --cubin) from a file. */
CUresult cuModuleLoad(CUmodule *__module, const char *__fname);
/** Loads a module from memory. */
CUresult cuModuleLoadData(CUmodule *__module, const void *__image);
/** The same with options (CUjit_option). */
CUresult cuModuleLoadDataEx(CUmodule *__module, const void *__image, unsigned int __numOptions,
                            CUjit_option *__options, void **__optionValues);
/** The same for what umcc --fatbin makes. */
CUresult cuModuleLoadFatBinary(CUmodule *__module, const void *__fatCubin);
/** Unloads it; its functions and variables are gone. */
CUresult cuModuleUnload(CUmodule __hmod);
/** CU_MODULE_EAGER_LOADING. */
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *__mode);
/** A kernel of a module, by its name in the object file. */
CUresult cuModuleGetFunction(CUfunction *__hfunc, CUmodule __hmod, const char *__name);
/** How many it has. */
CUresult cuModuleGetFunctionCount(unsigned int *__count, CUmodule __mod);
/** As many of them as there is room for. */
CUresult cuModuleEnumerateFunctions(CUfunction *__functions, unsigned int __numFunctions, CUmodule __mod);
/** A variable's address and bytes; either may be NULL. */
CUresult cuModuleGetGlobal(CUdeviceptr *__dptr, size_t *__bytes, CUmodule __hmod, const char *__name);
/** Texture references are gone since CUDA 12: CUDA_ERROR_NOT_FOUND. */
CUresult cuModuleGetTexRef(CUtexref *__pTexRef, CUmodule __hmod, const char *__name);
/** The same. */
CUresult cuModuleGetSurfRef(CUsurfref *__pSurfRef, CUmodule __hmod, const char *__name);
/** Begins to link. */
CUresult cuLinkCreate(unsigned int __numOptions, CUjit_option *__options, void **__optionValues,
                      CUlinkState *__stateOut);
/** Adds a module from memory. */
CUresult cuLinkAddData(CUlinkState __state, CUjitInputType __type, void *__data, size_t __size,
                       const char *__name, unsigned int __numOptions, CUjit_option *__options,
                       void **__optionValues);
/** Adds a module from a file. */
CUresult cuLinkAddFile(CUlinkState __state, CUjitInputType __type, const char *__path,
                       unsigned int __numOptions, CUjit_option *__options, void **__optionValues);
/** The module that was added: one at most. */
CUresult cuLinkComplete(CUlinkState __state, void **__cubinOut, size_t *__sizeOut);
/** Ends it. */
CUresult cuLinkDestroy(CUlinkState __state);
/** Loads a library: a module that is not bound to a context. */
CUresult cuLibraryLoadData(CUlibrary *__library, const void *__code, CUjit_option *__jitOptions,
                           void **__jitOptionsValues, unsigned int __numJitOptions,
                           CUlibraryOption *__libraryOptions, void **__libraryOptionValues,
                           unsigned int __numLibraryOptions);
/** The same from a file. */
CUresult cuLibraryLoadFromFile(CUlibrary *__library, const char *__fileName, CUjit_option *__jitOptions,
                               void **__jitOptionsValues, unsigned int __numJitOptions,
                               CUlibraryOption *__libraryOptions, void **__libraryOptionValues,
                               unsigned int __numLibraryOptions);
/** Unloads it. */
CUresult cuLibraryUnload(CUlibrary __library);
/** A kernel by its name. */
CUresult cuLibraryGetKernel(CUkernel *__pKernel, CUlibrary __library, const char *__name);
/** How many it has. */
CUresult cuLibraryGetKernelCount(unsigned int *__count, CUlibrary __lib);
/** As many of them as there is room for. */
CUresult cuLibraryEnumerateKernels(CUkernel *__kernels, unsigned int __numKernels, CUlibrary __lib);
/** The module in the current context. */
CUresult cuLibraryGetModule(CUmodule *__pMod, CUlibrary __library);
/** A variable's address and bytes. */
CUresult cuLibraryGetGlobal(CUdeviceptr *__dptr, size_t *__bytes, CUlibrary __library, const char *__name);
/** The same for a managed one. */
CUresult cuLibraryGetManaged(CUdeviceptr *__dptr, size_t *__bytes, CUlibrary __library, const char *__name);
/** The function in the current context. */
CUresult cuKernelGetFunction(CUfunction *__pFunc, CUkernel __kernel);
/** The library that it is in. */
CUresult cuKernelGetLibrary(CUlibrary *__pLib, CUkernel __kernel);
/** An attribute of a kernel (CUfunction_attribute). */
CUresult cuKernelGetAttribute(int *__pi, CUfunction_attribute __attrib, CUkernel __kernel, CUdevice __dev);
/** Changes one. */
CUresult cuKernelSetAttribute(CUfunction_attribute __attrib, int __val, CUkernel __kernel, CUdevice __dev);
/** Prefers a cache: a hint. */
CUresult cuKernelSetCacheConfig(CUkernel __kernel, CUfunc_cache __config, CUdevice __dev);
/** Its name. */
CUresult cuKernelGetName(const char **__name, CUkernel __hfunc);
/** Where a parameter lies, and its bytes. */
CUresult cuKernelGetParamInfo(CUkernel __kernel, size_t __paramIndex, size_t *__paramOffset,
                              size_t *__paramSize);
/** An attribute of a function. */
CUresult cuFuncGetAttribute(int *__pi, CUfunction_attribute __attrib, CUfunction __hfunc);
/** Changes one. */
CUresult cuFuncSetAttribute(CUfunction __hfunc, CUfunction_attribute __attrib, int __value);
/** Prefers a cache: a hint. */
CUresult cuFuncSetCacheConfig(CUfunction __hfunc, CUfunc_cache __config);
/** The module that it is in. */
CUresult cuFuncGetModule(CUmodule *__hmod, CUfunction __hfunc);
/** Its name. */
CUresult cuFuncGetName(const char **__name, CUfunction __hfunc);
/** Where a parameter lies, and its bytes. */
CUresult cuFuncGetParamInfo(CUfunction __func, size_t __paramIndex, size_t *__paramOffset,
                            size_t *__paramSize);
/** Always loaded. */
CUresult cuFuncIsLoaded(CUfunctionLoadingState *__state, CUfunction __function);
/** Nothing to do. */
CUresult cuFuncLoad(CUfunction __function);
/** Launches: parameters by `kernelParams`, or packed in `extra`. */
CUresult cuLaunchKernel(CUfunction __f, unsigned int __gridDimX, unsigned int __gridDimY,
                        unsigned int __gridDimZ, unsigned int __blockDimX, unsigned int __blockDimY,
                        unsigned int __blockDimZ, unsigned int __sharedMemBytes, CUstream __hStream,
                        void **__kernelParams, void **__extra);
/** The same with attributes. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *__config, CUfunction __f, void **__kernelParams,
                          void **__extra);
/** The same; its blocks may wait for each other. */
CUresult cuLaunchCooperativeKernel(CUfunction __f, unsigned int __gridDimX, unsigned int __gridDimY,
                                   unsigned int __gridDimZ, unsigned int __blockDimX,
                                   unsigned int __blockDimY, unsigned int __blockDimZ,
                                   unsigned int __sharedMemBytes, CUstream __hStream, void **__kernelParams);
/** A function of the host's, in the order of the stream. */
CUresult cuLaunchHostFunc(CUstream __hStream, CUhostFn __fn, void *__userData);
/** Deprecated: the block of cuLaunch(). */
CUresult cuFuncSetBlockShape(CUfunction __hfunc, int __x, int __y, int __z);
/** Deprecated: its dynamic shared memory. */
CUresult cuFuncSetSharedSize(CUfunction __hfunc, unsigned int __bytes);
/** Deprecated: how many bytes its parameters have. */
CUresult cuParamSetSize(CUfunction __hfunc, unsigned int __numbytes);
/** Deprecated: a parameter of 4 bytes. */
CUresult cuParamSeti(CUfunction __hfunc, int __offset, unsigned int __value);
/** Deprecated: a float. */
CUresult cuParamSetf(CUfunction __hfunc, int __offset, float __value);
/** Deprecated: any bytes. */
CUresult cuParamSetv(CUfunction __hfunc, int __offset, void *__ptr, unsigned int __numbytes);
/** Deprecated: launches one block. */
CUresult cuLaunch(CUfunction __f);
/** Deprecated: launches a grid. */
CUresult cuLaunchGrid(CUfunction __f, int __grid_width, int __grid_height);
/** Deprecated: the same in a stream. */
CUresult cuLaunchGridAsync(CUfunction __f, int __grid_width, int __grid_height, CUstream __hStream);
/** Texture references: not provided. */
CUresult cuParamSetTexRef(CUfunction __hfunc, int __texunit, CUtexref __hTexRef);
/** Deprecated: a hint for old devices. */
CUresult cuFuncSetSharedMemConfig(CUfunction __hfunc, CUsharedconfig __config);
/** How many of a kernel's blocks a multiprocessor holds. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *__numBlocks, CUfunction __func, int __blockSize,
                                                     size_t __dynamicSMemSize);
/** The same with flags. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__numBlocks, CUfunction __func,
                                                              int __blockSize, size_t __dynamicSMemSize,
                                                              unsigned int __flags);
/** The block that fills a multiprocessor best. */
CUresult cuOccupancyMaxPotentialBlockSize(int *__minGridSize, int *__blockSize, CUfunction __func,
                                          CUoccupancyB2DSize __blockSizeToDynamicSMemSize,
                                          size_t __dynamicSMemSize, int __blockSizeLimit);
/** The same with flags. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *__minGridSize, int *__blockSize, CUfunction __func,
                                                   CUoccupancyB2DSize __blockSizeToDynamicSMemSize,
                                                   size_t __dynamicSMemSize, int __blockSizeLimit,
                                                   unsigned int __flags);
/** Shared memory that each of so many blocks can have. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *__dynamicSmemSize, CUfunction __func,
                                                 int __numBlocks, int __blockSize);
/** Texture references: not provided. */
CUresult cuTexRefSetArray(CUtexref __hTexRef, CUarray __hArray, unsigned int __Flags);
/** Texture references: not provided. */
CUresult cuTexRefSetAddress(size_t *__ByteOffset, CUtexref __hTexRef, CUdeviceptr __dptr, size_t __bytes);
/** Texture references: not provided. */
CUresult cuTexRefSetAddress2D(CUtexref __hTexRef, const CUDA_ARRAY_DESCRIPTOR *__desc, CUdeviceptr __dptr,
                              size_t __Pitch);
/** Texture references: not provided. */
CUresult cuTexRefSetFormat(CUtexref __hTexRef, CUarray_format __fmt, int __NumPackedComponents);
/** Texture references: not provided. */
CUresult cuTexRefSetAddressMode(CUtexref __hTexRef, int __dim, CUaddress_mode __am);
/** Texture references: not provided. */
CUresult cuTexRefSetFilterMode(CUtexref __hTexRef, CUfilter_mode __fm);
/** Texture references: not provided. */
CUresult cuTexRefSetFlags(CUtexref __hTexRef, unsigned int __Flags);
/** Texture references: not provided. */
CUresult cuTexRefGetAddress(CUdeviceptr *__pdptr, CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetArray(CUarray *__phArray, CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetAddressMode(CUaddress_mode *__pam, CUtexref __hTexRef, int __dim);
/** Texture references: not provided. */
CUresult cuTexRefGetFilterMode(CUfilter_mode *__pfm, CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetFormat(CUarray_format *__pFormat, int *__pNumChannels, CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetFlags(unsigned int *__pFlags, CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefCreate(CUtexref *__pTexRef);
/** Texture references: not provided. */
CUresult cuTexRefDestroy(CUtexref __hTexRef);
/** Texture references: not provided. */
CUresult cuSurfRefSetArray(CUsurfref __hSurfRef, CUarray __hArray, unsigned int __Flags);
/** Texture references: not provided. */
CUresult cuSurfRefGetArray(CUarray *__phArray, CUsurfref __hSurfRef);

#ifdef __cplusplus
}
#endif
#endif
