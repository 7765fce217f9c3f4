/**
 * @file result.c
 * @brief Reports results: text on the terminal in xv6's manner, one line of JSON after each check, the whole
 * document at the end.
 */
#include "grade.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int lines = -1;
static char started[32];

static char *out_path(const char *suffix)
{
    return um_text("%s/%s.%s", um_job.out, um_job.lab, suffix);
}

void um_result_start(void)
{
    time_t now = time(NULL);
    struct tm utc;
    char *path = out_path("jsonl"), *old = out_path("json");
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    unlink(old); /* an older result must not stand for this one */
    lines = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (lines < 0)
        um_cannot("cannot write %s: %s", path, strerror(errno));
    free(old);
    free(path);
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    char *clean = text ? um_clean(text) : NULL;
    if (!cJSON_AddItemToObject(object, name, clean ? cJSON_CreateString(clean) : cJSON_CreateNull()))
        um_cannot("no memory for the result");
    free(clean);
}

static double round_seconds(double seconds)
{
    return (double)(long)(seconds * 1000 + 0.5) / 1000;
}

static cJSON *check_json(const struct um_verdict *verdict)
{
    cJSON *json = cJSON_CreateObject();
    const struct um_check *check = verdict->check;
    const bool passed = verdict->status == UM_PASS;
    char parent[160];
    snprintf(parent, sizeof parent, "%s/%s", verdict->exercise->function, check->parent ? check->parent : "");
    add_text(json, "name", verdict->name);
    add_text(json, "exercise", verdict->exercise->function);
    add_text(json, "status", um_status_name(verdict->status));
    cJSON_AddNumberToObject(json, "points", passed ? check->points : 0);
    cJSON_AddNumberToObject(json, "max_points", check->points);
    add_text(json, "parent", check->parent ? parent : NULL);
    add_text(json, "schedule", verdict->schedule[0] ? verdict->schedule : NULL);
    add_text(json, "expected", verdict->expected);
    add_text(json, "happened", verdict->happened);
    add_text(json, "where", verdict->where);
    if (verdict->line)
        cJSON_AddNumberToObject(json, "line", verdict->line);
    add_text(json, "idea", passed ? "" : verdict->idea);
    add_text(json, "learned", passed ? verdict->learned : "");
    add_text(json, "output", verdict->output);
    cJSON_AddNumberToObject(json, "seconds", round_seconds(verdict->seconds));
    return json;
}

static void write_all(int fd, const char *text)
{
    for (size_t left = strlen(text); left;) {
        ssize_t put = write(fd, text, left);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            um_cannot("cannot write the result: %s", strerror(errno));
        text += put;
        left -= (size_t)put;
    }
}

/* What others wrote is in it, or may be: the first line follows `name`, further lines follow blanks. */
static void print_lines(const char *name, const char *text)
{
    char *clean = um_clean(text);
    for (const char *line = clean; *line;) {
        const size_t length = strcspn(line, "\n");
        printf("     %-9s %.*s\n", name, (int)length, line);
        line += length + (line[length] == '\n');
        name = "";
    }
    free(clean);
}

void um_result_build(const struct um_build *build)
{
    if (!build->log[0])
        return;
    printf("== Build == %s (%.1fs)\n", build->ok ? "OK" : "BUILD-ERROR", build->seconds);
    print_lines("compiler", build->log);
}

static void print_check(const struct um_verdict *verdict)
{
    const bool colour = isatty(STDOUT_FILENO), passed = verdict->status == UM_PASS;
    const char *word = passed ? "OK" : um_status_name(verdict->status);
    printf("== Test %s == %s%s%s (%.1fs)\n", verdict->name, colour ? passed ? "\033[32m" : "\033[31m" : "",
           word, colour ? "\033[0m" : "", verdict->seconds);
    if (passed) {
        print_lines("learned", verdict->learned);
    } else if (verdict->status != UM_BUILD_ERROR) { /* the compiler's message is above, once */
        print_lines("expected", verdict->expected);
        print_lines("happened", verdict->happened);
        print_lines("where", verdict->where);
        if (verdict->line && verdict->status != UM_SKIP)
            printf("     source    %s() in exercise.c:%u\n", verdict->exercise->function, verdict->line);
        if (verdict->status != UM_SKIP)
            print_lines("idea", verdict->idea);
        print_lines("output", verdict->output);
    }
    fflush(stdout);
}

void um_result_check(const struct um_verdict *verdict)
{
    cJSON *json = check_json(verdict);
    char *text = cJSON_PrintUnformatted(json);
    if (!text)
        um_cannot("no memory for the result");
    write_all(lines, text);
    write_all(lines, "\n");
    cJSON_free(text);
    cJSON_Delete(json);
    print_check(verdict);
}

static unsigned add_checks(cJSON *json, unsigned *most)
{
    unsigned count, score = 0;
    const struct um_verdict *verdict = um_verdicts(&count);
    cJSON *checks = cJSON_AddArrayToObject(json, "checks");
    for (*most = 0; count--; verdict++) {
        cJSON_AddItemToArray(checks, check_json(verdict));
        *most += verdict->check->points;
        score += verdict->status == UM_PASS ? verdict->check->points : 0;
    }
    return score;
}

static cJSON *head(const struct um_build *build, double seconds)
{
    cJSON *json = cJSON_CreateObject(), *made;
    add_text(json, "schema", "umlab-grade/1");
    add_text(json, "lab", um_job.lab);
    add_text(json, "submission", um_job.submission);
    add_text(json, "backend", "sim");
    add_text(json, "profile", um_job.profile ? um_job.profile : "h200-pcie5");
    add_text(json, "cage", um_job.sandbox);
    add_text(json, "inputs", um_key_is_public() ? "public" : "keyed");
    add_text(json, "started", started);
    cJSON_AddNumberToObject(json, "seconds", round_seconds(seconds));
    cJSON_AddTrueToObject(json, "complete");
    made = cJSON_AddObjectToObject(json, "build");
    cJSON_AddBoolToObject(made, "ok", build->ok);
    add_text(made, "log", build->log);
    return json;
}

/* The document appears whole or not at all. */
static void write_document(const cJSON *json)
{
    char *path = out_path("json"), *fresh = out_path("json.new"), *text = cJSON_Print(json);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || !text)
        um_cannot("cannot write %s: %s", fresh, strerror(errno));
    write_all(fd, text);
    write_all(fd, "\n");
    if (close(fd) != 0 || rename(fresh, path) != 0)
        um_cannot("cannot write %s: %s", path, strerror(errno));
    cJSON_free(text);
    free(fresh);
    free(path);
}

int um_result_end(const struct um_build *build, double seconds)
{
    unsigned most;
    cJSON *json = head(build, seconds);
    unsigned score = add_checks(json, &most);
    cJSON_AddNumberToObject(json, "score", score);
    cJSON_AddNumberToObject(json, "max_score", most);
    write_document(json);
    cJSON_Delete(json);
    close(lines);
    if (um_key_is_public())
        printf("Inputs: drawn without a key, so everybody can repeat this grading\n");
    printf("Score: %u/%u\n", score, most);
    return score == most ? 0 : 1;
}
