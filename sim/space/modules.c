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
#include "../base/mode.h"
#include "../base/report.h"
#include "views.h"
#include "../base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct kernel {
    void (*stub)(void);
    umsim_thunk_fn thunk;
    const char *name;
    const struct umsim_parameter *parameters;
    unsigned parameter_count;
    const struct umsim_sizes *sizes;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct module {
    struct umsim_module sections; /* a copy, which outlives the library */
    struct umsim_library library;
    unsigned objects;   /* how many of its object files have registered it */
    bool adopted, gone; /* gone: closed, but not given back yet */
} * modules;
static size_t module_count, module_capacity;
static struct kernel *kernels;
static size_t kernel_count, kernel_capacity;
static struct variable {
    const void *address;
    size_t bytes;
    const char *name; /* NULL: not told */
} * variables;
static size_t variable_count, variable_capacity;
static atomic_bool changed;

static bool is_in(const struct umsim_library *library, const void *p)
{
    return (uintptr_t)p - library->start < library->end - library->start;
}

/* Makes place for one more element. */
static void *grow(void *list, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return list;
    *capacity = *capacity ? 2 * *capacity : 64;
    list = realloc(list, *capacity * bytes);
    if (!list)
        umsim_die("no memory for %zu kernels or variables", *capacity);
    return list;
}

/* @return NULL if it is not known */
static struct module *find_module(const struct umsim_module *module)
{
    for (size_t i = 0; i < module_count; i++)
        if (modules[i].sections.managed_start == module->managed_start && !modules[i].gone)
            return &modules[i];
    return NULL;
}

void umsim_register_module_of_pages(const struct umsim_module *module)
{
    pthread_mutex_lock(&mutex);
    struct module *known = find_module(module);
    if (!known) {
        modules = grow(modules, module_count, &module_capacity, sizeof *modules);
        known = &modules[module_count++];
        *known = (struct module){.sections = *module};
        umsim_library_of(module, &known->library);
        changed = true;
    }
    known->objects++;
    pthread_mutex_unlock(&mutex);
}

void umsim_register_module_of_other_pages(const struct umsim_module *module)
{
    (void)module;
    umsim_die("this program was compiled for pages of another size than %zu bytes, and its variables lie so; "
              "compile it "
              "again, by the umcc that came with this library",
              UMSIM_PAGE);
}

void umsim_register_kernel(void (*stub)(void), umsim_thunk_fn thunk, const char *name)
{
    pthread_mutex_lock(&mutex);
    kernels = grow(kernels, kernel_count, &kernel_capacity, sizeof *kernels);
    kernels[kernel_count++] = (struct kernel){stub, thunk, name, NULL, 0, NULL};
    changed = true;
    pthread_mutex_unlock(&mutex);
}

void umsim_register_parameters(void (*stub)(void), const struct umsim_parameter *list, unsigned count)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = kernel_count; i-- > 0;)
        if (kernels[i].stub == stub) {
            kernels[i].parameters = list;
            kernels[i].parameter_count = count;
            break;
        }
    pthread_mutex_unlock(&mutex);
}

bool umsim_kernel_parameters(const void *stub, const struct umsim_parameter **list, unsigned *count)
{
    bool known = false;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < kernel_count && !known; i++)
        if ((const void *)(uintptr_t)kernels[i].stub == stub && kernels[i].parameters) {
            *list = kernels[i].parameters;
            *count = kernels[i].parameter_count;
            known = true;
        }
    pthread_mutex_unlock(&mutex);
    return known;
}

void umsim_register_sizes(void (*stub)(void), const struct umsim_sizes *sizes)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = kernel_count; i-- > 0;)
        if (kernels[i].stub == stub) {
            kernels[i].sizes = sizes;
            break;
        }
    pthread_mutex_unlock(&mutex);
}

struct umsim_sizes umsim_kernel_sizes(const void *stub)
{
    struct umsim_sizes sizes = {0};
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < kernel_count; i++)
        if ((const void *)(uintptr_t)kernels[i].stub == stub && kernels[i].sizes)
            sizes = *kernels[i].sizes;
    pthread_mutex_unlock(&mutex);
    return sizes;
}

void umsim_register_variable(const void *variable, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    variables = grow(variables, variable_count, &variable_capacity, sizeof *variables);
    variables[variable_count++] = (struct variable){variable, bytes, NULL};
    pthread_mutex_unlock(&mutex);
}

void umsim_name_variable(const void *variable, const char *name)
{
    pthread_mutex_lock(&mutex);
    if (variable_count && variables[variable_count - 1].address == variable)
        variables[variable_count - 1].name = name;
    pthread_mutex_unlock(&mutex);
}

const void *umsim_variable_named(const struct umsim_library *library, const char *name, size_t *bytes)
{
    const void *found = NULL;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < variable_count && !found; i++) {
        const struct variable *it = &variables[i];
        if (!it->name || !is_in(library, it->address) || strcmp(it->name, name) != 0)
            continue;
        found = it->address;
        *bytes = it->bytes;
    }
    pthread_mutex_unlock(&mutex);
    return found;
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
    umsim_note_own(window, bytes);
    return window;
}

/* The first unused place in the table of sections. */
static struct umsim_section *free_section(void)
{
    const unsigned used = atomic_load(&umsim_views->sections);
    for (unsigned i = 0; i < used; i++)
        if (!umsim_views->section[i].bytes)
            return &umsim_views->section[i];
    return used < UMSIM_SECTIONS_MAX ? &umsim_views->section[used] : NULL;
}

/* From now on others find it. */
static void publish(const struct umsim_section *section)
{
    const unsigned number = (unsigned)(section - umsim_views->section) + 1;
    if (number > atomic_load(&umsim_views->sections))
        atomic_store(&umsim_views->sections, number);
}

/* Each of several devices has the variables in its own memory, with their first values. */
static char *copy_for(unsigned device, const struct umsim_section *section, const char *word)
{
    const struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_DEVICE];
    const unsigned current = umsim_device();
    umsim_device_set(device);
    struct umsim_alloc *copy = umsim_allocate(UMSIM_DEVICE_VARIABLE, section->bytes, word, NULL);
    umsim_device_set(current);
    if (!copy)
        umsim_die("no memory for %zu bytes of %s variables on device %u", section->bytes, word, device);
    memcpy(arena->window + (copy->base - arena->base), section->window, section->bytes);
    return copy->base;
}

void *umsim_variable_on(unsigned device, const void *symbol)
{
    for (unsigned i = 0; umsim_devices > 1 && umsim_views && i < atomic_load(&umsim_views->sections); i++) {
        const struct umsim_section *section = &umsim_views->section[i];
        const size_t offset = (uintptr_t)symbol - (uintptr_t)section->base;
        if (offset < section->bytes)
            return section->of_device[device] + offset;
    }
    return (void *)(uintptr_t)symbol;
}

static void adopt_device(char *start, char *end, const char *word)
{
    const size_t bytes = umsim_round_up((size_t)(end - start), UMSIM_PAGE);
    if (bytes <= UMSIM_PAGE) /* only the section's own first page (umsim/module.h): it has no variables */
        return;
    struct umsim_section *section = free_section();
    struct umsim_alloc *entry = umsim_registry_add(start, bytes, UMSIM_DEVICE_VARIABLE, word, NULL);
    if (!section || !entry)
        umsim_die("too many modules with %s variables (at most %d)", word, UMSIM_SECTIONS_MAX);
    *section =
        (struct umsim_section){.base = start, .bytes = bytes, .window = make_shared(start, bytes, word)};
    for (unsigned device = 0; device < umsim_devices; device++)
        section->of_device[device] = umsim_devices == 1 ? start : copy_for(device, section, word);
    publish(section);
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
        const struct umsim_module *sections = &modules[i].sections;
        if (modules[i].adopted)
            continue;
        adopt_device(sections->device_start, sections->device_end, "__device__");
        adopt_device(sections->constant_start, sections->constant_end, "__constant__");
        adopt_managed(sections->managed_start, sections->managed_end);
        modules[i].adopted = any = true;
    }
    pthread_mutex_unlock(&mutex);
    return any;
}

/* ---- libraries that are closed ---- */

static void forget_kernels(const struct umsim_library *library)
{
    size_t left = 0;
    for (size_t i = 0; i < kernel_count; i++)
        if (!is_in(library, (const void *)(uintptr_t)kernels[i].stub))
            kernels[left++] = kernels[i];
    kernel_count = left;
    left = 0;
    for (size_t i = 0; i < variable_count; i++)
        if (!is_in(library, variables[i].address))
            variables[left++] = variables[i];
    variable_count = left;
}

static void drop(struct module *module)
{
    forget_kernels(&module->library);
    *module = modules[--module_count];
}

/* LeakSanitizer reads all data of a program that ends, and crashes on data that is closed to it. */
static void open_for_leak_check(const struct umsim_module *module)
{
#ifdef __SANITIZE_ADDRESS__
    mprotect(module->managed_start, (size_t)(module->managed_end - module->managed_start), PROT_READ);
    mprotect(module->device_start, (size_t)(module->device_end - module->device_start), PROT_READ);
    mprotect(module->constant_start, (size_t)(module->constant_end - module->constant_start), PROT_READ);
#else
    (void)module;
#endif
}

bool umsim_module_closes(const struct umsim_module *closing)
{
    pthread_mutex_lock(&mutex);
    struct module *module = find_module(closing);
    const bool last = module && --module->objects == 0;
    const bool has_more = last && module->adopted && !umsim_is_grading();
    if (last)
        open_for_leak_check(&module->sections);
    if (has_more)
        module->gone = changed = true;
    else if (last)
        drop(module);
    pthread_mutex_unlock(&mutex);
    return has_more;
}

/* @return whether there were any variables, so that the section is in the registry */
static bool unregister(const char *start)
{
    struct umsim_alloc *entry = umsim_registry_find(start);
    if (!entry || entry->base != start)
        return false;
    umsim_registry_remove(entry);
    return true;
}

static void give_back_device(const char *start)
{
    if (!unregister(start))
        return;
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++) {
        struct umsim_section *section = &umsim_views->section[i];
        if (section->base != start)
            continue;
        umsim_unmap_own(section->window, section->bytes);
        for (unsigned device = 0; device < umsim_devices && umsim_devices > 1; device++)
            umsim_release(umsim_registry_find(section->of_device[device]));
        *section = (struct umsim_section){0};
    }
    unsigned used = atomic_load(&umsim_views->sections);
    while (used && !umsim_views->section[used - 1].bytes)
        used--;
    atomic_store(&umsim_views->sections, used);
}

static void give_back(const struct umsim_module *sections)
{
    give_back_device(sections->device_start);
    give_back_device(sections->constant_start);
    if (unregister(sections->managed_start))
        umsim_managed_abandon(sections->managed_start);
}

bool umsim_modules_give_back(struct umsim_library *library)
{
    bool found = false;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < module_count && !found; i++) {
        if (!modules[i].gone)
            continue;
        found = true;
        *library = modules[i].library;
        give_back(&modules[i].sections);
        drop(&modules[i]);
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

void umsim_kernels_each(void (*visit)(const void *stub))
{
    for (size_t i = 0; i < kernel_count; i++)
        visit((const void *)(uintptr_t)kernels[i].stub);
}

unsigned umsim_kernels_of(const struct umsim_library *library, const void **stubs, unsigned capacity)
{
    unsigned count = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < kernel_count; i++) {
        const void *stub = (const void *)(uintptr_t)kernels[i].stub;
        if (!is_in(library, stub))
            continue;
        if (count < capacity)
            stubs[count] = stub;
        count++;
    }
    pthread_mutex_unlock(&mutex);
    return count;
}

bool umsim_modules_changed(void)
{
    return changed;
}

void umsim_modules_seen(void)
{
    changed = false;
}
