/**
 * @file processes.cu
 * @brief What processes.py asks of the processes behind two devices: one thing a run, by its name.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <string>
#include <unistd.h>
#include <vector>

__device__ int number;
__constant__ int constant;
__managed__ int everybodys[1 << 18];

__global__ void count(int *p)
{
    if (threadIdx.x == 0)
        ++*p;
}

__global__ void say(int device, int launch, int lines)
{
    for (int i = 0; i < lines; i++)
        printf("line %d %d %d %d\n", device, launch, int(blockIdx.x), i);
}

__global__ void tell(int *where, int value)
{
    int device = -1;
    cudaGetDevice(&device);
    number = value;
    *where = 100 * device + value;
}

__global__ void add_to_everybodys()
{
    everybodys[blockIdx.x * blockDim.x + threadIdx.x]++;
}

__global__ void count_in_child(int *p)
{
    count<<<1, 1>>>(p);
}

static int *zero_on(int device)
{
    int *p = nullptr;
    cudaSetDevice(device);
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    cudaDeviceSynchronize();
    return p;
}

static int read(const void *p)
{
    int value = -1;
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault);
    return value;
}

/* The process of a device: GPU processes are this one's children, forked in the devices' order. */
static pid_t process_of(unsigned device)
{
    std::vector<pid_t> found;
    DIR *folder = opendir("/proc");
    while (const dirent *entry = folder ? readdir(folder) : nullptr) {
        char text[512] = "", path[300], state;
        int parent = 0;
        std::snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = std::atoi(entry->d_name) ? std::fopen(path, "r") : nullptr;
        if (!file)
            continue;
        text[std::fread(text, 1, sizeof text - 1, file)] = 0;
        std::fclose(file);
        const char *rest = std::strrchr(text, ')');
        if (rest && std::sscanf(rest + 1, " %c %d", &state, &parent) == 2 && parent == getpid())
            found.push_back(pid_t(std::atoi(entry->d_name)));
    }
    if (folder)
        closedir(folder);
    std::sort(found.begin(), found.end());
    return device < found.size() ? found[device] : 0;
}

/* As many launches as the ring has places, then one of the device whose process is held up. */
static void hold_up_a_process()
{
    const int before = 256;
    int *of_0 = zero_on(0), *of_1 = zero_on(1);
    const pid_t process = process_of(1);
    char goes_on[64]; /* by another program, as this one's clock is the simulated machine's */
    std::snprintf(goes_on, sizeof goes_on, "(sleep 0.5; kill -CONT %d) &", int(process));
    if (!process || std::system("sleep 0.1") || kill(process, SIGSTOP) || std::system(goes_on)) {
        std::puts("no process that can be held up");
        return;
    }
    cudaSetDevice(0);
    for (int i = 0; i < before; i++)
        count<<<1, 32>>>(of_0);
    cudaSetDevice(1);
    count<<<1, 32>>>(of_1);
    const cudaError_t error = cudaFree(zero_on(0)); /* waits for both */
    std::printf("%s %d %d\n", cudaGetErrorName(error), read(of_0), read(of_1));
}

static void print_on_both()
{
    for (int launch = 0; launch < 100; launch++)
        for (int device = 0; device < 2; device++) {
            cudaSetDevice(device);
            say<<<4, 1>>>(device, launch, 50);
        }
    cudaFree(zero_on(0));
}

static void be_killed()
{
    zero_on(0), zero_on(1);
    std::printf("%d %d\n", int(process_of(0)), int(process_of(1)));
    std::fflush(stdout);
    raise(SIGKILL);
}

static void begin_with_a_symbol()
{
    const int five = 5, seven = 7;
    int read_number = 0, read_constant = 0;
    const cudaError_t first = cudaMemcpyToSymbol(number, &five, sizeof five);
    cudaMemcpyToSymbol(constant, &seven, sizeof seven);
    cudaMemcpyFromSymbol(&read_number, number, sizeof read_number);
    cudaMemcpyFromSymbol(&read_constant, constant, sizeof read_constant);
    std::printf("%s %d %d\n", cudaGetErrorName(first), read_number, read_constant);
}

static void reset_ends_access()
{
    int *of_1 = zero_on(1);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    count<<<1, 1>>>(of_1);
    const cudaError_t with = cudaDeviceSynchronize(), reset = cudaDeviceReset();
    count<<<1, 1>>>(of_1);
    std::printf("%s %s %s\n", cudaGetErrorName(with), cudaGetErrorName(reset),
                cudaGetErrorName(cudaDeviceSynchronize()));
}

__global__ void take_memory(int **where)
{
    *where = (int *)malloc(sizeof **where);
    **where = 1;
}

static void reset_ends_kernels_memory()
{
    int **taken = nullptr;
    cudaMallocHost(&taken, sizeof *taken);
    take_memory<<<1, 1>>>(taken);
    const cudaError_t before = cudaDeviceSynchronize();
    count<<<1, 1>>>(*taken);
    const cudaError_t then = cudaDeviceSynchronize();
    int *const old = *taken;
    cudaDeviceReset();
    count<<<1, 1>>>(old);
    std::printf("%s %s %s\n", cudaGetErrorName(before), cudaGetErrorName(then),
                cudaGetErrorName(cudaDeviceSynchronize()));
}

static void a_changed_node_keeps_its_device()
{
    int *of_1 = zero_on(1), value = 1, variable_0 = 0, variable_1 = 0;
    void *arguments[] = {&of_1, &value};
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaKernelNodeParams params;
    std::memset(&params, 0, sizeof params);
    params.func = (void *)tell;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0); /* so that it would work there, too */
    cudaGraphInstantiate(&exec, graph, 0);
    value = 2;
    cudaGraphExecKernelNodeSetParams(exec, node, &params);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&variable_0, number, sizeof variable_0);
    const int said = read(of_1);
    cudaSetDevice(1);
    cudaMemcpyFromSymbol(&variable_1, number, sizeof variable_1);
    std::printf("%d %d %d\n", said, variable_0, variable_1);
}

/* Each round's pages come from the host anew. */
static void managed_variables(bool with_launches_of_1)
{
    int *of_1 = zero_on(1);
    for (int round = 0; round < 3; round++) {
        for (int &number_of_all : everybodys)
            number_of_all++;
        cudaSetDevice(1);
        if (with_launches_of_1)
            count<<<1, 1>>>(of_1);
        cudaDeviceSynchronize();
        cudaSetDevice(0);
        add_to_everybodys<<<1 << 10, 256>>>();
        cudaDeviceSynchronize();
    }
    std::printf("%d\n", everybodys[1]);
}

static void send_managed_variables_to_1()
{
    const cudaMemLocation one = {cudaMemLocationTypeDevice, 1};
    const cudaError_t sent = cudaMemPrefetchAsync(everybodys, sizeof everybodys, one, 0, 0);
    std::printf(
        "%s %s\n", cudaGetErrorName(sent),
        cudaGetErrorName(cudaMemAdvise(everybodys, sizeof everybodys, cudaMemAdviseSetAccessedBy, one)));
}

static void fault_in_a_child()
{
    int *of_0 = zero_on(0);
    cudaSetDevice(1);
    count_in_child<<<1, 1>>>(of_0);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "hold up")
        hold_up_a_process();
    else if (what == "print")
        print_on_both();
    else if (what == "be killed")
        be_killed();
    else if (what == "symbol")
        begin_with_a_symbol();
    else if (what == "reset")
        reset_ends_access();
    else if (what == "heap")
        reset_ends_kernels_memory();
    else if (what == "node")
        a_changed_node_keeps_its_device();
    else if (what == "managed" || what == "managed beside 1")
        managed_variables(what != "managed");
    else if (what == "prefetch")
        send_managed_variables_to_1();
    else if (what == "child")
        fault_in_a_child();
    return 0;
}
