// errors: 2
// expect: Error: Host read of managed memory that kernel fill may still write
// expect: at main in @read
// expect: and the kernel was launched at @fill
// expect: is 20 bytes inside an allocation of size 400 bytes
// expect: allocated by cudaMallocManaged at @made
// expect: A launch only begins the kernel: cudaDeviceSynchronize() before the host goes on.
// expect: Error: Host write of managed memory that kernel sum may still read
// expect: at main in @written
// expect: and the kernel was launched at @sum
// The host uses managed memory while a kernel is under way. It may use what the kernel leaves alone, wait for
// a stream or an event, and poll what the kernel writes with volatile.
#include <cstdio>

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

__global__ void sum(const int *x, int *y)
{
    int all = 0;
    for (int i = 0; i < 100; i++)
        all += x[i];
    *y = all;
}

__global__ void tell(int *x, volatile int *flag)
{
    x[1000] = 7;
    __threadfence_system();
    *flag = 1;
}

__global__ void obey(volatile int *flag, int *x)
{
    while (*flag == 0)
        ;
    __threadfence_system();
    x[1] = x[2];
}

static void look(void *page)
{
    ((int *)page)[9] = ((int *)page)[7];
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    int *x, *y, *other, *page;
    cudaEvent_t event;
    cudaStream_t stream;
    cudaMallocManaged(&x, 400); // @made
    cudaMallocManaged(&y, sizeof *y);
    cudaMallocManaged(&other, 8192);
    cudaMallocManaged(&page, 8192);
    cudaEventCreate(&event);
    cudaStreamCreate(&stream);
    for (int i = 0; i < 100; i++)
        x[i] = -1;
    fill<<<1, 100>>>(x); // @fill
    other[1500] = 4;
    if (!bad)
        cudaDeviceSynchronize();
    int seen = x[5]; // @read
    cudaDeviceSynchronize();
    sum<<<1, 1, 0, stream>>>(x, y); // @sum
    cudaEventRecord(event, stream);
    if (!bad)
        cudaEventSynchronize(event);
    x[7] = seen; // @written
    cudaStreamSynchronize(stream);
    seen += *y;
    page[0] = 0;
    tell<<<1, 1>>>(page, (volatile int *)page);
    while (*(volatile int *)page == 0)
        ;
    seen += page[1000];
    cudaDeviceSynchronize();
    fill<<<1, 64>>>(page);
    cudaLaunchHostFunc(0, look, page);
    fill<<<1, 64>>>(page);
    cudaDeviceSynchronize();
    page[1500] = 0;
    obey<<<1, 1>>>(page + 1500, page);
    page[2] = 3;
    __sync_synchronize();
    *(volatile int *)(page + 1500) = 1;
    cudaDeviceSynchronize();
    printf("%d\n", seen);
    cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cudaFree(x);
    cudaFree(y);
    cudaFree(other);
    cudaFree(page);
    return 0;
}
