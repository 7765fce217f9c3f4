// errors: 2
// expect: on CUDA API call to cudaFree
// expect: on CUDA API call to cudaMemset
// plain: umsim: cudaMemset at @left returned cudaErrorInvalidValue, and nobody asked for the error
// Each thread has a last error of its own: one that a thread asks for says nothing about another's.
#include <cstring>
#include <thread>

int main(int argc, char **argv)
{
    const bool bad = argc > 1, asks = argc > 2 && strcmp(argv[2], "asks") == 0;
    void *const none = (void *)1000;
    cudaFree(bad ? none : nullptr);
    std::thread([=] {
        if (bad)
            cudaMemset(none, 0, 4); // @left
        if (asks)
            cudaPeekAtLastError();
    }).join();
    cudaGetLastError();
    return argc > 2 && strcmp(argv[2], "fails") == 0 ? 3 : 0;
}
