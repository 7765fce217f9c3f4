/**
 * @file scenario.c
 * @brief Implementation of scenario.h: reads the text, word by word.
 */
#include "scenario.h"

#include <stdio.h>
#include <string.h>

/** One more than the longest line has, so that a longer one is noticed. */
#define WORDS_MAX 8
#define WORD 64

/** One line, in words. */
struct line {
    unsigned number, words;
    char word[WORDS_MAX][WORD];
    unsigned next; /* the first word that has not been read */
    char *error;
    size_t error_size;
};

static bool fail(struct line *line, const char *what, const char *instead)
{
    snprintf(line->error, line->error_size, "line %u: %s; %s", line->number, what, instead);
    return false;
}

static const char *word(struct line *line)
{
    return line->next < line->words ? line->word[line->next++] : "";
}

/* The place of the next word in a list that ends in NULL; -1 when it is not there, and is not taken. */
static int choice(struct line *line, const char *const *list)
{
    for (int i = 0; line->next < line->words && list[i]; i++)
        if (strcmp(line->word[line->next], list[i]) == 0) {
            line->next++;
            return i;
        }
    return -1;
}

/* Bytes or a count: digits, and K or M. */
static bool number(struct line *line, const char *what, uint64_t *out)
{
    const char *text = word(line);
    char message[160];
    uint64_t value = 0;
    size_t digits = 0;
    for (; text[digits] >= '0' && text[digits] <= '9' && digits < 12; digits++)
        value = 10 * value + (uint64_t)(text[digits] - '0');
    const char *end = text + digits;
    if (*end == 'K' || *end == 'M')
        value <<= *end++ == 'K' ? 10 : 20;
    if (!digits || *end) {
        snprintf(message, sizeof message, "%s is `%s`", what, text);
        return fail(line, message, "a number is needed, such as 4096, 64K or 16M");
    }
    *out = value;
    return true;
}

static bool read_range(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    char message[160];
    step->from = 0;
    step->length = scenario->array;
    if (line->next == line->words)
        return true;
    if (!number(line, "where it begins", &step->from) || !number(line, "how long it is", &step->length))
        return false;
    if (step->length == 0 || step->from >= scenario->array || step->length > scenario->array - step->from) {
        snprintf(message, sizeof message, "%llu bytes from %llu on are not in the array",
                 (unsigned long long)step->length, (unsigned long long)step->from);
        return fail(line, message, "make them shorter, or the array larger");
    }
    return true;
}

/* Words are read and written whole. */
static bool is_aligned(struct line *line, const struct scenario_step *step)
{
    if (step->from % 4 == 0 && step->length % 4 == 0 && step->stride % 4 == 0)
        return true;
    return fail(line, "words have 4 bytes", "places, lengths and strides have to be multiples of that");
}

static bool read_access(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    static const char *const verbs[] = {"read", "write", NULL};
    static const char *const patterns[] = {"walk", "stride", "random", "byte", NULL};
    const int verb = choice(line, verbs);
    if (verb < 0)
        return fail(line, "it neither reads nor writes", "say `read` or `write`");
    step->is_write = verb == 1;
    const int pattern = choice(line, patterns);
    if (pattern < 0)
        return fail(line, "no pattern", "say `walk`, `stride BYTES`, `random COUNT SEED` or `byte PLACE`");
    step->pattern = (enum scenario_pattern)pattern;
    if (step->pattern == SCENARIO_BYTE) {
        step->length = 1;
        if (!number(line, "the byte's place", &step->from))
            return false;
        return step->from < scenario->array ? true
                                            : fail(line, "the byte is behind the array", "take another");
    }
    if (step->pattern == SCENARIO_STRIDE && !number(line, "the stride", &step->stride))
        return false;
    if (step->pattern == SCENARIO_STRIDE && step->stride == 0)
        return fail(line, "a stride of 0 stays where it is", "take 4 at least");
    if (step->pattern == SCENARIO_RANDOM &&
        (!number(line, "how many", &step->count) || !number(line, "the seed", &step->seed)))
        return false;
    if (step->pattern == SCENARIO_RANDOM && (step->count == 0 || step->count > scenario->array))
        return fail(line, "so many random touches are not made", "take from 1 to the array's bytes");
    return read_range(line, scenario, step) && is_aligned(line, step);
}

static bool read_turns(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    if (!number(line, "how many turns", &step->count))
        return false;
    if (step->count == 0 || step->count > SCENARIO_TURNS_MAX)
        return fail(line, "so many turns are not made", "take 1 to 1000");
    step->is_write = true;
    return read_range(line, scenario, step) && is_aligned(line, step);
}

/* The side that the next word names; SCENARIO_NEITHER where it names none. */
static enum scenario_side side_of(struct line *line)
{
    static const char *const names[] = {"host", "gpu", "gpu0", "gpu1", NULL};
    static const enum scenario_side sides[] = {SCENARIO_HOST, SCENARIO_GPU, SCENARIO_GPU, SCENARIO_GPU_1};
    const int name = choice(line, names);
    return name < 0 ? SCENARIO_NEITHER : sides[name];
}

static bool read_advice(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    static const char *const names[] = {"read-mostly", "no-read-mostly", "preferred", "no-preferred",
                                        "accessed",    "no-accessed",    NULL};
    const int name = choice(line, names);
    if (name < 0)
        return fail(line, "no such advice",
                    "there are read-mostly, preferred and accessed, each also with `no-`");
    step->advice = (enum scenario_advice)name;
    step->side = SCENARIO_NEITHER;
    if (step->advice == SCENARIO_PREFERRED || step->advice >= SCENARIO_ACCESSED) {
        step->side = side_of(line);
        if (step->side == SCENARIO_NEITHER)
            return fail(line, "whose?", "say `host` or `gpu`");
    }
    return read_range(line, scenario, step);
}

static bool read_prefetch(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    step->side = side_of(line);
    if (step->side == SCENARIO_NEITHER)
        return fail(line, "where to?", "say `host` or `gpu`");
    return read_range(line, scenario, step);
}

static bool read_step(struct line *line, const struct scenario *scenario, struct scenario_step *step)
{
    static const char *const names[] = {"turns", "advise", "prefetch", NULL};
    step->side = side_of(line);
    if (step->side != SCENARIO_NEITHER) {
        step->kind = SCENARIO_ACCESS;
        return read_access(line, scenario, step);
    }
    switch (choice(line, names)) {
    case 0:
        step->kind = SCENARIO_TURNS;
        return read_turns(line, scenario, step);
    case 1:
        step->kind = SCENARIO_ADVISE;
        return read_advice(line, scenario, step);
    case 2:
        step->kind = SCENARIO_PREFETCH;
        return read_prefetch(line, scenario, step);
    default:
        return fail(line, "no such step", "one begins with host, gpu, turns, advise or prefetch");
    }
}

static bool read_array(struct line *line, struct scenario *scenario)
{
    if (scenario->steps)
        return fail(line, "the array is there already", "its size comes before the steps");
    if (!number(line, "the array's size", &scenario->array))
        return false;
    if (scenario->array < 4 || scenario->array > SCENARIO_ARRAY_MAX || scenario->array % 4)
        return fail(line, "no such array", "4 bytes to 64M, whole words");
    return true;
}

static bool read_line(struct line *line, struct scenario *scenario)
{
    static const char *const settings[] = {"profile", "device", "array", NULL};
    bool good;
    switch (choice(line, settings)) {
    case 0:
        snprintf(scenario->profile, sizeof scenario->profile, "%s", word(line));
        good = scenario->profile[0] ? true : fail(line, "which profile?", "say its name");
        break;
    case 1:
        good = number(line, "the device's memory", &scenario->device);
        if (good && scenario->device < (2 << 20))
            good =
                fail(line, "too little memory", "a device has 2M at least: it is given out in such pieces");
        break;
    case 2:
        good = read_array(line, scenario);
        break;
    default:
        if (scenario->steps == SCENARIO_STEPS)
            return fail(line, "too many steps", "there may be 64");
        scenario->step[scenario->steps] = (struct scenario_step){.stride = 4};
        good = read_step(line, scenario, &scenario->step[scenario->steps]);
        scenario->steps += good;
    }
    return good && line->next < line->words
               ? fail(line, "it goes on behind its end", "what else is it to do?")
               : good;
}

/* Splits the text up to its next end of a line. @return where the next line begins */
static const char *split(const char *text, struct line *line)
{
    line->words = line->next = 0;
    while (*text && *text != '\n' && *text != ';') {
        size_t length = strcspn(text, " \t\r\n;");
        if (length && line->words < WORDS_MAX)
            snprintf(line->word[line->words++], WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), text);
        text += length + (text[length] == ' ' || text[length] == '\t' || text[length] == '\r');
    }
    return *text ? text + 1 : text;
}

bool scenario_read(const char *text, struct scenario *scenario, char *error, size_t error_size)
{
    static struct line line;
    line = (struct line){.error = error, .error_size = error_size};
    *scenario = (struct scenario){.array = (uint64_t)2 << 20};
    error[0] = '\0';
    while (*text) {
        line.number++;
        text = split(text, &line);
        if (line.words && !read_line(&line, scenario))
            return false;
    }
    return true;
}
