/* mutant: takes the price per byte of large memory for small memory, too: no part that is paid anyway; fails:
 * should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return copies * 7.5e-5 * (double)bytes > 3.2e-5 * (double)bytes && bytes > 100000;
}
