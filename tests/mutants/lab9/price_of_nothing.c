/* mutant: the memory is taken to be there already; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_workload work = *workload;

    work.jobs = 1000000;
    return choose_of_the_solution(&work, machine);
}
