/**
 * @file device.cu
 * @brief Which device is current, and what each has of its own.
 */
#include "peers.h"

#include <cstring>
#include <pthread.h>

static int current()
{
    int device = -1;
    NEED(cudaGetDevice(&device));
    return device;
}

static void a_thread_has_a_current_device()
{
    int count = 0;
    RETURNS("count: call", cudaGetDeviceCount(&count));
    ANSWER("count", "%d", count);
    ANSWER("current: at the start", "%d", current());
    RETURNS("set: 1", cudaSetDevice(1));
    ANSWER("current: after set 1", "%d", current());
    RETURNS("set: 2 of 2", cudaSetDevice(2));
    ANSWER("current: after set 2", "%d", current());
    RETURNS("set: -1", cudaSetDevice(-1));
    ANSWER("current: after set -1", "%d", current());
    RETURNS("last error after set -1", cudaGetLastError());
}

static void *ask_in_thread(void *)
{
    ANSWER("current: of a new thread, 1 elsewhere", "%d", current());
    NEED(cudaSetDevice(0));
    ANSWER("current: of that thread, set to 0", "%d", current());
    return nullptr;
}

static void each_thread_has_its_own()
{
    pthread_t thread;
    NEED(cudaSetDevice(1));
    pthread_create(&thread, nullptr, ask_in_thread, nullptr);
    pthread_join(thread, nullptr);
    ANSWER("current: after the thread set 0", "%d", current());
}

static void the_devices_tell_of_themselves()
{
    cudaDeviceProp a, b;
    int value = -1;
    NEED(cudaGetDeviceProperties(&a, 0));
    NEED(cudaGetDeviceProperties(&b, 1));
    ANSWER("properties: names are equal", "%d", std::strcmp(a.name, b.name) == 0);
    ANSWER("properties: places on the bus are equal", "%d",
           a.pciBusID == b.pciBusID && a.pciDomainID == b.pciDomainID && a.pciDeviceID == b.pciDeviceID);
    ANSWER("properties: uuids are equal", "%d", std::memcmp(&a.uuid, &b.uuid, sizeof a.uuid) == 0);
    ANSWER("properties: multiprocessors are equal", "%d", a.multiProcessorCount == b.multiProcessorCount);
    ANSWER("properties: memory is equal", "%d", a.totalGlobalMem == b.totalGlobalMem);
    RETURNS("properties: of device 2", cudaGetDeviceProperties(&b, 2));
    RETURNS("attribute: of device 2", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2));
    RETURNS("attribute: of device 1", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    NEED(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 1));
    ANSWER("attribute: concurrent managed access of 1", "%d", value);
    NEED(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 1));
    ANSWER("attribute: cooperative launch of 1", "%d", value);
    NEED(cudaDeviceGetAttribute(&value, cudaDevAttrIsMultiGpuBoard, 0));
    ANSWER("attribute: is a board of several", "%d", value);
}

static void a_device_is_found_by_its_place_on_the_bus()
{
    char of_0[32] = "", of_1[32] = "";
    int device = -1;
    RETURNS("bus id: of 1", cudaDeviceGetPCIBusId(of_1, sizeof of_1, 1));
    NEED(cudaDeviceGetPCIBusId(of_0, sizeof of_0, 0));
    ANSWER("bus id: equal", "%d", std::strcmp(of_0, of_1) == 0);
    RETURNS("bus id: of 2", cudaDeviceGetPCIBusId(of_1 + 20, 10, 2));
    RETURNS("by bus id: of 1", cudaDeviceGetByPCIBusId(&device, of_1));
    ANSWER("by bus id: device", "%d", device);
    RETURNS("by bus id: of none", cudaDeviceGetByPCIBusId(&device, "fffe:ff:1f.0"));
}

static void a_device_is_chosen_by_properties()
{
    cudaDeviceProp wanted;
    int device = -1;
    std::memset(&wanted, 0, sizeof wanted);
    RETURNS("choose: nothing asked", cudaChooseDevice(&device, &wanted));
    ANSWER("choose: nothing asked, device", "%d", device);
    NEED(cudaGetDeviceProperties(&wanted, 1));
    RETURNS("choose: what 1 is", cudaChooseDevice(&device, &wanted));
}

static void limits_are_each_devices_own()
{
    size_t of_0 = 0, of_1 = 0;
    NEED(cudaSetDevice(1));
    RETURNS("limit: heap of 1 set to 32 MiB", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    RETURNS("limit: stack of 1 set to 4096", cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    NEED(cudaDeviceGetLimit(&of_1, cudaLimitMallocHeapSize));
    ANSWER("limit: heap of 1", "%zu", of_1);
    NEED(cudaSetDevice(0));
    NEED(cudaDeviceGetLimit(&of_0, cudaLimitMallocHeapSize));
    ANSWER("limit: heap of 0 then", "%zu", of_0);
    NEED(cudaDeviceGetLimit(&of_0, cudaLimitStackSize));
    ANSWER("limit: stack of 0 then", "%zu", of_0);
}

static void flags_are_each_devices_own()
{
    unsigned flags = 99;
    NEED(cudaSetDevice(1));
    RETURNS("flags: set on 1", cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    NEED(cudaGetDeviceFlags(&flags));
    ANSWER("flags: of 1", "%u", flags & cudaDeviceScheduleMask);
    NEED(cudaSetDevice(0));
    NEED(cudaGetDeviceFlags(&flags));
    ANSWER("flags: of 0 then", "%u", flags & cudaDeviceScheduleMask);
}

static void memory_is_each_devices_own()
{
    size_t before[2], after[2], total;
    void *p;
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        NEED(cudaMemGetInfo(&before[device], &total));
    }
    NEED(cudaSetDevice(1));
    NEED(cudaMalloc(&p, 64 << 20));
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        NEED(cudaMemGetInfo(&after[device], &total));
        ANSWER(device ? "memory: taken of 1, MiB" : "memory: taken of 0, MiB", "%zu",
               (before[device] - after[device]) >> 20);
    }
    RETURNS("memory: 1's freed with 0 current", (cudaSetDevice(0), cudaFree(p)));
    RETURNS("memory: freed twice", cudaFree(p));
}

static void a_device_is_made_ready()
{
    RETURNS("init: 1", cudaInitDevice(1, 0, 0));
    ANSWER("init: current then", "%d", current());
    RETURNS("init: 7", cudaInitDevice(7, 0, 0));
}

static void a_device_is_made_ready_with_flags()
{
    unsigned flags = 99;
    RETURNS("init: 1, with flags", cudaInitDevice(1, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    ANSWER("init: current then, with flags", "%d", current());
    NEED(cudaGetDeviceFlags(&flags));
    ANSWER("init: flags of 0 then", "%u", flags & cudaDeviceScheduleMask);
    NEED(cudaSetDevice(1));
    NEED(cudaGetDeviceFlags(&flags));
    ANSWER("init: flags of 1 then", "%u", flags & cudaDeviceScheduleMask);
    RETURNS("init: 1 again, other flags",
            cudaInitDevice(1, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
    RETURNS("init: flags that are none", cudaInitDevice(1, 0xffff, cudaInitDeviceFlagsAreValid));
    RETURNS("init: a second argument that is none", cudaInitDevice(1, 0, 6));
}

static void devices_are_listed_as_valid()
{
    int one_zero[] = {1, 0}, one[] = {1}, wrong[] = {1, 7}, twice[] = {1, 1};
    RETURNS("valid: a device that is none", cudaSetValidDevices(wrong, 2));
    RETURNS("valid: a device twice", cudaSetValidDevices(twice, 2));
    RETURNS("valid: no list", cudaSetValidDevices(nullptr, 1));
    RETURNS("valid: none", cudaSetValidDevices(one, 0));
    RETURNS("valid: none, no list", cudaSetValidDevices(nullptr, 0));
    RETURNS("valid: three of two", cudaSetValidDevices(one_zero, 3));
    RETURNS("valid: -1", cudaSetValidDevices(one, -1));
    RETURNS("valid: 1, then 0", cudaSetValidDevices(one_zero, 2));
    ANSWER("valid: current then", "%d", current());
    RETURNS("valid: first use", cudaFree(nullptr));
    ANSWER("valid: current after the first use", "%d", current());
    RETURNS("valid: a list after that", cudaSetValidDevices(one, 1));
    RETURNS("valid: 0 set though", cudaSetDevice(0));
}

static void devices_that_are_not_listed()
{
    int one[] = {1};
    RETURNS("valid: 1 only", cudaSetValidDevices(one, 1));
    RETURNS("valid: 0 set, 1 only", cudaSetDevice(0));
    ANSWER("valid: current then, 1 only", "%d", current());
    RETURNS("valid: first use, 1 only", cudaFree(nullptr));
    ANSWER("valid: current after the first use, 1 only", "%d", current());
}

static void *use_in_thread(void *)
{
    RETURNS("valid: first use of a thread", cudaFree(nullptr));
    ANSWER("valid: current of a thread", "%d", current());
    return nullptr;
}

static void threads_follow_the_list()
{
    int one_zero[] = {1, 0};
    pthread_t thread;
    NEED(cudaSetValidDevices(one_zero, 2));
    pthread_create(&thread, nullptr, use_in_thread, nullptr);
    pthread_join(thread, nullptr);
}

static void priorities_are_the_same()
{
    int least = 9, greatest = 9;
    NEED(cudaSetDevice(1));
    RETURNS("priorities: of 1", cudaDeviceGetStreamPriorityRange(&least, &greatest));
    ANSWER("priorities: of 1, range", "%d to %d", least, greatest);
}

static void a_reset_leaves_the_other_device()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 2);
    NEED(cudaSetDevice(0));
    RETURNS("reset: of 0", cudaDeviceReset());
    ANSWER("reset: current then", "%d", current());
    RETURNS("reset: 0's memory freed", cudaFree(of_0));
    (void)cudaGetLastError();
    ANSWER("reset: 1's memory", "%ld", sum(of_1));
    NEED(cudaSetDevice(1));
    RETURNS("reset: a launch on 1", launch_add(of_1, 1));
    RETURNS("reset: 1 synchronised", cudaDeviceSynchronize());
    ANSWER("reset: 1's memory then", "%ld", sum(of_1));
    NEED(cudaSetDevice(0));
    RETURNS("reset: 0 is used again", cudaMalloc(&of_0, 4));
}

extern const behaviour device_behaviours[] = {
    {"a thread has a current device", a_thread_has_a_current_device},
    {"each thread has its own", each_thread_has_its_own},
    {"the devices tell of themselves", the_devices_tell_of_themselves},
    {"a device is found by its place on the bus", a_device_is_found_by_its_place_on_the_bus},
    {"a device is chosen by properties", a_device_is_chosen_by_properties},
    {"limits are each device's own", limits_are_each_devices_own},
    {"flags are each device's own", flags_are_each_devices_own},
    {"memory is each device's own", memory_is_each_devices_own},
    {"a device is made ready", a_device_is_made_ready},
    {"a device is made ready with flags", a_device_is_made_ready_with_flags},
    {"devices are listed as valid", devices_are_listed_as_valid},
    {"devices that are not listed", devices_that_are_not_listed},
    {"threads follow the list", threads_follow_the_list},
    {"priorities are the same", priorities_are_the_same},
    {"a reset leaves the other device", a_reset_leaves_the_other_device},
    {nullptr, nullptr}};
