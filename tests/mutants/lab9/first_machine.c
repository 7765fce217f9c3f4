/* mutant: takes all machines for the first that it was asked about; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    static struct lab9_machine first;

    if (first.far_us_per_mib == 0)
        first = *machine;
    return choose_of_the_solution(workload, &first);
}
