/**
 * @file order.cu
 * @brief What waits for what when two devices work.
 */
#include "peers.h"

/* A kernel on 1 is under way, in a stream, when `what` is called with 0 current. @return whether it still is
 * then */
template <class What> static int is_under_way_after(What what, bool in_legacy = false)
{
    int *of_1 = numbers(1, 1);
    cudaStream_t stream = in_legacy ? 0 : stream_of(1);
    cudaEvent_t end = event_of(1);
    NEED(cudaSetDevice(1));
    NEED(launch_late(of_1, 1, stream));
    NEED(cudaEventRecord(end, stream));
    NEED(cudaSetDevice(0));
    what(of_1);
    return cudaEventQuery(end) == cudaErrorNotReady;
}

static void synchronising_is_the_current_devices()
{
    ANSWER("order: 1 works on after 0 is synchronised", "%d",
           is_under_way_after([](int *) { NEED(cudaDeviceSynchronize()); }));
    ANSWER("order: 1's legacy stream works on after 0 is synchronised", "%d",
           is_under_way_after([](int *) { NEED(cudaDeviceSynchronize()); }, true));
    ANSWER("order: 1 works on after 0's legacy stream is synchronised", "%d",
           is_under_way_after([](int *) { NEED(cudaStreamSynchronize(0)); }, true));
    ANSWER("order: 1 works on after a memset of 0's", "%d",
           is_under_way_after(
               [](int *) {
                   int *of_0 = numbers(0, 1);
                   NEED(cudaMemset(of_0, 0, 64));
                   NEED(cudaDeviceSynchronize());
               },
               true));
}

static void allocating_waits_for_nobody()
{
    ANSWER("order: 1 works on after cudaMalloc on 0", "%d", is_under_way_after([](int *) {
               int *p;
               NEED(cudaMalloc(&p, 64 << 20));
           }));
    ANSWER("order: 1 works on after a stream of 0 is made", "%d",
           is_under_way_after([](int *) { stream_of(0); }));
}

static void freeing_waits()
{
    int *of_1 = numbers(1, 3);
    ANSWER("order: 1 works on after 1's other memory is freed with 0 current", "%d",
           is_under_way_after([=](int *) { NEED(cudaFree(of_1)); }));
    int *of_0 = numbers(0, 3);
    ANSWER("order: 1 works on after 0's memory is freed", "%d",
           is_under_way_after([=](int *) { NEED(cudaFree(of_0)); }));
}

/* The same with a kernel on 0, the current device. */
template <class What> static int on_0_is_under_way_after(What what)
{
    int *of_0 = numbers(0, 1);
    cudaStream_t stream = stream_of(0);
    cudaEvent_t end = event_of(0);
    NEED(launch_late(of_0, 1, stream));
    NEED(cudaEventRecord(end, stream));
    what();
    return cudaEventQuery(end) == cudaErrorNotReady;
}

static void freeing_waits_for_whom()
{
    int *of_1 = numbers(1, 3);
    ANSWER("order: 0 works on after 1's memory is freed, 0 current", "%d",
           on_0_is_under_way_after([=] { NEED(cudaFree(of_1)); }));
    int *again = numbers(1, 3);
    ANSWER("order: 0 works on after 1's memory is freed, 1 current", "%d", on_0_is_under_way_after([=] {
               NEED(cudaSetDevice(1));
               NEED(cudaFree(again));
               NEED(cudaSetDevice(0));
           }));
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    int *seen = numbers(1, 3);
    ANSWER("order: 0, that has access, works on after 1's memory is freed", "%d",
           on_0_is_under_way_after([=] {
               NEED(cudaSetDevice(1));
               NEED(cudaFree(seen));
               NEED(cudaSetDevice(0));
           }));
    int *own = numbers(0, 3);
    ANSWER("order: 1 works on after memory of 0, that has access, is freed", "%d",
           is_under_way_after([=](int *) { NEED(cudaFree(own)); }));
}

static void the_hosts_memory()
{
    void *pinned = nullptr, *made = nullptr, *managed = nullptr;
    static char plain[1 << 20];
    NEED(cudaHostAlloc(&pinned, 4096, 0));
    ANSWER("order: 1 works on after cudaHostAlloc on 0", "%d",
           is_under_way_after([&](int *) { NEED(cudaHostAlloc(&made, 64 << 20, 0)); }));
    ANSWER("order: 1 works on after cudaFreeHost on 0", "%d",
           is_under_way_after([=](int *) { NEED(cudaFreeHost(pinned)); }));
    ANSWER("order: 0 works on after cudaFreeHost on 0", "%d",
           on_0_is_under_way_after([=] { NEED(cudaFreeHost(made)); }));
    ANSWER("order: 1 works on after cudaHostRegister on 0", "%d",
           is_under_way_after([=](int *) { NEED(cudaHostRegister(plain, sizeof plain, 0)); }));
    ANSWER("order: 1 works on after cudaHostUnregister on 0", "%d",
           is_under_way_after([=](int *) { NEED(cudaHostUnregister(plain)); }));
    if (cudaMallocManaged(&managed, 1 << 20) == cudaSuccess)
        ANSWER("order: 1 works on after managed memory is freed", "%d",
               is_under_way_after([=](int *) { NEED(cudaFree(managed)); }));
}

static void access_that_ends()
{
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    ANSWER("order: 1 works on after 0's access to it ends", "%d",
           is_under_way_after([=](int *) { NEED(cudaDeviceDisablePeerAccess(1)); }));
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    ANSWER("order: 0 works on after its access to 1 ends", "%d",
           on_0_is_under_way_after([=] { NEED(cudaDeviceDisablePeerAccess(1)); }));
    ANSWER("order: 0 works on after its access to 1 begins", "%d",
           on_0_is_under_way_after([=] { NEED(cudaDeviceEnablePeerAccess(1, 0)); }));
    ANSWER("order: 1 works on after 0 is reset", "%d",
           is_under_way_after([=](int *) { NEED(cudaDeviceReset()); }));
}

static void copies_of_the_other_devices_memory()
{
    int word = 0;
    ANSWER("order: 1 works on after its memory was read with 0 current", "%d",
           is_under_way_after([&](int *p) { NEED(cudaMemcpy(&word, p, 4, cudaMemcpyDeviceToHost)); }, true));
    ANSWER("order: what was read, 1's legacy stream working", "%d", word);
    word = 0;
    ANSWER("order: 1's stream works on after its memory was read with 0 current", "%d",
           is_under_way_after([&](int *p) { NEED(cudaMemcpy(&word, p, 4, cudaMemcpyDeviceToHost)); }));
    ANSWER("order: what was read, 1's stream working", "%d", word);
}

static void copies_between_take_turns()
{
    int *of_0 = numbers(0, 0), word = 0;
    ANSWER("order: 1 works on after a copy between was asked for", "%d",
           is_under_way_after([=](int *p) { NEED(cudaMemcpy(of_0, p, 64, cudaMemcpyDefault)); }, true));
    NEED(cudaMemcpy(&word, of_0, 4, cudaMemcpyDeviceToHost));
    ANSWER("order: what a copy between took, 1's legacy stream working", "%d", word);
    ANSWER("order: 1 works on after cudaMemcpyPeer", "%d",
           is_under_way_after([=](int *p) { NEED(cudaMemcpyPeer(of_0, 0, p, 1, 64)); }, true));
    NEED(cudaMemcpy(&word, of_0, 4, cudaMemcpyDeviceToHost));
    ANSWER("order: what cudaMemcpyPeer took, 1's legacy stream working", "%d", word);
    ANSWER("order: 1's stream works on after cudaMemcpyPeer", "%d",
           is_under_way_after([=](int *p) { NEED(cudaMemcpyPeer(of_0, 0, p, 1, 64)); }));
    NEED(cudaMemcpy(&word, of_0, 4, cudaMemcpyDeviceToHost));
    ANSWER("order: what cudaMemcpyPeer took, 1's stream working", "%d", word);
}

static void asynchronous_copies_between_do_not()
{
    int *of_0 = numbers(0, 0), word = 0;
    cudaStream_t own = stream_of(0);
    ANSWER("order: 1 works on after an asynchronous copy between has ended", "%d",
           is_under_way_after(
               [=](int *p) {
                   NEED(cudaMemcpyPeerAsync(of_0, 0, p, 1, 64, own));
                   NEED(cudaStreamSynchronize(own));
               },
               true));
    NEED(cudaMemcpy(&word, of_0, 4, cudaMemcpyDeviceToHost));
    ANSWER("order: what an asynchronous copy between took", "%d", word);
}

static void both_work_side_by_side()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    cudaEvent_t begin = event_of(0), end = event_of(0);
    float alone = 0, both = 0;
    NEED(launch_late(of_0, 1));
    NEED(cudaDeviceSynchronize());
    NEED(cudaEventRecord(begin, 0));
    NEED(launch_late(of_0, 1));
    NEED(cudaEventRecord(end, 0));
    NEED(cudaEventSynchronize(end));
    NEED(cudaEventElapsedTime(&alone, begin, end));
    NEED(cudaSetDevice(1));
    NEED(launch_late(of_1, 1));
    NEED(cudaSetDevice(0));
    NEED(cudaEventRecord(begin, 0));
    NEED(launch_late(of_0, 1));
    NEED(cudaEventRecord(end, 0));
    NEED(cudaEventSynchronize(end));
    NEED(cudaEventElapsedTime(&both, begin, end));
    ANSWER("order: a kernel beside the other device's takes as long", "%d", both < 1.3f * alone);
}

extern const behaviour order_behaviours[] = {
    {"synchronising is the current device's", synchronising_is_the_current_devices},
    {"allocating waits for nobody", allocating_waits_for_nobody},
    {"freeing waits", freeing_waits},
    {"freeing waits for whom", freeing_waits_for_whom},
    {"the host's memory", the_hosts_memory},
    {"access that ends", access_that_ends},
    {"copies of the other device's memory", copies_of_the_other_devices_memory},
    {"copies between take turns", copies_between_take_turns},
    {"asynchronous copies between do not", asynchronous_copies_between_do_not},
    {"both work side by side", both_work_side_by_side},
    {nullptr, nullptr}};
