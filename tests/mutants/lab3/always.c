/* mutant: pins everything; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    (void)machine;
    return bytes > 0 && copies > 0;
}
