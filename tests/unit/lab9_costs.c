/**
 * @file lab9_costs.c
 * @brief What lab 9's checks say that a workload takes (labs/lab9_choose/grade/costs.h) is what the lab's own
 * rows say; and on the machines that choose() is asked about, what their figures say.
 *
 * Rows are from build/sim/lab9, which has to be there. The price leaves out what a program's earlier jobs do
 * to the next: the fault handler may be awake still, and small allocations may find a chunk.
 */
#include "labs/lab9_choose/grade/costs.h"
#include "labs/lab9_choose/grade/machines.h"
#include "labs/lab9_choose/patterns.h"
#include "model/profile.h"
#include "um_test.h"
#include "umsim/page.h"

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

/* ---- machines ---- */

static unsigned drawn; /* numbers so far */

/* The same numbers each time, all over the range. */
static double some_factor(double least, double most)
{
    const double share = fmod(0.6180339887498949 * ++drawn, 1);

    return least * pow(most / least, share);
}

static double line_us(struct lab9_line line, double mib)
{
    return line.us + line.us_per_mib * mib;
}

/* By first principles: what a job's steps take, as exercise.h's figures have them. */
static double sum_us(const struct lab9_machine *it, const struct lab9_workload *work, enum lab9_kind kind)
{
    const double mib = (double)work->bytes / (1 << 20), rounds = work->rounds,
                 kernels = rounds * work->passes;
    const double used = mib / (double)work->stride * (work->stride < 16 ? (double)work->stride : 16);
    const double near = kernels * used * it->near_us_per_mib, far = kernels * used * it->far_us_per_mib;
    const double moves = work->read_only ? 1 : 2 * rounds, managed = line_us(it->managed_memory, mib);
    const double device = line_us(it->device_memory, mib), pinned = line_us(it->pinned_memory, mib);

    switch (kind) {
    case LAB9_PAGEABLE:
        return device + near + moves * line_us(it->pageable_copy, mib);
    case LAB9_PINNED:
        return device + pinned + near + moves * line_us(it->pinned_copy, mib);
    case LAB9_MAPPED:
        return pinned + far;
    case LAB9_PREFETCH:
        return managed + near + 2 * rounds * line_us(it->prefetch, mib);
    default:
        if (lab9_advice(work) == LAB9_STAY)
            return managed + near + 2 * rounds * line_us(it->prefetch, mib);
        return managed + line_us(it->advice, mib) +
               (lab9_advice(work) == LAB9_DUPLICATE ? near + line_us(it->prefetch, mib) : far);
    }
}

/* What the figures do not tell: launches, which all kinds have. */
static bool is_sum(const struct lab9_machine *machine, const struct lab9_workload *work, enum lab9_kind kind,
                   const struct lab9_price *price)
{
    const double us = price->memory_us + price->job_us, sum = sum_us(machine, work, kind);
    const double launches_us = profile()->costs.launch_start_us * 2 * work->passes * work->rounds;

    return us > 0.99 * sum - 0.5 && us < 1.03 * sum + launches_us + 0.5;
}

static void compare_with_figures(const struct lab9_machine *machine, const struct lab9_workload *work)
{
    const struct umsim_profile other = lab9_profile(profile(), machine);
    double us[LAB9_KINDS] = {0}, least = INFINITY;

    for (int k = 0; k < LAB9_KINDS; k++) {
        const struct lab9_price price = lab9_price(&other, work, (enum lab9_kind)k);

        us[k] = price.memory_us + price.job_us;
        least = k == LAB9_MANAGED ? least : fmin(least, us[k]);
        if (k != LAB9_MANAGED && !is_sum(machine, work, (enum lab9_kind)k, &price))
            UM_FAIL(
                "%s, %zu bytes, stride %zu, read only %d, %u passes, %u rounds: %.1f us, by its figures %.1f",
                lab9_kind_name(k), work->bytes, work->stride, work->read_only, work->passes, work->rounds,
                us[k], sum_us(machine, work, (enum lab9_kind)k));
    }
    if (us[LAB9_MANAGED] < least)
        UM_FAIL(
            "managed is the best: %zu bytes, stride %zu, read only %d, %u passes, %u rounds: %.1f us, %.1f",
            work->bytes, work->stride, work->read_only, work->passes, work->rounds, us[LAB9_MANAGED], least);
}

static void figures_say_all_of_a_machine(void)
{
    static const size_t bytes[] = {4096, 65536, (size_t)1 << 20, (size_t)9 << 20}, strides[] = {1, 16, 1024};

    if (UMSIM_PAGE_BYTES != 4096)
        UM_SKIP("the lab's figures are those of pages of 4 KiB, and these have %d", UMSIM_PAGE_BYTES);
    for (int i = 0; i < 240; i++) {
        const struct lab9_machine machine = lab9_vary(lab9_figures(profile()), some_factor);
        const struct lab9_workload work = {.bytes = bytes[i % 4],
                                           .stride = strides[i / 4 % 3],
                                           .read_only = i / 12 % 2 == 0,
                                           .passes = i / 24 % 2 == 0 ? 1 : 4,
                                           .rounds = i / 48 % 2 == 0 ? 1 : 4,
                                           .jobs = 1,
                                           .device_bytes = (size_t)1 << 37};

        compare_with_figures(&machine, &work);
    }
}

UM_TESTS("lab 9's prices", {"prices are those of the rows", prices_are_those_of_the_rows},
         {"what does not fit has no price, but in place", what_does_not_fit_has_no_price_but_in_place},
         {"figures say all of a machine", figures_say_all_of_a_machine});
