/**
 * @file error.c
 * @brief Names of errors, the last error of each thread, and what is left after a kernel's sticky error.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "behaviour.h"
#include "child.h"
#include "launchers.h"
#include "um_test.h"
#include <cuda_profiler_api.h>

static void errors_have_their_names(void)
{
#define HAS_ITS_NAME(error) UM_STRING_EQUAL(cudaGetErrorName(error), #error)
    HAS_ITS_NAME(cudaSuccess);
    HAS_ITS_NAME(cudaErrorInvalidValue);
    HAS_ITS_NAME(cudaErrorMemoryAllocation);
    HAS_ITS_NAME(cudaErrorInitializationError);
    HAS_ITS_NAME(cudaErrorInvalidConfiguration);
    HAS_ITS_NAME(cudaErrorInvalidMemcpyDirection);
    HAS_ITS_NAME(cudaErrorInvalidDeviceFunction);
    HAS_ITS_NAME(cudaErrorNoDevice);
    HAS_ITS_NAME(cudaErrorInvalidDevice);
    HAS_ITS_NAME(cudaErrorInvalidResourceHandle);
    HAS_ITS_NAME(cudaErrorNotReady);
    HAS_ITS_NAME(cudaErrorIllegalAddress);
    HAS_ITS_NAME(cudaErrorLaunchFailure);
    HAS_ITS_NAME(cudaErrorNotSupported);
    HAS_ITS_NAME(cudaErrorStreamCaptureUnsupported);
    HAS_ITS_NAME(cudaErrorUnknown);
#undef HAS_ITS_NAME
}

static void errors_are_described(void)
{
    CU_ASSERT_TRUE(strlen(cudaGetErrorString(cudaSuccess)) > 0);
    CU_ASSERT_TRUE(strlen(cudaGetErrorString(cudaErrorIllegalAddress)) > 0);
    CU_ASSERT_TRUE(strcmp(cudaGetErrorString(cudaErrorInvalidValue),
                          cudaGetErrorString(cudaErrorMemoryAllocation)) != 0);
}

static void numbers_that_are_no_error_have_no_name(void)
{
    UM_BEHAVIOUR("cudaGetErrorName: 10", "%s", cudaGetErrorName((cudaError_t)10));
    UM_BEHAVIOUR("cudaGetErrorName: 12345", "%s", cudaGetErrorName((cudaError_t)12345));
    UM_BEHAVIOUR("cudaGetErrorName: -1", "%s", cudaGetErrorName((cudaError_t)-1));
    UM_BEHAVIOUR("cudaGetErrorString: 12345", "%s", cudaGetErrorString((cudaError_t)12345));
}

static void the_last_error_stays_until_it_is_read(void)
{
    int count = 0;

    (void)cudaGetLastError();
    UM_EQUAL(cudaSetDevice(99), cudaErrorInvalidDevice);
    UM_RETURNS("last error: peek", cudaPeekAtLastError());
    UM_RETURNS("last error: peek again", cudaPeekAtLastError());
    CU_ASSERT_EQUAL(cudaGetDeviceCount(&count), cudaSuccess);
    UM_RETURNS("last error: peek after a call that succeeded", cudaPeekAtLastError());
    UM_RETURNS("last error: get", cudaGetLastError());
    UM_RETURNS("last error: get again", cudaGetLastError());
}

static void the_later_of_two_errors_counts(void)
{
    UM_EQUAL(cudaSetDevice(99), cudaErrorInvalidDevice);
    UM_EQUAL(cudaMalloc(NULL, 16), cudaErrorInvalidValue);
    UM_RETURNS("last error: of two", cudaGetLastError());
}

static void *other_thread(void *answers)
{
    ((cudaError_t *)answers)[0] = cudaPeekAtLastError();
    (void)cudaMalloc(NULL, 16);
    ((cudaError_t *)answers)[1] = cudaPeekAtLastError();
    return NULL;
}

static void each_thread_has_its_own(void)
{
    cudaError_t answers[2] = {cudaErrorUnknown, cudaErrorUnknown};
    pthread_t thread;

    UM_EQUAL(cudaSetDevice(99), cudaErrorInvalidDevice);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, other_thread, answers), 0);
    pthread_join(thread, NULL);
    UM_RETURNS("last error: another thread's at first", answers[0]);
    UM_RETURNS("last error: another thread's after its own mistake", answers[1]);
    UM_RETURNS("last error: this thread's after another's mistake", cudaGetLastError());
}

/* cudaErrorNotReady is an answer, not a mistake. */
static void not_ready_is_not_remembered(void)
{
    cudaStream_t stream;
    int *flag = NULL, *out = NULL;

    (void)cudaGetLastError();
    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&flag, sizeof *flag), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&out, sizeof *out), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaStreamCreate(&stream), cudaSuccess);
    *(volatile int *)flag = 0;
    CU_ASSERT_EQUAL(conf_wait_for_flag(flag, out, 5, stream), cudaSuccess);
    UM_RETURNS("cudaStreamQuery: a kernel that waits", cudaStreamQuery(stream));
    UM_RETURNS("cudaStreamQuery: a kernel that waits: cudaPeekAtLastError", cudaPeekAtLastError());
    *(volatile int *)flag = 1;
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    UM_RETURNS("cudaStreamQuery: after it ended", cudaStreamQuery(stream));
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(flag), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(out), cudaSuccess);
}

/* A list of calls and what they returned, in shared memory. */
enum { CALLS_MAX = 48 };
struct calls {
    size_t count;
    struct {
        char name[64];
        cudaError_t returned;
    } call[CALLS_MAX];
};

static void note(struct calls *calls, const char *name, cudaError_t returned)
{
    CHILD_ASSERT(calls->count < CALLS_MAX && strlen(name) < sizeof calls->call[0].name);
    strcpy(calls->call[calls->count].name, name);
    calls->call[calls->count++].returned = returned;
}

static void make_sticky(void)
{
    CHILD_NEED(cudaDeviceSynchronize());
    CHILD_NEED(conf_write(NULL, 1, 0));
}

static void last_error_body(void *area)
{
    struct calls *calls = area;
    int count;

    make_sticky();
    note(calls, "sticky: peek before it is noticed", cudaPeekAtLastError());
    note(calls, "sticky: cudaDeviceSynchronize", cudaDeviceSynchronize());
    note(calls, "sticky: peek", cudaPeekAtLastError());
    note(calls, "sticky: get", cudaGetLastError());
    note(calls, "sticky: get again", cudaGetLastError());
    note(calls, "sticky: cudaGetDeviceCount after get", cudaGetDeviceCount(&count));
    note(calls, "sticky: peek after a call that succeeds", cudaPeekAtLastError());
    note(calls, "sticky: cudaFree(NULL) after get", cudaFree(NULL));
    note(calls, "sticky: peek after a call that does not", cudaPeekAtLastError());
    note(calls, "sticky: launch", conf_launch((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, 0));
}

static void questions_body(void *area)
{
    struct calls *calls = area;
    struct cudaDeviceProp prop;
    struct cudaPointerAttributes attributes;
    cudaMemPool_t pool;
    uint64_t used;
    size_t size, total;
    unsigned flags;
    int number;
    char text[32];

    make_sticky();
    note(calls, "sticky: synchronise", cudaDeviceSynchronize());
    note(calls, "sticky: cudaGetDeviceCount", cudaGetDeviceCount(&number));
    note(calls, "sticky: cudaGetDevice", cudaGetDevice(&number));
    note(calls, "sticky: cudaSetDevice(0)", cudaSetDevice(0));
    note(calls, "sticky: cudaSetDevice(99)", cudaSetDevice(99));
    note(calls, "sticky: cudaGetDeviceProperties", cudaGetDeviceProperties(&prop, 0));
    note(calls, "sticky: cudaDeviceGetAttribute", cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    note(calls, "sticky: cudaDeviceGetPCIBusId", cudaDeviceGetPCIBusId(text, sizeof text, 0));
    note(calls, "sticky: cudaDriverGetVersion", cudaDriverGetVersion(&number));
    note(calls, "sticky: cudaRuntimeGetVersion", cudaRuntimeGetVersion(&number));
    note(calls, "sticky: cudaGetDeviceFlags", cudaGetDeviceFlags(&flags));
    note(calls, "sticky: cudaDeviceGetDefaultMemPool", cudaDeviceGetDefaultMemPool(&pool, 0));
    note(calls, "sticky: cudaMemPoolGetAttribute",
         cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    note(calls, "sticky: cudaPointerGetAttributes", cudaPointerGetAttributes(&attributes, &number));
    note(calls, "sticky: cudaDeviceGetLimit", cudaDeviceGetLimit(&size, cudaLimitStackSize));
    note(calls, "sticky: cudaDeviceGetStreamPriorityRange",
         cudaDeviceGetStreamPriorityRange(&number, &number));
    note(calls, "sticky: cudaMemGetInfo", cudaMemGetInfo(&size, &total));
    note(calls, "sticky: cudaProfilerStart", cudaProfilerStart());
}

static void work_body(void *area)
{
    struct calls *calls = area;
    void *device, *host, *later;
    cudaStream_t stream;
    cudaEvent_t event;
    int number;

    CHILD_NEED(cudaMalloc(&device, 64));
    CHILD_NEED(cudaMallocHost(&host, 64));
    CHILD_NEED(cudaStreamCreate(&stream));
    CHILD_NEED(cudaEventCreate(&event));
    make_sticky();
    note(calls, "sticky: synchronise for work", cudaDeviceSynchronize());
    note(calls, "sticky: cudaMalloc", cudaMalloc(&later, 64));
    note(calls, "sticky: cudaMallocHost", cudaMallocHost(&later, 64));
    note(calls, "sticky: cudaMallocManaged", cudaMallocManaged(&later, 64, cudaMemAttachGlobal));
    note(calls, "sticky: cudaMallocAsync", cudaMallocAsync(&later, 64, stream));
    note(calls, "sticky: cudaMemcpy", cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice));
    note(calls, "sticky: cudaMemset", cudaMemset(device, 0, 64));
    note(calls, "sticky: cudaStreamQuery", cudaStreamQuery(stream));
    note(calls, "sticky: cudaStreamSynchronize", cudaStreamSynchronize(stream));
    note(calls, "sticky: cudaEventRecord", cudaEventRecord(event, stream));
    note(calls, "sticky: cudaEventDestroy", cudaEventDestroy(event));
    note(calls, "sticky: cudaStreamDestroy", cudaStreamDestroy(stream));
    note(calls, "sticky: cudaFreeHost", cudaFreeHost(host));
    note(calls, "sticky: cudaFree", cudaFree(device));
    note(calls, "sticky: occupancy",
         cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, conf_empty_kernel(), 64, 0));
}

static void reset_body(void *area)
{
    struct calls *calls = area;
    void *later;
    int number;

    make_sticky();
    note(calls, "sticky: synchronise before the reset", cudaDeviceSynchronize());
    note(calls, "sticky: cudaDeviceReset", cudaDeviceReset());
    note(calls, "after the reset: peek", cudaPeekAtLastError());
    note(calls, "after the reset: cudaGetDeviceCount", cudaGetDeviceCount(&number));
    note(calls, "after the reset: cudaGetDevice", cudaGetDevice(&number));
    note(calls, "after the reset: cudaSetDevice(0)", cudaSetDevice(0));
    note(calls, "after the reset: cudaDeviceGetAttribute",
         cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    note(calls, "after the reset: cudaMalloc", cudaMalloc(&later, 64));
    note(calls, "after the reset: cudaFree(NULL)", cudaFree(NULL));
    note(calls, "after the reset: cudaDeviceSynchronize", cudaDeviceSynchronize());
    note(calls, "after the reset: get", cudaGetLastError());
    note(calls, "after the reset: get again", cudaGetLastError());
    note(calls, "after the reset: cudaDeviceReset", cudaDeviceReset());
}

static void in_a_child(void (*body)(void *))
{
    static struct calls calls;

    memset(&calls, 0, sizeof calls);
    if (!child_run(body, &calls, sizeof calls))
        return;
    CU_ASSERT_TRUE(calls.count > 0);
    for (size_t i = 0; i < calls.count; i++)
        UM_RETURNS(calls.call[i].name, calls.call[i].returned);
}

static void it_can_be_read_away_and_comes_back(void)
{
    in_a_child(last_error_body);
}

static void some_questions_are_still_answered(void)
{
    in_a_child(questions_body);
}

static void work_is_refused(void)
{
    in_a_child(work_body);
}

static void a_reset_succeeds_and_the_device_is_lost(void)
{
    in_a_child(reset_body);
}

UM_TESTS("errors", {"errors have their names", errors_have_their_names},
         {"errors are described", errors_are_described},
         {"numbers that are no error have no name", numbers_that_are_no_error_have_no_name});

UM_TESTS("last error", {"the last error stays until it is read", the_last_error_stays_until_it_is_read},
         {"the later of two errors counts", the_later_of_two_errors_counts},
         {"each thread has its own", each_thread_has_its_own},
         {"not ready is not remembered", not_ready_is_not_remembered});

UM_TESTS("sticky error", {"it can be read away, and comes back", it_can_be_read_away_and_comes_back},
         {"some questions are still answered", some_questions_are_still_answered},
         {"work is refused", work_is_refused},
         {"a reset succeeds, and the device is lost", a_reset_succeeds_and_the_device_is_lost});
