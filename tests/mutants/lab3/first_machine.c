/* mutant: takes all machines for the first that it was asked about; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    static struct lab3_machine first;

    if (first.register_us == 0)
        first = *machine;
    return should_pin_of_the_solution(bytes, copies, &first);
}
