// expect: Error: Race reported between kernel add, launched at @added
// expect: and cudaMemcpyAsync at @copied
// errors: 2
// Ways in which right programs put copies, memsets, kernels, the host and the kernels' heap in order; with an
// argument one event is not waited for.
#include <cstring>
__global__ void twice(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
__global__ void add(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i];
}
struct Node {
    int value;
    char tag;
    Node *next;
    double w;
};
__global__ void lists(int *out)
{
    Node *head = nullptr;
    for (int i = 0; i < 5; i++) {
        Node *n = new Node{i, 'a', head, 0.5};
        head = n;
    }
    Node copy = *head;
    int s = copy.value + copy.tag;
    for (Node *n = head; n;) {
        Node *next = n->next;
        s += n->value;
        Node c2 = *n;
        s += (int)c2.w;
        delete n;
        n = next;
    }
    char *buf = (char *)malloc(37);
    memset(buf, 1, 37);
    char *b2 = (char *)malloc(40);
    memcpy(b2, buf, 37);
    for (int i = 0; i < 37; i++)
        s += b2[i];
    float4 *v = (float4 *)malloc(4 * sizeof(float4));
    v[1] = make_float4(1, 2, 3, 4);
    s += (int)v[1].y;
    v[2].x = 3;
    float4 w = v[2];
    s += (int)w.x;
    int *arr = new int[10]();
    for (int i = 0; i < 10; i++)
        s += arr[i];
    delete[] arr;
    free(v);
    free(b2);
    free(buf);
    double *d = (double *)malloc(100000);
    d[12499] = 1;
    s += (int)d[12499];
    free(d);
    out[threadIdx.x + blockIdx.x * blockDim.x] = s;
}
__device__ int *kept;
__global__ void keep()
{
    kept = (int *)malloc(64 * sizeof(int));
    for (int i = 0; i < 64; i++)
        kept[i] = i;
}
__global__ void use(int *o)
{
    o[threadIdx.x] = kept[threadIdx.x];
}
__global__ void drop()
{
    free(kept);
}
__global__ void signal_host(volatile int *flag, int *data)
{
    data[threadIdx.x] = threadIdx.x;
    __threadfence_system();
    if (threadIdx.x == 0)
        *flag = 1;
}
int main(int argc, char **)
{
    const int n = 1 << 14;
    int *d, *e, *h, *h2, *m;
    cudaStream_t s[3];
    cudaEvent_t ev[3];
    cudaMalloc(&d, n * 4);
    cudaMalloc(&e, n * 4);
    cudaMallocHost(&h, n * 4);
    cudaMallocHost(&h2, n * 4);
    cudaMallocManaged(&m, n * 4);
    memset(h, 0, n * 4);
    memset(h2, 0, n * 4);
    cudaMemset(d, 0, n * 4);
    cudaMemset(e, 0, n * 4);
    for (int i = 0; i < 3; i++) {
        cudaStreamCreateWithFlags(&s[i], i ? cudaStreamNonBlocking : 0);
        cudaEventCreate(&ev[i]);
    }
    cudaDeviceSynchronize();
    /* Chunks in turn. */
    for (int i = 0; i < 12; i++) {
        int c = n / 12 & ~1;
        cudaStream_t t = s[i % 3];
        cudaMemcpyAsync(d + i * c, h + i * c, c * 4, cudaMemcpyHostToDevice, t);
        twice<<<(c + 255) / 256, 256, 0, t>>>(d + i * c, c);
        cudaMemcpyAsync(h + i * c, d + i * c, c * 4, cudaMemcpyDeviceToHost, t);
    }
    cudaDeviceSynchronize();
    h[5] = 3;
    /* Copy, event, kernel in another, event, copy back in a third. */
    for (int turn = 0; turn < 4; turn++) {
        cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s[1]); // @copied
        cudaEventRecord(ev[0], s[1]);
        if (argc == 1)
            cudaStreamWaitEvent(s[2], ev[0], 0);
        add<<<n / 256, 256, 0, s[2]>>>(d, e, n); // @added
        cudaEventRecord(ev[1], s[2]);
        cudaStreamWaitEvent(s[1], ev[1], 0);
        cudaMemcpyAsync(h2, e, n * 4, cudaMemcpyDeviceToHost, s[1]);
    }
    cudaStreamSynchronize(s[1]);
    h2[0] = 1;
    /* Legacy default stream orders with a blocking stream. */
    cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s[0]);
    twice<<<n / 256, 256>>>(d, n);
    cudaMemcpyAsync(h2, d, n * 4, cudaMemcpyDeviceToHost, s[0]);
    cudaStreamSynchronize(s[0]);
    /* Plain memcpy behind a kernel of the default stream. */
    twice<<<n / 256, 256>>>(d, n);
    cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost);
    h[1] = 2;
    /* Two readers: copy reads what a kernel reads. */
    cudaMemcpyAsync(h2, d, n * 4, cudaMemcpyDeviceToHost, s[1]);
    add<<<n / 256, 256, 0, s[2]>>>(d, e, n);
    cudaDeviceSynchronize();
    /* Columns: strided. */
    cudaMemset2DAsync(d, 256, 0, 128, 64, s[1]);
    cudaMemcpy2DAsync((char *)d + 128, 256, h, 128, 128, 64, cudaMemcpyHostToDevice, s[2]);
    cudaDeviceSynchronize();
    /* Waits by query. */
    cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s[1]);
    while (cudaStreamQuery(s[1]) == cudaErrorNotReady)
        ;
    twice<<<n / 256, 256, 0, s[2]>>>(d, n);
    while (cudaStreamQuery(s[2]) == cudaErrorNotReady)
        ;
    cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);
    h[3]++;
    /* Managed and async memset, host elsewhere meanwhile. */
    cudaMemsetAsync(m, 0, n * 2, s[1]);
    m[n - 1] = 4;
    cudaStreamSynchronize(s[1]);
    m[0] = m[1] + 1;
    cudaMemcpyAsync(m, h, n * 4, cudaMemcpyHostToDevice, s[1]);
    cudaStreamSynchronize(s[1]);
    m[7]++;
    cudaMemcpyAsync(h, m, n * 4, cudaMemcpyDeviceToHost, s[1]);
    int r = m[7];
    cudaStreamSynchronize(s[1]);
    /* Allocate, free and use again. */
    for (int i = 0; i < 5; i++) {
        int *q;
        cudaMallocAsync(&q, 4096, s[1 + i % 2]);
        cudaMemsetAsync(q, 0, 4096, s[1 + i % 2]);
        twice<<<4, 256, 0, s[1 + i % 2]>>>(q, 1024);
        cudaFreeAsync(q, s[1 + i % 2]);
    }
    cudaDeviceSynchronize();
    lists<<<4, 32>>>(e);
    cudaDeviceSynchronize();
    keep<<<1, 1>>>();
    use<<<1, 64>>>(e);
    drop<<<1, 1>>>();
    cudaDeviceSynchronize();
    /* The host is told by the kernel, then copies. */
    int *f;
    cudaHostAlloc(&f, 64, 0);
    f[0] = 0;
    signal_host<<<1, 64, 0, s[1]>>>(f, d);
    while (*(volatile int *)f == 0)
        ;
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s[2]);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) {
        cudaStreamDestroy(s[i]);
        cudaEventDestroy(ev[i]);
    }
    cudaFree(d);
    cudaFree(e);
    cudaFreeHost(h);
    cudaFreeHost(h2);
    cudaFree(m);
    cudaFreeHost(f);
    return r < 0;
}
