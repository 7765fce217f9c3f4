/**
 * @file recall.cu
 * @brief Launches that are repeated, and what could make one of them differ from the one before.
 *
 *     recall CASE
 *
 * Prints what each launch left, and the modelled time of all. run.py compares what it prints with and without
 * launches that are recalled (sim/queue/recall.h).
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error = (call);                                                                          \
        if (error != cudaSuccess) {                                                                          \
            printf("%s: %s\n", #call, cudaGetErrorName(error));                                              \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static const int N = 1 << 12, TIMES = 12;
static int *a, *b;

__device__ int counter;
__constant__ int factor;

__global__ void copy(const int *from, int *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        to[i] = from[i] + 1;
}

__global__ void increment(int *p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        p[i]++;
}

__global__ void sum(const int *from, int *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        atomicAdd(to, from[i]);
}

__global__ void count_up(int *to)
{
    to[threadIdx.x] = ++counter;
}

__global__ void scale(const int *from, int *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        to[i] = factor * from[i];
}

__global__ void say(const int *from)
{
    printf("the kernel says %d\n", from[threadIdx.x]);
}

__global__ void read_clock(long long *to)
{
    *to = clock64();
}

__global__ void take_memory(int *to)
{
    int *own = (int *)malloc(64);
    *own = 1;
    *to += *own; /* never freed: the next one is another piece */
}

__global__ void read_texture(cudaTextureObject_t texture, float *to)
{
    to[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void change_image(cudaSurfaceObject_t image, int *to)
{
    const int x = threadIdx.x % 16, y = threadIdx.x / 16, was = surf2Dread<int>(image, 4 * x, y);
    surf2Dwrite(was / 2 + y, image, 4 * x, y);
    to[threadIdx.x] = was;
}

__global__ void step_by_state(const int *state, int *to)
{
    to[0] = state[0] * 2;
}

__global__ void go_astray(int *p, const int *limit)
{
    if (threadIdx.x == 0 && limit[0] > 5)
        p[1 << 28] = 1;
}

__global__ void spin_for(int *to, int passes)
{
    unsigned value = threadIdx.x + 1;
    for (int i = 0; i < passes; i++)
        value = value * 1664525 + 1013904223;
    to[threadIdx.x] = (int)value;
}

static int first_of(const int *p)
{
    int value;
    CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static unsigned all_of(const int *p)
{
    static int host[N];
    unsigned mixed = 0;
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        mixed = mixed * 31 + (unsigned)host[i];
    return mixed;
}

#define GRID N / 256, 256

static void nothing_changes()
{
    for (int i = 0; i < TIMES; i++) {
        copy<<<GRID>>>(a, b);
        printf("%u\n", all_of(b));
    }
}

static void it_goes_on()
{
    for (int i = 0; i < TIMES; i++) {
        increment<<<GRID>>>(a);
        printf("%u\n", all_of(a));
    }
}

static void it_begins_again()
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaMemset(b, 0, sizeof(int)));
        sum<<<GRID>>>(a, b);
        printf("%d\n", first_of(b));
    }
}

static void the_host_writes_between()
{
    for (int i = 0; i < TIMES; i++) {
        const int value = i / 3;
        CHECK(cudaMemcpy(a + 7, &value, sizeof value, cudaMemcpyHostToDevice));
        copy<<<GRID>>>(a, b);
        printf("%u\n", all_of(b));
    }
}

static void rows_are_written_between()
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaMemset2D(a + 3, 64 * sizeof(int), i % 2, 4 * sizeof(int), N / 64));
        copy<<<GRID>>>(a, b);
        printf("%u\n", all_of(b));
    }
}

static void a_variable_counts()
{
    for (int i = 0; i < TIMES; i++) {
        count_up<<<1, 1>>>(b);
        printf("%d\n", first_of(b));
    }
}

static void a_constant_changes()
{
    for (int i = 0; i < TIMES; i++) {
        const int value = i % 4;
        CHECK(cudaMemcpyToSymbol(factor, &value, sizeof value));
        scale<<<GRID>>>(a, b);
        printf("%u\n", all_of(b));
    }
}

static void kernels_take_turns()
{
    for (int i = 0; i < TIMES; i++) {
        copy<<<GRID>>>(a, b);
        increment<<<GRID>>>(b);
        copy<<<GRID>>>(b, a);
        CHECK(cudaMemset(a, 0, N * sizeof(int)));
        printf("%u %u\n", all_of(a), all_of(b));
    }
}

static void it_prints()
{
    for (int i = 0; i < TIMES; i++) {
        say<<<1, 2>>>(a);
        CHECK(cudaDeviceSynchronize());
        fflush(stdout);
    }
}

static void it_reads_a_clock()
{
    long long last = 0, now;
    for (int i = 0; i < TIMES; i++) {
        copy<<<GRID>>>(a, b);
        read_clock<<<1, 1>>>((long long *)b);
        CHECK(cudaMemcpy(&now, b, sizeof now, cudaMemcpyDeviceToHost));
        printf("%lld %s\n", now, now > last ? "later" : "not later");
        last = now;
    }
}

static void it_takes_memory()
{
    for (int i = 0; i < TIMES; i++) {
        take_memory<<<1, 1>>>(b);
        copy<<<GRID>>>(b, a);
        printf("%d\n", first_of(a));
    }
}

static void the_host_shares_memory()
{
    int *shared;
    CHECK(cudaMallocHost((void **)&shared, N * sizeof(int)));
    memset(shared, 0, N * sizeof(int));
    for (int i = 0; i < TIMES; i++) {
        shared[5] = i;
        copy<<<GRID>>>(shared, b);
        printf("%u\n", all_of(b));
    }
    CHECK(cudaFreeHost(shared));
}

static void memory_is_managed()
{
    int *managed;
    CHECK(cudaMallocManaged(&managed, N * sizeof(int)));
    memset(managed, 0, N * sizeof(int));
    for (int i = 0; i < TIMES; i++) {
        managed[5] = i;
        copy<<<GRID>>>(managed, b);
        printf("%u\n", all_of(b));
    }
    CHECK(cudaFree(managed));
}

static void memory_comes_and_goes()
{
    for (int i = 0; i < TIMES; i++) {
        int *own;
        CHECK(cudaMalloc(&own, (i % 3 + 1) * N * sizeof(int)));
        CHECK(cudaMemset(own, i % 2, N * sizeof(int)));
        copy<<<GRID>>>(own, b);
        increment<<<GRID>>>(own);
        printf("%u %u\n", all_of(b), all_of(own));
        CHECK(cudaFree(own));
    }
}

static void a_texture_is_another()
{
    for (int i = 0; i < TIMES; i++) {
        cudaResourceDesc what = {};
        cudaTextureDesc how = {};
        cudaTextureObject_t texture;
        what.resType = cudaResourceTypeLinear;
        what.res.linear.devPtr = a + 512 * (i % 3);
        CHECK(cudaMemset(a + 512 * (i % 3), i % 3, 64));
        what.res.linear.desc = cudaCreateChannelDesc<float>();
        what.res.linear.sizeInBytes = 64 * sizeof(float);
        how.readMode = cudaReadModeElementType;
        CHECK(cudaCreateTextureObject(&texture, &what, &how, NULL));
        read_texture<<<1, 64>>>(texture, (float *)b);
        printf("%d\n", first_of(b));
        CHECK(cudaDestroyTextureObject(texture));
    }
}

/* An array has a page that nobody can read, its handle. Once a texture or a surface is there, nothing is
 * recalled. */
static void an_array_is_there()
{
    cudaArray_t array;
    cudaResourceDesc what = {};
    cudaSurfaceObject_t image;
    const cudaChannelFormatDesc form = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &form, 16, 4, cudaArraySurfaceLoadStore));
    for (int i = 0; i < TIMES; i++) {
        copy<<<GRID>>>(a, b);
        CHECK(cudaMemcpy2DToArray(array, 0, 0, b + i % 3, 64, 64, 4, cudaMemcpyDeviceToDevice));
        printf("%u\n", all_of(b));
        CHECK(cudaMemcpy2DFromArray(a + 64, 64, array, 0, 0, 64, 4, cudaMemcpyDeviceToDevice));
    }
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&image, &what));
    for (int i = 0; i < TIMES; i++) {
        change_image<<<1, 64>>>(image, b);
        printf("%u\n", all_of(b));
    }
    CHECK(cudaDestroySurfaceObject(image));
    CHECK(cudaFreeArray(array));
}

static void streams_meet()
{
    cudaStream_t stream[3];
    for (int i = 0; i < 3; i++)
        CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < 6; k++)
            copy<<<GRID, 0, stream[k % 3]>>>(a, b);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemsetAsync(b, i % 2, 64, stream[0]));
        increment<<<GRID, 0, stream[0]>>>(b);
        CHECK(cudaDeviceSynchronize());
        printf("%u\n", all_of(b));
    }
}

static void one_fails()
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaMemcpy(a, &i, sizeof i, cudaMemcpyHostToDevice));
        for (int k = 0; k < 3; k++)
            step_by_state<<<1, 1>>>(a, b);
        go_astray<<<1, 32>>>(b, a);
        const cudaError_t error = cudaDeviceSynchronize();
        printf("%s\n", cudaGetErrorName(error));
    }
}

/* The 1st, 2nd, 4th and so on are counted, others take over what these were (sim/queue/traffic.h). */
static void it_is_repeated_often()
{
    for (int i = 0; i < 2100; i++) {
        copy<<<GRID>>>(a, b);
        CHECK(cudaDeviceSynchronize());
    }
    printf("%u\n", all_of(b));
}

static void it_takes_long()
{
    for (int i = 0; i < 30; i++) {
        spin_for<<<1, 64>>>(b, 400000);
        CHECK(cudaDeviceSynchronize());
    }
    printf("%d\n", first_of(b));
}

static const struct {
    const char *name;
    void (*run)();
} cases[] = {
    {"nothing changes", nothing_changes},
    {"it goes on", it_goes_on},
    {"it begins again", it_begins_again},
    {"the host writes between", the_host_writes_between},
    {"rows are written between", rows_are_written_between},
    {"a variable counts", a_variable_counts},
    {"a constant changes", a_constant_changes},
    {"kernels take turns", kernels_take_turns},
    {"it prints", it_prints},
    {"it reads a clock", it_reads_a_clock},
    {"it takes memory", it_takes_memory},
    {"the host shares memory", the_host_shares_memory},
    {"memory is managed", memory_is_managed},
    {"memory comes and goes", memory_comes_and_goes},
    {"a texture is another", a_texture_is_another},
    {"an array is there", an_array_is_there},
    {"streams meet", streams_meet},
    {"one fails", one_fails},
    {"it is repeated often", it_is_repeated_often},
    {"it takes long", it_takes_long},
};

int main(int count, char **arguments)
{
    cudaEvent_t begun, ended;
    float ms;
    for (const auto &it : cases) {
        if (count == 1)
            puts(it.name);
        if (count != 2 || strcmp(arguments[1], it.name) != 0)
            continue;
        CHECK(cudaMalloc(&a, N * sizeof(int)));
        CHECK(cudaMalloc(&b, N * sizeof(int)));
        CHECK(cudaMemset(a, 1, N * sizeof(int)));
        CHECK(cudaMemset(b, 0, N * sizeof(int)));
        CHECK(cudaEventCreate(&begun));
        CHECK(cudaEventCreate(&ended));
        CHECK(cudaEventRecord(begun));
        it.run();
        if (cudaEventRecord(ended) == cudaSuccess && cudaEventSynchronize(ended) == cudaSuccess &&
            cudaEventElapsedTime(&ms, begun, ended) == cudaSuccess)
            printf("%.6f ms\n", ms);
        return 0;
    }
    return count == 1 ? 0 : 2;
}
