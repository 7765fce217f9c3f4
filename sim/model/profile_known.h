/**
 * @file profile_known.h
 * @brief The default profile as it was read when the library was built.
 *
 * To parse its text takes a quarter of the simulator's start, so the build does it once: known/write.c writes
 * the text and the figures as C source, and a profile file with exactly this text is not parsed again. Any
 * other text is, so a profile that was edited holds at once.
 */
#ifndef UMSIM_PROFILE_KNOWN_H
#define UMSIM_PROFILE_KNOWN_H

#include "profile.h"

/** A file's text, and what umsim_profile_load() made of it. The profile names no base: all of it is in the
 * text. */
struct umsim_known_profile {
    const unsigned char *text; /**< `length` bytes */
    size_t length;
    const unsigned char *figures; /**< the bytes of a struct umsim_profile */
    size_t size;                  /**< how many: sizeof(struct umsim_profile) */
};

/** Weak: programs that are linked without the generated file have none, and parse. */
extern const struct umsim_known_profile umsim_known_profile __attribute__((weak));

#endif
