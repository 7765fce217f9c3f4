/**
 * @file nvvm.c
 * @brief NVVM's functions (nvvm.h).
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/** How LLVM's bitcode begins: by its own number, or in a wrapper. */
#define BITCODE "BC\xC0\xDE"
#define BITCODE_WRAPPED "\xDE\xC0\x17\x0B"

const char *nvvmGetErrorString(nvvmResult result)
{
    static const char *const names[] = {"NVVM_SUCCESS",
                                        "NVVM_ERROR_OUT_OF_MEMORY",
                                        "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVVM_ERROR_IR_VERSION_MISMATCH",
                                        "NVVM_ERROR_INVALID_INPUT",
                                        "NVVM_ERROR_INVALID_PROGRAM",
                                        "NVVM_ERROR_INVALID_IR",
                                        "NVVM_ERROR_INVALID_OPTION",
                                        "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
                                        "NVVM_ERROR_COMPILATION",
                                        "NVVM_ERROR_CANCELLED"};
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "NVVM_ERROR unknown";
}

nvvmResult nvvmVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVVM_ERROR_INVALID_INPUT;
    *major = 2;
    *minor = 0;
    return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg)
{
    if (!majorIR || !minorIR || !majorDbg || !minorDbg)
        return NVVM_ERROR_INVALID_INPUT;
    *majorIR = 2;
    *minorIR = 0;
    *majorDbg = 3;
    *minorDbg = 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmCreateProgram(nvvmProgram *prog)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    *prog = calloc(1, sizeof **prog);
    return *prog ? NVVM_SUCCESS : NVVM_ERROR_OUT_OF_MEMORY;
}

nvvmResult nvvmDestroyProgram(nvvmProgram *prog)
{
    if (!prog || !*prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    for (size_t i = 0; i < (*prog)->count; i++) {
        free((*prog)->modules[i].text);
        free((*prog)->modules[i].name);
    }
    free((*prog)->modules);
    free((*prog)->log);
    free((*prog)->result);
    free(*prog);
    *prog = NULL;
    return NVVM_SUCCESS;
}

/* ---- modules ---- */

static int is_bitcode(const char *buffer, size_t size)
{
    return size >= 4 && (memcmp(buffer, BITCODE, 4) == 0 || memcmp(buffer, BITCODE_WRAPPED, 4) == 0);
}

static nvvmResult add(nvvmProgram program, const char *buffer, size_t size, const char *name)
{
    struct umsim_ir *more = realloc(program->modules, (program->count + 1) * sizeof *more);
    if (!more)
        return NVVM_ERROR_OUT_OF_MEMORY;
    program->modules = more;
    struct umsim_ir *it = &more[program->count];
    it->bytes = strnlen(buffer, size);
    it->text = malloc(it->bytes + 1);
    it->name = strdup(name ? name : "<unnamed>");
    if (!it->text || !it->name) {
        free(it->text);
        free(it->name);
        return NVVM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(it->text, buffer, it->bytes);
    it->text[it->bytes] = '\0';
    program->count++;
    return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)
{
    if (!prog || !buffer)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    return is_bitcode(buffer, size) ? NVVM_ERROR_INVALID_IR : add(prog, buffer, size, name);
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)
{
    if (!prog || !buffer)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    return is_bitcode(buffer, size) ? NVVM_SUCCESS : add(prog, buffer, size, name);
}

/* ---- compilation ---- */

nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    return umsim_nvvm_compile(prog, numOptions, options, 0);
}

nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    return umsim_nvvm_compile(prog, numOptions, options, 1);
}

nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog || !bufferSizeRet)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    *bufferSizeRet = prog->result ? prog->result_bytes : 1; /* the end of an empty text */
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer)
{
    if (!prog || !buffer)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    if (prog->result)
        memcpy(buffer, prog->result, prog->result_bytes);
    else
        *buffer = '\0';
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog || !bufferSizeRet)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    *bufferSizeRet = (prog->log ? strlen(prog->log) : 0) + 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer)
{
    if (!prog || !buffer)
        return prog ? NVVM_ERROR_INVALID_INPUT : NVVM_ERROR_INVALID_PROGRAM;
    strcpy(buffer, prog->log ? prog->log : "");
    return NVVM_SUCCESS;
}
