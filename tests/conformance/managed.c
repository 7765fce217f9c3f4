/**
 * @file managed.c
 * @brief Prefetch and advice: on which memory, to which place, and what a range says of itself afterwards.
 *
 * All of it is small: on a real card no test takes more than 64 MiB of managed memory.
 */
#include <stdlib.h>
#include <string.h>

#include "behaviour.h"
#include "child.h"
#include "kernels.h"
#include "launchers.h"
#include "um_cuda_compat.h"

#define BYTES ((size_t)4 << 20)

static void after(void)
{
    (void)cudaGetLastError();
}

static char *managed(void)
{
    char *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, BYTES, cudaMemAttachGlobal), cudaSuccess);
    return x;
}

static void prefetch_and_advice_look_for_managed_memory(void)
{
    char *own = malloc(65536), *d_x = NULL, *pinned = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 65536), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMallocHost((void **)&pinned, 65536), cudaSuccess);
    UM_RETURNS("cudaMemPrefetchAsync: cudaMalloc'd", um_prefetch(d_x, 65536, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: malloc'd", um_prefetch(own, 65536, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: pinned", um_prefetch(pinned, 65536, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: NULL", um_prefetch(NULL, 65536, 0, 0));
    UM_RETURNS("cudaMemAdvise: malloc'd", um_advise(own, 65536, cudaMemAdviseSetReadMostly, 0));
    UM_RETURNS("cudaMemAdvise: cudaMalloc'd", um_advise(d_x, 65536, cudaMemAdviseSetReadMostly, 0));
    UM_RETURNS("cudaMemAdvise: pinned", um_advise(pinned, 65536, cudaMemAdviseSetReadMostly, 0));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
    free(own);
}

static void prefetch_and_advice_look_at_ranges_and_places(void)
{
    char *x = managed();

    UM_RETURNS("cudaMemPrefetchAsync: to the device", um_prefetch(x, BYTES, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: to the host", um_prefetch(x, BYTES, cudaCpuDeviceId, 0));
    UM_RETURNS("cudaMemPrefetchAsync: interior range", um_prefetch(x + 4096, 4096, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: unaligned range", um_prefetch(x + 100, 50, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: 0 bytes", um_prefetch(x, 0, 0, 0));
    after();
    UM_RETURNS("cudaMemPrefetchAsync: twice its size", um_prefetch(x, 2 * BYTES, 0, 0));
    UM_RETURNS("cudaMemPrefetchAsync: device 99", um_prefetch(x, BYTES, 99, 0));
    UM_RETURNS("cudaMemAdvise: 0 bytes", um_advise(x, 0, cudaMemAdviseSetReadMostly, 0));
    UM_RETURNS("cudaMemAdvise: twice its size", um_advise(x, 2 * BYTES, cudaMemAdviseSetReadMostly, 0));
    UM_RETURNS("cudaMemAdvise: device 99", um_advise(x, BYTES, cudaMemAdviseSetPreferredLocation, 99));
    UM_RETURNS("cudaMemAdvise: advice 99", um_advise(x, BYTES, (enum cudaMemoryAdvise)99, 0));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static int attribute(const void *x, enum cudaMemRangeAttribute which)
{
    int value = -99;

    CU_ASSERT_EQUAL(cudaMemRangeGetAttribute(&value, sizeof value, which, x, BYTES), cudaSuccess);
    return value;
}

/* What a range says of itself: read mostly, preferred location, accessed by, last prefetch. */
static void range(const char *name, const void *x)
{
    int by[2] = {-99, -99};

    CU_ASSERT_EQUAL(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, x, BYTES),
                    cudaSuccess);
    UM_BEHAVIOUR(name, "ReadMostly %d, PreferredLocation %d, AccessedBy %d %d, LastPrefetchLocation %d",
                 attribute(x, cudaMemRangeAttributeReadMostly),
                 attribute(x, cudaMemRangeAttributePreferredLocation), by[0], by[1],
                 attribute(x, cudaMemRangeAttributeLastPrefetchLocation));
}

static void advice_leaves_its_mark_on_a_range(void)
{
    char *x = managed();

    need_concurrent_managed();
    range("range: fresh", x);
    UM_RETURNS("cudaMemAdvise: SetReadMostly", um_advise(x, BYTES, cudaMemAdviseSetReadMostly, 0));
    range("range: after SetReadMostly", x);
    UM_RETURNS("cudaMemAdvise: UnsetReadMostly", um_advise(x, BYTES, cudaMemAdviseUnsetReadMostly, 0));
    range("range: after UnsetReadMostly", x);
    UM_RETURNS("cudaMemAdvise: SetPreferredLocation host",
               um_advise(x, BYTES, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    range("range: after SetPreferredLocation host", x);
    UM_RETURNS("cudaMemAdvise: SetPreferredLocation device",
               um_advise(x, BYTES, cudaMemAdviseSetPreferredLocation, 0));
    range("range: after SetPreferredLocation device", x);
    UM_RETURNS("cudaMemAdvise: UnsetPreferredLocation",
               um_advise(x, BYTES, cudaMemAdviseUnsetPreferredLocation, 0));
    range("range: after UnsetPreferredLocation", x);
    UM_RETURNS("cudaMemAdvise: SetAccessedBy device", um_advise(x, BYTES, cudaMemAdviseSetAccessedBy, 0));
    range("range: after SetAccessedBy device", x);
    UM_RETURNS("cudaMemAdvise: SetAccessedBy host",
               um_advise(x, BYTES, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    range("range: after SetAccessedBy host", x);
    UM_RETURNS("cudaMemAdvise: UnsetAccessedBy device", um_advise(x, BYTES, cudaMemAdviseUnsetAccessedBy, 0));
    range("range: after UnsetAccessedBy device", x);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void a_prefetch_leaves_its_mark_on_a_range(void)
{
    char *x = managed();

    need_concurrent_managed();
    CU_ASSERT_EQUAL(um_prefetch(x, BYTES, 0, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    range("range: after a prefetch to the device", x);
    CU_ASSERT_EQUAL(um_prefetch(x, BYTES, cudaCpuDeviceId, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    range("range: after a prefetch to the host", x);
    CU_ASSERT_EQUAL(um_prefetch(x, BYTES / 2, 0, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    range("range: after a prefetch of half of it", x);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void a_range_of_which_half_is_advised_has_no_common_advice(void)
{
    char *x = managed();

    need_concurrent_managed();
    CU_ASSERT_EQUAL(um_advise(x, BYTES / 2, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
    CU_ASSERT_EQUAL(um_advise(x, BYTES / 2, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
    CU_ASSERT_EQUAL(um_advise(x, BYTES / 2, cudaMemAdviseSetAccessedBy, 0), cudaSuccess);
    range("range: half of it advised", x);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void locations_are_given_by_type_and_number(void)
{
    char *x = managed();

    need_concurrent_managed();
    CU_ASSERT_EQUAL(um_advise(x, BYTES, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId), cudaSuccess);
    UM_BEHAVIOUR("range: PreferredLocationType, host", "%d",
                 attribute(x, cudaMemRangeAttributePreferredLocationType));
    CU_ASSERT_EQUAL(um_advise(x, BYTES, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
    UM_BEHAVIOUR("range: PreferredLocationType and Id, device", "%d %d",
                 attribute(x, cudaMemRangeAttributePreferredLocationType),
                 attribute(x, cudaMemRangeAttributePreferredLocationId));
    CU_ASSERT_EQUAL(um_prefetch(x, BYTES, 0, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("range: LastPrefetchLocationType and Id, device", "%d %d",
                 attribute(x, cudaMemRangeAttributeLastPrefetchLocationType),
                 attribute(x, cudaMemRangeAttributeLastPrefetchLocationId));
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void asking_wrongly_about_a_range_is_refused(void)
{
    char *x = managed(), *own = malloc(65536);
    int value[2];

    UM_RETURNS("cudaMemRangeGetAttribute: malloc'd",
               cudaMemRangeGetAttribute(value, sizeof *value, cudaMemRangeAttributeReadMostly, own, 4096));
    UM_RETURNS("cudaMemRangeGetAttribute: size 3",
               cudaMemRangeGetAttribute(value, 3, cudaMemRangeAttributeReadMostly, x, BYTES));
    UM_RETURNS("cudaMemRangeGetAttribute: attribute 99",
               cudaMemRangeGetAttribute(value, sizeof *value, (enum cudaMemRangeAttribute)99, x, BYTES));
    UM_RETURNS("cudaMemRangeGetAttribute: 0 bytes",
               cudaMemRangeGetAttribute(value, sizeof *value, cudaMemRangeAttributeReadMostly, x, 0));
    UM_RETURNS("cudaMemRangeGetAttribute(NULL, ...)",
               cudaMemRangeGetAttribute(NULL, sizeof *value, cudaMemRangeAttributeReadMostly, x, BYTES));
    after();
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
    free(own);
}

static void several_attributes_are_told_at_once(void)
{
    char *x = managed();
    int read_mostly = -99, preferred = -99;
    void *data[] = {&read_mostly, &preferred};
    size_t sizes[] = {sizeof read_mostly, sizeof preferred};
    enum cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly,
                                          cudaMemRangeAttributePreferredLocation};

    need_concurrent_managed();
    CU_ASSERT_EQUAL(um_advise(x, BYTES, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
    UM_RETURNS("cudaMemRangeGetAttributes: two", cudaMemRangeGetAttributes(data, sizes, which, 2, x, BYTES));
    UM_BEHAVIOUR("cudaMemRangeGetAttributes: ReadMostly and PreferredLocation", "%d %d", read_mostly,
                 preferred);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void memory_is_attached_to_a_stream_or_that_is_refused(void)
{
    char *x = managed();
    cudaStream_t stream = NULL;
    int own = 0;

    CU_ASSERT_EQUAL(cudaStreamCreate(&stream), cudaSuccess);
    UM_RETURNS("cudaStreamAttachMemAsync: Single",
               cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachSingle));
    UM_RETURNS("cudaStreamAttachMemAsync: Host", cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachHost));
    UM_RETURNS("cudaStreamAttachMemAsync: Global",
               cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachGlobal));
    UM_RETURNS("cudaStreamAttachMemAsync: half of it",
               cudaStreamAttachMemAsync(stream, x, BYTES / 2, cudaMemAttachSingle));
    /* not asked: flags 0, on which driver 580's runtime ends in a segmentation fault */
    UM_RETURNS("cudaStreamAttachMemAsync: Single, default stream",
               cudaStreamAttachMemAsync(0, x, 0, cudaMemAttachSingle));
    UM_RETURNS("cudaStreamAttachMemAsync: stack address",
               cudaStreamAttachMemAsync(stream, &own, 0, cudaMemAttachSingle));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

/* Pages go to and fro, and what they hold stays right. */
static void host_and_kernel_see_each_others_writes_in_turn(void)
{
    enum { N = 65536 };
    int *x = NULL;
    long wrong = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, N * sizeof *x, cudaMemAttachGlobal), cudaSuccess);
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int round = 0; round < 4; round++) {
        CU_ASSERT_EQUAL(um_add_one(x, N, 0), cudaSuccess);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        for (int i = 0; i < N; i += 1024)
            x[i] += 10;
    }
    for (int i = 0; i < N; i++)
        wrong += x[i] != i + 4 + (i % 1024 == 0 ? 40 : 0);
    UM_BEHAVIOUR("managed memory: host and kernel in turn: elements wrong", "%ld", wrong);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

/* Under each advice, host and kernel see each other's writes. */
static void contents_stay_under_each_advice(void)
{
    enum { N = 65536 };
    static const struct {
        const char *name;
        enum cudaMemoryAdvise advice;
        int device;
    } kinds[] = {{"ReadMostly", cudaMemAdviseSetReadMostly, 0},
                 {"PreferredLocation host", cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId},
                 {"PreferredLocation device", cudaMemAdviseSetPreferredLocation, 0},
                 {"AccessedBy device", cudaMemAdviseSetAccessedBy, 0}};

    need_concurrent_managed();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char name[96];
        int *x = NULL;
        long wrong = 0;

        CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, N * sizeof *x, cudaMemAttachGlobal),
                              cudaSuccess);
        CU_ASSERT_EQUAL(um_advise(x, N * sizeof *x, kinds[k].advice, kinds[k].device), cudaSuccess);
        for (int i = 0; i < N; i++)
            x[i] = i;
        CU_ASSERT_EQUAL(um_add_one(x, N, 0), cudaSuccess);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        for (int i = 0; i < N; i++)
            wrong += x[i]++ != i + 1;
        CU_ASSERT_EQUAL(um_add_one(x, N, 0), cudaSuccess);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        for (int i = 0; i < N; i++)
            wrong += x[i] != i + 3;
        snprintf(name, sizeof name, "managed memory with %s: elements wrong", kinds[k].name);
        UM_BEHAVIOUR(name, "%ld", wrong);
        CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
    }
}

static void memory_that_nobody_wrote_is_zero(void)
{
    char *x = managed();
    int first = -1;
    int *d_first = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_first, sizeof first), cudaSuccess);
    CU_ASSERT_EQUAL(conf_read(d_first, (const int *)x, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(&first, d_first, sizeof first, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_BEHAVIOUR("managed memory: a kernel reads what nobody wrote", "%d", first);
    UM_BEHAVIOUR("managed memory: the host reads what nobody wrote", "%d", x[BYTES - 1]);
    CU_ASSERT_EQUAL(cudaFree(d_first), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

UM_TESTS("managed",
         {"prefetch and advice look for managed memory", prefetch_and_advice_look_for_managed_memory},
         {"prefetch and advice look at ranges and places", prefetch_and_advice_look_at_ranges_and_places},
         {"advice leaves its mark on a range", advice_leaves_its_mark_on_a_range},
         {"a prefetch leaves its mark on a range", a_prefetch_leaves_its_mark_on_a_range},
         {"a range of which half is advised has no common advice",
          a_range_of_which_half_is_advised_has_no_common_advice},
         {"locations are given by type and number", locations_are_given_by_type_and_number},
         {"asking wrongly about a range is refused", asking_wrongly_about_a_range_is_refused},
         {"several attributes are told at once", several_attributes_are_told_at_once},
         {"memory is attached to a stream, or that is refused",
          memory_is_attached_to_a_stream_or_that_is_refused},
         {"host and kernel see each other's writes in turn", host_and_kernel_see_each_others_writes_in_turn},
         {"contents stay under each advice", contents_stay_under_each_advice},
         {"memory that nobody wrote is zero", memory_that_nobody_wrote_is_zero});
