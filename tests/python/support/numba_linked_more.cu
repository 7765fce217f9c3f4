/**
 * @file numba_linked_more.cu
 * @brief A function that is linked to a kernel of Numba's, and calls one of another file (numba_more.py).
 */
extern "C" __device__ int twice(int *out, int a);
extern "C" __device__ int four_times(int *out, int a)
{
    int once;
    twice(&once, a);
    return twice(out, once);
}
