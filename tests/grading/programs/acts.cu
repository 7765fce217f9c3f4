/**
 * @file acts.cu
 * @brief What a graded program does, as a client of the process that owns the GPU's state.
 *
 * The first argument says which; what it has to say is on stdout, a line each.
 */
#include "cuda_runtime.h"
#include "umsim.h"
#include "umsim_price.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "umsim/keyed_value.h"

__global__ void add_one(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}

__global__ void store_keyed(uint64_t *p)
{
    *p = umsim_keyed(p, NULL, UMSIM_KEYED_WHOLE_64, UMSIM_KEYED_STORED, 7);
}

static void need(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("%s\n", cudaGetErrorName(error));
    exit(1);
}

static void launch(int *p, int n)
{
    add_one<<<(n + 255) / 256, 256>>>(p, n);
    need(cudaGetLastError());
}

/* A sequence whose ledger is known to the last byte: 3 MiB up, 1 MiB down, 1 MiB across. */
static void sequence(void)
{
    const size_t mib = 1 << 20;
    char *host = (char *)calloc(2, mib), *device, *other, *pinned, *managed;
    cudaStream_t stream;
    cudaEvent_t event;
    need(cudaStreamCreate(&stream));
    need(cudaEventCreate(&event));
    need(cudaMalloc((void **)&device, 2 * mib));
    need(cudaMalloc((void **)&other, mib));
    need(cudaMallocHost((void **)&pinned, mib));
    need(cudaMallocManaged((void **)&managed, 4 * mib));
    need(cudaMemcpy(device, host, 2 * mib, cudaMemcpyHostToDevice));
    need(cudaMemcpy2D(other, 2048, pinned, 1024, 1024, 512, cudaMemcpyHostToDevice));
    need(cudaMemcpyAsync(other, pinned, mib / 2, cudaMemcpyHostToDevice, stream));
    need(cudaMemcpy(device + mib, device, mib, cudaMemcpyDeviceToDevice));
    need(cudaMemset(device, 7, mib));
    launch((int *)device, 1024);
    launch((int *)device, 1024);
    memset(managed, 1, 4 * mib);
    launch((int *)managed, (int)mib);
    need(cudaEventRecord(event, stream));
    need(cudaEventSynchronize(event));
    need(cudaStreamSynchronize(stream));
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, device, mib, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], managed[4 * mib - 4]);
    need(cudaFree(other));
    need(cudaFree(managed));
    need(cudaFreeHost(pinned));
    need(cudaEventDestroy(event));
    free(host);
}

/* Until somebody ends it. */
static void launches(void)
{
    int *p;
    need(cudaMalloc((void **)&p, 1 << 20));
    printf("launches\n");
    fflush(stdout);
    for (;;) {
        launch(p, 1 << 18);
        need(cudaDeviceSynchronize());
    }
}

/* What the kernel stores in place of a 7, by what it should, and what the host would. */
static void keyed(void)
{
    const struct umsim_key key = {{42, 43}}; /* served.c's */
    uint64_t *p, value;
    need(cudaMalloc((void **)&p, 8));
    store_keyed<<<1, 1>>>(p);
    need(cudaMemcpy(&value, p, 8, cudaMemcpyDeviceToHost));
    printf("%s %llu\n",
           value == umsim_keyed_bits(&key, UMSIM_KEYED_WHOLE_64, UMSIM_KEYED_STORED, 7) ? "mixed" : "wrong",
           (unsigned long long)umsim_keyed(p, NULL, UMSIM_KEYED_WHOLE_64, UMSIM_KEYED_STORED, 7));
}

/* What another kind of memory would take. */
static void prices(void)
{
    const struct umsim_profile *machine;
    cudaError_t error = umsim_price_machine(&machine);
    printf("%s %s\n", cudaGetErrorName(error), machine ? "priced" : "refused");
}

/* Memory from the time before the start, and from after it; the second time, too. */
static void registers(void)
{
    char *p = (char *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *heap = (int *)calloc(1 << 16, 4);
    need(cudaHostRegister(p, 1 << 20, 0));
    need(cudaHostRegister(heap, 1 << 18, 0));
    launch((int *)p, 1 << 18);
    launch(heap, 1 << 16);
    need(cudaDeviceSynchronize());
    printf("%d %d\n", ((int *)p)[1000], heap[1000]);
    need(cudaHostUnregister(p));
    need(cudaHostRegister(p, 1 << 20, 0));
    launch((int *)p, 1 << 18);
    need(cudaDeviceSynchronize());
    printf("%d\n", ((int *)p)[1000]);
}

__global__ void store_at(int *base, const long *index)
{
    base[*index] = 7;
}

__global__ void load_at(int *to, const int *base, const long *index)
{
    *to = base[*index];
}

__global__ void add_at(int *base, const long *index)
{
    atomicAdd(&base[*index], 1);
}

/* What a kernel knows of its process without being told. */
__global__ void look_around(char **to)
{
    to[0] = (char *)__builtin_frame_address(0);
    to[1] = (char *)&stdout;
    to[2] = (char *)&malloc;
}

static char *known_to_kernels(int which, char *device)
{
    char *found[3];
    look_around<<<1, 1>>>((char **)device);
    need(cudaMemcpy(found, device, sizeof found, cudaMemcpyDeviceToHost));
    return found[which];
}

/* An address that somebody has found who can read the list of the GPU process's mappings. */
static char *told(void)
{
    void *p = NULL;
    printf("ready\n");
    fflush(stdout);
    if (scanf("%p", &p) != 1)
        exit(3);
    return (char *)p;
}

static char *target(const char *name, char *device)
{
    static const char *const known[] = {"stack", "data", "code"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, known[i]) == 0)
            return known_to_kernels(i, device);
    if (strcmp(name, "behind") == 0)
        return device + ((size_t)1 << 41); /* over the end of its arena, and of all others */
    return told();
}

/* The address as an argument, or reached by an index from memory that may be used. */
static const char *wanted_target, *wanted_way;

static void reaches(void)
{
    char *device;
    long *index;
    need(cudaMalloc((void **)&device, 4096));
    need(cudaMalloc((void **)&index, 8));
    char *p = target(wanted_target, device), *base = device;
    long distance = 0;
    if (strchr(wanted_way, 'i'))
        distance = ((intptr_t)p - (intptr_t)device) / 4;
    else
        base = p;
    need(cudaMemcpy(index, &distance, 8, cudaMemcpyHostToDevice));
    if (strchr(wanted_way, 's'))
        store_at<<<1, 1>>>((int *)base, index);
    else if (strchr(wanted_way, 'l'))
        load_at<<<1, 1>>>((int *)device, (int *)base, index);
    else
        add_at<<<1, 1>>>((int *)base, index);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*act)(void);
    } acts[] = {
        {"sequence", sequence}, {"launches", launches},   {"keyed", keyed},
        {"prices", prices},     {"registers", registers}, {"reaches", reaches},
    };
    wanted_target = argc > 2 ? argv[2] : "";
    wanted_way = argc > 3 ? argv[3] : "";
    for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(argv[1], acts[i].name) == 0) {
            acts[i].act();
            fflush(stdout);
            return 0;
        }
    return 2;
}
