/**
 * @file commands.c
 * @brief Builds g++'s command lines, for each language and each step.
 */
#define _GNU_SOURCE
#include "steps.h"
#include "../include/umsim/page.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void umcc_add_dependencies(struct umcc_drive *d, struct umcc_list *c, const char *file, const char *target)
{
    umcc_list_add(c, d->o->system_dependencies ? "-MD" : "-MMD");
    umcc_list_add(c, "-MF");
    umcc_list_add(c, file);
    umcc_list_add(c, "-MT");
    umcc_list_add(c, d->o->dependency_target ? d->o->dependency_target : target);
    if (d->o->phony_targets)
        umcc_list_add(c, "-MP");
}

/* @return whether the folder has headers of NVIDIA's, of the toolkit or of its C++ libraries */
static bool is_nvidias(const char *folder)
{
    static const char *const files[] = {"crt/host_defines.h", "cuda/std/version", "thrust/version.h",
                                        "cub/version.cuh"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (access(umcc_printf("%s/%s", folder, files[i]), R_OK) == 0)
            return true;
    return false;
}

/* NVIDIA's own headers, which many Makefiles name, must not come before ours. @return how many words name
 * them at `i` */
static int toolkit_words(const struct umcc_list *words, int i)
{
    const char *word = words->items[i];
    const bool apart = strcmp(word, "-isystem") == 0 && i + 1 < words->count;
    const char *folder = apart ? words->items[i + 1] : strncmp(word, "-I", 2) == 0 ? word + 2 : NULL;
    if (!folder || !is_nvidias(folder))
        return 0;
    return apart ? 2 : 1;
}

bool umcc_is_device_only(const struct umcc_options *o)
{
    for (int i = 0; i < o->preprocess.count; i++)
        if (strcmp(o->preprocess.items[i], "-D__CUDACC_RTC__") == 0)
            return true;
    return false;
}

/* A macro whose value is a string of C. */
static void define_text(struct umcc_list *c, const char *name, const char *text)
{
    char *escaped = umcc_printf("%*s", 4 * (int)strlen(text), ""), *to = escaped;
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '?') /* ??/ is a trigraph in old standards */
            *to++ = '\\';
        if ((unsigned char)*text < ' ')
            to += sprintf(to, "\\%03o", (unsigned)*text);
        else
            *to++ = *text;
    }
    *to = '\0';
    umcc_list_printf(c, "-D%s=\"%s\"", name, escaped);
}

void umcc_add_preprocessing(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language)
{
    if (d->for_device || umcc_is_device_only(d->o))
        umcc_list_printf(c, "-D__CUDA_ARCH__=%d", d->o->arch);
    static const char *const cuda[] = {"-D__UMCC__", "-D__CUDACC__", NULL};
    bool cuda12 = false;
    for (int i = 0; i < d->o->preprocess.count; i++)
        cuda12 |= strncmp(d->o->preprocess.items[i], "-DUMSIM_CUDA12", 14) == 0;
    for (int i = 0; language == UMCC_CUDA && cuda[i]; i++)
        umcc_list_add(c, cuda[i]);
    if (language == UMCC_CUDA && UMSIM_PAGE_BYTES != 4096)
        umcc_list_printf(c, "-DUMSIM_PAGE_BYTES=%d", UMSIM_PAGE_BYTES);
    if (language == UMCC_CUDA && d->o->check)
        umcc_list_printf(c, "-DUMSIM_CHECKED=\"%s\"", d->o->check);
    if (language == UMCC_CUDA && d->o->check_json)
        define_text(c, "UMSIM_CHECK_RESULTS", d->o->check_json);
    umcc_list_add(c, "-D__NVCC__");
    umcc_list_printf(c, "-D__CUDACC_VER_MAJOR__=%d", cuda12 ? 12 : 13);
    umcc_list_printf(c, "-D__CUDACC_VER_MINOR__=%d", cuda12 ? 8 : 0);
    umcc_list_add(c, "-D__CUDACC_VER_BUILD__=0");
    for (int i = 0, skip; i<d->o->preprocess.count; i += skip> 0 ? skip : 1) {
        skip = toolkit_words(&d->o->preprocess, i);
        if (skip == 0)
            umcc_list_add(c, d->o->preprocess.items[i]);
    }
    umcc_list_add(c, "-isystem");
    umcc_list_add(c, d->places->include);
    if (language == UMCC_CUDA) {
        umcc_list_add(c, "-include");
        umcc_list_add(c, "cuda_runtime.h");
        if (d->o->keyed) {
            umcc_list_add(c, "-include");
            umcc_list_add(c, "umsim/keyed.h");
        }
        if (umcc_is_device_only(d->o)) { /* behind all others, so that headers compiled beforehand serve */
            umcc_list_add(c, "-include");
            umcc_list_add(c, "umsim/rtc.h");
        }
    }
}

const char *umcc_optimization(const struct umcc_drive *d, enum umcc_language language)
{
    const char *level = d->o->optimize;
    if (language == UMCC_CUDA && d->o->check) /* -O1 removes few accesses and merges none */
        return d->o->device_debug || (level && strcmp(level, "-O0") == 0) ? "-O0" : "-O1";
    if (!level)
        return d->o->device_debug ? "-O0" : d->o->debug ? "-Og" : "-O3";
    if (language == UMCC_CUDA && (strcmp(level, "-O1") == 0 || strcmp(level, "-O2") == 0))
        return "-O3";
    return level;
}

bool umcc_is_plain(const struct umcc_drive *d)
{
    const char *level = d->o->optimize;
    for (int i = 0; i < d->o->host.count; i++)
        if (strncmp(d->o->host.items[i], "-flto", 5) == 0) /* g++ would prove nothing before it links */
            return true;
    return d->o->plain || d->o->keyed || d->o->device_debug || (level && strcmp(level, "-O0") == 0);
}

/* Calls a hook before each access (sim/check/hooks.c), and compiles accesses as they are written: structures
 * as a whole, in loops one by one. The messages need the line numbers. The plugin is of the g++ that umcc was
 * built with: of many loops it has all accesses judged at once. */
static void add_checking(const struct umcc_drive *d, struct umcc_list *c)
{
    static const char *const flags[] = {"-fsanitize=thread",
                                        "--param=tsan-instrument-func-entry-exit=0",
                                        "--param=tsan-distinguish-volatile=1",
                                        "-Wno-tsan",
                                        "-fno-tree-sra",
                                        "-fno-ipa-sra",
                                        "-fno-tree-loop-im",
                                        "-fno-toplevel-reorder",
                                        "-fno-builtin-memcpy",
                                        "-fno-builtin-memmove",
                                        "-fno-builtin-memset",
                                        "-g",
                                        NULL};
    for (int i = 0; flags[i]; i++)
        umcc_list_add(c, flags[i]);
    struct stat file;
    const char *plugin = umcc_printf("%s/lib/umlab/rows.so", d->places->prefix);
    if (strcmp(d->o->compiler, "g++") == 0 && stat(plugin, &file) == 0 && file.st_size > 0)
        umcc_list_printf(c, "-fplugin=%s", plugin);
}

/* @return an option that the user gives to g++ and that begins so, and is not `but`; NULL: there is none */
static const char *find_option(const struct umcc_drive *d, const char *begin, const char *but)
{
    const struct umcc_list *lists[] = {&d->o->host, &d->o->compile};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (int i = 0; i < lists[l]->count; i++)
            if (strncmp(lists[l]->items[i], begin, strlen(begin)) == 0 &&
                strcmp(lists[l]->items[i], but) != 0)
                return lists[l]->items[i];
    return NULL;
}

/* Kernels that are graded: there is a call before each access already (sim/grading/bounds.h). */
#define BOUNDED "-fsanitize=kernel-address"

static void add_flags(struct umcc_list *c, const char *const *flags)
{
    for (; *flags; flags++)
        umcc_list_add(c, *flags);
}

/* Calls a hook before each access (sim/count/hooks.c). At -O1 accesses are merged as little as a GPU's
 * compiler would. Calls name what they call (counted.c). */
static void add_counting(const struct umcc_drive *d, struct umcc_list *c)
{
    static const char *const flags[] = {"-O1",
                                        "-finline-small-functions",
                                        "-finline-functions",
                                        "-g0",
                                        "-w",
                                        "-fplt",
                                        "-fno-tree-sra",
                                        "-fno-ipa-sra",
                                        "-fpeel-loops", /* short ones of known length go, as nvcc has it */
                                        "--param=max-completely-peel-times=8",
                                        "-fno-jump-tables",
                                        "-fno-reorder-blocks-and-partition",
#ifdef __aarch64__
                                        "-fno-section-anchors", /* variables are the fast form's */
                                        "-fno-auto-inc-dec",    /* a step is an instruction of its own */
#else
                                        "-mno-red-zone", /* notes of segments use the stack (segments.c) */
#endif
                                        NULL};
    static const char *const hooks[] = {"-fsanitize=thread",   "--param=tsan-instrument-func-entry-exit=0",
                                        "-fno-builtin-memcpy", "-fno-builtin-memmove",
                                        "-fno-builtin-memset", NULL};
    add_flags(c, flags);
    if (!find_option(d, BOUNDED, ""))
        add_flags(c, hooks);
}

bool umcc_counts(const struct umcc_drive *d)
{
    if (find_option(d, "-fsanitize", BOUNDED) || find_option(d, "-flto", ""))
        return false;
    return !d->o->no_count && !d->o->check && !d->o->device_debug;
}

void umcc_add_page_size(struct umcc_list *c)
{
#if defined(__x86_64__) && UMSIM_PAGE_BYTES > 4096
    umcc_list_printf(c, "-Wl,-z,max-page-size=%d", UMSIM_PAGE_BYTES);
#else
    (void)c;
#endif
}

/* Whether the user's own options decide what becomes of undefined behaviour. */
static bool sanitizes_undefined(const struct umcc_drive *d)
{
    const struct umcc_list *lists[] = {&d->o->host, &d->o->compile};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (int i = 0; i < lists[l]->count; i++)
            if (strncmp(lists[l]->items[i], "-fsanitize", 10) == 0 &&
                strcmp(lists[l]->items[i], "-fsanitize=address") != 0 &&
                strcmp(lists[l]->items[i], "-fsanitize=kernel-address") != 0)
                return true;
    return false;
}

/* g++ takes the end of a function that lacks a `return` for unreachable, and lets it run on into what lies
 * behind, except with the first of these (its -O0 does not, either). So it returns, with any value, as on a
 * GPU. What is __builtin_unreachable() and reached is an illegal instruction. The others find what umcc has
 * not defined: sim/fault/undefined_operation.h. */
static void watch_undefined(struct umcc_drive *d, struct umcc_list *c)
{
    if (sanitizes_undefined(d))
        return;
    umcc_list_add(c, "-fsanitize=unreachable,float-cast-overflow,shift-exponent");
#ifdef __aarch64__
    umcc_list_add(c, "-fsanitize=integer-divide-by-zero"); /* which traps elsewhere */
#endif
    if (d->o->check)
        umcc_list_add(c, "-fsanitize=bounds,alignment,object-size"); /* sim/check/own_array.h, access.c */
}

void umcc_add_compiling(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language)
{
    umcc_list_add(c, umcc_optimization(d, language));
    if (d->o->debug)
        umcc_list_add(c, "-g");
    if (language == UMCC_CUDA) {
        /* No PLT: after its start the simulated GPU can bind no symbol, whichever linker made the program. A
         * stack that grows touches each of its pages, so that it meets its guard (sim/worker/stacks.h). A
         * path with a division by zero is no path that ends: a GPU goes on behind it
         * (sim/fault/instruction.h). As such paths stay, g++ would warn of std::vector's, where new returns
         * NULL. */
        static const char *const flags[] = {"-fno-semantic-interposition", "-fno-strict-aliasing",
                                            "-fno-math-errno", "-fno-trapping-math", "-fcheck-new",
                                            "-fno-isolate-erroneous-paths-dereference",
                                            "-Wno-stringop-overflow", "-fno-plt", "-fstack-clash-protection",
#ifdef __aarch64__
                                            "--param=stack-clash-protection-guard-size=12",
                                            /* libgcc's atomic functions read a variable of the host's */
                                            "-mno-outline-atomics",
                                            /* plain x86-64 has no instruction that multiplies and adds */
                                            "-ffp-contract=off",
#endif
                                            NULL};
        for (int i = 0; flags[i]; i++)
            umcc_list_add(c, flags[i]);
    }
    if (language == UMCC_CUDA) {
        umcc_list_add(c, "-Wformat"); /* nvcc warns of these without being asked */
        umcc_list_add(c, "-Wno-format-zero-length");
        watch_undefined(d, c);
    }
    if (language == UMCC_CUDA && d->o->check)
        add_checking(d, c);
    umcc_list_add_all(c, &d->o->compile);
    if (language == UMCC_CUDA && d->form == UMCC_COUNTING)
        add_counting(d, c);
}

void umcc_start_command(struct umcc_drive *d, struct umcc_list *c, enum umcc_language language,
                        const char *form)
{
    umcc_list_add(c, d->o->compiler);
    umcc_list_add(c, "-x");
    umcc_list_add(c, form);
    if (d->o->standard && language != UMCC_C)
        umcc_list_add(c, d->o->standard);
    umcc_list_add_all(c, &d->o->host);
}
