/* mutant: forgets what pinning costs; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return copies > 0 && bytes > 16384;
}
