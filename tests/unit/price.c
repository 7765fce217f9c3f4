/**
 * @file price.c
 * @brief What umsim_price.h says that a call takes is what the clock shows when it is made.
 */
#include "cuda_runtime_api.h"
#include "um_test.h"
#include "umsim.h"
#include "umsim_price.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 6 << 20 };

static const struct umsim_profile *machine(void)
{
    const struct umsim_profile *found = NULL;

    UM_EQUAL(umsim_price_machine(&found), cudaSuccess);
    return found;
}

static void getting_and_giving_back_memory_costs_its_price(void)
{
    const struct umsim_profile *here = machine();
    void *device = NULL, *host = NULL, *managed = NULL;
    uint64_t start = umsim_time_ns();

    UM_EQUAL(cudaMalloc(&device, BYTES), cudaSuccess);
    UM_EQUAL(cudaMallocHost(&host, BYTES), cudaSuccess);
    UM_EQUAL(cudaFree(device), cudaSuccess);
    UM_EQUAL(cudaFreeHost(host), cudaSuccess);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_memory_ns(here, UMSIM_PRICE_PINNED, BYTES));
    start = umsim_time_ns();
    UM_EQUAL(cudaMallocManaged(&managed, BYTES, cudaMemAttachGlobal), cudaSuccess);
    memset(managed, 1, BYTES); /* its pages are the host's, as a price has them */
    UM_EQUAL(cudaFree(managed), cudaSuccess);
    UM_EQUAL(umsim_time_ns() - start >= umsim_price_memory_ns(here, UMSIM_PRICE_MANAGED, BYTES), true);
}

static void a_copy_and_a_registration_cost_their_price(void)
{
    const struct umsim_profile *here = machine();
    void *device = NULL, *pinned = NULL, *plain = aligned_alloc(4096, BYTES);
    uint64_t start;

    UM_EQUAL(cudaMalloc(&device, BYTES), cudaSuccess);
    UM_EQUAL(cudaMallocHost(&pinned, BYTES), cudaSuccess);
    memset(plain, 1, BYTES);
    start = umsim_time_ns();
    UM_EQUAL(cudaMemcpy(device, plain, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_upload_ns(here, false, BYTES));
    start = umsim_time_ns();
    UM_EQUAL(cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_upload_ns(here, true, BYTES));
    start = umsim_time_ns();
    UM_EQUAL(cudaHostRegister(plain, BYTES, cudaHostRegisterDefault), cudaSuccess);
    UM_EQUAL(cudaHostUnregister(plain), cudaSuccess);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_register_ns(here, BYTES));
    start = umsim_time_ns();
    umsim_host_copied(BYTES);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_host_copy_ns(here, BYTES));
    cudaFree(device);
    cudaFreeHost(pinned);
    free(plain);
}

/* To the device, and read there by the host page after page. */
static void a_prefetch_and_the_hosts_faults_cost_their_price(void)
{
    struct umsim_price *price = umsim_price_begin(machine(), UMSIM_PRICE_MANAGED, BYTES, (size_t)1 << 30);
    unsigned char *managed = NULL, sum = 0;
    uint64_t start;

    UM_EQUAL(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal), cudaSuccess);
    memset(managed, 1, BYTES);
    start = umsim_time_ns();
    UM_EQUAL(
        cudaMemPrefetchAsync(managed, BYTES, (struct cudaMemLocation){cudaMemLocationTypeDevice, 0}, 0, 0),
        cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    umsim_price_prefetch(price, 0);
    UM_EQUAL(umsim_time_ns() - start, umsim_price_ns(price));
    for (size_t i = 0; i < BYTES; i += 4096)
        sum = (unsigned char)(sum + managed[i]);
    UM_EQUAL(sum, (unsigned char)(BYTES / 4096));
    umsim_price_host_touches(price, false);
    /* The clock rounds once for each fault, the price once for all. */
    UM_EQUAL(llabs((long long)(umsim_time_ns() - start - umsim_price_ns(price))) <= BYTES / (2 << 20) * 6,
             true);
    umsim_price_end(price);
    cudaFree(managed);
}

static void asking_changes_nothing(void)
{
    const struct umsim_profile *here = machine();
    struct umsim_counters before, after;
    const uint64_t start = umsim_time_ns();
    struct umsim_price *price;

    umsim_counters_read(&before);
    price = umsim_price_begin(here, UMSIM_PRICE_MANAGED, BYTES, BYTES / 2);
    for (size_t at = 0; at < BYTES; at += 65536)
        umsim_price_touch(price, at, true);
    umsim_price_launch(price, &(struct umsim_price_kernel){.blocks = 6, .threads = 256, .reads = BYTES});
    umsim_price_synchronize(price);
    UM_EQUAL(umsim_price_ns(price) > 0, true);
    umsim_price_end(price);
    umsim_counters_read(&after);
    UM_EQUAL(umsim_time_ns(), start);
    UM_EQUAL(memcmp(&before, &after, sizeof before), 0);
}

UM_TESTS("prices",
         {"getting and giving back memory costs its price", getting_and_giving_back_memory_costs_its_price},
         {"a copy and a registration cost their price", a_copy_and_a_registration_cost_their_price},
         {"a prefetch and the host's faults cost their price",
          a_prefetch_and_the_hosts_faults_cost_their_price},
         {"asking changes nothing", asking_changes_nothing});
