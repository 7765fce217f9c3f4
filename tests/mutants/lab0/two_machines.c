/* mutant: hard-coded: two machines, told apart by one attribute; fails: allowed_kinds/any_machine */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    const unsigned kinds = LAB0_KINDS & ~LAB0_PAGEABLE;

    return caps->concurrent_managed_access == 1 ? kinds : kinds & ~LAB0_MANAGED_TOGETHER;
}
