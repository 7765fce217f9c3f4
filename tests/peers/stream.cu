/**
 * @file stream.cu
 * @brief Streams and events of a device that is not current.
 */
#include "peers.h"

static void a_stream_knows_its_device()
{
    int device = -1;
    cudaStream_t stream = stream_of(1);
    RETURNS("stream: device asked", cudaStreamGetDevice(stream, &device));
    ANSWER("stream: device", "%d", device);
    NEED(cudaStreamGetDevice(0, &device));
    ANSWER("stream: device of the legacy one, 0 current", "%d", device);
    NEED(cudaSetDevice(1));
    NEED(cudaStreamGetDevice(0, &device));
    ANSWER("stream: device of the legacy one, 1 current", "%d", device);
    NEED(cudaStreamGetDevice(cudaStreamPerThread, &device));
    ANSWER("stream: device of the thread's, 1 current", "%d", device);
    NEED(cudaSetDevice(0));
    NEED(cudaStreamGetDevice(cudaStreamPerThread, &device));
    ANSWER("stream: device of the thread's, 0 current", "%d", device);
}

static void a_launch_runs_on_its_streams_device()
{
    int *of_1 = numbers(1, 1);
    cudaStream_t stream = stream_of(1);
    RETURNS("stream of 1: launch with 0 current", launch_add(of_1, 1, stream));
    RETURNS("stream of 1: synchronised", cudaStreamSynchronize(stream));
    RETURNS("stream of 1: asked", cudaStreamQuery(stream));
    ANSWER("stream of 1: sum", "%ld", sum(of_1));
    RETURNS("stream of 1: destroyed with 0 current", cudaStreamDestroy(stream));
}

static void a_launch_in_a_stream_of_1_does_not_reach_0()
{
    int *of_0 = numbers(0, 1);
    cudaStream_t stream = stream_of(1);
    RETURNS("stream of 1: launch on 0's memory", launch_add(of_0, 1, stream));
    RETURNS("stream of 1: that synchronised", cudaStreamSynchronize(stream));
}

static void the_legacy_stream_is_the_current_devices()
{
    int *of_1 = numbers(1, 1);
    NEED(cudaSetDevice(1));
    RETURNS("legacy: launch with 1 current", launch_add(of_1, 1));
    RETURNS("legacy: synchronised", cudaStreamSynchronize(0));
    RETURNS("legacy: by its name", launch_add(of_1, 1, cudaStreamLegacy));
    RETURNS("thread's: launch with 1 current", launch_add(of_1, 1, cudaStreamPerThread));
    RETURNS("thread's: synchronised", cudaStreamSynchronize(cudaStreamPerThread));
    NEED(cudaDeviceSynchronize());
    ANSWER("legacy: sum", "%ld", sum(of_1));
}

static void an_event_is_recorded_on_its_device()
{
    cudaEvent_t first = event_of(0), second = event_of(1);
    cudaStream_t stream = stream_of(1);
    RETURNS("event of 0: recorded in a stream of 1", cudaEventRecord(first, stream));
    RETURNS("event of 1: recorded in a stream of 1", cudaEventRecord(second, stream));
    RETURNS("event of 1: recorded in 0's legacy stream", cudaEventRecord(second, 0));
    RETURNS("event of 1: synchronised with 0 current", cudaEventSynchronize(second));
    RETURNS("event of 1: asked with 0 current", cudaEventQuery(second));
    RETURNS("event of 0: recorded in 0's legacy stream", cudaEventRecord(first, 0));
    NEED(cudaSetDevice(1));
    RETURNS("event of 0: recorded in the legacy stream, 1 current", cudaEventRecord(first, 0));
    RETURNS("event of 0: recorded in the thread's stream, 1 current",
            cudaEventRecord(first, cudaStreamPerThread));
    RETURNS("event of 0: synchronised with 1 current", cudaEventSynchronize(first));
    RETURNS("event of 0: destroyed with 1 current", cudaEventDestroy(first));
}

static void streams_wait_across_devices()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 0);
    cudaEvent_t done = event_of(0), never = event_of(1);
    cudaStream_t first = stream_of(0), second = stream_of(1);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaSetDevice(1));
    NEED(cudaDeviceEnablePeerAccess(0, 0));
    NEED(cudaSetDevice(0));
    NEED(launch_late(of_0, 1, first));
    NEED(cudaEventRecord(done, first));
    RETURNS("wait: a stream of 1 for an event of 0", cudaStreamWaitEvent(second, done, 0));
    RETURNS("wait: a launch behind it", launch_copy(of_1, of_0, 0, second));
    RETURNS("wait: synchronised", cudaStreamSynchronize(second));
    ANSWER("wait: what the second saw", "%ld", sum(of_1));
    RETURNS("wait: for an event that was never recorded", cudaStreamWaitEvent(first, never, 0));
    NEED(cudaSetDevice(1));
    RETURNS("wait: a stream of 0 for an event of 0, 1 current", cudaStreamWaitEvent(first, done, 0));
}

static void times_are_of_one_device()
{
    float ms = -1;
    cudaEvent_t first = event_of(0), second = event_of(1), third = event_of(1);
    cudaStream_t stream = stream_of(1);
    NEED(cudaEventRecord(first, 0));
    NEED(cudaEventRecord(second, stream));
    NEED(cudaEventRecord(third, stream));
    NEED(cudaEventSynchronize(first));
    NEED(cudaEventSynchronize(third));
    RETURNS("elapsed: events of two devices", cudaEventElapsedTime(&ms, first, second));
    RETURNS("elapsed: events of 1, 0 current", cudaEventElapsedTime(&ms, second, third));
    ANSWER("elapsed: is no less than 0", "%d", ms >= 0);
}

static int called;
static void host_function(void *)
{
    called++;
}

static void host_functions_run_in_any_stream()
{
    int *of_1 = numbers(1, 1);
    cudaStream_t stream = stream_of(1);
    NEED(launch_add(of_1, 1, stream));
    RETURNS("host function: in a stream of 1, 0 current", cudaLaunchHostFunc(stream, host_function, nullptr));
    NEED(cudaStreamSynchronize(stream));
    ANSWER("host function: called", "%d", called);
}

static void a_destroyed_streams_work_is_done()
{
    int *of_1 = numbers(1, 1);
    cudaStream_t stream = stream_of(1);
    NEED(launch_late(of_1, 1, stream));
    RETURNS("stream of 1: destroyed with work, 0 current", cudaStreamDestroy(stream));
    NEED(cudaSetDevice(1));
    NEED(cudaDeviceSynchronize());
    ANSWER("stream of 1: its work then", "%ld", sum(of_1));
}

static void priorities_and_flags_are_kept()
{
    cudaStream_t stream;
    int priority = 7;
    unsigned flags = 7;
    NEED(cudaSetDevice(1));
    NEED(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2));
    NEED(cudaSetDevice(0));
    RETURNS("stream of 1: priority asked", cudaStreamGetPriority(stream, &priority));
    RETURNS("stream of 1: flags asked", cudaStreamGetFlags(stream, &flags));
    ANSWER("stream of 1: priority and flags", "%d %u", priority, flags);
}

extern const behaviour stream_behaviours[] = {
    {"a stream knows its device", a_stream_knows_its_device},
    {"a launch runs on its stream's device", a_launch_runs_on_its_streams_device},
    {"a launch in a stream of 1 does not reach 0", a_launch_in_a_stream_of_1_does_not_reach_0},
    {"the legacy stream is the current device's", the_legacy_stream_is_the_current_devices},
    {"an event is recorded on its device", an_event_is_recorded_on_its_device},
    {"streams wait across devices", streams_wait_across_devices},
    {"times are of one device", times_are_of_one_device},
    {"host functions run in any stream", host_functions_run_in_any_stream},
    {"a destroyed stream's work is done", a_destroyed_streams_work_is_done},
    {"priorities and flags are kept", priorities_and_flags_are_kept},
    {nullptr, nullptr}};
