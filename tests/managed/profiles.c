/**
 * @file profiles.c
 * @brief Other machines: `limited`, on which the host must keep away while a kernel is in flight, and `tiny`, whose
 *        memory is too small for what it is given.
 */
#include <signal.h>
#include <string.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

static int *written(size_t bytes)
{
    int *x = NULL;

    SCENE_CALL(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        x[i] = (int)i;
    return x;
}

/* ---- limited ---- */

static void touches_what_the_kernel_has(void)
{
    int *x = written(MiB);

    SCENE_CALL(um_add_one(x, MiB / sizeof *x, 0));
    printf("read %d\n", ((volatile int *)x)[100]);
}
SCENE("touch", touches_what_the_kernel_has)

static void touches_another_allocation(void)
{
    int *x = written(MiB), *other = written(MiB);

    SCENE_CALL(um_add_one(x, MiB / sizeof *x, 0));
    ((volatile int *)other)[100] = 5;
    printf("wrote\n");
}
SCENE("touch another", touches_another_allocation)

static void waits_first(void)
{
    int *x = written(MiB), concurrent = -1;

    SCENE_CALL(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    SCENE_NEED(concurrent == 0, "this is not the device that the scene is about");
    for (int round = 0; round < 3; round++) {
        SCENE_CALL(um_add_one(x, MiB / sizeof *x, 0));
        SCENE_CALL(cudaDeviceSynchronize());
        SCENE_NEED(x[100] == 100 + 2 * round + 1, "%d", x[100]);
        x[100]++;
    }
    printf("prefetch_to_device=%d\n", (int)um_prefetch(x, MiB, 0, 0));
    (void)cudaGetLastError();
    printf("prefetch_to_host=%d\n", (int)um_prefetch(x, MiB, cudaCpuDeviceId, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_NEED(x[100] == 106 && x[101] == 104, "%d %d", x[100], x[101]);
}
SCENE("wait first", waits_first)

static struct again run; /* larger than a stack should hold */

static void on_limited(const char *scene)
{
    memset(&run, 0, sizeof run);
    run = (struct again){.scene = scene, .settings = {"UMSIM_PROFILE=limited", "ASAN_OPTIONS=handle_segv=0"}};
    again(&run);
}

static void explained(const char *scene, const char *access)
{
    on_limited(scene);
    if (!again_died_of(&run, SIGSEGV))
        return;
    UM_STRING_EQUAL(run.out, "");
    UM_CONTAINS(run.err, access);
    UM_CONTAINS(run.err, "400 bytes into a 1048576-byte cudaMallocManaged allocation");
    UM_CONTAINS(run.err, "why ");
    UM_CONTAINS(run.err, "concurrentManagedAccess = 0");
    UM_CONTAINS(run.err, "instead ");
    UM_CONTAINS(run.err, "cudaDeviceSynchronize");
}

static void in_flight(void)
{
    explained("touch", "host code read managed memory");
}

static void in_flight_elsewhere(void)
{
    explained("touch another", "host code wrote managed memory");
}

static void after_waiting(void)
{
    on_limited("wait first");
    if (!again_ended_well(&run))
        return;
    UM_EQUAL(again_number(&run, "prefetch_to_device"), cudaErrorInvalidDevice);
    UM_EQUAL(again_number(&run, "prefetch_to_host"), cudaSuccess);
}

/* ---- tiny ---- */

/* A third more than fits. The oldest chunk goes first, so a walk from the start always finds its next block gone. */
static void more_than_fits(void)
{
    const size_t bytes = 96 * MiB, n = bytes / sizeof(int);
    struct umsim_counters counters[3];
    int *x = written(bytes);

    umsim_counters_read(&counters[0]);
    for (int pass = 0; pass < 2; pass++) {
        SCENE_CALL(um_add_one(x, n, 0));
        SCENE_CALL(cudaDeviceSynchronize());
        umsim_counters_read(&counters[pass + 1]);
    }
    for (size_t i = 0; i < n; i++)
        SCENE_NEED(x[i] == (int)i + 2, "element %zu is %d and should be %d", i, x[i], (int)i + 2);
    for (int pass = 0; pass < 2; pass++) {
        const struct umsim_counters moved = counters_between(&counters[pass], &counters[pass + 1]);

        printf("evictions%d=%llu\nhtod%d=%llu\ndtoh%d=%llu\n", pass, (unsigned long long)moved.evictions,
               pass, (unsigned long long)moved.bytes_migrated_htod, pass,
               (unsigned long long)moved.bytes_migrated_dtoh);
    }
}
SCENE("more than fits", more_than_fits)

static void oversubscribed(void)
{
    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "more than fits", .settings = {"UMSIM_PROFILE=tiny"}};
    again(&run);
    if (!again_ended_well(&run))
        return;
    UM_EQUAL(again_number(&run, "evictions0"), 96 / 2 - 64 / 2);
    UM_EQUAL(again_number(&run, "htod0"), 96 * MiB);
    UM_EQUAL(again_number(&run, "dtoh0"), 32 * MiB);
    UM_EQUAL(again_number(&run, "evictions1"), 96 / 2);
    UM_EQUAL(again_number(&run, "htod1"), 96 * MiB);
    UM_EQUAL(again_number(&run, "dtoh1"), 96 * MiB);
}

UM_TESTS("limited", {"the host's touch while a kernel is in flight faults, and is explained", in_flight},
         {"so does a touch of any other managed allocation", in_flight_elsewhere},
         {"after waiting the host may touch; a prefetch to the device is cudaErrorInvalidDevice",
          after_waiting});
UM_TESTS("tiny",
         {"96 MiB on a device of 64: the result is right, and evictions are counted", oversubscribed});
