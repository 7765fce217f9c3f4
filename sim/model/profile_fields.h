/**
 * @file profile_fields.h
 * @brief The list of a profile's figures, each with its key, unit, place and limits.
 *
 * Only the loader and listings use it. To add a figure, write a member in profile.h, a line in
 * profile_fields.c and a value in profiles/h200-pcie5.json. A unit test fails when a member has no line.
 */
#ifndef UMSIM_PROFILE_FIELDS_H
#define UMSIM_PROFILE_FIELDS_H

#include "profile.h"

/** How a figure is stored. */
enum umsim_field_kind {
    UMSIM_FIELD_INTEGER, /**< int64_t */
    UMSIM_FIELD_REAL,    /**< double */
    UMSIM_FIELD_CURVE    /**< struct umsim_curve */
};

/** One figure's description. */
struct umsim_field {
    const char *group; /**< JSON group and member of struct umsim_profile */
    const char *key;   /**< JSON key and member of the group's structure */
    const char *unit;  /**< what the file has to state */
    enum umsim_field_kind kind;
    size_t offset;  /**< from the start of struct umsim_profile */
    double minimum; /**< least value allowed (each `us` of a curve) */
};

extern const struct umsim_field umsim_profile_fields[];
extern const size_t umsim_profile_field_count;

/** Index of the figure, or -1 when there is none of that name. The search begins at index `first`, because
 * files have the figures in order. */
int umsim_profile_field_find(const char *group, const char *key, int first);

#endif
