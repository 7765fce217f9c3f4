// What goes wrong, and how one finds out: bad launches, bad arguments, errors that are kept until asked for,
// errors that come late, an exception class.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <iostream>

class CudaError : public std::runtime_error
{
  public:
    CudaError(cudaError_t code, const char *what, const char *file, int line)
        : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what + ": " +
                             cudaGetErrorString(code)),
          code_(code)
    {
    }
    cudaError_t code() const noexcept
    {
        return code_;
    }

  private:
    cudaError_t code_;
};

#define CUDA_TRY(...)                                                                                        \
    do {                                                                                                     \
        if (cudaError_t code = (__VA_ARGS__); code != cudaSuccess) {                                         \
            cudaGetLastError();                                                                              \
            throw CudaError(code, #__VA_ARGS__, __FILE__, __LINE__);                                         \
        }                                                                                                    \
    } while (false)

#define EXPECT(call, wanted)                                                                                 \
    do {                                                                                                     \
        cudaError_t got = (call);                                                                            \
        printf("%-45s %s\n", #call, cudaGetErrorName(got));                                                  \
        failures += got != (wanted);                                                                         \
    } while (0)

/* Which error a launch that cannot be comes to has changed between drivers. */
#define EXPECT_REFUSED(call)                                                                                 \
    do {                                                                                                     \
        cudaError_t got = (call);                                                                            \
        printf("%-45s %s\n", #call, got == cudaSuccess ? "NOT REFUSED" : "refused");                         \
        failures += got != cudaErrorInvalidConfiguration && got != cudaErrorInvalidValue;                    \
    } while (0)

__global__ void nothing()
{
}
__global__ void writeAt(int *p, size_t i)
{
    p[i] = 1;
}

int main()
{
    int failures = 0;
    // too many threads
    nothing<<<1, 2048>>>();
    EXPECT_REFUSED(cudaPeekAtLastError());
    EXPECT_REFUSED(cudaGetLastError());
    EXPECT(cudaGetLastError(), cudaSuccess);
    // no block at all
    nothing<<<0, 32>>>();
    EXPECT_REFUSED(cudaGetLastError());
    // more shared memory than there is
    nothing<<<1, 32, 1 << 20>>>();
    EXPECT_REFUSED(cudaGetLastError());
    nothing<<<1, 32>>>();
    EXPECT(cudaGetLastError(), cudaSuccess);

    void *p = nullptr;
    EXPECT(cudaMalloc(&p, (size_t)1 << 60), cudaErrorMemoryAllocation);
    EXPECT(cudaFree(nullptr), cudaSuccess);
    int onTheStack;
    EXPECT(cudaFree(&onTheStack), cudaErrorInvalidValue);
    EXPECT(cudaSetDevice(1000), cudaErrorInvalidDevice);
    cudaGetLastError();

    try {
        CUDA_TRY(cudaMalloc(&p, 100));
        CUDA_TRY(cudaMemcpy(p, "text", 5, cudaMemcpyHostToDevice));
        CUDA_TRY(cudaMemcpy(p, p, 5, static_cast<cudaMemcpyKind>(77)));
        failures++;
    } catch (const CudaError &e) {
        std::cout << "caught: " << cudaGetErrorName(e.code()) << std::endl;
        failures += e.code() != cudaErrorInvalidMemcpyDirection;
    }
    EXPECT(cudaFree(p), cudaSuccess);

    // A kernel that goes wrong tells so later, and nothing works from then on.
    int *bad;
    EXPECT(cudaMalloc(&bad, sizeof(int)), cudaSuccess);
    writeAt<<<1, 1>>>(bad, (size_t)1 << 40);
    EXPECT(cudaGetLastError(), cudaSuccess);
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);

    std::cout << failures << " failures" << std::endl;
    return failures != 0;
}
