/**
 * @file plugins.cu
 * @brief A program that loads and unloads libraries with kernels and managed variables of their own.
 *
 * The library is plugin.cu. The case's argument is a folder with copies of it, plugin0.so and on: each copy
 * is a library of its own.
 */
#include "robust.h"

#include <dlfcn.h>
#include <string>

typedef int (*work)(int *device, int *managed);

static void *open_plugin(int number)
{
    const std::string name = std::string(robust_argument) + "/plugin" + std::to_string(number) + ".so";
    void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);

    HOLDS(library, "%s", dlerror());
    return library;
}

/* Adds 1 to what `device` and `managed` lead to, by the plugin's kernel. @return the plugin's count of calls
 */
static int use(void *library, int *device, int *managed)
{
    work go = (work)dlsym(library, "plugin_work");

    HOLDS(go, "%s", dlerror());
    return go(device, managed);
}

/* Two libraries by turns, each closed before the other is opened: their variables begin anew each time. */
static void opened_and_closed()
{
    int *device = NULL, *managed = managed_ints(16), seen = 0;
    const int rounds = robust_times(100, 500);

    NEED(cudaMalloc((void **)&device, 64));
    NEED(cudaMemset(device, 0, 64));
    for (int round = 0; round < rounds; round++)
        for (int number = 0; number < 2; number++) {
            void *library = open_plugin(number);
            for (int i = 1; i <= 2; i++) {
                const int calls = use(library, device, managed);
                HOLDS(calls == i, "round %d, plugin %d: call %d of %d", round, number, calls, i);
            }
            HOLDS(dlclose(library) == 0, "%s", dlerror());
        }
    NEED(cudaMemcpy(&seen, device, sizeof seen, cudaMemcpyDeviceToHost));
    HOLDS(seen == 4 * rounds && *managed == 4 * rounds, "%d, %d", seen, *managed);
}

/* Closed while its kernels are queued: dlclose() runs the library's destructors, then its pages are gone. */
static void opened_before_the_first_call()
{
    void *library = open_plugin(0);
    int *device = NULL, *managed = managed_ints(16);

    NEED(cudaMalloc((void **)&device, 64));
    HOLDS(use(library, device, managed) == 1, "the first call");
    HOLDS(dlclose(library) == 0, "%s", dlerror());
    gpu_works("after it was closed");
}

/* More than the simulator has places for: it works, or the program ends with one line that says so. */
static void a_hundred_at_once()
{
    int *device = NULL, *managed = managed_ints(16);

    NEED(cudaMalloc((void **)&device, 64));
    for (int number = 0; number < 100; number++)
        HOLDS(use(open_plugin(number), device, managed) == 1, "plugin %d", number);
}

ROBUST_CASES({"opened-and-closed", opened_and_closed},
             {"opened-before-the-first-call", opened_before_the_first_call},
             {"a-hundred-at-once", a_hundred_at_once})
