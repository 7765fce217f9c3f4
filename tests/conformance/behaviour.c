/**
 * @file behaviour.c
 * @brief Hardware's recorded answers, and the comparison with them. See behaviour.h; table.py sets the
 * environment.
 *
 * UMLAB_MEASURED    file of hardware's answers (default, from the top: tests/conformance/measured/h200.json)
 * UMLAB_BEHAVIOURS  file to which each behaviour is added: a line of JSON {name, expected or null, got}
 * UMLAB_RECORD      set: hardware is being asked, compare nothing
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

static void add_line(const char *name, const char *expected, const char *got)
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
    char got[512];
    va_list args;

    va_start(args, format);
    vsnprintf(got, sizeof got, format, args);
    va_end(args);
    add_line(name, expected, got);
    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
    if (recording)
        return;
    if (!expected)
        um_test_fail(file, line, "%s: %s, but hardware's answer is not recorded", name, got);
    else if (strcmp(got, expected) != 0)
        um_test_fail(file, line, "%s: %s, where hardware says %s", name, got, expected);
}
