/**
 * @file lessons.c
 * @brief Reads what is said of a check beside its verdict: the idea behind it, and what was learned.
 *
 * Both are in the lab's grade/lessons.md, so that authors write them as prose:
 *
 *     ## vector_add_host/right_data
 *     - idea: said when the check fails; goes on
 *       in lines that begin with two spaces
 *     - learned: said when it passes
 *
 * Other lines are for readers.
 */
#include "grade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file's text; each line ends with '\n'. */
static const char *lessons(void)
{
    static char *text;
    char path[4200];
    size_t size = 0;
    FILE *file;
    if (text)
        return text;
    snprintf(path, sizeof path, "%s/grade/lessons.md", um_job.lab_dir);
    file = fopen(path, "r");
    if (!file || getdelim(&text, &size, '\0', file) < 0)
        um_cannot("cannot read %s", path);
    fclose(file);
    return text;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* In the part of a check, up to the next check's heading, the first line that begins with `with`; NULL:
 * there is none. */
static const char *find(const char *check, const char *with)
{
    char *heading = um_text("## %s\n", check);
    const char *line = lessons();
    while (*line && !begins(line, heading))
        line = next_line(line);
    free(heading);
    for (line = next_line(line); *line && !begins(line, "## "); line = next_line(line))
        if (begins(line, with))
            return line + strlen(with);
    return NULL;
}

const char *um_lesson(const char *check, const char *what)
{
    char *with = um_text("- %s: ", what), *said;
    const char *line = find(check, with);
    free(with);
    if (!line)
        um_cannot("%s/grade/lessons.md: no `%s` for %s", um_job.lab_dir, what, check);
    said = um_text("%.*s", (int)strcspn(line, "\n"), line);
    for (line = next_line(line); begins(line, "  "); line = next_line(line)) {
        char *more = um_text("%s %.*s", said, (int)strcspn(line + 2, "\n"), line + 2);
        free(said);
        said = more;
    }
    return said;
}
