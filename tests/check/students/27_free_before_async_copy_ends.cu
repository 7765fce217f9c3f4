// expect: Error: Host read of a buffer while a copy writes it
// expect: at main in @bug
// expect: by cudaMemcpyAsync at 27_free_before_async_copy_ends.cu:
// expect: cudaStreamSynchronize before the host uses the buffer
// twin: -DRIGHT
// The host reads what an asynchronous copy has yet to write.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

int main()
{
    const size_t s = 64 << 20;
    char *h, *d;
    cudaStream_t st;
    cudaStreamCreate(&st);
    cudaMallocHost(&h, s);
    cudaMalloc(&d, s);
    cudaMemset(d, 7, s);
    cudaMemcpyAsync(h, d, s, cudaMemcpyDeviceToHost, st);
#ifdef RIGHT
    cudaStreamSynchronize(st);
    printf("%d\n", h[s - 1]);
#else
    printf("%d\n", h[s - 1]); // @bug
#endif
    cudaFreeHost(h);
    cudaFree(d);
    cudaStreamDestroy(st);
}
