/**
 * @file profile.c
 * @brief Implementation of profile.h: reads the simulator's map, to print beside a GPU's own.
 */
#include <cjson/cJSON.h>
#include <libgen.h>
#include <math.h>
#include <unistd.h>

#include "profile.h"

/* Path of the simulator's lab9. @return whether it can be run */
static bool profile_program(char *path, size_t capacity)
{
    char own[512];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    if (length < 0)
        return false;
    own[length] = '\0';
    return (size_t)snprintf(path, capacity, "%s/../sim/lab9", dirname(own)) < capacity &&
           access(path, X_OK) == 0;
}

/* All of what a command prints, to be freed; NULL when it failed. */
static char *profile_read(const char *command)
{
    FILE *pipe = popen(command, "r");
    char *text = NULL;
    size_t length = 0, capacity = 0, got = 1;

    while (pipe && got > 0) {
        if (capacity - length < 4096) {
            char *more = realloc(text, capacity = 2 * capacity + 65536);

            if (!more)
                break;
            text = more;
        }
        got = fread(text + length, 1, capacity - length - 1, pipe);
        length += got;
    }
    if (text)
        text[length] = '\0';
    if (pipe && pclose(pipe) == 0)
        return text;
    free(text);
    return NULL;
}

static double profile_number(const cJSON *row, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(row, key);

    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

bool profile_map(struct map *map, size_t size, FILE *out)
{
    char path[600], command[900], source[300];
    char *text = NULL;
    cJSON *document, *row;

    if (!profile_program(path, sizeof path)) {
        fprintf(out, "\nthe profile's map: build the simulator's lab9 first (make lab9 BACKEND=sim)\n");
        return false;
    }
    snprintf(command, sizeof command,
             "'%s' --quiet --size %zu --strategy pageable,pinned,mapped,managed,prefetch,advised --json - "
             "2>/dev/null",
             path, size);
    text = profile_read(command);
    document = text ? cJSON_Parse(text) : NULL;
    free(text);
    if (!document) {
        fprintf(out, "\nthe profile's map: %s did not run\n", path);
        return false;
    }
    snprintf(source, sizeof source, "modelled, profile %s",
             cJSON_GetStringValue(cJSON_GetObjectItem(document, "profile")));
    map_make(map, size, source);
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(document, "rows"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(row, "strategy"));
        const struct cell cell = {
            profile_number(row, "alloc_us"), profile_number(row, "advice_us"),
            profile_number(row, "h2d_us"),   profile_number(row, "kernel_us"),
            profile_number(row, "d2h_us"),   profile_number(row, "work_us"),
            profile_number(row, "total_us"),
        };

        if (name && cJSON_IsTrue(cJSON_GetObjectItem(row, "verified")))
            map_enter(map, name, (size_t)profile_number(row, "size_bytes"), &cell);
    }
    cJSON_Delete(document);
    return true;
}
