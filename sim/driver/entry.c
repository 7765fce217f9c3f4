/**
 * @file entry.c
 * @brief Functions by their names and versions (CUDA Driver API: Driver Entry Point Access).
 *
 * names.def has a row for each form that a function ever had: its name, the CUDA version that brought it, and
 * what its symbol adds to the name.
 */
#include "driver.h"
#include "../base/library.h"
#include "../base/report.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define ROW(name, version, suffix)                                                                           \
    {                                                                                                        \
#name, version, suffix                                                                               \
    }

static const struct row {
    const char *name;
    int version;
    const char *suffix;
} rows[] = {
#include "names.def"
};

/* This library's own symbol, whatever else the program has loaded. */
static void *own_symbol(const char *name)
{
    static void *self;
    struct umsim_library library;
    if (!self && umsim_library_of((void *)(uintptr_t)own_symbol, &library))
        self = dlopen(library.file[0] ? library.file : NULL, RTLD_NOW | RTLD_NOLOAD);
    return self ? dlsym(self, name) : NULL;
}

static void *find(const struct row *row, bool per_thread)
{
    static const char *const endings[] = {"_ptsz", "_ptds"};
    char symbol[128];
    for (int i = 0; per_thread && i < 2; i++) {
        snprintf(symbol, sizeof symbol, "%s%s%s", row->name, row->suffix, endings[i]);
        void *found = own_symbol(symbol);
        if (found)
            return found;
    }
    snprintf(symbol, sizeof symbol, "%s%s", row->name, row->suffix);
    return own_symbol(symbol);
}

static CUresult get(const char *symbol, void **out, int version, cuuint64_t flags,
                    CUdriverProcAddressQueryResult *status)
{
    const cuuint64_t both = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    const struct row *best = NULL;
    bool known = false;
    if (!symbol || !out || (flags & ~both))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, symbol) != 0)
            continue;
        known = true;
        if (rows[i].version <= version && (!best || rows[i].version > best->version))
            best = &rows[i];
    }
    *out = best ? find(best, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) : NULL;
    if (status)
        *status = *out    ? CU_GET_PROC_ADDRESS_SUCCESS
                  : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus)
{
    UMSIM_DRIVER(cuGetProcAddress, UMSIM_NEEDS_NOTHING);
    return get(symbol, pfn, cudaVersion, flags, symbolStatus);
}

/* The runtime's calls; the numbers of the two enumerations are the same. */
static cudaError_t get_for_runtime(const char *symbol, void **out, unsigned version, unsigned long long flags,
                                   enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result = get(symbol, out, (int)version, flags, &found);
    if (status)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return result ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus)
{
    UMSIM_ENTER_AS(cudaGetDriverEntryPoint, UMSIM_ANSWERS_ALWAYS, symbol, funcPtr, flags);
    return umsim_leave(get_for_runtime(symbol, funcPtr, CUDART_VERSION, flags, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus)
{
    UMSIM_ENTER_AS(cudaGetDriverEntryPointByVersion, UMSIM_ANSWERS_ALWAYS, symbol, funcPtr, cudaVersion,
                   flags);
    return umsim_leave(get_for_runtime(symbol, funcPtr, cudaVersion, flags, driverStatus));
}

/* By itself the driver's function, too, is the one whose stream 0 is the thread's own. */
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **funcPtr, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *driverStatus);
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **funcPtr, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return cudaGetDriverEntryPoint(symbol, funcPtr, flags ? flags : cudaEnablePerThreadDefaultStream,
                                   driverStatus);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **funcPtr,
                                                  unsigned int cudaVersion, unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *driverStatus);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **funcPtr,
                                                  unsigned int cudaVersion, unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return cudaGetDriverEntryPointByVersion(symbol, funcPtr, cudaVersion,
                                            flags ? flags : cudaEnablePerThreadDefaultStream, driverStatus);
}

/* Undocumented tables are neither answered nor imitated (docs/python.md). */
CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    UMSIM_DRIVER(cuGetExportTable, UMSIM_NEEDS_NOTHING);
    if (!atomic_flag_test_and_set(&told))
        umsim_say(
            "a library of NVIDIA's with a CUDA runtime inside asks for undocumented tables, and gets none: "
            "cuda.bindings.runtime and CuPy's wheels cannot work here, cuda.bindings.driver and cuda.core "
            "do");
    if (ppExportTable)
        *ppExportTable = NULL;
    return ppExportTable && pExportTableId ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

/* The forms for programs whose stream 0 is each thread's own, and before CUDA 12. */
CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *symbolStatus);
CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *symbolStatus)
{
    UMSIM_DRIVER(cuGetProcAddress, UMSIM_NEEDS_NOTHING);
    return get(symbol, pfn, cudaVersion, flags ? flags : CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
               symbolStatus);
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
    UMSIM_DRIVER(cuGetProcAddress, UMSIM_NEEDS_NOTHING);
    return get(symbol, pfn, cudaVersion, flags, NULL);
}
