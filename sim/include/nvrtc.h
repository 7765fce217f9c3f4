/**
 * @file nvrtc.h
 * @brief NVRTC's interface: compiles CUDA C++ at run time. Here umcc compiles (docs/python.md).
 *
 * What comes out is a module for cuModuleLoadData() and its kind. It is not NVIDIA's machine code, and "PTX"
 * is the same module as text: where a program asks for PTX to load it, it works; where it wants to read PTX,
 * there is none.
 */
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers as in NVIDIA's header (CUDA 13.0). */
typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/** @return the name of a result, a text that stays; "NVRTC_ERROR unknown" for another number */
const char *nvrtcGetErrorString(nvrtcResult __result);
/** The version of NVIDIA's interface that this one follows: 13.0. */
nvrtcResult nvrtcVersion(int *__major, int *__minor);
/** Compute capabilities that may be asked for, as 90 for 9.0; all come to the same code here. */
nvrtcResult nvrtcGetNumSupportedArchs(int *__count);
nvrtcResult nvrtcGetSupportedArchs(int *__archs);

/**
 * Makes a program of a text.
 * @param __name NULL: default_program. Messages name it.
 * @param __headers,__includeNames texts, and by which names `#include` finds them. All of it is copied.
 */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *__program, const char *__source, const char *__name, int __count,
                               const char *const *__headers, const char *const *__includeNames);
/** Frees it, and its results; *__program becomes NULL. */
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *__program);
/**
 * Compiles by umcc, which stands beside the simulator's library (UMCC names another one).
 * @param __options umcc's options; nvcc's that mean nothing here are passed over, as umcc does
 * @return NVRTC_ERROR_COMPILATION where umcc refuses the program: the log says why;
 * NVRTC_ERROR_BUILTIN_OPERATION_FAILURE where there is no umcc
 */
nvrtcResult nvrtcCompileProgram(nvrtcProgram __program, int __count, const char *const *__options);

/** The module, as text that ends with a NUL: see above. Sizes are bytes, and count that NUL. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram __program, char *__ptx);
/** The module. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __program, char *__cubin);
/** What is not made here: NVRTC_ERROR_INVALID_PROGRAM. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram __program, char *__ltoir);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram __program, char *__optixir);
/** What umcc and g++ said; an empty text where nothing. */
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __program, size_t *__bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __program, char *__log);

/** Has an expression's kernel or variable (`axpy<float>`, `&counter`) be there: before compiling. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram __program, const char *__expression);
/** The name under which cuModuleGetFunction() finds it: after compiling. It stays as long as the program. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __program, const char *__expression, const char **__name);

/** Precompiled headers by a program's own wish are accepted and not made. */
nvrtcResult nvrtcGetPCHHeapSize(size_t *__bytes);
nvrtcResult nvrtcSetPCHHeapSize(size_t __bytes);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram __program);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram __program, size_t *__bytes);
/** Asked once before compiling: another answer than 0 cancels. */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram __program, int (*__callback)(void *, void *), void *__payload);

#ifdef __cplusplus
}
#endif
#endif
