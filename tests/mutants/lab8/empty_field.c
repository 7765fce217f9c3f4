/* mutant: a field without elements takes no room; fails: record_layout/no_structure */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

bool record_layout(const struct lab8_field *fields, size_t count, size_t *offsets, size_t *record_bytes)
{
    size_t widest = 1, end = 0, padding, bytes;

    for (int write = 0; write < 2; write++) {
        end = 0;
        for (size_t i = 0; i < count; i++) {
            const struct lab8_field *field = &fields[i];
            const size_t alignment = field->alignment;

            if (field->bytes == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0 ||
                field->bytes % alignment != 0)
                return false;
            padding = (alignment - end % alignment) % alignment;
            if (__builtin_mul_overflow(field->bytes, field->elements, &bytes) ||
                __builtin_add_overflow(end, padding, &end))
                return false;
            if (write)
                offsets[i] = end;
            if (__builtin_add_overflow(end, bytes, &end))
                return false;
            widest = alignment > widest ? alignment : widest;
        }
        padding = (widest - end % widest) % widest;
        if (count == 0 || __builtin_add_overflow(end, padding, &end))
            return false;
    }
    *record_bytes = end;
    return true;
}
