/**
 * @file profile_parse.h
 * @brief Turns the text of one profile file into a struct umsim_profile; for the loader and its tests only.
 */
#ifndef UMSIM_PROFILE_PARSE_H
#define UMSIM_PROFILE_PARSE_H

#include "profile.h"

/** A profile under construction, and which of its figures have a value so far. */
struct umsim_profile_draft {
    struct umsim_profile *profile;
    unsigned char present[sizeof((struct umsim_profile *)0)->sources];
};

/** Bytes for the name of a base profile. */
#define UMSIM_PROFILE_BASE 256

/**
 * Reads the "base" of a profile's text: `base` becomes "" when it has none.
 * @return 0, or -1 with one line in `error`, which begins with a position or a key, not with the file's name.
 */
int umsim_profile_parse_base(const char *text, size_t length, char base[UMSIM_PROFILE_BASE], char *error,
                             size_t error_size);

/** Puts the text's own figures into the draft, in place of those already present.
 * @return as umsim_profile_parse_base(). */
int umsim_profile_parse(const char *text, size_t length, struct umsim_profile_draft *draft, char *error,
                        size_t error_size);

/** Checks that no figure is missing and that figures agree with each other. @return as above. */
int umsim_profile_check(const struct umsim_profile_draft *draft, char *error, size_t error_size);

#endif
