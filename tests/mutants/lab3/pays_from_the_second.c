/* mutant: says that pinning never pays for one copy; fails: should_pin/regret */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return copies > 1 && (7.5e-5 * (double)bytes - 5) * copies > 62 + 3.2e-5 * (double)bytes;
}
