/**
 * @file um_json.c
 * @brief Writes results as JSON, schema umlab/1, either whole or not at all.
 *
 * A document is {schema, lab, backend, profile | device {name, driver, cuda}, times, args, rows: [...],
 * answers: [...], closing}. A value that does not exist is null. A lab that asks no questions has no answers,
 * rows that tell no closing sentence have none. Extra
 * columns of a row stand beside the others, under their keys.
 */
#include "um_lab.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cjson/cJSON.h>

static void put_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
    else
        cJSON_AddNullToObject(object, key);
}

static void put_count(cJSON *object, const char *key, int64_t value)
{
    put_number(object, key, value == UM_NONE ? NAN : (double)value);
}

static void put_text(cJSON *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        cJSON_AddStringToObject(object, key, text);
    else
        cJSON_AddNullToObject(object, key);
}

static void put_extras(cJSON *object, const struct um_row *row)
{
    for (int i = 0; i < row->extra_count; i++) {
        const struct um_extra *extra = &row->extras[i];

        if (extra->type == UM_EXTRA_NUMBER)
            put_number(object, extra->key, extra->number);
        if (extra->type == UM_EXTRA_COUNT)
            put_count(object, extra->key, extra->count);
        if (extra->type == UM_EXTRA_TEXT)
            put_text(object, extra->key, extra->text);
    }
}

static cJSON *row_object(const struct um_row *row)
{
    const struct um_counters *counters = &row->counters;
    cJSON *object = cJSON_CreateObject();

    cJSON_AddStringToObject(object, "strategy", row->strategy);
    put_number(object, "size_bytes", (double)row->size_bytes);
    put_number(object, "repeat", row->repeat);
    put_number(object, "alloc_us", row->alloc_us);
    put_number(object, "h2d_us", row->h2d_us);
    put_number(object, "kernel_us", row->kernel_us);
    put_number(object, "d2h_us", row->d2h_us);
    put_number(object, "host_us", row->host_us);
    put_number(object, "advice_us", row->advice_us);
    put_number(object, "total_us", row->total_us);
    put_number(object, "bandwidth_gbs", row->bandwidth_gbs);
    put_count(object, "bytes_h2d", counters->bytes_h2d);
    put_count(object, "bytes_d2h", counters->bytes_d2h);
    put_count(object, "cpu_faults", counters->cpu_faults);
    put_count(object, "gpu_fault_groups", counters->gpu_fault_groups);
    put_count(object, "bytes_migrated_h2d", counters->bytes_migrated_h2d);
    put_count(object, "bytes_migrated_d2h", counters->bytes_migrated_d2h);
    put_count(object, "evictions", counters->evictions);
    put_count(object, "contended", counters->contended);
    put_count(object, "bytes_migrated_user", counters->bytes_user);
    put_count(object, "bytes_migrated_coherence", counters->bytes_coherence);
    put_count(object, "bytes_migrated_prefetch", counters->bytes_prefetch);
    put_count(object, "bytes_migrated_eviction", counters->bytes_eviction);
    put_count(object, "thrashing", counters->thrashing);
    put_count(object, "throttles", counters->throttles);
    put_count(object, "remote_maps", counters->remote_maps);
    if (row->verdict == UM_VERDICT_SKIPPED) {
        cJSON_AddNullToObject(object, "verified");
        put_text(object, "skipped", row->reason);
    } else {
        cJSON_AddBoolToObject(object, "verified", row->verdict == UM_VERDICT_YES);
    }
    put_extras(object, row);
    return object;
}

static void put_machine(cJSON *root)
{
    const struct um_device *device = um_device();
    char version[16];
    cJSON *object;

    if (um_is_sim()) {
        put_text(root, "profile", device->profile);
        return;
    }
    object = cJSON_AddObjectToObject(root, "device");
    put_text(object, "name", device->name);
    put_text(object, "driver", device->driver);
    snprintf(version, sizeof version, "%d.%d", device->runtime / 1000, device->runtime % 1000 / 10);
    put_text(object, "cuda", version);
}

/* What happened, what the rule says, and why. */
static void put_answers(cJSON *root, const struct um_lab *lab, const struct um_options *options,
                        const struct um_results *results)
{
    cJSON *all = cJSON_AddArrayToObject(root, "answers");

    for (const struct um_question *q = lab->questions; q->name; q++) {
        struct um_answer answer = {.happened = NAN, .rule = NAN};
        const bool known = q->answer(results, options, &answer);
        cJSON *object = cJSON_CreateObject();

        cJSON_AddStringToObject(object, "name", q->name);
        put_number(object, "happened", known ? answer.happened : NAN);
        put_number(object, "rule", known ? answer.rule : NAN);
        put_text(object, "why", known ? answer.why : "");
        cJSON_AddItemToArray(all, object);
    }
}

/* The whole document as text, to be freed with free(); NULL when out of memory. */
static char *document(const struct um_lab *lab, const struct um_options *options,
                      const struct um_results *results, const struct um_closing *closing)
{
    cJSON *root = cJSON_CreateObject(), *args, *rows;
    char *text;

    cJSON_AddStringToObject(root, "schema", "umlab/1");
    cJSON_AddStringToObject(root, "lab", lab->name);
    cJSON_AddStringToObject(root, "backend", um_backend_name());
    put_machine(root);
    cJSON_AddStringToObject(root, "times", um_times());
    args = cJSON_AddArrayToObject(root, "args");
    for (int i = 1; i < options->argc; i++) {
        cJSON_AddItemToArray(args, cJSON_CreateString(options->argv[i]));
    }
    rows = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < results->count; i++) {
        cJSON_AddItemToArray(rows, row_object(results->rows[i]));
    }
    if (lab->questions)
        put_answers(root, lab, options, results);
    if (closing->text[0] != '\0')
        cJSON_AddStringToObject(root, "closing", closing->text);
    text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

/* Whether `path` exists and is not a regular file: a pipe or a device is written in place. */
static bool is_special(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The name of a temporary file beside `path`, to be freed with free(); NULL when out of memory. */
static char *beside(const char *path)
{
    const size_t size = strlen(path) + sizeof ".XXXXXX";
    char *name = malloc(size);

    if (name)
        snprintf(name, size, "%s.XXXXXX", path);
    return name;
}

const char *um_json_probe(const char *path)
{
    struct stat status;
    char *name;
    int file;

    if (strcmp(path, "-") == 0)
        return NULL;
    if (path[0] == '\0')
        return "the name is empty";
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return strerror(EISDIR);
        if (access(path, W_OK) != 0)
            return strerror(errno);
        if (!S_ISREG(status.st_mode))
            return NULL;
    }
    name = beside(path);
    if (!name)
        return strerror(ENOMEM);
    file = mkstemp(name);
    if (file >= 0) {
        close(file);
        unlink(name);
    }
    free(name);
    return file >= 0 ? NULL : strerror(errno);
}

/* Writes text and a newline, and flushes them to the disk. @return 0, or errno */
static int write_out(FILE *file, const char *text, bool regular)
{
    errno = 0;
    if (fputs(text, file) < 0 || fputc('\n', file) < 0 || fflush(file) != 0)
        return errno != 0 ? errno : EIO;
    if (regular && fsync(fileno(file)) != 0)
        return errno;
    return 0;
}

/* The permissions that the file already has, or those that a new file gets. */
static mode_t wanted_mode(const char *path)
{
    struct stat status;
    mode_t mask;

    if (stat(path, &status) == 0)
        return status.st_mode & 07777;
    mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int write_special(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    int error;

    if (!file)
        return errno;
    error = write_out(file, text, false);
    if (fclose(file) != 0 && error == 0)
        error = errno;
    return error;
}

static int write_regular(const char *path, const char *text)
{
    char *name = beside(path);
    const int descriptor = name ? mkstemp(name) : -1;
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    int error = !file ? (!name ? ENOMEM : errno) : 0;

    if (file) {
        error = write_out(file, text, true);
        if (error == 0 && fchmod(descriptor, wanted_mode(path)) != 0)
            error = errno;
        if (fclose(file) != 0 && error == 0)
            error = errno;
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    if (error == 0 && rename(name, path) != 0)
        error = errno;
    if (error != 0 && descriptor >= 0)
        unlink(name);
    free(name);
    return error;
}

const char *um_json_write(const char *path, const struct um_lab *lab, const struct um_options *options,
                          const struct um_results *results, const struct um_closing *closing)
{
    char *text = document(lab, options, results, closing);
    int error;

    if (!text)
        return strerror(ENOMEM);
    if (strcmp(path, "-") == 0)
        error = write_out(stdout, text, false);
    else if (is_special(path))
        error = write_special(path, text);
    else
        error = write_regular(path, text);
    free(text);
    return error != 0 ? strerror(error) : NULL;
}
