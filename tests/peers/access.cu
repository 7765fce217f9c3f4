/**
 * @file access.cu
 * @brief Access to a peer's memory by kernels: when there is any, and what follows where there is none.
 */
#include "peers.h"

#include <pthread.h>

static void who_can_reach_whom_is_asked()
{
    int can = 7;
    RETURNS("can access: 0 to 1, call", cudaDeviceCanAccessPeer(&can, 0, 1));
    ANSWER("can access: 0 to 1", "%d", can);
    NEED(cudaDeviceCanAccessPeer(&can, 1, 0));
    ANSWER("can access: 1 to 0", "%d", can);
    RETURNS("can access: 0 to 0, call", cudaDeviceCanAccessPeer(&can, 0, 0));
    ANSWER("can access: 0 to 0", "%d", can);
    RETURNS("can access: 0 to 2", cudaDeviceCanAccessPeer(&can, 0, 2));
    RETURNS("can access: -1 to 0", cudaDeviceCanAccessPeer(&can, -1, 0));
    RETURNS("can access: no place for the answer", cudaDeviceCanAccessPeer(nullptr, 0, 1));
}

static void what_lies_between_is_asked()
{
    const cudaDeviceP2PAttr attributes[] = {cudaDevP2PAttrPerformanceRank, cudaDevP2PAttrAccessSupported,
                                            cudaDevP2PAttrNativeAtomicSupported,
                                            cudaDevP2PAttrCudaArrayAccessSupported};
    const char *const names[] = {"between: rank", "between: access", "between: atomics", "between: arrays"};
    int value = 7;
    for (int i = 0; i < 4; i++) {
        NEED(cudaDeviceGetP2PAttribute(&value, attributes[i], 0, 1));
        ANSWER(names[i], "%d", value);
    }
    RETURNS("between: 0 and 0", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    RETURNS("between: 0 and 5", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 5));
    RETURNS("between: no place for the answer",
            cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1));
    RETURNS("between: an attribute that there is not",
            cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)99, 0, 1));
}

static void mistakes_are_told()
{
    RETURNS("enable: itself", cudaDeviceEnablePeerAccess(0, 0));
    RETURNS("enable: itself, with flags", cudaDeviceEnablePeerAccess(0, 1));
    RETURNS("enable: flags 1", cudaDeviceEnablePeerAccess(1, 1));
    RETURNS("enable: device 5", cudaDeviceEnablePeerAccess(5, 0));
    RETURNS("enable: device 5, with flags", cudaDeviceEnablePeerAccess(5, 1));
    RETURNS("enable: device -1", cudaDeviceEnablePeerAccess(-1, 0));
    RETURNS("disable: not enabled", cudaDeviceDisablePeerAccess(1));
    RETURNS("disable: itself", cudaDeviceDisablePeerAccess(0));
    RETURNS("disable: device 5", cudaDeviceDisablePeerAccess(5));
    RETURNS("enable: 1", cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("enable: 1 again", cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("last error after that", cudaGetLastError());
    RETURNS("disable: 1", cudaDeviceDisablePeerAccess(1));
    RETURNS("disable: 1 again", cudaDeviceDisablePeerAccess(1));
    RETURNS("enable: 1 after that", cudaDeviceEnablePeerAccess(1, 0));
}

static void *enable_in_thread(void *)
{
    RETURNS("enable: enabled by another thread", cudaDeviceEnablePeerAccess(1, 0));
    return nullptr;
}

static void access_is_the_processs()
{
    pthread_t thread;
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    pthread_create(&thread, nullptr, enable_in_thread, nullptr);
    pthread_join(thread, nullptr);
}

static void a_kernel_without_access_spoils_both()
{
    int *of_1 = numbers(1, 1), *p, count;
    size_t free, total;
    cudaStream_t stream;
    NEED(cudaSetDevice(0));
    RETURNS("no access: launch", launch_add(of_1, 1));
    RETURNS("no access: 0 synchronised", cudaDeviceSynchronize());
    RETURNS("no access: 0 again", cudaDeviceSynchronize());
    RETURNS("no access: cudaMalloc on 0", cudaMalloc(&p, 4));
    RETURNS("no access: count", cudaGetDeviceCount(&count));
    RETURNS("no access: 1 made current", cudaSetDevice(1));
    RETURNS("no access: 1 synchronised", cudaDeviceSynchronize());
    RETURNS("no access: cudaMalloc on 1", cudaMalloc(&p, 4));
    RETURNS("no access: memory of 1", cudaMemGetInfo(&free, &total));
    RETURNS("no access: a stream of 1", cudaStreamCreate(&stream));
    RETURNS("no access: 1's memory read", cudaMemcpy(&count, of_1, 4, cudaMemcpyDeviceToHost));
    RETURNS("no access: 0 made current", cudaSetDevice(0));
    RETURNS("no access: 0 reset", cudaDeviceReset());
    RETURNS("no access: cudaMalloc on 0 after the reset", cudaMalloc(&p, 4));
    RETURNS("no access: 0 made current after the reset", cudaSetDevice(0));
    RETURNS("no access: 1 made current after the reset", cudaSetDevice(1));
    RETURNS("no access: cudaMalloc on 1 after 0's reset", cudaMalloc(&p, 4));
    RETURNS("no access: 1 synchronised after 0's reset", cudaDeviceSynchronize());
}

static void a_kernel_that_writes_without_access_fails_too()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    RETURNS("no access: a kernel that only writes", launch_copy(of_1, of_0, 1));
    RETURNS("no access: it synchronised", cudaDeviceSynchronize());
}

static void with_access_kernels_read_and_write()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("access: a kernel reads", launch_copy(of_0, of_1, 5));
    RETURNS("access: it synchronised", cudaDeviceSynchronize());
    ANSWER("access: what was read", "%ld", sum(of_0));
    RETURNS("access: a kernel adds", launch_add(of_1, 10));
    RETURNS("access: that synchronised", cudaDeviceSynchronize());
    ANSWER("access: what was added", "%ld", sum(of_1));
    int *later = numbers(1, 3);
    RETURNS("access: memory made after it was enabled", launch_add(later, 1));
    RETURNS("access: that memory's kernel synchronised", cudaDeviceSynchronize());
    ANSWER("access: that memory", "%ld", sum(later));
}

static void atomics_reach_a_peer()
{
    int *of_1 = numbers(1, 0), count = -1;
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    count_threads<<<64, 256>>>(of_1);
    RETURNS("access: atomics", cudaDeviceSynchronize());
    NEED(cudaSetDevice(1));
    count_threads<<<64, 256>>>(of_1);
    RETURNS("access: atomics of the owner", cudaDeviceSynchronize());
    NEED(cudaMemcpy(&count, of_1, sizeof count, cudaMemcpyDeviceToHost));
    ANSWER("access: atomics of both", "%d", count);
}

static void access_works_one_way()
{
    int *of_0 = numbers(0, 1);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaSetDevice(1));
    RETURNS("one way: the other way's launch", launch_add(of_0, 1));
    RETURNS("one way: it synchronised", cudaDeviceSynchronize());
}

static void both_ways_are_enabled_apart()
{
    int *of_0 = numbers(0, 1);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaSetDevice(1));
    RETURNS("one way: the other way enabled", cudaDeviceEnablePeerAccess(0, 0));
    RETURNS("one way: its launch", launch_add(of_0, 1));
    RETURNS("one way: that synchronised", cudaDeviceSynchronize());
    ANSWER("one way: what was added", "%ld", sum(of_0));
}

static void access_ends()
{
    int *of_1 = numbers(1, 2);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(launch_add(of_1, 1));
    NEED(cudaDeviceSynchronize());
    RETURNS("access ends: disabled", cudaDeviceDisablePeerAccess(1));
    RETURNS("access ends: launch", launch_add(of_1, 1));
    RETURNS("access ends: synchronised", cudaDeviceSynchronize());
}

static void a_reset_ends_access()
{
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaDeviceReset());
    RETURNS("reset: access of 0 disabled", cudaDeviceDisablePeerAccess(1));
    (void)cudaGetLastError();
    RETURNS("reset: access of 0 enabled", cudaDeviceEnablePeerAccess(1, 0));
}

static void a_reset_of_the_peer_ends_access()
{
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    NEED(cudaSetDevice(1));
    NEED(cudaDeviceReset());
    NEED(cudaSetDevice(0));
    RETURNS("reset: access to 1 enabled again", cudaDeviceEnablePeerAccess(1, 0));
}

extern const behaviour access_behaviours[] = {
    {"who can reach whom is asked", who_can_reach_whom_is_asked},
    {"what lies between is asked", what_lies_between_is_asked},
    {"mistakes are told", mistakes_are_told},
    {"access is the process's", access_is_the_processs},
    {"a kernel without access spoils both", a_kernel_without_access_spoils_both},
    {"a kernel that writes without access fails, too", a_kernel_that_writes_without_access_fails_too},
    {"with access kernels read and write", with_access_kernels_read_and_write},
    {"atomics reach a peer", atomics_reach_a_peer},
    {"access works one way", access_works_one_way},
    {"both ways are enabled apart", both_ways_are_enabled_apart},
    {"access ends", access_ends},
    {"a reset ends access", a_reset_ends_access},
    {"a reset of the peer ends access", a_reset_of_the_peer_ends_access},
    {nullptr, nullptr}};
