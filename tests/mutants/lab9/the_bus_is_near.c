/* mutant: takes kernels on host memory for as fast as others; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_machine other = *machine;

    other.far_us_per_mib = other.near_us_per_mib;
    return choose_of_the_solution(workload, &other);
}
