/**
 * @file driver.c
 * @brief The steps from inputs to a result: preprocess, rewrite, compile, link; what they are told, and where
 * files go.
 *
 * A result is written beside its final name and renamed when everything went well, so nothing half-made is
 * left.
 */
#define _GNU_SOURCE
#include "driver.h"
#include "umcc.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Everything that one run needs to know. */
struct drive {
    struct umcc_options *o;
    const struct umcc_places *places;
    int serial;
    bool for_device; /* what is preprocessed now is device code (arch.c) */
};

/** A result on its way: `temporary` becomes `path`. */
struct result {
    const char *path, *temporary;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* `dir/x.cu` and ".o" give `x.o`, in -odir's folder if one was named. */
static const char *default_name(const struct drive *d, const char *source, const char *extension)
{
    char *name = umcc_printf("%s", base_name(source));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return !d->o->output_directory ? umcc_printf("%s%s", name, extension)
                                   : umcc_printf("%s/%s%s", d->o->output_directory, name, extension);
}

static const char *temporary_name(struct drive *d, const char *source, const char *extension)
{
    const char *directory = umcc_temporary_directory(d->o->dry_run);
    if (!directory)
        return NULL;
    return umcc_remove_later(umcc_printf("%s/%d-%s%s", directory, d->serial++, base_name(source), extension));
}

/* What is made on the way: kept under --keep, else temporary. */
static const char *intermediate_name(struct drive *d, const char *source, const char *extension)
{
    if (!d->o->keep)
        return temporary_name(d, source, extension);
    const char *directory = d->o->keep_directory;
    return !directory ? umcc_printf("%s%s", base_name(source), extension)
                      : umcc_printf("%s/%s%s", directory, base_name(source), extension);
}

/* Devices such as /dev/null cannot be renamed over: they are written directly. */
static bool start_result(struct drive *d, const char *path, struct result *result)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    *result = (struct result){path, path};
    if (there && S_ISDIR(status.st_mode)) {
        fprintf(stderr, "umcc: cannot write %s: it is a folder\n", path);
        return false;
    }
    if (there && !S_ISREG(status.st_mode))
        return true;
    char *folder = umcc_printf("%s", path);
    const char *parent = dirname(folder);
    if (!d->o->dry_run && access(parent, W_OK | X_OK) != 0) {
        fprintf(stderr, "umcc: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    result->temporary =
        d->o->dry_run ? path : umcc_remove_later(umcc_printf("%s.umcc-%ld", path, (long)getpid()));
    return true;
}

static int finish_result(struct drive *d, const struct result *result)
{
    if (d->o->dry_run || result->path == result->temporary)
        return UMCC_OK;
    if (umcc_interrupted() || rename(result->temporary, result->path) != 0) {
        if (!umcc_interrupted())
            fprintf(stderr, "umcc: cannot write %s: %s\n", result->path, strerror(errno));
        return UMCC_FAILED;
    }
    return UMCC_OK;
}

/* g++'s failures are all "the input has errors" to whoever called umcc. */
static int execute(struct drive *d, struct umcc_list *command)
{
    if (d->o->verbose)
        umcc_print_command(command);
    int status = d->o->dry_run ? 0 : umcc_run(command);
    free(command->items);
    *command = (struct umcc_list){0};
    return status == 0 ? UMCC_OK : UMCC_FAILED;
}

static void add_dependencies(struct drive *d, struct umcc_list *c, const char *file, const char *target)
{
    umcc_list_add(c, d->o->system_dependencies ? "-MD" : "-MMD");
    umcc_list_add(c, "-MF");
    umcc_list_add(c, file);
    umcc_list_add(c, "-MT");
    umcc_list_add(c, d->o->dependency_target ? d->o->dependency_target : target);
    if (d->o->phony_targets)
        umcc_list_add(c, "-MP");
}

/* NVIDIA's own headers, which many Makefiles name, must not come before ours. @return how many words name
 * them at `i` */
static int toolkit_words(const struct umcc_list *words, int i)
{
    const char *word = words->items[i];
    const bool apart = strcmp(word, "-isystem") == 0 && i + 1 < words->count;
    const char *folder = apart ? words->items[i + 1] : strncmp(word, "-I", 2) == 0 ? word + 2 : NULL;
    if (!folder || access(umcc_printf("%s/crt/host_defines.h", folder), R_OK) != 0)
        return 0;
    return apart ? 2 : 1;
}

static void add_preprocessing(struct drive *d, struct umcc_list *c, enum umcc_language language)
{
    if (d->for_device)
        umcc_list_printf(c, "-D__CUDA_ARCH__=%d", d->o->arch);
    static const char *const cuda[] = {"-D__UMCC__", "-D__CUDACC__", NULL};
    bool cuda12 = false;
    for (int i = 0; i < d->o->preprocess.count; i++)
        cuda12 |= strncmp(d->o->preprocess.items[i], "-DUMSIM_CUDA12", 14) == 0;
    for (int i = 0; language == UMCC_CUDA && cuda[i]; i++)
        umcc_list_add(c, cuda[i]);
    if (language == UMCC_CUDA && d->o->check)
        umcc_list_printf(c, "-DUMSIM_CHECKED=\"%s\"", d->o->check);
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
    }
}

/* nvcc's -O is for host code: kernels are optimized fully unless -G is given. g++ compiles both at once, so
 * -O1 and -O2 become -O3, which gcc needs to vectorise; -O0 stays, for those who want to look into the
 * program. */
static const char *optimization(const struct drive *d, enum umcc_language language)
{
    const char *level = d->o->optimize;
    if (language == UMCC_CUDA && d->o->check) /* few accesses go, none are put together */
        return d->o->device_debug || (level && strcmp(level, "-O0") == 0) ? "-O0" : "-O1";
    if (!level)
        return d->o->device_debug ? "-O0" : d->o->debug ? "-Og" : "-O3";
    if (language == UMCC_CUDA && (strcmp(level, "-O1") == 0 || strcmp(level, "-O2") == 0))
        return "-O3";
    return level;
}

/* A call before each access (sim/check/hooks.c), and accesses as they are written: structures whole, in loops
 * each time. Lines are for the messages. */
static void add_checking(struct umcc_list *c)
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
}

static void add_compiling(struct drive *d, struct umcc_list *c, enum umcc_language language)
{
    umcc_list_add(c, optimization(d, language));
    if (d->o->debug)
        umcc_list_add(c, "-g");
    if (language ==
        UMCC_CUDA) { /* no PLT: after its start the simulated GPU can bind no symbol, whoever links */
        static const char *const flags[] = {"-fno-semantic-interposition",
                                            "-fno-strict-aliasing",
                                            "-fno-math-errno",
                                            "-fno-trapping-math",
                                            "-fcheck-new",
                                            "-fno-plt",
                                            NULL};
        for (int i = 0; flags[i]; i++)
            umcc_list_add(c, flags[i]);
    }
    if (language == UMCC_CUDA && d->o->check)
        add_checking(c);
    umcc_list_add_all(c, &d->o->compile);
}

static void start_command(struct drive *d, struct umcc_list *c, enum umcc_language language, const char *form)
{
    umcc_list_add(c, d->o->compiler);
    umcc_list_add(c, "-x");
    umcc_list_add(c, form);
    if (d->o->standard && language != UMCC_C)
        umcc_list_add(c, d->o->standard);
    umcc_list_add_all(c, &d->o->host);
}

static int preprocess(struct drive *d, const struct umcc_input *input, const char *output,
                      const char *dependencies, const char *target)
{
    struct umcc_list c = {0};
    start_command(d, &c, input->language, input->language == UMCC_C ? "c" : "c++");
    umcc_list_add(&c, "-E");
    add_preprocessing(d, &c, input->language);
    if (input->language == UMCC_CUDA) /* __OPTIMIZE__ and kin are decided here */
        umcc_list_add(&c, optimization(d, UMCC_CUDA));
    umcc_list_add_all(&c, &d->o->compile);
    if (dependencies)
        add_dependencies(d, &c, dependencies, target);
    umcc_list_add(&c, input->text);
    if (output) {
        umcc_list_add(&c, "-o");
        umcc_list_add(&c, output);
    }
    const int status = execute(d, &c);
    if (status != UMCC_OK && input->language == UMCC_CUDA)
        umcc_hint_at_libraries(d->o, d->places->include, input->text);
    return status;
}

static int read_file(const char *path, struct umcc_text *text)
{
    FILE *file = fopen(path, "rb");
    char buffer[65536];
    size_t n;
    if (!file) {
        fprintf(stderr, "umcc: cannot read %s: %s\n", path, strerror(errno));
        return UMCC_FAILED;
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        umcc_text_add(text, buffer, n);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? UMCC_FAILED : UMCC_OK;
}

static int write_file(const char *path, const struct umcc_text *text)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text->data, 1, text->length, file) == text->length;
    if (file)
        good &= fclose(file) == 0;
    if (!good)
        fprintf(stderr, "umcc: cannot write %s: %s\n", path, strerror(errno));
    return good ? UMCC_OK : UMCC_FAILED;
}

static int merge(const struct umcc_text *device_source, struct umcc_text *source)
{
    struct umcc_unit host = {0}, device = {0};
    struct umcc_text merged = {0};
    umcc_tokenize(&host, source->data, source->length);
    umcc_tokenize(&device, device_source->data, device_source->length);
    int errors = host.errors + device.errors;
    if (errors == 0)
        errors = umcc_merge_arch(&host, &device, &merged);
    if (host.errors)
        fputs(host.messages.data, stderr);
    if (device.errors)
        fputs(device.messages.data, stderr);
    umcc_unit_free(&host);
    umcc_unit_free(&device);
    umcc_text_free(source);
    *source = merged;
    return errors == 0 ? UMCC_OK : UMCC_FAILED;
}

/* Where the source asks which side it is compiled for, it is preprocessed once more. */
static int add_device_side(struct drive *d, const struct umcc_input *input, struct umcc_text *source)
{
    struct umcc_text device = {0};
    if (!umcc_mentions_arch(source->data, source->length))
        return UMCC_OK;
    const char *preprocessed = intermediate_name(d, input->text, ".device.ii");
    if (!preprocessed)
        return UMCC_FAILED;
    d->for_device = true;
    int status = preprocess(d, input, preprocessed, NULL, NULL);
    d->for_device = false;
    if (status == UMCC_OK)
        status = read_file(preprocessed, &device);
    if (status == UMCC_OK)
        status = merge(&device, source);
    umcc_text_free(&device);
    return status;
}

static int rewrite(struct drive *d, const struct umcc_input *input, const char *from, const char *to)
{
    if (d->o->verbose)
        fprintf(stderr, "#$ # umcc rewrites %s as %s, -arch compute_%d\n", from, to, d->o->arch / 10);
    if (d->o->dry_run)
        return UMCC_OK;
    struct umcc_unit unit = {.relocatable = d->o->relocatable, .checked = d->o->check};
    struct umcc_text source = {0}, out = {0};
    int status = read_file(from, &source);
    if (status == UMCC_OK)
        status = add_device_side(d, input, &source);
    if (status == UMCC_OK && umcc_rewrite(&unit, source.data, source.length, &out) > 0) {
        fputs(unit.messages.data, stderr);
        status = UMCC_FAILED;
    }
    if (status == UMCC_OK)
        status = write_file(to, &out);
    umcc_unit_free(&unit);
    umcc_text_free(&source);
    umcc_text_free(&out);
    return status;
}

static int compile_cuda(struct drive *d, const struct umcc_input *input, const char *object,
                        const char *dependencies, const char *target)
{
    const char *preprocessed = intermediate_name(d, input->text, ".ii");
    const char *rewritten = intermediate_name(d, input->text, ".cpp.ii");
    if (!preprocessed || !rewritten)
        return UMCC_FAILED;
    int status = preprocess(d, input, preprocessed, dependencies, target);
    if (status == UMCC_OK)
        status = rewrite(d, input, preprocessed, rewritten);
    if (status != UMCC_OK)
        return status;
    struct umcc_list c = {0};
    start_command(d, &c, UMCC_CUDA, "c++-cpp-output");
    add_compiling(d, &c, UMCC_CUDA);
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, rewritten);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, object);
    return execute(d, &c);
}

static int compile_host(struct drive *d, const struct umcc_input *input, const char *object,
                        const char *dependencies, const char *target)
{
    struct umcc_list c = {0};
    start_command(d, &c, input->language, input->language == UMCC_C ? "c" : "c++");
    add_preprocessing(d, &c, input->language);
    add_compiling(d, &c, input->language);
    if (dependencies)
        add_dependencies(d, &c, dependencies, target);
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, input->text);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, object);
    return execute(d, &c);
}

/* Compiles one source. `target` is what make is to rebuild when a header changes. */
static int compile(struct drive *d, const struct umcc_input *input, const char *object, const char *target)
{
    struct result dependencies = {0};
    bool wanted = d->o->dependencies;
    if (wanted) {
        const char *name = d->o->dependency_file;
        if (!name)
            name = default_name(d, d->o->output && d->o->source_count == 1 ? target : input->text, ".d");
        if (!d->o->dependency_file && d->o->output && strchr(target, '/'))
            name = umcc_printf("%.*s/%s", (int)(strrchr(target, '/') - target), target, base_name(name));
        if (!start_result(d, name, &dependencies))
            return UMCC_FAILED;
    }
    int status = input->language == UMCC_CUDA
                     ? compile_cuda(d, input, object, dependencies.temporary, target)
                     : compile_host(d, input, object, dependencies.temporary, target);
    return status == UMCC_OK && wanted ? finish_result(d, &dependencies) : status;
}

static int link_program(struct drive *d, const char *output)
{
    struct umcc_list c = {0};
    bool simulator = !d->o->no_cuda_library;
    umcc_list_add(&c, d->o->compiler);
    umcc_list_add_all(&c, &d->o->host);
    if (d->o->shared)
        umcc_list_add(&c, "-shared");
    if (d->o->debug)
        umcc_list_add(&c, "-g");
    if (d->o->check && simulator)
        umcc_list_add(&c, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    umcc_list_add_all(&c, &d->o->link);
    for (int i = 0; i < d->o->input_count; i++)
        umcc_list_add(&c, d->o->inputs[i].object);
    if (simulator) {
        umcc_list_printf(&c, "-L%s", d->places->library);
        umcc_list_add(&c, "-lumsim");
        umcc_list_printf(&c, "-Wl,-rpath,%s", d->places->library);
    }
    umcc_list_add(&c, "-Wl,-z,now"); /* after its start the simulated GPU can bind no more symbols */
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, output);
    return execute(d, &c);
}

static int make_library(struct drive *d, const char *output)
{
    struct umcc_list c = {0};
    umcc_list_add(&c, d->o->archiver);
    umcc_list_add(&c, "rcs");
    umcc_list_add(&c, output);
    for (int i = 0; i < d->o->input_count; i++)
        if (d->o->inputs[i].object[0] != '-')
            umcc_list_add(&c, d->o->inputs[i].object);
    return execute(d, &c);
}

/* -dlink: Makefiles for nvcc put its result among the object files that the host's linker gets. Kernels are
 * host code here, and linked with the rest. */
static int device_link(struct drive *d)
{
    struct umcc_list c = {0};
    struct result result;
    if (!start_result(d, d->o->output ? d->o->output : "a_dlink.o", &result))
        return UMCC_FAILED;
    umcc_list_add(&c, d->o->compiler);
    umcc_list_add(&c, "-x");
    umcc_list_add(&c, "c");
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, "/dev/null");
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, result.temporary);
    const int status = execute(d, &c);
    return status == UMCC_OK ? finish_result(d, &result) : status;
}

/* -c, -E, -cuda, -M: each source by itself. */
static int each_source(struct drive *d)
{
    struct umcc_options *o = d->o;
    for (int i = 0; i < o->input_count; i++) {
        struct umcc_input *input = &o->inputs[i];
        struct result result = {0};
        const char *extension = o->stage == UMCC_COMPILE   ? ".o"
                                : o->stage == UMCC_REWRITE ? ".cu.cpp.ii"
                                                           : NULL;
        const char *name = o->output ? o->output : extension ? default_name(d, input->text, extension) : NULL;
        int status = UMCC_OK;
        if (input->language == UMCC_OBJECT || (o->stage == UMCC_REWRITE && input->language != UMCC_CUDA))
            continue;
        if (name && !start_result(d, name, &result))
            return UMCC_FAILED;
        if (o->stage == UMCC_COMPILE) {
            status = compile(d, input, result.temporary, name);
        } else if (o->stage == UMCC_REWRITE) {
            const char *preprocessed = intermediate_name(d, input->text, ".ii");
            status = !preprocessed ? UMCC_FAILED : preprocess(d, input, preprocessed, NULL, NULL);
            status = status == UMCC_OK ? rewrite(d, input, preprocessed, result.temporary) : status;
        } else if (o->stage == UMCC_DEPENDENCIES) {
            umcc_list_add(&o->host, o->system_dependencies ? "-M" : "-MM");
            status = preprocess(d, input, result.temporary, NULL, NULL);
        } else {
            status = preprocess(d, input, result.temporary, NULL, NULL);
        }
        if (status == UMCC_OK && name)
            status = finish_result(d, &result);
        if (status != UMCC_OK)
            return status;
    }
    return UMCC_OK;
}

static int run_program(struct drive *d, const char *program)
{
    struct umcc_list c = {0};
    umcc_list_printf(&c, "%s%s", !strchr(program, '/') ? "./" : "", program);
    umcc_list_add_all(&c, &d->o->run_arguments);
    if (d->o->verbose)
        umcc_print_command(&c);
    return d->o->dry_run ? 0 : umcc_run(&c);
}

static int compile_and_link(struct drive *d)
{
    struct umcc_options *o = d->o;
    const char *output = o->output ? o->output : o->stage == UMCC_LIBRARY ? "a.a" : "a.out";
    struct result result;
    if (!start_result(d, output, &result))
        return UMCC_FAILED;
    for (int i = 0; i < o->input_count; i++) {
        struct umcc_input *input = &o->inputs[i];
        if (input->language == UMCC_OBJECT)
            continue;
        input->object = temporary_name(d, input->text, ".o");
        const char *target = o->source_count == 1 ? output : default_name(d, input->text, ".o");
        int status = !input->object ? UMCC_FAILED : compile(d, input, input->object, target);
        if (status != UMCC_OK)
            return status;
    }
    int status =
        o->stage == UMCC_LIBRARY ? make_library(d, result.temporary) : link_program(d, result.temporary);
    if (status == UMCC_OK)
        status = finish_result(d, &result);
    return status == UMCC_OK && o->run ? run_program(d, output) : status;
}

int umcc_drive(struct umcc_options *options, const struct umcc_places *places)
{
    struct drive d = {.o = options, .places = places};
    if (options->stage == UMCC_LINK || options->stage == UMCC_LIBRARY)
        return compile_and_link(&d);
    return options->stage == UMCC_DEVICE_LINK ? device_link(&d) : each_source(&d);
}
