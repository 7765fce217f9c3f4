/**
 * @file umcc.h
 * @brief umcc, the compiler driver for .cu files: what its parts share.
 *
 * umcc preprocesses a .cu file with g++, turns CUDA's extensions into plain C++ that calls umsim/abi.h, and
 * has g++ compile the result. Read the files in this order:
 *
 * - tokens.c: cuts the preprocessor's output into tokens
 * - arch.c: merges the source as it is with __CUDA_ARCH__ into the source as it is without
 * - edit.c: queries about tokens, and changes to the output
 * - emit.c: writes the output, so that g++'s messages name the user's lines and columns
 * - parse.c: finds the declarations: functions with their parameters and bodies, variables, scopes
 * - declarator.c: the forms of names and parameters
 * - marks.c: marks that a definition takes over from its declaration, and `__global__` that marks no kernel
 * - launch.c: `k<<<...>>>(...)`
 * - device.c: finds the functions whose threads wait for each other, and what device code may not do here
 * - library.c: device code's calls of C's library and of CUDA's
 * - lockstep.c: warps that rely on running in step
 * - volatiles.c: what is volatile by name
 * - spin.c: loops that wait for other threads
 * - ptx.c, ptx_code.c, ptx_matrices.c, ptx_operands.c: inline PTX
 * - globals.c: refuses device code that uses a host variable
 * - misuse.c: refuses what nvcc refuses and g++ would not notice
 * - unreachable.c: warns of what stands behind a `return`
 * - kernels.c, stubs.c: turn __global__ functions into stubs
 * - prefix.c: declarations and conditions, written for a whole row of threads
 * - guard.c: the `if (i < n)` that kernels begin with
 * - loop.c: grid-stride loops
 * - fission.c: turns barriers that all threads of a block reach together into loops over threads between
 *   them
 * - statements.c: where statements end, and what they change
 * - linkage.c: without -rdc, makes device variables the file's own
 * - storage.c: __shared__, __device__, __constant__, __managed__ variables
 * - undefined.c, conversions.c: operations that C++ leaves undefined
 * - keyed.c: --keyed, for graders
 * - rewrite.c: the passes in their order
 * - options.c, describe.c, hints.c, main.c: the command line
 * - driver.c, commands.c, results.c, process.c: the steps, g++'s command lines, files, child processes
 *
 * Everything lives in one arena per source file, which umcc_unit_free() releases.
 */
#ifndef UMCC_H
#define UMCC_H

#include "proof.h"

#include <stdbool.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>

/** Memory that is freed all at once. Running out of memory ends the program. */
struct umcc_arena {
    struct umcc_arena_block *blocks;
};

/** @return `bytes` zeroed bytes, aligned for anything. */
void *umcc_alloc(struct umcc_arena *arena, size_t bytes);
/** @return formatted text in the arena. */
char *umcc_format(struct umcc_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Frees everything in the arena. */
void umcc_arena_free(struct umcc_arena *arena);

/** A string that grows. */
struct umcc_text {
    char *data; /**< ends with '\0' once something was added */
    size_t length, capacity;
};

/** Adds `length` bytes. */
void umcc_text_add(struct umcc_text *text, const char *data, size_t length);
/** Adds formatted text. */
void umcc_text_printf(struct umcc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Frees the text; it is empty afterwards. */
void umcc_text_free(struct umcc_text *text);

enum umcc_kind { UMCC_END, UMCC_IDENTIFIER, UMCC_NUMBER, UMCC_STRING, UMCC_CHARACTER, UMCC_PUNCTUATOR };

/**
 * One token. `<` and `>` are always separate tokens, so that template brackets can be paired; `joined` says
 * that nothing stands between a token and the one before. Directives (line markers, pragmas) count as space.
 */
struct umcc_token {
    enum umcc_kind kind;
    bool joined;      /**< no space before it */
    bool system;      /**< from a system header */
    bool dropped;     /**< leaves only blanks in the output */
    bool owned;       /**< a `__global__` that belongs to a declaration */
    bool moved;       /**< no longer behind the token that it stood behind, so its line has to be stated */
    const char *text; /**< into the source, not terminated */
    size_t length;
    const char *space; /**< what stands before it */
    size_t space_length;
    const char *file; /**< the user's file */
    int line;         /**< the user's line */
    int column; /**< in the preprocessor's output, from 0: equal to the user's, except for macros and comments
                 */
    int match;  /**< index of the other bracket of ( ) [ ] { }, else -1 */
    int next, previous;  /**< neighbours in the output, -1 at its ends */
    const char *before;  /**< inserted before its text */
    const char *instead; /**< replaces its text */
    const char *after;   /**< inserted after its text */
};

/** The keywords that CUDA adds to declarations, as bits. */
enum umcc_mark {
    UMCC_HOST = 1,
    UMCC_DEVICE = 2,
    UMCC_GLOBAL = 4,
    UMCC_SHARED = 8,
    UMCC_CONSTANT = 16,
    UMCC_MANAGED = 32,
    UMCC_GRID_CONSTANT = 64,
};

/** A declared variable's name. */
struct umcc_name {
    int token;
    struct umcc_name *next;
};

/** One function or variable declaration at namespace or class scope. Members are token indices; -1 if there
 * is no such token. */
struct umcc_decl {
    enum { UMCC_FUNCTION, UMCC_VARIABLE } form;
    unsigned marks;
    int first, last;     /**< whole declaration; `first` lies behind `extern "C"` and template headers */
    int name, name_last; /**< last identifier of the name; end of its template arguments */
    int name_first;      /**< start of the qualified name, or `operator` */
    int open, close;     /**< parameter list's parentheses */
    int body, body_end;  /**< braces of the body */
    int template_open, template_close; /**< the innermost template header's angle brackets */
    bool templated;   /**< has a template header with parameters, or lies in a class template */
    bool abbreviated; /**< has a parameter whose type is `auto` */
    bool in_class;
    bool in_namespace; /**< in a named namespace */
    bool qualified;    /**< the name has :: in it */
    bool is_extern, is_const, is_constexpr, has_initializer, is_operator;
    struct umcc_name *names; /**< variables: all its declarators */
    const char *scope; /**< `::a::S`: the namespaces and classes around it, without those of its own name */
    /**
     * @name Results of the analysis in device.c
     * @{
     */
    bool has_nested;        /**< has a class or a lambda in its body */
    bool has_barrier;       /**< its threads wait for each other */
    bool has_other_barrier; /**< ... in other ways than by its own __syncthreads() */
    bool uses_builtins;     /**< threadIdx etc. are mentioned by it or by what it calls, outside a kernel's
                             body */
    bool polls;             /**< returns a value that other threads change (spin.c) */
    bool own_builtins;      /**< a kernel whose nested functions need the built-in variables by name */
    const char *prologue;   /**< declarations around its body, which may hide them; NULL: none */
    /** @} */
    struct umcc_decl *next;
};

/** One source file while umcc works on it. */
struct umcc_unit {
    struct umcc_arena arena;
    struct umcc_token *tokens; /**< the last one is UMCC_END */
    int count;                 /**< without UMCC_END */
    int head;                  /**< first token of the output */
    struct umcc_decl *decls, **decls_end;
    struct umcc_text messages; /**< errors and warnings, one a line: "file:line:column: error: ..." */
    int errors, warnings;
    int serial;                       /**< for generated names */
    struct umcc_name *volatile_types; /**< volatiles.c: names that the program gave to volatile types */
    struct umcc_name *volatile_names; /**< volatiles.c: what it declares as volatile arrays and pointers */
    bool relocatable; /**< -rdc=true, -dc: device code may use other files' functions and variables */
    bool checked;     /**< --check: kernels run thread by thread */
    bool plain;       /**< --plain: no kernel's loops or barriers are transformed */
    bool countable;   /**< each kernel names its counting form (counted.c) */
    bool counting;    /**< what is written is the counting form */
    bool as_written;  /**< shifts and conversions stay as they are, too: g++ has refused them otherwise */
    bool casts;       /**< ... but not casts of addresses to numbers too small for them, which nvcc takes */
    bool keyed;       /**< --keyed: values that are stored are mixed with a key */
    const char *keyed_except;    /**< ... but not in the functions of this list; NULL: none */
    struct umcc_kernels kernels; /**< what becomes of each; before the pass: which ones have to stay plain */
    bool lambda_has_barrier;     /**< a lambda marked __device__ waits */
    bool lambda_builtins;        /**< ... mentions threadIdx and the like */
    bool pointer_has_barrier; /**< a device function that waits is mentioned but not called: any code may call
                                 it by a pointer */
    bool pointer_builtins;    /**< ... one that mentions threadIdx and the like */
    const char *own_include[2]; /**< where CUDA's headers are, as g++ may spell it; their operators take
                                   classes only */
    bool own_operators;         /**< the program declares operators, which may take enumerations */
    bool device_new;            /**< device code has new or delete */
};

/** Cuts `source` (copied) into tokens and pairs brackets. Errors are in unit->messages. */
void umcc_tokenize(struct umcc_unit *unit, const char *source, size_t length);
/** Adds the unit's tokens with all changes to `out`. */
void umcc_emit(const struct umcc_unit *unit, struct umcc_text *out);
/** Frees all that belongs to the unit. */
void umcc_unit_free(struct umcc_unit *unit);
/** Records an error at a token's file and line. At most 50 are kept. */
void umcc_error(struct umcc_unit *unit, int token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Prints a warning, once however often the source is rewritten; at most 50 of a source, none without
 * umcc_warn_on(). */
void umcc_warning(struct umcc_unit *unit, int token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Says where warnings go. */
void umcc_warn_on(FILE *stream);

/** @return whether token `i` is spelled `text`. Any index is allowed. Here, because most calls end at the
 * first letter. */
static inline bool umcc_is(const struct umcc_unit *unit, int i, const char *text)
{
    if (i < 0 || i >= unit->count)
        return false;
    const struct umcc_token *token = &unit->tokens[i];
    return token->text[0] == text[0] && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}
/** @return whether two tokens are spelled alike. */
bool umcc_same_text(const struct umcc_unit *unit, int a, int b);
/** @return whether token `i` is one of the words in the NULL-terminated list. */
bool umcc_is_any(const struct umcc_unit *unit, int i, const char *const *words);
/** @return whether token `i` is an identifier (keywords are). */
static inline bool umcc_is_identifier(const struct umcc_unit *unit, int i)
{
    return i >= 0 && i < unit->count && unit->tokens[i].kind == UMCC_IDENTIFIER;
}
/** @return whether token `i` is an identifier that can name something: no keyword, no type's keyword. */
bool umcc_is_name(const struct umcc_unit *unit, int i);
/** @return whether token `i` is a keyword that can end a type, such as `int` or `auto`. */
bool umcc_is_type_keyword(const struct umcc_unit *unit, int i);
/** @return the bit of umcc_mark for token `i`, 0 if it is not such a keyword. */
unsigned umcc_mark_of(const struct umcc_unit *unit, int i);
/** @return the token's text in the arena. */
char *umcc_spelling(struct umcc_unit *unit, int i);
/** @return tokens `first` to `last` as one line. Marks are left out. */
char *umcc_join(struct umcc_unit *unit, int first, int last);
/** @return index behind the `>` that closes the `<` at `i`, or `i` when it closes nothing. */
int umcc_skip_angles(const struct umcc_unit *unit, int i);
/** @return index behind the `[[...]]` and `alignas(...)` at `i`. Text is inserted there, because attributes
 * have to stay first. */
int umcc_behind_attributes(const struct umcc_unit *unit, int i);

/** @name Changes to the output. Repeated insertions at one place add up in call order. @{ */
void umcc_insert_before(struct umcc_unit *unit, int i, const char *text);
void umcc_insert_after(struct umcc_unit *unit, int i, const char *text);
void umcc_replace(struct umcc_unit *unit, int i, const char *text);
void umcc_drop(struct umcc_unit *unit, int first, int last);
/** Moves tokens `first` to `last` (consecutive in the source) before token `place`, which stands before them.
 */
void umcc_move(struct umcc_unit *unit, int first, int last, int place);
/** @} */

/** @return whether the name at `i` looks as if it were declared there; `first` is the brace of the body
 * around it. */
bool umcc_may_be_declared(const struct umcc_unit *unit, int i, int first);
/** @return whether function `d` declares a name of its own that hides the one at token `name`. */
bool umcc_is_hidden(const struct umcc_unit *unit, const struct umcc_decl *d, int name);
/** @return whether the name at `i` is used there: it is not a member, is in no other namespace, and is
 * evaluated. */
bool umcc_is_use(const struct umcc_unit *unit, int i);

/** @name The passes, in the order in which umcc_rewrite() runs them @{ */
void umcc_parse(struct umcc_unit *unit);
/** Reads the declaration that begins at token `i`, inside of a function's body. */
void umcc_parse_local(struct umcc_unit *unit, int i);
void umcc_settle_marks(struct umcc_unit *unit);
void umcc_analyse_device(struct umcc_unit *unit);
void umcc_check_globals(struct umcc_unit *unit);
void umcc_refuse_misuse(struct umcc_unit *unit);
void umcc_warn_unreachable(struct umcc_unit *unit);

void umcc_rewrite_kernels(struct umcc_unit *unit);
/** @return `, &a, &b`: the captures of the parameters that are references. They pass an address, as on a GPU.
 */
const char *umcc_reference_captures(struct umcc_unit *unit, const struct umcc_decl *d);
/** @return the captures of a kernel whose closure must have the same layout in both of its forms: each
 * parameter by name, in order; NULL if a parameter has an unknown form, or none */
const char *umcc_all_captures(struct umcc_unit *unit, const struct umcc_decl *d);
/** @return what the stub asks the compiler, and its registration if it has to be in its body. */
const char *umcc_stub_checks(struct umcc_unit *unit, const struct umcc_decl *d);
/** Makes a stub known to cudaLaunchKernel(), if its body does not do that. */
void umcc_register_stub(struct umcc_unit *unit, const struct umcc_decl *d);
void umcc_make_static(struct umcc_unit *unit);
void umcc_rewrite_storage(struct umcc_unit *unit);
void umcc_rewrite_launches(struct umcc_unit *unit);
/** @return whether token `i` is the first of a launch's `<<<`. */
bool umcc_is_launch(const struct umcc_unit *unit, int i);
/** @} */

/** @return whether token `i` calls a library function, or launches a kernel, and so needs the thread's index.
 */
bool umcc_needs_thread_index(struct umcc_unit *unit, int i);
/** Redirects calls of C's library among tokens `first` to `last - 1`, which are device code, to the simulated
 * GPU's functions. */
void umcc_use_library(struct umcc_unit *unit, int first, int last);

/** Refuses token `i` of device code if it calls a function that only the host has. */
void umcc_refuse_host_call(struct umcc_unit *unit, int i);
/** Replaces new and delete in the program, if device code uses them. */
void umcc_replace_new(struct umcc_unit *unit);

/** Adds the name at a token to a list. */
void umcc_add_name(struct umcc_unit *unit, int token, struct umcc_name **list);

/** Finds the program's volatile types, arrays and pointers (volatiles.c). Call it before what asks for them.
 */
void umcc_find_volatiles(struct umcc_unit *unit);
/** @return whether token `i` is `volatile`, or a name that the program gave to a volatile type. */
bool umcc_is_volatile(const struct umcc_unit *unit, int i);
/** @return whether the name at token `i` is one of the list. */
bool umcc_is_listed(const struct umcc_unit *unit, int i, const struct umcc_name *list);
/** Adds to `list` what is declared behind the volatile type at token `i`: arrays and pointers, all
 * declarators.
 * @param last where to stop
 * @param is_parameter the list of parameters ends at `last` */
void umcc_add_volatiles(struct umcc_unit *unit, int i, int last, bool is_parameter, struct umcc_name **list);
/** @return the first token of the declaration around token `i`. */
int umcc_declaration_start(const struct umcc_unit *unit, int i);

/** Makes the lanes of a warp take steps on volatile arrays together (lockstep.c). @return whether the
 * function has such steps */
bool umcc_keep_lockstep(struct umcc_unit *unit, const struct umcc_decl *function);

/** Finds device functions that return values that other threads change. Call it before umcc_insert_yields().
 */
void umcc_find_polls(struct umcc_unit *unit);
/** Makes a device function's loops that wait for other threads yield (spin.c). @return whether it has any
 * such loops */
bool umcc_insert_yields(struct umcc_unit *unit, const struct umcc_decl *function);

/**
 * Replaces the inline PTX of a device function by C++; refuses what is not provided (ptx.c).
 * @param has_barrier set if threads wait for each other in it
 * @param needs_thread_index set if it uses the index of its thread
 */
void umcc_use_ptx(struct umcc_unit *unit, const struct umcc_decl *function, bool *has_barrier,
                  bool *needs_thread_index);

/** Marks the condition that the body of kernel `number` begins with. @return whether there is one that
 * guard.c can handle. */
bool umcc_mark_guard(struct umcc_unit *unit, const struct umcc_decl *kernel, int number);
/** @return whether a kernel uses its indices only to number its threads (numbered.c). */
bool umcc_is_numbered(const struct umcc_unit *unit, const struct umcc_decl *kernel);
/** Marks the grid-stride loop that the body of kernel `number` ends with. @return the form of umsim/strides.h
 * in which it is to be run, or NULL if there is no loop that loop.c can handle. */
const char *umcc_mark_loop(struct umcc_unit *unit, const struct umcc_decl *kernel, int number);
/**
 * Divides the body of kernel `number` at its barriers, and at the passes of loops that are better made by all
 * threads together (turned.c).
 * @param builtins whether the functions that it calls use threadIdx and the like
 * @return the form of umsim/fission.h in which it is to be run; NULL if it cannot be: nothing is changed
 */
const char *umcc_mark_fission(struct umcc_unit *unit, const struct umcc_decl *kernel, int number,
                              bool builtins);

/** Drops `const` where it makes no difference to a device function's variables and keeps g++ from making
 * vectors (readonly.c). Before the functions' other changes. */
void umcc_drop_readonly(struct umcc_unit *unit, const struct umcc_decl *function);

/** Has shifts and conversions of device code made as a GPU makes them where C++ leaves them undefined
 * (undefined.c). The last pass, but for the next. */
void umcc_define_undefined(struct umcc_unit *unit);
/** Has values that device code stores in global memory mixed with a grader's key (keyed.c). It comes behind
 * all others, whose operands it takes as they are. */
void umcc_key_values(struct umcc_unit *unit);

/** @return whether one of the user's files that are part of the preprocessed `source` mentions __CUDA_ARCH__.
 */
bool umcc_mentions_arch(const char *source, size_t length);
/**
 * Merges a source that was preprocessed once without __CUDA_ARCH__ and once with it; both are tokens. The
 * result is still to be rewritten.
 * @return 0, or the number of errors, which are in the units' messages
 */
int umcc_merge_arch(struct umcc_unit *host, struct umcc_unit *device, struct umcc_text *out);

/**
 * Turns preprocessed CUDA C++ into C++ that g++ compiles. Line markers and line breaks stay as they are.
 * @return 0, or the number of errors, which are in unit->messages; `out` must then be ignored
 */
int umcc_rewrite(struct umcc_unit *unit, const char *source, size_t length, struct umcc_text *out);

#endif
