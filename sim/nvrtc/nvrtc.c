/**
 * @file nvrtc.c
 * @brief Implementation of nvrtc.h: programs, and what they are asked.
 */
#include "program.h"

#include "../include/umsim/image_text.h"

#include <stdlib.h>
#include <string.h>

/** Those that nvcc 13.0 knows, and the simulated GPU's profiles are of. */
static const int archs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                        "NVRTC_ERROR_PCH_CREATE",
                                        "NVRTC_ERROR_CANCELLED",
                                        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    *count = (int)(sizeof archs / sizeof *archs);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *out)
{
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

/* ---- programs ---- */

static bool copy_headers(nvrtcProgram program, int count, const char *const *texts, const char *const *names)
{
    program->headers = calloc((size_t)count + 1, sizeof *program->headers);
    if (!program->headers)
        return false;
    for (int i = 0; i < count; i++) {
        struct umsim_header *it = &program->headers[program->headers_count++];
        it->text = strdup(texts[i]);
        it->name = strdup(names[i]);
        if (!it->text || !it->name)
            return false;
    }
    return true;
}

/* Names stay inside the folder that is made for them. */
static bool is_inside(const char *name)
{
    return name[0] && name[0] != '/' && strcmp(name, "..") != 0 && strncmp(name, "../", 3) != 0 &&
           !strstr(name, "/../") && (strlen(name) < 3 || strcmp(name + strlen(name) - 3, "/..") != 0);
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name, int count,
                               const char *const *headers, const char *const *names)
{
    if (!out)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || count < 0 || (count > 0 && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < count; i++)
        if (!headers[i] || !names[i] || !is_inside(names[i]))
            return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram program = calloc(1, sizeof *program);
    if (!program)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->source = strdup(source);
    program->name = strdup(name && name[0] ? name : "default_program");
    if (!program->source || !program->name || !copy_headers(program, count, headers, names)) {
        nvrtcDestroyProgram(&program);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *out = program;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *out)
{
    if (!out || !*out)
        return NVRTC_ERROR_INVALID_PROGRAM;
    nvrtcProgram program = *out;
    for (int i = 0; i < program->headers_count; i++) {
        free(program->headers[i].text);
        free(program->headers[i].name);
    }
    for (int i = 0; i < program->names_count; i++) {
        free(program->names[i].expression);
        free(program->names[i].lowered);
    }
    free(program->headers);
    free(program->names);
    free(program->source);
    free(program->name);
    free(program->log);
    free(program->image);
    free(program->text);
    free(program);
    *out = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < count; i++)
        if (!options[i])
            return NVRTC_ERROR_INVALID_INPUT;
    if (program->callback && program->callback(program->payload, NULL) != 0)
        return NVRTC_ERROR_CANCELLED;
    free(program->log);
    free(program->image);
    free(program->text);
    program->log = program->image = program->text = NULL;
    const nvrtcResult result = umsim_nvrtc_compile(program, count, options);
    program->compiled = true;
    if (result == NVRTC_SUCCESS)
        umsim_nvrtc_lower(program);
    return result;
}

/* ---- results ---- */

/* One zero more than the module has: programs cut the last byte off, as if it were a text's (CuPy does). */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = program->image ? program->bytes + 1 : 0;
    return program->image ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *out)
{
    if (!program || !program->image)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, program->image, program->bytes + 1);
    return NVRTC_SUCCESS;
}

static bool has_text(nvrtcProgram program)
{
    if (program && program->image && !program->text)
        program->text = umsim_image_to_text(program->image, program->bytes);
    return program && program->text;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = has_text(program) ? strlen(program->text) + 1 : 0;
    return *bytes ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *out)
{
    if (!has_text(program))
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    strcpy(out, program->text);
    return NVRTC_SUCCESS;
}

static nvrtcResult not_made(size_t *bytes)
{
    if (bytes)
        *bytes = 0;
    return NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *bytes)
{
    (void)program;
    return not_made(bytes);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *out)
{
    (void)program, (void)out;
    return not_made(NULL);
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *bytes)
{
    (void)program;
    return not_made(bytes);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *out)
{
    (void)program, (void)out;
    return not_made(NULL);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = (program->log ? strlen(program->log) : 0) + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *out)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    strcpy(out, program->log ? program->log : "");
    return NVRTC_SUCCESS;
}

/* ---- names ---- */

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression)
        return NVRTC_ERROR_INVALID_INPUT;
    if (program->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct umsim_name *more =
        realloc(program->names, ((size_t)program->names_count + 1) * sizeof *program->names);
    if (!more)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->names = more;
    more[program->names_count] = (struct umsim_name){strdup(expression), NULL};
    if (!more[program->names_count].expression)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->names_count++;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!program->compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (int i = 0; i < program->names_count; i++)
        if (strcmp(program->names[i].expression, expression) == 0 && program->names[i].lowered) {
            *name = program->names[i].lowered;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- what means nothing here ---- */

static size_t pch_heap;

nvrtcResult nvrtcGetPCHHeapSize(size_t *bytes)
{
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = pch_heap;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetPCHHeapSize(size_t bytes)
{
    pch_heap = bytes;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program)
{
    return program ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t *bytes)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes)
        return NVRTC_ERROR_INVALID_INPUT;
    *bytes = 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *), void *payload)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback)
        return NVRTC_ERROR_INVALID_INPUT;
    program->callback = callback;
    program->payload = payload;
    return NVRTC_SUCCESS;
}
