/* mutant: managed memory with advice, always; fails: choose/clear_cases */
#include "exercise.h"

enum lab9_kind choose(const struct lab9_workload *workload)
{
    (void)workload;
    return LAB9_ADVISED;
}
