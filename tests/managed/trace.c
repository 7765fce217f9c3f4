/**
 * @file trace.c
 * @brief UMSIM_TRACE: every line is a JSON object with the keys of docs/trace.md, and the lines add up to the
 * counters.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

/* Something of everything that is traced, on a device with little memory. */
static void all_events(void)
{
    const size_t bytes = 40 * MiB, n = bytes / sizeof(int);
    struct umsim_counters counters;
    int *a = NULL, *b = NULL, *d_c = NULL, one = 0;
    cudaEvent_t event;
    cudaStream_t stream;

    SCENE_CALL(cudaStreamCreate(&stream));
    SCENE_CALL(cudaEventCreate(&event));
    SCENE_CALL(cudaMallocManaged((void **)&a, bytes, cudaMemAttachGlobal));
    SCENE_CALL(cudaMallocManaged((void **)&b, bytes, cudaMemAttachGlobal));
    SCENE_CALL(cudaMalloc((void **)&d_c, 4 * MiB));
    for (size_t i = 0; i < n; i += 1024)
        a[i] = 1;
    SCENE_CALL(
        um_strided_touch((void *)b, n, 60000, stream)); /* sparse, so that what is evicted is in pieces */
    SCENE_CALL(cudaEventRecord(event, stream));
    SCENE_CALL(cudaStreamWaitEvent(0, event, 0));
    SCENE_CALL(um_add_one(a, n, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    SCENE_CALL(um_advise(a, bytes / 2, cudaMemAdviseSetReadMostly, 0));
    SCENE_CALL(um_prefetch(a, bytes / 2, cudaCpuDeviceId, 0));
    SCENE_CALL(um_add_one(b, n, 0));
    SCENE_CALL(cudaMemcpy(d_c, a, 4 * MiB, cudaMemcpyDefault));
    SCENE_CALL(cudaMemcpy(&one, d_c, sizeof one, cudaMemcpyDeviceToHost));
    SCENE_CALL(cudaMemcpy(d_c, &one, sizeof one, cudaMemcpyHostToDevice));
    SCENE_CALL(cudaMemcpy(d_c + 1024, d_c, 1024, cudaMemcpyDeviceToDevice));
    SCENE_CALL(cudaMemset(d_c, 0, 4 * MiB));
    SCENE_CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i += 4096)
        a[i]++; /* duplicates go */
    SCENE_CALL(um_advise(b, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    SCENE_CALL(um_prefetch(b, bytes, cudaCpuDeviceId, 0));
    SCENE_CALL(um_add_one(b, n / 4, 0)); /* mapped, not moved */
    SCENE_CALL(cudaDeviceSynchronize());
    umsim_counters_read(&counters);
    umsim_trace_phase("a \"row\"", "kernel");
    umsim_trace_phase("a \"row\"", NULL);
    SCENE_CALL(cudaFree(a));
    SCENE_CALL(cudaFree(d_c));
    counters_print(&counters);
}
SCENE("all events", all_events)

/** What the lines of the trace add up to. */
struct sums {
    unsigned long long lines, cpu_faults, gpu_faults, htod, dtoh, evictions, duplicates, invalidated, remote,
        kernels, copied, calls, returns, phases, allocated, released, made, ended;
};

static bool is_number(const cJSON *line, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, key);

    return cJSON_IsNumber(item) && item->valuedouble >= 0;
}

static unsigned long long number(const cJSON *line, const char *key)
{
    return (unsigned long long)cJSON_GetObjectItemCaseSensitive(line, key)->valuedouble;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; text && *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool right_operation(const cJSON *line, const char *event)
{
    static const char *const events[] = {"kernel",        "memcpy",       "memset",
                                         "prefetch",      "event record", "wait for event",
                                         "host function", "free",         NULL};

    const char *detail = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "detail"));
    const bool has_detail =
        strcmp(event, "kernel") == 0 || strcmp(event, "memcpy") == 0 || strcmp(event, "prefetch") == 0;

    return is_one_of(event, events) && cJSON_GetArraySize(line) == 8 && (detail != NULL) == has_detail &&
           is_number(line, "stream") && is_number(line, "number") && is_number(line, "issue_ns") &&
           is_number(line, "start_ns") && is_number(line, "end_ns") && is_number(line, "bytes") &&
           number(line, "issue_ns") <= number(line, "start_ns") &&
           number(line, "start_ns") <= number(line, "end_ns");
}

static bool right_paging(const cJSON *line, const char *event)
{
    static const char *const events[] = {
        "CpuFault",  "GpuFault", "Migration", "ReadDuplicate", "ReadDuplicateInvalidate",
        "MapRemote", "Populate", "Eviction",  "Thrashing",     "Throttling",
        NULL};
    static const char *const causes[] = {"User", "Coherence", "Prefetch", "Eviction", NULL};
    static const char *const processors[] = {"CPU", "GPU", NULL};
    const cJSON *cause = cJSON_GetObjectItemCaseSensitive(line, "cause");
    const bool migrates = strcmp(event, "Migration") == 0;
    const char *address = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "address"));

    const char *base = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "allocation"));
    static const char *const accesses[] = {"read", "write", NULL};
    const char *access = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "access"));
    const bool waits = strcmp(event, "Throttling") == 0, is_batch = strcmp(event, "GpuFault") == 0;
    const bool faults = is_batch || strcmp(event, "CpuFault") == 0, is_due = is_number(line, "operation");

    return is_one_of(event, events) && cJSON_GetArraySize(line) == 7 + waits + is_batch + faults + is_due &&
           faults == is_one_of(access, accesses) && (!is_batch || is_due) && is_number(line, "time_ns") &&
           base && address && strtoull(base, NULL, 16) <= strtoull(address, NULL, 16) &&
           (!waits || is_number(line, "wait_ns")) && (!is_batch || is_number(line, "groups")) &&
           is_one_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "processor")), processors) &&
           (migrates ? is_one_of(cJSON_GetStringValue(cause), causes) : cJSON_IsNull(cause)) && address &&
           strncmp(address, "0x", 2) == 0 && strtoull(address, NULL, 16) % PAGE == 0 &&
           is_number(line, "bytes") && number(line, "bytes") > 0 && number(line, "bytes") % PAGE == 0;
}

static bool is_text(const cJSON *line, const char *key)
{
    return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(line, key));
}

/* What the host does, and where managed memory begins and ends. */
static bool right_host(const cJSON *line, const char *event)
{
    static const char *const calls[] = {"call", "return", NULL}, *const phases[] = {"phase", "phase end",
                                                                                    NULL};
    static const char *const allocations[] = {"allocation", "release", NULL};
    static const char *const ranges[] = {"RangeCreate", "RangeDestroy", "UnmapRemote", NULL};

    if (strcmp(event, "trace") == 0)
        return number(line, "version") == 1 && is_text(line, "program") && is_text(line, "profile");
    if (!is_number(line, "time_ns"))
        return false;
    if (is_one_of(event, calls))
        return is_text(line, "name");
    if (is_one_of(event, phases))
        return is_text(line, "row") && is_text(line, "phase") == (strcmp(event, "phase") == 0);
    if (is_one_of(event, allocations))
        return is_text(line, "allocation") && is_number(line, "bytes") && is_text(line, "kind") &&
               is_text(line, "call");
    return is_one_of(event, ranges) && is_text(line, "address") && is_number(line, "bytes");
}

static void add_host(struct sums *sums, const cJSON *line, const char *event)
{
    const unsigned long long bytes = is_number(line, "bytes") ? number(line, "bytes") : 0;

    sums->calls += strcmp(event, "call") == 0;
    sums->returns += strcmp(event, "return") == 0;
    sums->phases += strcmp(event, "phase") == 0;
    sums->allocated += strcmp(event, "allocation") == 0 ? bytes : 0;
    sums->released += strcmp(event, "release") == 0 ? bytes : 0;
    sums->made += strcmp(event, "RangeCreate") == 0 ? bytes : 0;
    sums->ended += strcmp(event, "RangeDestroy") == 0 ? bytes : 0;
}

static void add(struct sums *sums, const cJSON *line, const char *event)
{
    const unsigned long long bytes = number(line, "bytes"), pages = bytes / PAGE;
    const char *processor = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "processor"));
    const bool gpu = processor && strcmp(processor, "GPU") == 0;

    sums->cpu_faults += strcmp(event, "CpuFault") == 0;
    if (strcmp(event, "GpuFault") == 0)
        sums->gpu_faults += number(line, "groups");
    if (strcmp(event, "Migration") == 0)
        *(gpu ? &sums->htod : &sums->dtoh) += bytes;
    sums->evictions += strcmp(event, "Eviction") == 0;
    if (strcmp(event, "ReadDuplicate") == 0)
        sums->duplicates += pages;
    if (strcmp(event, "ReadDuplicateInvalidate") == 0)
        sums->invalidated += pages;
    if (strcmp(event, "MapRemote") == 0 && gpu)
        sums->remote += pages;
    sums->kernels += strcmp(event, "kernel") == 0;
    if (strcmp(event, "memcpy") == 0)
        sums->copied += bytes;
    sums->lines++;
}

/* Reads line by line: `text` is cut into pieces. */
static void read_trace(char *text, struct sums *sums)
{
    char *rest = text;

    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        cJSON *json = cJSON_Parse(line);
        const char *event = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "event"));
        const bool is_host = event && right_host(json, event);
        const bool right = is_host || (event && (right_operation(json, event) || right_paging(json, event)));

        if (is_host)
            add_host(sums, json, event);
        else if (right)
            add(sums, json, event);
        cJSON_Delete(json);
        if (!right) {
            UM_FAIL("this is no line of a trace: %s", line);
            return;
        }
    }
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    long size = 0;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file)
        rewind(file);
    text = calloc(1, (size_t)size + 1);
    if (!file || !text || fread(text, 1, (size_t)size, file) != (size_t)size)
        UM_FAIL("the trace %s cannot be read", path);
    if (file)
        fclose(file);
    return text;
}

static void every_line_is_a_JSON_object_with_the_documented_keys_and_they(void)
{
    static struct again run;
    char setting[100], path[] = "/tmp/um-trace-XXXXXX", *text;
    struct sums sums = {0};
    const int made = mkstemp(path);

    CU_ASSERT_FATAL(made >= 0);
    close(made);
    snprintf(setting, sizeof setting, "UMSIM_TRACE=%s", path);
    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "all events", .settings = {setting, "UMSIM_PROFILE=tiny"}};
    again(&run);
    text = text_of(path);
    unlink(path);
    if (again_ended_well(&run) && text)
        read_trace(text, &sums);
    free(text);
    CU_ASSERT(sums.lines > 100);
    CU_ASSERT(sums.evictions > 0 && sums.duplicates > 0 && sums.invalidated > 0 && sums.remote > 0);
    UM_EQUAL(sums.cpu_faults, again_number(&run, "cpu_page_faults"));
    UM_EQUAL(sums.gpu_faults, again_number(&run, "gpu_fault_groups"));
    UM_EQUAL(sums.htod, again_number(&run, "bytes_migrated_htod"));
    UM_EQUAL(sums.dtoh, again_number(&run, "bytes_migrated_dtoh"));
    UM_EQUAL(sums.evictions, again_number(&run, "evictions"));
    UM_EQUAL(sums.duplicates, again_number(&run, "read_duplicates"));
    UM_EQUAL(sums.invalidated, again_number(&run, "read_duplicates_invalidated"));
    UM_EQUAL(sums.remote, again_number(&run, "remote_maps"));
    CU_ASSERT(sums.calls > 10 && sums.calls == sums.returns);
    UM_EQUAL(sums.phases, 1);
    UM_EQUAL(sums.ended, 40 * MiB);
    CU_ASSERT(sums.made >= 80 * MiB); /* b is alive, and so are variables of this program */
    CU_ASSERT(sums.released == 44 * MiB && sums.allocated >= 84 * MiB);
    UM_EQUAL(sums.kernels, again_number(&run, "launches"));
    UM_EQUAL(sums.copied, again_number(&run, "memcpy_htod_bytes") + again_number(&run, "memcpy_dtoh_bytes") +
                              again_number(&run, "memcpy_dtod_bytes"));
}

static void a_file_that_cannot_be_written_is_one_line_and_exit_2(void)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "all events", .settings = {"UMSIM_TRACE=/nowhere/at/all"}};
    again(&run);
    CU_ASSERT(run.in_time && WIFEXITED(run.status) && WEXITSTATUS(run.status) == 2);
    UM_CONTAINS(run.err, "UMSIM_TRACE");
}

UM_TESTS("trace",
         {"every line is a JSON object with the documented keys, and they add up to the counters",
          every_line_is_a_JSON_object_with_the_documented_keys_and_they},
         {"a file that cannot be written is one line and exit 2",
          a_file_that_cannot_be_written_is_one_line_and_exit_2});
