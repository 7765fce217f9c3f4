/* fair: the question for many bytes is two questions for half of them each, down to what lies in one page */
#include <stdint.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "exercise.h"
#include "um_fault.h"

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;
    const cudaError_t pending = cudaPeekAtLastError(), error = cudaPointerGetAttributes(&of, p);

    if (error == cudaSuccess)
        return of.type == cudaMemoryTypeManaged  ? LAB2_MANAGED
               : of.type == cudaMemoryTypeDevice ? LAB2_DEVICE
               : of.type == cudaMemoryTypeHost   ? LAB2_PINNED
                                                 : LAB2_PLAIN;
    if (pending == cudaSuccess)
        (void)cudaGetLastError();
    return LAB2_NO_ANSWER;
}

/* Bytes of one page. */
static bool page_may_be_read(uintptr_t first, uintptr_t last)
{
    struct um_mapping mapping;

    if (um_mapping_of((const void *)first, &mapping) && strchr(mapping.permissions, 'r'))
        return true;
    return classify((const void *)first) == LAB2_MANAGED && classify((const void *)last) == LAB2_MANAGED;
}

static bool range_may_be_read(uintptr_t first, uintptr_t last)
{
    const uintptr_t middle = (first + (last - first) / 2) | 4095;

    if (first / 4096 == last / 4096)
        return page_may_be_read(first, last);
    return range_may_be_read(first, middle < last ? middle : (last & ~(uintptr_t)4095) - 1) &&
           range_may_be_read(middle < last ? middle + 1 : last & ~(uintptr_t)4095, last);
}

/* At most so many bytes are looked at one by one: no program has as much memory mapped without a gap. */
bool host_may_read(const void *p, size_t n)
{
    const uintptr_t first = (uintptr_t)p, last = first + n - 1;

    if (n == 0)
        return true;
    if (last < first)
        return false;
    return page_may_be_read(first, first) && (last - first) >> 46 == 0 && range_may_be_read(first, last);
}
