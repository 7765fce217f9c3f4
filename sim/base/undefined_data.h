/**
 * @file undefined_data.h
 * @brief What g++ gives the functions that it calls where a program does what C++ leaves undefined.
 *
 * The layouts are those of GCC's and LLVM's sanitizers (libsanitizer/ubsan/ubsan_handlers.h, ubsan_value.h).
 * All of it lies in the program's variables: the GPU process cannot read it, but pass the address to the
 * host.
 */
#ifndef UMSIM_UNDEFINED_DATA_H
#define UMSIM_UNDEFINED_DATA_H

#include <stdint.h>

struct umsim_undefined_place {
    const char *file;
    uint32_t line, column;
};

enum { UMSIM_TYPE_WHOLE = 0, UMSIM_TYPE_REAL = 1 };

struct umsim_undefined_type {
    uint16_t kind, /* UMSIM_TYPE_WHOLE, UMSIM_TYPE_REAL; others are neither */
        details;   /* of a WHOLE: bit 0: it is signed; the others: the logarithm of its bits. Of a REAL: its
                      bits */
    char name[];   /* in quotation marks */
};

/** Of a conversion: from, to; of a shift: the left operand's, the right operand's; of a division: both
 * operands', and nothing; of an index: the array's, its own. */
struct umsim_undefined_operation {
    struct umsim_undefined_place place;
    const struct umsim_undefined_type *first, *second;
};

/** Of a pointer. It is either not aligned as its type asks, or about to be used beyond the end of the
 * variable that it leads into. */
struct umsim_undefined_pointer {
    struct umsim_undefined_place place;
    const struct umsim_undefined_type *type;
    uint8_t alignment; /* its logarithm; 0: the pointer is beyond the end */
    uint8_t use;       /* 1: a write */
};

/** A WHOLE of at most 64 bits, as g++ passes it. */
static inline int64_t umsim_undefined_whole(const struct umsim_undefined_type *type, uint64_t value)
{
    const unsigned spare = 64 - (1u << (type->details >> 1));
    return type->details & 1 ? (int64_t)(value << spare) >> spare : (int64_t)value;
}

#endif
