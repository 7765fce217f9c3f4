/**
 * @file modules.c
 * @brief Implementation of modules.h: lists of the sections and kernels that object files register.
 *
 * Object files register in constructors, which run before main(), when no lock is needed yet, or in dlopen().
 * A plain mutex protects the lists.
 */
#include "modules.h"
#include "../base/layout.h"
#include "managed.h"
#include "protection.h"
#include "../base/report.h"
#include "views.h"
#include "../base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MODULES_MAX 256

struct kernel {
    void (*stub)(void);
    umsim_thunk_fn thunk;
    const char *name;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const struct umsim_module *modules[MODULES_MAX];
static unsigned objects[MODULES_MAX]; /* how many of its object files have registered it */
static bool adopted[MODULES_MAX];
static size_t module_count;
static struct kernel *kernels;
static size_t kernel_count, kernel_capacity;
static struct variable {
    const void *address;
    size_t bytes;
} * variables;
static size_t variable_count, variable_capacity;
static bool changed;

/* @return its index, module_count if it is not known */
static size_t find_module(const struct umsim_module *module)
{
    size_t i = 0;
    while (i < module_count && modules[i]->managed_start != module->managed_start)
        i++;
    return i;
}

void umsim_register_module(const struct umsim_module *module)
{
    pthread_mutex_lock(&mutex);
    const size_t i = find_module(module);
    if (i < MODULES_MAX && i == module_count) {
        modules[module_count++] = module;
        objects[i] = 0;
        adopted[i] = false;
        changed = true;
    }
    if (i < MODULES_MAX)
        objects[i]++;
    pthread_mutex_unlock(&mutex);
}

/* LeakSanitizer reads all data of a program that ends, and crashes on data that is closed to it. */
static void open_for_leak_check(const struct umsim_module *module)
{
#ifdef __SANITIZE_ADDRESS__
    mprotect((void *)module->managed_start, (size_t)(module->managed_end - module->managed_start), PROT_READ);
    mprotect((void *)module->device_start, (size_t)(module->device_end - module->device_start), PROT_READ);
    mprotect((void *)module->constant_start, (size_t)(module->constant_end - module->constant_start),
             PROT_READ);
#else
    (void)module;
#endif
}

void umsim_unregister_module(const struct umsim_module *module)
{
    pthread_mutex_lock(&mutex);
    const size_t i = find_module(module);
    if (i < module_count && --objects[i] == 0) {
        open_for_leak_check(module);
        const size_t behind = module_count-- - i - 1;
        memmove(&modules[i], &modules[i + 1], behind * sizeof modules[0]);
        memmove(&objects[i], &objects[i + 1], behind * sizeof objects[0]);
        memmove(&adopted[i], &adopted[i + 1], behind * sizeof adopted[0]);
    }
    pthread_mutex_unlock(&mutex);
}

void umsim_register_kernel(void (*stub)(void), umsim_thunk_fn thunk, const char *name)
{
    pthread_mutex_lock(&mutex);
    if (kernel_count == kernel_capacity) {
        kernel_capacity = kernel_capacity ? 2 * kernel_capacity : 64;
        kernels = realloc(kernels, kernel_capacity * sizeof *kernels);
        if (!kernels)
            abort();
    }
    kernels[kernel_count++] = (struct kernel){stub, thunk, name};
    changed = true;
    pthread_mutex_unlock(&mutex);
}

void umsim_register_variable(const void *variable, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    if (variable_count == variable_capacity) {
        variable_capacity = variable_capacity ? 2 * variable_capacity : 64;
        variables = realloc(variables, variable_capacity * sizeof *variables);
        if (!variables)
            abort();
    }
    variables[variable_count++] = (struct variable){variable, bytes};
    pthread_mutex_unlock(&mutex);
}

size_t umsim_variable_bytes(const void *variable)
{
    size_t bytes = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < variable_count; i++)
        if (variables[i].address == variable)
            bytes = variables[i].bytes;
    pthread_mutex_unlock(&mutex);
    return bytes;
}

umsim_thunk_fn umsim_kernel_thunk(const void *stub, const char **name)
{
    umsim_thunk_fn thunk = NULL;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < kernel_count; i++)
        if ((const void *)(uintptr_t)kernels[i].stub == stub) {
            thunk = kernels[i].thunk;
            if (name)
                *name = kernels[i].name;
        }
    pthread_mutex_unlock(&mutex);
    return thunk;
}

/* Replaces memory by shared memory with the same bytes at the same address, which a fork shares. */
static char *make_shared(char *start, size_t bytes, const char *name)
{
    int fd = umsim_memory_file(name, bytes);
    char *window = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (window == MAP_FAILED)
        umsim_die("no shared memory for %zu bytes of %s variables: %s", bytes, name, strerror(errno));
    memcpy(window, start, bytes);
    if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != start)
        umsim_die("cannot share %zu bytes of %s variables: %s", bytes, name, strerror(errno));
    close(fd);
    umsim_keep_out_of_cores(start, bytes);
    umsim_keep_out_of_cores(window, bytes);
    return window;
}

static void adopt_device(char *start, char *end, const char *word)
{
    unsigned index = atomic_load(&umsim_views->sections);
    const size_t bytes = umsim_round_up((size_t)(end - start), UMSIM_PAGE);
    if (bytes <= UMSIM_PAGE) /* only the section's own first page (umsim/module.h): it has no variables */
        return;
    struct umsim_alloc *entry = umsim_registry_add(start, bytes, UMSIM_DEVICE_VARIABLE, word, NULL);
    if (index == UMSIM_SECTIONS_MAX || !entry)
        umsim_die("too many modules with %s variables (at most %d)", word, UMSIM_SECTIONS_MAX);
    umsim_views->section[index] = (struct umsim_section){start, bytes, make_shared(start, bytes, word)};
    atomic_store(&umsim_views->sections, index + 1);
    mprotect(start, bytes, PROT_NONE);
}

static void adopt_managed(char *start, char *end)
{
    const size_t bytes = umsim_round_up((size_t)(end - start), UMSIM_PAGE);
    if (bytes <= UMSIM_PAGE)
        return;
    struct umsim_alloc *entry = umsim_registry_add(start, bytes, UMSIM_MANAGED_VARIABLE, "__managed__", NULL);
    if (!entry)
        umsim_die("no memory for __managed__ variables");
    char *window = make_shared(start, bytes, "__managed__");
    mprotect(start, bytes, PROT_NONE);
    if (!umsim_managed_adopt(start, bytes, window))
        umsim_die("too many modules with __managed__ variables (at most %d)", UMSIM_SPACES_MAX - 1);
}

bool umsim_modules_adopt(void)
{
    bool any = false;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < module_count; i++) {
        if (adopted[i])
            continue;
        adopt_device(modules[i]->device_start, modules[i]->device_end, "__device__");
        adopt_device(modules[i]->constant_start, modules[i]->constant_end, "__constant__");
        adopt_managed(modules[i]->managed_start, modules[i]->managed_end);
        adopted[i] = any = true;
    }
    pthread_mutex_unlock(&mutex);
    return any;
}

void umsim_kernels_each(void (*visit)(const void *stub))
{
    for (size_t i = 0; i < kernel_count; i++)
        visit((const void *)(uintptr_t)kernels[i].stub);
}

bool umsim_modules_changed(void)
{
    return changed;
}

void umsim_modules_seen(void)
{
    changed = false;
}
