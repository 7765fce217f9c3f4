/* mutant: sums past the largest number begin again at 0; fails: record_layout/no_structure */
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

            if (field->bytes == 0 || field->elements == 0 || alignment == 0 ||
                (alignment & (alignment - 1)) != 0 || field->bytes % alignment != 0)
                return false;
            padding = (alignment - end % alignment) % alignment;
            bytes = field->bytes * field->elements;
            end += padding;
            if (write)
                offsets[i] = end;
            end += bytes;
            widest = alignment > widest ? alignment : widest;
        }
        padding = (widest - end % widest) % widest;
        end += padding;
        if (count == 0)
            return false;
    }
    *record_bytes = end;
    return true;
}
