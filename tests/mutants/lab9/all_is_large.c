/* mutant: every array is taken to have 16 MiB; fails: choose/regret */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload)
{
    struct lab9_workload work = *workload;

    work.bytes = work.bytes <= work.device_bytes ? (size_t)16 << 20 : work.bytes;
    return choose_of_the_solution(&work);
}
