/**
 * @file fault.cu
 * @brief Host code follows a device pointer: the installed simulator has to end it, and say why.
 */
#include <cuda_runtime.h>

int main()
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    return *p;
}
