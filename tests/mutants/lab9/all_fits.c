/* mutant: the size of the device's memory is not looked at; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    struct lab9_workload work = *workload;

    work.device_bytes = SIZE_MAX;
    return choose_of_the_solution(&work, machine);
}
