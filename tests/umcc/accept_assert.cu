/*
 * assert() in kernels: the message is the same in every run though blocks run side by side, the error is
 * sticky, and what was printed before comes out. Each case in a process of its own, because it ends with that
 * error.
 */
#include "capture.h"
#include "check.h"
#include <cassert>
#include <sys/wait.h>

__host__ __device__ inline void must_be_small(int x)
{
    assert(x < 100 && "too large");
}
template <class T> __global__ void holds_up_to(const T *p, T most)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 5)
        printf("five\n");
    assert(p[i] <= most);
}
__global__ void in_a_function(const int *p)
{
    __syncthreads();
    must_be_small(p[threadIdx.x]);
}
__global__ void traps()
{
    if (threadIdx.x == 3)
        __trap();
}

/* What the child's stderr says of `launch`, whose error is `wanted`. */
template <class Launch> static std::string fails_with(cudaError_t wanted, Launch launch)
{
    std::string text;
    fflush(stdout);
    capture_begin(stderr);
    const pid_t child = fork();
    if (child == 0) {
        int *p = make_managed<int>(1 << 16);
        for (int i = 0; i < 1 << 16; i++)
            p[i] = i;
        launch(p);
        CHECK(cudaGetLastError() == cudaSuccess);
        CHECK(cudaDeviceSynchronize() == wanted);
        CHECK(cudaDeviceSynchronize() == wanted);
        CHECK(cudaMalloc(&p, 1) == wanted);
        fflush(stdout);
        _exit(failures != 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    text = capture_end(stderr);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return text;
}

static bool has(const std::string &text, const char *part)
{
    const bool found = text.find(part) != std::string::npos;
    if (!found)
        printf("%s in: %s\n", part, text.c_str());
    return found;
}

int main()
{
    for (int repeat = 0; repeat < 5; repeat++) {
        const std::string text =
            fails_with(cudaErrorAssert, [](int *p) { holds_up_to<<<256, 256>>>(p, 5000); });
        CHECK(has(text, ".cu:20: void holds_up_to<int>(const int*, int): "));
        CHECK(has(text, ": block: [19,0,0], thread: [137,0,0] Assertion `p[i] <= most` failed.\n"));
    }
    capture_begin(stdout);
    fails_with(cudaErrorAssert, [](int *p) { holds_up_to<<<256, 256>>>(p, 6); });
    CHECK(has(capture_end(stdout), "five\n"));
    const std::string text = fails_with(cudaErrorAssert, [](int *p) { in_a_function<<<1, 128>>>(p); });
    CHECK(has(text,
              "must_be_small(int): block: [0,0,0], thread: [100,0,0] Assertion `x < 100 && \"too large\"`"));
    fails_with(cudaErrorLaunchFailure, [](int *) { traps<<<1, 32>>>(); });
    return finish();
}
