/**
 * @file scale.cu
 * @brief 100,000 of each thing that a program can make: 2 s of processor time for each, released in any
 * order.
 *
 * The processor's time is what is judged: other programs that run meanwhile must not decide. A case ends as
 * soon as it has taken too long.
 */
#include "robust.h"

#include <sys/mman.h>
#include <vector>

enum { MANY = 100000, STEP = 500 };
static const double LIMIT_S = 2;

static double since, limit_s = LIMIT_S;

static void begin(const char *what)
{
    since = robust_cpu_seconds();
    printf("%s\n", what);
}

/** Called for each of them. */
static void in_time(size_t done)
{
    if (done % STEP == 0)
        HOLDS(robust_cpu_seconds() - since < limit_s * robust_patience(), "%zu of %d took longer than %.0f s",
              done, MANY, limit_s * robust_patience());
}

/** Ends as not run where fewer were tried than asked for. */
static void fewer_than(size_t all, size_t count)
{
    if (count < all)
        CANNOT("%zu of %zu registrations work, more were not tried: Linux before 6.11 lists all mappings for "
               "each",
               count, all);
}

/** A random order of `list`. */
template <class T> static void shuffle(std::vector<T> &list)
{
    uint64_t state = 3;

    for (size_t i = list.size(); i > 1; i--)
        std::swap(list[i - 1], list[robust_below(&state, i)]);
}

static void events()
{
    std::vector<cudaEvent_t> list(MANY);
    cudaStream_t stream;
    size_t done = 0;

    NEED(cudaStreamCreate(&stream));
    begin("events made and recorded");
    for (cudaEvent_t &event : list) {
        NEED(cudaEventCreate(&event));
        NEED(cudaEventRecord(event, stream));
        in_time(++done);
    }
    NEED(cudaStreamSynchronize(stream));
    in_time(0);
    shuffle(list);
    begin("events destroyed in any order");
    for (cudaEvent_t event : list) {
        NEED(cudaEventDestroy(event));
        in_time(++done);
    }
}

/* One event, recorded again and again, each time waited for by another stream. */
static void records()
{
    cudaStream_t from, to;
    cudaEvent_t event;

    NEED(cudaStreamCreate(&from));
    NEED(cudaStreamCreate(&to));
    NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    begin("records of one event, and streams that wait for it");
    for (size_t i = 1; i <= MANY; i++) {
        NEED(cudaEventRecord(event, from));
        NEED(cudaStreamWaitEvent(to, event, 0));
        in_time(i);
    }
    NEED(cudaDeviceSynchronize());
    in_time(0);
}

static void pieces(cudaError_t (*get)(void **, size_t), cudaError_t (*give_back)(void *))
{
    std::vector<void *> list(MANY);
    size_t done = 0;

    NEED(cudaFree(NULL));
    begin("got");
    for (void *&p : list) {
        NEED(get(&p, 256));
        in_time(++done);
    }
    shuffle(list);
    begin("given back in any order");
    for (void *p : list) {
        NEED(give_back(p));
        in_time(++done);
    }
}

static cudaError_t get_managed(void **p, size_t bytes)
{
    return cudaMallocManaged(p, bytes);
}

static cudaError_t get_device(void **p, size_t bytes)
{
    return cudaMalloc(p, bytes);
}

static cudaError_t get_pinned(void **p, size_t bytes)
{
    return cudaMallocHost(p, bytes);
}

static void device_memory()
{
    pieces(get_device, cudaFree);
}

static void pinned_memory()
{
    pieces(get_pinned, cudaFreeHost);
}

static void managed_memory()
{
    pieces(get_managed, cudaFree);
}

/* Pages of one mapping, each registered by itself. */
static void registrations()
{
    enum { PAGE = 4096 };
    const size_t count = robust_registrations(20000); /* a process has 65,530 mappings */
    char *memory =
        (char *)mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::vector<char *> list;

    for (size_t i = 0; i < count; i++)
        list.push_back(memory + i * PAGE);
    shuffle(list);
    begin("registered in any order");
    for (size_t i = 0; i < count; i++) {
        *list[i] = (char)i;
        NEED(cudaHostRegister(list[i], PAGE, cudaHostRegisterDefault));
        in_time(i);
    }
    begin("unregistered in any order");
    std::vector<char *> order = list;
    shuffle(order);
    for (size_t i = 0; i < count; i++) {
        NEED(cudaHostUnregister(order[i]));
        in_time(i);
    }
    for (size_t i = 0; i < count; i++)
        HOLDS(*list[i] == (char)i, "page %zu", i);
    fewer_than(20000, count);
}

static __global__ void touch_pages(char *memory, int pages, size_t page)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < pages)
        memory[(size_t)i * page] += 1;
}

/* Each page of a large mapping, one beside the other, and a kernel that goes to all of them. In between Linux
 * has 50,000 mappings to keep, which takes it longer than 2 s. */
static void single_pages()
{
    enum { PAGE = 4096 };
    const size_t count = robust_registrations(MANY);
    char *memory =
        (char *)mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::vector<char *> list;

    limit_s = 10;
    for (size_t i = 0; i < count; i++) {
        list.push_back(memory + i * PAGE);
        *list[i] = (char)i;
    }
    begin("single pages registered in order");
    for (size_t i = 0; i < count; i++) {
        NEED(cudaHostRegister(list[i], PAGE, cudaHostRegisterDefault));
        in_time(i);
    }
    touch_pages<<<(unsigned)(count + 255) / 256, 256>>>(memory, (int)count, PAGE);
    NEED(cudaDeviceSynchronize());
    shuffle(list);
    begin("unregistered in any order");
    for (size_t i = 0; i < count; i++) {
        NEED(cudaHostUnregister(list[i]));
        in_time(i);
    }
    for (size_t i = 0; i < count; i++)
        HOLDS(memory[i * PAGE] == (char)(i + 1), "page %zu", i);
    fewer_than(MANY, count);
}

/* Small pieces, several of them on each page. */
static void small_registrations()
{
    enum { BYTES = 256 };
    const size_t count = robust_registrations(MANY);
    char *memory = (char *)aligned_alloc(4096, count * BYTES);
    std::vector<char *> list;

    for (size_t i = 0; i < count; i++)
        list.push_back(memory + i * BYTES);
    begin("registered in order");
    for (size_t i = 0; i < count; i++) {
        *list[i] = (char)i;
        NEED(cudaHostRegister(list[i], BYTES, cudaHostRegisterDefault));
        in_time(i);
    }
    shuffle(list);
    begin("unregistered in any order");
    for (size_t i = 0; i < count; i++) {
        NEED(cudaHostUnregister(list[i]));
        in_time(i);
    }
    for (size_t i = 0; i < count; i++)
        HOLDS(memory[i * BYTES] == (char)i, "piece %zu", i);
    fewer_than(MANY, count);
}

static void streams()
{
    std::vector<cudaStream_t> list(10000);
    int *x = managed_ints(1);
    size_t done = 0;

    begin("10,000 streams");
    for (cudaStream_t &stream : list) {
        NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        in_time(++done);
    }
    for (size_t i = 0; i < list.size(); i += 100)
        add_to_all<<<1, 1, 0, list[i]>>>(x, 0, 1);
    NEED(cudaDeviceSynchronize());
    shuffle(list);
    for (cudaStream_t stream : list) {
        NEED(cudaStreamDestroy(stream));
        in_time(++done);
    }
    gpu_works("after them");
}

/* Launches and copies that nobody waits for, in one stream. */
static void operations_in_a_stream()
{
    int *x = NULL, value = 0, here[4] = {};

    NEED(cudaMalloc((void **)&x, sizeof here));
    NEED(cudaMemset(x, 0, sizeof here));
    begin("operations queued");
    for (size_t i = 1; i <= MANY / 10; i++) {
        add_to_all<<<1, 4>>>(x, 1, 4);
        NEED(cudaMemcpyAsync(&here, x, sizeof here, cudaMemcpyDeviceToHost, 0));
        in_time(i);
    }
    NEED(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
    HOLDS(value == MANY / 10 && here[3] == value, "%d, %d", value, here[3]);
}

ROBUST_CASES({"events", events}, {"records", records}, {"device-memory", device_memory},
             {"pinned-memory", pinned_memory}, {"managed-memory", managed_memory},
             {"registrations", registrations}, {"single-pages", single_pages},
             {"small-registrations", small_registrations}, {"streams", streams},
             {"operations-in-a-stream", operations_in_a_stream})
