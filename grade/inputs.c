/**
 * @file inputs.c
 * @brief Generates hidden inputs from the seed, and reads the profile's figures.
 */
#include "grade.h"
#include "sim/model/profile.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state, own_state; /* for authors of checks; for the grader itself, whose use must not shift
                                     the authors' sequence */

static uint64_t hash(uint64_t h, const char *text) /* FNV-1a */
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

void um_random_start(const char *name)
{
    state = hash(hash(UINT64_C(0xcbf29ce484222325) ^ um_job.seed * UINT64_C(0x9e3779b97f4a7c15), um_job.lab),
                 name);
    own_state = hash(state, "own");
}

static uint64_t next(uint64_t *at) /* splitmix64, Steele and others 2014 */
{
    uint64_t z = *at += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t um_random(void)
{
    return next(&state);
}

uint64_t um_random_own(void)
{
    return next(&own_state);
}

void um_random_floats(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((int)(um_random() >> 53) - 1024) / 1024;
}

/* The whole file, from malloc; NULL when there is none. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (file && getdelim(&text, &capacity, 0, file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

uint64_t um_course_seed(void)
{
    const char *chosen = getenv("UMLAB_COURSE");
    char *path = chosen && *chosen ? um_text("%s", chosen) : um_text("%s/course.json", um_job.root);
    char *text = read_text(path);
    if (!text)
        return 1; /* no course.json, so there is no secret: a private tree */
    cJSON *course = cJSON_Parse(text);
    const cJSON *terms = cJSON_GetObjectItemCaseSensitive(course, "terms");
    const char *term = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(course, "term"));
    const cJSON *seed =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(terms, term ? term : ""), "seed");
    if (!cJSON_IsNumber(seed) || seed->valuedouble < 0 || seed->valuedouble > 9e15)
        um_cannot("%s has no seed for its term", path);
    uint64_t value = (uint64_t)seed->valuedouble;
    cJSON_Delete(course);
    free(text);
    free(path);
    return value;
}

const struct umsim_profile *um_profile(void)
{
    static struct umsim_profile profile;
    static bool loaded;
    char folder[4200], error[512];
    const char *folders[] = {folder};
    snprintf(folder, sizeof folder, "%s/profiles", um_job.root);
    if (!loaded && umsim_profile_load(um_job.profile ? um_job.profile : "h200-pcie5", folders, 1, &profile,
                                      error, sizeof error) != 0)
        um_cannot("%s", error);
    loaded = true;
    return &profile;
}
