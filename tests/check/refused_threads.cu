// errors: 2
// expect: on CUDA API call to cudaMemcpy
// expect: The pointers say cudaMemcpyDeviceToHost
// expect: on CUDA API call to cudaStreamSynchronize
// expect: the stream is gone: cudaStreamDestroy has destroyed it at @gone
// expect: cudaMemcpy returned cudaErrorInvalidValue at @wrong again, 399 times
// expect: cudaStreamSynchronize returned cudaErrorInvalidResourceHandle at @used again, 399 times
// plain: umsim: cudaMemcpy at @wrong returned cudaErrorInvalidValue (and 799 calls after it)
// plain: nobody asked for the error
// Threads whose calls are refused at the same time: each place is told once, the end of a plain run says it
// once.
#include <cstring>
#include <thread>

static void work(const int *x, bool bad)
{
    int h[4];
    cudaStream_t stream;
    for (int i = 0; i < 50; i++) {
        cudaMemcpy(h, x, sizeof h, bad ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost); // @wrong
        cudaStreamCreate(&stream);
        cudaStreamDestroy(stream); // @gone
        if (bad)
            cudaStreamSynchronize(stream); // @used
    }
}

int main(int argc, char **argv)
{
    const bool asks = argc > 2 && strcmp(argv[2], "asks") == 0;
    std::thread threads[8];
    int *x;
    cudaMalloc(&x, 64);
    cudaMemset(x, 0, 64);
    for (std::thread &it : threads)
        it = std::thread([&] { work(x, argc > 1 && !asks); });
    for (std::thread &it : threads)
        it.join();
    cudaFree(x);
    return argc > 2 && strcmp(argv[2], "fails") == 0 ? 3 : 0;
}
