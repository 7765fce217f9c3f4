// Memory that the kernel gets for itself: malloc and free, new and delete, for a thread, for a block, and
// kept from one kernel to the next.
#include "common.h"
#include <cstring>

const int BLOCKS = 4, THREADS = 16;

__global__ void perThread(int *bad)
{
    size_t size = 123;
    char *ptr = (char *)malloc(size);
    if (ptr == NULL) {
        atomicAdd(bad, 1);
        return;
    }
    memset(ptr, threadIdx.x, size);
    for (size_t i = 0; i < size; i++)
        if (ptr[i] != (char)threadIdx.x)
            atomicAdd(bad, 1);
    free(ptr);
}

__global__ void perBlock(int *out)
{
    __shared__ int *data;
    // the first thread allocates, all use it
    if (threadIdx.x == 0)
        data = (int *)malloc(blockDim.x * 64);
    __syncthreads();
    if (data == NULL)
        return;
    int *ptr = data;
    for (int i = 0; i < 16; ++i)
        ptr[i * blockDim.x + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 16 * (int)blockDim.x; i++)
            sum += data[i];
        out[blockIdx.x] = sum;
        free(data);
    }
}

__device__ int *dataptr[BLOCKS];

__global__ void allocmem()
{
    if (threadIdx.x == 0)
        dataptr[blockIdx.x] = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    if (dataptr[blockIdx.x] != NULL)
        dataptr[blockIdx.x][threadIdx.x] = 0;
}

__global__ void usemem()
{
    int *ptr = dataptr[blockIdx.x];
    if (ptr != NULL)
        ptr[threadIdx.x] += threadIdx.x;
}

__global__ void freemem(int *out)
{
    int *ptr = dataptr[blockIdx.x];
    if (ptr != NULL)
        atomicAdd(out, ptr[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        free(ptr);
}

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n)
    {
    }
};

__global__ void listOfNodes(int *out, int n)
{
    Node *head = nullptr;
    for (int i = 0; i < n; i++)
        head = new Node(i, head);
    int sum = 0;
    while (head != nullptr) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    int *squares = new int[n];
    for (int i = 0; i < n; i++)
        squares[i] = i * i;
    *out = sum * 1000 + squares[n - 1];
    delete[] squares;
}

int main()
{
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    int *out;
    CHECK(cudaMallocManaged(&out, 8 * sizeof(int)));
    memset(out, 0, 8 * sizeof(int));
    perThread<<<2, 32>>>(out);
    CHECK_KERNEL();
    bool good = out[0] == 0;
    perBlock<<<BLOCKS, THREADS>>>(out);
    CHECK_KERNEL();
    for (int b = 0; b < BLOCKS; b++)
        good &= out[b] == 16 * THREADS * (THREADS - 1) / 2;
    allocmem<<<BLOCKS, THREADS>>>();
    for (int i = 0; i < 3; i++)
        usemem<<<BLOCKS, THREADS>>>();
    freemem<<<BLOCKS, THREADS>>>(out + 5);
    CHECK_KERNEL();
    good &= out[5] == BLOCKS * 3 * THREADS * (THREADS - 1) / 2;
    listOfNodes<<<1, 1>>>(out + 6, 10);
    CHECK_KERNEL();
    good &= out[6] == 45 * 1000 + 81;
    CHECK(cudaFree(out));
    return report(good);
}
