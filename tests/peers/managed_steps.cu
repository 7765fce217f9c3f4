/**
 * @file managed_steps.cu
 * @brief Managed memory of two devices: which step faults. So it is seen where pages went, who got them
 * mapped, and what advice does.
 *
 * A step is a processor that reads or writes a word of each page, or a prefetch, or advice. Its answer is F
 * where it faulted and a point where it did not, told by its time, which is more than ten times as long. The
 * answer ends with the sum of all words, which says that each write came. With PEERS_TIMES in the environment
 * the times themselves are printed, as remarks.
 */
#include "peers.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#if __has_include(<umsim.h>)
#include <umsim.h>
#endif

enum { PAGE = 4096, PAGES = 4096, WORDS_OF_PAGE = PAGE / sizeof(int), BLOCK_SIZE = 256 };
/** A kernel that faults on PAGES pages takes 0.4 ms or more, and one that does not some 10 us; up to 0.2 ms
 * where its pages were mapped by advice just before. */
#define FAULTING_MS 0.3
/** Of the host's touches, a faulting one takes several microseconds; PAGES pages are 48 faults or more. */
#define FAULTING_TOUCH_US 3
#define FAULTING_TOUCHES 16

__global__ void read_pages(const int *p, int *sink)
{
    const int word = p[(size_t)(blockIdx.x * blockDim.x + threadIdx.x) * WORDS_OF_PAGE];
    if (word == -1)
        *sink = word;
}

__global__ void write_pages(int *p)
{
    p[(size_t)(blockIdx.x * blockDim.x + threadIdx.x) * WORDS_OF_PAGE] += 1;
}

static int *pages;
static char told[64];
static char times[400];

static cudaMemLocation place(char processor)
{
    cudaMemLocation it;
    memset(&it, 0, sizeof it);
    it.type = processor == 'h' ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    it.id = processor == 'h' ? 0 : processor - '0';
    return it;
}

static float touch_by_kernel(int device, int *p, bool write)
{
    cudaEvent_t begin = event_of(device), end = event_of(device);
    float ms = 0;
    NEED(cudaSetDevice(device));
    NEED(cudaDeviceSynchronize());
    NEED(cudaEventRecord(begin));
    if (write)
        write_pages<<<PAGES / BLOCK_SIZE, BLOCK_SIZE>>>(p);
    else
        read_pages<<<PAGES / BLOCK_SIZE, BLOCK_SIZE>>>(p, nullptr);
    NEED(cudaGetLastError());
    NEED(cudaEventRecord(end));
    NEED(cudaDeviceSynchronize());
    NEED(cudaEventElapsedTime(&ms, begin, end));
    return ms;
}

static double now_us()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

#if __has_include(<umsim.h>)
/* On the simulator faults are counted: how long one really takes there says nothing. */
static int faults_counted(void)
{
    umsim_counters now;
    umsim_counters_read(&now);
    return (int)now.cpu_page_faults;
}

static uint64_t groups_counted(void)
{
    umsim_counters now;
    umsim_counters_read(&now);
    return now.gpu_fault_groups;
}
#endif

/* How many touches were long ones. */
static int touch_by_host(bool write)
{
    int slow = 0;
    volatile int *p = pages;
#if __has_include(<umsim.h>)
    const int before = faults_counted();
#endif
    for (int i = 0; i < PAGES; i++) {
        const double begin = now_us();
        const int word = p[(size_t)i * WORDS_OF_PAGE];
        if (write)
            p[(size_t)i * WORDS_OF_PAGE] = word + 1;
        slow += now_us() - begin > FAULTING_TOUCH_US;
    }
#if __has_include(<umsim.h>)
    slow = faults_counted() - before;
#endif
    return slow;
}

static void touch(char processor, bool write)
{
    bool faulted;
    char time[40];
    if (processor == 'h') {
        const int slow = touch_by_host(write);
        faulted = slow >= FAULTING_TOUCHES;
        std::snprintf(time, sizeof time, " %d", slow);
    } else {
#if __has_include(<umsim.h>)
        const uint64_t before = groups_counted();
#endif
        const float ms = touch_by_kernel(processor - '0', pages, write);
        faulted = ms > FAULTING_MS;
#if __has_include(<umsim.h>)
        /* where the host is held up between the launch and an event, that is in the time */
        faulted = faulted && groups_counted() > before;
#endif
        std::snprintf(time, sizeof time, " %.3f", ms);
    }
    strcat(told, faulted ? "F" : ".");
    if (strlen(times) + strlen(time) < sizeof times)
        strcat(times, time);
}

static void advise(const char *step)
{
    const size_t bytes = (size_t)PAGES * PAGE;
    switch (step[0]) {
    case 'm':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseSetReadMostly, place('0')));
        break;
    case 'M':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseUnsetReadMostly, place('0')));
        break;
    case 'l':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseSetPreferredLocation, place(step[1])));
        break;
    case 'L':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseUnsetPreferredLocation, place(step[1])));
        break;
    case 'a':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseSetAccessedBy, place(step[1])));
        break;
    case 'A':
        NEED(cudaMemAdvise(pages, bytes, cudaMemAdviseUnsetAccessedBy, place(step[1])));
        break;
    default: /* 'p' */
        NEED(cudaMemPrefetchAsync(pages, bytes, place(step[1]), 0, 0));
        NEED(cudaDeviceSynchronize());
    }
}

static long sum_of_words()
{
    long all = 0;
    for (int i = 0; i < PAGES; i++)
        all += pages[(size_t)i * WORDS_OF_PAGE];
    return all;
}

/* Each step is two letters: what, and the processor 0, 1 or h. r and w are touches; p: a prefetch; m, M: read
 * mostly, or no more; l, L: preferred location; a, A: accessed by. The memory is new. */
static void story(const char *name, const char *steps)
{
    NEED(cudaSetDevice(0));
    NEED(cudaMallocManaged(&pages, (size_t)PAGES * PAGE));
    told[0] = times[0] = '\0';
    for (const char *step = steps; step[0]; step += step[2] ? 3 : 2) {
        if (step[0] == 'r' || step[0] == 'w')
            touch(step[1], step[0] == 'w');
        else
            advise(step);
    }
    ANSWER(name, "%s: %s, sum %ld", steps, told, sum_of_words());
    if (std::getenv("PEERS_TIMES"))
        std::printf("# times: %s:%s\n", steps, times);
    NEED(cudaFree(pages));
}

/* A first launch takes longer than others, on each device. */
static void begin()
{
    for (int device = 0; device < 2; device++) {
        int *p;
        NEED(cudaSetDevice(device));
        NEED(cudaMalloc(&p, (size_t)PAGES * PAGE));
        NEED(cudaMemset(p, 0, (size_t)PAGES * PAGE));
        for (int i = 0; i < 2; i++) {
            touch_by_kernel(device, p, true);
            touch_by_kernel(device, p, false);
        }
        NEED(cudaFree(p));
    }
}

static void without_advice()
{
    begin();
    story("steps: host, 0, 1, 0, host", "wh r0 r0 r1 r1 r0 r0 rh rh r0");
    story("steps: each writes", "wh w0 w0 w1 w1 w0 wh w1 wh");
    story("steps: 1 first", "w1 r1 r0 r1 rh r1");
    story("steps: the host reads first", "rh rh r1 r0");
    story("steps: 0 reads first", "r0 r0 w0 w1");
}

static void prefetches()
{
    begin();
    story("steps: prefetch to 0, 1, 0, host", "wh p0 r0 p1 r1 r0 p0 r0 ph rh r1");
    story("steps: prefetch before any touch", "p1 r1 w1 r0");
    story("steps: prefetch to 1 twice", "wh p1 p1 w1 rh");
}

static void preferred_locations()
{
    begin();
    story("steps: preferred 0, data there", "wh l0 p0 r0 r1 r1 w1 r0 w0 rh r0 r1 r1 r0");
    story("steps: preferred 0, data with the host", "wh l0 r1 r1 r0 r0 r1 rh");
    story("steps: preferred 0, data with 1", "wh p1 l0 r1 r0 r1 r1 r0");
    story("steps: preferred 0, nowhere", "l0 w1 w1 r0 r1 rh");
    story("steps: preferred 0, nowhere, the host first", "l0 wh rh r1 r0");
    story("steps: preferred 0, prefetched to 1", "wh l0 p1 r1 r1 r0 r1 r1");
    story("steps: preferred host, data there", "wh lh r0 r0 r1 r1 wh r0 r1");
    story("steps: preferred host, data with 0", "wh p0 lh r1 r1 r0 r0 rh");
    story("steps: preferred 0 set after 1 has it", "wh p1 r1 l0 r1 w1 r0 r1");
    story("steps: preferred 1 after 0, mapped", "wh l0 p0 r1 r1 l1 r0 r1 r0 r0 r1");
    story("steps: preferred 0 no more, mapped", "wh l0 p0 r1 r1 L0 r1 r0 r1 r0");
}

static void accessed_by()
{
    begin();
    story("steps: accessed by 1, data with 0", "wh p0 a1 r1 r1 w1 r0 rh r1 r1 r0 r1");
    story("steps: accessed by 1, data with the host", "wh a1 r1 r1 w1 rh r0 r1 r0");
    story("steps: accessed by 0 and 1", "wh a0 a1 r0 r1 w0 rh p0 r1 r0 p1 r0 r1 rh r0 r1");
    story("steps: accessed by the host, data with 0", "wh p0 ah rh r0 r1 rh");
    story("steps: accessed by 0, prefetched to 1", "wh a0 p1 r0 w0 r1 rh r0");
    story("steps: accessed by 1, nowhere", "a1 w1 r1 r0 r1 rh r1");
    story("steps: accessed by 1, 0 touches first", "a1 w0 r1 r1 w1 r0");
    story("steps: accessed by 1 no more", "wh p0 a1 r1 A1 r1 r0 rh r1 r0");
    story("steps: preferred 0, accessed by 1", "wh l0 p0 a1 r1 w1 r0 rh r1 r0 r1");
    story("steps: preferred 0, accessed by 1, data with the host", "wh l0 a1 r1 r0 r1 wh r0 r1");
    story("steps: preferred host, accessed by both", "wh lh a0 a1 r0 r1 w0 w1 rh");
    story("steps: preferred 1, accessed by 0 and the host", "wh l1 a0 ah p1 r0 rh r1 r0 rh");
}

static void read_mostly()
{
    begin();
    story("steps: read mostly", "wh m0 r0 r0 r1 r1 r0 rh rh");
    story("steps: read mostly, 0 writes", "wh m0 r0 r1 w0 w0 r0 r1 r0 rh");
    story("steps: read mostly, 1 writes", "wh m0 r0 r1 rh w1 w1 r1 r0 r1 rh");
    story("steps: read mostly, the host writes", "wh m0 r0 r1 wh wh r0 r1");
    story("steps: read mostly, prefetched to both", "wh m0 p0 p1 r0 r1 rh w0 r1 rh");
    story("steps: read mostly, prefetched to the host", "wh p0 m0 ph rh r0 r1");
    story("steps: read mostly, nowhere", "m0 r0 r1 rh");
    story("steps: read mostly, nowhere, 0 writes", "m0 w0 w0 r1 r0 w0 rh");
    story("steps: read mostly, preferred 0, data with the host", "wh l0 m0 r1 r1 r0 r1 rh");
    story("steps: read mostly, preferred 0, data there", "wh l0 p0 m0 r1 r1 r0 w1 r1 r0");
    story("steps: read mostly, accessed by 1, data with 0", "wh p0 m0 a1 r1 r1 r0");
    story("steps: read mostly after it was mapped", "wh l0 p0 r1 r1 m0 r1 r0 r1 rh");
    story("steps: read mostly after it was mapped, writes", "wh l0 p0 w1 w1 m0 w1 w0");
}

static void read_mostly_no_more()
{
    begin();
    story("steps: read mostly no more, 0 reads", "wh m0 r0 r1 M0 r0 w0");
    story("steps: read mostly no more, 1 reads", "wh m0 r0 r1 M0 r1 w1");
    story("steps: read mostly no more, the host reads", "wh m0 r0 r1 M0 rh wh");
    story("steps: read mostly no more, no copy at the host, 0 reads", "wh p0 m0 r1 M0 r0 w0");
    story("steps: read mostly no more, no copy at the host, 1 reads", "wh p0 m0 r1 M0 r1 w1");
    story("steps: read mostly no more, came from 1, 0 reads", "wh p1 m0 r0 M0 r0 w0");
    story("steps: read mostly no more, came from 1, 1 reads", "wh p1 m0 r0 M0 r1 w1");
    story("steps: read mostly no more, preferred 1", "wh l1 m0 r0 r1 M0 r1 r0 r1");
    story("steps: read mostly no more, preferred 1, no copy there", "wh p0 l1 m0 M0 r0 r1 r0");
    story("steps: read mostly no more, accessed by 1", "wh a1 m0 r0 M0 r1 r0 r1");
}

extern const behaviour managed_steps_behaviours[] = {
    {"managed steps without advice", without_advice},
    {"managed steps with prefetches", prefetches},
    {"managed steps: preferred locations", preferred_locations},
    {"managed steps: accessed by", accessed_by},
    {"managed steps: read mostly", read_mostly},
    {"managed steps: read mostly no more", read_mostly_no_more},
    {nullptr, nullptr}};
