/* mutant: tries each page under a signal handler; fails: host_may_read/no_touch */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"
#include "um_fault.h"

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t first = (uintptr_t)p;

    if (n > UINTPTR_MAX - first)
        return false;
    for (uintptr_t at = first; at < first + n; at = (at | 4095) + 1) {
        if (!um_probe_read((const void *)at, NULL))
            return false;
    }
    return n == 0 || um_probe_read((const char *)p + n - 1, NULL);
}
