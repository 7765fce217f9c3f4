/* mutant: pins nothing; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    (void)bytes, (void)copies;
    return false;
}
