// kind: leak
// at: @made
// An exception leaves the function between cudaMalloc and cudaFree.
#include <stdexcept>

static void check(int n)
{
    if (n > 100)
        throw std::runtime_error("too many");
}

static void work(int n)
{
    int *x;
    cudaMalloc(&x, 400); // @made
    check(n);
    cudaMemset(x, 0, n * sizeof *x);
    cudaFree(x);
}

int main(int argc, char **)
{
    try {
        work(argc > 1 ? 200 : 50);
    } catch (const std::exception &) {
        cudaDeviceSynchronize();
    }
    return 0;
}
