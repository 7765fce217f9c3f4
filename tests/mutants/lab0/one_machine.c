/* mutant: hard-coded: what one machine's doctor printed; fails: allowed_kinds/this_machine */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    (void)caps;
    return LAB0_KINDS & ~LAB0_PAGEABLE;
}
