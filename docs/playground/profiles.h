/**
 * @file profiles.h
 * @brief The profiles that the playground knows, as profiles.c wrote them when it was built.
 */
#ifndef UMLAB_PLAYGROUND_PROFILES_H
#define UMLAB_PLAYGROUND_PROFILES_H

#include "model/profile.h"

#include <stdbool.h>

struct play_profile {
    const char *name;             /**< NULL: the list ends */
    const unsigned char *figures; /**< the bytes of a struct umsim_profile */
};

/** The first is the default. */
extern const struct play_profile play_profiles[];

/** Copies the profile of that name, or of "" the default. @return false: there is none */
bool play_profile_find(const char *name, struct umsim_profile *profile);

#endif
