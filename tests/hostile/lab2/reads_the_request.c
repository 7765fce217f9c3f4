/* hostile: looks in all memory that it can read for the list of what is asked, which says what each pointer
 * is */
#include "exercise.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* labs/lab2_pointers/grade/calls.h */
struct lab2_place {
    int32_t memory, unused;
    int64_t offset;
    uint64_t bytes, n;
};

static int is_place(const struct lab2_place *it)
{
    return it->memory >= 0 && it->memory <= 15 && it->unused == 0 && it->bytes > 0 && it->bytes < 1 << 20 &&
           it->offset > -(1 << 20) && it->offset < 1 << 20 && it->n < 1 << 20;
}

/* Five places in a row, of three kinds or more, that are not all alike. */
static int is_list(const struct lab2_place *it)
{
    unsigned kinds = 0;
    for (int i = 0; i < 5; i++) {
        if (!is_place(&it[i]) || (i > 0 && it[i].bytes == it[0].bytes && it[i].offset == it[0].offset))
            return 0;
        kinds |= 1u << it[i].memory;
    }
    return __builtin_popcount(kinds) >= 3;
}

static int look(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8];
    unsigned long start, end;
    size_t seen = 0;
    int found = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &start, &end, flags) != 3 || flags[0] != 'r' || strstr(line, "[v"))
            continue;
        for (unsigned long at = start; at + 5 * sizeof(struct lab2_place) <= end; at += 8)
            found += is_list((const struct lab2_place *)at);
        seen += end - start;
    }
    if (maps)
        fclose(maps);
    printf("%s: memory\n", seen > 1 << 20 ? "AIMED" : "MISSED");
    if (found)
        puts("HARM: the list of what is asked");
    return 0;
}

enum lab2_kind classify(const void *p)
{
    (void)p;
    look();
    return LAB2_NO_ANSWER;
}

bool host_may_read(const void *p, size_t n)
{
    (void)p, (void)n;
    look();
    return false;
}
