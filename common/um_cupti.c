/**
 * @file um_cupti.c
 * @brief See um_cupti.h. A record of kind CPU_PAGE_FAULT_COUNT is one fault (its value is the address); of kind
 * GPU_PAGE_FAULT, `value` fault groups; of the transfers, `value` bytes.
 */
#include "um_cupti.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "um_result.h"

#if defined(UMLAB_CUDA) && defined(__has_include)
#if __has_include(<cupti.h>)
#define HAVE_CUPTI_HEADERS 1
#endif
#endif

static char why[200] = "CUPTI was not asked";

const char *um_cupti_why(void)
{
    return why;
}

#ifndef HAVE_CUPTI_HEADERS

bool um_cupti_start(void)
{
    snprintf(why, sizeof why, "built without CUPTI's headers");
    return false;
}

struct um_counters um_cupti_counters(void)
{
    return (struct um_counters){UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE};
}

#else

#include <cupti.h>
#include <dlfcn.h>

/** CUPTI drops records when it gets no buffer in time, so buffers are large. */
#define BUFFER_BYTES ((size_t)8 << 20)

static bool running;
static struct um_counters totals;

/* The functions used, found in the library by name. */
static struct {
    CUptiResult (*configure)(CUpti_ActivityUnifiedMemoryCounterConfig *, uint32_t);
    CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);
    CUptiResult (*enable)(CUpti_ActivityKind);
    CUptiResult (*flush)(uint32_t);
    CUptiResult (*next)(uint8_t *, size_t, CUpti_Activity **);
} cupti;

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *records)
{
    *buffer = aligned_alloc(8, BUFFER_BYTES);
    *bytes = *buffer == NULL ? 0 : BUFFER_BYTES;
    *records = 0;
}

static void count(const CUpti_ActivityUnifiedMemoryCounter3 *record)
{
    switch (record->counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        totals.bytes_migrated_h2d += (int64_t)record->value;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        totals.bytes_migrated_d2h += (int64_t)record->value;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        totals.cpu_faults++;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        totals.gpu_fault_groups += (int64_t)record->value;
        break;
    default:
        break;
    }
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid)
{
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)bytes;

    while (cupti.next(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
            count((const CUpti_ActivityUnifiedMemoryCounter3 *)record);
    }
    free(buffer);
}

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    if (symbol == NULL)
        snprintf(why, sizeof why, "this CUPTI has no %s", name);
    return symbol != NULL;
}

static void *open_cupti(void)
{
    static const char *const names[] = {"libcupti.so.13",
                                        "libcupti.so.12",
                                        "libcupti.so",
                                        "/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/targets/x86_64-linux/lib/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
            return library;
    }
    snprintf(why, sizeof why, "libcupti.so was not found (is its folder in LD_LIBRARY_PATH?)");
    return NULL;
}

/* Without cuInit() CUPTI answers CUPTI_ERROR_NOT_READY. */
static bool driver_is_up(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*init)(unsigned) = NULL;

    return driver != NULL && find(driver, "cuInit", &init) && init(0) == 0;
}

static bool switch_on(void)
{
    static const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    CUpti_ActivityUnifiedMemoryCounterConfig wanted[KINDS];
    CUptiResult result;

    for (int i = 0; i < KINDS; i++) {
        wanted[i] = (CUpti_ActivityUnifiedMemoryCounterConfig){
            .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
            .kind = kinds[i],
            .deviceId = 0,
            .enable = 1};
    }
    result = cupti.callbacks(give_buffer, take_buffer);
    if (result == CUPTI_SUCCESS)
        result = cupti.configure(wanted, KINDS);
    if (result == CUPTI_SUCCESS)
        result = cupti.enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    if (result != CUPTI_SUCCESS)
        snprintf(why, sizeof why, "CUPTI refuses its unified-memory counters (CUptiResult %d)", (int)result);
    return result == CUPTI_SUCCESS;
}

bool um_cupti_start(void)
{
    void *library;

    if (running)
        return true;
    library = open_cupti();
    running = library != NULL &&
              find(library, "cuptiActivityConfigureUnifiedMemoryCounter", &cupti.configure) &&
              find(library, "cuptiActivityRegisterCallbacks", &cupti.callbacks) &&
              find(library, "cuptiActivityEnable", &cupti.enable) &&
              find(library, "cuptiActivityFlushAll", &cupti.flush) &&
              find(library, "cuptiActivityGetNextRecord", &cupti.next) && driver_is_up() && switch_on();
    if (running)
        why[0] = 0;
    return running;
}

struct um_counters um_cupti_counters(void)
{
    struct um_counters now = {UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE};

    if (!running)
        return now;
    cupti.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    now.cpu_faults = totals.cpu_faults;
    now.gpu_fault_groups = totals.gpu_fault_groups;
    now.bytes_migrated_h2d = totals.bytes_migrated_h2d;
    now.bytes_migrated_d2h = totals.bytes_migrated_d2h;
    return now;
}

#endif
