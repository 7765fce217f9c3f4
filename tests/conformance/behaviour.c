/**
 * @file behaviour.c
 * @brief Hardware's recorded answers, and the comparison with them. See behaviour.h; table.py sets the
 * environment.
 *
 * UMLAB_MEASURED    file of hardware's answers (default, from the top: tests/conformance/measured/h200.json)
 * UMLAB_BEHAVIOURS  file to which each behaviour is added: a line of JSON {name, expected or null, got}, and
 * why it differs if that is known UMLAB_RECORD      set: hardware is being asked, compare nothing
 */
#include "behaviour.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file's text, for free(); NULL when it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t size = 0;

    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* The answers by name, read once; NULL when there are none. Kept until the program ends. */
static const cJSON *measured(void)
{
    static cJSON *document;
    const char *path = getenv("UMLAB_MEASURED");
    char *text;

    if (!document) {
        text = read_file(path ? path : "tests/conformance/measured/h200.json");
        if (text)
            document = cJSON_Parse(text);
        free(text);
    }
    return cJSON_GetObjectItemCaseSensitive(document, "behaviours");
}

static const struct um_difference *differences;
static size_t difference_count;

void um_behaviour_differences(const struct um_difference *list, size_t count)
{
    differences = list;
    difference_count = count;
}

/* Of hardware all differences are unknown. */
static const struct um_difference *known_difference(const char *name)
{
#ifndef UMLAB_CUDA
    for (size_t i = 0; i < difference_count; i++)
        if (strcmp(differences[i].name, name) == 0)
            return &differences[i];
#endif
    (void)name;
    return NULL;
}

static void add_line(const char *name, const char *expected, const char *got, const char *why)
{
    const char *path = getenv("UMLAB_BEHAVIOURS");
    FILE *file = path ? fopen(path, "ae") : NULL;
    cJSON *line;
    char *text;

    if (!file)
        return;
    line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "name", name);
    if (expected)
        cJSON_AddStringToObject(line, "expected", expected);
    else
        cJSON_AddNullToObject(line, "expected");
    cJSON_AddStringToObject(line, "got", got);
    if (why)
        cJSON_AddStringToObject(line, "why", why);
    text = cJSON_PrintUnformatted(line);
    if (text)
        fprintf(file, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(line);
    fclose(file);
}

void um_behaviour(const char *file, unsigned line, const char *name, const char *format, ...)
{
    const bool recording = getenv("UMLAB_RECORD") != NULL;
    const char *expected =
        recording ? NULL : cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(measured(), name));
    const struct um_difference *known = recording ? NULL : known_difference(name);
    char got[512];
    va_list args;

    va_start(args, format);
    vsnprintf(got, sizeof got, format, args);
    va_end(args);
    add_line(name, expected, got, known ? known->why : NULL);
    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
    if (recording)
        return;
    if (!expected)
        um_test_fail(file, line, "%s: %s, but hardware's answer is not recorded", name, got);
    else if (known && strcmp(known->ours, expected) == 0)
        um_test_fail(file, line, "%s: hardware says %s, too, so it is no known difference", name, expected);
    else if (strcmp(got, known ? known->ours : expected) != 0)
        um_test_fail(file, line, "%s: %s, where %s %s", name, got,
                     known ? "it is known to be" : "hardware says", known ? known->ours : expected);
}
