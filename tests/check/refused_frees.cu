// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaFree
// expect: at main in @twice
// expect: in a 400-byte cudaMalloc allocation that has been freed made at @made, freed by cudaFree at @once
// expect: Free it once, and set the pointer to NULL then
// expect: at main in @mallocs
// expect: the pointer is in the host's heap (malloc)
// expect: What malloc() or new gave is given back by free() or delete.
// expect: at main in @address
// expect: the pointer is on the host's stack
// expect: free the pointer that cudaMalloc has set, not the pointer's own address
// expect: at main in @inside
// expect: 4 bytes into a 256-byte cudaMalloc allocation
// expect: Free the address that cudaMalloc gave, not one inside of it
// expect: at main in @pinned
// expect: cudaFreeHost gives it back.
// expect: on CUDA API call to cudaFreeHost
// expect: at main in @device
// expect: cudaFree gives it back.
// expect: at main in @variable
// expect: A variable of the program lives as long as the program
// errors: 7
// What is given back twice, in the wrong way, or was never the GPU's.
#include <cstdlib>

__device__ int counter;

int main(int argc, char **)
{
    const bool bad = argc > 1;
    int *a, *b, *p, *of_malloc = (int *)malloc(100);
    void *symbol;
    cudaMalloc(&a, 400); // @made
    cudaMalloc(&b, 256);
    cudaMallocHost(&p, 64);
    cudaGetSymbolAddress(&symbol, counter);
    cudaFree(a); // @once
    if (bad) {
        cudaFree(a);         // @twice
        cudaFree(of_malloc); // @mallocs
        cudaFree(&b);        // @address
        cudaFree(b + 1);     // @inside
        cudaFree(p);         // @pinned
        cudaFreeHost(b);     // @device
        cudaFree(symbol);    // @variable
    }
    cudaFree(b);
    cudaFree(NULL);
    cudaFreeHost(p);
    free(of_malloc);
    return 0;
}
