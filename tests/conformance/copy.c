/**
 * @file copy.c
 * @brief cudaMemcpy, cudaMemcpy2D and cudaMemset: bounds, kinds, directions, and what arrives.
 */
#include <stdlib.h>
#include <string.h>

#include "behaviour.h"
#include "child.h"

/** Bytes of each buffer: several pages, and no power of two. */
enum { BYTES = 100000 };

/** A buffer of each kind of memory. */
enum kind { PAGEABLE, PINNED, REGISTERED, MANAGED, DEVICE, KINDS };
static const char *const kind_name[KINDS] = {"pageable", "pinned", "registered", "managed", "device"};

static void after(void)
{
    (void)cudaGetLastError(); /* a refused call leaves its error behind */
}

static unsigned char *make(enum kind kind)
{
    void *p = NULL;

    if (kind == PAGEABLE || kind == REGISTERED)
        p = malloc(BYTES);
    if (kind == PINNED)
        CHILD_NEED(cudaMallocHost(&p, BYTES));
    if (kind == REGISTERED)
        CHILD_NEED(cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    if (kind == MANAGED)
        CHILD_NEED(cudaMallocManaged(&p, BYTES, cudaMemAttachGlobal));
    if (kind == DEVICE)
        CHILD_NEED(cudaMalloc(&p, BYTES));
    CHILD_ASSERT(p);
    return p;
}

static void destroy(enum kind kind, unsigned char *p)
{
    if (kind == REGISTERED)
        CHILD_NEED(cudaHostUnregister(p));
    if (kind == PAGEABLE || kind == REGISTERED)
        free(p);
    if (kind == PINNED)
        CHILD_NEED(cudaFreeHost(p));
    if (kind == MANAGED || kind == DEVICE)
        CHILD_NEED(cudaFree(p));
}

static unsigned char pattern(size_t i, unsigned seed)
{
    return (unsigned char)(i * 31 + i / 251 + seed);
}

static void fill(unsigned char *host, unsigned seed)
{
    for (size_t i = 0; i < BYTES; i++)
        host[i] = pattern(i, seed);
}

/* Writes the pattern into any kind of buffer, and counts what differs from it. */
static void put(unsigned char *p, unsigned seed)
{
    unsigned char *host = make(PINNED);

    fill(host, seed);
    CHILD_NEED(cudaMemcpy(p, host, BYTES, cudaMemcpyDefault));
    destroy(PINNED, host);
}

static long wrong(const unsigned char *p, unsigned seed)
{
    unsigned char *host = make(PINNED);
    long count = 0;

    memset(host, 0, BYTES);
    CHILD_NEED(cudaMemcpy(host, p, BYTES, cudaMemcpyDefault));
    for (size_t i = 0; i < BYTES; i++)
        count += host[i] != pattern(i, seed);
    destroy(PINNED, host);
    return count;
}

/** What becomes of one copy in one direction between every two kinds. In a child: what a driver does with a
 * pointer that does not fit its direction is not to be trusted. */
struct matrix {
    enum cudaMemcpyKind direction;
    struct {
        bool asked;
        cudaError_t error;
        const char *outcome; /* a literal: it is where it is in the child */
    } cell[KINDS][KINDS];
};

static void copy_between(struct matrix *m, enum kind to, enum kind from)
{
    unsigned char *source = make(from), *target = make(to);

    put(source, 1);
    put(target, 2);
    m->cell[to][from].error = cudaMemcpy(target, source, BYTES, m->direction);
    after();
    m->cell[to][from].outcome = wrong(target, 1) == 0   ? "arrived"
                                : wrong(target, 2) == 0 ? "unchanged"
                                                        : "in part";
    m->cell[to][from].asked = true;
    destroy(to, target);
    destroy(from, source);
}

static void ask_matrix(void *area)
{
    for (int to = 0; to < KINDS; to++)
        for (int from = 0; from < KINDS; from++)
            copy_between(area, (enum kind)to, (enum kind)from);
}

static void every_pair(enum cudaMemcpyKind direction, const char *direction_name)
{
    static struct matrix m;
    char name[128];

    memset(&m, 0, sizeof m);
    m.direction = direction;
    child_run(ask_matrix, &m, sizeof m);
    for (int to = 0; to < KINDS; to++)
        for (int from = 0; from < KINDS; from++) {
            if (!m.cell[to][from].asked)
                continue;
            snprintf(name, sizeof name, "cudaMemcpy(%s, %s, %s)", kind_name[to], kind_name[from],
                     direction_name);
            UM_BEHAVIOUR(name, "%s, %s", cudaGetErrorName(m.cell[to][from].error), m.cell[to][from].outcome);
        }
}

static void the_direction_is_inferred(void)
{
    every_pair(cudaMemcpyDefault, "Default");
}

static void HostToDevice_looks_whose_memory_it_is(void)
{
    every_pair(cudaMemcpyHostToDevice, "HostToDevice");
}

static void DeviceToHost_looks_whose_memory_it_is(void)
{
    every_pair(cudaMemcpyDeviceToHost, "DeviceToHost");
}

static void DeviceToDevice_looks_whose_memory_it_is(void)
{
    every_pair(cudaMemcpyDeviceToDevice, "DeviceToDevice");
}

static void HostToHost_copies_whosever_memory_it_is(void)
{
    every_pair(cudaMemcpyHostToHost, "HostToHost");
}

static void as_much_as_there_is_can_be_copied_and_not_far_more(void)
{
    const size_t far_more = (size_t)64 << 20;
    unsigned char *d_x = NULL, *host = calloc(1, far_more);

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaMemcpy: the whole destination", cudaMemcpy(d_x, host, 4096, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: the last byte of the destination",
               cudaMemcpy(d_x + 4095, host, 1, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: 64 MiB into 4096 bytes", cudaMemcpy(d_x, host, far_more, cudaMemcpyHostToDevice));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

/* Allocations of a whole number of 2 MiB chunks: what stands behind them is another's, or nothing. */
static void a_copy_past_the_end_is_refused(void)
{
    const size_t bytes = (size_t)4 << 20;
    unsigned char *d_x = NULL, *host = malloc(2 * bytes);

    CU_ASSERT_PTR_NOT_NULL_FATAL(host);
    memset(host, 0, 2 * bytes);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, bytes), cudaSuccess);
    UM_RETURNS("cudaMemcpy: past the end of the destination",
               cudaMemcpy(d_x, host, bytes + 4096, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: past the end of the destination, from inside it",
               cudaMemcpy(d_x + 4096, host, bytes, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: past the end of the source",
               cudaMemcpy(host, d_x, bytes + 4096, cudaMemcpyDeviceToHost));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

static void directions_that_do_not_fit_are_refused_and_what_is_none_at_all(void)
{
    unsigned char *d_x = NULL, *host = calloc(1, BYTES);

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaMemcpy: device, host, DeviceToHost", cudaMemcpy(d_x, host, 4096, cudaMemcpyDeviceToHost));
    UM_RETURNS("cudaMemcpy: host, device, HostToHost", cudaMemcpy(host, d_x, 4096, cudaMemcpyHostToHost));
    UM_RETURNS("cudaMemcpy: kind 9", cudaMemcpy(host, d_x, 4096, (enum cudaMemcpyKind)9));
    UM_RETURNS("cudaMemcpy: kind 5", cudaMemcpy(host, d_x, 4096, (enum cudaMemcpyKind)5));
    UM_RETURNS("cudaMemcpy: kind -1", cudaMemcpy(host, d_x, 4096, (enum cudaMemcpyKind) - 1));
    UM_RETURNS("cudaMemcpyAsync: kind 9", cudaMemcpyAsync(host, d_x, 4096, (enum cudaMemcpyKind)9, 0));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

static void no_bytes_need_no_address(void)
{
    unsigned char *d_x = NULL, *host = calloc(1, 4096);

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaMemcpy: 0 bytes", cudaMemcpy(d_x, host, 0, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: 0 bytes, NULL, NULL", cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
    UM_RETURNS("cudaMemcpy: 0 bytes, kind 9", cudaMemcpy(d_x, host, 0, (enum cudaMemcpyKind)9));
    UM_RETURNS("cudaMemcpy: to NULL", cudaMemcpy(NULL, host, 16, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: from NULL", cudaMemcpy(d_x, NULL, 16, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpyAsync: 0 bytes", cudaMemcpyAsync(d_x, host, 0, cudaMemcpyHostToDevice, 0));
    UM_RETURNS("cudaMemset: 0 bytes", cudaMemset(d_x, 1, 0));
    UM_RETURNS("cudaMemset: NULL, 0 bytes", cudaMemset(NULL, 1, 0));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

static void cudaMemset_fills_each_kind_of_memory(void)
{
    for (int kind = PINNED; kind < KINDS; kind++) {
        unsigned char *p = make((enum kind)kind), *host = make(PINNED);
        char name[64];
        cudaError_t error;
        long count = 0;

        put(p, 3);
        error = cudaMemset(p + 10, 0x1a5, BYTES - 20); /* its low byte is what is set */
        after();
        CU_ASSERT_EQUAL(cudaMemcpy(host, p, BYTES, cudaMemcpyDefault), cudaSuccess);
        for (size_t i = 0; i < BYTES; i++)
            count += host[i] != (i >= 10 && i < BYTES - 10 ? 0xa5 : pattern(i, 3));
        snprintf(name, sizeof name, "cudaMemset: %s", kind_name[kind]);
        UM_BEHAVIOUR(name, "%s, %ld bytes wrong", cudaGetErrorName(error), count);
        destroy(PINNED, host);
        destroy((enum kind)kind, p);
    }
}

/** cudaMemset of what it should not touch, each in a child of its own. */
struct bad_set {
    enum { SET_MALLOCED, SET_NULL, SET_PAST_THE_END } what;
    cudaError_t set, synchronize;
};

static void ask_bad_set(void *area)
{
    struct bad_set *it = area;
    const size_t bytes = (size_t)4 << 20;
    unsigned char *d_x = NULL, *own = make(PAGEABLE);

    memset(own, 0, BYTES);
    CHILD_NEED(cudaMalloc((void **)&d_x, bytes));
    if (it->what == SET_MALLOCED)
        it->set = cudaMemset(own, 1, BYTES);
    if (it->what == SET_NULL)
        it->set = cudaMemset(NULL, 1, 16);
    if (it->what == SET_PAST_THE_END)
        it->set = cudaMemset(d_x, 1, bytes + 4096);
    it->synchronize = cudaDeviceSynchronize();
    free(own);
}

static void cudaMemset_of_what_it_should_not_touch_is_refused(void)
{
    static const char *const names[][2] = {
        {"cudaMemset: malloc'd", "cudaMemset: malloc'd: synchronise"},
        {"cudaMemset: NULL, 16 bytes", "cudaMemset: NULL, 16 bytes: synchronise"},
        {"cudaMemset: past the end", "cudaMemset: past the end: synchronise"}};

    for (int what = SET_MALLOCED; what <= SET_PAST_THE_END; what++) {
        struct bad_set it = {.what = what};

        if (!child_run(ask_bad_set, &it, sizeof it))
            continue;
        UM_RETURNS(names[what][0], it.set);
        UM_RETURNS(names[what][1], it.synchronize);
    }
}

/** A rectangle: 100 rows of 300 bytes, in rows that lie further apart. */
enum { WIDTH = 300, ROWS = 100, HOST_PITCH = 400, DEVICE_PITCH = 512 };

static void a_rectangle_gets_there_and_back(void)
{
    unsigned char *d_x = NULL, *from = malloc(BYTES), *back = malloc(BYTES);
    long count = 0;

    fill(from, 4);
    memset(back, 0, BYTES);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, (size_t)DEVICE_PITCH * ROWS), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemset(d_x, 0x77, (size_t)DEVICE_PITCH * ROWS), cudaSuccess);
    UM_RETURNS("cudaMemcpy2D: host to device",
               cudaMemcpy2D(d_x, DEVICE_PITCH, from, HOST_PITCH, WIDTH, ROWS, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy2D: device to host",
               cudaMemcpy2D(back, HOST_PITCH, d_x, DEVICE_PITCH, WIDTH, ROWS, cudaMemcpyDeviceToHost));
    for (size_t row = 0; row < ROWS; row++)
        for (size_t i = 0; i < HOST_PITCH; i++)
            count += back[row * HOST_PITCH + i] != (i < WIDTH ? from[row * HOST_PITCH + i] : 0);
    UM_BEHAVIOUR("cudaMemcpy2D: there and back: bytes wrong, the gaps' too", "%ld", count);
    UM_RETURNS("cudaMemcpy2D: the gaps on the device",
               cudaMemcpy2D(back, HOST_PITCH, d_x + WIDTH, DEVICE_PITCH, 1, ROWS, cudaMemcpyDeviceToHost));
    UM_BEHAVIOUR("cudaMemcpy2D: the gaps on the device are as they were", "%#x", back[0]);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(from);
    free(back);
}

static void rectangles_that_are_none_are_refused(void)
{
    unsigned char *d_x = NULL, *host = calloc(1, BYTES);
    const enum cudaMemcpyKind up = cudaMemcpyHostToDevice;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, (size_t)DEVICE_PITCH * ROWS), cudaSuccess);
    UM_RETURNS("cudaMemcpy2D: destination pitch below width", cudaMemcpy2D(d_x, 100, host, 400, 300, 10, up));
    UM_RETURNS("cudaMemcpy2D: source pitch below width", cudaMemcpy2D(d_x, 512, host, 100, 300, 10, up));
    UM_RETURNS("cudaMemcpy2D: width 0", cudaMemcpy2D(d_x, 512, host, 400, 0, 10, up));
    UM_RETURNS("cudaMemcpy2D: height 0", cudaMemcpy2D(d_x, 512, host, 400, 300, 0, up));
    UM_RETURNS("cudaMemcpy2D: kind 9", cudaMemcpy2D(d_x, 512, host, 400, 300, 10, (enum cudaMemcpyKind)9));
    UM_RETURNS("cudaMemset2D: pitch below width", cudaMemset2D(d_x, 100, 1, 300, 10));
    UM_RETURNS("cudaMemset2D: width 0", cudaMemset2D(d_x, 512, 1, 0, 10));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

static void cudaMemset2D_fills_a_rectangle(void)
{
    unsigned char *d_x = NULL, *host = malloc((size_t)DEVICE_PITCH * ROWS);
    long count = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, (size_t)DEVICE_PITCH * ROWS), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemset(d_x, 1, (size_t)DEVICE_PITCH * ROWS), cudaSuccess);
    UM_RETURNS("cudaMemset2D", cudaMemset2D(d_x, DEVICE_PITCH, 9, WIDTH, ROWS));
    CU_ASSERT_EQUAL(cudaMemcpy(host, d_x, (size_t)DEVICE_PITCH * ROWS, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = 0; i < (size_t)DEVICE_PITCH * ROWS; i++)
        count += host[i] != (i % DEVICE_PITCH < WIDTH ? 9 : 1);
    UM_BEHAVIOUR("cudaMemset2D: bytes wrong", "%ld", count);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(host);
}

static void a_copy_may_begin_in_the_middle_of_an_allocation(void)
{
    unsigned char *d_x = make(DEVICE), host[100], back[100];

    for (int i = 0; i < 100; i++)
        host[i] = (unsigned char)(i + 1);
    put(d_x, 5);
    UM_RETURNS("cudaMemcpy: interior pointer", cudaMemcpy(d_x + 777, host, 100, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpy: back from it", cudaMemcpy(back, d_x + 777, 100, cudaMemcpyDeviceToHost));
    UM_BEHAVIOUR("cudaMemcpy: interior pointer: what came back", "%s",
                 memcmp(host, back, 100) ? "other" : "the same");
    CU_ASSERT_EQUAL(cudaMemcpy(back, d_x + 776, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpy: interior pointer: the byte before", "%s",
                 back[0] == pattern(776, 5) ? "as it was" : "other");
    destroy(DEVICE, d_x);
}

UM_TESTS("copy", {"the direction is inferred", the_direction_is_inferred},
         {"HostToDevice looks whose memory it is", HostToDevice_looks_whose_memory_it_is},
         {"DeviceToHost looks whose memory it is", DeviceToHost_looks_whose_memory_it_is},
         {"DeviceToDevice looks whose memory it is", DeviceToDevice_looks_whose_memory_it_is},
         {"HostToHost copies, whosever memory it is", HostToHost_copies_whosever_memory_it_is},
         {"as much as there is can be copied, and not far more",
          as_much_as_there_is_can_be_copied_and_not_far_more},
         {"a copy past the end is refused", a_copy_past_the_end_is_refused},
         {"directions that do not fit are refused, and what is none at all",
          directions_that_do_not_fit_are_refused_and_what_is_none_at_all},
         {"no bytes need no address", no_bytes_need_no_address},
         {"a copy may begin in the middle of an allocation", a_copy_may_begin_in_the_middle_of_an_allocation},
         {"cudaMemset fills each kind of memory", cudaMemset_fills_each_kind_of_memory},
         {"cudaMemset of what it should not touch is refused",
          cudaMemset_of_what_it_should_not_touch_is_refused},
         {"a rectangle gets there and back", a_rectangle_gets_there_and_back},
         {"rectangles that are none are refused", rectangles_that_are_none_are_refused},
         {"cudaMemset2D fills a rectangle", cudaMemset2D_fills_a_rectangle});
