/**
 * @file driver.c
 * @brief Runs the steps from inputs to a result: preprocess, rewrite, compile, link.
 */
#define _GNU_SOURCE
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever status g++ fails with, umcc's caller sees UMCC_FAILED: the input has errors. */
int umcc_execute(struct umcc_drive *d, struct umcc_list *command, const char *messages)
{
    if (d->o->verbose)
        umcc_print_command(command);
    int status = d->o->dry_run ? 0 : umcc_run_quietly(command, messages);
    free(command->items);
    *command = (struct umcc_list){0};
    return status == 0 ? UMCC_OK : UMCC_FAILED;
}

int umcc_preprocess(struct umcc_drive *d, const struct umcc_input *input, const char *output,
                    const char *dependencies, const char *target)
{
    struct umcc_list c = {0};
    umcc_start_command(d, &c, input->language, input->language == UMCC_C ? "c" : "c++");
    umcc_list_add(&c, "-E");
    umcc_add_preprocessing(d, &c, input->language);
    if (input->language == UMCC_CUDA) /* __OPTIMIZE__ and the like are decided here */
        umcc_list_add(&c, umcc_optimization(d, UMCC_CUDA));
    umcc_list_add_all(&c, &d->o->compile);
    if (dependencies)
        umcc_add_dependencies(d, &c, dependencies, target);
    umcc_list_add(&c, umcc_makes_module(d->o) ? umcc_module_text(d, &c, input->text) : input->text);
    if (output) {
        umcc_list_add(&c, "-o");
        umcc_list_add(&c, output);
    }
    const int status = umcc_execute(d, &c, NULL);
    if (status != UMCC_OK && input->language == UMCC_CUDA)
        umcc_hint_at_libraries(d->o, d->places->include, input->text);
    return status;
}

static int compile_host(struct umcc_drive *d, const struct umcc_input *input, const char *object,
                        const char *dependencies, const char *target)
{
    struct umcc_list c = {0};
    umcc_start_command(d, &c, input->language, input->language == UMCC_C ? "c" : "c++");
    umcc_add_preprocessing(d, &c, input->language);
    umcc_add_compiling(d, &c, input->language);
    if (dependencies)
        umcc_add_dependencies(d, &c, dependencies, target);
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, input->text);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, object);
    return umcc_execute(d, &c, NULL);
}

/* Compiles one source. `target` is the file that make is to rebuild when a header changes. */
static int compile(struct umcc_drive *d, const struct umcc_input *input, const char *object,
                   const char *target)
{
    struct umcc_result dependencies = {0};
    bool wanted = d->o->dependencies;
    if (wanted) {
        const char *name = d->o->dependency_file;
        if (!name)
            name = umcc_default_name(d, d->o->output && d->o->source_count == 1 ? target : input->text, ".d");
        if (!d->o->dependency_file && d->o->output && strchr(target, '/'))
            name = umcc_printf("%.*s/%s", (int)(strrchr(target, '/') - target), target, umcc_base_name(name));
        if (!umcc_start_result(d, name, &dependencies))
            return UMCC_FAILED;
    }
    int status = input->language == UMCC_CUDA
                     ? umcc_compile_cuda(d, input, object, dependencies.temporary, target)
                     : compile_host(d, input, object, dependencies.temporary, target);
    return status == UMCC_OK && wanted ? umcc_finish_result(d, &dependencies) : status;
}

static int link_program(struct umcc_drive *d, const char *output)
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
    if (simulator &&
        !d->o->shared) /* its clocks show modelled time (base/program_clock.h); a later one wins */
        umcc_list_add(&c, "-Wl,--defsym=umsim_links_program=1");
    umcc_list_add_all(&c, &d->o->link);
    for (int i = 0; i < d->o->input_count; i++)
        umcc_list_add(&c, d->o->inputs[i].object);
    if (simulator) {
        umcc_list_printf(&c, "-L%s", d->places->library);
        umcc_list_add(&c, "-lumsim");
        umcc_list_printf(&c, "-Wl,-rpath,%s", d->places->library);
    }
    umcc_list_add(&c, "-Wl,-z,now"); /* after its start the simulated GPU can bind no more symbols */
    umcc_add_page_size(&c);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, output);
    return umcc_execute(d, &c, NULL);
}

static int make_library(struct umcc_drive *d, const char *output)
{
    struct umcc_list c = {0};
    umcc_list_add(&c, d->o->archiver);
    umcc_list_add(&c, "rcs");
    umcc_list_add(&c, output);
    for (int i = 0; i < d->o->input_count; i++)
        if (d->o->inputs[i].object[0] != '-')
            umcc_list_add(&c, d->o->inputs[i].object);
    return umcc_execute(d, &c, NULL);
}

/* For -dlink: Makefiles for nvcc put its result among the object files that the host's linker gets. Kernels
 * are host code here, and are linked with the rest. */
static int device_link(struct umcc_drive *d)
{
    struct umcc_list c = {0};
    struct umcc_result result;
    if (!umcc_start_result(d, d->o->output ? d->o->output : "a_dlink.o", &result))
        return UMCC_FAILED;
    umcc_list_add(&c, d->o->compiler);
    umcc_list_add(&c, "-x");
    umcc_list_add(&c, "c");
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, "/dev/null");
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, result.temporary);
    const int status = umcc_execute(d, &c, NULL);
    return status == UMCC_OK ? umcc_finish_result(d, &result) : status;
}

/* -M, -MM: g++ prints the rules instead of the source. */
static void add_rules(struct umcc_options *o)
{
    umcc_list_add(&o->host, o->system_dependencies ? "-M" : "-MM");
    if (o->dependency_target) {
        umcc_list_add(&o->host, "-MT");
        umcc_list_add(&o->host, o->dependency_target);
    }
    if (o->phony_targets)
        umcc_list_add(&o->host, "-MP");
}

/* -c, -E, -cuda, -M: each source separately. */
static int each_source(struct umcc_drive *d)
{
    struct umcc_options *o = d->o;
    for (int i = 0; i < o->input_count; i++) {
        struct umcc_input *input = &o->inputs[i];
        struct umcc_result result = {0};
        const char *extension = o->stage == UMCC_COMPILE   ? ".o"
                                : o->stage == UMCC_CUBIN   ? ".cubin"
                                : o->stage == UMCC_FATBIN  ? ".fatbin"
                                : o->stage == UMCC_REWRITE ? ".cu.cpp.ii"
                                                           : NULL;
        const bool only_dependencies = o->stage == UMCC_DEPENDENCIES;
        const char *name = o->output           ? o->output
                           : extension         ? umcc_default_name(d, input->text, extension)
                           : only_dependencies ? o->dependency_file
                                               : NULL;
        int status = UMCC_OK;
        if (input->language == UMCC_OBJECT || (o->stage == UMCC_REWRITE && input->language != UMCC_CUDA))
            continue;
        if (name && !umcc_start_result(d, name, &result))
            return UMCC_FAILED;
        if (o->stage == UMCC_COMPILE) {
            status = compile(d, input, result.temporary, name);
        } else if (umcc_makes_module(o)) {
            const char *object = umcc_temporary_name(d, input->text, ".o");
            status = !object ? UMCC_FAILED : compile(d, input, object, name);
            status = status == UMCC_OK ? umcc_link_module(d, object, result.temporary) : status;
        } else if (o->stage == UMCC_REWRITE) {
            const char *preprocessed = umcc_intermediate_name(d, input->text, ".ii");
            status = !preprocessed ? UMCC_FAILED : umcc_preprocess(d, input, preprocessed, NULL, NULL);
            status = status == UMCC_OK ? umcc_rewrite_only(d, input, preprocessed, result.temporary) : status;
        } else if (only_dependencies) {
            add_rules(o);
            status = umcc_preprocess(d, input, result.temporary, NULL, NULL);
        } else {
            status = umcc_preprocess(d, input, result.temporary, NULL, NULL);
        }
        if (status == UMCC_OK && name)
            status = umcc_finish_result(d, &result);
        if (status != UMCC_OK)
            return status;
    }
    return UMCC_OK;
}

static int run_program(struct umcc_drive *d, const char *program)
{
    struct umcc_list c = {0};
    umcc_list_printf(&c, "%s%s", !strchr(program, '/') ? "./" : "", program);
    umcc_list_add_all(&c, &d->o->run_arguments);
    if (d->o->verbose)
        umcc_print_command(&c);
    return d->o->dry_run ? 0 : umcc_run(&c);
}

static int compile_and_link(struct umcc_drive *d)
{
    struct umcc_options *o = d->o;
    const char *output = o->output ? o->output : o->stage == UMCC_LIBRARY ? "a.a" : "a.out";
    struct umcc_result result;
    if (!umcc_start_result(d, output, &result))
        return UMCC_FAILED;
    for (int i = 0; i < o->input_count; i++) {
        struct umcc_input *input = &o->inputs[i];
        if (input->language == UMCC_OBJECT)
            continue;
        input->object = umcc_temporary_name(d, input->text, ".o");
        const char *target = o->source_count == 1 ? output : umcc_default_name(d, input->text, ".o");
        int status = !input->object ? UMCC_FAILED : compile(d, input, input->object, target);
        if (status != UMCC_OK)
            return status;
    }
    int status =
        o->stage == UMCC_LIBRARY ? make_library(d, result.temporary) : link_program(d, result.temporary);
    if (status == UMCC_OK)
        status = umcc_finish_result(d, &result);
    return status == UMCC_OK && o->run ? run_program(d, output) : status;
}

int umcc_drive(struct umcc_options *options, const struct umcc_places *places)
{
    struct umcc_drive d = {.o = options, .places = places};
    if (options->precompile)
        return umcc_precompile(&d);
    if (options->stage == UMCC_LINK || options->stage == UMCC_LIBRARY)
        return compile_and_link(&d);
    return options->stage == UMCC_DEVICE_LINK ? device_link(&d) : each_source(&d);
}
