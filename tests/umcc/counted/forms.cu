/* What the two forms of a kernel have in common, and what a block finds that runs in one of them: each answer
 * is checked. Compiled with both forms and with one (cases_counted.sh). */
#include <cstdio>
#include <cstdlib>

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if ((call) != cudaSuccess) {                                                                         \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()));                       \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define IS(value, wanted)                                                                                    \
    do {                                                                                                     \
        const long is = (long)(value);                                                                       \
        if (is != (long)(wanted))                                                                            \
            printf("line %d: %ld\n", __LINE__, is), wrong = 1;                                               \
    } while (0)

static int wrong;
__device__ int hits;
__managed__ long answers[8];
static __constant__ int weights[4] = {1, 2, 3, 4};

/* functions' variables, and recursion */
__device__ int numbered(int n)
{
    static __device__ int calls;
    return n == 0 ? atomicAdd(&calls, 1) : numbered(n - 1);
}

__global__ void number(int *seen)
{
    seen[numbered(3)]++;
    atomicAdd(&hits, weights[threadIdx.x % 4]);
}

/* pointers to functions: the same in both forms */
typedef int (*function)(int);
__device__ int twice(int n)
{
    return 2 * n;
}
__device__ int negated(int n)
{
    return -n;
}
__device__ function chosen = twice;

__global__ void choose()
{
    if (chosen != twice || chosen == negated || chosen(4) != 8)
        atomicAdd((unsigned long long *)&answers[0], 1ull);
    atomicAdd((unsigned long long *)&answers[1], (unsigned long long)(chosen == twice ? negated(-3) : 0));
}

/* virtual functions, by objects that other launches have made */
struct shape {
    __device__ virtual int area() const = 0;
};
struct square : shape {
    int side;
    __device__ explicit square(int n) : side(n)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }
};

__global__ void make(shape **shapes)
{
    shapes[blockIdx.x] = new square((int)blockIdx.x);
}

__global__ void measure(shape **shapes, const int shift)
{
    const int area = shapes[(blockIdx.x + shift) % gridDim.x]->area();
    atomicAdd((unsigned long long *)&answers[2], (unsigned long long)area);
}

/* nearly all of the shared memory that there is, which both forms know by keys of their own */
template <int WORDS> __global__ void reverse(int *a)
{
    __shared__ int tile[WORDS];
    __shared__ int more[64];
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        tile[i] = a[(size_t)blockIdx.x * WORDS + i];
    more[threadIdx.x % 64] = threadIdx.x % 64;
    __syncthreads();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        a[(size_t)blockIdx.x * WORDS + i] = tile[WORDS - 1 - i] + more[i % 64] - i % 64;
}

/* blocks that wait for each other, in either form */
__global__ void in_order(volatile int *next, int *order)
{
    if (threadIdx.x == 0) {
        while (*next != (int)blockIdx.x)
            ;
        order[blockIdx.x] = *next;
        __threadfence();
        *next = (int)blockIdx.x + 1;
    }
    __syncthreads();
}

/* parameters of which each form needs others, in another order */
__global__ void parameters(int unused, long c, char a, int *out, double b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (int)(a + b + (double)c);
}

int main()
{
    const int blocks = 100, words = 11 * 1024;
    int *a, got = 0;
    shape **shapes;
    MUST(cudaMallocManaged(&a, sizeof(int) * blocks * words));
    MUST(cudaMalloc(&shapes, blocks * sizeof *shapes));
    number<<<blocks, 64>>>(a);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < blocks * 64; i++)
        got += a[i] == 1;
    IS(got, blocks * 64);
    MUST(cudaMemcpyFromSymbol(&got, hits, sizeof got));
    IS(got, blocks * 16 * 10);
    choose<<<blocks, 32>>>();
    make<<<blocks, 1>>>(shapes);
    measure<<<blocks, 1>>>(shapes, 1);
    for (int i = 0; i < blocks * words; i++)
        a[i] = i;
    reverse<words><<<blocks, 128>>>(a);
    MUST(cudaDeviceSynchronize());
    IS(answers[0], 0);
    IS(answers[1], blocks * 32 * 3);
    IS(answers[2], 99L * 100 * 199 / 6);
    got = 0;
    for (int i = 0; i < blocks * words; i++)
        got += a[i] == i / words * words + words - 1 - i % words;
    IS(got, blocks * words);
    MUST(cudaMemset(a, 0, sizeof(int) * (blocks + 1)));
    in_order<<<blocks, 32>>>(a + blocks, a);
    parameters<<<blocks, 32>>>(7, 100, 3, a + 2 * blocks, 0.5, blocks * 32 - 5);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < blocks; i++)
        IS(a[i], i);
    for (int i = 0; i < blocks * 32 - 5; i++)
        IS(a[2 * blocks + i], 103);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
