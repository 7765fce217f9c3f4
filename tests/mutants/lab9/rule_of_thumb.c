/* mutant: a list of rules of thumb, none of them wrong; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    (void)machine;
    if (workload->bytes > workload->device_bytes || workload->stride > 64)
        return workload->jobs > 10 ? LAB9_MAPPED : LAB9_ADVISED;
    if (workload->passes > 2 || workload->read_only)
        return workload->jobs > 10 ? LAB9_PINNED : LAB9_ADVISED;
    return workload->jobs > 10 ? LAB9_MAPPED : LAB9_ADVISED;
}
