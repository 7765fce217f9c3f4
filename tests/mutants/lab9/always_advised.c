/* mutant: managed memory with advice, always; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    (void)workload, (void)machine;
    return LAB9_ADVISED;
}
