/**
 * @file lab9_costs.c
 * @brief What lab 9's checks say that a workload takes (labs/lab9_choose/costs.h) is what the lab's own rows say.
 *
 * Rows are from build/sim/lab9, which has to be there. The price leaves out what a program's earlier jobs do to the next:
 * the fault handler may be awake still, and small allocations may find a chunk.
 */
#include "labs/lab9_choose/costs.h"
#include "labs/lab9_choose/patterns.h"
#include "um_test.h"

#include <cjson/cJSON.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

/* What the lab prints as JSON; NULL when it is not there. */
static cJSON *rows_of_lab(size_t size)
{
    static char text[1 << 20];
    char own[512] = "", command[1024];
    size_t got;
    FILE *pipe;

    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0)
        return NULL;
    snprintf(command, sizeof command,
             "'%s/../../lab9' --quiet --size %zu --strategy pageable,pinned,mapped,managed,prefetch,advised "
             "--json - "
             "2>/dev/null",
             dirname(own), size);
    pipe = popen(command, "r");
    if (pipe == NULL)
        return NULL;
    got = fread(text, 1, sizeof text - 1, pipe);
    text[got] = '\0';
    return pclose(pipe) == 0 ? cJSON_Parse(text) : NULL;
}

static const struct umsim_profile *profile(void)
{
    static struct umsim_profile loaded;
    static const char *const dirs[] = {"profiles"};
    char error[256];

    if (loaded.name[0] == '\0' &&
        umsim_profile_load("h200-pcie5", dirs, 1, &loaded, error, sizeof error) != 0)
        UM_FAIL("%s", error);
    return &loaded;
}

static double number(const cJSON *row, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(row, key));
}

static double worst, sum;
static int compared;

static void compare(const cJSON *row, const char *name, size_t bytes, double is_us, double should_us)
{
    const double off = fabs(is_us - should_us) / should_us;

    (void)row;
    sum += off;
    compared++;
    worst = off > worst ? off : worst;
    printf("    %-24s %9zu bytes: row %10.1f us, price %10.1f us, %5.1f%%\n", name, bytes, should_us, is_us,
           100 * off);
}

static void compare_row(const cJSON *row)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(row, "strategy"));
    const size_t bytes = (size_t)number(row, "size_bytes");

    for (int k = 0; k < LAB9_KINDS; k++) {
        const size_t length = strlen(lab9_kind_name(k));

        for (int p = 0; p < PATTERNS && strncmp(name, lab9_kind_name(k), length) == 0; p++) {
            const struct lab9_workload work = pattern_work(&patterns[p], bytes, (size_t)1 << 37);

            if (strcmp(name + length + 1, patterns[p].name) != 0)
                continue;
            compare(row, name, bytes, lab9_price(profile(), &work, k).job_us, number(row, "work_us"));
        }
    }
}
static void prices_are_those_of_the_rows(void)
{
    static const size_t sizes[] = {(size_t)4 << 20, (size_t)16 << 20};

    for (size_t i = 0; i < 2; i++) {
        cJSON *document = rows_of_lab(sizes[i]), *row;

        if (document == NULL)
            UM_SKIP("build/sim/lab9 is not there, or did not run");
        cJSON_ArrayForEach(row, cJSON_GetObjectItem(document, "rows")) compare_row(row);
        cJSON_Delete(document);
    }
    printf("    %d rows: mean error %.1f%%, worst %.1f%%\n", compared, 100 * sum / compared, 100 * worst);
}

UM_TESTS("lab 9's prices", {"prices are those of the rows", prices_are_those_of_the_rows});
