/**
 * @file find_profile.c
 * @brief Implementation of profiles.h's search.
 */
#include "profiles.h"

#include <string.h>

bool play_profile_find(const char *name, struct umsim_profile *profile)
{
    for (const struct play_profile *it = play_profiles; it->name; it++)
        if (!name[0] || strcmp(name, it->name) == 0) {
            memcpy(profile, it->figures, sizeof *profile);
            return true;
        }
    return false;
}
