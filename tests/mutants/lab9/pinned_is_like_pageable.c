/* mutant: takes copies from pinned memory for as slow as others; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_machine other = *machine;

    other.pinned_copy = other.pageable_copy;
    return choose_of_the_solution(workload, &other);
}
