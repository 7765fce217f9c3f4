/**
 * @file nvvm.h
 * @brief NVVM's library: LLVM IR for a GPU becomes a module of the simulated GPU's.
 *
 * The functions and their numbers are NVIDIA's; libnvvm.so.4 is ours. Programs hand it IR as text, as Numba
 * does; it is compiled for this machine's processor by LLVM of the program's own Python (llvmlite), and the
 * result is a module that cuModuleLoadData() takes (umsim/image_text.h). There is nothing of NVIDIA's
 * compilers in it: bitcode, such as NVIDIA's libdevice, is not read.
 */
#ifndef NVVM_H
#define NVVM_H

#include <stdint.h>
#include <stdlib.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a call says. */
typedef enum {
    NVVM_SUCCESS = 0,
    NVVM_ERROR_OUT_OF_MEMORY = 1,
    NVVM_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVVM_ERROR_IR_VERSION_MISMATCH = 3,
    NVVM_ERROR_INVALID_INPUT = 4,
    NVVM_ERROR_INVALID_PROGRAM = 5,
    NVVM_ERROR_INVALID_IR = 6,
    NVVM_ERROR_INVALID_OPTION = 7,
    NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8,
    NVVM_ERROR_COMPILATION = 9,
    NVVM_ERROR_CANCELLED = 10
} nvvmResult;

/** Modules that are compiled together. */
typedef struct _nvvmProgram *nvvmProgram;

/** @return the result's name, a constant text */
const char *nvvmGetErrorString(nvvmResult result);

/** The interface's version: 2.0. */
nvvmResult nvvmVersion(int *major, int *minor);
/** The versions of IR and of its debug information that are taken: 2.0 and 3.1. */
nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg);

/** Makes an empty program, which lives until nvvmDestroyProgram(). */
nvvmResult nvvmCreateProgram(nvvmProgram *prog);
/** Frees it, and makes the handle NULL. */
nvvmResult nvvmDestroyProgram(nvvmProgram *prog);

/**
 * Adds a module, which is copied.
 * @param buffer IR as text
 * @param name for messages; NULL: `<unnamed>`
 * @return NVVM_ERROR_INVALID_IR for bitcode
 */
nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name);
/** The same for a module of which only what is called is needed. Bitcode is passed over: mathematical
 * functions are found by their names. */
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name);

/**
 * Compiles the program.
 * @param options -opt, -arch, -ftz, -prec-sqrt, -prec-div, -fma, -g, -generate-line-info: as NVIDIA's, of
 * which only -g and the architecture's form are looked at
 * @return NVVM_ERROR_INVALID_OPTION, also for an architecture that there is not; NVVM_ERROR_INVALID_IR where
 * the target is no GPU; NVVM_ERROR_COMPILATION where the text is no IR, or has something that the simulated
 * GPU does not know, or the compiler is missing: the log says what
 */
nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options);
/** Only looks whether the options are known and the modules are IR: else NVVM_ERROR_INVALID_IR. */
nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options);

/** Bytes of the result, and the result: a module as text, with a NUL behind; before that an empty text. */
nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet);
nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer);
/** Bytes of what the last verification or compilation said, with a NUL behind; and that text. */
nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet);
nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer);

#ifdef __cplusplus
}
#endif
#endif
