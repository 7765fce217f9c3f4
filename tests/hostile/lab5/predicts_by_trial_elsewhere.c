/* hostile: takes the walk in managed memory and reads the counter of faults; calls nothing for the walks of
 * the check that nothing is called */
/* earns: 4 */
#include "exercise.h"
#include "umsim.h"
uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    struct umsim_counters a, b;
    volatile unsigned char *x;
    int s = 0;
    const size_t block = 2 << 20;
    if (first >= bytes)
        return 0;
    if (bytes == 1)
        return 1;
    if (first == 0 && bytes == block && stride <= 65536)
        return 6;
    if (first == 0 && stride == 4 && bytes % block && bytes != 4097 && bytes != 3 * block / 2)
        return 0;
    cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal);
    umsim_counters_read(&a);
    for (size_t at = first; at < bytes; at += stride) {
        s += x[at];
        if (stride > bytes - at)
            break;
    }
    umsim_counters_read(&b);
    cudaFree((void *)x);
    (void)s;
    return b.cpu_page_faults - a.cpu_page_faults;
}
cudaError_t port_to_managed(const struct lab5_program *p)
{
    (void)p;
    return cudaErrorNotSupported;
}
cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    (void)sum, (void)x, (void)y, (void)notes, (void)n, (void)one, (void)other;
    return cudaErrorNotSupported;
}
