/* mutant: pieces begin at the fault instead of being aligned; fails: predict_faults/whole_walks */
#include <stdbool.h>

#include "exercise.h"

/* Which big pages of a block are there. */
struct books {
    bool there[32];
    size_t block, bytes;
};

static size_t in_block(const struct books *books, size_t from, size_t to, bool all)
{
    size_t bytes = 0;

    for (size_t big = from; big < to; big++) {
        const size_t end = (big + 1) * 65536 < books->bytes ? (big + 1) * 65536 : books->bytes;

        if (end > big * 65536 && (all || books->there[big]))
            bytes += end - big * 65536;
    }
    return bytes;
}

static void fault(struct books *books, size_t big)
{
    size_t first = big, last = big + 1;

    books->there[big] = true;
    for (size_t size = 2; size <= 32; size *= 2) {
        const size_t from = big + size <= 32 ? big : 32 - size;

        if (in_block(books, from, from + size, false) * 100 > in_block(books, from, from + size, true) * 51) {
            first = from;
            last = from + size;
        }
    }
    for (; first < last; first++)
        books->there[first] = true;
}

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    const size_t block = 2 << 20, pages = (bytes + 4095) / 4096 * 4096;
    struct books books = {.block = SIZE_MAX};
    uint64_t faults = 0;

    for (size_t at = first; at < bytes; at += stride) {
        if (at / block != books.block) {
            const size_t left = pages - at / block * block;

            books =
                (struct books){.block = at / block, .bytes = left < block && bytes >= block ? left : block};
        }
        if (!books.there[at % block / 65536]) {
            faults++;
            fault(&books, at % block / 65536);
        }
        if (stride > bytes - at)
            break;
    }
    return faults;
}
