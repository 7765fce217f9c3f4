/**
 * @file main.c
 * @brief umcc: nvcc's command line for the simulated GPU.
 *
 *     umcc -o prog prog.cu && ./prog
 *
 * umcc finds its headers and its library relative to its own location: <bin>/../include and <bin>/../lib in
 * the build folder, <bin>/../include/umlab and <bin>/../lib where it is installed.
 */
#define _GNU_SOURCE
#include "../include/umsim.h"
#include "driver.h"
#include "umcc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has(const char *folder, const char *file)
{
    return access(umcc_printf("%s/%s", folder, file), R_OK) == 0;
}

/* The folder above the one that contains umcc, with links and `..` resolved. */
static char *own_prefix(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    char *slash = !path ? NULL : strrchr(path, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    slash = strrchr(path, '/');
    return !slash ? NULL : (*slash = '\0', path);
}

static const char *find(const char *prefix, const char *const *folders, const char *file)
{
    for (; *folders; folders++) {
        const char *folder = umcc_printf("%s/%s", prefix, *folders);
        if (has(folder, file))
            return folder;
    }
    fprintf(stderr, "umcc: %s is not where umcc expects it, under %s\n", file, prefix);
    return NULL;
}

static bool find_places(const struct umcc_options *options, struct umcc_places *places)
{
    static const char *const includes[] = {"include", "include/umlab", NULL};
    static const char *const libraries[] = {"lib", "lib/umlab", "lib64", NULL};
    const char *prefix = own_prefix();
    if (!prefix) {
        fputs("umcc: cannot tell where umcc itself lies (/proc/self/exe)\n", stderr);
        return false;
    }
    places->prefix = prefix;
    places->include = find(prefix, includes, "umsim/device.h");
    const bool links = !options->precompile && (umcc_makes_module(options) ||
                                                (options->stage == UMCC_LINK && !options->no_cuda_library));
    places->library = links ? find(prefix, libraries, "libumsim.so") : prefix;
    return places->include && places->library;
}

/* The linker would only say that there is no static -lumsim, and ThreadSanitizer ends each program at its
 * start. */
static const char *refuse_for_library(const struct umcc_options *o)
{
    const struct umcc_list *lists[] = {&o->host, &o->link};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (int i = 0; i < lists[l]->count; i++) {
            const char *word = lists[l]->items[i];
            if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0)
                return UMCC_NO_STATIC;
            if (strcmp(word, "-fsanitize=thread") == 0)
                return "-fsanitize=thread does not go with the simulated GPU: ThreadSanitizer allows memory "
                       "at its own addresses only, and the GPU's lies at others. Leave it out; umcc --check "
                       "looks for races in kernels";
        }
    return NULL;
}

static const char *check(const struct umcc_options *o)
{
    if (o->error)
        return o->error;
    const char *refused = o->stage == UMCC_LINK && !o->no_cuda_library ? refuse_for_library(o) : NULL;
    if (refused)
        return refused;
    const bool one_each = o->stage != UMCC_LINK && o->stage != UMCC_LIBRARY && o->stage != UMCC_DEVICE_LINK;
    if (o->precompile)
        return o->input_count == 0 ? NULL : "--precompile takes no inputs, only options";
    if (o->input_count == 0 || (o->source_count == 0 && one_each))
        return "no input files (--help lists the options)";
    if (o->stage == UMCC_DEVICE_LINK && o->source_count > 0)
        return "-dlink takes object files: compile the sources with -dc before";
    if (one_each && o->output && o->source_count > 1)
        return "-o names one file, but there are several inputs that are not linked";
    if (o->dependency_file && o->source_count > 1)
        return "-MF names one file, but there are several inputs";
    if (o->run && (one_each || o->shared))
        return "--run needs a program: it does not go with -c, -E, -M, -lib or -shared";
    return NULL;
}

/* Prints one clear line, where g++ and the linker would print several. */
static bool can_read(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 && errno == ENOENT)
        fprintf(stderr, "umcc: no such file: %s\n", path);
    else if (access(path, R_OK) != 0)
        fprintf(stderr, "umcc: cannot read %s: %s\n", path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        fprintf(stderr, "umcc: cannot read %s: it is a folder\n", path);
    else
        return true;
    return false;
}

static bool can_work(const struct umcc_options *o)
{
    const char *folder = o->keep ? o->keep_directory : NULL;
    for (int i = 0; i < o->input_count; i++)
        if (o->inputs[i].text[0] != '-' && !can_read(o->inputs[i].text))
            return false;
    if (!folder || access(folder, W_OK | X_OK) == 0)
        return true;
    fprintf(stderr, "umcc: cannot write in %s: %s\n", folder, strerror(errno));
    return false;
}

/* g++ takes these folders for -I: NVIDIA's own headers must not come before ours by them, either. */
static void clean_environment(void)
{
    const char *preloaded =
        getenv("LD_PRELOAD"); /* umpython's: g++ and the linker do without the simulator */
    if (preloaded && strstr(preloaded, "libumsim.so"))
        unsetenv("LD_PRELOAD");

    static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const char *left = "", *value = getenv(names[n]);
        if (!value)
            continue;
        for (const char *at = value; *at != '\0';) {
            const int length = (int)strcspn(at, ":");
            if (access(umcc_printf("%.*s/crt/host_defines.h", length, at), R_OK) != 0)
                left = umcc_printf("%s%s%.*s", left, *left == '\0' ? "" : ":", length, at);
            at += length + (at[length] == ':');
        }
        if (*left == '\0')
            unsetenv(names[n]);
        else
            setenv(names[n], left, 1);
    }
}

static bool is_silent(const struct umcc_options *o)
{
    const struct umcc_list *lists[] = {&o->host, &o->compile};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (int i = 0; i < lists[l]->count; i++)
            if (strcmp(lists[l]->items[i], "-w") == 0)
                return true;
    return false;
}

static void print_version(struct umcc_options *options, struct umcc_places *places)
{
    puts("umcc: the compile driver of umlab's simulated GPU, nvcc's options\n"
         "umlab " UMLAB_VERSION "\n"
         "Cuda compilation tools, release 13.0, V13.0.0");
    options->stage = UMCC_LINK; /* the library counts, too */
    if (find_places(options, places))
        printf("Build umcc_%016" PRIx64 "\n", umcc_build_id(places));
}

int main(int argc, char **argv)
{
    struct umcc_options options;
    struct umcc_list line = {0};
    struct umcc_places places = {0};
    const char *unread = umcc_expand_options_files(&line, argc, argv);
    umcc_read_options(&options, line.count, line.items);
    if (options.help || options.version) {
        if (options.help)
            umcc_print_help();
        else
            print_version(&options, &places);
        return UMCC_OK;
    }
    const char *error = unread ? unread : check(&options);
    const bool found = (!error || options.verbose) && find_places(&options, &places);
    if (options.verbose && found) /* even if the run fails: CMake asks with an input that does not exist */
        umcc_describe_places(&options, &places);
    if (error) {
        fprintf(stderr, "umcc: %s\n", error);
        return UMCC_USAGE;
    }
    if (!found)
        return UMCC_FAILED;
    if (!options.dry_run && !can_work(&options))
        return UMCC_FAILED;
    if (!is_silent(&options))
        umcc_warn_on(stderr);
    clean_environment();
    umcc_catch_signals();
    int status = umcc_drive(&options, &places);
    umcc_clean_up();
    return status;
}
