/**
 * @file acts.cu
 * @brief What a graded program may do, and what it may not.
 *
 * The first argument says which; what it has to say is on stdout, a line each.
 */
#include "cuda_runtime.h"
#include "umsim.h"
#include "umsim_price.h"
#include "../../hostile/inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

enum { N = 1 << 20, BYTES = N * 4 };
#define PAGE ((size_t)4096)

static void need(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("%s\n", cudaGetErrorName(error));
    exit(1);
}

/* An attack on what is not there would pass unseen: it ends the program. */
static char *found(const char *name, void *p)
{
    if (p)
        return (char *)p;
    fprintf(stderr, "acts: there is no %s to attack\n", name);
    exit(4);
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

/* Managed memory whose pages are on the device. */
static volatile int *on_the_device(void)
{
    int *p;
    need(cudaMallocManaged((void **)&p, BYTES));
    launch(p, N);
    need(cudaDeviceSynchronize());
    return p;
}

static void hides_faults(void)
{
    volatile int *p = on_the_device();
    int refused = syscall(SYS_mprotect, p, BYTES, PROT_READ | PROT_WRITE) != 0;
    if (!refused) /* and closed again before anybody looks, where that helps */
        printf("%d\n", p[5]);
    printf("%s\n", refused ? strerror(errno) : "opened");
}

/* For longer than to the next wait. */
static void keeps_open(void)
{
    volatile int *p = on_the_device();
    if (syscall(SYS_mprotect, p, BYTES, PROT_READ | PROT_WRITE) == 0)
        printf("%d\n", p[5]);
    need(cudaDeviceSynchronize());
}

/* Where nobody looks, and back. */
static void moves(void)
{
    volatile int *p = on_the_device();
    void *away = mremap((void *)p, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x600000000000);
    printf("%s\n", away == MAP_FAILED ? "refused" : "moved");
}

static void open_page(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    void *page = (void *)((uintptr_t)info->si_addr & ~(PAGE - 1));
    if (syscall(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE) != 0) {
        printf("refused\n");
        fflush(stdout);
        _exit(3);
    }
}

/* The kernel's own way to a handler: the library does not hear of it. */
static void takes_the_signal(void)
{
    volatile int *p = on_the_device();
    struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } now, mine;
    syscall(SYS_rt_sigaction, SIGSEGV, NULL, &now, 8);
    mine = now;
    mine.handler = open_page;
    syscall(SYS_rt_sigaction, SIGSEGV, &mine, NULL, 8);
    int value = p[5];
    syscall(SYS_rt_sigaction, SIGSEGV, &now, NULL, 8);
    printf("%d\n", value);
    need(cudaDeviceSynchronize());
}

static void replaces(void)
{
    volatile int *p = on_the_device();
    void *mine =
        mmap((void *)p, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("%s\n", mine == MAP_FAILED ? "refused" : "replaced");
    need(cudaDeviceSynchronize());
}

static void unmaps(void)
{
    volatile int *p = on_the_device();
    printf("%s\n", munmap((void *)p, BYTES) ? "refused" : "unmapped");
    need(cudaDeviceSynchronize());
}

/* A note that no library would send: the simulator's functions are there to be called, if they are found. */
static void releases_nothing(void)
{
    need(cudaFree(NULL));
    void (*released)(unsigned, uint64_t);
    *(void **)&released = found("umsim_ledger_released", inside("umsim_ledger_released"));
    released(0, 4096);
    need(cudaDeviceSynchronize());
}

static void queues_no_free(void)
{
    need(cudaFree(NULL));
    void (*to_release)(unsigned, bool);
    *(void **)&to_release = found("umsim_ledger_to_release", inside("umsim_ledger_to_release"));
    to_release(0, true);
    need(cudaDeviceSynchronize());
}

static int is_open_somewhere(const char *name)
{
    char path[64], target[256];
    int found = 0;
    for (int fd = 0; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0)
            continue;
        target[length] = 0;
        found += strstr(target, name) != NULL;
    }
    return found;
}

/* Lines of /proc/self/maps with `name`: those that are more than addresses kept free, or all. */
static int is_mapped(const char *name, bool all)
{
    char line[512];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, name) && (all || !strstr(line, "---"));
    if (maps)
        fclose(maps);
    return count;
}

/* An arena's file has this name: where it has not, that nothing is found says nothing. */
static const char *arena(const char *name)
{
    return found(name, is_mapped(name, true) ? (void *)name : NULL);
}

static const char *outcome(long result)
{
    return result >= 0 ? "possible" : "refused";
}

static void finds(void)
{
    int *device, value = 0;
    char path[64];
    const int gpu = umsim_gpu_pid();
    need(cudaMalloc((void **)&device, 4096));
    need(cudaMemset(device, 7, 4096));
    need(cudaDeviceSynchronize());
    struct iovec mine = {&value, 4}, its = {device, 4};
    printf("ledger open: %d, mapped: %d\n", is_open_somewhere("ledger"), is_mapped("ledger", false));
    printf("arenas open: %d, device mapped: %d, managed open: %d\n", is_open_somewhere(arena("umsim-device")),
           is_mapped("umsim-device", false), is_mapped(arena("umsim-managed"), false));
    printf("own memory file: ");
    snprintf(path, sizeof path, "/proc/self/mem");
    int memory = open(path, O_RDONLY);
    if (memory >= 0 && pread(memory, &value, 4, (off_t)(uintptr_t)device) != 4)
        value = 0;
    printf("%s\n", value == 0x07070707 ? "shows the device" : "shows nothing");
    printf("process_vm_readv: %s\n", outcome(process_vm_readv(gpu, &mine, 1, &its, 1, 0)));
    printf("ptrace: %s\n", outcome(ptrace(PTRACE_ATTACH, gpu, NULL, NULL)));
    for (const char *const *name = (const char *const[]){"mem", "maps", "fd/0", NULL}; *name; name++) {
        snprintf(path, sizeof path, "/proc/%d/%s", gpu, *name);
        printf("%s: %s\n", *name, outcome(open(path, O_RDONLY)));
    }
    printf("its descriptors: %s\n", outcome(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, gpu, 0), 3, 0)));
}

/* As the grader would run it: a user without powers. */
static void as_nobody(void)
{
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        exit(77);
}

static void copies(void)
{
    const size_t bytes = (size_t)256 << 20;
    char *host = (char *)malloc(bytes), *device;
    need(cudaMalloc((void **)&device, bytes));
    printf("%d\n", umsim_gpu_pid());
    fflush(stdout);
    memset(host, 1, bytes);
    for (;;)
        need(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

/* What the kernel stores in place of a 7, by what it should, and what the host would. */
static void keyed(void)
{
    const struct umsim_key key = {{42, 43}}; /* graded.c's */
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

static void registers_a_table(void)
{
    static int table[1 << 16];
    need(cudaHostRegister(table, sizeof table, 0));
    launch(table, 1 << 16);
    need(cudaDeviceSynchronize());
    printf("%d\n", table[1000]);
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

/* What a kernel could want of the GPU process. The library's names and a list of mappings lead there. */
static char *mapping_with(size_t bytes, const char *protection)
{
    char line[512], flags[8], *p = NULL;
    unsigned long start = 0, end = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !p && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, flags) == 3 && end - start >= bytes &&
            end - start < (size_t)1 << 30 && strcmp(flags, protection) == 0 && strstr(line, "00000000 00:00"))
            p = (char *)start;
    if (maps)
        fclose(maps);
    return p;
}

static char *target(const char *name, char *device)
{
    if (strcmp(name, "libraries") == 0)
        return found(name, inside("umsim_counters"));
    if (strcmp(name, "libc") == 0)
        return found(name, dlsym(RTLD_DEFAULT, "stdout"));
    if (strcmp(name, "state") == 0) /* ..., windows, the workers' stacks: what this process had to give up */
        return found(name, mapping_with(1 << 20, "---p")) + 4096;
    if (strcmp(name, "stack") == 0)
        return (char *)__builtin_frame_address(0);
    if (strcmp(name, "code") == 0)
        return found(name, dlsym(RTLD_DEFAULT, "cudaMalloc"));
    if (strncmp(name, "umsim_", 6) == 0) /* a pointer of the library's, to what both processes share */
        return found(name, *(char **)found(name, inside(name)));
    if (strcmp(name, "behind") == 0)
        return device + ((size_t)1 << 41); /* over the end of its arena, and of all others */
    return found(name, NULL);
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
        {"sequence", sequence},
        {"hides_faults", hides_faults},
        {"keeps_open", keeps_open},
        {"takes_the_signal", takes_the_signal},
        {"moves", moves},
        {"replaces", replaces},
        {"unmaps", unmaps},
        {"releases_nothing", releases_nothing},
        {"queues_no_free", queues_no_free},
        {"finds", finds},
        {"copies", copies},
        {"keyed", keyed},
        {"prices", prices},
        {"registers", registers},
        {"registers_a_table", registers_a_table},
        {"reaches", reaches},
    };
    wanted_target = argc > 2 ? argv[2] : "";
    wanted_way = argc > 3 ? argv[3] : "";
    if (argc > 2 && strcmp(argv[2], "nobody") == 0)
        as_nobody();
    for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(argv[1], acts[i].name) == 0) {
            acts[i].act();
            fflush(stdout);
            return 0;
        }
    return 2;
}
