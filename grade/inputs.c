/**
 * @file inputs.c
 * @brief Draws hidden inputs by the course's key, and reads the profile's figures.
 */
#include "grade.h"
#include "sim/model/profile.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct um_siphash_key key[UM_DRAWS];
static uint64_t values; /* that the check has drawn as inputs */
/* Which call it is: the loop or single call that was begun last, and the call within it. How many calls a
 * loop over failures makes is the submission's doing, so they do not shift what comes behind the loop. */
static struct {
    uint32_t begun, within;
} place;

void um_random_start(const char *name)
{
    um_key_of_check(key, name);
    values = 0;
    place.begun = place.within = 0;
}

void um_random_begin(void)
{
    place.begun++;
    place.within = 0;
}

void um_random_next_call(void)
{
    place.within++;
}

/* The number is as many bytes in each machine's order: all that are supported have the least first. */
static uint64_t drawn(enum um_draw what, uint32_t within, uint64_t number)
{
    const uint64_t at[2] = {(uint64_t)place.begun << 32 | within, number};
    return um_siphash(&key[what], at, sizeof at);
}

uint64_t um_random(void)
{
    return drawn(UM_DRAW_INPUT, 0, values++);
}

uint64_t um_random_of(enum um_draw what, uint64_t number)
{
    return drawn(what, place.within, number);
}

/* splitmix64 (public domain, Vigna 2015). Its start is drawn by the key, one for each array: who knows some
 * of an array may compute the rest of that one, and nothing else. */
static uint64_t next_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void um_random_floats(float *values, size_t count)
{
    uint64_t state = um_random();
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = UINT32_C(0x3f000000) + (uint32_t)(next_of(&state) >> 40); /* of 0.5, and on */
        memcpy(&values[i], &bits, sizeof bits);
    }
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
