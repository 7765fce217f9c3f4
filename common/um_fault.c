/**
 * @file um_fault.c
 * @brief Implementation of um_fault.h: touches an address under a temporary signal handler, and reads
 * /proc/self/maps.
 *
 * The simulator comes before every handler that a program installs, because it interposes sigaction(). It
 * serves the faults of managed memory itself and passes on the rest. So every fault that arrives here would
 * have ended the program.
 */
#include "um_fault.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf probe_escape;
static volatile sig_atomic_t probe_signal, probe_code;
static void *volatile probe_address;

static void probe_handler(int signal, siginfo_t *info, void *context)
{
    (void)context;
    probe_signal = signal;
    probe_code = info->si_code;
    probe_address = info->si_addr;
    siglongjmp(probe_escape, 1);
}

/* Callers may ask for any address, NULL too, so UndefinedBehaviorSanitizer must not check this function. */
__attribute__((no_sanitize("undefined"))) static void touch(void *address, bool write)
{
    volatile unsigned char *byte = address;

    /* Adding 0 is one instruction that writes: the fault is a write, and the byte stays as it is. */
    if (write)
        (void)__atomic_fetch_add(byte, 0, __ATOMIC_RELAXED);
    else
        (void)*byte;
}

static bool probe(void *address, bool write, struct um_fault *fault)
{
    struct um_fault found = {false, 0, 0, NULL};
    struct sigaction action, old_segv, old_bus;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = probe_handler;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old_segv);
    sigaction(SIGBUS, &action, &old_bus);
    if (sigsetjmp(probe_escape, 1) == 0) {
        touch(address, write);
    } else {
        found = (struct um_fault){true, probe_signal, probe_code, probe_address};
    }
    sigaction(SIGSEGV, &old_segv, NULL);
    sigaction(SIGBUS, &old_bus, NULL);
    if (fault)
        *fault = found;
    return !found.faulted;
}

bool um_probe_read(const void *address, struct um_fault *fault)
{
    return probe((void *)(uintptr_t)address, false, fault);
}

bool um_probe_write(void *address, struct um_fault *fault)
{
    return probe(address, true, fault);
}

const char *um_signal_name(const struct um_fault *fault)
{
    if (!fault->faulted)
        return "none";
    if (fault->signal == SIGSEGV)
        return "SIGSEGV";
    return fault->signal == SIGBUS ? "SIGBUS" : "other";
}

const char *um_code_name(const struct um_fault *fault)
{
    static const struct {
        int signal, code;
        const char *name;
    } names[] = {
        {SIGSEGV, SEGV_MAPERR, "SEGV_MAPERR"}, {SIGSEGV, SEGV_ACCERR, "SEGV_ACCERR"},
        {SIGSEGV, SI_KERNEL, "SI_KERNEL"},     {SIGBUS, BUS_ADRALN, "BUS_ADRALN"},
        {SIGBUS, BUS_ADRERR, "BUS_ADRERR"},    {SIGBUS, BUS_OBJERR, "BUS_OBJERR"},
    };

    if (!fault->faulted)
        return "none";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].signal == fault->signal && names[i].code == fault->code)
            return names[i].name;
    }
    return "other";
}

bool um_maps_line(const void *address, char *text, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long start, end;
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;

    if (size > 0)
        text[0] = '\0';
    if (!maps)
        return false;
    while (!found && getline(&line, &capacity, maps) > 0) {
        if (sscanf(line, "%lx-%lx", &start, &end) != 2)
            continue;
        if ((uintptr_t)address < start || (uintptr_t)address >= end)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, size, "%s", line);
        found = true;
    }
    free(line);
    fclose(maps);
    return found;
}

bool um_mapping_of(const void *address, struct um_mapping *mapping)
{
    char line[512];
    unsigned long start, end;
    int name_at = 0;

    memset(mapping, 0, sizeof *mapping);
    if (!um_maps_line(address, line, sizeof line))
        return false;
    if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, mapping->permissions, &name_at) != 3)
        return false;
    mapping->start = start;
    mapping->end = end;
    snprintf(mapping->name, sizeof mapping->name, "%.255s", line + name_at);
    return true;
}
