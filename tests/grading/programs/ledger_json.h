/**
 * @file ledger_json.h
 * @brief Writes a ledger down, for the tests that compare it.
 */
#ifndef LEDGER_JSON_H
#define LEDGER_JSON_H

#include "umsim_grading.h"

#include <stdio.h>

static void counter(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "  \"%s\": %llu,\n", name, (unsigned long long)value);
}

static void accounts(FILE *out, const struct umsim_ledger *ledger)
{
    static const char *const names[] = {"device", "pinned", "managed", "registered", "stream", "event"};
    for (int i = 0; i < UMSIM_LEDGER_KINDS; i++) {
        const struct umsim_ledger_account *it = &ledger->account[i];
        fprintf(out, "  \"%s\": [%llu, %llu, %llu, %llu],\n", names[i], (unsigned long long)it->made,
                (unsigned long long)it->released, (unsigned long long)it->bytes_alive,
                (unsigned long long)it->bytes_peak);
    }
}

static void calls(FILE *out, const struct umsim_ledger *ledger)
{
    fprintf(out, "  \"calls\": {");
    for (int i = 0; i < UMSIM_LEDGER_CALLS && ledger->call[i].name[0]; i++)
        fprintf(out, "%s\"%s\": %llu", i ? ", " : "", ledger->call[i].name,
                (unsigned long long)ledger->call[i].count);
    fprintf(out, "},\n");
}

static void write_ledger(FILE *out, const struct umsim_ledger *ledger)
{
    const struct umsim_counters *counters = &ledger->counters;
    fprintf(out, "{\n");
#define COUNTER(name) counter(out, #name, counters->name)
    COUNTER(memcpy_htod_bytes);
    COUNTER(memcpy_dtoh_bytes);
    COUNTER(memcpy_dtod_bytes);
    COUNTER(memcpy_calls);
    COUNTER(launches);
    COUNTER(synchronizations);
    COUNTER(cpu_page_faults);
    COUNTER(gpu_fault_groups);
    COUNTER(bytes_migrated_htod);
    COUNTER(bytes_migrated_dtoh);
    COUNTER(evictions);
    COUNTER(read_duplicates);
    COUNTER(remote_maps);
    accounts(out, ledger);
    calls(out, ledger);
    counter(out, "host_faults", ledger->host_faults);
    counter(out, "waits_device", ledger->waits_device);
    counter(out, "waits_stream", ledger->waits_stream);
    counter(out, "queries", ledger->queries);
    counter(out, "time_ns", ledger->time_ns);
    counter(out, "operations", ledger->operations);
    counter(out, "kernel_bytes", ledger->kernel_bytes);
    fprintf(out, "  \"unfinished\": %llu\n}\n", (unsigned long long)ledger->unfinished);
}

#endif
