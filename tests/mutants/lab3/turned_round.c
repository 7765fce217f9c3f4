/* mutant: the comparison is the wrong way round; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return (7.5e-5 * (double)bytes - 5) * copies < 62 + 3.2e-5 * (double)bytes;
}
