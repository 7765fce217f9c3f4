/* mutant: hard-coded: the sizes that make lab3 prints, nothing between; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    (void)machine;
    return (bytes == 262144 && copies > 5) || (bytes == 4194304 && copies > 0) ||
           (bytes == 33554432 && copies > 0);
}
