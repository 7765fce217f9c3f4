/* mutant: everything is allowed; fails: allowed_kinds/this_machine */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    (void)caps;
    return ~0u;
}
