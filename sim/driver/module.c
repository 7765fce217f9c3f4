/**
 * @file module.c
 * @brief Implementation of module.h (CUDA Driver API: Module Management).
 */
#include "module.h"
#include "bind.h"
#include "image.h"
#include "jit_log.h"
#include "../api/symbol_address.h"
#include "../base/lock.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../base/symbols.h"
#include "../space/modules.h"
#include "../space/registry.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct umsim_spans modules;

CUmodule umsim_module_at(CUmodule handle)
{
    umsim_lock();
    CUmodule it = (CUmodule)umsim_spans_at(&modules, (uintptr_t)handle);
    umsim_unlock();
    return it;
}

/* ---- loading ---- */

/* The loader knows libraries by their names, and a module may be loaded twice. So the file stays open, and
 * its name is the module's alone; addr2line, another process, can read it by that name, too. */
static CUresult open_part(struct umsim_part *it, struct umsim_image_log *log)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), it->file);
    it->opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!it->opened) {
        snprintf(log->text, sizeof log->text, "the module cannot be opened: %s", dlerror());
        umsim_say("%s", log->text);
        return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    const struct link_map *map;
    if (dlinfo(it->opened, RTLD_DI_LINKMAP, &map) != 0 || !umsim_library_of(map->l_ld, &it->library))
        return CUDA_ERROR_INVALID_IMAGE;
    return CUDA_SUCCESS;
}

static void close_parts(CUmodule it)
{
    for (unsigned i = 0; i < it->count; i++) {
        if (it->parts[i].opened)
            dlclose(it->parts[i].opened);
        close(it->parts[i].file);
    }
}

/* A symbol of the module's own, not of the libraries that it needs. */
static void *symbol(const struct umsim_part *part, const char *name)
{
    void *found = dlsym(part->opened, name);
    return (uintptr_t)found >= part->library.start && (uintptr_t)found < part->library.end ? found : NULL;
}

/* Each part's calls find their functions in the others. */
static CUresult connect(CUmodule it, struct umsim_image_log *log)
{
    for (unsigned i = 0; i < it->count; i++) {
        const struct umsim_import *import = symbol(&it->parts[i], "um_imports");
        for (; import && import->slot; import++) {
            for (unsigned k = 0; k < it->count && !*import->slot; k++)
                *import->slot = symbol(&it->parts[k], import->name);
            if (!*import->slot)
                return umsim_image_refuse(log, CUDA_ERROR_INVALID_IMAGE,
                                          "function %s is called, and is in no module that was linked",
                                          import->name);
        }
    }
    return CUDA_SUCCESS;
}

static CUresult copy_parts(CUmodule it, const char *image, const struct umsim_linked *linked,
                           struct umsim_image_log *log)
{
    CUresult error = CUDA_SUCCESS;
    for (uint64_t i = 0; !error && i < linked->count; i++) {
        error = umsim_image_copy(image, &it->parts[i].file, log);
        it->count += !error;
        image += linked->bytes[i];
    }
    return error;
}

struct search {
    CUmodule in;
    char waits[128]; /* a function of a part that is not open yet; "": none */
};

/* A function that a part calls and lacks. */
static void *function_of_another(void *data, const char *name)
{
    struct search *search = data;
    for (unsigned i = 0; i < search->in->count; i++) {
        const struct umsim_part *part = &search->in->parts[i];
        void *found = part->opened ? symbol(part, name) : NULL;
        if (found)
            return found;
        if (!part->opened && umsim_bind_has(part->file, name))
            snprintf(search->waits, sizeof search->waits, "%s", name);
    }
    return NULL;
}

/* Each part when those are open whose functions it calls. */
static CUresult open_parts(CUmodule it, struct umsim_image_log *log)
{
    struct search search = {.in = it};
    unsigned open = 0, before;
    CUresult error = CUDA_SUCCESS;
    do {
        before = open;
        for (unsigned i = 0; i < it->count && !error; i++) {
            if (it->parts[i].opened)
                continue;
            search.waits[0] = '\0';
            if (it->count > 1)
                umsim_bind(it->parts[i].file, function_of_another, &search);
            if (!search.waits[0])
                error = open_part(&it->parts[i], log);
            open += !search.waits[0];
        }
    } while (!error && open > before && open < it->count);
    if (!error && open < it->count)
        return umsim_image_refuse(log, CUDA_ERROR_INVALID_IMAGE,
                                  "modules that were linked call each other in a circle, by function %s: "
                                  "compile them as one file",
                                  search.waits);
    return error ? error : connect(it, log);
}

static void add(CUmodule it)
{
    it->span.start = (uintptr_t)it;
    it->span.bytes = sizeof *it;
    umsim_lock();
    umsim_spans_add(&modules, &it->span);
    umsim_unlock();
}

CUmodule umsim_module_on(CUmodule module, unsigned device)
{
    if (umsim_devices == 1 || module->device != UMSIM_ANY_DEVICE)
        return module;
    for (CUmodule it = module->views; it; it = it->views)
        if (it->device == (int)device)
            return it;
    const size_t bytes = sizeof *module + module->count * sizeof *module->parts;
    CUmodule it = malloc(bytes);
    if (!it)
        return NULL;
    memcpy(it, module, bytes);
    it->device = (int)device;
    it->of = module;
    module->views = it;
    add(it);
    return it;
}

CUresult umsim_module_load(CUmodule *out, const void *image, int device, struct umsim_image_log *log)
{
    struct umsim_linked linked;
    if (!out || !image)
        return CUDA_ERROR_INVALID_VALUE;
    if (umsim_is_grading())
        return CUDA_ERROR_NOT_SUPPORTED;
    if (umsim_image_is_linked(image, &linked))
        image = (const char *)image + sizeof linked;
    else
        linked = (struct umsim_linked){.count = 1};
    CUmodule it = calloc(1, sizeof *it + linked.count * sizeof *it->parts);
    CUresult error = it ? copy_parts(it, image, &linked, log) : CUDA_ERROR_OUT_OF_MEMORY;
    if (!error)
        error = open_parts(it, log);
    if (error) {
        if (it)
            close_parts(it);
        free(it);
        return error;
    }
    it->device = device;
    add(it);
    *out = it;
    return CUDA_SUCCESS;
}

CUresult umsim_module_load_file(CUmodule *out, const char *name, int device, struct umsim_image_log *log)
{
    struct stat status;
    if (!out || !name)
        return CUDA_ERROR_INVALID_VALUE;
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return CUDA_ERROR_FILE_NOT_FOUND;
    void *image = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
        image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        return CUDA_ERROR_INVALID_IMAGE;
    const CUresult error = umsim_module_load(out, image, device, log);
    munmap(image, (size_t)status.st_size);
    return error;
}

void umsim_module_close(CUmodule module)
{
    umsim_lock();
    for (CUmodule it = module; it; it = it->views)
        umsim_spans_remove(&modules, &it->span);
    umsim_unlock();
    close_parts(module);
    umsim_lock();
    for (unsigned i = 0; i < module->count; i++)
        umsim_functions_forget(&module->parts[i].library);
    umsim_unlock();
    for (CUmodule it = module, next; it; it = next) {
        next = it->views;
        free(it);
    }
}

/* ---- what it has ---- */

/* A static kernel is no symbol for others: it is in the table that the file brings for debuggers. */
static const void *static_stub(const struct umsim_part *part, const char *name)
{
    struct stat status;
    struct umsim_symbols of;
    const struct link_map *map;
    if (fstat(part->file, &status) != 0 || dlinfo(part->opened, RTLD_DI_LINKMAP, &map) != 0)
        return NULL;
    const size_t bytes = (size_t)status.st_size;
    void *image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, part->file, 0);
    if (image == MAP_FAILED)
        return NULL;
    const void *found = NULL;
    const size_t count = umsim_symbols_find(&of, image, bytes, SHT_SYMTAB) ? of.count : 0;
    for (size_t i = 0; i < count && !found; i++) {
        const Elf64_Sym *it = &of.symbols[i];
        const void *stub = (const void *)(uintptr_t)(map->l_addr + it->st_value);
        if (ELF64_ST_BIND(it->st_info) != STB_LOCAL || ELF64_ST_TYPE(it->st_info) != STT_FUNC ||
            !umsim_kernel_thunk(stub, NULL))
            continue;
        char *own = umsim_symbol_without_linkage(umsim_symbol_name(&of, it));
        if (own && strcmp(own, name) == 0)
            found = stub;
        free(own);
    }
    munmap(image, bytes);
    return found;
}

/* Under the lock. */
static CUfunction function_of(const void *stub, CUmodule module)
{
    CUmodule loaded = module->of ? module->of : module;
    CUfunction it = umsim_function_of(stub, loaded, loaded->device);
    return it && module->of ? umsim_function_on(it, (unsigned)module->device) : it;
}

CUresult umsim_module_function(CUfunction *out, CUmodule module, const char *name)
{
    *out = NULL;
    umsim_lock();
    for (unsigned i = 0; i < module->count && !*out; i++) {
        const void *stub = dlsym(module->parts[i].opened, name);
        if (!stub)
            stub = static_stub(&module->parts[i], name);
        *out = stub && umsim_kernel_thunk(stub, NULL) ? function_of(stub, module) : NULL;
    }
    umsim_unlock();
    return *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult umsim_module_variable(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    size_t size;
    const void *variable = NULL;
    for (unsigned i = 0; i < module->count && !variable; i++)
        variable = umsim_variable_named(&module->parts[i].library, name, &size);
    if (!variable)
        return CUDA_ERROR_NOT_FOUND;
    const unsigned device = module->device == UMSIM_ANY_DEVICE ? umsim_device() : (unsigned)module->device;
    if (umsim_devices > 1)
        cudaFree(NULL); /* so that its sections are known, which each device has */
    umsim_lock();
    if (address)
        *address = umsim_address(umsim_variable_on(device, variable));
    umsim_symbol_address_given();
    umsim_unlock();
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

/* The same of one part. */
static unsigned functions_of(const struct umsim_part *part, CUmodule module, CUfunction *out,
                             unsigned capacity)
{
    const void **stubs = capacity ? calloc(capacity, sizeof *stubs) : NULL;
    const unsigned count = umsim_kernels_of(&part->library, stubs, stubs ? capacity : 0);
    umsim_lock();
    for (unsigned i = 0; stubs && i < count && i < capacity; i++)
        out[i] = function_of(stubs[i], module);
    umsim_unlock();
    free(stubs);
    return count;
}

unsigned umsim_module_functions(CUmodule module, CUfunction *out, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < module->count; i++) {
        const unsigned left = out && count < capacity ? capacity - count : 0;
        count += functions_of(&module->parts[i], module, left ? &out[count] : NULL, left);
    }
    return count;
}

/* ---- the calls ---- */

static CUresult load(CUmodule *module, const void *image, unsigned count, const CUjit_option *options,
                     void **values)
{
    struct umsim_image_log log = {""};
    if (count && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    const struct umsim_jit_logs logs = umsim_jit_logs_of(count, options, values);
    const CUresult error = umsim_module_load(module, image, (int)umsim_device(), &log);
    umsim_jit_logs_fill(&logs, log.text);
    return error;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    UMSIM_DRIVER(cuModuleLoad, UMSIM_NEEDS_CONTEXT);
    struct umsim_image_log log = {""};
    return umsim_module_load_file(module, fname, (int)umsim_device(), &log);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    UMSIM_DRIVER(cuModuleLoadData, UMSIM_NEEDS_CONTEXT);
    return load(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues)
{
    UMSIM_DRIVER(cuModuleLoadDataEx, UMSIM_NEEDS_CONTEXT);
    return load(module, image, numOptions, options, optionValues);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    UMSIM_DRIVER(cuModuleLoadFatBinary, UMSIM_NEEDS_CONTEXT);
    return load(module, fatCubin, 0, NULL, NULL);
}

CUresult cuModuleUnload(CUmodule hmod)
{
    UMSIM_DRIVER(cuModuleUnload, UMSIM_NEEDS_INIT);
    CUmodule it = umsim_module_at(hmod);
    if (!it || it->of) /* a library's goes with the library */
        return CUDA_ERROR_INVALID_HANDLE;
    umsim_module_close(it);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    UMSIM_DRIVER(cuModuleGetLoadingMode, UMSIM_NEEDS_INIT);
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    UMSIM_DRIVER(cuModuleGetFunction, UMSIM_NEEDS_CONTEXT);
    CUmodule it = umsim_module_at(hmod);
    if (!hfunc || !name || !*name || !it)
        return hfunc && name && *name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    return umsim_module_function(hfunc, it, name);
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)
{
    UMSIM_DRIVER(cuModuleGetFunctionCount, UMSIM_NEEDS_CONTEXT);
    CUmodule it = umsim_module_at(mod);
    if (!count || !it)
        return count ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *count = umsim_module_functions(it, NULL, 0);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod)
{
    UMSIM_DRIVER(cuModuleEnumerateFunctions, UMSIM_NEEDS_CONTEXT);
    CUmodule it = umsim_module_at(mod);
    if (!functions || !it)
        return it ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    umsim_module_functions(it, functions, numFunctions);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    UMSIM_DRIVER(cuModuleGetGlobal, UMSIM_NEEDS_CONTEXT);
    CUmodule it = umsim_module_at(hmod);
    if (!name || (!dptr && !bytes) || !it)
        return name && (dptr || bytes) ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    return umsim_module_variable(dptr, bytes, it, name);
}
