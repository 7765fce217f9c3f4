/**
 * @file library.c
 * @brief Redirects calls of C's library and of CUDA's runtime in device code.
 *
 * The simulated GPU has its own versions of these functions (umsim/library.h), under names that no host
 * function has. A program may replace new and delete, so these are replaced in the object files that need
 * it (devlib/new.c).
 *
 * A call is a name before a parenthesis, optionally after `std::` or `::`, that this source does not
 * declare itself.
 */
#include "umcc.h"

#include <string.h>

static const struct {
    const char *name, *instead;
    bool
        needs_thread_index; /* its result depends on the thread, so threadIdx and the like have to be known */
} library[] = {
    {"printf", "::umsim_printf", true},  {"__assert_fail", "::umsim_assert_fail", true},
    {"malloc", "::umsim_malloc", false}, {"free", "::umsim_free", false},
    {"abort", "::umsim_trap", false},    {"clock", "::umsim_clock", true},
    {"clock64", "::clock64", true},      {"fmaxf", "::umsim_fmaxf", false},
    {"fminf", "::umsim_fminf", false},
};

/* CUDA's runtime in device code, which umsim::device provides (cuda_device_runtime_api.h). */
static const char *const on_device[] = {"cudaGetLastError",
                                        "cudaPeekAtLastError",
                                        "cudaGetErrorName",
                                        "cudaGetErrorString",
                                        "cudaStreamCreateWithFlags",
                                        "cudaStreamDestroy",
                                        "cudaStreamWaitEvent",
                                        "cudaEventCreateWithFlags",
                                        "cudaEventRecord",
                                        "cudaEventDestroy",
                                        "cudaMalloc",
                                        "cudaFree",
                                        "cudaMemcpyAsync",
                                        "cudaMemsetAsync",
                                        "cudaMemcpy2DAsync",
                                        "cudaMemset2DAsync",
                                        "cudaGraphSetConditional",
                                        "cudaGetDevice",
                                        "cudaGetDeviceCount",
                                        "cudaRuntimeGetVersion",
                                        NULL};

/* For the host only: in device code they would look up what is closed there. */
static const char *const host_only[] = {
    "fprintf", "sprintf", "snprintf", "puts", "putchar", "fputs", "fopen", "fclose", "fread",   "fwrite",
    "scanf",   "fscanf",  "getenv",   "exit", "rand",    "srand", "time",  "calloc", "realloc", NULL};

static bool is_in_method(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && d->body < i && i < d->body_end)
            return d->in_class || d->qualified;
    return false;
}

/* Whether the source declares, or has, a function of that name that token `i` could mean. Only methods call
 * methods in this way. */
static bool is_own(const struct umcc_unit *unit, int i, const char *name, bool has_body)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && !unit->tokens[d->name].system && umcc_is(unit, d->name, name) &&
            (d->body >= 0 || !has_body) &&
            (!d->in_class || (!umcc_is(unit, i - 1, "::") && is_in_method(unit, i))))
            return true;
    return false;
}

/* Whether this is `f(`, where f is not a member and is in no namespace but std. */
static bool is_library_call(const struct umcc_unit *unit, int i)
{
    if (!umcc_is_identifier(unit, i) || !umcc_is(unit, i + 1, "("))
        return false;
    if (umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return false;
    if (umcc_is_type_keyword(unit, i - 1) || umcc_is_name(unit, i - 1)) /* `float time(0);` */
        return false;
    return !umcc_is(unit, i - 1, "::") || !umcc_is_identifier(unit, i - 2) || umcc_is(unit, i - 2, "std") ||
           umcc_is(unit, i - 2, "return");
}

/* @return the index in `library` of what token `i` calls, or -1. */
static int called(const struct umcc_unit *unit, int i)
{
    if (!is_library_call(unit, i))
        return -1;
    for (int f = 0; f < (int)(sizeof library / sizeof library[0]); f++)
        if (umcc_is(unit, i, library[f].name))
            return is_own(unit, i, library[f].name, false) ? -1 : f;
    return -1;
}

static bool is_cuda_call(const struct umcc_unit *unit, int i)
{
    const struct umcc_token *t = &unit->tokens[i];
    return t->kind == UMCC_IDENTIFIER && t->length > 5 && memcmp(t->text, "cuda", 4) == 0 &&
           t->text[4] >= 'A' && t->text[4] <= 'Z' && !t->system && is_library_call(unit, i);
}

/* @return whether token `i` calls a function of CUDA's runtime that device code also has. A source that only
 * declares it, as some do of cudaGraphSetConditional(), means CUDA's. */
static bool calls_runtime(struct umcc_unit *unit, int i)
{
    return is_cuda_call(unit, i) && umcc_is_any(unit, i, on_device) &&
           !is_own(unit, i, umcc_spelling(unit, i), true);
}

bool umcc_needs_thread_index(struct umcc_unit *unit, int i)
{
    const int f = called(unit, i);
    return (f >= 0 && library[f].needs_thread_index) || umcc_is_launch(unit, i) || calls_runtime(unit, i);
}

/* Whether one of the simulator's headers declares it for the host only. parse.c does not record functions of
 * system headers that have no mark. */
static bool is_host_api(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->name >= 0 && umcc_same_text(unit, d->name, i))
            return false;
    for (int j = 0; j < i; j++)
        if (unit->tokens[j].system && umcc_is(unit, j + 1, "(") && umcc_same_text(unit, j, i))
            return true;
    return false;
}

static void refuse_host_api(struct umcc_unit *unit, int i)
{
    const char *name = umcc_spelling(unit, i);
    if (umcc_is(unit, i, "cudaDeviceSynchronize"))
        umcc_error(
            unit, i,
            "calling the __host__ function \"%s\" from device code is not allowed: CUDA 12 took it out of "
            "there; what has to wait for child kernels is launched into cudaStreamTailLaunch",
            name);
    else
        umcc_error(unit, i, "calling the __host__ function \"%s\" from device code is not allowed", name);
}

/* Classes of C++'s library whose members run on the host only. */
static const char *const host_classes[] = {
    "vector", "string",        "map",        "unordered_map", "set",        "unordered_set", "list",
    "deque",  "queue",         "stack",      "shared_ptr",    "unique_ptr", "function",      "thread",
    "mutex",  "ostringstream", "lock_guard", "stringstream",  "ofstream",   "ifstream",      NULL};

/* Matches `std::vector<int> v`, but not a type that the class only names, such as
 * `std::vector<int>::size_type`. */
static bool is_host_class(const struct umcc_unit *unit, int i)
{
    if (!umcc_is(unit, i - 1, "::") || !umcc_is(unit, i - 2, "std") || !umcc_is_any(unit, i, host_classes))
        return false;
    const int behind = umcc_is(unit, i + 1, "<") ? umcc_skip_angles(unit, i + 1) : i + 1;
    return umcc_is_name(unit, behind) || umcc_is(unit, behind, "(") || umcc_is(unit, behind, "{");
}

void umcc_refuse_host_call(struct umcc_unit *unit, int i)
{
    if (is_host_class(unit, i))
        umcc_error(unit, i, "calling a __host__ function of \"std::%s\" from device code is not allowed",
                   umcc_spelling(unit, i));
    if (umcc_is_launch(unit, i) && !unit->relocatable)
        umcc_error(unit, i, "a kernel that launches kernels has to be compiled with -rdc=true");
    if (is_cuda_call(unit, i) && !umcc_is_any(unit, i, on_device) && is_host_api(unit, i))
        refuse_host_api(unit, i);
    const bool stream = umcc_is(unit, i, "cout") && (umcc_is(unit, i + 1, "<") || umcc_is(unit, i - 1, "::"));
    if (!stream && !(is_library_call(unit, i) && umcc_is_any(unit, i, host_only)))
        return;
    char *name = umcc_spelling(unit, i);
    if (!is_own(unit, i, name, false))
        umcc_error(unit, i, "\"%s\" is the host's: device code cannot call it", name);
}

/* `= delete`, `operator new` and placement do not use the heap. */
static bool uses_heap(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i, "new"))
        return !umcc_is(unit, i - 1, "operator");
    return umcc_is(unit, i, "delete") && !umcc_is(unit, i - 1, "=") && !umcc_is(unit, i - 1, "operator");
}

/* The simulator looks at the number of bytes (umsim_alloca()); the memory is the caller's, so it stays
 * alloca()'s own work. */
static void watch_alloca(struct umcc_unit *unit, int i)
{
    static const char *const names[] = {"__builtin_alloca", "alloca", NULL};
    if (!is_library_call(unit, i) || !umcc_is_any(unit, i, names) ||
        is_own(unit, i, umcc_spelling(unit, i), false))
        return;
    umcc_insert_after(unit, i + 1, "::umsim_alloca(");
    umcc_insert_before(unit, unit->tokens[i + 1].match, ")");
}

void umcc_use_library(struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i < last; i++) {
        watch_alloca(unit, i);
        const int f = called(unit, i);
        const bool runtime = f < 0 && calls_runtime(unit, i);
        unit->device_new |= uses_heap(unit, i);
        if (f < 0 && !runtime)
            continue;
        const bool global = umcc_is(unit, i - 1, "::");
        if (global)
            umcc_drop(unit, umcc_is(unit, i - 2, "std") ? i - 2 : i - 1, i - 1);
        umcc_replace(unit, i,
                     runtime ? umcc_format(&unit->arena, "::umsim::device::%s", umcc_spelling(unit, i))
                             : library[f].instead);
    }
}

/* The numbers are those of enum umsim_new_form. */
#define NEW(array, word)                                                                                     \
    "__attribute__((weak)) void *operator " word "(decltype(sizeof 0) n) "                                   \
    "{ return umsim_new(0, " array ", n, 0, __builtin_return_address(0)); } "                                \
    "__attribute__((weak)) void *operator " word "(decltype(sizeof 0) n, const std::nothrow_t &t) noexcept " \
    "{ return umsim_new(1, " array ", n, 0, &t); } "                                                         \
    "__attribute__((weak)) void *operator " word "(decltype(sizeof 0) n, std::align_val_t a) "               \
    "{ return umsim_new(2, " array ", n, (decltype(sizeof 0))a, __builtin_return_address(0)); } "
#define DELETE(array, word)                                                                                  \
    "__attribute__((weak)) void operator " word "(void *p) noexcept "                                        \
    "{ umsim_delete(3, " array ", p, 0, 0); } "                                                              \
    "__attribute__((weak)) void operator " word "(void *p, decltype(sizeof 0)) noexcept "                    \
    "{ umsim_delete(3, " array ", p, 0, 0); } "                                                              \
    "__attribute__((weak)) void operator " word "(void *p, const std::nothrow_t &t) noexcept "               \
    "{ umsim_delete(4, " array ", p, 0, &t); } "                                                             \
    "__attribute__((weak)) void operator " word "(void *p, std::align_val_t a) noexcept "                    \
    "{ umsim_delete(5, " array ", p, (decltype(sizeof 0))a, 0); } "                                          \
    "__attribute__((weak)) void operator " word                                                              \
    "(void *p, decltype(sizeof 0), std::align_val_t a) noexcept "                                            \
    "{ umsim_delete(5, " array ", p, (decltype(sizeof 0))a, 0); } "

void umcc_replace_new(struct umcc_unit *unit)
{
    if (unit->device_new)
        umcc_insert_before(
            unit, unit->head,
            "namespace std { struct nothrow_t; enum class align_val_t : decltype(sizeof 0); } "
            "extern \"C\" { void *umsim_new(int, int, decltype(sizeof 0), decltype(sizeof 0), const void *); "
            "void umsim_delete(int, int, void *, decltype(sizeof 0), const void *); } " NEW("0", "new")
                NEW("1", "new[]") DELETE("0", "delete") DELETE("1", "delete[]"));
}
