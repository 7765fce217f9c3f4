/**
 * @file compile.c
 * @brief Compiles a .cu file: preprocesses it, rewrites it, and has g++ compile the result.
 *
 * Where g++ refuses a kernel's transformed text, that kernel stays as it is written and the file is rewritten
 * and compiled again (proof.h); at last without defined shifts and conversions, too. What g++ said before is
 * not shown: it is about text that the user never wrote.
 */
#define _GNU_SOURCE
#include "counted.h"
#include "precompiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As often as the messages name further kernels. Then all kernels stay as they are written. */
enum { ROUNDS = 6 };

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

/* If the source asks which side it is compiled for, it is preprocessed a second time. */
static int add_device_side(struct umcc_drive *d, const struct umcc_input *input, struct umcc_text *source)
{
    struct umcc_text device = {0};
    if (umcc_is_device_only(d->o) || !umcc_mentions_arch(source->data, source->length))
        return UMCC_OK;
    const char *preprocessed = umcc_intermediate_name(d, input->text, ".device.ii");
    if (!preprocessed)
        return UMCC_FAILED;
    d->for_device = true;
    int status = umcc_preprocess(d, input, preprocessed, NULL, NULL);
    d->for_device = false;
    if (status == UMCC_OK)
        status = umcc_read_file(preprocessed, &device);
    if (status == UMCC_OK)
        status = merge(&device, source);
    umcc_text_free(&device);
    return status;
}

/* Reads what was preprocessed. */
static int read_source(struct umcc_drive *d, const struct umcc_input *input, const char *from,
                       struct umcc_text *source)
{
    const int status = umcc_read_file(from, source);
    return status == UMCC_OK ? add_device_side(d, input, source) : status;
}

/* Rewrites `source`. `kernels` says which ones stay as they are written, and gets what became of them.
 * @param out gets the text; to be freed */
static int rewrite(struct umcc_drive *d, const struct umcc_text *source, struct umcc_text *out,
                   struct umcc_kernels *kernels, bool as_written)
{
    char *resolved = realpath(d->places->include, NULL);
    struct umcc_unit unit = {.relocatable = d->o->relocatable,
                             .checked = d->o->check,
                             .countable = d->form == UMCC_COUNTABLE,
                             .counting = d->form == UMCC_COUNTING,
                             .plain = umcc_is_plain(d) || as_written,
                             .keyed = d->o->keyed,
                             .keyed_except = d->o->keyed_except,
                             .as_written = as_written,
                             .casts = d->casts,
                             .own_include = {d->places->include, resolved},
                             .kernels = *kernels};
    int status = UMCC_OK;
    if (umcc_rewrite(&unit, source->data, source->length, out) > 0) {
        fputs(unit.messages.data, stderr);
        status = UMCC_FAILED;
    }
    *kernels = unit.kernels;
    unit.kernels = (struct umcc_kernels){0};
    umcc_unit_free(&unit);
    free(resolved);
    return status;
}

static void say_rewriting(const struct umcc_drive *d, const char *from, const char *to)
{
    if (d->o->verbose)
        fprintf(stderr, "#$ # umcc rewrites %s as %s, -arch compute_%d\n", from, to, d->o->arch / 10);
}

int umcc_rewrite_only(struct umcc_drive *d, const struct umcc_input *input, const char *from, const char *to)
{
    struct umcc_text source = {0}, text = {0};
    struct umcc_kernels kernels = {0};
    say_rewriting(d, from, to);
    if (d->o->dry_run)
        return UMCC_OK;
    int status = read_source(d, input, from, &source);
    if (status == UMCC_OK)
        status = rewrite(d, &source, &text, &kernels, false);
    if (status == UMCC_OK)
        status = umcc_write_file(to, &text);
    if (status == UMCC_OK && d->o->report)
        umcc_print_forms(&kernels);
    umcc_kernels_free(&kernels);
    umcc_text_free(&source);
    umcc_text_free(&text);
    return status;
}

/* g++ writes to a file, but the terminal may show colours. */
static void keep_colours(const struct umcc_drive *d, struct umcc_list *c)
{
    const char *terminal = getenv("TERM");
    for (int i = 0; i < d->o->host.count; i++)
        if (strstr(d->o->host.items[i], "-fdiagnostics-color") == d->o->host.items[i])
            return;
    if (isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0)
        umcc_list_add(c, "-fdiagnostics-color=always");
}

/* @param more one more option; NULL: none */
static int run_compiler(struct umcc_drive *d, const char *rewritten, const char *object, const char *messages,
                        const char *more)
{
    struct umcc_list c = {0};
    umcc_start_command(d, &c, UMCC_CUDA, "c++-cpp-output");
    umcc_add_compiling(d, &c, UMCC_CUDA);
    if (more)
        umcc_list_add(&c, more);
    if (messages)
        keep_colours(d, &c);
    umcc_list_add(&c, !object ? "-fsyntax-only" : d->form == UMCC_ONE_FORM ? "-c" : "-S");
    umcc_list_add(&c, rewritten);
    if (object) {
        umcc_list_add(&c, "-o");
        umcc_list_add(&c, object);
    }
    return umcc_execute(d, &c, messages);
}

/* Compiles `text`, which goes to the file `rewritten`, and keeps what g++ says in `messages`, for which there
 * is the file `to`. Where g++ fails by an error of its own, it is mostly its vectorizer's (g++ 12's for
 * arm64). */
static int compile_text(struct umcc_drive *d, const struct umcc_text *text, const char *rewritten,
                        const char *object, const char *to, struct umcc_text *messages)
{
    static const char *const tries[] = {NULL, "-fno-tree-vectorize"};
    int status = umcc_write_file(rewritten, text);
    const bool is_written = status == UMCC_OK;
    for (size_t i = 0; is_written && i < sizeof tries / sizeof tries[0]; i++) {
        umcc_text_free(messages);
        status = run_compiler(d, rewritten, object, to, tries[i]);
        umcc_read_file(to, messages);
        if (status == UMCC_OK || !messages->data || !strstr(messages->data, "internal compiler error"))
            break;
    }
    return status;
}

/* The same, with headers that were compiled beforehand if they are `text`'s, and if g++ has nothing to say.
 * @param object NULL: only sees whether it is valid */
static int compile_quietly(struct umcc_drive *d, const struct umcc_text *text, const char *rewritten,
                           const char *object, const char *to, struct umcc_text *messages)
{
    struct umcc_text shorter = {0};
    bool done = false;
    if (object && umcc_shorten(d, text, &shorter)) {
        done = compile_text(d, &shorter, rewritten, object, to, messages) == UMCC_OK && messages->length == 0;
        umcc_text_free(messages);
    }
    umcc_text_free(&shorter);
    return done ? UMCC_OK : compile_text(d, text, rewritten, object, to, messages);
}

static void show(const struct umcc_text *messages)
{
    if (messages->data)
        fputs(messages->data, stderr);
}

/* Compiles `text`, which differs from what the user wrote: g++ may refuse it for that. @return whether all is
 * said and done; if not, `kernels` says which ones have to stay as they are written.
 * @param kernels NULL: nothing can be left out any more */
static bool try_rewritten(struct umcc_drive *d, const struct umcc_text *text, const char *rewritten,
                          const char *object, struct umcc_kernels *kernels, int *status)
{
    struct umcc_text messages = {0};
    const char *to = umcc_temporary_name(d, rewritten, ".messages");
    *status = to ? compile_quietly(d, text, rewritten, object, to, &messages) : UMCC_FAILED;
    const bool done = *status == UMCC_OK || umcc_interrupted() || !kernels;
    if (done)
        show(&messages);
    else
        umcc_read_refusals(kernels, messages.data ? messages.data : "");
    umcc_text_free(&messages);
    return done;
}

/* @return whether g++ takes the text as it is written, but for `d->casts` */
static bool takes_as_written(struct umcc_drive *d, const struct umcc_text *source, const char *rewritten,
                             struct umcc_text *messages)
{
    struct umcc_kernels kernels = {0};
    struct umcc_text text = {0};
    const char *to = umcc_temporary_name(d, rewritten, ".messages");
    const bool takes = to && rewrite(d, source, &text, &kernels, true) == UMCC_OK &&
                       compile_quietly(d, &text, rewritten, NULL, to, messages) == UMCC_OK;
    umcc_kernels_free(&kernels);
    umcc_text_free(&text);
    return takes;
}

/* @return whether g++ takes what the user wrote. If not, it has said why, in the user's own words. Casts of
 * addresses to numbers too small for them are nvcc's, not g++'s: what it says of these is asked once more
 * with umcc's casts. */
static bool is_valid(struct umcc_drive *d, const struct umcc_text *source, const char *rewritten)
{
    struct umcc_text messages = {0};
    bool valid = takes_as_written(d, source, rewritten, &messages);
    if (!valid && messages.data && strstr(messages.data, "[-fpermissive]")) {
        struct umcc_text unread = {0};
        d->casts = true;
        valid = d->casts = takes_as_written(d, source, rewritten, &unread);
        umcc_text_free(&unread);
    }
    if (!valid)
        show(&messages);
    umcc_text_free(&messages);
    return valid;
}

static void leave_all_plain(struct umcc_kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++)
        kernels->items[i].stays_plain = true;
}

/* First with all that umcc does. If g++ refuses that, and takes the user's own text: without the
 * transformations of kernels that it refuses; at last without defined shifts and conversions, too (where one
 * is left then, and matters, the kernel ends with a message: sim/fault/undefined_operation.h). */
static int compile_source(struct umcc_drive *d, const struct umcc_text *source, const char *rewritten,
                          const char *object)
{
    struct umcc_kernels kernels = {0};
    bool as_written = false, done = false;
    int status = UMCC_OK;
    for (int round = 1; !done; round++) {
        struct umcc_text text = {0};
        status = rewrite(d, source, &text, &kernels, as_written);
        d->as_written = as_written;
        done = status != UMCC_OK ||
               try_rewritten(d, &text, rewritten, object, as_written ? NULL : &kernels, &status);
        umcc_text_free(&text);
        if (!done && round == 1)
            done = !is_valid(d, source, rewritten);
        as_written = !umcc_any_transformed(&kernels);
        if (round == ROUNDS)
            leave_all_plain(&kernels);
    }
    if (status == UMCC_OK && d->o->report)
        umcc_print_forms(&kernels);
    umcc_kernels_free(&kernels);
    return status;
}

/* What the library's headers mark is something else in the counting form: what a GPU has in some instructions
 * is a call, whose name tells (segments.h); atomic functions do not ask where a variable lies
 * (umsim/atomics.h); a thread's variables that are kept are no accesses (umsim/fission.h); divisions have no
 * jumps (umsim/undefined.h). */
static void change_marks(struct umcc_text *source)
{
    static const struct {
        const char *mark, *instead; /* of one length */
    } changes[] = {{"__always_inline__, __no_icf__", "__noinline__                 "},
                   {"umsim_asks_own = 1", "umsim_asks_own = 0"},
                   {"umsim_keeps_apart = 0", "umsim_keeps_apart = 1"},
                   {"umsim_divides_apart = 0", "umsim_divides_apart = 1"},
                   {"__no_instrument_function__, __unused__", "__optimize__(\"O3\", \"tree-sra\")        "}};
    for (size_t i = 0; source->data && i < sizeof changes / sizeof changes[0]; i++)
        for (char *at = source->data; (at = strstr(at, changes[i].mark));)
            memcpy(at, changes[i].instead, strlen(changes[i].instead));
}

/* The source of the counting form: loops are unrolled where nvcc would, for which g++ has another word. Where
 * the program says no number, it is all of a short loop. */
static void name_unrolling(const struct umcc_text *source, struct umcc_text *out)
{
    static const char theirs[] = "#pragma unroll";
    size_t from = 0;
    if (!source->data)
        return;
    for (const char *at = source->data; (at = strstr(at, theirs));) {
        const char *p = at + sizeof theirs - 1;
        p += strspn(p, " \t(");
        const size_t digits = strspn(p, "0123456789"), rest = digits + strspn(p + digits, " \t)");
        if (p[rest] == '\n') { /* else another word, or a value that g++ may not know */
            umcc_text_add(out, source->data + from, (size_t)(at - source->data) - from);
            umcc_text_printf(out, "#pragma GCC unroll %.*s", digits ? (int)digits : 2, digits ? p : "16");
            from = (size_t)(p - source->data) + rest;
        }
        at = p;
    }
    umcc_text_add(out, source->data + from, strlen(source->data + from));
    change_marks(out);
}

/* The files of a compilation of two forms. */
struct forms {
    const char *fast, *counting, *both;
    const char *rewritten; /* the source of the counting form */
    const char *messages;  /* that nobody reads */
};

static bool name_forms(struct umcc_drive *d, const struct umcc_input *input, struct forms *files)
{
    files->fast = umcc_intermediate_name(d, input->text, ".fast.s");
    files->counting = umcc_intermediate_name(d, input->text, ".counted.s");
    files->rewritten = umcc_intermediate_name(d, input->text, ".counted.cpp.ii");
    files->both = umcc_intermediate_name(d, input->text, ".s");
    files->messages = umcc_temporary_name(d, input->text, ".counted.messages");
    return files->fast && files->counting && files->rewritten && files->both && files->messages;
}

/* Compiles the form that counts, to assembly: kernels that g++ does not prove to be as before when they are
 * cut at their barriers stay whole. What it refuses even then has no such form, nor has what no kernel is in.
 */
static int compile_counting(struct umcc_drive *d, const struct umcc_text *source, const struct forms *files)
{
    struct umcc_kernels kernels = {0};
    struct umcc_text text = {0}, messages = {0};
    const enum umcc_form form = d->form;
    d->form = UMCC_COUNTING;
    int status = UMCC_FAILED;
    for (bool again = true; again;) {
        status = rewrite(d, source, &text, &kernels, d->as_written);
        if (kernels.count == 0 && !d->o->relocatable)
            status = UMCC_FAILED;
        again = status == UMCC_OK;
        if (again)
            status = compile_quietly(d, &text, files->rewritten, files->counting, files->messages, &messages);
        again = again && status != UMCC_OK && !umcc_interrupted() && umcc_any_transformed(&kernels);
        if (again)
            umcc_read_refusals(&kernels, messages.data ? messages.data : "");
        umcc_text_free(&text);
        umcc_text_free(&messages);
    }
    d->form = form;
    if (status == UMCC_OK && d->o->report)
        umcc_print_uncut(&kernels);
    umcc_kernels_free(&kernels);
    return status;
}

static int assemble(struct umcc_drive *d, const char *assembly, const char *object, const char *messages)
{
    struct umcc_list c = {0};
    umcc_start_command(d, &c, UMCC_C, "assembler");
    umcc_list_add(&c, "-c");
    umcc_list_add(&c, assembly);
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, object);
    return umcc_execute(d, &c, messages);
}

/* Makes an object of the fast form, and of the counting one if there is one. What the assembler then refuses
 * has no counting form.
 * @param[out] counts whether it has one */
static int assemble_both(struct umcc_drive *d, const struct umcc_text *fast, const struct umcc_text *counting,
                         const char *both, const char *object, bool *counts)
{
    const char *messages = umcc_temporary_name(d, both, ".messages");
    struct umcc_text out = {0};
    int status = counting && umcc_add_counting(umcc_this_machine(), fast, counting, d->o->relocatable, &out)
                     ? UMCC_OK
                     : UMCC_FAILED;
    if (status == UMCC_OK)
        status = umcc_write_file(both, &out);
    if (status == UMCC_OK)
        status = assemble(d, both, object, messages);
    umcc_text_free(&out);
    *counts = status == UMCC_OK;
    if (*counts)
        return status;
    umcc_add_counting(umcc_this_machine(), fast, NULL, false, &out);
    status = umcc_write_file(both, &out);
    umcc_text_free(&out);
    return status == UMCC_OK ? assemble(d, both, object, NULL) : status;
}

/* Compiles both forms, one beside the other, and makes one object of them. What is said of the steps comes in
 * their order, so then they are made one after the other. */
static int compile_both(struct umcc_drive *d, const struct umcc_input *input, const struct umcc_text *source,
                        const char *rewritten, const char *object)
{
    struct forms files;
    struct umcc_text texts[2] = {{0}, {0}}, counted_source = {0};
    if (!name_forms(d, input, &files))
        return UMCC_FAILED;
    name_unrolling(source, &counted_source);
    d->as_written = d->casts = false;
    const bool in_order = d->o->verbose || d->o->report;
    if (!in_order && umcc_begin_beside())
        umcc_end_beside(compile_counting(d, &counted_source, &files));
    d->form = UMCC_COUNTABLE;
    int status = compile_source(d, source, rewritten, files.fast);
    const bool fits = status == UMCC_OK && !d->as_written;
    int counting = umcc_wait_beside(fits);
    if (status == UMCC_OK && (!fits || in_order))
        counting = compile_counting(d, &counted_source, &files);
    if (status == UMCC_OK)
        status = umcc_read_file(files.fast, &texts[0]);
    bool counts = counting == UMCC_OK && umcc_read_file(files.counting, &texts[1]) == UMCC_OK;
    if (status == UMCC_OK)
        status = assemble_both(d, &texts[0], counts ? &texts[1] : NULL, files.both, object, &counts);
    if (status == UMCC_OK && !counts && d->o->report)
        fprintf(stderr, "umcc: %s: what is in this file has no form that counts\n", input->text);
    d->form = UMCC_ONE_FORM;
    umcc_text_free(&counted_source);
    for (int i = 0; i < 2; i++)
        umcc_text_free(&texts[i]);
    return status;
}

int umcc_compile_cuda(struct umcc_drive *d, const struct umcc_input *input, const char *object,
                      const char *dependencies, const char *target)
{
    const char *preprocessed = umcc_intermediate_name(d, input->text, ".ii");
    const char *rewritten = umcc_intermediate_name(d, input->text, ".cpp.ii");
    struct umcc_text source = {0};
    if (!preprocessed || !rewritten)
        return UMCC_FAILED;
    int status = umcc_preprocess(d, input, preprocessed, dependencies, target);
    if (status != UMCC_OK)
        return status;
    say_rewriting(d, preprocessed, rewritten);
    if (d->o->dry_run)
        return run_compiler(d, rewritten, object, NULL, NULL);
    status = read_source(d, input, preprocessed, &source);
    if (status == UMCC_OK && umcc_counts(d))
        status = compile_both(d, input, &source, rewritten, object);
    else if (status == UMCC_OK)
        status = compile_source(d, &source, rewritten, object);
    umcc_text_free(&source);
    return status;
}

/* Compiles the headers of `source`, which is nothing but headers, in the form d->form. */
static int precompile_form(struct umcc_drive *d, const struct umcc_text *source)
{
    struct umcc_kernels kernels = {0};
    struct umcc_text text = {0};
    int status = rewrite(d, source, &text, &kernels, false);
    if (status == UMCC_OK)
        status = umcc_precompile_headers(d, &text);
    umcc_kernels_free(&kernels);
    umcc_text_free(&text);
    return status;
}

int umcc_precompile(struct umcc_drive *d)
{
    struct umcc_input input = {.text = umcc_temporary_name(d, "headers", ".cu"), .language = UMCC_CUDA};
    const char *preprocessed = umcc_temporary_name(d, "headers", ".ii");
    struct umcc_text source = {0}, counted = {0};
    if (!input.text || !preprocessed || umcc_write_file(input.text, &source) != UMCC_OK)
        return UMCC_FAILED;
    int status = umcc_preprocess(d, &input, preprocessed, NULL, NULL);
    if (status == UMCC_OK)
        status = read_source(d, &input, preprocessed, &source);
    if (status == UMCC_OK) {
        d->form = umcc_counts(d) ? UMCC_COUNTABLE : UMCC_ONE_FORM;
        status = precompile_form(d, &source);
    }
    if (status == UMCC_OK && umcc_counts(d)) {
        name_unrolling(&source, &counted);
        d->form = UMCC_COUNTING;
        status = precompile_form(d, &counted);
    }
    umcc_text_free(&source);
    umcc_text_free(&counted);
    return status;
}
