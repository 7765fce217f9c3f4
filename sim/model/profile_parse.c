/**
 * @file profile_parse.c
 * @brief Implementation of profile_parse.h: a strict parser from JSON text to figures.
 *
 * Anything that the format does not define is an error.
 */
#include "profile_parse.h"
#include "profile_fields.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "umsim-profile/1"

/* Doubles hold every whole number up to here, and JSON numbers are doubles. */
#define LARGEST_WHOLE 9007199254740992.0

/** Where an error message goes. */
struct report {
    char *text;
    size_t size;
};

/** Writes the error line. @return -1, to be returned. */
__attribute__((format(printf, 2, 3))) static int fail(const struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (report->size)
        vsnprintf(report->text, report->size, format, arguments);
    va_end(arguments);
    return -1;
}

static const char *type_name(const cJSON *item)
{
    if (cJSON_IsNumber(item))
        return "a number";
    if (cJSON_IsString(item))
        return "a string";
    if (cJSON_IsArray(item))
        return "an array";
    if (cJSON_IsObject(item))
        return "an object";
    return cJSON_IsNull(item) ? "null" : "true or false";
}

/** Whether there is less memory than the parser needs for a text of this length, in small pieces: it does not
 * tell that from a mistake in the text. */
static bool lacks_memory(size_t length)
{
    void **pieces = NULL, **piece;
    bool lacks = false;
    for (size_t bytes = 0; bytes < 256 * length && !lacks; bytes += 1000) {
        piece = malloc(1000);
        lacks = !piece;
        if (piece) {
            *piece = pieces;
            pieces = piece;
        }
    }
    while ((piece = pieces)) {
        pieces = *piece;
        free(piece);
    }
    return lacks;
}

/** Parses text into a JSON object; NULL with the error reported. The caller deletes it. */
static cJSON *parse_object(const char *text, size_t length, const struct report *report)
{
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    if (!root) {
        size_t line = 1;
        for (const char *p = text; end && p < end && p < text + length; p++)
            line += *p == '\n';
        if (lacks_memory(length))
            fail(report, "no memory to read it (is there a limit: ulimit -d, ulimit -v?)");
        else
            fail(report, "line %zu: not valid JSON", line);
        return NULL;
    }
    while (end < text + length && strchr(" \t\r\n", *end) && *end)
        end++;
    if (end < text + length && *end)
        fail(report, "something follows the JSON object");
    else if (!cJSON_IsObject(root))
        fail(report, "a profile is a JSON object, not %s", type_name(root));
    else
        return root;
    cJSON_Delete(root);
    return NULL;
}

/** Refuses a key given twice: a reader would see one value and the program would use the other.
 * @return such a key, or NULL */
static const char *given_twice(const cJSON *object)
{
    for (const cJSON *a = object->child; a; a = a->next)
        for (const cJSON *b = a->next; b; b = b->next)
            if (strcmp(a->string, b->string) == 0)
                return a->string;
    return NULL;
}

static int read_string(const cJSON *item, char *out, size_t size, const struct report *report)
{
    if (!cJSON_IsString(item))
        return fail(report, "%s: must be a string, not %s", item->string, type_name(item));
    size_t length = strlen(item->valuestring);
    if (length == 0 || length >= size)
        return fail(report, "%s: must have 1 to %zu characters, has %zu", item->string, size - 1, length);
    memcpy(out, item->valuestring, length + 1);
    return 0;
}

/** What messages call a field's value, or its curve's point of that number (from 1; 0: the value). Written
 * only where there is a message: this is a part of each start. */
struct part {
    char text[32];
};
static struct part part_of(unsigned point)
{
    struct part part = {".value"};
    if (point)
        snprintf(part.text, sizeof part.text, ".points: point %u", point);
    return part;
}

/** Checks one number against its field's limits. */
static int check_number(const struct umsim_field *field, const cJSON *number, unsigned point, double minimum,
                        const struct report *report)
{
    const char *g = field->group, *k = field->key;
    if (cJSON_IsNumber(number) && isfinite(number->valuedouble) && number->valuedouble >= minimum)
        return 0;
    const struct part part = part_of(point);
    const char *what = part.text;
    if (!cJSON_IsNumber(number))
        return fail(report, "%s.%s%s: must be a number, not %s", g, k, what, type_name(number));
    double value = number->valuedouble;
    if (!isfinite(value))
        return fail(report, "%s.%s%s: number out of range", g, k, what);
    if (value < 0 && minimum >= 0)
        return fail(report, "%s.%s%s: must not be negative: %g", g, k, what, value);
    return fail(report, "%s.%s%s: must be at least %g, is %g", g, k, what, minimum, value);
}

static int read_curve(const struct umsim_field *field, const cJSON *points, struct umsim_curve *curve,
                      const struct report *report)
{
    const char *g = field->group, *k = field->key;
    if (!cJSON_IsArray(points))
        return fail(report, "%s.%s.points: must be an array, not %s", g, k, type_name(points));
    int count = cJSON_GetArraySize(points);
    if (count < 2 || count > UMSIM_CURVE_POINTS)
        return fail(report, "%s.%s.points: must have 2 to %d points, has %d", g, k, UMSIM_CURVE_POINTS,
                    count);
    memset(curve, 0, sizeof *curve);
    const cJSON *point;
    cJSON_ArrayForEach(point, points)
    {
        unsigned i = curve->count++;
        if (!cJSON_IsArray(point) || cJSON_GetArraySize(point) != 2)
            return fail(report, "%s.%s%s: must be [bytes, microseconds]", g, k, part_of(i + 1).text);
        const cJSON *bytes = cJSON_GetArrayItem(point, 0), *us = cJSON_GetArrayItem(point, 1);
        if (check_number(field, bytes, i + 1, 0, report) ||
            check_number(field, us, i + 1, field->minimum, report))
            return -1;
        curve->bytes[i] = bytes->valuedouble;
        curve->us[i] = us->valuedouble;
        if (i > 0 && !(curve->bytes[i] > curve->bytes[i - 1]))
            return fail(report, "%s.%s%s: sizes must rise", g, k, part_of(i + 1).text);
    }
    return 0;
}

static int read_value(const struct umsim_field *field, const cJSON *value, char *place,
                      const struct report *report)
{
    if (check_number(field, value, 0, field->minimum, report))
        return -1;
    double number = value->valuedouble;
    if (field->kind == UMSIM_FIELD_REAL) {
        *(double *)(void *)place = number;
        return 0;
    }
    double largest = strcmp(field->group, "attributes") == 0 ? (double)INT32_MAX : LARGEST_WHOLE;
    if (number > largest || number != (double)(int64_t)number)
        return fail(report, "%s.%s.value: must be a whole number of at most %.0f, is %.17g", field->group,
                    field->key, largest, number);
    *(int64_t *)(void *)place = (int64_t)number;
    return 0;
}

static int read_source(const struct umsim_field *field, const cJSON *item, unsigned char *out,
                       const struct report *report)
{
    static const char *const names[] = {"measured", "documented", "assumed"};
    for (unsigned i = 0; cJSON_IsString(item) && i < sizeof names / sizeof *names; i++)
        if (strcmp(item->valuestring, names[i]) == 0) {
            *out = (unsigned char)i;
            return 0;
        }
    return fail(report, "%s.%s.source: must be \"measured\", \"documented\" or \"assumed\"", field->group,
                field->key);
}

/** Reads one [least, most], between which `value` has to be. */
static int read_range(const struct umsim_field *field, const cJSON *range, unsigned point, double value,
                      struct umsim_range *out, const struct report *report)
{
    const char *g = field->group, *k = field->key;
    char where[48] = ".range";
    if (point)
        snprintf(where, sizeof where, ".range: point %u", point);
    if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2)
        return fail(report, "%s.%s%s: must be [least, most]", g, k, where);
    const cJSON *least = cJSON_GetArrayItem(range, 0), *most = cJSON_GetArrayItem(range, 1);
    if (!cJSON_IsNumber(least) || !cJSON_IsNumber(most) || !isfinite(least->valuedouble) ||
        !isfinite(most->valuedouble))
        return fail(report, "%s.%s%s: must be two numbers", g, k, where);
    *out = (struct umsim_range){least->valuedouble, most->valuedouble};
    if (out->least > out->most)
        return fail(report, "%s.%s%s: the least, %g, is above the most, %g", g, k, where, out->least,
                    out->most);
    if (out->least < field->minimum)
        return fail(report, "%s.%s%s: must be at least %g, is %g", g, k, where, field->minimum, out->least);
    if (value < out->least || value > out->most)
        return fail(report, "%s.%s%s: %g to %g, but the figure is %g", g, k, where, out->least, out->most,
                    value);
    return 0;
}

/** ... one for each point of a curve. */
static int read_ranges(const struct umsim_field *field, const cJSON *ranges, struct umsim_curve *curve,
                       const struct report *report)
{
    if (!cJSON_IsArray(ranges) || cJSON_GetArraySize(ranges) != (int)curve->count)
        return fail(report, "%s.%s.range: must be an array with a [least, most] for each of %u points",
                    field->group, field->key, curve->count);
    unsigned i = 0;
    const cJSON *range;
    cJSON_ArrayForEach(range, ranges)
    {
        struct umsim_range of_point;
        if (read_range(field, range, i + 1, curve->us[i], &of_point, report))
            return -1;
        curve->least_us[i] = of_point.least;
        curve->most_us[i++] = of_point.most;
    }
    return 0;
}

/** Reads "range" and "machines", which a figure has both or neither of: what several machines showed. */
static int read_seen(int index, const cJSON *figure, struct umsim_profile_draft *draft,
                     const struct report *report)
{
    const struct umsim_field *field = &umsim_profile_fields[index];
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(figure, "range");
    const cJSON *machines = cJSON_GetObjectItemCaseSensitive(figure, "machines");
    struct umsim_profile *profile = draft->profile;
    char *place = (char *)profile + field->offset;
    profile->machines[index] = 0;
    profile->ranges[index] = (struct umsim_range){0, 0};
    if (!range && !machines)
        return 0;
    if (!range || !machines)
        return fail(report, "%s.%s.%s: missing (a range says of how many machines it is)", field->group,
                    field->key, range ? "machines" : "range");
    if (profile->sources[index] == UMSIM_SOURCE_DOCUMENTED)
        return fail(report, "%s.%s.range: a documented figure was seen on no machine", field->group,
                    field->key);
    double count = cJSON_IsNumber(machines) ? machines->valuedouble : 0;
    if (!(count >= 2 && count <= UINT8_MAX) || count != (double)(int)count)
        return fail(report, "%s.%s.machines: must be a whole number from 2 to %d", field->group, field->key,
                    UINT8_MAX);
    profile->machines[index] = (unsigned char)count;
    if (field->kind == UMSIM_FIELD_CURVE)
        return read_ranges(field, range, (struct umsim_curve *)(void *)place, report);
    double value =
        field->kind == UMSIM_FIELD_REAL ? *(double *)(void *)place : (double)*(int64_t *)(void *)place;
    return read_range(field, range, 0, value, &profile->ranges[index], report);
}

static bool is_known_key(const char *key, const char *content)
{
    const char *const known[] = {content, "unit", "source", "note", "range", "machines"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

/** Reads {"value" or "points", "unit", "source", "note"?, "range" and "machines"?} into the draft. */
static int read_figure(int index, const cJSON *figure, struct umsim_profile_draft *draft,
                       const struct report *report)
{
    const struct umsim_field *field = &umsim_profile_fields[index];
    const char *g = field->group, *k = field->key;
    const char *content = field->kind == UMSIM_FIELD_CURVE ? "points" : "value";
    if (!cJSON_IsObject(figure))
        return fail(report, "%s.%s: must be an object, not %s", g, k, type_name(figure));
    const char *twice = given_twice(figure);
    if (twice)
        return fail(report, "%s.%s.%s: given twice", g, k, twice);
    for (const cJSON *part = figure->child; part; part = part->next) {
        if (!is_known_key(part->string, content))
            return fail(report, "%s.%s.%s: unknown key (known: %s, unit, source, note, range, machines)", g,
                        k, part->string, content);
        if (strcmp(part->string, "note") == 0 && !cJSON_IsString(part))
            return fail(report, "%s.%s.note: must be a string, not %s", g, k, type_name(part));
    }
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(figure, content);
    const cJSON *unit = cJSON_GetObjectItemCaseSensitive(figure, "unit");
    const cJSON *source = cJSON_GetObjectItemCaseSensitive(figure, "source");
    if (!data)
        return fail(report, "%s.%s.%s: missing", g, k, content);
    if (!unit)
        return fail(report, "%s.%s.unit: missing", g, k);
    if (!source)
        return fail(report, "%s.%s.source: missing", g, k);
    if (!cJSON_IsString(unit) || strcmp(unit->valuestring, field->unit) != 0)
        return fail(report, "%s.%s.unit: must be \"%s\"", g, k, field->unit);
    if (read_source(field, source, &draft->profile->sources[index], report))
        return -1;
    char *place = (char *)draft->profile + field->offset;
    int bad = field->kind == UMSIM_FIELD_CURVE
                  ? read_curve(field, data, (struct umsim_curve *)(void *)place, report)
                  : read_value(field, data, place, report);
    bad = bad ? bad : read_seen(index, figure, draft, report);
    draft->present[index] = !bad;
    return bad;
}

static int read_group(const cJSON *group, struct umsim_profile_draft *draft, const struct report *report)
{
    if (!cJSON_IsObject(group))
        return fail(report, "%s: must be an object, not %s", group->string, type_name(group));
    unsigned char seen[sizeof draft->present] = {0};
    int index = -1;
    for (const cJSON *figure = group->child; figure; figure = figure->next) {
        index = umsim_profile_field_find(group->string, figure->string, index + 1);
        if (index < 0)
            return fail(report, "%s.%s: unknown key", group->string, figure->string);
        if (seen[index])
            return fail(report, "%s.%s: given twice", group->string, figure->string);
        seen[index] = 1;
        if (read_figure(index, figure, draft, report))
            return -1;
    }
    return 0;
}

static int read_others(const cJSON *item, struct umsim_profile *profile, const struct report *report)
{
    if (!cJSON_IsArray(item))
        return fail(report, "others: must be an array, not %s", type_name(item));
    profile->other_count = 0;
    for (const cJSON *name = item->child; name; name = name->next) {
        if (profile->other_count == UMSIM_DEVICES_MAX - 1)
            return fail(report, "others: more than %d names", UMSIM_DEVICES_MAX - 1);
        if (!cJSON_IsString(name) || !name->valuestring[0])
            return fail(report, "others: must be names of profiles, not %s", type_name(name));
        if (strlen(name->valuestring) >= sizeof profile->others[0])
            return fail(report, "others: longer than %zu characters", sizeof profile->others[0] - 1);
        strcpy(profile->others[profile->other_count++], name->valuestring);
    }
    return 0;
}

static int read_top(const cJSON *item, struct umsim_profile_draft *draft, const struct report *report)
{
    struct umsim_profile *profile = draft->profile;
    const char *key = item->string;
    if (strcmp(key, "name") == 0)
        return read_string(item, profile->name, sizeof profile->name, report);
    if (strcmp(key, "device") == 0)
        return read_string(item, profile->device, sizeof profile->device, report);
    if (strcmp(key, "conditions") == 0)
        return read_string(item, profile->conditions, sizeof profile->conditions, report);
    if (strcmp(key, "attributes") == 0 || strcmp(key, "capacity") == 0 || strcmp(key, "costs") == 0 ||
        strcmp(key, "peers") == 0)
        return read_group(item, draft, report);
    if (strcmp(key, "others") == 0)
        return read_others(item, profile, report);
    if (strcmp(key, "base") == 0)
        return 0; /* the loader handles this key */
    if (strcmp(key, "schema") != 0)
        return fail(report, "%s: unknown key", key);
    if (!cJSON_IsString(item) || strcmp(item->valuestring, SCHEMA) != 0)
        return fail(report, "schema: must be \"%s\"", SCHEMA);
    return 0;
}

int umsim_profile_parse_base(const char *text, size_t length, char base[UMSIM_PROFILE_BASE], char *error,
                             size_t error_size)
{
    struct report report = {error, error_size};
    base[0] = '\0';
    /* Most profiles have no base, and parsing takes a tenth of the simulator's start, so avoid parsing the
     * text twice. (A key may be written with escapes.) */
    if (!memmem(text, length, "\"base\"", 6) && !memchr(text, '\\', length))
        return 0;
    cJSON *root = parse_object(text, length, &report);
    if (!root)
        return -1;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "base");
    int bad = item ? read_string(item, base, UMSIM_PROFILE_BASE, &report) : 0;
    cJSON_Delete(root);
    return bad;
}

int umsim_profile_parse(const char *text, size_t length, struct umsim_profile_draft *draft, char *error,
                        size_t error_size)
{
    struct report report = {error, error_size};
    cJSON *root = parse_object(text, length, &report);
    if (!root)
        return -1;
    const char *twice = given_twice(root);
    int bad = twice ? fail(&report, "%s: given twice", twice) : 0;
    if (!bad && !cJSON_GetObjectItemCaseSensitive(root, "schema"))
        bad = fail(&report, "schema: missing");
    if (!bad && !cJSON_GetObjectItemCaseSensitive(root, "name"))
        bad = fail(&report, "name: missing");
    for (const cJSON *item = root->child; item && !bad; item = item->next)
        bad = read_top(item, draft, &report);
    cJSON_Delete(root);
    return bad;
}

int umsim_profile_check(const struct umsim_profile_draft *draft, char *error, size_t error_size)
{
    struct report report = {error, error_size};
    const struct umsim_profile *profile = draft->profile;
    if (!profile->device[0])
        return fail(&report, "device: missing");
    if (!profile->conditions[0])
        return fail(&report, "conditions: missing");
    const int first_of_peers = umsim_profile_field_find("peers", "devices", 0);
    const bool has_peers =
        memchr(draft->present + first_of_peers, 1, sizeof draft->present - (size_t)first_of_peers);
    for (size_t i = 0; i < umsim_profile_field_count; i++)
        if (!draft->present[i] && (has_peers || i < (size_t)first_of_peers))
            return fail(&report, "%s.%s: missing", umsim_profile_fields[i].group,
                        umsim_profile_fields[i].key);
    if (profile->peers.devices > UMSIM_DEVICES_MAX)
        return fail(&report, "peers.devices: more than %d", UMSIM_DEVICES_MAX);
    if (profile->other_count >= umsim_profile_devices(profile))
        return fail(&report, "others: %u names, and peers.devices is %u: one less at most",
                    profile->other_count, umsim_profile_devices(profile));
    if (profile->capacity.free_at_start > profile->capacity.total_global_memory)
        return fail(&report, "capacity.free_at_start: more than capacity.total_global_memory");
    if (profile->attributes.max_threads_per_block > profile->attributes.max_threads_per_multiprocessor)
        return fail(&report,
                    "attributes.max_threads_per_block: more than attributes.max_threads_per_multiprocessor");
    if (profile->attributes.greatest_stream_priority > profile->attributes.least_stream_priority)
        return fail(&report,
                    "attributes.greatest_stream_priority: must not be above attributes.least_stream_priority "
                    "(lower numbers are more urgent)");
    return 0;
}
