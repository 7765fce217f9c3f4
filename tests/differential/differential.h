/**
 * @file differential.h
 * @brief Managed memory beside a plain model of it: what regions are, and the operations on them.
 *
 * Some threads of the host take random regions and do random things to them, by the host or a device; each
 * region has a model in ordinary memory, which changes under the same lock. Whatever reads a region compares
 * it. CUDA's rules are kept: an operation that was queued is ordered before the next one on its region, by
 * the stream, by an event, or by waiting; so every difference is an error.
 */
#ifndef DIFFERENTIAL_DIFFERENTIAL_H
#define DIFFERENTIAL_DIFFERENTIAL_H

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <mutex>
#include <vector>

#include "um_cuda_compat.h"

enum { DEVICES_MAX = 8, STREAMS = 3, SUMS = 4, PAST = 8, SCRATCH = 1 << 16, THREADS_MAX = 16 };
/** Where a region's memory is attached, beside the number of a stream. */
enum { EVERYWHERE = -1, TO_HOST = -2 };
/** A region that no stream has work on. */
enum { IDLE = -1 };

/** What kernels are to find: they add up words of the region into `sum`, and the model says what that is. */
struct expected_sum {
    unsigned long long expected;
    size_t offset, words;
};

struct region {
    std::mutex lock;
    int number = 0;
    unsigned char *p = NULL;
    size_t bytes = 0;
    std::vector<unsigned char> model;
    int pending = IDLE;        /**< the stream of the last operation that nobody has waited for */
    int attached = EVERYWHERE; /**< or TO_HOST, or a stream's number */
    bool advised = false;      /**< since it was allocated: its pages may then stay where they are */
    int sums = 0;
    expected_sum sum[SUMS];
    volatile unsigned long long *found; /**< SUMS words of pinned memory: where kernels put their sums */
    struct {
        const char *name;
        unsigned long long operation;
        size_t offset, bytes;
    } past[PAST] = {}; /**< the last operations, for the report */
    unsigned long long operations = 0;
};

/** A thread of the host, and what is its own. */
struct worker {
    int number = 0;
    uint64_t state = 1;                             /**< of its random numbers */
    unsigned long long operation = 0;               /**< the number of the one that it is doing */
    const char *name = "";                          /**< that operation */
    unsigned char *pageable = NULL, *pinned = NULL; /**< SCRATCH bytes each */
    unsigned char *device[DEVICES_MAX] = {};        /**< SCRATCH bytes of each device */
    int file = -1;
};

/** What is the same for all. */
struct settings {
    unsigned long long seed = 1, operations = ~0ull, spoil = 0;
    double seconds = 5;
    int threads = 4, regions = 200;
};
extern settings asked;
/** How many devices there are; each has STREAMS streams: its default stream, a blocking and a non-blocking
 * one. Streams have numbers, device by device. */
extern int devices;
extern cudaStream_t streams[DEVICES_MAX * STREAMS];
static inline int device_of(int stream)
{
    return stream / STREAMS;
}
static inline bool is_default(int stream)
{
    return stream % STREAMS == 0;
}
extern std::vector<region> regions;

/** A part of a region. */
struct part {
    size_t offset, bytes;
};

/** @name Chance @{ */
uint64_t any(worker *w);
size_t below(worker *w, size_t end);
/** A part of at least one byte; of whole words where `words`. Most are small, some cross pages, some are all.
 */
part any_part(worker *w, const region &r, bool words);
/** At most a few pages, from somewhere in a part on. */
part few_pages(worker *w, const region &r, part where);
/** A device's number, or cudaCpuDeviceId. */
int any_place(worker *w);
/** @} */

/** @name Reports: each ends the process with 1, after it has said seed, operation, region and place. @{ */
[[noreturn]] void report_byte(const worker *w, const region &r, size_t offset, int expected, int got);
[[noreturn]] void report_sum(const worker *w, const region &r, const expected_sum &sum,
                             unsigned long long got);
[[noreturn]] void report_call(const worker *w, const region *r, const char *call, const char *why);
/** @} */

/** A CUDA call that has to succeed. `w` and `r` are the report's. */
#define CALL(w, r, call)                                                                                     \
    do {                                                                                                     \
        const cudaError_t call_error = (call);                                                               \
        if (call_error != cudaSuccess)                                                                       \
            report_call(w, r, #call, cudaGetErrorName(call_error));                                          \
    } while (0)

/** @name Order. The region's lock is held. @{ */
/** The host may touch the region: all that was queued on it has run, and its sums were right. */
void for_the_host(worker *w, region *r);
/** The stream's device is current in this thread: default streams need that. */
void make_current(worker *w, int stream);
/** A stream in which an operation on the region may be queued: what was queued before is ordered before it.
 * Its device is current then. */
int for_a_stream(worker *w, region *r);
/** The same for two regions, and one stream. */
int for_one_stream(worker *w, region *r, region *other);
/** Something was queued in `stream`. */
void queued(region *r, int stream);
/** @} */

/** Compares `bytes` bytes of memory that the host may read with the model from `offset` on. */
void compare(worker *w, const region &r, const unsigned char *seen, size_t offset, size_t bytes);
/** The same for the region's own memory, read by the host; the region must be ready for that. */
void host_compares(worker *w, region *r, part where);

/** @name On the simulator: where the pages of a region are that shares them with none. A page that is taken
 * from one side without closing it there would show no other contents, because there is one memory beneath.
 * @{ */
/** The host has just touched them. */
void pages_are_the_hosts(worker *w, const region &r, part where, bool written);
/** A kernel of a device has written them, somebody has waited for it, and no advice keeps pages elsewhere. */
void pages_are_the_devices(worker *w, const region &r, part where, int device);
/** @} */

/** Notes what is done to a region. */
void note(const worker *w, region *r, part where);

/** Memory for a region that has none, with contents. */
void allocate(worker *w, region *r);

/** One kind of operation. `r` is locked, and so is `other` where the kind takes two. */
struct kind {
    const char *name;
    unsigned weight;
    bool two;
    void (*run)(worker *w, region *r, region *other);
};
/** Each ended by one without a name; the last only where there are several devices. */
extern const kind host_kinds[], device_kinds[], rule_kinds[], several_kinds[];

/** @name Kernels, on `count` words or bytes @{ */
__global__ void adds(unsigned *x, size_t count, unsigned value);
__global__ void adds_atomically(unsigned *x, size_t count, unsigned value);
/** Only to words `first`, `first + step`, ... */
__global__ void adds_to_some(unsigned *x, size_t count, unsigned value, size_t first, size_t step);
/** Blocks of BLOCK_SIZE threads for so many threads. */
enum { BLOCK_SIZE = 128 };
unsigned blocks(size_t count);
/** The model of adds_to_some(). */
void model_adds(region *r, part where, unsigned value, size_t first, size_t step);
/** @} */

#endif
