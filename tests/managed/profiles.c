/**
 * @file profiles.c
 * @brief Other machines: `limited`, on which the host must keep away while a kernel is in flight, and `tiny`,
 * whose memory is too small for what it is given.
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
    printf("prefer_device=%d\n", (int)um_advise(x, MiB, cudaMemAdviseSetPreferredLocation, 0));
    (void)cudaGetLastError();
    printf("prefetch_to_host=%d\n", (int)um_prefetch(x, MiB, cudaCpuDeviceId, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_NEED(x[100] == 106 && x[101] == 104, "%d %d", x[100], x[101]);
}
SCENE("wait first", waits_first)

static struct umsim_counters counts_here(void)
{
    struct umsim_counters now;

    SCENE_CALL(cudaDeviceSynchronize());
    umsim_counters_read(&now);
    return now;
}

/* Prints what was moved since `last`, as name_... lines, and takes the counters anew. */
static void moved_since(const char *name, struct umsim_counters *last)
{
    const struct umsim_counters now = counts_here(), moved = counters_between(last, &now);

    printf("%s_htod=%llu\n%s_dtoh=%llu\n%s_cpu=%llu\n%s_gpu=%llu\n", name,
           (unsigned long long)moved.bytes_migrated_htod, name, (unsigned long long)moved.bytes_migrated_dtoh,
           name, (unsigned long long)moved.cpu_page_faults, name, (unsigned long long)moved.gpu_fault_groups);
    *last = now;
}

static float kernel_ms(int *x, size_t bytes)
{
    cudaEvent_t start, end;
    float ms = 0;

    SCENE_CALL(cudaEventCreate(&start));
    SCENE_CALL(cudaEventCreate(&end));
    SCENE_CALL(cudaEventRecord(start, 0));
    SCENE_CALL(um_add_one(x, bytes / sizeof *x, 0));
    SCENE_CALL(cudaEventRecord(end, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_CALL(cudaEventElapsedTime(&ms, start, end));
    return ms;
}

static void launches_bring_all(void)
{
    struct umsim_counters last = counts_here();
    int *x = written(4 * MiB), *other = written(2 * MiB);
    float first, second;

    moved_since("written", &last);
    first = kernel_ms(x, 4 * MiB);
    moved_since("kernel", &last);
    second = kernel_ms(x, 4 * MiB);
    moved_since("again", &last);
    SCENE_NEED(first > second + 0.4F, "bringing 6 MiB took %g ms", (double)(first - second));
    SCENE_NEED(x[100] == 102 && x[4 * MiB / sizeof *x - 1] == (int)(4 * MiB / sizeof *x) + 1, "%d", x[100]);
    moved_since("looked", &last);
    host_reads(x, 4 * MiB);
    moved_since("read", &last);
    SCENE_CALL(cudaMemset(other, 0, MiB));
    SCENE_CALL(cudaMemcpy(x, other, MiB, cudaMemcpyDefault));
    moved_since("engines", &last);
}
SCENE("launches bring all", launches_bring_all)

static void no_more_than_fits(void)
{
    const size_t large = 3072 * MiB;
    size_t free_before, free_now, total;
    char *x = NULL, *y = NULL;

    SCENE_CALL(cudaMemGetInfo(&free_before, &total));
    SCENE_CALL(cudaMallocManaged((void **)&x, large, cudaMemAttachGlobal));
    SCENE_CALL(cudaMemGetInfo(&free_now, &total));
    SCENE_NEED(free_before - free_now == large, "%zu less", free_before - free_now);
    SCENE_NEED(cudaMallocManaged((void **)&y, free_now + MiB, cudaMemAttachGlobal) ==
                       cudaErrorMemoryAllocation &&
                   !y,
               "%p", (void *)y);
    SCENE_NEED(cudaMalloc((void **)&y, free_now + MiB) == cudaErrorMemoryAllocation && !y, "%p", (void *)y);
    SCENE_CALL(cudaMalloc((void **)&y, free_now / 2));
    SCENE_CALL(cudaFree(x));
    SCENE_CALL(cudaMallocManaged((void **)&x, large / 2, cudaMemAttachGlobal));
}
SCENE("no more than fits", no_more_than_fits)

/* What is attached to the host, or to another stream, stays where it is, and the host may touch it. */
static void attaches(void)
{
    cudaStream_t one, two;
    int *all = written(MiB), *hosts = written(2 * MiB), *ones = written(4 * MiB), *early = NULL;
    struct umsim_counters last;

    SCENE_CALL(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    SCENE_CALL(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    SCENE_CALL(cudaMallocManaged((void **)&early, 2 * MiB, cudaMemAttachHost));
    memset(early, 1, 2 * MiB);
    SCENE_CALL(cudaStreamAttachMemAsync(0, hosts, 0, cudaMemAttachHost));
    SCENE_CALL(cudaStreamAttachMemAsync(one, ones, 4 * MiB, cudaMemAttachSingle));
    SCENE_CALL(cudaDeviceSynchronize());
    last = counts_here();
    SCENE_CALL(um_add_one(all, MiB / sizeof *all, two));
    ((volatile int *)hosts)[7] += 1;
    ((volatile int *)ones)[7] += 1;
    ((volatile int *)early)[7] += 1;
    SCENE_CALL(cudaStreamSynchronize(two));
    moved_since("two", &last);
    SCENE_CALL(um_add_one(ones, 4 * MiB / sizeof *ones, one));
    ((volatile int *)hosts)[7] += 1;
    SCENE_CALL(cudaStreamSynchronize(one));
    moved_since("one", &last);
    SCENE_NEED(all[7] == 8 && hosts[7] == 9 && ones[7] == 9, "%d %d %d", all[7], hosts[7], ones[7]);
    SCENE_CALL(cudaStreamAttachMemAsync(one, hosts, 0, cudaMemAttachGlobal));
    SCENE_CALL(cudaStreamDestroy(one)); /* its memory is everybody's again */
    SCENE_CALL(um_add_one(hosts, 1, two));
    SCENE_CALL(cudaDeviceSynchronize());
    moved_since("global", &last);
}
SCENE("attaches", attaches)

static void touches_its_streams_own(void)
{
    cudaStream_t one, two;
    int *x = written(MiB);

    SCENE_CALL(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    SCENE_CALL(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    SCENE_CALL(cudaStreamAttachMemAsync(one, x, 0, cudaMemAttachSingle));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_CALL(um_add_one(x, MiB / sizeof *x, one));
    SCENE_CALL(cudaStreamSynchronize(two));
    ((volatile int *)x)[100] = 5;
}
SCENE("touch its stream's own", touches_its_streams_own)

/* Waiting for one stream is not enough while another's kernel may be under way. */
static void waits_for_the_wrong_stream(void)
{
    cudaStream_t one, two;
    int *x = written(2 * MiB);

    SCENE_CALL(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    SCENE_CALL(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    SCENE_CALL(um_add_one(x, 1, one));
    SCENE_CALL(um_add_one(x + 1, 1, two));
    SCENE_CALL(cudaStreamSynchronize(two));
    SCENE_CALL(cudaStreamSynchronize(one));
    SCENE_NEED(x[0] == 1 && x[1] == 2, "%d %d", x[0], x[1]); /* both have been waited for */
    SCENE_CALL(um_add_one(x, 1, one));
    SCENE_CALL(um_add_one(x + 1, 1, two));
    SCENE_CALL(cudaStreamSynchronize(two));
    ((volatile int *)x)[100] = 5;
}
SCENE("wait for the wrong stream", waits_for_the_wrong_stream)

static void doubles(void *x)
{
    ((volatile int *)x)[100] *= 2;
}

/* The CUDA C++ Programming Guide permits it while no other stream may use managed memory. */
static void host_function_between_kernels(void)
{
    cudaStream_t one;
    int *x = written(MiB);

    SCENE_CALL(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    SCENE_CALL(um_add_one(x, MiB / sizeof *x, one));
    SCENE_CALL(cudaLaunchHostFunc(one, doubles, x));
    SCENE_CALL(um_add_one(x, MiB / sizeof *x, one));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_NEED(x[100] == 203 && x[101] == 103, "%d %d", x[100], x[101]);
}
SCENE("host function between kernels", host_function_between_kernels)

static void host_function_beside_a_kernel(void)
{
    cudaStream_t one, two;
    int *x = written(MiB);

    SCENE_CALL(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    SCENE_CALL(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    SCENE_CALL(um_add_one(x, MiB / sizeof *x, one));
    SCENE_CALL(cudaLaunchHostFunc(two, doubles, x));
    SCENE_CALL(cudaStreamSynchronize(two));
}
SCENE("host function beside a kernel", host_function_beside_a_kernel)

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

static void the_hosts_touch_while_a_kernel_is_in_flight_faults(void)
{
    explained("touch", "host code read managed memory");
}

static void so_does_a_touch_of_any_other_managed_allocation(void)
{
    explained("touch another", "host code wrote managed memory");
}

static void after_waiting_the_host_may_touch_a_prefetch_to_the_device(void)
{
    on_limited("wait first");
    if (!again_ended_well(&run))
        return;
    UM_EQUAL(again_number(&run, "prefetch_to_device"), cudaErrorInvalidDevice);
    UM_EQUAL(again_number(&run, "prefer_device"), cudaErrorInvalidDevice);
    UM_EQUAL(again_number(&run, "prefetch_to_host"), cudaSuccess);
}

static void moved(const char *step, uint64_t htod, uint64_t dtoh, uint64_t cpu_faults)
{
    char name[40];

    snprintf(name, sizeof name, "%s_htod", step);
    UM_EQUAL(again_number(&run, name), htod);
    snprintf(name, sizeof name, "%s_dtoh", step);
    UM_EQUAL(again_number(&run, name), dtoh);
    snprintf(name, sizeof name, "%s_cpu", step);
    UM_EQUAL(again_number(&run, name), cpu_faults);
    snprintf(name, sizeof name, "%s_gpu", step);
    UM_EQUAL(again_number(&run, name), 0);
}

static void a_launch_brings_all_managed_memory_in_bulk_there_are_no_GPU(void)
{
    on_limited("launches bring all");
    if (!again_ended_well(&run))
        return;
    moved("written", 0, 6 * MiB, 18); /* new memory is the device's */
    moved("kernel", 6 * MiB, 0, 0);
    moved("again", 0, 0, 0);
    moved("looked", 0, 128 * KiB, 2);
    moved("read", 0, 4 * MiB - 128 * KiB,
          11);                   /* each block but a 64 KiB piece: 5 from its front on, 6 to its end */
    moved("engines", MiB, 0, 0); /* what is set is there already; what is copied to comes first */
}

static void managed_memory_beyond_the_devices_is_refused(void)
{
    on_limited("no more than fits");
    again_ended_well(&run);
}

static void what_is_attached_to_the_host_or_to_another_stream_stays(void)
{
    on_limited("attaches");
    if (!again_ended_well(&run))
        return;
    moved("two", MiB, 0, 0);
    moved("one", 4 * MiB, 0, 0);
    moved("global", 2 * MiB + 2 * 64 * KiB, 2 * 64 * KiB,
          2); /* looking at two of them had brought 64 KiB each */
}

static void what_is_attached_to_a_stream_is_its_kernels_until_they_were(void)
{
    explained("touch its stream's own", "host code wrote managed memory");
}

static void waiting_for_one_stream_does_not_give_what_anothers_kernel(void)
{
    on_limited("wait for the wrong stream");
    if (again_died_of(&run, SIGSEGV))
        UM_CONTAINS(run.err, "concurrentManagedAccess = 0");
}

static void a_host_function_may_touch_what_its_streams_kernels_have_used(void)
{
    on_limited("host function between kernels");
    again_ended_well(&run);
}

static void it_faults_while_another_streams_kernel_is_in_flight(void)
{
    explained("host function beside a kernel", "managed memory");
}

/* ---- tiny ---- */

/* A third more than fits. The oldest chunk goes first, so a walk from the start always finds its next block
 * gone. */
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

static void the_96_MiB_on_a_device_of_64_the_result_is_right_and_evictions(void)
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

UM_TESTS("limited",
         {"the host's touch while a kernel is in flight faults, and is explained",
          the_hosts_touch_while_a_kernel_is_in_flight_faults},
         {"so does a touch of any other managed allocation", so_does_a_touch_of_any_other_managed_allocation},
         {"after waiting the host may touch; a prefetch to the device is cudaErrorInvalidDevice",
          after_waiting_the_host_may_touch_a_prefetch_to_the_device},
         {"a launch brings all managed memory in bulk; there are no GPU faults",
          a_launch_brings_all_managed_memory_in_bulk_there_are_no_GPU},
         {"managed memory beyond the device's is refused", managed_memory_beyond_the_devices_is_refused},
         {"what is attached to the host or to another stream stays, and the host may touch it",
          what_is_attached_to_the_host_or_to_another_stream_stays},
         {"what is attached to a stream is its kernels' until they were waited for",
          what_is_attached_to_a_stream_is_its_kernels_until_they_were},
         {"waiting for one stream does not give what another's kernel may reach",
          waiting_for_one_stream_does_not_give_what_anothers_kernel},
         {"a host function may touch what its stream's kernels have used",
          a_host_function_may_touch_what_its_streams_kernels_have_used},
         {"it faults while another stream's kernel is in flight",
          it_faults_while_another_streams_kernel_is_in_flight});
UM_TESTS("tiny", {"96 MiB on a device of 64: the result is right, and evictions are counted",
                  the_96_MiB_on_a_device_of_64_the_result_is_right_and_evictions});
