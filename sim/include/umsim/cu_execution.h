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
CUresult cuModuleLoad(CUmodule *module, const char *fname);
/** Loads a module from memory. */
CUresult cuModuleLoadData(CUmodule *module, const void *image);
/** The same with options (CUjit_option). */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues);
/** The same for what umcc --fatbin makes. */
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);
/** Unloads it; its functions and variables are gone. */
CUresult cuModuleUnload(CUmodule hmod);
/** CU_MODULE_EAGER_LOADING. */
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
/** A kernel of a module, by its name in the object file. */
CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);
/** How many it has. */
CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);
/** As many of them as there is room for. */
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod);
/** A variable's address and bytes; either may be NULL. */
CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name);
/** Texture references are gone since CUDA 12: CUDA_ERROR_NOT_FOUND. */
CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);
/** The same. */
CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name);
/** Begins to link. */
CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                      CUlinkState *stateOut);
/** Adds a module from memory. */
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues);
/** Adds a module from a file. */
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues);
/** The module that was added: one at most. */
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);
/** Ends it. */
CUresult cuLinkDestroy(CUlinkState state);
/** Loads a library: a module that is not bound to a context. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitOptionsValues, unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions);
/** The same from a file. */
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions);
/** Unloads it. */
CUresult cuLibraryUnload(CUlibrary library);
/** A kernel by its name. */
CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);
/** How many it has. */
CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);
/** As many of them as there is room for. */
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib);
/** The module in the current context. */
CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library);
/** A variable's address and bytes. */
CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);
/** The same for a managed one. */
CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);
/** The function in the current context. */
CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);
/** The library that it is in. */
CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel);
/** An attribute of a kernel (CUfunction_attribute). */
CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev);
/** Changes one. */
CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev);
/** Prefers a cache: a hint. */
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);
/** Its name. */
CUresult cuKernelGetName(const char **name, CUkernel hfunc);
/** Where a parameter lies, and its bytes. */
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
/** An attribute of a function. */
CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);
/** Changes one. */
CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);
/** Prefers a cache: a hint. */
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
/** The module that it is in. */
CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);
/** Its name. */
CUresult cuFuncGetName(const char **name, CUfunction hfunc);
/** Where a parameter lies, and its bytes. */
CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
/** Always loaded. */
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
/** Nothing to do. */
CUresult cuFuncLoad(CUfunction function);
/** Launches: parameters by `kernelParams`, or packed in `extra`. */
CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra);
/** The same with attributes. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra);
/** The same; its blocks may wait for each other. */
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                   unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams);
/** A function of the host's, in the order of the stream. */
CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);
/** Deprecated: the block of cuLaunch(). */
CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
/** Deprecated: its dynamic shared memory. */
CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
/** Deprecated: how many bytes its parameters have. */
CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
/** Deprecated: a parameter of 4 bytes. */
CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
/** Deprecated: a float. */
CUresult cuParamSetf(CUfunction hfunc, int offset, float value);
/** Deprecated: any bytes. */
CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes);
/** Deprecated: launches one block. */
CUresult cuLaunch(CUfunction f);
/** Deprecated: launches a grid. */
CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
/** Deprecated: the same in a stream. */
CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);
/** Texture references: not provided. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);
/** Deprecated: a hint for old devices. */
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);
/** How many of a kernel's blocks a multiprocessor holds. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize);
/** The same with flags. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags);
/** The block that fills a multiprocessor best. */
CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit);
/** The same with flags. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags);
/** Shared memory that each of so many blocks can have. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks,
                                                 int blockSize);
/** Texture references: not provided. */
CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);
/** Texture references: not provided. */
CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes);
/** Texture references: not provided. */
CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr,
                              size_t Pitch);
/** Texture references: not provided. */
CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);
/** Texture references: not provided. */
CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
/** Texture references: not provided. */
CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
/** Texture references: not provided. */
CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
/** Texture references: not provided. */
CUresult cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);
/** Texture references: not provided. */
CUresult cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuTexRefCreate(CUtexref *pTexRef);
/** Texture references: not provided. */
CUresult cuTexRefDestroy(CUtexref hTexRef);
/** Texture references: not provided. */
CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);
/** Texture references: not provided. */
CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);

#ifdef __cplusplus
}
#endif
#endif
