/**
 * @file clocks.cu
 * @brief Programs that look at their own clocks: a case each, named on the command line (run.py).
 *
 * Each case prints what it found and exits with 1 if that is wrong. Clocks are compared with each other and
 * with the GPU's events, and hardly ever with how long something took: on a busy machine host work takes any
 * time, and all clocks have to tell the same one.
 */
#include "clocks.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <thread>
#include <time.h>
#include <umsim.h>
#include <unistd.h>

int failures;

__global__ void add_one(float *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

/* 8 MiB of memory, and a kernel that a GPU takes some microseconds for, real time some milliseconds. */
constexpr int ELEMENTS = 1 << 20, BLOCK = 256;
static float *memory;

static void launch(int times)
{
    for (int i = 0; i < times; i++)
        add_one<<<ELEMENTS / BLOCK, BLOCK>>>(memory);
}

/* One that takes the GPU some 30 ms, and the simulator one: it declares so. */
static void launch_long(int times)
{
    for (int i = 0; i < times; i++) {
        umsim_kernel_writes(memory, (size_t)110 << 30);
        launch(1);
    }
}

double gpu_ms(int launches)
{
    cudaEvent_t from, to;
    float ms = 0;
    NEED(cudaEventCreate(&from));
    NEED(cudaEventCreate(&to));
    NEED(cudaEventRecord(from));
    launch(launches);
    NEED(cudaEventRecord(to));
    NEED(cudaEventSynchronize(to));
    NEED(cudaEventElapsedTime(&ms, from, to));
    NEED(cudaEventDestroy(from));
    NEED(cudaEventDestroy(to));
    return ms;
}

void work_of_ms(double ms)
{
    umsim_host_work_ns((uint64_t)(ms * 1e6));
    NEED(cudaDeviceSynchronize());
}

double chrono_ms(void)
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

static double clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static double gettimeofday_ms(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec * 1e3 + now.tv_usec * 1e-3;
}

static double timespec_get_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static double system_clock_ms(void)
{
    using namespace std::chrono;
    return duration<double, std::milli>(system_clock::now().time_since_epoch()).count();
}

static double processor_ms(void)
{
    return clock() * 1e3 / CLOCKS_PER_SEC;
}

static const struct {
    const char *name;
    double (*read)(void);
} readers[] = {
    {"chrono::steady_clock", chrono_ms},
    {"chrono::system_clock", system_clock_ms},
    {"CLOCK_REALTIME", [] { return clock_ms(CLOCK_REALTIME); }},
    {"CLOCK_MONOTONIC_RAW", [] { return clock_ms(CLOCK_MONOTONIC_RAW); }},
    {"CLOCK_MONOTONIC_COARSE", [] { return clock_ms(CLOCK_MONOTONIC_COARSE); }},
    {"CLOCK_REALTIME_COARSE", [] { return clock_ms(CLOCK_REALTIME_COARSE); }},
    {"CLOCK_BOOTTIME", [] { return clock_ms(CLOCK_BOOTTIME); }},
    {"gettimeofday", gettimeofday_ms},
    {"timespec_get", timespec_get_ms},
    {"a .cpp file", elsewhere_ms},
    {"a static library", library_ms},
#ifdef _OPENMP
    {"omp_get_wtime", [] { return omp_ms(); }},
#endif
};
constexpr int READERS = sizeof readers / sizeof readers[0];

/* Does `work` between two readings of all clocks and between two events, and compares. `most` is how many
 * milliseconds the clocks may differ: what lies between their readings. */
template <typename Work> static void compare(const char *what, Work work, bool with_processor)
{
    double began[READERS], took[READERS], processor;
    cudaEvent_t from, to;
    float events = 0;
    NEED(cudaEventCreate(&from));
    NEED(cudaEventCreate(&to));
    NEED(cudaDeviceSynchronize());
    for (int i = 0; i < READERS; i++)
        began[i] = readers[i].read();
    processor = processor_ms();
    const double first = chrono_ms();
    NEED(cudaEventRecord(from));
    work();
    NEED(cudaEventRecord(to));
    NEED(cudaDeviceSynchronize());
    const double last = chrono_ms();
    processor = processor_ms() - processor;
    for (int i = 0; i < READERS; i++)
        took[i] = readers[i].read() - began[i];
    const double outer = chrono_ms() - began[0];
    NEED(cudaEventElapsedTime(&events, from, to));
    printf("%s: events %.3f ms, chrono %.3f\n", what, events, last - first);
    CHECK(agree(events, last - first), "%s: events tell %.3f ms, chrono %.3f", what, events, last - first);
    for (int i = 0; i < READERS; i++) /* each was read inside the outer pair, and outside of the inner one */
        CHECK(took[i] > last - first - 0.01 && took[i] < outer + 0.01,
              "%s: %s tells %.3f ms, not %.3f to %.3f", what, readers[i].name, took[i], last - first, outer);
    if (with_processor)
        CHECK(agree(processor, events), "%s: clock() tells %.3f ms, events %.3f", what, processor, events);
    NEED(cudaEventDestroy(from));
    NEED(cudaEventDestroy(to));
}

static void host_loop(void)
{
    volatile double sum = 0;
    for (int i = 0; i < 5000000; i++)
        sum = sum + i;
}

/* A function of the host in a stream. Main does not wait but asks, so a thread of CUDA's calls it. */
static void in_a_stream(void *pages)
{
    host_loop();
    for (int i = 0; i < 16; i++)
        ((int *)pages)[i * 1024] += 1;
}

static void host_functions_count(void)
{
    int *pages;
    NEED(cudaMallocManaged(&pages, 16 * 4096));
    for (int turn = 0; turn < 8; turn++) {
        cudaEvent_t from, to;
        float events = 0;
        NEED(cudaEventCreate(&from));
        NEED(cudaEventCreate(&to));
        const double began = chrono_ms();
        NEED(cudaEventRecord(from));
        launch(1);
        NEED(cudaMemPrefetchAsync(pages, 16 * 4096, {cudaMemLocationTypeDevice, 0}, 0, 0));
        NEED(cudaLaunchHostFunc(0, in_a_stream, pages));
        NEED(cudaEventRecord(to));
        if (turn % 2)
            NEED(cudaDeviceSynchronize());
        while (cudaStreamQuery(0) == cudaErrorNotReady)
            ;
        const double took = chrono_ms() - began;
        NEED(cudaEventElapsedTime(&events, from, to));
        printf("turn %d: events %.3f ms, chrono %.3f\n", turn, events, took);
        CHECK(agree(took, events), "turn %d: chrono %.3f ms, events %.3f", turn, took, events);
        NEED(cudaEventDestroy(from));
        NEED(cudaEventDestroy(to));
    }
    NEED(cudaFree(pages));
}

static void all_agree(void)
{
    compare(
        "kernels", [] { launch(400); }, false);
    compare(
        "a kernel of 30 ms", [] { launch_long(1); }, false);
    /* The system tells a process's time as it was some milliseconds ago. */
    compare(
        "kernels of 30 ms", [] { launch_long(10); }, true);
    compare("a host loop", host_loop, false);
    compare(
        "a sleep", [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }, false);
    compare(
        "kernels and a host loop", [] { launch(100), cudaDeviceSynchronize(), host_loop(); }, false);
}

/* A kernel's real time is many times what it is modelled as. */
static void counts_as_modelled(void)
{
    const double began = chrono_ms();
    const double events = gpu_ms(400);
    const double took = chrono_ms() - began;
    CHECK(agree(took, events), "400 launches: chrono %.3f ms, events %.3f", took, events);
}

static void counts_as_real(void)
{
    struct timespec from, to;
    const double began = chrono_ms();
    timespec_get(&from, TIME_UTC);
    const double events = gpu_ms(400);
    timespec_get(&to, TIME_UTC);
    const double took = chrono_ms() - began;
    printf("chrono %.3f ms, events %.3f\n", took, events);
    CHECK(took > 5 * events, "chrono %.3f ms, events %.3f: that is not the real time", took, events);
}

static void time_stays_real(void)
{
    const double ahead = clock_ms(CLOCK_REALTIME) / 1e3 - (double)time(NULL);
    CHECK(ahead > -3 && ahead < 3, "before any work the time of day is %.3f s ahead of time()", ahead);
    NEED(cudaDeviceSynchronize());
    const time_t began = time(NULL);
    const double shown = chrono_ms();
    while (time(NULL) < began + 2) { /* until a second and more has really passed */
        launch(50);
        NEED(cudaDeviceSynchronize());
    }
    const double took = chrono_ms() - shown;
    CHECK(took < 900, "kernels of a second and more of real time: the clock shows %.3f ms", took);
}

static void a_read_is_cheap(void)
{
    NEED(cudaDeviceSynchronize());
    const int reads = 1000000;
    struct timespec now;
    const double began = chrono_ms();
    for (int i = 0; i < reads; i++)
        clock_gettime(CLOCK_MONOTONIC, &now);
    printf("a read takes %.1f ns\n", (chrono_ms() - began) * 1e6 / reads);
}

const struct test_case cases[] = {
    {"all clocks agree", all_agree},
    {"kernels count as modelled", counts_as_modelled},
    {"host functions count", host_functions_count},
    {"kernels count as real", counts_as_real},
    {"time() stays real", time_stays_real},
    {"a read is cheap", a_read_is_cheap},
};

static bool run(const struct test_case *table, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0) {
            table[i].run();
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    NEED(cudaMalloc(&memory, ELEMENTS * sizeof *memory));
    launch(1);
    NEED(cudaDeviceSynchronize());
    if (!run(cases, sizeof cases / sizeof cases[0], argv[1]) &&
        !run(thread_cases, thread_case_count, argv[1])) {
        fprintf(stderr, "there is no case %s\n", argv[1]);
        return 2;
    }
    return failures ? 1 : 0;
}
