/**
 * @file occupancy.c
 * @brief What is known of a kernel, and how many of its blocks a multiprocessor holds.
 *
 * The kernel is empty: neither registers nor static shared memory limit it.
 */
#include <string.h>

#include "behaviour.h"
#include "launchers.h"
#include "um_test.h"

static void after(void)
{
    (void)cudaGetLastError(); /* a refused call leaves its error behind */
}

/* A host function: no kernel. */
static const void *not_a_kernel(void)
{
    return (const void *)(size_t)not_a_kernel;
}

static int attribute(enum cudaDeviceAttr number)
{
    int value = -1;

    CU_ASSERT_EQUAL_FATAL(cudaDeviceGetAttribute(&value, number, 0), cudaSuccess);
    return value;
}

static void set_dynamic(int bytes)
{
    CU_ASSERT_EQUAL(
        cudaFuncSetAttribute(conf_empty_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        cudaSuccess);
}

static void a_kernel_tells_its_attributes(void)
{
    struct cudaFuncAttributes a;

    memset(&a, 0x55, sizeof a);
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    UM_RETURNS("cudaFuncGetAttributes", cudaFuncGetAttributes(&a, conf_empty_kernel()));
    UM_EQUAL(a.maxThreadsPerBlock, attribute(cudaDevAttrMaxThreadsPerBlock));
    UM_EQUAL(a.sharedSizeBytes, 0);
    UM_EQUAL(a.localSizeBytes, 0);
    UM_EQUAL(a.maxDynamicSharedSizeBytes, attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    UM_EQUAL(a.preferredShmemCarveout, cudaSharedmemCarveoutDefault);
    UM_EQUAL(a.clusterDimMustBeSet, 0);
    CU_ASSERT_TRUE(a.binaryVersion >= 10 && a.ptxVersion >= 10);
}

static void what_is_no_kernel_has_none(void)
{
    struct cudaFuncAttributes a;

    UM_RETURNS("cudaFuncGetAttributes: NULL", cudaFuncGetAttributes(NULL, conf_empty_kernel()));
    UM_RETURNS("cudaFuncGetAttributes: no kernel", cudaFuncGetAttributes(&a, not_a_kernel()));
    UM_RETURNS("cudaFuncGetAttributes: kernel NULL", cudaFuncGetAttributes(&a, NULL));
    UM_RETURNS("cudaFuncSetAttribute: no kernel",
               cudaFuncSetAttribute(not_a_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    UM_RETURNS("cudaFuncSetAttribute: kernel NULL",
               cudaFuncSetAttribute(NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    UM_RETURNS("cudaFuncSetAttribute: no kernel, no attribute",
               cudaFuncSetAttribute(not_a_kernel(), (enum cudaFuncAttribute)99, 1));
    UM_RETURNS("cudaFuncSetCacheConfig: no kernel",
               cudaFuncSetCacheConfig(not_a_kernel(), cudaFuncCachePreferL1));
    UM_RETURNS("cudaFuncSetCacheConfig: kernel NULL", cudaFuncSetCacheConfig(NULL, cudaFuncCachePreferL1));
    UM_RETURNS("cudaFuncSetCacheConfig", cudaFuncSetCacheConfig(conf_empty_kernel(), cudaFuncCachePreferL1));
    UM_RETURNS("cudaFuncSetCacheConfig: 9",
               cudaFuncSetCacheConfig(conf_empty_kernel(), (enum cudaFuncCache)9));
    /* back again: a preference for L1 changes what an H200 says of occupancy */
    CU_ASSERT_EQUAL(cudaFuncSetCacheConfig(conf_empty_kernel(), cudaFuncCachePreferNone), cudaSuccess);
    after();
}

static void some_attributes_can_be_set(void)
{
    const void *kernel = conf_empty_kernel();
    const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    struct cudaFuncAttributes a;

    UM_RETURNS("cudaFuncSetAttribute: all dynamic shared memory",
               cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    CU_ASSERT_EQUAL(cudaFuncGetAttributes(&a, kernel), cudaSuccess);
    UM_EQUAL(a.maxDynamicSharedSizeBytes, most);
    UM_RETURNS("cudaFuncSetAttribute: more than all",
               cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
    UM_RETURNS("cudaFuncSetAttribute: less than none",
               cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    UM_RETURNS("cudaFuncSetAttribute: carveout 50",
               cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    UM_RETURNS("cudaFuncSetAttribute: carveout 101",
               cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    UM_RETURNS("cudaFuncSetAttribute: carveout -2",
               cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    UM_RETURNS("cudaFuncSetAttribute: carveout -1",
               cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    UM_RETURNS("cudaFuncSetAttribute: attribute 99",
               cudaFuncSetAttribute(kernel, (enum cudaFuncAttribute)99, 1));
    after();
    CU_ASSERT_EQUAL(cudaFuncGetAttributes(&a, kernel), cudaSuccess);
    UM_EQUAL(a.maxDynamicSharedSizeBytes, most);
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
}

static void blocks(const char *name, int threads, size_t shared)
{
    int count = -1;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, conf_empty_kernel(), threads, shared);

    UM_BEHAVIOUR(name, "%s %d", cudaGetErrorName(error), count);
    after();
}

static void threads_limit_the_blocks(void)
{
    blocks("occupancy: 1 thread", 1, 0);
    blocks("occupancy: 64 threads", 64, 0);
    blocks("occupancy: 65 threads", 65, 0);
    blocks("occupancy: 256 threads", 256, 0);
    blocks("occupancy: 257 threads", 257, 0);
    blocks("occupancy: 768 threads", 768, 0);
    blocks("occupancy: 1024 threads", 1024, 0);
    blocks("occupancy: 1025 threads", 1025, 0);
    blocks("occupancy: 0 threads", 0, 0);
    blocks("occupancy: -1 threads", -1, 0);
}

static void shared_memory_limits_the_blocks(void)
{
    set_dynamic(49152);
    blocks("occupancy: 64 threads, 1 byte", 64, 1);
    blocks("occupancy: 64 threads, 10000 bytes", 64, 10000);
    blocks("occupancy: 64 threads, 48 KiB", 64, 49152);
    blocks("occupancy: 64 threads, 48 KiB and 1 byte", 64, 49153);
    set_dynamic(100000);
    blocks("occupancy: 64 threads, 100000 bytes asked for", 64, 100000);
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    blocks("occupancy: 64 threads, all there is", 64,
           (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    set_dynamic(1000);
    blocks("occupancy: 64 threads, 1001 bytes of 1000", 64, 1001);
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
}

static void mistakes_are_refused(void)
{
    int count = -1;

    UM_RETURNS("occupancy: NULL",
               cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, conf_empty_kernel(), 64, 0));
    UM_RETURNS("occupancy: no kernel",
               cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, not_a_kernel(), 64, 0));
    UM_RETURNS("occupancy: kernel NULL", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, NULL, 64, 0));
    UM_RETURNS("occupancy: flags 1",
               cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, conf_empty_kernel(), 64, 0,
                                                                      cudaOccupancyDisableCachingOverride));
    UM_RETURNS("occupancy: flags 2",
               cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, conf_empty_kernel(), 64, 0, 2));
    after();
}

static void available(const char *name, int count, int threads)
{
    size_t bytes = 77;
    const cudaError_t error =
        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, conf_empty_kernel(), count, threads);

    UM_BEHAVIOUR(name, "%s %zu", cudaGetErrorName(error), bytes);
    after();
}

static void the_shared_memory_that_is_left_is_told(void)
{
    set_dynamic(49152);
    available("available: 1 block", 1, 64);
    available("available: 4 blocks", 4, 64);
    available("available: 7 blocks", 7, 64);
    available("available: 8 blocks", 8, 64);
    available("available: 32 blocks", 32, 64);
    available("available: 33 blocks", 33, 64);
    available("available: 3 blocks of 1024 threads", 3, 1024);
    available("available: 0 blocks", 0, 64);
    available("available: blocks of 0 threads", 1, 0);
    set_dynamic(100000);
    available("available: 1 block, 100000 bytes asked for", 1, 64);
    available("available: 2 blocks, 100000 bytes asked for", 2, 64);
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    UM_RETURNS("available: no kernel",
               cudaOccupancyAvailableDynamicSMemPerBlock(&(size_t){0}, not_a_kernel(), 1, 64));
    after();
}

/* A launch needs what was asked for. */
static void a_launch_may_use_what_was_asked_for(void)
{
    const dim3 one = {1, 1, 1};
    const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);

    set_dynamic(100000);
    UM_RETURNS("<<<>>>: 100000 bytes of shared memory, asked for", conf_launch(one, one, 100000, 0));
    UM_RETURNS("<<<>>>: 100001 bytes of 100000", conf_launch(one, one, 100001, 0));
    set_dynamic(most);
    UM_RETURNS("<<<>>>: all shared memory, asked for", conf_launch(one, one, (size_t)most, 0));
    set_dynamic(1000);
    UM_RETURNS("<<<>>>: 1001 bytes of 1000", conf_launch(one, one, 1001, 0));
    set_dynamic(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

UM_TESTS("kernel attributes", {"a kernel tells its attributes", a_kernel_tells_its_attributes},
         {"what is no kernel has none", what_is_no_kernel_has_none},
         {"some attributes can be set", some_attributes_can_be_set},
         {"a launch may use what was asked for", a_launch_may_use_what_was_asked_for});

UM_TESTS("occupancy", {"threads limit the blocks", threads_limit_the_blocks},
         {"shared memory limits the blocks", shared_memory_limits_the_blocks},
         {"mistakes are refused", mistakes_are_refused},
         {"the shared memory that is left is told", the_shared_memory_that_is_left_is_told});
