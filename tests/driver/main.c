/**
 * @file main.c
 * @brief Runs the behaviours, each function in a process of its own (behaviour.h).
 *
 *     driver MODULE [PART]      MODULE: kernels.cu as a module; PART: only functions whose name contains it
 *
 * Where the program sees two devices, what concerns two is asked, else what concerns one.
 */
#include "behaviour.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *kernels_file;

void answer(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s\t", name);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    fflush(stdout);
}

const char *result_name(CUresult result)
{
    const char *name = NULL;
    return cuGetErrorName(result, &name) == CUDA_SUCCESS && name ? name : "no error of this number";
}

void require_at(CUresult result, const char *call, const char *file, int line)
{
    if (result == CUDA_SUCCESS)
        return;
    printf("%s:%d: %s returned %s\n", file, line, call, result_name(result));
    exit(1);
}

CUcontext in_a_context(void)
{
    CUdevice device;
    CUcontext context;
    NEED(cuInit(0));
    NEED(cuDeviceGet(&device, 0));
    NEED(cuCtxCreate(&context, NULL, 0, device));
    return context;
}

CUmodule module_of_kernels(void)
{
    CUmodule module;
    NEED(cuModuleLoad(&module, kernels_file));
    return module;
}

CUfunction kernel(const char *name)
{
    CUfunction function;
    NEED(cuModuleGetFunction(&function, module_of_kernels(), name));
    return function;
}

const void *kernels_image(void)
{
    FILE *file = fopen(kernels_file, "rb");
    if (!file)
        exit(1);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    char *image = malloc((size_t)size);
    rewind(file);
    if (!image || fread(image, 1, (size_t)size, file) != (size_t)size)
        exit(1);
    fclose(file);
    return image;
}

CUdeviceptr zeros(size_t bytes)
{
    CUdeviceptr p;
    NEED(cuMemAlloc(&p, bytes));
    NEED(cuMemsetD8(p, 0, bytes));
    return p;
}

static int run(const struct behaviour *it)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        it->run();
        exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        answer(it->name, "ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        answer(it->name, "ended with status %d", WEXITSTATUS(status));
    return status != 0;
}

/* Asked in a process of its own: the driver is not for the children of who has used it. */
static bool two_devices(void)
{
    int status = 0, count = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 1);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    static const struct behaviour *const of_one[] = {
        start_behaviours,  context_behaviours, memory_behaviours,     copy_behaviours,
        stream_behaviours, graph_behaviours,   graph_exec_behaviours, module_behaviours,
        launch_behaviours, pointer_behaviours, mixed_behaviours,      NULL};
    static const struct behaviour *const of_two[] = {two_behaviours, two_work_behaviours,
                                                     two_mixed_behaviours, NULL};
    int failed = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: %s MODULE [PART]\n", argv[0]);
        return 2;
    }
    kernels_file = argv[1];
    for (const struct behaviour *const *file = two_devices() ? of_two : of_one; *file; file++)
        for (const struct behaviour *it = *file; it->name; it++)
            if (argc < 3 || strstr(it->name, argv[2]))
                failed |= run(it);
    return failed;
}
