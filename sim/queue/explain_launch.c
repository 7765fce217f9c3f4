/**
 * @file explain_launch.c
 * @brief Implementation of explain_launch.h.
 */
#include "explain_launch.h"
#include "../base/report.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The launches that are remembered as told. */
#define TOLD 256
#define BAR 40

static bool is_on;

static struct {
    uint64_t key;
    int bound;
} told[TOLD];

/* What each term is called, and what it means to be bound by it. */
static const struct {
    const char *name, *meaning;
} terms[UMSIM_TERMS] = {
    [UMSIM_TERM_START] = {"start", "any launch takes that long: give a launch more to do"},
    [UMSIM_TERM_LEAST] = {"least", "no kernel takes less: give a launch more to do"},
    [UMSIM_TERM_BLOCKS] = {"blocks", "starting so many blocks: let each do more"},
    [UMSIM_TERM_MEMORY] = {"memory", "the bytes that device memory moves"},
    [UMSIM_TERM_CACHES] = {"caches", "the sectors that pass between the caches"},
    [UMSIM_TERM_PASSES] = {"passes", "the lines and banks that requests ask for, one at a time"},
    [UMSIM_TERM_ARITHMETIC] = {"arithmetic", "instructions: the units that each class has"},
    [UMSIM_TERM_WAITS] = {"waits",
                          "warps wait for what they read, or for results, too few at once: more of them, or "
                          "more reads each"},
    [UMSIM_TERM_ATOMICS] = {"atomics",
                            "atomic operations on the same addresses or lines wait for each other"},
    [UMSIM_TERM_CHAIN] = {"chain", "each access needs what the one before has read"},
    [UMSIM_TERM_LINK] = {"link", "the bytes that cross the link to the host's or another device's memory"},
    [UMSIM_TERM_PIECES] = {"pieces", "small pieces cross the link to the host's memory one by one"},
    [UMSIM_TERM_PAGING] = {"paging", "managed pages come to the device, or go"},
};

void umsim_explain_start(void)
{
    is_on = true;
}

static int bound_of(const struct umsim_terms *of)
{
    int bound = UMSIM_TERM_LEAST;
    for (int term = UMSIM_TERM_LEAST; term < UMSIM_TERMS; term++)
        bound = of->ns[term] > of->ns[bound] ? term : bound;
    return bound;
}

static uint64_t mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

/* A kernel by its name, and by where that lies in its module: instances of a template have one name. Where
 * the module lies is another place in each run, and keys that share a place in the table would be others. */
static uint64_t key_of_kernel(const struct umsim_kernel *kernel)
{
    Dl_info module;
    uint64_t key = 0;
    if (dladdr(kernel->name, &module))
        key = (uint64_t)(kernel->name - (const char *)module.dli_fbase);
    for (const char *p = kernel->name; *p; p++)
        key = mix(key, (unsigned char)*p);
    return key;
}

static uint64_t key_of(const struct umsim_command *command)
{
    const dim3 grid = command->geometry.grid, block = command->geometry.block;
    uint64_t key = mix(mix(key_of_kernel(&command->kernel), command->dynamic_shared), grid.x);
    return mix(mix(mix(mix(mix(key, grid.y), grid.z), block.x), block.y), block.z) | 1;
}

/* @return whether the launch is told already, as bound by the same */
static bool is_told(uint64_t key, int bound)
{
    const size_t at = key % TOLD;
    if (told[at].key == key && told[at].bound == bound)
        return true;
    told[at].key = key;
    told[at].bound = bound;
    return false;
}

static void say_term(int term, double ns, uint64_t all_ns)
{
    char bar[BAR + 1] = "";
    const double part = all_ns ? ns / (double)all_ns : 0;
    const size_t length = (size_t)((part < 1 ? part : 1) * BAR + 0.5);
    memset(bar, '#', length);
    bar[length] = '\0';
    umsim_say("  %-10s %10.2f us  %s", terms[term].name, ns / 1e3, bar);
}

/* What warps ask of one kind of memory. */
static void say_requests(const struct umsim_counts *counts)
{
    uint64_t requests = 0, sectors = 0, bytes = 0, shared = 0, passes = 0;
    for (unsigned i = 0; i < counts->sites; i++) {
        const struct umsim_counts_site *site = &counts->site[i];
        const bool is_shared = site->kind == UMSIM_COUNTS_SHARED;
        requests += is_shared ? 0 : site->requests;
        sectors += is_shared ? 0 : site->sectors;
        bytes += is_shared ? 0 : site->bytes;
        shared += is_shared ? site->requests : 0;
        passes += is_shared ? site->passes : 0;
    }
    if (sectors)
        umsim_say("  %.1f sectors of 32 bytes a request of a warp, of which %.0f%% are asked for",
                  (double)sectors / (double)requests,
                  bytes < sectors * UMSIM_SECTOR ? 100.0 * (double)bytes / (double)(sectors * UMSIM_SECTOR)
                                                 : 100.0);
    if (shared)
        umsim_say("  %.1f passes over shared memory a request (1: no conflicts of banks)",
                  (double)passes / (double)shared);
}

/* What the warps do beside that. */
static void say_work(const struct umsim_counts *counts)
{
    static const struct {
        int class;
        const char *name;
    } parts[] = {{UMSIM_WORK_SINGLE, "float"},     {UMSIM_WORK_DOUBLE, "double"},
                 {UMSIM_WORK_SPECIAL, "special"},  {UMSIM_WORK_CONVERT, "conversions"},
                 {UMSIM_WORK_DIVIDE, "divisions"}, {UMSIM_WORK_OTHER, "other"}};
    char text[256];
    int length = 0;
    uint64_t all = 0;
    for (int c = 0; c < UMSIM_WORK_INSTRUCTIONS; c++)
        all += counts->work[c];
    if (all < UMSIM_WORK_ONE)
        return;
    const uint64_t whole =
        counts->work[UMSIM_WORK_ADD] + counts->work[UMSIM_WORK_LOGIC] + counts->work[UMSIM_WORK_MULTIPLY];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (counts->work[parts[i].class])
            length += snprintf(text + length, sizeof text - (size_t)length, ", %.3g %s",
                               (double)counts->work[parts[i].class] / UMSIM_WORK_ONE, parts[i].name);
    umsim_say("  instructions of warps: %.3g whole%s; %.0f%% of their lanes take part",
              (double)whole / UMSIM_WORK_ONE, length ? text : "",
              100.0 * (double)counts->lanes / (32 * (double)all));
    if (counts->barriers)
        umsim_say("  %.3g barriers of blocks", (double)counts->barriers);
}

void umsim_explain_launch(const struct umsim_command *command, const struct umsim_price *price, uint64_t ns,
                          bool counted, bool by_pages)
{
    if (!is_on)
        return;
    const struct umsim_terms *of = &price->terms;
    const int bound = bound_of(of);
    const dim3 grid = command->geometry.grid, block = command->geometry.block;
    if (is_told(key_of(command), bound))
        return;
    umsim_say("%s<<<(%u, %u, %u), (%u, %u, %u)>>> takes %.2f us, %.0f%% of it for this: %s",
              command->kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, (double)ns / 1e3,
              ns ? 100 * of->ns[bound] / (double)ns : 0, terms[bound].meaning);
    for (int term = 0; term < UMSIM_TERMS; term++)
        if (of->ns[term] * 50 >= (double)ns)
            say_term(term, of->ns[term], ns);
    if (price->bytes_near)
        umsim_say("  device memory moves %.2f MB, %.0f GB/s", (double)price->bytes_near / 1e6,
                  ns ? (double)price->bytes_near / (double)ns : 0);
    if (price->bytes_far)
        umsim_say("  %.2f MB cross the link, %.1f GB/s", (double)price->bytes_far / 1e6,
                  ns ? (double)price->bytes_far / (double)ns : 0);
    if (by_pages)
        umsim_say(
            "  this kernel has no form that counts, so it is priced by the pages of 64 KiB that it touches: "
            "docs/counting.md");
    if (counted) {
        say_requests(&umsim_launches->counted[command->slot]);
        say_work(&umsim_launches->counted[command->slot]);
    }
}
