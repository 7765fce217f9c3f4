/* mutant: pinned memory has no part that is paid anyway; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_machine other = *machine;

    other.pinned_memory.us = 0;
    return choose_of_the_solution(workload, &other);
}
