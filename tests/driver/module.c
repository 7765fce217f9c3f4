/**
 * @file module.c
 * @brief Modules and libraries: what is loaded, and what is found in it.
 */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

static void load(const char *name, const char *image)
{
    CUmodule module = NULL;
    RETURNS(name, cuModuleLoadData(&module, image));
}

static void what_is_no_module_is_refused(void)
{
    static char zeros_only[4096], text[4096] = "no module at all";
    static const char elf[4096] = "\177ELF\2\1\1";
    CUmodule module = NULL;
    in_a_context();
    load("cuModuleLoadData: text", text);
    load("cuModuleLoadData: zeros", zeros_only);
    load("cuModuleLoadData: an empty ELF header", elf);
    load("cuModuleLoadData: broken PTX", ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n");
    RETURNS("cuModuleLoadData: NULL image", cuModuleLoadData(&module, NULL));
    RETURNS("cuModuleLoad: no such file", cuModuleLoad(&module, "/nonexistent/file.cubin"));
    RETURNS("cuModuleLoad: a folder", cuModuleLoad(&module, "/tmp"));
    RETURNS("cuModuleLoad: no module", cuModuleLoad(&module, "/etc/passwd"));
    RETURNS("cuModuleLoad: NULL name", cuModuleLoad(&module, NULL));
    RETURNS("cuModuleLoad(NULL)", cuModuleLoad(NULL, kernels_file));
    RETURNS("cuModuleLoadData(NULL)", cuModuleLoadData(NULL, kernels_image()));
}

static void a_module_is_loaded_and_unloaded(void)
{
    CUmodule module = NULL, second = NULL;
    CUfunction function, other;
    in_a_context();
    RETURNS("cuModuleLoad", cuModuleLoad(&module, kernels_file));
    RETURNS("cuModuleLoadData", cuModuleLoadData(&second, kernels_image()));
    answer("cuModuleLoadData: another module", "%d", module != second);
    NEED(cuModuleGetFunction(&function, module, "saxpy"));
    NEED(cuModuleGetFunction(&other, second, "saxpy"));
    answer("cuModuleLoadData: another function", "%d", function != other);
    RETURNS("cuModuleUnload", cuModuleUnload(module));
    RETURNS("cuModuleUnload: the second", cuModuleUnload(second));
    RETURNS("cuModuleUnload(NULL)", cuModuleUnload(NULL));
}

static void options_are_read(void)
{
    char error[256], info[256];
    CUmodule module = NULL;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {error, (void *)sizeof error, info, (void *)sizeof info};
    in_a_context();
    memset(error, 0, sizeof error);
    memset(info, 0, sizeof info);
    RETURNS("cuModuleLoadDataEx: no options", cuModuleLoadDataEx(&module, kernels_image(), 0, NULL, NULL));
    RETURNS("cuModuleLoadDataEx: logs", cuModuleLoadDataEx(&module, kernels_image(), 4, options, values));
    RETURNS("cuModuleLoadDataEx: broken PTX",
            cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n", 4,
                               options, values));
    answer("cuModuleLoadDataEx: broken PTX: a log", "%d", error[0] != 0);
    RETURNS("cuModuleLoadDataEx: 4 and NULL", cuModuleLoadDataEx(&module, kernels_image(), 4, NULL, NULL));
}

static void functions_are_found(void)
{
    CUfunction function = NULL, again = NULL, mangled = NULL;
    CUmodule module, its = NULL;
    const char *name = "";
    unsigned count = 0;
    in_a_context();
    module = module_of_kernels();
    RETURNS("cuModuleGetFunction", cuModuleGetFunction(&function, module, "saxpy"));
    RETURNS("cuModuleGetFunction: again", cuModuleGetFunction(&again, module, "saxpy"));
    answer("cuModuleGetFunction: again: the same", "%d", function == again);
    RETURNS("cuModuleGetFunction: no such name", cuModuleGetFunction(&again, module, "nowhere"));
    RETURNS("cuModuleGetFunction: an empty name", cuModuleGetFunction(&again, module, ""));
    RETURNS("cuModuleGetFunction: a variable", cuModuleGetFunction(&again, module, "counter"));
    RETURNS("cuModuleGetFunction: without mangling", cuModuleGetFunction(&again, module, "mangled"));
    RETURNS("cuModuleGetFunction: mangled", cuModuleGetFunction(&mangled, module, "_Z7mangledPi"));
    RETURNS("cuModuleGetFunction: NULL name", cuModuleGetFunction(&again, module, NULL));
    RETURNS("cuModuleGetFunction(NULL)", cuModuleGetFunction(NULL, module, "saxpy"));
    RETURNS("cuFuncGetName", cuFuncGetName(&name, function));
    answer("cuFuncGetName: which", "%s", name);
    NEED(cuFuncGetName(&name, mangled));
    answer("cuFuncGetName: mangled", "%s", name);
    RETURNS("cuFuncGetName(NULL)", cuFuncGetName(NULL, function));
    RETURNS("cuFuncGetName: no function", cuFuncGetName(&name, NULL));
    RETURNS("cuFuncGetModule: no function", cuFuncGetModule(&its, NULL));
    RETURNS("cuFuncGetModule", cuFuncGetModule(&its, function));
    answer("cuFuncGetModule: its own", "%d", its == module);
    RETURNS("cuModuleGetFunctionCount", cuModuleGetFunctionCount(&count, module));
    answer("cuModuleGetFunctionCount: which", "%u", count);
    RETURNS("cuModuleGetFunctionCount(NULL)", cuModuleGetFunctionCount(NULL, module));
}

static void functions_are_listed(void)
{
    CUfunction list[3] = {NULL, NULL, NULL};
    CUmodule module;
    CUfunctionLoadingState state = (CUfunctionLoadingState)77;
    CUmoduleLoadingMode mode = (CUmoduleLoadingMode)77;
    in_a_context();
    module = module_of_kernels();
    RETURNS("cuModuleEnumerateFunctions: 3", cuModuleEnumerateFunctions(list, 3, module));
    answer("cuModuleEnumerateFunctions: 3: all set", "%d", list[0] && list[1] && list[2]);
    RETURNS("cuModuleEnumerateFunctions: 0", cuModuleEnumerateFunctions(list, 0, module));
    RETURNS("cuModuleEnumerateFunctions(NULL)", cuModuleEnumerateFunctions(NULL, 3, module));
    RETURNS("cuFuncLoad", cuFuncLoad(list[0]));
    RETURNS("cuFuncIsLoaded", cuFuncIsLoaded(&state, list[0]));
    answer("cuFuncIsLoaded: after cuFuncLoad", "%d", (int)state);
    RETURNS("cuFuncIsLoaded(NULL)", cuFuncIsLoaded(NULL, list[0]));
    RETURNS("cuModuleGetLoadingMode", cuModuleGetLoadingMode(&mode));
}

static void variables_are_found(void)
{
    CUdeviceptr p = 0, other;
    size_t bytes = 0;
    CUmodule module;
    int value = 0;
    in_a_context();
    module = module_of_kernels();
    RETURNS("cuModuleGetGlobal", cuModuleGetGlobal(&p, &bytes, module, "counter"));
    answer("cuModuleGetGlobal: bytes", "%zu", bytes);
    RETURNS("cuModuleGetGlobal: cuMemcpyDtoH", cuMemcpyDtoH(&value, p, 4));
    answer("cuModuleGetGlobal: its first value", "%d", value);
    RETURNS("cuModuleGetGlobal: an array", cuModuleGetGlobal(&p, &bytes, module, "table"));
    answer("cuModuleGetGlobal: an array: bytes", "%zu", bytes);
    RETURNS("cuModuleGetGlobal: constant", cuModuleGetGlobal(&p, &bytes, module, "coefficients"));
    answer("cuModuleGetGlobal: constant: bytes", "%zu", bytes);
    RETURNS("cuModuleGetGlobal: in a namespace", cuModuleGetGlobal(&p, &bytes, module, "_ZN5inner6hiddenE"));
    RETURNS("cuModuleGetGlobal: in a namespace, without it", cuModuleGetGlobal(&p, &bytes, module, "hidden"));
    RETURNS("cuModuleGetGlobal: no such name", cuModuleGetGlobal(&p, &bytes, module, "nowhere"));
    RETURNS("cuModuleGetGlobal: a function", cuModuleGetGlobal(&p, &bytes, module, "saxpy"));
    RETURNS("cuModuleGetGlobal: no address", cuModuleGetGlobal(NULL, &bytes, module, "counter"));
    RETURNS("cuModuleGetGlobal: no size", cuModuleGetGlobal(&other, NULL, module, "counter"));
    RETURNS("cuModuleGetGlobal: neither", cuModuleGetGlobal(NULL, NULL, module, "counter"));
    RETURNS("cuModuleGetGlobal: NULL name", cuModuleGetGlobal(&p, &bytes, module, NULL));
}

static void each_load_has_its_own_variables(void)
{
    CUdeviceptr first, second;
    CUfunction count;
    CUmodule module, other;
    int by = 3, value = 0;
    void *parameters[] = {&by};
    in_a_context();
    module = module_of_kernels();
    other = module_of_kernels();
    NEED(cuModuleGetGlobal(&first, NULL, module, "counter"));
    NEED(cuModuleGetGlobal(&second, NULL, other, "counter"));
    NEED(cuModuleGetFunction(&count, module, "count"));
    NEED(cuLaunchKernel(count, 1, 1, 1, 4, 1, 1, 0, 0, parameters, NULL));
    NEED(cuMemcpyDtoH(&value, first, 4));
    answer("two loads: the first's variable", "%d", value);
    NEED(cuMemcpyDtoH(&value, second, 4));
    answer("two loads: the second's variable", "%d", value);
    NEED(cuModuleUnload(module));
    NEED(cuMemcpyDtoH(&value, second, 4));
    answer("two loads: after the first is unloaded", "%d", value);
}

static void no_kernel_has_a_name_or_parameters(void)
{
    size_t offset, size;
    const char *name;
    RETURNS("cuKernelGetName: no kernel", cuKernelGetName(&name, NULL));
    RETURNS("cuKernelGetLibrary: no kernel", cuKernelGetLibrary(&(CUlibrary){NULL}, NULL));
    RETURNS("cuKernelGetParamInfo: no kernel", cuKernelGetParamInfo(NULL, 0, &offset, &size));
    RETURNS("cuFuncGetParamInfo: no function", cuFuncGetParamInfo(NULL, 0, &offset, &size));
}

static void parameters_without_a_context(void)
{
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUmodule module;
    size_t offset, size;
    const char *name;
    in_a_context();
    NEED(cuLibraryLoadData(&library, kernels_image(), NULL, NULL, 0, NULL, NULL, 0));
    NEED(cuLibraryGetKernel(&kernel, library, "mixed"));
    NEED(cuModuleGetFunction(&function, module_of_kernels(), "mixed"));
    NEED(cuCtxSetCurrent(NULL));
    RETURNS("no context: cuKernelGetParamInfo", cuKernelGetParamInfo(kernel, 0, &offset, &size));
    RETURNS("no context: cuFuncGetParamInfo", cuFuncGetParamInfo(function, 0, &offset, &size));
    RETURNS("no context: cuKernelGetName", cuKernelGetName(&name, kernel));
    RETURNS("no context: cuFuncGetName", cuFuncGetName(&name, function));
    RETURNS("no context: cuFuncGetModule", cuFuncGetModule(&module, function));
}

static void libraries_have_kernels(void)
{
    CUlibrary library = NULL, its = NULL;
    CUkernel kernel = NULL;
    CUfunction function = NULL;
    CUmodule module = NULL;
    CUdeviceptr p;
    size_t bytes = 0, offset = 77, size = 77;
    unsigned count = 0;
    const char *name = "";
    int value = 77;
    in_a_context();
    RETURNS("cuLibraryLoadData", cuLibraryLoadData(&library, kernels_image(), NULL, NULL, 0, NULL, NULL, 0));
    RETURNS("cuLibraryLoadData(NULL)",
            cuLibraryLoadData(NULL, kernels_image(), NULL, NULL, 0, NULL, NULL, 0));
    RETURNS("cuLibraryLoadFromFile: no such file",
            cuLibraryLoadFromFile(&its, "/nonexistent/file", NULL, NULL, 0, NULL, NULL, 0));
    RETURNS("cuLibraryGetKernel", cuLibraryGetKernel(&kernel, library, "mixed"));
    RETURNS("cuLibraryGetKernel: no such name", cuLibraryGetKernel(&(CUkernel){NULL}, library, "nowhere"));
    RETURNS("cuLibraryGetKernelCount", cuLibraryGetKernelCount(&count, library));
    answer("cuLibraryGetKernelCount: which", "%u", count);
    RETURNS("cuLibraryGetModule", cuLibraryGetModule(&module, library));
    RETURNS("cuLibraryGetGlobal", cuLibraryGetGlobal(&p, &bytes, library, "counter"));
    answer("cuLibraryGetGlobal: bytes", "%zu", bytes);
    RETURNS("cuLibraryGetGlobal: no such name", cuLibraryGetGlobal(&p, &bytes, library, "nowhere"));
    RETURNS("cuLibraryGetManaged", cuLibraryGetManaged(&p, &bytes, library, "shared_number"));
    RETURNS("cuKernelGetFunction", cuKernelGetFunction(&function, kernel));
    RETURNS("cuKernelGetLibrary", cuKernelGetLibrary(&its, kernel));
    answer("cuKernelGetLibrary: its own", "%d", its == library);
    RETURNS("cuKernelGetName", cuKernelGetName(&name, kernel));
    answer("cuKernelGetName: which", "%s", name);
    RETURNS("cuKernelGetParamInfo: 1", cuKernelGetParamInfo(kernel, 1, &offset, &size));
    answer("cuKernelGetParamInfo: 1: which", "at %zu, %zu bytes", offset, size);
    RETURNS("cuKernelGetParamInfo: 4", cuKernelGetParamInfo(kernel, 4, &offset, &size));
    RETURNS("cuKernelGetParamInfo: no size", cuKernelGetParamInfo(kernel, 3, &offset, NULL));
    answer("cuKernelGetParamInfo: 3: offset", "%zu", offset);
    no_kernel_has_a_name_or_parameters();
    RETURNS("cuKernelGetAttribute",
            cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    answer("cuKernelGetAttribute: threads", "%d", value);
    RETURNS("cuKernelGetAttribute: device 1000",
            cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 1000));
    RETURNS("cuLibraryUnload", cuLibraryUnload(library));
    RETURNS("cuLibraryUnload(NULL)", cuLibraryUnload(NULL));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour module_behaviours[] = {RUN(what_is_no_module_is_refused),
                                              RUN(a_module_is_loaded_and_unloaded),
                                              RUN(options_are_read),
                                              RUN(functions_are_found),
                                              RUN(functions_are_listed),
                                              RUN(variables_are_found),
                                              RUN(each_load_has_its_own_variables),
                                              RUN(libraries_have_kernels),
                                              RUN(parameters_without_a_context),
                                              {NULL, NULL}};
