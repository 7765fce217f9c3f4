/**
 * @file shared.h
 * @brief Memory that a submission's process shares with others, as it can find it.
 */
#include <stdio.h>
#include <string.h>

/** Calls `visit` for each shared mapping that can be written. @return how many there were */
static inline int each_shared(void (*visit)(char *start, size_t bytes))
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8];
    unsigned long start[64], end[64];
    int count = 0;
    while (maps && count < 64 && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start[count], &end[count], flags) == 3 && strcmp(flags, "rw-s") == 0)
            count++;
    if (maps)
        fclose(maps);
    for (int i = 0; i < count; i++)
        visit((char *)start[i], end[i] - start[i]);
    printf("%s: shared memory\n", count > 0 ? "AIMED" : "MISSED");
    fflush(stdout);
    return count;
}
