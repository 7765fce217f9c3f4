// Variables of the device: __device__, __constant__ and __managed__, scalars, arrays and structures, copied
// by symbol, by their address, by an offset, and used from several kernels.
#include <cassert>
#include "common.h"

struct Parameters {
    float gain;
    int shift;
    double weights[3];
};

__device__ int counter = 5;
__device__ float table[8] = {1, 2, 3, 4};
static __device__ unsigned long long total;
__constant__ Parameters parameters;
__constant__ int lookup[] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ __managed__ int shared_by_both[4] = {10, 20, 30, 40};
__managed__ double result;
namespace config
{
__constant__ float offset = 0.25f;
__device__ const int primes[4] = {2, 3, 5, 7};
} // namespace config
__device__ float *buffer; // a pointer that the host sets

__global__ void use()
{
    int i = threadIdx.x;
    atomicAdd(&counter, lookup[i]);
    table[i] = table[i] * parameters.gain + config::offset;
    atomicAdd(&total, (unsigned long long)config::primes[i % 4]);
    if (i < 4)
        shared_by_both[i] <<= parameters.shift;
    if (i == 0)
        for (double w : parameters.weights)
            result += w;
    if (buffer)
        buffer[i] = table[i];
}

int main()
{
    bool good = true;
    Parameters p = {2.0f, 1, {0.5, 0.25, 0.125}};
    CHECK(cudaMemcpyToSymbol(parameters, &p, sizeof(p)));
    float more[4] = {5, 6, 7, 8};
    CHECK(cudaMemcpyToSymbol(table, more, sizeof more, 4 * sizeof(float), cudaMemcpyHostToDevice));
    float *d;
    CHECK(cudaMalloc(&d, 8 * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(buffer, &d, sizeof d));
    result = 1;

    use<<<1, 8>>>();
    CHECK_KERNEL();

    int count;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(int)));
    good &= count == 5 + 3 + 1 + 4 + 1 + 5 + 9 + 2 + 6;
    float values[8], copied[8];
    CHECK(cudaMemcpyFromSymbol(values, table, sizeof values, 0, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(copied, d, sizeof copied, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        good &= values[i] == (i + 1) * 2 + 0.25f && copied[i] == values[i];
    for (int i = 0; i < 4; i++)
        good &= shared_by_both[i] == 20 * (i + 1);
    good &= result == 1.875;

    void *address;
    size_t size;
    unsigned long long sum;
    CHECK(cudaGetSymbolAddress(&address, total));
    CHECK(cudaGetSymbolSize(&size, total));
    CHECK(cudaMemcpy(&sum, address, size, cudaMemcpyDeviceToHost));
    good &= size == 8 && sum == 34;
    CHECK(cudaMemset(address, 0, size));
    CHECK(cudaMemcpyFromSymbolAsync(&sum, total, sizeof sum, 0, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaDeviceSynchronize());
    good &= sum == 0;
    good &= cudaMemcpyToSymbol(counter, &p, sizeof p) == cudaErrorInvalidValue; // it does not fit
    good &= cudaGetLastError() == cudaErrorInvalidValue;
    CHECK(cudaFree(d));
    return report(good);
}
