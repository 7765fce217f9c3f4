/**
 * @file opencl.c
 * @brief Compiles CUDA's text of kernels as OpenCL's and runs it on the processor: PoCL, or whatever OpenCL
 * driver for processors is here.
 *
 * Its headers decide whether this is compiled, its loader is looked for at run time: neither is needed to
 * build. OpenCL's names stand for CUDA's, and a kernel's pointers get `global`.
 */
#include "peers.h"

#include "../bench.h"

#ifndef BENCH_OPENCL /* its headers are here: mk/tools.mk */
const char *bench_opencl_open(const char *path)
{
    (void)path;
    return "built without OpenCL's headers (Debian: apt-get install ocl-icd-opencl-dev)";
}

void bench_opencl_buffers(void *const *arrays, const size_t *bytes, int count)
{
    (void)arrays, (void)bytes, (void)count;
}

void bench_opencl_write(int buffer, const void *from, size_t bytes)
{
    (void)buffer, (void)from, (void)bytes;
}

void bench_opencl_read(int buffer, void *to, size_t bytes)
{
    (void)buffer, (void)to, (void)bytes;
}

void bench_opencl_launch(const char *kernel, const unsigned *grid, const unsigned *block,
                         const struct bench_argument *arguments, int count)
{
    (void)kernel, (void)grid, (void)block, (void)arguments, (void)count;
}

void bench_opencl_wait(void)
{
}
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

static const char *const names = "#define __global__ kernel\n"
                                 "#define __shared__ local\n"
                                 "#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE)\n"
                                 "#define threadIdx ((uint4)(get_local_id(0), get_local_id(1), 0, 0))\n"
                                 "#define blockIdx ((uint4)(get_group_id(0), get_group_id(1), 0, 0))\n"
                                 "#define blockDim ((uint4)(get_local_size(0), get_local_size(1), 1, 0))\n"
                                 "#define gridDim ((uint4)(get_num_groups(0), get_num_groups(1), 1, 0))\n"
                                 "#define atomicAdd(place, value) atomic_add(place, value)\n"
                                 "#define make_float4(x, y, z, w) ((float4)(x, y, z, w))\n"
                                 "#define sqrtf sqrt\n"
                                 "#define rsqrtf rsqrt\n"
                                 "#define expf exp\n"
                                 "#define logf log\n"
                                 "#define fabsf fabs\n"
                                 "#line 1\n";

/* The loader's functions that are used. */
#define FUNCTIONS(f)                                                                                         \
    f(clGetPlatformIDs) f(clGetDeviceIDs) f(clCreateContext) f(clCreateCommandQueue)                         \
        f(clCreateProgramWithSource) f(clBuildProgram) f(clCreateKernel) f(clCreateBuffer) f(clSetKernelArg) \
            f(clEnqueueNDRangeKernel) f(clGetProgramBuildInfo) f(clEnqueueReadBuffer)                        \
                f(clEnqueueWriteBuffer) f(clFinish) f(clReleaseKernel) f(clReleaseMemObject)
#define DECLARE(name) __typeof__(name) *name;
static struct {
    FUNCTIONS(DECLARE)
} cl;

enum { MOST_BUFFERS = 8 };
static cl_command_queue queue;
static cl_context context;
static cl_program program;
static cl_mem buffers[MOST_BUFFERS];

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

/* The text with `global` before each parameter of a kernel that is a pointer. @return NULL: no such file */
static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    static char from[1 << 16], to[2 << 16];
    const size_t length = file ? fread(from, 1, sizeof from - 1, file) : 0;
    if (!file || fclose(file) != 0 || length == 0 || length == sizeof from - 1)
        return NULL;
    char *out = stpcpy(to, names);
    int inside = 0; /* of a kernel's parameters */
    for (const char *p = from; *p; p++) {
        inside = inside ? *p != ')' : strncmp(p, "__global__", 10) == 0;
        *out++ = *p;
        if (inside && (*p == '(' || *p == ',')) {
            const size_t parameter = strcspn(p + 1, ",)"), star = strcspn(p + 1, "*");
            out = stpcpy(out, star < parameter ? " global " : " ");
        }
    }
    *out = '\0';
    return to;
}

const char *bench_opencl_open(const char *path)
{
    cl_device_id device;
    cl_int error;
    const char *why_not = load(), *source = text_of(path);
    if (!why_not)
        why_not = find_device(&device);
    if (!why_not && !source)
        why_not = "the kernels' text cannot be read";
    if (why_not)
        return why_not;
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = cl.clCreateCommandQueue(context, device, 0, &error);
    need(error, "clCreateCommandQueue");
    program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &error);
    need(error, "clCreateProgramWithSource");
    error = cl.clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[1 << 14];
        cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s", log);
    }
    need(error, "clBuildProgram");
    return NULL;
}

void bench_opencl_buffers(void *const *arrays, const size_t *bytes, int count)
{
    for (int i = 0; i < MOST_BUFFERS; i++) {
        if (buffers[i])
            cl.clReleaseMemObject(buffers[i]);
        buffers[i] = NULL;
    }
    for (int i = 0; i < count; i++) {
        cl_int error;
        buffers[i] =
            cl.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes[i], arrays[i], &error);
        need(error, "clCreateBuffer");
    }
}

void bench_opencl_write(int buffer, const void *from, size_t bytes)
{
    need(cl.clEnqueueWriteBuffer(queue, buffers[buffer], CL_TRUE, 0, bytes, from, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
}

void bench_opencl_read(int buffer, void *to, size_t bytes)
{
    need(cl.clEnqueueReadBuffer(queue, buffers[buffer], CL_TRUE, 0, bytes, to, 0, NULL, NULL),
         "clEnqueueReadBuffer");
}

void bench_opencl_launch(const char *name, const unsigned *grid, const unsigned *block,
                         const struct bench_argument *arguments, int count)
{
    const size_t threads[2] = {(size_t)grid[0] * block[0], (size_t)grid[1] * block[1]};
    const size_t group[2] = {block[0], block[1]};
    cl_int error;
    cl_kernel kernel = cl.clCreateKernel(program, name, &error);
    need(error, name);
    for (int i = 0; i < count; i++) {
        const int buffer = arguments[i].buffer;
        need(buffer < 0 ? cl.clSetKernelArg(kernel, (cl_uint)i, 4, &arguments[i].number)
                        : cl.clSetKernelArg(kernel, (cl_uint)i, sizeof buffers[buffer], &buffers[buffer]),
             "clSetKernelArg");
    }
    need(cl.clEnqueueNDRangeKernel(queue, kernel, 2, NULL, threads, group, 0, NULL, NULL), name);
    need(cl.clReleaseKernel(kernel), "clReleaseKernel");
}

void bench_opencl_wait(void)
{
    need(cl.clFinish(queue), "clFinish");
}
#endif
