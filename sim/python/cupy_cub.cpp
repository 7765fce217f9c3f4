/**
 * @file cupy_cub.cpp
 * @brief What CuPy's module of CUB calls is linked with here: nothing of CUB's is there.
 *
 * CuPy asks for CUB where CUPY_ACCELERATORS names it; umpython sets that variable to nothing, and CuPy's own
 * kernels do the same work. Each of CuPy's calls asks first how many bytes its scratch memory has. The answer
 * here is more than any GPU has, behind a line on stderr: so Python gets an error, and no result.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/** More than is to be had. */
#define TOO_MANY_BYTES ((size_t)1 << 60)

static size_t refuse(void)
{
    fputs("umlab: CuPy's CUB is not built for the simulator: set CUPY_ACCELERATORS to nothing\n", stderr);
    return TOO_MANY_BYTES;
}

size_t cub_device_reduce_get_workspace_size(void *, void *, int, cudaStream_t, int, int)
{
    return refuse();
}

size_t cub_device_segmented_reduce_get_workspace_size(void *, void *, int, int, cudaStream_t, int, int)
{
    return refuse();
}

size_t cub_device_scan_get_workspace_size(void *, void *, int, cudaStream_t, int, int)
{
    return refuse();
}

size_t cub_device_histogram_range_get_workspace_size(void *, void *, int, void *, size_t, cudaStream_t, int)
{
    return refuse();
}

size_t cub_device_histogram_even_get_workspace_size(void *, void *, int, int, int, size_t, cudaStream_t, int)
{
    return refuse();
}

/* What follows such a question is never called: its memory was not to be had. */

void cub_device_reduce(void *, size_t &, void *, void *, int, cudaStream_t, int, int)
{
    abort();
}

void cub_device_segmented_reduce(void *, size_t &, void *, void *, int, int, cudaStream_t, int, int)
{
    abort();
}

void cub_device_scan(void *, size_t &, void *, void *, int, cudaStream_t, int, int)
{
    abort();
}

void cub_device_histogram_range(void *, size_t &, void *, void *, int, void *, size_t, cudaStream_t, int)
{
    abort();
}

void cub_device_histogram_even(void *, size_t &, void *, void *, int, int, int, size_t, cudaStream_t, int)
{
    abort();
}
