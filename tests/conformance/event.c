/**
 * @file event.c
 * @brief Events: recording, waiting, asking, and the time between two.
 */
#include "behaviour.h"
#include "child.h"
#include "kernels.h"
#include "launchers.h"

static void after(void)
{
    (void)cudaGetLastError();
}

static cudaEvent_t make(unsigned flags)
{
    cudaEvent_t event = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaEventCreateWithFlags(&event, flags), cudaSuccess);
    return event;
}

static void destroy(cudaEvent_t event)
{
    CU_ASSERT_EQUAL(cudaEventDestroy(event), cudaSuccess);
}

static void an_event_that_was_never_recorded_counts_as_done(void)
{
    cudaEvent_t event = make(cudaEventDefault), other = make(cudaEventDefault);
    float ms = -1;

    UM_RETURNS("cudaEventQuery: never recorded", cudaEventQuery(event));
    UM_RETURNS("cudaEventSynchronize: never recorded", cudaEventSynchronize(event));
    UM_RETURNS("cudaEventElapsedTime: never recorded", cudaEventElapsedTime(&ms, event, other));
    after();
    destroy(event);
    destroy(other);
}

static void the_time_between_two_events_is_told(void)
{
    cudaEvent_t start = make(cudaEventDefault), end = make(cudaEventDefault);
    float ms = -1, back = 1, none = -1;
    float *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, (size_t)16 << 20), cudaSuccess);
    CU_ASSERT_EQUAL(um_fill(d_x, 1, 1 << 22, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_RETURNS("cudaEventRecord", cudaEventRecord(start, 0));
    CU_ASSERT_EQUAL(um_fill(d_x, 1, 1 << 22, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(end, 0), cudaSuccess);
    UM_RETURNS("cudaEventSynchronize", cudaEventSynchronize(end));
    UM_RETURNS("cudaEventQuery: after cudaEventSynchronize", cudaEventQuery(end));
    UM_RETURNS("cudaEventElapsedTime", cudaEventElapsedTime(&ms, start, end));
    UM_BEHAVIOUR("cudaEventElapsedTime: over a kernel: more than 0, less than a second", "%d",
                 ms > 0 && ms < 1000);
    UM_RETURNS("cudaEventElapsedTime: backwards", cudaEventElapsedTime(&back, end, start));
    UM_BEHAVIOUR("cudaEventElapsedTime: backwards: the negative", "%d", back == -ms);
    UM_RETURNS("cudaEventElapsedTime: one event twice", cudaEventElapsedTime(&none, start, start));
    UM_BEHAVIOUR("cudaEventElapsedTime: one event twice: ms", "%g", none);
    UM_RETURNS("cudaEventElapsedTime(NULL, ...)", cudaEventElapsedTime(NULL, start, end));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    destroy(start);
    destroy(end);
}

static void an_event_that_is_not_ready_says_so(void)
{
    cudaEvent_t start = make(cudaEventDefault), end = make(cudaEventDefault);
    int *marks = NULL;
    float ms = -1;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&marks, 64), cudaSuccess);
    marks[0] = marks[1] = 0;
    CU_ASSERT_EQUAL(cudaEventRecord(start, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_wait_for_flag(&marks[0], &marks[1], 1, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(end, 0), cudaSuccess);
    UM_RETURNS("cudaEventQuery: behind a kernel that waits", cudaEventQuery(end));
    UM_RETURNS("cudaEventElapsedTime: behind a kernel that waits", cudaEventElapsedTime(&ms, start, end));
    UM_RETURNS("cudaEventQuery: NotReady is no error for cudaGetLastError", cudaGetLastError());
    __atomic_store_n(&marks[0], 1, __ATOMIC_SEQ_CST);
    CU_ASSERT_EQUAL(cudaEventSynchronize(end), cudaSuccess);
    UM_BEHAVIOUR("cudaEventSynchronize: the kernel before it has written", "%d", marks[1]);
    CU_ASSERT_EQUAL(cudaFreeHost(marks), cudaSuccess);
    destroy(start);
    destroy(end);
}

static void events_without_timing_tell_no_time(void)
{
    cudaEvent_t start = make(cudaEventDisableTiming), end = make(cudaEventDefault);
    float ms = -1;

    CU_ASSERT_EQUAL(cudaEventRecord(start, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(end, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_RETURNS("cudaEventElapsedTime: from an event without timing", cudaEventElapsedTime(&ms, start, end));
    UM_RETURNS("cudaEventElapsedTime: to an event without timing", cudaEventElapsedTime(&ms, end, start));
    after();
    destroy(start);
    destroy(end);
}

static void events_are_created_with_flags_or_refused(void)
{
    cudaEvent_t event = NULL;

    UM_RETURNS("cudaEventCreate(NULL)", cudaEventCreate(NULL));
    UM_RETURNS("cudaEventCreateWithFlags: flags 0x100", cudaEventCreateWithFlags(&event, 0x100));
    UM_RETURNS("cudaEventCreateWithFlags: Interprocess without DisableTiming",
               cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    after();
    UM_RETURNS("cudaEventCreateWithFlags: BlockingSync",
               cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
    destroy(event);
}

static void NULL_is_no_event(void)
{
    float ms;

    UM_RETURNS("cudaEventRecord(NULL)", cudaEventRecord(NULL, 0));
    UM_RETURNS("cudaEventQuery(NULL)", cudaEventQuery(NULL));
    UM_RETURNS("cudaEventSynchronize(NULL)", cudaEventSynchronize(NULL));
    UM_RETURNS("cudaEventDestroy(NULL)", cudaEventDestroy(NULL));
    UM_RETURNS("cudaEventElapsedTime(&ms, NULL, NULL)", cudaEventElapsedTime(&ms, NULL, NULL));
    after();
}

static void an_event_recorded_again_stands_for_the_later_place(void)
{
    cudaEvent_t first = make(cudaEventDefault), moving = make(cudaEventDefault);
    float early = -1, late = -1;
    float *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, (size_t)16 << 20), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(first, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(moving, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventSynchronize(moving), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&early, first, moving), cudaSuccess);
    CU_ASSERT_EQUAL(um_fill(d_x, 1, 1 << 22, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(moving, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventSynchronize(moving), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&late, first, moving), cudaSuccess);
    UM_BEHAVIOUR("cudaEventRecord: the later record counts", "%d", late > early);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    destroy(first);
    destroy(moving);
}

static void an_event_is_recorded_with_flags_or_refused(void)
{
    cudaEvent_t event = make(cudaEventDefault);

    UM_RETURNS("cudaEventRecordWithFlags: Default",
               cudaEventRecordWithFlags(event, 0, cudaEventRecordDefault));
    UM_RETURNS("cudaEventRecordWithFlags: External, no capture",
               cudaEventRecordWithFlags(event, 0, cudaEventRecordExternal));
    UM_RETURNS("cudaEventRecordWithFlags: flags 0x100", cudaEventRecordWithFlags(event, 0, 0x100));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    destroy(event);
}

UM_TESTS("events",
         {"an event that was never recorded counts as done", an_event_that_was_never_recorded_counts_as_done},
         {"the time between two events is told", the_time_between_two_events_is_told},
         {"an event that is not ready says so", an_event_that_is_not_ready_says_so},
         {"events without timing tell no time", events_without_timing_tell_no_time},
         {"events are created with flags, or refused", events_are_created_with_flags_or_refused},
         {"NULL is no event", NULL_is_no_event},
         {"an event recorded again stands for the later place",
          an_event_recorded_again_stands_for_the_later_place},
         {"an event is recorded with flags, or refused", an_event_is_recorded_with_flags_or_refused});
