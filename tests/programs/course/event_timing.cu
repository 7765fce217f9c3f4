// Timing with events: a small class, times of growing work, and what is still running when the host asks.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <iostream>
#include <iomanip>
#include <stdexcept>
#include <string>

class GpuTimer
{
  public:
    explicit GpuTimer(cudaStream_t s = 0) : stream_(s)
    {
        cudaEventCreate(&start_);
        cudaEventCreate(&stop_);
    }
    ~GpuTimer()
    {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    void Start()
    {
        cudaEventRecord(start_, stream_);
    }
    void Stop()
    {
        cudaEventRecord(stop_, stream_);
    }
    float Elapsed()
    {
        float elapsed;
        cudaEventSynchronize(stop_);
        if (cudaEventElapsedTime(&elapsed, start_, stop_) != cudaSuccess)
            throw std::runtime_error("cannot tell the time");
        return elapsed;
    }

  private:
    cudaStream_t stream_;
    cudaEvent_t start_, stop_;
};

template <typename T> void check(T err, const char *const func, const char *const file, const int line)
{
    if (err != cudaSuccess) {
        std::cerr << "CUDA error at: " << file << ":" << line << std::endl;
        std::cerr << cudaGetErrorString(err) << " " << func << std::endl;
        exit(1);
    }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

__global__ void square(float *d_out, const float *d_in, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        d_out[i] = d_in[i] * d_in[i];
}

int main()
try {
    const size_t largest = 1 << 20;
    float *d_in, *d_out;
    checkCudaErrors(cudaMalloc(&d_in, sizeof(float) * largest));
    checkCudaErrors(cudaMalloc(&d_out, sizeof(float) * largest));
    checkCudaErrors(cudaMemset(d_in, 0, sizeof(float) * largest));

    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreate(&stream));
    square<<<32, 256, 0, stream>>>(d_out, d_in, largest); // warm-up
    checkCudaErrors(cudaStreamSynchronize(stream));

    float times[2];
    int k = 0;
    for (size_t n : {(size_t)1 << 10, largest}) {
        GpuTimer timer(stream);
        timer.Start();
        for (int i = 0; i < 20; i++)
            square<<<32, 256, 0, stream>>>(d_out, d_in, n);
        timer.Stop();
        times[k++] = timer.Elapsed();
    }
    std::cout << std::fixed << std::setprecision(1)
              << "a thousand times the work takes longer: " << std::boolalpha << (times[1] > times[0])
              << std::endl;

    cudaEvent_t never, disabled;
    checkCudaErrors(cudaEventCreate(&never));
    checkCudaErrors(cudaEventCreateWithFlags(&disabled, cudaEventDisableTiming));
    bool good = times[1] > times[0] && times[0] > 0;
    good = good && cudaEventQuery(never) == cudaSuccess; // an event that was never recorded is complete
    float ms;
    checkCudaErrors(cudaEventRecord(disabled, stream));
    checkCudaErrors(cudaEventSynchronize(disabled));
    good = good && cudaEventElapsedTime(&ms, disabled, disabled) == cudaErrorInvalidResourceHandle;
    cudaGetLastError();
    checkCudaErrors(cudaEventDestroy(never));
    checkCudaErrors(cudaEventDestroy(disabled));
    checkCudaErrors(cudaStreamDestroy(stream));
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    std::cout << (good ? "PASSED" : "FAILED") << std::endl;
    return good ? 0 : 1;
} catch (const std::exception &e) {
    std::cerr << e.what() << std::endl;
    return 1;
}
