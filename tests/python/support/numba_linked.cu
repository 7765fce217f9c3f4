/**
 * @file numba_linked.cu
 * @brief A function that is linked to a kernel of Numba's (numba_cases.py).
 *
 * Numba hands a place for the result, and takes 0 for no exception.
 */
extern "C" __device__ int twice(int *out, int a)
{
    *out = 2 * a + threadIdx.x + 100 * blockIdx.x;
    return 0;
}
