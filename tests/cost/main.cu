/**
 * @file main.cu
 * @brief The cells of kernels: what launches of kernels of many shapes take (README.md).
 *
 *     nvcc -O3 -arch=native -o cost tests/cost/(all).cu && ./cost > FILE
 *     ./cost --only=atomic --divide=64
 */
#include "cells.h"

#include <cstring>

const char *only;
size_t divide = 1;
int samples = 11;

bool is_asked(const char *name)
{
    return !only || strncmp(name, only, strlen(only)) == 0;
}

void print_cell(const char *name, const std::vector<float> &us)
{
    std::vector<float> sorted(us);
    std::sort(sorted.begin(), sorted.end());
    printf("{\"cell\": \"%s\", \"us\": %.3f, \"samples\": [", name, sorted[sorted.size() / 2]);
    for (size_t i = 0; i < us.size(); i++)
        printf("%s%.3f", i ? ", " : "", us[i]);
    printf("]}\n");
    fflush(stdout);
}

static void print_device()
{
    cudaDeviceProp device;
    int driver = 0, runtime = 0;
    MUST(cudaGetDeviceProperties(&device, 0));
    MUST(cudaDriverGetVersion(&driver));
    MUST(cudaRuntimeGetVersion(&runtime));
    printf(
        "{\"device\": \"%s\", \"driver\": %d, \"runtime\": %d, \"multiprocessors\": %d, \"divide\": %zu}\n",
        device.name, driver, runtime, device.multiProcessorCount, divide);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else if (strncmp(argv[i], "--divide=", 9) == 0)
            divide = strtoul(argv[i] + 9, NULL, 10);
        else if (strncmp(argv[i], "--samples=", 10) == 0)
            samples = atoi(argv[i] + 10);
    }
    print_device();
    cells_of_patterns();
    cells_of_caches();
    cells_of_matrices();
    cells_of_atomics();
    cells_of_arithmetic();
    cells_of_host_memory();
    cells_of_mixtures();
    cells_of_warps();
    return 0;
}
