// How often each byte occurs: atomics on global memory, then a histogram of each block's own in shared memory
// that is added to the result once.
#include <iostream>
#include <numeric>
#include <vector>
#include <cstdlib>

#define CUDA_CALL(x)                                                                                         \
    do {                                                                                                     \
        if ((x) != cudaSuccess) {                                                                            \
            std::cerr << "Error at " << __FILE__ << ":" << __LINE__ << std::endl;                            \
            std::exit(EXIT_FAILURE);                                                                         \
        }                                                                                                    \
    } while (0)

constexpr unsigned int NUM_BINS = 256;

__global__ void histogram_global(const unsigned char *data, size_t size, unsigned int *histo)
{
    size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x;
    size_t stride = (size_t)blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&histo[data[i]], 1u);
        i += stride;
    }
}

__global__ void histogram_shared(const unsigned char *data, size_t size, unsigned int *histo)
{
    __shared__ unsigned int temp[NUM_BINS];
    for (unsigned int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        temp[b] = 0;
    __syncthreads();

    for (size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x; i < size;
         i += (size_t)blockDim.x * gridDim.x)
        atomicAdd(temp + data[i], 1);
    __syncthreads();

    for (unsigned int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        if (temp[b] != 0)
            atomicAdd(&(histo[b]), temp[b]);
}

int main()
{
    const size_t size = 300 * 1000 + 7;
    std::vector<unsigned char> buffer(size);
    unsigned int lcg = 12345;
    for (auto &c : buffer) {
        lcg = lcg * 1103515245u + 12345u;
        c = static_cast<unsigned char>((lcg >> 16) & (lcg >> 24)); // some are more likely than others
    }
    std::vector<unsigned int> expected(NUM_BINS, 0);
    for (unsigned char c : buffer)
        ++expected[c];

    cudaDeviceProp prop;
    CUDA_CALL(cudaGetDeviceProperties(&prop, 0));
    int blocks = std::min(prop.multiProcessorCount * 2, 64);

    unsigned char *dev_buffer;
    unsigned int *dev_histo;
    CUDA_CALL(cudaMalloc((void **)&dev_buffer, size));
    CUDA_CALL(cudaMemcpy(dev_buffer, buffer.data(), size, cudaMemcpyHostToDevice));
    CUDA_CALL(cudaMalloc((void **)&dev_histo, NUM_BINS * sizeof(int)));

    bool good = true;
    for (auto kernel : {histogram_global, histogram_shared}) {
        std::vector<unsigned int> histo(NUM_BINS);
        CUDA_CALL(cudaMemset(dev_histo, 0, NUM_BINS * sizeof(int)));
        kernel<<<blocks, 256>>>(dev_buffer, size, dev_histo);
        CUDA_CALL(cudaMemcpy(histo.data(), dev_histo, NUM_BINS * sizeof(int), cudaMemcpyDeviceToHost));
        std::cout << "sum of the bins: " << std::accumulate(histo.begin(), histo.end(), 0ul) << std::endl;
        good = good && histo == expected;
    }
    CUDA_CALL(cudaFree(dev_histo));
    CUDA_CALL(cudaFree(dev_buffer));
    std::cout << (good ? "PASS" : "FAIL") << std::endl;
    return good ? 0 : 1;
}
