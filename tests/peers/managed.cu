/**
 * @file managed.cu
 * @brief Managed memory of two devices: what calls return, what is told of it, and the data after each step.
 * (Which step faults: managed_steps.cu.)
 */
#include "peers.h"

#include <cstdlib>
#include <cstring>

__managed__ int shared_number = 5;

__global__ void add_to_shared(int value)
{
    shared_number += value;
}

__global__ void count_system(int *p)
{
    atomicAdd_system(p, 1);
}

static cudaMemLocation location(cudaMemLocationType type, int id)
{
    cudaMemLocation place;
    memset(&place, 0, sizeof place);
    place.type = type;
    place.id = id;
    return place;
}

static cudaMemLocation device(int id)
{
    return location(cudaMemLocationTypeDevice, id);
}

static cudaMemLocation host()
{
    return location(cudaMemLocationTypeHost, 0);
}

/* N managed numbers, all `value`, written by the host. */
static int *managed(int value)
{
    int *p;
    NEED(cudaMallocManaged(&p, N * sizeof *p));
    for (int i = 0; i < N; i++)
        p[i] = value;
    return p;
}

static long host_sum(const int *p)
{
    long all = 0;
    for (int i = 0; i < N; i++)
        all += p[i];
    return all;
}

/* A device adds, and that is waited for. */
static cudaError_t add_on(int device, int *p, int value)
{
    NEED(cudaSetDevice(device));
    const cudaError_t launched = launch_add(p, value);
    const cudaError_t ran = cudaDeviceSynchronize();
    return launched != cudaSuccess ? launched : ran;
}

static void tell_pointer(const char *name, const void *p)
{
    cudaPointerAttributes its;
    memset(&its, 0, sizeof its);
    const cudaError_t error = cudaPointerGetAttributes(&its, p);
    ANSWER(name, "%s: type %d, device %d, of devices %d, of host %d", cudaGetErrorName(error), (int)its.type,
           its.device, its.devicePointer == p, its.hostPointer == p);
}

static void pointers_tell_where_they_were_made()
{
    int *of_0 = managed(1), *of_1;
    NEED(cudaSetDevice(1));
    of_1 = managed(1);
    tell_pointer("managed pointer: made with 0 current, 1 current", of_0);
    tell_pointer("managed pointer: made with 1 current", of_1);
    NEED(cudaSetDevice(0));
    tell_pointer("managed pointer: made with 1 current, 0 current", of_1);
    NEED(add_on(1, of_0, 1));
    tell_pointer("managed pointer: of 0, used by 1", of_0);
    NEED(cudaMemPrefetchAsync(of_0, N * sizeof(int), device(1), 0, 0));
    NEED(cudaDeviceSynchronize());
    tell_pointer("managed pointer: of 0, prefetched to 1", of_0);
    RETURNS("managed pointer: 1's freed with 0 current", cudaFree(of_1));
}

static void managed_variables_are_one_for_all()
{
    int *of_0, *of_1, value = -1;
    NEED(cudaGetSymbolAddress((void **)&of_0, shared_number));
    NEED(cudaSetDevice(1));
    NEED(cudaGetSymbolAddress((void **)&of_1, shared_number));
    ANSWER("managed variable: one address", "%d", of_0 == of_1);
    ANSWER("managed variable: and the host's", "%d", of_0 == &shared_number);
    add_to_shared<<<1, 1>>>(10);
    RETURNS("managed variable: a kernel of 1", cudaDeviceSynchronize());
    ANSWER("managed variable: after it", "%d", shared_number);
    NEED(cudaSetDevice(0));
    add_to_shared<<<1, 1>>>(100);
    RETURNS("managed variable: a kernel of 0", cudaDeviceSynchronize());
    ANSWER("managed variable: after that", "%d", shared_number);
    tell_pointer("managed variable: its pointer, 0 current", of_0);
    NEED(cudaSetDevice(1));
    tell_pointer("managed variable: its pointer, 1 current", of_0);
    value = 7;
    RETURNS("managed variable: cudaMemcpyToSymbol, 1 current",
            cudaMemcpyToSymbol(shared_number, &value, sizeof value));
    ANSWER("managed variable: after the copy", "%d", shared_number);
    RETURNS("managed variable: preferred location 1",
            cudaMemAdvise(of_0, sizeof value, cudaMemAdviseSetPreferredLocation, device(1)));
    RETURNS("managed variable: prefetched to 1", cudaMemPrefetchAsync(of_0, sizeof value, device(1), 0, 0));
    NEED(cudaDeviceSynchronize());
    ANSWER("managed variable: after the prefetch", "%d", shared_number);
}

static void each_processor_sees_what_the_last_one_wrote()
{
    int *p = managed(1);
    RETURNS("managed: 0 adds", add_on(0, p, 1));
    RETURNS("managed: 1 adds", add_on(1, p, 2));
    RETURNS("managed: 1 adds again", add_on(1, p, 3));
    RETURNS("managed: 0 adds again", add_on(0, p, 4));
    ANSWER("managed: sum", "%ld", host_sum(p));
    p[7] += 1000;
    NEED(add_on(1, p, 5));
    ANSWER("managed: sum, the host and 1 later", "%ld", host_sum(p));
    int *q;
    NEED(cudaMallocManaged(&q, N * sizeof *q));
    RETURNS("managed: 1 touches first", add_on(1, q, 3));
    RETURNS("managed: 0 next", add_on(0, q, 4));
    ANSWER("managed: sum of what 1 touched first", "%ld", host_sum(q));
}

static void atomics_of_all_processors_add_up()
{
    int *count;
    NEED(cudaMallocManaged(&count, sizeof *count));
    *count = 0;
    cudaStream_t of_0 = stream_of(0), of_1 = stream_of(1);
    count_system<<<64, 256, 0, of_0>>>(count);
    NEED(cudaGetLastError());
    count_system<<<64, 256, 0, of_1>>>(count);
    RETURNS("managed atomics: 1's launch, 0 current", cudaGetLastError());
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    RETURNS("managed atomics: 0", cudaStreamSynchronize(of_0));
    RETURNS("managed atomics: 1", cudaStreamSynchronize(of_1));
    ANSWER("managed atomics: count", "%d", *count);
    NEED(cudaMemAdvise(count, sizeof *count, cudaMemAdviseSetPreferredLocation, device(0)));
    NEED(cudaMemAdvise(count, sizeof *count, cudaMemAdviseSetAccessedBy, device(1)));
    NEED(cudaMemAdvise(count, sizeof *count, cudaMemAdviseSetAccessedBy, host()));
    count_system<<<64, 256, 0, of_1>>>(count);
    count_system<<<64, 256, 0, of_0>>>(count);
    NEED(cudaStreamSynchronize(of_0));
    NEED(cudaStreamSynchronize(of_1));
    ANSWER("managed atomics: count, mapped over the link", "%d", *count);
    NEED(cudaSetDevice(1));
    count_threads<<<64, 256>>>(count);
    NEED(cudaDeviceSynchronize());
    NEED(cudaSetDevice(0));
    count_threads<<<64, 256>>>(count);
    NEED(cudaDeviceSynchronize());
    ANSWER("managed atomics: count, one after the other", "%d", *count);
}

/* ---- copies and sets ---- */

static void copies_and_sets_take_managed_memory_of_any_device()
{
    int *p = managed(1), *q = managed(2), *of_1 = numbers(1, 3);
    const size_t bytes = N * sizeof(int);
    NEED(add_on(1, p, 1));
    NEED(cudaSetDevice(0));
    RETURNS("managed copy: 1's memory to it", cudaMemcpy(p, of_1, bytes, cudaMemcpyDefault));
    ANSWER("managed copy: 1's memory, sum", "%ld", host_sum(p));
    RETURNS("managed copy: it to 1's memory", cudaMemcpy(of_1, q, bytes, cudaMemcpyDeviceToDevice));
    ANSWER("managed copy: it to 1's memory, sum", "%ld", sum(of_1));
    NEED(add_on(1, q, 5));
    NEED(add_on(0, p, 5));
    RETURNS("managed copy: of 1 to of 0", cudaMemcpy(p, q, bytes, cudaMemcpyDefault));
    ANSWER("managed copy: of 1 to of 0, sum", "%ld", host_sum(p));
    RETURNS("managed copy: cudaMemcpyPeer", cudaMemcpyPeer(q, 1, p, 0, bytes));
    RETURNS("managed copy: cudaMemcpyPeer from device 5", cudaMemcpyPeer(q, 1, p, 5, bytes));
    (void)cudaGetLastError();
    NEED(cudaSetDevice(1));
    RETURNS("managed set: 1 current", cudaMemset(p, 1, bytes));
    ANSWER("managed set: 1 current, sum", "%ld", host_sum(p));
    NEED(cudaSetDevice(0));
    RETURNS("managed set: in a stream of 1, 0 current", cudaMemsetAsync(p, 2, bytes, stream_of(1)));
    NEED(cudaSetDevice(1));
    NEED(cudaDeviceSynchronize());
    ANSWER("managed set: in a stream of 1, sum", "%ld", host_sum(p));
}

/* ---- what is told of ranges ---- */

static void tell_range(const char *name, const void *p, size_t bytes)
{
    int read_mostly = -7, preferred = -7, last = -7, by[4] = {-7, -7, -7, -7};
    NEED(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, p, bytes));
    NEED(cudaMemRangeGetAttribute(&preferred, sizeof(int), cudaMemRangeAttributePreferredLocation, p, bytes));
    NEED(cudaMemRangeGetAttribute(&last, sizeof(int), cudaMemRangeAttributeLastPrefetchLocation, p, bytes));
    NEED(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, p, bytes));
    ANSWER(name, "read mostly %d, preferred %d, last prefetch %d, accessed by %d %d %d %d", read_mostly,
           preferred, last, by[0], by[1], by[2], by[3]);
}

static void tell_places(const char *name, const void *p, size_t bytes)
{
    int value[4] = {-7, -7, -7, -7};
    const cudaMemRangeAttribute attributes[] = {
        cudaMemRangeAttributePreferredLocationType, cudaMemRangeAttributePreferredLocationId,
        cudaMemRangeAttributeLastPrefetchLocationType, cudaMemRangeAttributeLastPrefetchLocationId};
    for (int i = 0; i < 4; i++)
        NEED(cudaMemRangeGetAttribute(&value[i], sizeof(int), attributes[i], p, bytes));
    ANSWER(name, "preferred type %d, id %d, last prefetch type %d, id %d", value[0], value[1], value[2],
           value[3]);
}

static void ranges_tell_devices()
{
    int *p = managed(1);
    const size_t bytes = N * sizeof(int);
    tell_range("range: new", p, bytes);
    tell_places("range places: new", p, bytes);
    NEED(cudaMemPrefetchAsync(p, bytes, device(1), 0, 0));
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, device(1)));
    NEED(cudaDeviceSynchronize());
    tell_range("range: prefetched to 1, preferred 1", p, bytes);
    tell_places("range places: prefetched to 1, preferred 1", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, device(0)));
    tell_range("range: preferred 0 then", p, bytes);
    NEED(cudaMemAdvise(p, bytes / 2, cudaMemAdviseSetPreferredLocation, device(1)));
    tell_range("range: preferred 1 for a half", p, bytes);
    tell_places("range places: preferred 1 for a half", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseUnsetPreferredLocation, device(1)));
    tell_range("range: preferred nowhere", p, bytes);
    NEED(cudaMemPrefetchAsync(p, bytes / 2, device(0), 0, 0));
    NEED(cudaDeviceSynchronize());
    tell_range("range: a half prefetched to 0", p, bytes);
    tell_range("range: that half", p, bytes / 2);
    NEED(cudaMemPrefetchAsync(p, bytes, host(), 0, 0));
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, host()));
    NEED(cudaDeviceSynchronize());
    tell_range("range: prefetched to the host, preferred there", p, bytes);
    tell_places("range places: the host", p, bytes);
    NEED(add_on(1, p, 1));
    tell_range("range: 1 touches it then", p, bytes);
}

static void ranges_tell_who_accesses_them()
{
    int *p = managed(1), by[5];
    const size_t bytes = N * sizeof(int);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, device(1)));
    tell_range("accessed by: 1", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, host()));
    tell_range("accessed by: 1, the host", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, device(0)));
    tell_range("accessed by: 1, the host, 0", p, bytes);
    for (int count = 1; count <= 5; count++) {
        char name[60], said[60] = "";
        for (int i = 0; i < 5; i++)
            by[i] = -7;
        std::snprintf(name, sizeof name, "accessed by: place for %d", count);
        const cudaError_t error = cudaMemRangeGetAttribute(by, (size_t)count * sizeof *by,
                                                           cudaMemRangeAttributeAccessedBy, p, bytes);
        for (int i = 0; i < 5; i++)
            std::snprintf(said + strlen(said), sizeof said - strlen(said), " %d", by[i]);
        ANSWER(name, "%s:%s", cudaGetErrorName(error), said);
    }
    RETURNS("accessed by: 6 bytes",
            cudaMemRangeGetAttribute(by, 6, cudaMemRangeAttributeAccessedBy, p, bytes));
    NEED(cudaMemAdvise(p, bytes / 2, cudaMemAdviseUnsetAccessedBy, device(1)));
    tell_range("accessed by: 1 no more, a half", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseUnsetAccessedBy, host()));
    tell_range("accessed by: the host no more", p, bytes);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, device(1)));
    tell_range("accessed by: read mostly", p, bytes);
}

static void several_attributes_are_told_at_once()
{
    int *p = managed(1), preferred = -7, by[3] = {-7, -7, -7}, type = -7, id = -7;
    const size_t bytes = N * sizeof(int);
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, device(1)));
    NEED(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, device(0)));
    void *places[] = {&preferred, by, &type, &id};
    size_t sizes[] = {sizeof preferred, sizeof by, sizeof type, sizeof id};
    cudaMemRangeAttribute attributes[] = {
        cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
        cudaMemRangeAttributePreferredLocationType, cudaMemRangeAttributePreferredLocationId};
    RETURNS("several attributes: call", cudaMemRangeGetAttributes(places, sizes, attributes, 4, p, bytes));
    ANSWER("several attributes", "%d, %d %d %d, %d, %d", preferred, by[0], by[1], by[2], type, id);
}

/* ---- wrong arguments ---- */

/* A call that may fail: the error is taken, so that the next call does not meet it. */
#define TRIES(name, call)                                                                                    \
    do {                                                                                                     \
        RETURNS(name, call);                                                                                 \
        (void)cudaGetLastError();                                                                            \
    } while (0)

static void wrong_prefetches_are_told()
{
    int *p = managed(1), *of_1 = numbers(1, 1), *pinned;
    const size_t bytes = N * sizeof(int);
    NEED(cudaMallocHost(&pinned, bytes));
    TRIES("prefetch: device 5", cudaMemPrefetchAsync(p, bytes, device(5), 0, 0));
    TRIES("prefetch: device 2", cudaMemPrefetchAsync(p, bytes, device(2), 0, 0));
    TRIES("prefetch: device -1", cudaMemPrefetchAsync(p, bytes, device(-1), 0, 0));
    TRIES("prefetch: device -2", cudaMemPrefetchAsync(p, bytes, device(-2), 0, 0));
    TRIES("prefetch: host 7", cudaMemPrefetchAsync(p, bytes, location(cudaMemLocationTypeHost, 7), 0, 0));
    TRIES("prefetch: host -1", cudaMemPrefetchAsync(p, bytes, location(cudaMemLocationTypeHost, -1), 0, 0));
    TRIES("prefetch: no type", cudaMemPrefetchAsync(p, bytes, location(cudaMemLocationTypeInvalid, 0), 0, 0));
    TRIES("prefetch: type 9", cudaMemPrefetchAsync(p, bytes, location((cudaMemLocationType)9, 0), 0, 0));
    TRIES("prefetch: flags 1", cudaMemPrefetchAsync(p, bytes, device(1), 1, 0));
    TRIES("prefetch: no bytes", cudaMemPrefetchAsync(p, 0, device(1), 0, 0));
    TRIES("prefetch: nothing", cudaMemPrefetchAsync(nullptr, bytes, device(1), 0, 0));
    TRIES("prefetch: more than there is", cudaMemPrefetchAsync(p, 64 << 20, device(1), 0, 0));
    TRIES("prefetch: 1's own memory", cudaMemPrefetchAsync(of_1, bytes, device(1), 0, 0));
    TRIES("prefetch: pinned memory", cudaMemPrefetchAsync(pinned, bytes, device(1), 0, 0));
    TRIES("prefetch: device 5, no bytes", cudaMemPrefetchAsync(p, 0, device(5), 0, 0));
    TRIES("prefetch: device 5, 1's own memory", cudaMemPrefetchAsync(of_1, bytes, device(5), 0, 0));
    TRIES("prefetch: to 1 in a stream of 0", cudaMemPrefetchAsync(p, bytes, device(1), 0, stream_of(0)));
    TRIES("prefetch: to 0 in a stream of 1", cudaMemPrefetchAsync(p, bytes, device(0), 0, stream_of(1)));
    TRIES("prefetch: to the host in a stream of 1", cudaMemPrefetchAsync(p, bytes, host(), 0, stream_of(1)));
    NEED(cudaDeviceSynchronize());
    NEED(cudaSetDevice(1));
    NEED(cudaDeviceSynchronize());
    ANSWER("prefetch: sum after all", "%ld", host_sum(p));
}

static void wrong_advice_is_told()
{
    int *p = managed(1), *of_1 = numbers(1, 1);
    const size_t bytes = N * sizeof(int);
    static const cudaMemoryAdvise kinds[] = {
        cudaMemAdviseSetReadMostly,          cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy,   cudaMemAdviseUnsetAccessedBy};
    static const char *const names[] = {"read mostly",  "no read mostly", "preferred",
                                        "no preferred", "accessed by",    "no accessed by"};
    for (int i = 0; i < 6; i++) {
        char name[80];
#define ADVISES(what, pointer, size, place)                                                                  \
    (std::snprintf(name, sizeof name, "advice: %s, %s", names[i], what),                                     \
     std::printf("%s\t%s\n", name, cudaGetErrorName(cudaMemAdvise(pointer, size, kinds[i], place))),         \
     (void)cudaGetLastError())
        ADVISES("device 5", p, bytes, device(5));
        ADVISES("device 2", p, bytes, device(2));
        ADVISES("device -1", p, bytes, device(-1));
        ADVISES("device 1", p, bytes, device(1));
        ADVISES("host", p, bytes, host());
        ADVISES("host 7", p, bytes, location(cudaMemLocationTypeHost, 7));
        ADVISES("no type", p, bytes, location(cudaMemLocationTypeInvalid, 0));
        ADVISES("type 9", p, bytes, location((cudaMemLocationType)9, 0));
        ADVISES("no bytes", p, 0, device(1));
        ADVISES("1's own memory", of_1, bytes, device(1));
    }
}

static void wrong_questions_are_told()
{
    int *p = managed(1), *of_1 = numbers(1, 1), value;
    const size_t bytes = N * sizeof(int);
    TRIES("range asked: 1's own memory",
          cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributePreferredLocation, of_1, bytes));
    TRIES("range asked: 8 bytes",
          cudaMemRangeGetAttribute(&value, 8, cudaMemRangeAttributePreferredLocation, p, bytes));
    TRIES("range asked: no place",
          cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributePreferredLocation, p, bytes));
    TRIES("range asked: attribute 99",
          cudaMemRangeGetAttribute(&value, 4, (cudaMemRangeAttribute)99, p, bytes));
    TRIES("range asked: no bytes",
          cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributePreferredLocation, p, 0));
}

/* ---- streams, resets ---- */

static void attachment_is_to_streams_of_any_device()
{
    int *p = managed(1);
    cudaStream_t of_1 = stream_of(1);
    RETURNS("attach: to a stream of 1, 0 current", cudaStreamAttachMemAsync(of_1, p, 0, cudaMemAttachSingle));
    NEED(cudaStreamSynchronize(of_1));
    RETURNS("attach: 1 adds in that stream", launch_add(p, 1, of_1));
    NEED(cudaStreamSynchronize(of_1));
    RETURNS("attach: 0 adds in another", add_on(0, p, 2));
    ANSWER("attach: sum", "%ld", host_sum(p));
    RETURNS("attach: to the host", cudaStreamAttachMemAsync(of_1, p, 0, cudaMemAttachHost));
    NEED(cudaStreamSynchronize(of_1));
    RETURNS("attach: 1 adds to the host's", add_on(1, p, 3));
}

static void a_reset_of_1_leaves_managed_memory_of_0()
{
    int *p = managed(1);
    NEED(add_on(1, p, 1));
    RETURNS("managed and reset: 1 reset", cudaDeviceReset());
    NEED(cudaSetDevice(0));
    RETURNS("managed and reset: 0 adds then", add_on(0, p, 1));
    ANSWER("managed and reset: sum", "%ld", host_sum(p));
    RETURNS("managed and reset: 1 adds then", add_on(1, p, 1));
    ANSWER("managed and reset: sum then", "%ld", host_sum(p));
}

static void a_reset_of_0_ends_its_managed_memory()
{
    int *p = managed(1), *q;
    NEED(cudaSetDevice(1));
    q = managed(1);
    NEED(add_on(1, p, 1));
    NEED(cudaSetDevice(0));
    RETURNS("managed and 0's reset: 0 reset", cudaDeviceReset());
    NEED(cudaSetDevice(1));
    RETURNS("managed and 0's reset: 1 adds to 1's", add_on(1, q, 1));
    ANSWER("managed and 0's reset: sum of 1's", "%ld", host_sum(q));
    tell_pointer("managed and 0's reset: pointer of 0's", p);
    RETURNS("managed and 0's reset: 0's freed", cudaFree(p));
    (void)cudaGetLastError();
    RETURNS("managed and 0's reset: 1 adds to 0's", add_on(1, p, 1));
}

static void freed_memory_is_nobodys()
{
    int *p = managed(1);
    NEED(add_on(1, p, 1));
    NEED(cudaSetDevice(0));
    RETURNS("managed: freed", cudaFree(p));
    RETURNS("managed: 1 adds to what was freed", add_on(1, p, 1));
    NEED(cudaSetDevice(0));
    RETURNS("managed: 0 then", cudaDeviceSynchronize());
}

static void peer_access_is_not_needed_and_not_given()
{
    int *p = managed(1), *of_1 = numbers(1, 1);
    int can = -1;
    NEED(cudaMemAdvise(p, N * sizeof(int), cudaMemAdviseSetPreferredLocation, device(1)));
    NEED(cudaMemPrefetchAsync(p, N * sizeof(int), device(1), 0, 0));
    NEED(cudaDeviceSynchronize());
    RETURNS("managed without peer access: 0 adds", add_on(0, p, 1));
    ANSWER("managed without peer access: sum", "%ld", host_sum(p));
    NEED(cudaDeviceCanAccessPeer(&can, 0, 1));
    RETURNS("managed without peer access: disabled", cudaDeviceDisablePeerAccess(1));
    (void)cudaGetLastError();
    RETURNS("managed without peer access: 0 adds to 1's own memory", add_on(0, of_1, 1));
}

extern const behaviour managed_behaviours[] = {
    {"managed pointers tell where they were made", pointers_tell_where_they_were_made},
    {"managed variables are one for all", managed_variables_are_one_for_all},
    {"managed: each processor sees what the last one wrote", each_processor_sees_what_the_last_one_wrote},
    {"managed atomics of all processors add up", atomics_of_all_processors_add_up},
    {"managed copies and sets", copies_and_sets_take_managed_memory_of_any_device},
    {"managed ranges tell devices", ranges_tell_devices},
    {"managed ranges tell who accesses them", ranges_tell_who_accesses_them},
    {"managed: several attributes at once", several_attributes_are_told_at_once},
    {"managed: wrong prefetches are told", wrong_prefetches_are_told},
    {"managed: wrong advice is told", wrong_advice_is_told},
    {"managed: wrong questions are told", wrong_questions_are_told},
    {"managed: attachment to streams of any device", attachment_is_to_streams_of_any_device},
    {"managed: a reset of 1", a_reset_of_1_leaves_managed_memory_of_0},
    {"managed: a reset of 0", a_reset_of_0_ends_its_managed_memory},
    {"managed: freed memory is nobody's", freed_memory_is_nobodys},
    {"managed: peer access is neither needed nor given", peer_access_is_not_needed_and_not_given},
    {nullptr, nullptr}};
