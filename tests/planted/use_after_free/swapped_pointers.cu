// kind: refused call
// at: @second
// Two buffers are swapped in a function, which gives one of them back that its caller frees, too.
#include <utility>

template <typename T> static void relax(T *&a, T *&b, int turns, bool frees)
{
    for (int i = 0; i < turns; i++) {
        cudaMemcpy(b, a, 64 * sizeof(T), cudaMemcpyDeviceToDevice);
        std::swap(a, b);
    }
    if (frees)
        cudaFree(b);
}

int main(int argc, char **)
{
    double *a, *b;
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMalloc(&b, 64 * sizeof *b);
    cudaMemset(a, 0, 64 * sizeof *a);
    relax(a, b, 3, argc > 1);
    cudaFree(a);
    cudaFree(b); // @second
    return 0;
}
