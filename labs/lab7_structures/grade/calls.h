/**
 * @file calls.h
 * @brief Constants and structures that lab 7's calls.c and checks.c share.
 */
#ifndef LAB7_CALLS_H
#define LAB7_CALLS_H

#include <stdint.h>

enum {
    LAB7_PREFIXES = 4, /**< a list is added up to this many lengths: lab7_prefix() */
    LAB7_TIME = 2      /**< a particle moves by velocity * LAB7_TIME */
};

/**
 * How many nodes the k-th sum covers. The last number is longer than the list: the sum has to end by itself.
 */
static inline uint64_t lab7_prefix(uint64_t n, int k)
{
    const uint64_t prefix[LAB7_PREFIXES] = {1, n / 3, n, n + 5};

    return prefix[k];
}

/** The results of a list. */
struct lab7_sums {
    int64_t device[LAB7_PREFIXES], host[LAB7_PREFIXES]; /**< host: of list_managed() only */
    int64_t length; /**< nodes that the host visits, of list_managed() only; at most 5 more than there should
                       be */
    int64_t has_list; /**< whether the function gave a list */
};

/** The results of aos_to_soa(). In the outputs, 6 fields of n floats follow, as they are after the move. */
struct lab7_fields {
    int64_t offset[6]; /**< of the fields from the first one, bytes; of NULL: LAB7_NULL */
};

#define LAB7_NULL INT64_MIN

#endif
