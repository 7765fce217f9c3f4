/* mutant: prints what a grader might, and answers nothing; fails: allowed_kinds/this_machine */
#include <stdio.h>

#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    (void)caps;
    printf("allowed_kinds/this_machine OK\nScore: 5/5\n");
    return 0;
}
