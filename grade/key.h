/**
 * @file key.h
 * @brief The course's key, from which every hidden decision of a grading is drawn.
 *
 * 128 bits, in a file that its owner alone can read: 32 hexadecimal digits and a line's end. keyfile.py makes
 * it. A handout has none, and then a fixed, public key holds: everybody can repeat such a grading.
 *
 * A check's inputs, schedules, kernels' keys and failing calls have a key of their own each:
 *
 *     narrowed(narrowed(... key, seed), lab), check), student), what)
 *     narrowed(k, text) = SipHash(k; "1" text), SipHash(k; "2" text)
 *
 * and each value is SipHash(that key; number of the call, number of the value). So one value, or all values
 * of a check, tell nothing of others. The submission's bytes are not in it: another comment throws no dice
 * anew.
 */
#ifndef UM_GRADE_KEY_H
#define UM_GRADE_KEY_H

#include "siphash.h"

#include <stdbool.h>

/** What is drawn. */
enum um_draw {
    UM_DRAW_INPUT,    /**< what a check gives to a function: sizes, values */
    UM_DRAW_SCHEDULE, /**< the seed of a random schedule */
    UM_DRAW_KERNELS,  /**< what the kernels of a call mix values with */
    UM_DRAW_FAILURE,  /**< which of many calls is made to fail */
    UM_DRAWS
};

/**
 * Reads the course's key, once, before anything is drawn.
 * @param wanted the file that has to be there; NULL or "": ROOT/.umlab/key if there is one
 * @param root the checkout
 * @return NULL; else, in one line, why the key cannot be used: it is missing, unreadable, no key, or others
 * than its owner may read it. The line is valid until the next call.
 */
const char *um_key_load(const char *wanted, const char *root);

/** Whether no file was there, so that the public key holds. */
bool um_key_is_public(void);

/** The keys of one check, for one student. @param key one for each enum um_draw */
void um_key_of_check(struct um_siphash_key key[UM_DRAWS], const char *check);

#endif
