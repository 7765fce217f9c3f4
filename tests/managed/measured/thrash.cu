/**
 * @file thrash.cu
 * @brief Measures on a GPU what the UVM driver does when host and device fight over pages. h200-thrash.jsonl
 * beside this file is what it printed; tests/managed/thrash.c compares the simulator with that.
 *
 *     nvcc -arch=native -o thrash thrash.cu -lcupti -lcuda
 *     ./thrash turns BYTES TOUCHES ROUNDS GAP_US     host and a kernel take turns; each writes TOUCHES
 *                                                    words, evenly spread over BYTES; the host waits for
 *                                                    the kernel, then GAP_US
 *     ./thrash token plain|atomic ROUNDS             one kernel runs all the time: a word goes to and fro
 *     ./thrash hammer plain|atomic APART COUNT       one kernel and the host each write COUNT times,
 *                                                    APART bytes apart
 *     ./thrash flood BUFFER_KIB PERIOD_US MIB        MIB there and back, four times: how many of CUPTI's
 *                                                    records get lost, when it is drained every PERIOD_US
 *                                                    (0: never)?
 *
 * A line of JSON each; measure.sh runs them all. Every loop is bounded in time. The key `run` in the data is
 * which of two runs of measure.sh a line is from; run 1's floods were all of 256 MiB, and did not say what
 * each fetch brought.
 */
#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>
#include <atomic>
#include <vector>
#include <algorithm>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int error_ = (int)(call);                                                                            \
        if (error_ != 0) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_);                           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static const uint64_t LONGEST_NS = 1000000000; /* of one kernel, or of the host's side */

/* Of one line: rounds in which anything was counted, and records. */
enum { MOST_ROUNDS = 200, MOST_RECORDS = 60 };

typedef CUpti_ActivityUnifiedMemoryCounter3 Record;
enum { H2D = 1, D2H, CPU_FAULT, GPU_FAULT, THRASHING, THROTTLING, REMOTE_MAP, KINDS };
static const char *const kind_names[KINDS] = {"",          "h2d",       "d2h",        "cpu_fault",
                                              "gpu_fault", "thrashing", "throttling", "remote_map"};

static std::mutex lock;
static std::vector<Record> records;
static size_t buffer_bytes = (size_t)8 << 20, dropped, buffers;

static void CUPTIAPI give(uint8_t **buffer, size_t *bytes, size_t *most)
{
    *buffer = (uint8_t *)aligned_alloc(8, buffer_bytes);
    *bytes = buffer_bytes;
    *most = 0;
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t, size_t valid)
{
    CUpti_Activity *record = NULL;
    size_t lost = 0;
    std::lock_guard<std::mutex> one_at_a_time(lock);
    buffers++;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
            records.push_back(*(Record *)record);
    if (cuptiActivityGetNumDroppedRecords(context, stream, &lost) == CUPTI_SUCCESS)
        dropped += lost;
    free(buffer);
}

static void start_cupti(void)
{
    CUpti_ActivityUnifiedMemoryCounterConfig wanted[KINDS - 1];
    TRY(cuInit(0));
    for (int kind = 1; kind < KINDS; kind++) {
        wanted[kind - 1].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
        wanted[kind - 1].kind = (CUpti_ActivityUnifiedMemoryCounterKind)kind;
        wanted[kind - 1].deviceId = 0;
        wanted[kind - 1].enable = 1;
    }
    TRY(cuptiActivityRegisterCallbacks(give, take));
    TRY(cuptiActivityConfigureUnifiedMemoryCounter(wanted, KINDS - 1));
    TRY(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
    records.reserve(1 << 20);
}

static uint64_t now_ns(void)
{
    uint64_t t;
    TRY(cuptiGetTimestamp(&t));
    return t;
}

static void wait_us(unsigned us)
{
    for (uint64_t end = now_ns() + us * 1000ull; now_ns() < end;)
        ;
}

static __device__ uint64_t device_ns(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* ---- what is printed ---- */

struct Sums {
    uint64_t count[KINDS], value[KINDS];
};

static Sums sums(uint64_t from, uint64_t to)
{
    Sums s = {};
    for (const Record &r : records)
        if (r.start >= from && r.start < to && (int)r.counterKind < KINDS) {
            s.count[r.counterKind]++;
            s.value[r.counterKind] += r.value;
        }
    return s;
}

static void print_sums(const Sums &s)
{
    printf("\"cpu_faults\":%llu,\"gpu_fault_records\":%llu,\"gpu_fault_groups\":%llu,\"bytes_h2d\":%llu,"
           "\"bytes_d2h\":%llu,"
           "\"thrashing\":%llu,\"thrashing_bytes\":%llu,\"throttling\":%llu,\"remote_map\":%llu,\"remote_map_"
           "bytes\":%llu",
           (unsigned long long)s.count[CPU_FAULT], (unsigned long long)s.count[GPU_FAULT],
           (unsigned long long)s.value[GPU_FAULT], (unsigned long long)s.value[H2D],
           (unsigned long long)s.value[D2H], (unsigned long long)s.count[THRASHING],
           (unsigned long long)s.value[THRASHING], (unsigned long long)s.count[THROTTLING],
           (unsigned long long)s.count[REMOTE_MAP], (unsigned long long)s.value[REMOTE_MAP]);
}

static void print_records(const char *base, size_t most)
{
    std::stable_sort(records.begin(), records.end(),
                     [](const Record &a, const Record &b) { return a.start < b.start; });
    printf(",\"record_columns\":[\"kind\",\"start_us\",\"length_us\",\"offset\",\"value\",\"flags\",\"src\","
           "\"dst\"],\"records\":[");
    const uint64_t first = records.empty() ? 0 : records[0].start;
    for (size_t i = 0; i < records.size() && i < most; i++) {
        const Record &r = records[i];
        printf("%s[\"%s\",%.1f,%.1f,%lld,%llu,%u,%d,%d]", i ? "," : "",
               kind_names[(int)r.counterKind % KINDS], (double)(r.start - first) / 1e3,
               r.end > r.start ? (double)(r.end - r.start) / 1e3 : 0.0,
               (long long)(r.address - (uint64_t)base),
               (int)r.counterKind == CPU_FAULT ? 1ull : (unsigned long long)r.value, r.flags, (int)r.srcId,
               (int)r.dstId);
    }
    printf("]");
}

/* ---- turns ---- */

__global__ void write_words(volatile int *p, size_t step, size_t count, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        p[i * step] = value;
}

static void turns(size_t bytes, size_t touches, int rounds, unsigned gap_us)
{
    const size_t step = bytes / touches / sizeof(int);
    std::vector<uint64_t> t;
    char *p;
    TRY(cudaMallocManaged(&p, bytes < (2 << 20) ? 2 << 20 : bytes));
    write_words<<<1, 1>>>((int *)p, 1, 0, 0); /* loads the module */
    TRY(cudaDeviceSynchronize());
    wait_us(3000);
    for (int round = 0; round < rounds; round++) {
        t.push_back(now_ns());
        for (size_t i = 0; i < touches; i++)
            ((volatile int *)p)[i * step] = 2 * round;
        t.push_back(now_ns());
        if (gap_us)
            wait_us(gap_us);
        write_words<<<(unsigned)((touches + 127) / 128), 128>>>((int *)p, step, touches, 2 * round + 1);
        TRY(cudaDeviceSynchronize());
        if (gap_us)
            wait_us(gap_us);
    }
    t.push_back(now_ns());
    TRY(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    printf("{\"what\":\"turns\",\"bytes\":%zu,\"touches\":%zu,\"rounds\":%d,\"gap_us\":%u,\"dropped\":%zu,",
           bytes, touches, rounds, gap_us, dropped);
    print_sums(sums(0, UINT64_MAX));
    printf(",\"round_columns\":[\"round\",\"host_us\",\"gpu_us\",\"cpu_faults\",\"gpu_fault_groups\",\"bytes_"
           "h2d\","
           "\"bytes_d2h\",\"thrashing\","
           "\"throttling\",\"remote_map\"],\"by_round\":[");
    for (int r = 0, shown = 0; r < rounds && shown < MOST_ROUNDS; r++) {
        const Sums s = sums(t[2 * r], t[2 * r + 2]);
        if (std::count(s.count, s.count + KINDS, 0u) == KINDS)
            continue;
        printf("%s[%d,%.1f,%.1f,%llu,%llu,%llu,%llu,%llu,%llu,%llu]", shown++ ? "," : "", r,
               (double)(t[2 * r + 1] - t[2 * r]) / 1e3, (double)(t[2 * r + 2] - t[2 * r + 1]) / 1e3,
               (unsigned long long)s.count[CPU_FAULT], (unsigned long long)s.value[GPU_FAULT],
               (unsigned long long)s.value[H2D], (unsigned long long)s.value[D2H],
               (unsigned long long)s.count[THRASHING], (unsigned long long)s.count[THROTTLING],
               (unsigned long long)s.count[REMOTE_MAP]);
    }
    printf("]");
    if (bytes <= 4096)
        print_records(p, MOST_RECORDS);
    printf("}\n");
    TRY(cudaFree(p));
}

/* ---- one kernel all the time ---- */

__global__ void token_kernel(volatile int *p, int rounds, bool atomic, uint64_t longest_ns)
{
    const uint64_t begin = device_ns();
    for (int r = 0; r < rounds; r++) {
        while (device_ns() - begin < longest_ns) {
            const int seen = atomic ? atomicCAS_system((int *)p, -1, -1) : *p;
            if (seen == 2 * r + 1)
                break;
        }
        if (atomic)
            atomicExch_system((int *)p, 2 * r + 2);
        else
            *p = 2 * r + 2;
        __threadfence_system();
    }
}

__global__ void hammer_kernel(volatile int *p, int count, bool atomic, uint64_t longest_ns, int *done)
{
    const uint64_t begin = device_ns();
    int i = 0;
    for (; i < count && device_ns() - begin < longest_ns; i++) {
        if (atomic)
            atomicAdd_system((int *)p, 1);
        else
            *p = i;
        __threadfence_system();
    }
    *done = i;
}

static void token(bool atomic, int rounds)
{
    char *p;
    TRY(cudaMallocManaged(&p, 2 << 20));
    *(volatile int *)p = 0;
    token_kernel<<<1, 1>>>((int *)p, 0, false, 0);
    TRY(cudaDeviceSynchronize());
    wait_us(3000);
    const uint64_t begin = now_ns();
    token_kernel<<<1, 1>>>((int *)p, rounds, atomic, LONGEST_NS);
    (void)cudaStreamQuery(0); /* it starts now */
    int r = 0;
    for (; r < rounds && now_ns() - begin < LONGEST_NS; r++) {
        if (atomic)
            __atomic_exchange_n((int *)p, 2 * r + 1, __ATOMIC_SEQ_CST);
        else
            *(volatile int *)p = 2 * r + 1;
        while (now_ns() - begin < LONGEST_NS)
            if ((atomic ? __atomic_load_n((int *)p, __ATOMIC_SEQ_CST) : *(volatile int *)p) == 2 * r + 2)
                break;
    }
    const uint64_t host_end = now_ns();
    TRY(cudaDeviceSynchronize());
    const uint64_t end = now_ns();
    TRY(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    printf("{\"what\":\"token\",\"how\":\"%s\",\"rounds\":%d,\"rounds_done\":%d,\"host_us\":%.1f,\"all_us\":%"
           ".1f,\"dropped\":%zu,",
           atomic ? "atomic" : "plain", rounds, r, (double)(host_end - begin) / 1e3,
           (double)(end - begin) / 1e3, dropped);
    print_sums(sums(0, UINT64_MAX));
    print_records(p, MOST_RECORDS);
    printf("}\n");
}

static void hammer(bool atomic, size_t apart, int count)
{
    char *p;
    int *done;
    TRY(cudaMallocManaged(&p, 2 << 20));
    TRY(cudaMallocHost(&done, sizeof(int)));
    memset(p, 0, 128 << 10);
    hammer_kernel<<<1, 1>>>((int *)p, 0, false, 0, done);
    TRY(cudaDeviceSynchronize());
    wait_us(3000);
    const uint64_t begin = now_ns();
    hammer_kernel<<<1, 1>>>((int *)(p + apart), count, atomic, LONGEST_NS / 2, done);
    (void)cudaStreamQuery(0);
    int i = 0;
    for (; i < count && now_ns() - begin < LONGEST_NS / 2; i++) {
        if (atomic)
            __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST);
        else
            *(volatile int *)p = i;
    }
    const uint64_t host_end = now_ns();
    TRY(cudaDeviceSynchronize());
    const uint64_t end = now_ns();
    TRY(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    printf("{\"what\":\"hammer\",\"how\":\"%s\",\"apart\":%zu,\"count\":%d,\"host_done\":%d,\"gpu_done\":%d,"
           "\"sum\":%d,"
           "\"host_us\":%.1f,\"all_us\":%.1f,\"dropped\":%zu,",
           atomic ? "atomic" : "plain", apart, count, i, *done, *(volatile int *)p,
           (double)(host_end - begin) / 1e3, (double)(end - begin) / 1e3, dropped);
    print_sums(sums(0, end));
    print_records(p, MOST_RECORDS);
    printf("}\n");
}

/* ---- lost records ---- */

__global__ void add_one(int *p, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        p[i] += 1;
}

static void flood(size_t buffer_kib, unsigned period_us, size_t mib)
{
    const size_t bytes = mib << 20, n = bytes / sizeof(int);
    std::atomic<bool> stop(false);
    std::thread flusher;
    std::vector<size_t> drained;      /* records that each drain brought */
    std::vector<uint64_t> drained_ns; /* ... and the time from the one before */
    uint64_t t[4][3];
    int *p;
    if (period_us)
        flusher = std::thread([&] {
            uint64_t last = now_ns();
            size_t seen = 0;
            while (!stop) {
                cuptiActivityFlushAll(0);
                const uint64_t now = now_ns();
                std::unique_lock<std::mutex> one_at_a_time(lock);
                drained.push_back(records.size() - seen);
                drained_ns.push_back(now - last);
                seen = records.size();
                last = now;
                one_at_a_time.unlock();
                std::this_thread::sleep_for(std::chrono::microseconds(period_us));
            }
        });
    TRY(cudaMallocManaged(&p, bytes));
    for (int round = 0; round < 4; round++) {
        t[round][0] = now_ns();
        for (size_t i = 0; i < n; i += 1024)
            ((volatile int *)p)[i] = 1;
        t[round][1] = now_ns();
        add_one<<<1024, 256>>>(p, n);
        TRY(cudaDeviceSynchronize());
        t[round][2] = now_ns();
    }
    stop = true;
    if (flusher.joinable())
        flusher.join();
    TRY(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    printf("{\"what\":\"flood\",\"bytes\":%zu,\"buffer_kib\":%zu,\"period_us\":%u,\"records\":%zu,"
           "\"buffers\":%zu,\"dropped\":%zu,"
           "\"round_columns\":[\"cpu_faults\",\"d2h_records\",\"bytes_d2h\",\"gpu_fault_records\",\"gpu_"
           "fault_groups\","
           "\"h2d_records\",\"bytes_h2d\",\"host_us\",\"gpu_us\"],\"by_round\":[",
           bytes, buffer_kib, period_us, records.size(), buffers, dropped);
    for (int r = 0; r < 4; r++) {
        const Sums h = sums(t[r][0], t[r][1]), g = sums(t[r][1], t[r][2]);
        printf("%s[%llu,%llu,%llu,%llu,%llu,%llu,%llu,%.1f,%.1f]", r ? "," : "",
               (unsigned long long)h.count[CPU_FAULT], (unsigned long long)h.count[D2H],
               (unsigned long long)h.value[D2H], (unsigned long long)g.count[GPU_FAULT],
               (unsigned long long)g.value[GPU_FAULT], (unsigned long long)g.count[H2D],
               (unsigned long long)g.value[H2D], (double)(t[r][1] - t[r][0]) / 1e3,
               (double)(t[r][2] - t[r][1]) / 1e3);
    }
    printf("],\"drains\":%zu,\"most_drained\":%zu,\"longest_drain_us\":%.1f}\n", drained.size(),
           drained.empty() ? 0 : *std::max_element(drained.begin(), drained.end()),
           drained.empty() ? 0.0 : (double)*std::max_element(drained_ns.begin(), drained_ns.end()) / 1e3);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "flood") && argc == 5)
        buffer_bytes = strtoull(argv[2], NULL, 0) << 10;
    start_cupti();
    if (!strcmp(what, "turns") && argc == 6)
        turns(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), atoi(argv[4]), (unsigned)atoi(argv[5]));
    else if (!strcmp(what, "token") && argc == 4)
        token(!strcmp(argv[2], "atomic"), atoi(argv[3]));
    else if (!strcmp(what, "hammer") && argc == 5)
        hammer(!strcmp(argv[2], "atomic"), strtoull(argv[3], NULL, 0), atoi(argv[4]));
    else if (!strcmp(what, "flood") && argc == 5)
        flood(strtoull(argv[2], NULL, 0), (unsigned)atoi(argv[3]), strtoull(argv[4], NULL, 0));
    else
        return fprintf(stderr, "how to call it stands at the head of thrash.cu\n"), 2;
    return 0;
}
