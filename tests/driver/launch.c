/**
 * @file launch.c
 * @brief Launches: by pointers, packed, with attributes; attributes of functions, occupancy; after a fault.
 */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

static int read_int(CUdeviceptr p)
{
    int value = -1;
    NEED(cuMemcpyDtoH(&value, p, sizeof value));
    return value;
}

/* The kernel that adds up its block's shape. */
static CUresult shaped(CUfunction function, CUdeviceptr out, unsigned gx, unsigned gy, unsigned gz,
                       unsigned bx, unsigned by, unsigned bz, unsigned shared)
{
    void *parameters[] = {&out};
    const CUresult result = cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, 0, parameters, NULL);
    const CUresult then = cuCtxSynchronize();
    return result ? result : then;
}

static void shapes_are_checked(void)
{
    CUfunction function;
    CUdeviceptr out;
    in_a_context();
    function = kernel("shape");
    out = zeros(4);
    RETURNS("cuLaunchKernel: 2 blocks of 3 x 2 x 1", shaped(function, out, 2, 1, 1, 3, 2, 1, 0));
    answer("cuLaunchKernel: 2 blocks of 3 x 2 x 1: sum", "%d", read_int(out));
    RETURNS("cuLaunchKernel: block of 1024", shaped(function, out, 1, 1, 1, 1024, 1, 1, 0));
    RETURNS("cuLaunchKernel: block of 1025", shaped(function, out, 1, 1, 1, 1025, 1, 1, 0));
    RETURNS("cuLaunchKernel: block of 32 x 33", shaped(function, out, 1, 1, 1, 32, 33, 1, 0));
    RETURNS("cuLaunchKernel: block z 65", shaped(function, out, 1, 1, 1, 1, 1, 65, 0));
    RETURNS("cuLaunchKernel: block x 0", shaped(function, out, 1, 1, 1, 0, 1, 1, 0));
    RETURNS("cuLaunchKernel: block z 0", shaped(function, out, 1, 1, 1, 1, 1, 0, 0));
    RETURNS("cuLaunchKernel: grid x 0", shaped(function, out, 0, 1, 1, 1, 1, 1, 0));
    RETURNS("cuLaunchKernel: grid y 0", shaped(function, out, 1, 0, 1, 1, 1, 1, 0));
    RETURNS("cuLaunchKernel: grid y 65536", shaped(function, out, 1, 65536, 1, 1, 1, 1, 0));
    RETURNS("cuLaunchKernel: grid x 2^31", shaped(function, out, 1u << 31, 1, 1, 1, 1, 1, 0));
    RETURNS("cuLaunchKernel: shared 49152", shaped(function, out, 1, 1, 1, 1, 1, 1, 49152));
    RETURNS("cuLaunchKernel: shared 49153", shaped(function, out, 1, 1, 1, 1, 1, 1, 49153));
    RETURNS("cuLaunchKernel: shared 2^30", shaped(function, out, 1, 1, 1, 1, 1, 1, 1u << 30));
    RETURNS("cuLaunchKernel: NULL function", shaped(NULL, out, 1, 1, 1, 1, 1, 1, 0));
}

static void parameters_come_as_pointers(void)
{
    const int n = 1000;
    float a = 2, host[1000], *none = NULL;
    CUfunction function;
    CUdeviceptr x, y;
    int count = n;
    in_a_context();
    function = kernel("saxpy");
    x = zeros(n * sizeof(float));
    y = zeros(n * sizeof(float));
    NEED(cuMemsetD32(x, 0x3f800000, (size_t)n));
    void *parameters[] = {&a, &x, &y, &count};
    (void)none;
    RETURNS("cuLaunchKernel: saxpy", cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, 0, parameters, NULL));
    RETURNS("cuLaunchKernel: saxpy: cuMemcpyDtoH", cuMemcpyDtoH(host, y, sizeof host));
    answer("cuLaunchKernel: saxpy: values", "%g %g", host[0], host[n - 1]);
    RETURNS("cuLaunchKernel: neither parameters nor extra",
            cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    RETURNS("cuLaunchKernel: nothing wanted, nothing given",
            cuLaunchKernel(kernel("nothing"), 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    NEED(cuCtxSynchronize());
}

static CUresult packed(CUfunction function, void *buffer, size_t bytes)
{
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, NULL, extra);
}

static void parameters_come_packed(void)
{
    struct {
        char c;
        double d;
        short s;
        CUdeviceptr out;
    } buffer = {1, 2.5, 3, 0};
    struct {
        struct {
            int first;
            double second;
        } pair;
        char last;
        CUdeviceptr out;
    } structured = {{1, 2.5}, 4, 0};
    CUfunction function, structure;
    CUdeviceptr out;
    double value = 0;
    size_t bytes = sizeof buffer;
    void *both[] = {&buffer.c, &buffer.d, &buffer.s, &buffer.out};
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    void *unknown[] = {(void *)9, &buffer, CU_LAUNCH_PARAM_END};
    in_a_context();
    function = kernel("mixed");
    structure = kernel("structure");
    out = buffer.out = zeros(8);
    RETURNS("packed: all bytes", packed(function, &buffer, sizeof buffer));
    answer("packed: all bytes: result", "%d", read_int(out));
    RETURNS("packed: one byte too few", packed(function, &buffer, sizeof buffer - 1));
    RETURNS("packed: 8 bytes more", packed(function, &buffer, sizeof buffer + 8));
    RETURNS("packed: no bytes", packed(function, &buffer, 0));
    RETURNS("packed: and pointers", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, both, extra));
    RETURNS("packed: key 9", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, NULL, unknown));
    structured.out = out;
    RETURNS("packed: a structure", packed(structure, &structured, sizeof structured));
    NEED(cuMemcpyDtoH(&value, out, 8));
    answer("packed: a structure: result", "%g", value);
    NEED(cuCtxSynchronize());
}

static void parameters_are_described(void)
{
    CUfunction function;
    size_t offset = 77, bytes = 77;
    char name[64];
    in_a_context();
    function = kernel("structure");
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "cuFuncGetParamInfo: %zu", i);
        const CUresult result = cuFuncGetParamInfo(function, i, &offset, &bytes);
        if (result)
            RETURNS(name, result);
        else
            answer(name, "at %zu, %zu bytes", offset, bytes);
    }
    RETURNS("cuFuncGetParamInfo: no offset", cuFuncGetParamInfo(function, 0, NULL, &bytes));
}

static void old_calls_still_launch(void)
{
    CUfunction function;
    CUdeviceptr out;
    in_a_context();
    function = kernel("mixed");
    out = zeros(4);
    RETURNS("cuFuncSetBlockShape", cuFuncSetBlockShape(function, 1, 1, 1));
    RETURNS("cuFuncSetBlockShape: 0", cuFuncSetBlockShape(function, 0, 1, 1));
    RETURNS("cuFuncSetSharedSize", cuFuncSetSharedSize(function, 0));
    RETURNS("cuParamSetSize", cuParamSetSize(function, 32));
    RETURNS("cuParamSeti", cuParamSeti(function, 0, 1));
    RETURNS("cuParamSetv: a double", cuParamSetv(function, 8, &(double){2.5}, 8));
    RETURNS("cuParamSetv: a short", cuParamSetv(function, 16, &(short){3}, 2));
    RETURNS("cuParamSetv: a pointer", cuParamSetv(function, 24, &out, 8));
    RETURNS("cuLaunch", cuLaunch(function));
    answer("cuLaunch: result", "%d", read_int(out));
    NEED(cuMemsetD32(out, 0, 1));
    RETURNS("cuLaunchGrid", cuLaunchGrid(function, 2, 1));
    answer("cuLaunchGrid: result", "%d", read_int(out));
    RETURNS("cuLaunchGrid: 0", cuLaunchGrid(function, 0, 1));
    RETURNS("cuLaunchGridAsync", cuLaunchGridAsync(function, 1, 1, 0));
    NEED(cuCtxSynchronize());
}

static void launches_have_attributes(void)
{
    CUlaunchConfig config;
    CUlaunchAttribute attribute;
    CUfunction function;
    CUdeviceptr out;
    in_a_context();
    function = kernel("shape");
    out = zeros(4);
    void *parameters[] = {&out};
    memset(&config, 0, sizeof config);
    memset(&attribute, 0, sizeof attribute);
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 4;
    config.blockDimY = config.blockDimZ = 1;
    RETURNS("cuLaunchKernelEx: no attributes", cuLaunchKernelEx(&config, function, parameters, NULL));
    answer("cuLaunchKernelEx: no attributes: sum", "%d", read_int(out));
    RETURNS("cuLaunchKernelEx(NULL)", cuLaunchKernelEx(NULL, function, parameters, NULL));
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    RETURNS("cuLaunchKernelEx: cooperative", cuLaunchKernelEx(&config, function, parameters, NULL));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    attribute.value.priority = -1;
    RETURNS("cuLaunchKernelEx: priority", cuLaunchKernelEx(&config, function, parameters, NULL));
    attribute.id = CU_LAUNCH_ATTRIBUTE_IGNORE;
    RETURNS("cuLaunchKernelEx: ignore", cuLaunchKernelEx(&config, function, parameters, NULL));
    config.attrs = NULL;
    RETURNS("cuLaunchKernelEx: 1 and NULL", cuLaunchKernelEx(&config, function, parameters, NULL));
    RETURNS("cuLaunchCooperativeKernel",
            cuLaunchCooperativeKernel(function, 2, 1, 1, 32, 1, 1, 0, 0, parameters));
    RETURNS("cuLaunchCooperativeKernel: too many blocks",
            cuLaunchCooperativeKernel(function, 1000000, 1, 1, 1024, 1, 1, 0, 0, parameters));
    NEED(cuCtxSynchronize());
}

static void shared_memory_has_a_limit(void)
{
    CUfunction function;
    CUdeviceptr out;
    int words = 15000, value = 77;
    in_a_context();
    function = kernel("dynamic");
    out = zeros(4);
    void *parameters[] = {&out, &words};
    RETURNS("cuFuncGetAttribute: dynamic shared",
            cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    answer("cuFuncGetAttribute: dynamic shared: which", "%d", value);
    RETURNS("cuLaunchKernel: 60000 bytes, not asked for",
            cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 60000, 0, parameters, NULL));
    RETURNS("cuFuncSetAttribute: dynamic shared 60000",
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
    RETURNS("cuLaunchKernel: 60000 bytes",
            cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 60000, 0, parameters, NULL));
    answer("cuLaunchKernel: 60000 bytes: result", "%d", read_int(out));
    RETURNS("cuFuncSetAttribute: dynamic shared -1",
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    RETURNS("cuFuncSetAttribute: dynamic shared 2^30",
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
    RETURNS("cuFuncSetAttribute: registers", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
    RETURNS("cuFuncSetAttribute: carveout 50",
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
    RETURNS("cuFuncSetAttribute: carveout 101",
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    RETURNS("cuFuncGetAttribute: threads",
            cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    answer("cuFuncGetAttribute: threads: which", "%d", value);
    RETURNS("cuFuncGetAttribute: 100", cuFuncGetAttribute(&value, (CUfunction_attribute)100, function));
    RETURNS("cuFuncGetAttribute(NULL)", cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    RETURNS("cuFuncGetAttribute: NULL function",
            cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
    RETURNS("cuFuncSetCacheConfig", cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
    RETURNS("cuFuncSetCacheConfig: 9", cuFuncSetCacheConfig(function, (CUfunc_cache)9));
}

static size_t no_shared(int threads)
{
    (void)threads;
    return 0;
}

static void occupancy_is_told(void)
{
    CUfunction function;
    int blocks = 77, grid = 77, block = 77;
    size_t bytes = 77;
    in_a_context();
    function = kernel("nothing");
    RETURNS("occupancy: blocks of 256",
            cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    answer("occupancy: blocks of 256: which", "%d", blocks);
    NEED(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1024, 0));
    answer("occupancy: blocks of 1024", "%d", blocks);
    NEED(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 40000));
    answer("occupancy: 40000 bytes", "%d", blocks);
    RETURNS("occupancy: blocks of 0", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0));
    RETURNS("occupancy(NULL)", cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, function, 256, 0));
    RETURNS("occupancy: flags 1",
            cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 256, 0, 1));
    RETURNS("occupancy: flags 4",
            cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 256, 0, 4));
    RETURNS("occupancy: best block", cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    answer("occupancy: best block: which", "%d", block);
    RETURNS("occupancy: best block, by a function",
            cuOccupancyMaxPotentialBlockSize(&grid, &block, function, no_shared, 0, 0));
    RETURNS("occupancy: best block up to 200",
            cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 200));
    answer("occupancy: best block up to 200: which", "%d", block);
    RETURNS("occupancy: best block(NULL)",
            cuOccupancyMaxPotentialBlockSize(NULL, &block, function, NULL, 0, 0));
    RETURNS("occupancy: shared memory for 4 blocks",
            cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 4, 256));
    RETURNS("occupancy: shared memory for 0 blocks",
            cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 0, 256));
}

static void variables_reach_kernels(void)
{
    const float other[4] = {5, 6, 7, 8};
    const double first = 100;
    CUmodule module;
    CUfunction function, doubles;
    CUdeviceptr p, out, shared;
    float host[4];
    in_a_context();
    module = module_of_kernels();
    NEED(cuModuleGetFunction(&function, module, "scaled"));
    NEED(cuModuleGetFunction(&doubles, module, "doubles"));
    out = zeros(16);
    NEED(cuModuleGetGlobal(&p, NULL, module, "coefficients"));
    RETURNS("constant: cuMemcpyHtoD", cuMemcpyHtoD(p, other, sizeof other));
    NEED(cuModuleGetGlobal(&p, NULL, module, "table"));
    RETURNS("variable: cuMemcpyHtoD", cuMemcpyHtoD(p, &first, sizeof first));
    void *parameters[] = {&out};
    NEED(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters, NULL));
    NEED(cuMemcpyDtoH(host, out, sizeof host));
    answer("variables: what a kernel sees", "%g %g", host[0], host[3]);
    NEED(cuModuleGetGlobal(&shared, NULL, module, "shared_number"));
    *(int *)(size_t)shared = 21;
    NEED(cuLaunchKernel(doubles, 1, 1, 1, 1, 1, 1, 0, 0, parameters, NULL));
    answer("managed variable: what a kernel sees", "%d", read_int(out));
}

static void a_fault_sticks(void)
{
    CUfunction function;
    CUdeviceptr p = 16, other;
    CUcontext context;
    CUstream stream;
    size_t bytes;
    int n;
    context = in_a_context();
    function = kernel("follow");
    NEED(cuMemAlloc(&other, 16));
    void *parameters[] = {&p};
    RETURNS("fault: the launch", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, parameters, NULL));
    RETURNS("fault: cuCtxSynchronize", cuCtxSynchronize());
    RETURNS("fault: cuCtxSynchronize again", cuCtxSynchronize());
    RETURNS("fault: cuMemAlloc", cuMemAlloc(&p, 16));
    RETURNS("fault: cuMemFree", cuMemFree(other));
    RETURNS("fault: cuMemGetInfo", cuMemGetInfo(&bytes, &bytes));
    RETURNS("fault: cuStreamCreate", cuStreamCreate(&stream, 0));
    RETURNS("fault: cuStreamQuery", cuStreamQuery(0));
    RETURNS("fault: cuDeviceGetCount", cuDeviceGetCount(&n));
    RETURNS("fault: cuCtxGetCurrent", cuCtxGetCurrent(&context));
    RETURNS("fault: cuCtxGetDevice", cuCtxGetDevice(&n));
    RETURNS("fault: cuCtxDestroy", cuCtxDestroy(context));
    RETURNS("fault: cuCtxCreate", cuCtxCreate(&context, NULL, 0, 0));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour launch_behaviours[] = {RUN(shapes_are_checked),
                                              RUN(parameters_come_as_pointers),
                                              RUN(parameters_come_packed),
                                              RUN(parameters_are_described),
                                              RUN(old_calls_still_launch),
                                              RUN(launches_have_attributes),
                                              RUN(shared_memory_has_a_limit),
                                              RUN(occupancy_is_told),
                                              RUN(variables_reach_kernels),
                                              RUN(a_fault_sticks),
                                              {NULL, NULL}};
