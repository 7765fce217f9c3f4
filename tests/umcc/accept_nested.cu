// flags: -rdc=true -lcudadevrt
/* Kernels that launch kernels, and what else of CUDA's runtime device code has. */
#include "capture.h"
#include "check.h"

struct Out {
    int order[64], count, errors[16];
    unsigned long long blocks;
};

__global__ void note(Out *out, int what)
{
    out->order[atomicAdd(&out->count, 1)] = what;
}

static bool is_order(const Out *out, int count, const int *order)
{
    bool same = out->count == count;
    for (int i = 0; same && i < count; i++)
        same = out->order[i] == order[i];
    return same;
}

/* A block's launches run in order, blocks by their numbers here, and a tail at the very end. */
__global__ void from_blocks(Out *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 99);
    for (int i = 0; i < 2; i++)
        note<<<1, 1>>>(out, 100 * blockIdx.x + 10 * threadIdx.x + i);
}
static void order(Out *out)
{
    const int expected[] = {0, 1, 10, 11, 100, 101, 110, 111, 99};
    out->count = 0;
    from_blocks<<<2, 2>>>(out);
    SYNC();
    CHECK(is_order(out, 9, expected));
}

/* With barriers and fibers, from a template, a device function, a lambda and a __host__ __device__ function.
 */
template <class T> __global__ void add(T *sum, T by)
{
    atomicAdd(sum, by);
}
template <class T> __device__ void launch_add(T *sum, T by)
{
    add<T><<<dim3(2, 2), 4>>>(sum, by);
}
__host__ __device__ inline cudaError_t launch_anywhere(int *sum)
{
    add<<<1, 1>>>(sum, 1000);
    return cudaGetLastError();
}
template <class F> __global__ void run(F f)
{
    f();
}
__global__ void in_many_ways(int *sum)
{
    extern __shared__ int sizes[];
    sizes[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    const int next = __shfl_sync(~0u, sizes[threadIdx.x], (threadIdx.x + 1) % 32);
    if (threadIdx.x == 3)
        launch_add(sum, next); /* 16 times 5 */
    __syncthreads();
    if (threadIdx.x == 4 && launch_anywhere(sum) != cudaSuccess)
        *sum = -1;
}
static void forms()
{
    int *sum = make_managed<int>(1);
    in_many_ways<<<1, 32, 32 * sizeof(int)>>>(sum);
    SYNC();
    CHECK(*sum == 1080);
    CHECK(launch_anywhere(sum) == cudaSuccess);
    SYNC();
    CHECK(*sum == 2080);
    run<<<1, 1>>>([=] __device__ { add<<<1, 7>>>(sum, 1); });
    SYNC();
    CHECK(*sum == 2087);
    cudaFree(sum);
}

/* Errors are the thread's own. */
__global__ void errors(Out *out)
{
    if (threadIdx.x == 1)
        note<<<1, 5000>>>(out, 0);
    out->errors[threadIdx.x] = cudaPeekAtLastError();
    out->errors[2 + threadIdx.x] = cudaGetLastError();
    out->errors[4 + threadIdx.x] = cudaGetLastError();
    if (threadIdx.x == 0) {
        cudaStream_t none = (cudaStream_t)0x1234567;
        note<<<1, 1, 0, none>>>(out, 0);
        out->errors[6] = cudaGetLastError();
        out->errors[7] = cudaStreamCreateWithFlags(&none, 77);
        out->errors[8] = cudaMemcpyAsync(out, out, 4, cudaMemcpyHostToDevice, 0);
    }
}
static void own_errors(Out *out)
{
    out->count = 0;
    errors<<<1, 2>>>(out);
    SYNC();
    CHECK(out->count == 0);
    CHECK(out->errors[0] == cudaSuccess && out->errors[1] == cudaErrorInvalidConfiguration);
    CHECK(out->errors[2] == cudaSuccess && out->errors[3] == cudaErrorInvalidConfiguration);
    CHECK(out->errors[4] == cudaSuccess && out->errors[5] == cudaSuccess);
    CHECK(out->errors[6] == cudaErrorInvalidResourceHandle);
    CHECK(out->errors[7] == cudaErrorInvalidValue);
    CHECK(out->errors[8] == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaGetLastError() == cudaSuccess); /* the host's is another one */
}

/* Children of one grid are as many as they like; a line of parents has an end, which the host sets. */
__global__ void many(Out *out, int n)
{
    out->count = 0;
    for (int i = 0; i < n; i++)
        add<<<1, 1, 0, cudaStreamFireAndForget>>>(&out->blocks, 1ull);
    out->count = cudaGetLastError();
}
__global__ void deeper(Out *out, int level)
{
    out->count = level;
    deeper<<<1, 1>>>(out, level + 1);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        out->errors[0] = error;
}
static void pending(Out *out)
{
    size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess && limit == 2048);
    out->blocks = 0;
    many<<<1, 1>>>(out, 5000);
    SYNC();
    CHECK(out->blocks == 5000 && out->count == cudaSuccess);
    deeper<<<1, 1>>>(out, 1);
    SYNC();
    CHECK(out->count == 2049 && out->errors[0] == cudaErrorLaunchPendingCountExceeded);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100) == cudaSuccess);
    deeper<<<1, 1>>>(out, 1);
    SYNC();
    CHECK(out->count == 101);
}

/* Copies and memsets stand in their stream's order. */
__global__ void copies(unsigned char *to, const unsigned char *from, int n, int *results)
{
    cudaStream_t stream;
    cudaEvent_t event;
    results[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    results[1] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    results[2] = cudaMemsetAsync(to, 7, n, stream);
    results[3] = cudaMemcpyAsync(to + 5, from, n - 10, cudaMemcpyDeviceToDevice, stream);
    results[4] = cudaEventRecord(event, stream);
    results[5] = cudaStreamWaitEvent(0, event, 0);
    results[6] = cudaMemcpy2DAsync(to + n, 64, from, 16, 8, 4, cudaMemcpyDeviceToDevice, 0);
    results[7] = cudaStreamDestroy(stream);
    results[8] = cudaEventDestroy(event);
    results[9] = cudaGetDevice(&results[10]);
}
static void memory()
{
    const int n = 200000;
    unsigned char *to = make_managed<unsigned char>(n + 256), *from = make_managed<unsigned char>(n);
    int *results = make_managed<int>(16);
    bool good = true;
    for (int i = 0; i < n; i++)
        from[i] = (unsigned char)(i % 251);
    results[10] = -1;
    copies<<<1, 1>>>(to, from, n, results);
    SYNC();
    for (int i = 0; i < 11; i++)
        CHECK(results[i] == 0);
    for (int i = 0; i < n; i++)
        good = good && to[i] == (i < 5 || i >= n - 5 ? 7 : from[i - 5]);
    CHECK(good);
    for (int i = 0; i < 256; i++)
        good = good && to[n + i] == (i % 64 < 8 ? from[i / 64 * 16 + i % 64] : 0);
    CHECK(good);
    cudaFree(to);
    cudaFree(from);
    cudaFree(results);
}

/* What is printed stands in the order in which grids run. */
__global__ void say(int depth)
{
    printf("%d", depth);
    if (depth < 3)
        say<<<2, 1>>>(depth + 1);
}
static void printing()
{
    capture_begin(stdout);
    say<<<1, 1>>>(1);
    SYNC();
    const std::string text = capture_end(stdout);
    CHECK(text == "1223333");
}

int main()
{
    Out *out = make_managed<Out>(1);
    order(out);
    forms();
    own_errors(out);
    pending(out);
    memory();
    printing();
    cudaFree(out);
    return finish();
}
