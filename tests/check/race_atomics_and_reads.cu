// expect: Error: Race reported between
// expect: of 4 bytes of __shared__ memory
// expect: __syncthreads() between these lines
// Atomics and plain reads of the same __shared__ memory, in all the ways that are right. The wrong one counts
// in rounds and lacks the barrier between two of them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ double addd(double *a, double v)
{
    unsigned long long *p = (unsigned long long *)a, old = *p, as;
    do {
        as = old;
        old = atomicCAS(p, as, __double_as_longlong(v + __longlong_as_double(as)));
    } while (as != old);
    return __longlong_as_double(old);
}
__global__ void casloop(double *o)
{
    __shared__ double s;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    addd(&s, 1);
    __syncthreads();
    if (!threadIdx.x)
        *o = s;
}
__global__ void fmaxk(float *o)
{
    __shared__ float s;
    if (!threadIdx.x)
        s = -1;
    __syncthreads();
    float v = threadIdx.x;
    int *p = (int *)&s, old = *p;
    while (v > __int_as_float(old)) {
        int as = old;
        old = atomicCAS(p, as, __float_as_int(v));
        if (old == as)
            break;
    }
    __syncthreads();
    if (!threadIdx.x)
        *o = s;
}
__global__ void lock(int *o)
{
    __shared__ int l, c;
    if (!threadIdx.x)
        l = c = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&l, 0, 1) != 0)
            ;
        __threadfence_block();
        c++;
        __threadfence_block();
        atomicExch(&l, 0);
    }
    __syncthreads();
    if (!threadIdx.x)
        *o = c;
}
__global__ void warpagg(int *o)
{
    __shared__ int s;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    unsigned m = __activemask();
    int lead = __ffs(m) - 1;
    if ((threadIdx.x & 31) == lead)
        atomicAdd(&s, __popc(m));
    __syncthreads();
    o[threadIdx.x] = s;
}
__global__ void queue(int *o)
{
    __shared__ int q[256], n;
    if (!threadIdx.x)
        n = 0;
    __syncthreads();
    if (threadIdx.x & 1) {
        int at = atomicAdd(&n, 1);
        q[at] = threadIdx.x;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        o[i] = q[i];
    __syncthreads();
    if (!threadIdx.x)
        n = 0;
    __syncthreads();
    atomicAdd(&n, 1);
    __syncthreads();
    if (!threadIdx.x)
        o[255] = n;
}
__global__ void warpread(int *o)
{
    __shared__ int s[8];
    int w = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        s[w] = 0;
    __syncwarp();
    atomicAdd(&s[w], 1);
    __syncwarp();
    o[threadIdx.x] = s[w];
}
__global__ void tile(int *o)
{
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    __shared__ int s[8];
    int w = threadIdx.x / 32;
    if (t.thread_rank() == 0)
        s[w] = 0;
    t.sync();
    atomicAdd(&s[w], 1);
    t.sync();
    o[threadIdx.x] = s[w];
}
__global__ void rounds(int *o, bool bad)
{
    __shared__ int c[4];
    for (int r = 0; r < 4; r++) {
        if (threadIdx.x < 4)
            c[threadIdx.x] = 0;
        __syncthreads();
        atomicAdd(&c[(threadIdx.x + r) % 4], 1);
        __syncthreads();
        if (threadIdx.x < 4)
            o[r * 4 + threadIdx.x] = c[threadIdx.x];
        if (r < 3 || !bad)
            __syncthreads();
    }
    if (bad)
        atomicAdd(&c[(threadIdx.x + 1) % 4], 1);
}
__global__ void done(int *o)
{
    __shared__ int flag, v;
    if (!threadIdx.x)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        v = 5;
        __threadfence_block();
        atomicExch(&flag, 1);
    }
    if (threadIdx.x == 64) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        __threadfence_block();
        *o = v;
    }
}
__global__ void minidx(const int *a, int *o)
{
    __shared__ int best;
    if (!threadIdx.x)
        best = 1 << 30;
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        if (a[i] < best)
            atomicMin(&best, a[i]);
    __syncthreads();
    if (!threadIdx.x)
        *o = best;
}
__global__ void dyn(int *o)
{
    extern __shared__ int h[];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        h[i] = 0;
    __syncthreads();
    atomicAdd(&h[threadIdx.x % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&o[threadIdx.x], h[threadIdx.x]);
}
__global__ void scanq(int *o)
{
    __shared__ int n;
    if (!threadIdx.x)
        n = 0;
    __syncthreads();
    int changed;
    do {
        __syncthreads();
        int mine = n;
        __syncthreads();
        if (mine < 10 && threadIdx.x == 0)
            atomicAdd(&n, 1);
        __syncthreads();
        changed = n < 10;
    } while (changed);
    if (!threadIdx.x)
        *o = n;
}
int main(int argc, char **)
{
    int *o, *a;
    double *d;
    float *f;
    cudaMallocManaged(&o, 4096);
    cudaMalloc(&d, 8);
    cudaMalloc(&f, 4);
    cudaMalloc(&a, 4096);
    cudaMemset(a, 1, 4096);
    cudaMemset(o, 0, 4096);
    casloop<<<3, 128>>>(d);
    fmaxk<<<3, 128>>>(f);
    lock<<<3, 256>>>(o);
    warpagg<<<3, 256>>>(o);
    queue<<<1, 256>>>(o);
    warpread<<<1, 256>>>(o);
    tile<<<1, 256>>>(o);
    rounds<<<1, 256>>>(o, argc > 1);
    done<<<1, 128>>>(o);
    minidx<<<1, 256>>>(a, o);
    dyn<<<4, 256, 256>>>(o);
    scanq<<<1, 128>>>(o);
    cudaDeviceSynchronize();
    cudaFree(o);
    cudaFree(d);
    cudaFree(f);
    cudaFree(a);
}
