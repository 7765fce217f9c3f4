/**
 * @file settings.c
 * @brief Implementation of settings.h: reads and checks the environment variables.
 */
#include "settings.h"
#include "../base/error_names.h"
#include "../base/report.h"
#include "../base/processes.h"
#include "../include/umsim/abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Reads the whole text as a number in [least, most]; anything else ends the program. */
static double number(const char *name, const char *text, double least, double most)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || *end || !(value >= least && value <= most))
        umsim_die("%s=%s: not a number from %g to %g", name, text, least, most);
    return value;
}

/* The same for whole numbers, without a sign. */
static bool whole(const char *text, char **end, uint64_t least, uint64_t most, uint64_t *value)
{
    errno = 0;
    *value = strtoull(text, end, 10);
    return text[0] >= '0' && text[0] <= '9' && !errno && *value >= least && *value <= most;
}

/* Modules that are compiled while the program runs come too late to say that they want to be checked. */
static void begin_checks(void)
{
    const char *list = value_of("UMSIM_CHECK_MODULES");
    if (list)
        umsim_check_begin(list);
}

static void read_schedule(struct umsim_settings *settings)
{
    const char *text = value_of("UMSIM_SCHED");
    if (!text || strcmp(text, "lazy") == 0) {
        settings->schedule = UMSIM_LAZY;
    } else if (strcmp(text, "eager") == 0) {
        settings->schedule = UMSIM_EAGER;
    } else if (strncmp(text, "random:", 7) == 0) {
        settings->schedule = UMSIM_RANDOM;
        char *end;
        if (!whole(text + 7, &end, 0, UINT32_MAX, &settings->seed) || *end)
            umsim_die("UMSIM_SCHED=%s: the seed is a number from 0 to %u", text, UINT32_MAX);
    } else {
        umsim_die("UMSIM_SCHED=%s: there are lazy, eager and random:SEED", text);
    }
}

/* Accepts only calls that exist: a misspelt one would never fail. */
static bool is_call(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 && dlsym(RTLD_DEFAULT, name);
}

/* CALL:K or CALL:K:ERROR */
static void read_fail(struct umsim_settings *settings)
{
    const char *text = value_of("UMSIM_FAIL"), *colon = text ? strchr(text, ':') : NULL;
    if (!text)
        return;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *end = NULL;
    if (!length || length >= sizeof settings->fail_call ||
        !whole(colon + 1, &end, 1, UINT32_MAX, &settings->fail_at) || (*end && *end != ':'))
        umsim_die("UMSIM_FAIL=%s: write CALL:K or CALL:K:ERROR, as in cudaMalloc:2:cudaErrorMemoryAllocation",
                  text);
    memcpy(settings->fail_call, text, length);
    if (!is_call(settings->fail_call))
        umsim_die("UMSIM_FAIL=%s: there is no call %s", text, settings->fail_call);
    if (*end == ':' && !umsim_error_by_name(end + 1, &settings->fail_error))
        umsim_die("UMSIM_FAIL=%s: %s is no name of a CUDA error", text, end + 1);
}

/* Who asks for real time wants to know what the simulator takes. */
static enum umsim_recall_mode read_recall(bool clock_is_real)
{
    const char *text = value_of("UMSIM_RECALL");
    if (text && strcmp(text, "always") == 0)
        return UMSIM_RECALL_ALWAYS;
    if (text && strcmp(text, "never") != 0)
        umsim_die("UMSIM_RECALL=%s: there are never and always", text);
    return text || clock_is_real ? UMSIM_RECALL_NEVER : UMSIM_RECALL_AUTO;
}

static unsigned read_threads(void)
{
    const char *text = value_of("UMSIM_THREADS");
    cpu_set_t cores; /* the cores that this process may use */
    uint64_t threads = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores) : 1;
    if (threads > UMSIM_WORKERS_MAX)
        threads = UMSIM_WORKERS_MAX;
    char *end;
    if (text && (!whole(text, &end, 1, UMSIM_WORKERS_MAX, &threads) || *end))
        umsim_die("UMSIM_THREADS=%s: not a whole number from 1 to %d", text, UMSIM_WORKERS_MAX);
    return (unsigned)threads;
}

struct umsim_settings umsim_settings_read(void)
{
    struct umsim_settings settings = {.profile = value_of("UMSIM_PROFILE"), .trace = value_of("UMSIM_TRACE")};
    if (!settings.profile)
        settings.profile = "h200-pcie5";
    read_schedule(&settings);
    read_fail(&settings);
    const char *timeout = value_of("UMSIM_KERNEL_TIMEOUT");
    settings.kernel_timeout_s = timeout ? number("UMSIM_KERNEL_TIMEOUT", timeout, 0.001, 1e6) : 0;
    settings.threads = read_threads();
    begin_checks();
    const char *explain = value_of("UMSIM_EXPLAIN");
    if (explain && strcmp(explain, "launch") != 0)
        umsim_die("UMSIM_EXPLAIN=%s: there is launch", explain);
    settings.explain = explain != NULL;
    const char *clock =
        value_of("UMSIM_CLOCK"); /* read at the program's start already (base/program_clock.c) */
    if (clock && strcmp(clock, "real") != 0 && strcmp(clock, "modelled") != 0)
        umsim_die("UMSIM_CLOCK=%s: there are real and modelled", clock);
    const char *capacity = value_of("UMSIM_CAPACITY");
    if (capacity && strcmp(capacity, "profile") != 0 && strcmp(capacity, "host") != 0)
        umsim_die("UMSIM_CAPACITY=%s: there are host and profile", capacity);
    settings.recall = read_recall(clock && strcmp(clock, "real") == 0);
    settings.full_capacity = capacity && strcmp(capacity, "profile") == 0;
    const char *addresses = value_of("UMSIM_ADDRESSES");
    if (addresses && strcmp(addresses, "39") != 0)
        umsim_die("UMSIM_ADDRESSES=%s: there is 39", addresses);
    settings.few_addresses = addresses != NULL;
    const char *tell = value_of("UMSIM_TELL");
    settings.tell = !tell || number("UMSIM_TELL", tell, 0, 1) != 0;
    return settings;
}
