/**
 * @file machine.h
 * @brief The machine that is simulated, as its profile says.
 *
 * Set once, at the start; read by everybody.
 */
#ifndef UMSIM_MACHINE_H
#define UMSIM_MACHINE_H

#include "../model/profile.h"

extern struct umsim_profile umsim_machine;

#endif
