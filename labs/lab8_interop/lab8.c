/**
 * @file lab8.c
 * @brief Lab 8: how do C and Python share one pointer without a copy?
 *
 * libumlab.so (interop/) makes one vector in managed memory, and a library uses that memory as its own
 * array: first C itself, then, each in a Python process, numpy and the other libraries that are installed.
 * All print the address at which they have it, and the lab counts the bytes copied. Then it makes the
 * mistakes that sharing invites, and shows how they are caught and explained. The Python half is lab8.py;
 * speakers.py has one function for each library.
 *
 *     make lab8
 *     make lab8 ARGS="--strategy c,numpy"
 */
#include "child.h"

#include "interop/um_interop.h"
#include "kernels.h"

#define MISTAKES_MAX 4
#define NEEDS_NUMPY "pip install numpy" /* how lab8.py says it in the reason of a skip */
#define VIEWED_LEAST 20                 /* records: the slice in views.py is that of the second ten */

/* The message for each mistake, for the text below the table. */
static struct {
    const char *name;
    char said[400];
} mistakes[MISTAKES_MAX];
static int mistake_count;

static void show_address(struct um_row *row, double address)
{
    char text[UM_ADDRESS_TEXT];
    um_address_text((void *)(uintptr_t)address, text); // NOLINT(performance-no-int-to-ptr)
    um_extra_text(row, "address", "address", "", text);
}

/* C: the same functions that Python calls. */
static void c(struct um_run *run)
{
    const size_t n = run->size / sizeof(float);
    struct um_row *row = um_row(run, NULL);
    struct um_place x = {0, 0};
    struct um_buffer_info info;
    float *h_x;
    bool right = true;

    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(um_buffer_create(UM_MEMORY_MANAGED, run->size, &x.buffer));
    UM_TRY(um_buffer_describe(x.buffer, &info));
    h_x = (float *)(uintptr_t)info.address; // NOLINT(performance-no-int-to-ptr)
    um_phase(row, UM_PHASE_HOST);
    for (size_t i = 0; i < n; i++)
        h_x[i] = 2 * (float)(i % 1000);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_launch_saxpy(x, 1, x, n, 0));
    UM_TRY(um_synchronize(0));
    um_phase(row, UM_PHASE_HOST);
    for (size_t i = 0; i < n; i++)
        right = right && h_x[i] == 4 * (float)(i % 1000);
    um_phase_end(row);
    show_address(row, (double)info.address);
    um_extra_text(row, "one_address", "one address", "", "yes");
    if (row->counters.bytes_h2d != UM_NONE)
        um_extra_count(row, "bytes_copied", "copied", "B", row->counters.bytes_h2d + row->counters.bytes_d2h);
    um_row_verified(row, right);
cleanup:
    if (x.buffer)
        (void)um_buffer_release(x.buffer);
}

/* Runs one library: adds the row for what its process answered. */
static void share(struct um_run *run)
{
    struct um_row *row = um_row(run, NULL);
    char n[32], why[120];
    cJSON *answer;
    const cJSON *skip, *copied;

    snprintf(n, sizeof n, "%zu", run->size / sizeof(float));
    answer = child_ask("share", run->strategy, n, why, sizeof why);
    skip = cJSON_GetObjectItem(answer, "skip");
    copied = cJSON_GetObjectItem(answer, "copied");
    if (!answer || cJSON_IsString(skip)) {
        um_row_skip(row, "%.110s", answer ? skip->valuestring : why);
    } else {
        const bool same = cJSON_IsTrue(cJSON_GetObjectItem(answer, "same"));
        show_address(row, cJSON_GetNumberValue(cJSON_GetObjectItem(answer, "address")));
        um_extra_text(row, "one_address", "one address", "", same ? "yes" : "NO");
        if (cJSON_IsNumber(copied))
            um_extra_count(row, "bytes_copied", "copied", "B", (int64_t)copied->valuedouble);
        um_row_verified(row, same && cJSON_IsTrue(cJSON_GetObjectItem(answer, "verified")));
        um_row_verified(row, !cJSON_IsNumber(copied) || copied->valuedouble == 0);
    }
    cJSON_Delete(answer);
}

/* What a view is: one array of records, seen in several ways. */
static void views(struct um_run *run)
{
    const size_t n = run->size / sizeof(struct um_record);
    char text[32], why[120];
    cJSON *answer;
    const cJSON *skip, *view;

    snprintf(text, sizeof text, "%zu", n < VIEWED_LEAST ? VIEWED_LEAST : n);
    answer = child_ask("views", text, NULL, why, sizeof why);
    skip = cJSON_GetObjectItem(answer, "skip");
    if (!answer || cJSON_IsString(skip))
        um_row_skip(um_row(run, NULL), "%.110s", answer ? skip->valuestring : why);
    cJSON_ArrayForEach(view, cJSON_GetObjectItem(answer, "rows"))
    {
        static const char *const columns[][3] = {
            {"begins_at", "begins at", "B"}, {"stride", "stride", "B"}, {"references", "references", ""}};
        struct um_row *row = um_row(run, cJSON_GetStringValue(cJSON_GetObjectItem(view, "name")));
        for (size_t i = 0; i < UM_COUNT(columns); i++)
            um_extra_count(row, columns[i][0], columns[i][1], columns[i][2],
                           (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(view, columns[i][0])));
        um_row_verified(row, cJSON_IsTrue(cJSON_GetObjectItem(view, "verified")));
    }
    cJSON_Delete(answer);
}

/* The mistakes: the row is right when each was caught. */
static void mistake(struct um_run *run)
{
    static const char *const names[] = {"device-read", "free-under-view", "no-synchronize"};

    mistake_count = 0;
    for (size_t i = 0; i < UM_COUNT(names); i++) {
        struct um_row *row = um_row(run, names[i]);
        char why[120];
        cJSON *answer = child_ask("mistake", names[i], NULL, why, sizeof why);
        const cJSON *skip = cJSON_GetObjectItem(answer, "skip");

        if (!answer || cJSON_IsString(skip)) {
            um_row_skip(row, "%.110s", answer ? skip->valuestring : why);
        } else {
            const char *said = cJSON_GetStringValue(cJSON_GetObjectItem(answer, "said"));
            um_row_verified(row, cJSON_IsTrue(cJSON_GetObjectItem(answer, "verified")));
            mistakes[mistake_count].name = names[i];
            snprintf(mistakes[mistake_count++].said, sizeof mistakes[0].said, "%s", said ? said : "");
        }
        cJSON_Delete(answer);
    }
}

static void after(const struct um_results *results, FILE *out)
{
    (void)results;
    for (int i = 0; i < mistake_count; i++)
        um_print(out, 19, "%s  %-15s  %s\n", i ? "" : "\nMistakes, as they are caught:\n", mistakes[i].name,
                 mistakes[i].said);
}

/* The text of the row's column `key`, or NULL. */
static const char *text_of(const struct um_row *row, const char *key)
{
    for (int i = 0; i < row->extra_count; i++) {
        if (strcmp(row->extras[i].key, key) == 0)
            return row->extras[i].text;
    }
    return NULL;
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    int owners = 0, without_numpy = 0;
    const char *address = NULL;
    double copied = 0;

    (void)options;
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];
        const char *here = text_of(row, "address");
        const double bytes = um_extra_value(row, "bytes_copied");

        if (row->verdict == UM_VERDICT_SKIPPED && strstr(row->reason, NEEDS_NUMPY))
            without_numpy++;
        if (!here || row->verdict != UM_VERDICT_YES)
            continue;
        owners++;
        address = here;
        copied += bytes > 0 ? bytes : 0;
    }
    if (owners > 1)
        um_closing_say(closing,
                       "%d owners have the vector at the same address, %s, and %.0f bytes were copied.",
                       owners, address, copied);
    else if (owners == 1)
        um_closing_say(closing, "Only C had the vector here.");
    if (without_numpy > 0)
        um_closing_say(closing, " %d rows need: %s", without_numpy, NEEDS_NUMPY);
}

static const struct um_section sections[] = {
    {"c", "One vector, several owners"},
    {"views", "One array of records, seen in several ways"},
    {"mistakes", "Mistakes"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"c", "C alone, by the functions that Python calls", c},
    {"numpy", "an array over the memory itself (buffer protocol)", share},
    {"pytorch", "a tensor (DLPack; on a GPU __cuda_array_interface__)", share},
    {"tensorflow", "a constant tensor (DLPack)", share},
    {"pyopencl", "a buffer of OpenCL (USE_HOST_PTR)", share},
    {"cupy", "an array of CuPy (__cuda_array_interface__)", share},
    {"numba", "an array of Numba (__cuda_array_interface__)", share},
    {"pycuda", "an array of PyCUDA (the bare address)", share},
    {"cuda-core", "a view of CUDA Python's (__cuda_array_interface__)", share},
    {"jax", "a constant array of JAX (DLPack)", share},
    {"views", "one array of records: numpy, a field, a tensor; who holds it", views},
    {"mistakes", "reading device memory, freeing under a view, forgetting to wait", mistake},
};

static const struct um_lab lab = {
    .name = "lab8",
    .question = "How do C and Python share one pointer without a copy?",
    .about = "One vector in managed memory; C, numpy and each library that is installed take it for their "
             "own array.\n"
             "The address is the same everywhere, and nothing is copied.",
    .size_is = "bytes of the vector",
    .default_size = (size_t)4 << 20,
    .minimum_size = sizeof(float),
    .size_multiple = sizeof(float),
    .managed_arrays = 1,
    .columns = UM_COLUMNS_OWN,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .after = after,
    .closing = closing,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
