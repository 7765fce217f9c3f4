/**
 * @file graded.c
 * @brief Runs a program in grading mode, and writes down what the ledger says afterwards.
 *
 *     graded STARTER LEDGER.json PROGRAM [ARGUMENT...]
 *
 * Its status is the program's, or 128 and the signal that ended it.
 */
#include "umsim_grading.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void write_down(FILE *out, const struct umsim_ledger *ledger)
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
    counter(out, "guarded", ledger->guarded);
    fprintf(out, "  \"tampered\": %llu\n}\n", (unsigned long long)ledger->tampered);
}

int main(int argc, char **argv)
{
    char number[20];
    int fd = memfd_create("ledger", 0), status = 0;
    struct umsim_ledger *ledger = MAP_FAILED;
    if (argc >= 4 && fd >= 0 && ftruncate(fd, sizeof *ledger) == 0)
        ledger = mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ledger == MAP_FAILED)
        return 2;
    ledger->salt = 42;
    snprintf(number, sizeof number, "%d", fd);
    pid_t child = fork();
    if (child == 0) {
        setenv("GRADED_LEDGER", number, 1);
        setenv("LD_PRELOAD", argv[1], 1);
        execv(argv[3], argv + 3);
        _exit(127);
    }
    close(fd);
    waitpid(child, &status, 0);
    FILE *out = fopen(argv[2], "we");
    if (!out)
        return 2;
    write_down(out, ledger);
    fclose(out);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
