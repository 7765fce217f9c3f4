/**
 * @file dumps.cu
 * @brief The program whose core files tests/lifecycle/cores.c looks at: `dumps MODE`. Modes are the functions
 * below.
 *
 * It has memory of each kind, far more than a core file should have, and a word in each.
 */
#include "../../programs/need.h"

#include <umsim.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__managed__ char managed_variable[64 << 20];
__device__ char device_variable[64 << 20];

__global__ void mark(char *p, size_t bytes, char letter)
{
    for (size_t i = 0; i < bytes; i += 32 << 20)
        for (int k = 0; k < 256; k++)
            p[i + k] = letter;
    device_variable[0] = letter;
}

static const size_t GIB = size_t(1) << 30;
static volatile char own[] = "the program's own word";

static void fill_all()
{
    char *device, *managed, *pinned, *own_pages;
    const size_t registered = 16 << 20;
    NEED(cudaMalloc((void **)&device, 4 * GIB));
    NEED(cudaMallocManaged((void **)&managed, 64 * GIB));
    NEED(cudaMallocHost((void **)&pinned, 4 * GIB));
    own_pages = (char *)mmap(NULL, registered, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NEED(cudaHostRegister(own_pages, registered, cudaHostRegisterDefault));
    strcpy(own_pages, "a registered word");
    mark<<<1, 1>>>(device, 4 * GIB, 'd');
    mark<<<1, 1>>>(managed, 64 * GIB, 'm');
    NEED(cudaDeviceSynchronize());
    for (size_t i = 0; i < 64 * GIB; i += 64 << 20)
        managed[i + 100] = 1;
    for (size_t i = 0; i < 4 * GIB; i += 16 << 20)
        pinned[i] = 1;
    memset(managed_variable, 'v', sizeof managed_variable);
    own[0] = 'T';
}

static void store_to_null()
{
    int *d_x;
    NEED(cudaMalloc((void **)&d_x, 4096));
    *(volatile int *)NULL = 1;
}

static void store_to_null_with_all()
{
    fill_all();
    *(volatile int *)NULL = 1;
}

static void store_to_device()
{
    int *d_x;
    NEED(cudaMalloc((void **)&d_x, 4096));
    *(volatile int *)d_x = 1;
}

static void abort_with_all()
{
    fill_all();
    abort();
}

static void wait_with_all()
{
    fill_all();
    printf("%d\n", umsim_gpu_pid());
    fflush(stdout);
    pause();
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {{"null", store_to_null},
             {"null-with-all", store_to_null_with_all},
             {"device", store_to_device},
             {"abort-with-all", abort_with_all},
             {"wait-with-all", wait_with_all}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    fprintf(stderr, "dumps: no such mode\n");
    return 4;
}
