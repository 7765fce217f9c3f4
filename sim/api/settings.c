/* settings.c: see settings.h. */
#include "settings.h"
#include "error_names.h"
#include "../fault/report.h"
#include "../gpu/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* The whole text as a number in [least, most]; anything else ends the program. */
static double number(const char *name, const char *text, double least, double most)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || *end || !(value >= least && value <= most))
        umsim_die("%s=%s: not a number from %g to %g", name, text, least, most);
    return value;
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
        settings->seed = (uint64_t)number("UMSIM_SCHED=random:SEED", text + 7, 0, 4294967295.0);
    } else {
        umsim_die("UMSIM_SCHED=%s: there are lazy, eager and random:SEED", text);
    }
}

/* CALL:K or CALL:K:ERROR */
static void read_fail(struct umsim_settings *settings)
{
    const char *text = value_of("UMSIM_FAIL"), *colon = text ? strchr(text, ':') : NULL;
    if (!text)
        return;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *end = NULL;
    settings->fail_at = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!length || length >= sizeof settings->fail_call || !settings->fail_at || (*end && *end != ':'))
        umsim_die("UMSIM_FAIL=%s: write CALL:K or CALL:K:ERROR, as in cudaMalloc:2:cudaErrorMemoryAllocation",
                  text);
    memcpy(settings->fail_call, text, length);
    if (*end == ':' && !umsim_error_by_name(end + 1, &settings->fail_error))
        umsim_die("UMSIM_FAIL=%s: %s is no name of a CUDA error", text, end + 1);
}

struct umsim_settings umsim_settings_read(void)
{
    struct umsim_settings settings = {.profile = value_of("UMSIM_PROFILE"), .trace = value_of("UMSIM_TRACE")};
    if (!settings.profile)
        settings.profile = "h200-pcie5";
    read_schedule(&settings);
    read_fail(&settings);
    const char *timeout = value_of("UMSIM_KERNEL_TIMEOUT"), *threads = value_of("UMSIM_THREADS");
    settings.kernel_timeout_s = timeout ? number("UMSIM_KERNEL_TIMEOUT", timeout, 0.001, 1e6) : 30;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1 || cores > UMSIM_WORKERS_MAX)
        cores = cores < 1 ? 1 : UMSIM_WORKERS_MAX;
    settings.threads =
        threads ? (unsigned)number("UMSIM_THREADS", threads, 1, UMSIM_WORKERS_MAX) : (unsigned)cores;
    return settings;
}
