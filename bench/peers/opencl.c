/**
 * @file opencl.c
 * @brief The peer that also runs GPU kernels on the processor: PoCL, or whatever OpenCL driver for processors
 * is here.
 *
 * Its headers decide whether this is compiled, its loader is looked for at run time: neither is needed to
 * build.
 */
#include "peers.h"

#include "../bench.h"

#ifndef BENCH_OPENCL /* its headers are here: mk/tools.mk */
const char *bench_opencl_start(const struct bench_arrays *arrays)
{
    (void)arrays;
    return "built without OpenCL's headers (Debian: apt-get install ocl-icd-opencl-dev)";
}

double bench_opencl_us(enum bench_work work)
{
    (void)work;
    return 0;
}
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>

/* bench/engine.cu's kernels, word by word in OpenCL's. */
static const char *const source =
    "kernel void add(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        c[i] = a[i] + b[i];\n"
    "}\n"
    "kernel void saxpy(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        c[i] = 2 * a[i] + c[i];\n"
    "}\n"
    "kernel void stride(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        c[i] = 2 * a[i] + c[i];\n"
    "}\n"
    "kernel void matrix(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "    local float as[TILE][TILE], bs[TILE][TILE];\n"
    "    const int x = get_local_id(0), y = get_local_id(1);\n"
    "    const int row = get_group_id(1) * TILE + y, column = get_group_id(0) * TILE + x;\n"
    "    float sum = 0;\n"
    "    for (int t = 0; t < SIDE / TILE; t++) {\n"
    "        as[y][x] = a[row * SIDE + t * TILE + x];\n"
    "        bs[y][x] = b[(t * TILE + y) * SIDE + column];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < TILE; k++)\n"
    "            sum += as[y][k] * bs[k][x];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    c[row * SIDE + column] = sum;\n"
    "}\n"
    "kernel void reduce(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "    local float part[BLOCK];\n"
    "    const unsigned t = get_local_id(0);\n"
    "    const size_t i = get_global_id(0);\n"
    "    part[t] = i < n ? a[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (unsigned d = get_local_size(0) / 2; d > 0; d /= 2) {\n"
    "        if (t < d)\n"
    "            part[t] += part[t + d];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (t == 0)\n"
    "        c[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void empty(global float *c, global const float *a, global const float *b, ulong n)\n"
    "{\n"
    "}\n";

/* The loader's functions that are used. */
#define FUNCTIONS(f)                                                                                         \
    f(clGetPlatformIDs) f(clGetDeviceIDs) f(clCreateContext) f(clCreateCommandQueue)                         \
        f(clCreateProgramWithSource) f(clBuildProgram) f(clCreateKernel) f(clCreateBuffer) f(clSetKernelArg) \
            f(clEnqueueNDRangeKernel) f(clFinish) f(clReleaseMemObject)
#define DECLARE(name) __typeof__(name) *name;
static struct {
    FUNCTIONS(DECLARE)
} cl;

static cl_command_queue queue;
static cl_context context;
static cl_kernel kernels[BENCH_WORKS];
static cl_mem buffers[3];
static size_t threads;

static void need(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "OpenCL: %s: error %d\n", what, error);
    exit(1);
}

static const char *load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!library)
        return "no OpenCL loader (Debian: apt-get install ocl-icd-libopencl1 pocl-opencl-icd)";
#define FIND(name)                                                                                           \
    cl.name = (__typeof__(name) *)dlsym(library, #name);                                                     \
    if (!cl.name)                                                                                            \
        return "the OpenCL loader has no " #name;
    FUNCTIONS(FIND)
    return NULL;
}

/* A driver for the processor, on any platform. */
static const char *find_device(cl_device_id *device)
{
    cl_platform_id platform[8];
    cl_uint count = 0;
    if (cl.clGetPlatformIDs(8, platform, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < 8; i++)
        if (cl.clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_CPU, 1, device, NULL) == CL_SUCCESS)
            return NULL;
    return "no OpenCL driver for the processor (Debian: apt-get install pocl-opencl-icd)";
}

static const char *prepare(void)
{
    static const char *const names[BENCH_WORKS] = {"add", "saxpy", "stride", "matrix", "reduce", "empty"};
    static const char options[] = "-DTILE=16 -DSIDE=512 -DBLOCK=256";
    _Static_assert(BENCH_TILE == 16 && BENCH_SIDE == 512 && BENCH_BLOCK == 256, "as the options say");
    cl_device_id device;
    cl_int error;
    const char *why_not = load();
    if (!why_not)
        why_not = find_device(&device);
    if (why_not)
        return why_not;
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = cl.clCreateCommandQueue(context, device, 0, &error);
    need(error, "clCreateCommandQueue");
    cl_program program = cl.clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
    need(error, "clCreateProgramWithSource");
    need(cl.clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
    for (int work = 0; work < BENCH_WORKS; work++) {
        kernels[work] = cl.clCreateKernel(program, names[work], &error);
        need(error, names[work]);
    }
    return NULL;
}

const char *bench_opencl_start(const struct bench_arrays *arrays)
{
    float *const host[3] = {arrays->c, arrays->a, arrays->b};
    const cl_ulong n = arrays->n;
    const char *why_not = context ? NULL : prepare();
    if (why_not)
        return why_not;
    threads = arrays->n;
    for (int i = 0; i < 3; i++) {
        cl_int error;
        if (buffers[i])
            cl.clReleaseMemObject(buffers[i]);
        buffers[i] = cl.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n * sizeof(float),
                                       host[i], &error);
        need(error, "clCreateBuffer");
        for (int work = 0; work < BENCH_WORKS; work++)
            need(cl.clSetKernelArg(kernels[work], (cl_uint)i, sizeof buffers[i], &buffers[i]),
                 "clSetKernelArg");
    }
    for (int work = 0; work < BENCH_WORKS; work++)
        need(cl.clSetKernelArg(kernels[work], 3, sizeof n, &n), "clSetKernelArg");
    return NULL;
}

double bench_opencl_us(enum bench_work work)
{
    const bool plane = work == BENCH_MATRIX, nothing = work == BENCH_EMPTY;
    const size_t grid[2] = {plane                  ? BENCH_SIDE
                            : nothing              ? 1
                            : work == BENCH_STRIDE ? (size_t)BENCH_STRIDE_BLOCKS * BENCH_BLOCK
                                                   : threads,
                            BENCH_SIDE};
    const size_t block[2] = {plane ? BENCH_TILE : nothing ? 1 : BENCH_BLOCK, BENCH_TILE};
    const double start = bench_now_us();
    for (int i = 0; i < (nothing ? BENCH_LAUNCHES : 1); i++)
        need(cl.clEnqueueNDRangeKernel(queue, kernels[work], plane ? 2 : 1, NULL, grid, block, 0, NULL, NULL),
             "clEnqueueNDRangeKernel");
    need(cl.clFinish(queue), "clFinish");
    return bench_now_us() - start;
}
#endif
