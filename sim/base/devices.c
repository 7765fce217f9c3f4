/**
 * @file devices.c
 * @brief Implementation of devices.h.
 */
#include "devices.h"

#include <stdlib.h>
#include <string.h>

unsigned umsim_devices = 1, umsim_own_device;
static unsigned of_machine[UMSIM_DEVICES_MAX];
static __thread unsigned current __attribute__((tls_model("initial-exec")));
static __thread unsigned chosen __attribute__((tls_model("initial-exec")));

unsigned umsim_device(void)
{
    return current;
}

void umsim_device_choose(unsigned device)
{
    current = chosen = device;
}

unsigned umsim_device_set(unsigned device)
{
    const unsigned before = current;
    current = device;
    return before;
}

void umsim_device_as_chosen(void)
{
    current = chosen;
}

unsigned umsim_device_of_machine(unsigned device)
{
    return of_machine[device];
}

static bool is_chosen(unsigned device)
{
    for (unsigned i = 0; i < umsim_devices; i++)
        if (of_machine[i] == device)
            return true;
    return false;
}

/* @return its number, or `count` */
static unsigned named(const char *name, unsigned count, bool (*is_named)(const char *name, unsigned device))
{
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    if (end != name && !*end)
        return number < count ? (unsigned)number : count;
    for (unsigned device = 0; device < count; device++)
        if (is_named(name, device))
            return device;
    return count;
}

void umsim_devices_choose(unsigned count, const char *visible,
                          bool (*is_named)(const char *name, unsigned device))
{
    umsim_devices = 0;
    for (unsigned device = 0; !visible && device < count; device++)
        of_machine[umsim_devices++] = device;
    for (size_t length; visible && umsim_devices < count; visible += length + 1) {
        char name[64] = "";
        length = strcspn(visible, ",");
        if (length < sizeof name)
            memcpy(name, visible, length);
        const unsigned device = named(name, count, is_named);
        if (device == count)
            break;
        if (is_chosen(device)) { /* a device twice: CUDA then shows none */
            umsim_devices = 0;
            break;
        }
        of_machine[umsim_devices++] = device;
        if (!visible[length])
            break;
    }
}
