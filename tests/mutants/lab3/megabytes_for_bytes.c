/* mutant: takes bytes for MiB; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return copies * (78.0 * (double)bytes - 5) > 62 + 33 * (double)bytes;
}
