/**
 * @file fields.h
 * @brief Members of a JSON object, put together in a buffer of fixed size.
 *
 * Host process only. No malloc, so a fault handler may use it. What does not fit makes all of them invalid,
 * and whoever writes the object leaves them out: half a member would be no JSON.
 */
#ifndef UMSIM_CHECK_FIELDS_H
#define UMSIM_CHECK_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct umsim_fields {
    char text[8192]; /* each member with a comma before it, but the first */
    size_t used;
    bool is_cut; /* something did not fit */
};

/** @name One member more; with an empty name an element of an array @{ */
void umsim_field_text(struct umsim_fields *fields, const char *name, const char *value);
void umsim_field_number(struct umsim_fields *fields, const char *name, uint64_t value);
void umsim_field_true(struct umsim_fields *fields, const char *name, bool value);
void umsim_field_null(struct umsim_fields *fields, const char *name);
/** As "0x7a0000000000", because many readers of JSON keep 53 bits of a number. */
void umsim_field_address(struct umsim_fields *fields, const char *name, uintptr_t value);
void umsim_field_index(struct umsim_fields *fields, const char *name, unsigned x, unsigned y, unsigned z);
/** The first `bytes` of a text. */
void umsim_field_part(struct umsim_fields *fields, const char *name, const char *value, size_t bytes);
/** All members of another. */
void umsim_field_rest(struct umsim_fields *fields, const struct umsim_fields *others);
/** @} */

/** Begins a member that is an object ('{') or an array ('['), and ends it. */
void umsim_field_open(struct umsim_fields *fields, const char *name, char bracket);
void umsim_field_close(struct umsim_fields *fields, char bracket);

/** Members for a place in the program. @param line "lab2.c:41", or "main+0x2f" where the line is not known */
void umsim_field_line(struct umsim_fields *fields, const char *function, const char *line);

#endif
