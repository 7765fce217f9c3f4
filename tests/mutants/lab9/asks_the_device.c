/* mutant: it asks the device how much memory is free; fails: choose/only_decides */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_workload work = *workload;
    size_t free_bytes, total;

    if (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess && work.device_bytes > free_bytes + total)
        work.device_bytes = total;
    return choose_of_the_solution(&work, machine);
}
