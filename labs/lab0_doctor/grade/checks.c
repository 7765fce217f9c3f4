/**
 * @file checks.c
 * @brief Lab 0: the checks of allowed_kinds().
 *
 * grade/check.h says how checks are written.
 */
#include <stdio.h>
#include <string.h>

#include "../exercise.h"
#include "grade/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const kind_names[] = {"LAB0_DEVICE",
                                         "LAB0_PINNED_COPY",
                                         "LAB0_MAPPED",
                                         "LAB0_REGISTERED_COPY",
                                         "LAB0_REGISTERED_IN_PLACE",
                                         "LAB0_MANAGED",
                                         "LAB0_MANAGED_TOGETHER",
                                         "LAB0_PAGEABLE",
                                         "LAB0_POOL"};

/* Reports the first use with a wrong answer. @return false when there is one */
static bool same_kinds(unsigned wanted, int64_t got)
{
    char expected[100];

    if (got == wanted)
        return true;
    for (size_t i = 0; i < COUNT(kind_names); i++) {
        if (((got ^ wanted) >> i & 1) == 0)
            continue;
        snprintf(expected, sizeof expected, "%s is %s", kind_names[i],
                 wanted >> i & 1 ? "allowed" : "not allowed");
        return um_expect(false, expected, "bit %zu of the answer, 0x%llx, says the opposite", i,
                         (unsigned long long)got);
    }
    return um_expect(false, "bits of enum lab0_kind", "0x%llx has others", (unsigned long long)got);
}

static void this_machine(void)
{
    static const struct {
        const char *profile;
        unsigned kinds;
    } machines[] = {{"h200-pcie5", LAB0_KINDS & ~LAB0_PAGEABLE},
                    {"limited", LAB0_KINDS & ~LAB0_PAGEABLE & ~LAB0_MANAGED_TOGETHER},
                    {"tiny", LAB0_KINDS & ~LAB0_PAGEABLE}};

    for (size_t i = 0; i < COUNT(machines) && !um_has_failed(); i++) {
        struct um_try try = {.function = "allowed_kinds_here", .profile = machines[i].profile};

        um_case("the machine %s", machines[i].profile);
        UM_EACH_SCHEDULE(&try)
        {
            same_kinds(machines[i].kinds, try.returned);
        }
    }
}

static void asks_nobody(void)
{
    int caps[2][sizeof(struct lab0_caps) / sizeof(int)];
    struct um_try try = {
        .function = "allowed_kinds", .in = caps, .in_bytes = sizeof caps, .out_bytes = 2 * sizeof(unsigned)};

    for (size_t i = 0; i < COUNT(caps[0]); i++) {
        caps[0][i] = (int)(um_random() % 3) - 1;
        caps[1][i] = (int)(um_random() % 2);
    }
    UM_EACH_SCHEDULE(&try)
    {
        for (int i = 0; i < UMSIM_LEDGER_CALLS && try.did.call[i].name[0]; i++) {
            if (strncmp(try.did.call[i].name, "cuda", 4) == 0)
                um_expect(false, "no call of CUDA: what is asked about stands in *caps", "%s was called",
                          try.did.call[i].name);
        }
    }
}

// BEGIN HIDDEN
enum { ATTRIBUTES = sizeof(struct lab0_caps) / sizeof(int), MACHINES = 1 << ATTRIBUTES };

/* What each use needs, as bits in the order of struct lab0_caps. */
static const unsigned needs[COUNT(kind_names)] = {0, 0, 1, 2, 1 | 2 | 4, 8, 8 | 16, 32, 64};

static const char *const attribute_names[ATTRIBUTES] = {
    "can_map_host_memory",       "host_register_supported", "registered_at_same_address", "managed_memory",
    "concurrent_managed_access", "pageable_memory_access",  "memory_pools_supported"};

static unsigned rule(const int caps[ATTRIBUTES])
{
    unsigned has = 0, kinds = 0;

    for (int i = 0; i < ATTRIBUTES; i++) {
        has |= (unsigned)(caps[i] == 1) << i;
    }
    for (size_t i = 0; i < COUNT(needs); i++) {
        kinds |= (unsigned)((needs[i] & has) == needs[i]) << i;
    }
    return kinds;
}

static void name_machine(const int caps[ATTRIBUTES])
{
    char text[400] = "every attribute is 1";
    size_t used = 0;

    for (int i = 0; i < ATTRIBUTES && used < sizeof text; i++) {
        if (caps[i] != 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %d", used ? ", " : "",
                                     attribute_names[i], caps[i]);
    }
    um_case("%s", text);
}

/* Asks about all of them in one call, under every schedule. */
static void ask_about(int (*caps)[ATTRIBUTES], size_t count)
{
    struct um_try try = {.function = "allowed_kinds",
                         .in = caps,
                         .in_bytes = count * sizeof *caps,
                         .out_bytes = count * sizeof(unsigned)};

    UM_EACH_SCHEDULE(&try)
    {
        const unsigned *kinds = (const unsigned *)(const void *)try.out;

        for (size_t i = 0; i < count && !um_has_failed(); i++) {
            name_machine(caps[i]);
            same_kinds(rule(caps[i]), kinds[i]);
        }
    }
}

/* First the machines that lack one thing, so that the report names that thing; then all others. */
static void any_machine(void)
{
    int caps[ATTRIBUTES + MACHINES][ATTRIBUTES];

    for (int m = 0; m < ATTRIBUTES + MACHINES; m++) {
        for (int i = 0; i < ATTRIBUTES; i++) {
            caps[m][i] = m < ATTRIBUTES ? i != m : (m - ATTRIBUTES) >> i & 1;
        }
    }
    ask_about(caps, COUNT(caps));
}

static void not_known(void)
{
    int caps[ATTRIBUTES + MACHINES][ATTRIBUTES];

    for (int m = 0; m < ATTRIBUTES + MACHINES; m++) {
        for (int i = 0; i < ATTRIBUTES; i++) {
            caps[m][i] = m < ATTRIBUTES ? (i == m ? -1 : 1) : (int)(um_random() % 3) - 1;
        }
    }
    ask_about(caps, COUNT(caps));
}
// END HIDDEN

static const struct um_check allowed_kinds_checks[] = {
    {"this_machine", 1, this_machine, NULL},
    // BEGIN HIDDEN
    {"any_machine", 2, any_machine, "this_machine"},
    {"not_known", 1, not_known, "any_machine"},
    // END HIDDEN
    {"asks_nobody", 1, asks_nobody, "this_machine"},
};
UM_EXERCISE("allowed_kinds", allowed_kinds_checks);
