/**
 * @file um_cupti.c
 * @brief Implementation of um_cupti.h: opens CUPTI, fetches its records in a thread, and adds them up.
 *
 * What a record means depends on its kind. CPU_PAGE_FAULT_COUNT is one fault (its value is the address).
 * GPU_PAGE_FAULT is `value` fault groups. Transfers and remote mappings are `value` bytes, and their flags
 * give the cause.
 *
 * The driver keeps its records in a queue until CUPTI fetches them. It drops what does not fit, while
 * cuptiActivityGetNumDroppedRecords() says 0. Of 256 MiB there and back, an H200 (driver 580, CUDA 13.0)
 * lost all GPU faults and half the transfers when nobody fetched meanwhile, and none when a thread fetched
 * all the time (tests/managed/measured/h200-thrash.jsonl). So a thread here fetches all the time. When one
 * fetch brings so many records that the queue may have been full, this file counts that, so that a caller
 * who compares the counters before and after can tell.
 */
#include "um_cupti.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "um_page.h"
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
    return um_no_counters;
}

#else

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/** Larger buffers take so long to allocate that records get lost meanwhile (measured as above: 64 MiB). */
#define BUFFER_BYTES ((size_t)1 << 20)
/** Time between two fetches. */
#define FETCH_PERIOD_NS 1000000L
/**
 * When one fetch brings this many records, some may be missing: up to 3,382 came complete, 3,928 and more
 * came with losses.
 */
#define FETCH_SAFE 3072

static bool running;
static atomic_bool stopping;
static pthread_t fetcher;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct um_counters totals;
static uint64_t records, fetched; /* all; when the last fetch ended */

/* The functions used, looked up in the library by name. */
static struct {
    CUptiResult (*configure)(CUpti_ActivityUnifiedMemoryCounterConfig *, uint32_t);
    CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);
    CUptiResult (*enable)(CUpti_ActivityKind);
    CUptiResult (*flush)(uint32_t);
    CUptiResult (*next)(uint8_t *, size_t, CUpti_Activity **);
    CUptiResult (*dropped)(CUcontext, uint32_t, size_t *);
} cupti;

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *records)
{
    *buffer = aligned_alloc(8, BUFFER_BYTES);
    *bytes = !*buffer ? 0 : BUFFER_BYTES;
    *records = 0;
}

static int64_t *bytes_of(uint32_t cause)
{
    switch (cause) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER:
        return &totals.bytes_user;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE:
        return &totals.bytes_coherence;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH:
        return &totals.bytes_prefetch;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION:
        return &totals.bytes_eviction;
    default:
        return NULL;
    }
}

static void count_transfer(const CUpti_ActivityUnifiedMemoryCounter3 *record, int64_t *sum)
{
    int64_t *by_cause = bytes_of(record->flags);

    *sum += (int64_t)record->value;
    if (by_cause)
        *by_cause += (int64_t)record->value;
}

static void count(const CUpti_ActivityUnifiedMemoryCounter3 *record)
{
    records++;
    switch (record->counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        count_transfer(record, &totals.bytes_migrated_h2d);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        count_transfer(record, &totals.bytes_migrated_d2h);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD:
        count_transfer(record, &totals.bytes_migrated_d2d);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        totals.cpu_faults++;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        totals.gpu_fault_groups += (int64_t)record->value;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING:
        totals.thrashing += (int64_t)(record->value / um_page_bytes());
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING:
        totals.throttles++;
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP:
        totals.remote_maps += (int64_t)(record->value / um_page_bytes());
        break;
    default:
        break;
    }
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid)
{
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    (void)bytes;

    pthread_mutex_lock(&lock);
    while (cupti.next(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
            count((const CUpti_ActivityUnifiedMemoryCounter3 *)record);
    }
    if (cupti.dropped(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0)
        totals.lost++;
    pthread_mutex_unlock(&lock);
    free(buffer);
}

static void fetch(uint32_t how)
{
    cupti.flush(how);
    pthread_mutex_lock(&lock);
    if (records - fetched > FETCH_SAFE)
        totals.lost++;
    fetched = records;
    pthread_mutex_unlock(&lock);
}

static void *fetch_on_and_on(void *unused)
{
    const struct timespec period = {.tv_nsec = FETCH_PERIOD_NS};

    while (!atomic_load(&stopping)) {
        fetch(0);
        nanosleep(&period, NULL);
    }
    return unused;
}

/* Runs before CUPTI itself ends. */
static void stop_fetching(void)
{
    atomic_store(&stopping, true);
    pthread_join(fetcher, NULL);
}

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    if (!symbol)
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
        if (library)
            return library;
    }
    snprintf(why, sizeof why, "libcupti.so was not found (is its folder in LD_LIBRARY_PATH?)");
    return NULL;
}

/* Without cuInit() CUPTI answers CUPTI_ERROR_NOT_READY. @return how many devices there are; 0: none that
 * works
 */
static int driver_devices(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*init)(unsigned) = NULL, (*device_count)(int *) = NULL, count = 0;

    if (!driver || !find(driver, "cuInit", &init) || !find(driver, "cuDeviceGetCount", &device_count))
        return 0;
    return init(0) == 0 && device_count(&count) == 0 ? count : 0;
}

/** Devices whose counters are switched on, the first ones. */
#define DEVICES_MAX 8

/* The counters of each device, as a request for one device says nothing of the others. */
static bool switch_on(int devices)
{
    static const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD, /* last: only where there are several
                                                                         */
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    CUpti_ActivityUnifiedMemoryCounterConfig wanted[DEVICES_MAX * KINDS];
    const int used = devices > 1 ? KINDS : KINDS - 1;
    uint32_t count = 0;
    CUptiResult result;

    for (int i = 0; i < devices * used && i < DEVICES_MAX * KINDS; i++) {
        wanted[count++] = (CUpti_ActivityUnifiedMemoryCounterConfig){
            .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
            .kind = kinds[i % used],
            .deviceId = (uint32_t)(i / used),
            .enable = 1};
    }
    result = cupti.callbacks(give_buffer, take_buffer);
    if (result == CUPTI_SUCCESS)
        result = cupti.configure(wanted, count);
    if (result == CUPTI_SUCCESS)
        result = cupti.enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    if (result != CUPTI_SUCCESS)
        snprintf(why, sizeof why, "CUPTI refuses its unified-memory counters (CUptiResult %d)", (int)result);
    return result == CUPTI_SUCCESS;
}

static bool start_fetching(void)
{
    if (pthread_create(&fetcher, NULL, fetch_on_and_on, NULL) == 0) {
        atexit(stop_fetching);
        return true;
    }
    snprintf(why, sizeof why, "no thread can be started to fetch CUPTI's records");
    return false;
}

bool um_cupti_start(void)
{
    void *library;
    int devices = 0;

    if (running)
        return true;
    library = open_cupti();
    running = library && find(library, "cuptiActivityConfigureUnifiedMemoryCounter", &cupti.configure) &&
              find(library, "cuptiActivityRegisterCallbacks", &cupti.callbacks) &&
              find(library, "cuptiActivityEnable", &cupti.enable) &&
              find(library, "cuptiActivityFlushAll", &cupti.flush) &&
              find(library, "cuptiActivityGetNextRecord", &cupti.next) &&
              find(library, "cuptiActivityGetNumDroppedRecords", &cupti.dropped) &&
              (devices = driver_devices()) > 0 && switch_on(devices) && start_fetching();
    if (running)
        why[0] = 0;
    return running;
}

struct um_counters um_cupti_counters(void)
{
    struct um_counters now = um_no_counters;

    if (!running)
        return now;
    fetch(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    pthread_mutex_lock(&lock);
    now = totals;
    pthread_mutex_unlock(&lock);
    now.bytes_h2d = now.bytes_d2h = now.bytes_d2d = now.evictions = now.contended =
        UM_NONE; /* CUPTI does not count these */
    return now;
}

#endif
