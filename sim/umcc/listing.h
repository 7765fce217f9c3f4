/**
 * @file listing.h
 * @brief A file's assembly as g++ writes it, line by line, and the functions that kernels can come to.
 */
#ifndef UMCC_LISTING_H
#define UMCC_LISTING_H

#include "machine.h"

struct umcc_line {
    const char *text, *end;
    struct umcc_instruction instruction;
    enum {
        UMCC_OTHER_LINE,
        UMCC_LABEL,
        UMCC_INSTRUCTION,
        UMCC_OPAQUE,           /**< of inline assembly */
        UMCC_NOTHING_FROM_HERE /**< what umsim::count_nothing() leaves (umsim/fission.h) */
    } kind;
};

struct umcc_function {
    struct umcc_operand name;
    int first, last;            /**< lines */
    bool is_reached;            /**< by kernels, with calls and jumps */
    struct umcc_function *next; /**< with a name of the same hash */
};

#define UMCC_LISTING_BUCKETS 1024

struct umcc_listing {
    const struct umcc_machine *machine;
    struct umcc_line *line;
    int lines, functions;
    struct umcc_function *function, *bucket[UMCC_LISTING_BUCKETS];
};

/** Reads a text, which has to stay, into an empty listing.
 * @param arena where it is, as long as that is
 * @param relocatable kernels of other files may come to any function */
void umcc_read_listing(struct umcc_listing *listing, struct umcc_arena *arena,
                       const struct umcc_machine *machine, const struct umcc_text *text, bool relocatable);

/** @return an operand that is a name without what stands behind an @ */
struct umcc_operand umcc_name_of(struct umcc_operand operand);

/** @return where a line names the access that it calls for, behind the sanitizer's prefix; NULL if it calls
 * for none of a fixed size */
const char *umcc_called_access(const struct umcc_line *line);

#endif
