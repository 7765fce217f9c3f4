/**
 * @file pool.cu
 * @brief Pools of several devices and their access lists.
 */
#include "peers.h"

#include <cstring>

static cudaMemAccessDesc access_of(int device, cudaMemAccessFlags flags)
{
    cudaMemAccessDesc it;
    std::memset(&it, 0, sizeof it);
    it.location.type = cudaMemLocationTypeDevice;
    it.location.id = device;
    it.flags = flags;
    return it;
}

static cudaMemPool_t default_of(int device)
{
    cudaMemPool_t pool;
    NEED(cudaDeviceGetDefaultMemPool(&pool, device));
    return pool;
}

/* N numbers of 1's default pool, all 1; 0 is current. */
static int *of_pool_of_1()
{
    cudaStream_t stream = stream_of(1);
    int *p, *from = numbers(1, 1);
    NEED(cudaSetDevice(1));
    NEED(cudaMallocAsync(&p, N * sizeof *p, stream));
    NEED(cudaMemcpyAsync(p, from, N * sizeof *p, cudaMemcpyDeviceToDevice, stream));
    NEED(cudaStreamSynchronize(stream));
    NEED(cudaSetDevice(0));
    return p;
}

/* All kinds of copies and fills of 1's pool memory, while 0 is current. */
static void with_0_current(const char *when)
{
    static int host[4] = {7, 7, 7, 7};
    const char *const names[] = {"to the host", "from the host", "within 1",      "within 1, default", "to 0",
                                 "from 0",      "fill",          "in 1's stream", "fill in 1's stream"};
    cudaStream_t stream = stream_of(1);
    int *p = of_pool_of_1(), *of_1 = numbers(1, 1), *of_0 = numbers(0, 1);
    const cudaError_t did[] = {cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost),
                               cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice),
                               cudaMemcpy(p, of_1, 64, cudaMemcpyDeviceToDevice),
                               cudaMemcpy(p, of_1, 64, cudaMemcpyDefault),
                               cudaMemcpy(of_0, p, 64, cudaMemcpyDefault),
                               cudaMemcpy(p, of_0, 64, cudaMemcpyDefault),
                               cudaMemset(p, 0, 64),
                               cudaMemcpyAsync(p, of_1, 64, cudaMemcpyDeviceToDevice, stream),
                               cudaMemsetAsync(p, 0, 64, stream)};
    for (size_t i = 0; i < sizeof did / sizeof *did; i++) {
        char name[80];
        std::snprintf(name, sizeof name, "pool: 0 current, %s, %s", when, names[i]);
        RETURNS(name, did[i]);
    }
}

static void calls_with_the_other_device_current()
{
    const cudaMemAccessDesc both = access_of(0, cudaMemAccessFlagsProtReadWrite);
    with_0_current("no access");
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    with_0_current("peer access");
    NEED(cudaMemPoolSetAccess(default_of(1), &both, 1));
    with_0_current("both");
    NEED(cudaDeviceDisablePeerAccess(1));
    with_0_current("listed");
}

static void an_access_list_outlives_a_reset()
{
    const cudaMemAccessDesc both = access_of(0, cudaMemAccessFlagsProtReadWrite);
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    cudaMemLocation to = both.location;
    int *p = of_pool_of_1();
    NEED(cudaMemPoolSetAccess(default_of(1), &both, 1));
    RETURNS("pool: 0, that has access, is reset", cudaDeviceReset());
    RETURNS("pool: access asked then", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    ANSWER("pool: access then", "%d", (int)flags);
    RETURNS("pool: kernel on 0 then", (launch_add(p, 1), cudaDeviceSynchronize()));
}

static int device_of(const void *p)
{
    cudaPointerAttributes it;
    NEED(cudaPointerGetAttributes(&it, p));
    return it.device;
}

static void each_device_has_a_pool()
{
    cudaMemPool_t pool, of_0 = default_of(0), of_1 = default_of(1);
    ANSWER("pool: defaults are equal", "%d", of_0 == of_1);
    RETURNS("pool: default of 2", cudaDeviceGetDefaultMemPool(&pool, 2));
    RETURNS("pool: current of 1", cudaDeviceGetMemPool(&pool, 1));
    ANSWER("pool: current of 1 is its default", "%d", pool == of_1);
    RETURNS("pool: 1's made current on 0", cudaDeviceSetMemPool(0, of_1));
    RETURNS("pool: 1's made current on 1", cudaDeviceSetMemPool(1, of_1));
    RETURNS("pool: current of 2", cudaDeviceGetMemPool(&pool, 2));
}

static void memory_is_the_streams_devices()
{
    int *p;
    cudaStream_t stream = stream_of(1);
    RETURNS("pool: a stream of 1, 0 current", cudaMallocAsync(&p, 4096, stream));
    ANSWER("pool: whose memory that is", "%d", device_of(p));
    RETURNS("pool: freed in it", cudaFreeAsync(p, stream));
    NEED(cudaSetDevice(1));
    NEED(cudaMallocAsync(&p, 4096, 0));
    ANSWER("pool: the legacy stream, 1 current", "%d", device_of(p));
    NEED(cudaSetDevice(0));
    RETURNS("pool: freed in 0's legacy stream", cudaFreeAsync(p, 0));
}

static void a_pool_is_made_for_a_device()
{
    cudaMemPoolProps props;
    cudaMemPool_t pool;
    int *p;
    std::memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 1;
    RETURNS("pool: made for 1, 0 current", cudaMemPoolCreate(&pool, &props));
    RETURNS("pool: its memory in a stream of 0", cudaMallocFromPoolAsync(&p, 4096, pool, 0));
    ANSWER("pool: whose memory that one is", "%d", device_of(p));
    RETURNS("pool: that freed", cudaFreeAsync(p, 0));
    RETURNS("pool: made current on 0", cudaDeviceSetMemPool(0, pool));
    RETURNS("pool: made current on 1", cudaDeviceSetMemPool(1, pool));
    RETURNS("pool: destroyed", cudaMemPoolDestroy(pool));
    props.location.id = 5;
    RETURNS("pool: made for 5", cudaMemPoolCreate(&pool, &props));
}

static void peer_access_says_nothing_of_pools()
{
    int *p = of_pool_of_1();
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS("pool: peer access, launch on 0", launch_add(p, 1));
    RETURNS("pool: peer access, synchronised", cudaDeviceSynchronize());
    RETURNS("pool: 1 then", (cudaSetDevice(1), cudaDeviceSynchronize()));
}

static void an_access_list_does()
{
    const cudaMemAccessDesc both = access_of(0, cudaMemAccessFlagsProtReadWrite);
    int *p = of_pool_of_1();
    RETURNS("pool: access of 0 to 1's", cudaMemPoolSetAccess(default_of(1), &both, 1));
    RETURNS("pool: access, launch on 0", launch_add(p, 1));
    RETURNS("pool: access, synchronised", cudaDeviceSynchronize());
    ANSWER("pool: access, sum", "%ld", sum(p));
    p = of_pool_of_1();
    RETURNS("pool: access, later memory", (launch_add(p, 1), cudaDeviceSynchronize()));
    ANSWER("pool: access, later memory, sum", "%ld", sum(p));
}

static void an_access_list_is_no_peer_access()
{
    const cudaMemAccessDesc both = access_of(0, cudaMemAccessFlagsProtReadWrite);
    int *plain = numbers(1, 1);
    NEED(cudaMemPoolSetAccess(default_of(1), &both, 1));
    RETURNS("pool: access to the pool, kernel on cudaMalloc's",
            (launch_add(plain, 1), cudaDeviceSynchronize()));
}

static void access_is_taken_back()
{
    const cudaMemAccessDesc both = access_of(0, cudaMemAccessFlagsProtReadWrite),
                            none = access_of(0, cudaMemAccessFlagsProtNone);
    int *p = of_pool_of_1();
    NEED(cudaMemPoolSetAccess(default_of(1), &both, 1));
    NEED(launch_add(p, 1));
    NEED(cudaDeviceSynchronize());
    RETURNS("pool: access taken back", cudaMemPoolSetAccess(default_of(1), &none, 1));
    RETURNS("pool: taken back, kernel", (launch_add(p, 1), cudaDeviceSynchronize()));
}

static void mistakes_of_access_are_told()
{
    cudaMemAccessDesc it = access_of(1, cudaMemAccessFlagsProtReadWrite);
    RETURNS("pool access: the owner's own", cudaMemPoolSetAccess(default_of(1), &it, 1));
    it = access_of(1, cudaMemAccessFlagsProtNone);
    RETURNS("pool access: the owner's, none", cudaMemPoolSetAccess(default_of(1), &it, 1));
    it = access_of(0, cudaMemAccessFlagsProtRead);
    RETURNS("pool access: a peer's, to read", cudaMemPoolSetAccess(default_of(1), &it, 1));
    it = access_of(0, cudaMemAccessFlagsProtNone);
    RETURNS("pool access: a peer's, none, that has none", cudaMemPoolSetAccess(default_of(1), &it, 1));
    it = access_of(5, cudaMemAccessFlagsProtReadWrite);
    RETURNS("pool access: of 5", cudaMemPoolSetAccess(default_of(1), &it, 1));
    it = access_of(0, (cudaMemAccessFlags)2);
    RETURNS("pool access: flags 2", cudaMemPoolSetAccess(default_of(1), &it, 1));
    RETURNS("pool access: of nobody", cudaMemPoolSetAccess(default_of(1), &it, 0));
}

static void access_is_asked()
{
    cudaMemAccessFlags flags = (cudaMemAccessFlags)9;
    cudaMemLocation to = access_of(0, cudaMemAccessFlagsProtNone).location;
    RETURNS("pool access asked: of 0 to 1's", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    ANSWER("pool access asked: that", "%d", (int)flags);
    to.id = 1;
    RETURNS("pool access asked: the owner's", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    ANSWER("pool access asked: the owner's, that", "%d", (int)flags);
    to.id = 5;
    RETURNS("pool access asked: of 5", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    to.id = -1;
    RETURNS("pool access asked: of -1", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    to.type = cudaMemLocationTypeHost;
    to.id = 0;
    RETURNS("pool access asked: of the host", cudaMemPoolGetAccess(&flags, default_of(1), &to));
    to.type = cudaMemLocationTypeInvalid;
    RETURNS("pool access asked: of nowhere", cudaMemPoolGetAccess(&flags, default_of(1), &to));
}

static void copies_need_no_list()
{
    int *of_0 = numbers(0, 5), *p = of_pool_of_1();
    RETURNS("pool: copied to by cudaMemcpyPeer", cudaMemcpyPeer(p, 1, of_0, 0, N * sizeof *p));
    ANSWER("pool: copied to, sum", "%ld", sum(p));
    RETURNS("pool: memset with 0 current", cudaMemset(p, 0, 64));
}

extern const behaviour pool_behaviours[] = {
    {"each device has a pool", each_device_has_a_pool},
    {"memory is the stream's device's", memory_is_the_streams_devices},
    {"a pool is made for a device", a_pool_is_made_for_a_device},
    {"peer access says nothing of pools", peer_access_says_nothing_of_pools},
    {"an access list does", an_access_list_does},
    {"an access list is no peer access", an_access_list_is_no_peer_access},
    {"access is taken back", access_is_taken_back},
    {"mistakes of access are told", mistakes_of_access_are_told},
    {"access is asked", access_is_asked},
    {"copies need no list", copies_need_no_list},
    {"calls with the other device current", calls_with_the_other_device_current},
    {"an access list outlives a reset", an_access_list_outlives_a_reset},
    {nullptr, nullptr}};
