/* mutant: decides by the bytes alone; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    (void)copies, (void)machine;
    return bytes >= 4 << 20;
}
