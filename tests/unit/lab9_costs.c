/**
 * @file lab9_costs.c
 * @brief What lab 9's checks say that a workload takes (labs/lab9_choose/grade/costs.h) is what the lab's own
 * rows say.
 *
 * Rows are from build/sim/lab9, which has to be there. The price leaves out what a program's earlier jobs do
 * to the next: the fault handler may be awake still, and small allocations may find a chunk.
 */
#include "labs/lab9_choose/grade/costs.h"
#include "labs/lab9_choose/patterns.h"
#include "model/profile.h"
#include "um_test.h"

#include <cjson/cJSON.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
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
             "--json - 2>/dev/null",
             dirname(own), size);
    pipe = popen(command, "r");
    if (!pipe)
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

/* Whether a row's time is the price's, but for what the price leaves out. */
static bool is_priced(const struct lab9_workload *work, enum lab9_kind kind, double row_us, double price_us)
{
    const double awake_us = profile()->costs.gpu_fault_idle_us; /* less, where the handler was still awake */

    if (fabs(row_us - price_us) <= 0.01 * row_us)
        return true;
    if (kind == LAB9_MANAGED &&
        work->rounds > 1) /* pages that both sides fight over: what went before matters */
        return row_us < 4 * price_us && price_us < 4 * row_us;
    return kind == LAB9_MANAGED && fabs(row_us + awake_us - price_us) <= 0.01 * price_us;
}

/* @return 1: compared; 0: it is a row of no kind and pattern */
static int compare_row(const cJSON *row)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(row, "strategy"));
    const size_t bytes = (size_t)number(row, "size_bytes");

    for (int k = 0; k < LAB9_KINDS; k++) {
        const size_t length = strlen(lab9_kind_name(k));

        for (int p = 0; p < PATTERNS && strncmp(name, lab9_kind_name(k), length) == 0; p++) {
            const struct lab9_workload work = pattern_work(&patterns[p], bytes, (size_t)1 << 37);
            const struct lab9_price price = lab9_price(profile(), &work, (enum lab9_kind)k);
            const double work_us = number(row, "work_us"), memory_us = number(row, "total_us") - work_us;

            if (strcmp(name + length + 1, patterns[p].name) != 0)
                continue;
            if (!is_priced(&work, (enum lab9_kind)k, work_us, price.job_us))
                UM_FAIL("%s, %zu bytes: a job is priced at %.1f us, the row took %.1f us", name, bytes,
                        price.job_us, work_us);
            if (fabs(memory_us - price.memory_us) > 0.02 * memory_us)
                UM_FAIL("%s, %zu bytes: the memory is priced at %.1f us, the row's took %.1f us", name, bytes,
                        price.memory_us, memory_us);
            return 1;
        }
    }
    return 0;
}

static void prices_are_those_of_the_rows(void)
{
    static const size_t sizes[] = {(size_t)1 << 20, (size_t)5 << 20};
    int compared = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cJSON *document = rows_of_lab(sizes[i]), *row;

        if (!document)
            UM_SKIP("build/sim/lab9 is not there, or did not run");
        cJSON_ArrayForEach(row, cJSON_GetObjectItem(document, "rows"))
        {
            compared += compare_row(row);
        }
        cJSON_Delete(document);
    }
    UM_EQUAL(compared, 2 * 20 * LAB9_KINDS);
}

static void what_does_not_fit_has_no_price_but_in_place(void)
{
    struct lab9_workload work = pattern_work(&patterns[0], (size_t)8 << 20, (size_t)4 << 20);

    for (int k = 0; k < LAB9_KINDS; k++) {
        const bool priced = isfinite(lab9_price(profile(), &work, (enum lab9_kind)k).job_us);

        UM_EQUAL(priced, k == LAB9_MAPPED || k == LAB9_ADVISED);
    }
}

UM_TESTS("lab 9's prices", {"prices are those of the rows", prices_are_those_of_the_rows},
         {"what does not fit has no price, but in place", what_does_not_fit_has_no_price_but_in_place});
