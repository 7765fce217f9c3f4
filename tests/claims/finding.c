/**
 * @file finding.c
 * @brief Times that are kept but not compared, and which file holds the H200's answers. See finding.h.
 */
#include "finding.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* behaviour.c compares with this file unless told otherwise. */
__attribute__((constructor)) static void choose_answers(void)
{
    setenv("UMLAB_MEASURED", "tests/claims/measured/h200.json", 0);
}

void found_time(const char *name, double value, const char *unit)
{
    const char *path = getenv("UMLAB_BEHAVIOURS");
    FILE *file = path ? fopen(path, "ae") : NULL;
    char got[64];
    cJSON *line;
    char *text;

    if (!file)
        return;
    snprintf(got, sizeof got, "%.3g%s%s", value, *unit ? " " : "", unit);
    if (value >= 100)
        snprintf(got, sizeof got, "%.0f%s%s", value, *unit ? " " : "", unit);
    line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "name", name);
    cJSON_AddStringToObject(line, "got", got);
    cJSON_AddTrueToObject(line, "time");
    text = cJSON_PrintUnformatted(line);
    if (text)
        fprintf(file, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(line);
    fclose(file);
}
