/**
 * @file library_team.cu
 * @brief Calls a library that is opened for this program alone, and brings libgomp.
 *
 *     library_team LIBRARY FUNCTION
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *const library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*const function)(void) = library ? (int (*)(void))dlsym(library, argv[2]) : NULL;
    if (cudaFree(NULL) != cudaSuccess || !function)
        return 2;
    printf("%d\n", function());
    return 0;
}
