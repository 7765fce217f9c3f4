/* mutant: the figures of the course's machine, whichever it is asked about; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    static const struct lab9_machine courses = {
        .pinned_memory = {490, 213},
        .device_memory = {48, 0.4},
        .managed_memory = {31, 9.8},
        .pageable_copy = {7, 79},
        .pinned_copy = {6.6, 18.9},
        .prefetch = {18, 32},
        .advice = {13, 16.5},
        .near_us_per_mib = 0.24,
        .far_us_per_mib = 20.4,
    };

    (void)machine;
    return choose_of_the_solution(workload, &courses);
}
