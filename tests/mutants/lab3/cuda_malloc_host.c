/* mutant: counts with what cudaMallocHost costs; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    return 7.5e-5 * (double)bytes * copies > 500 + 2.3e-4 * (double)bytes;
}
