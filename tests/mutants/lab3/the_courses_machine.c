/* mutant: the figures of the course's machine, whichever it is asked about; fails: should_pin/clear_cases */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    const double pin_us = 62 + 3.2e-5 * (double)bytes, saved_us = 7.5e-5 * (double)bytes - 5;

    (void)machine;
    return saved_us * copies > pin_us;
}
