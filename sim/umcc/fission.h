/**
 * @file fission.h
 * @brief The pieces into which fission.c divides a kernel with barriers.
 *
 * body.c finds the pieces, and uniform.c finds what is the same for all threads of a block.
 */
#ifndef UMCC_FISSION_H
#define UMCC_FISSION_H

#include "steady.h"
#include "statements.h"

#define UMCC_LOCALS_MAX 64
#define UMCC_PIECES_MAX 256
#define UMCC_SCOPES_MAX 16

struct umcc_local;

/** Where a name means a variable: loops' heads may declare one of the same name again. */
struct umcc_scope {
    int first, last, piece;
    const struct umcc_local *as; /**< as this head declares it */
};

/** A variable declared at the level of the barriers: in the body itself, or in a loop or block that contains
 * a barrier. */
struct umcc_local {
    int name;
    int type, type_last;       /**< the tokens before all declarators of its statement */
    int declarator, dims_last; /**< from the first * to the last ] */
    int value, value_last;     /**< initializer behind the =; -1 if there is none */
    int piece;
    bool pointer, array, is_const, reference;
    bool strange;    /**< a reference, T x(...): can be neither stored nor repeated */
    bool deduced;    /**< `auto`: cannot be stored */
    bool in_head;    /**< declared by a loop's head */
    bool uniform;    /**< one for the whole block; if it is declared beside others, it is declared twice */
    bool repeatable; /**< computed again wherever it is needed */
    bool kept;       /**< one for each thread, across barriers */
    bool taken;      /**< declared again in the segment that is being written */
    struct umcc_scope scopes[UMCC_SCOPES_MAX];
    int scope_count;
};

/** One piece of the body. Pieces are in the source's order. */
struct umcc_piece {
    enum {
        UMCC_BARRIER,
        UMCC_HEAD,  /**< `for (...)`, `while (...)`, `if (...)`, `else` of a statement that contains a barrier
                     */
        UMCC_BRACE, /**< a brace of such a statement */
        UMCC_SHARED_DECLARATION,
        UMCC_FIXED, /**< types and constants */
        UMCC_DECLARATION,
        UMCC_STATEMENT,
        UMCC_LEAVE,  /**< `if (...) return;`: uniform if the whole block takes it together */
        UMCC_BEHIND, /**< behind the statement of a turned loop that has no braces: no tokens */
    } form;
    int first, last;
    bool uniform; /**< executed once for the whole block */
    bool bare;    /**< the head of a turned loop whose statement has no braces */
    bool strided; /**< a loop that strided.c turns; a segment of its own */
    int segment;  /**< number of the run of pieces that each thread goes through without a barrier */
};

struct umcc_body {
    struct umcc_unit *unit;
    const struct umcc_decl *kernel;
    struct umcc_piece pieces[UMCC_PIECES_MAX];
    struct umcc_local locals[UMCC_LOCALS_MAX];
    int piece_count, local_count;
    struct umcc_parameters parameters;
    int number;                /**< of the kernel (proof.h) */
    bool tries_turned;         /**< loops may be turned inside out (turned.c) */
    bool builtins;             /**< what is called may ask for threadIdx by itself */
    int turned;                /**< how many are */
    bool some_leave;           /**< single threads may return before the others */
    int guard;                 /**< the `if` that a kernel without barriers begins with; -1 */
    bool leaves;               /**< it is `if (...) return;` */
    const char *guard_text;    /**< what asks its condition, at the body's beginning */
    struct umcc_steady steady; /**< conditions that are asked for the whole block */
    struct umcc_prefix prefix; /**< what they are of */
};

/** @name turned.c: loops without barriers that are turned inside out
 * @{ */
/** Finds the condition that a kernel without barriers begins with (guard.c). @return false: it begins with
 * one that cannot be asked for a row */
bool umcc_find_guard(struct umcc_body *body);
/** @return whether the statement at `i` is a loop whose passes are better made by all threads together. */
bool umcc_is_turned(struct umcc_body *body, int i, int end);
/** @} */

/** @name strided.c: grid-stride loops between barriers
 * @{ */
/** @return whether the statement at `i` is such a loop. */
bool umcc_is_strided(struct umcc_body *body, int i, int end);
/** @return whether those that were found can be turned, now that it is known what is the block's. */
bool umcc_can_stride(struct umcc_body *body);
/** Writes the functions of the loop's head. @return the beginning of that of its body, which is at `inner` */
const char *umcc_open_strided(struct umcc_body *body, const struct umcc_piece *piece, int *inner);
/** @return what comes behind the body's function. */
const char *umcc_close_strided(void);
/** @} */

/** @return whether a value is the same whenever it is computed while its variable is in scope (fission.c). */
bool umcc_is_lasting(struct umcc_body *body, int first, int last);
/** @return declarations of the variables that an expression of a segment needs, and that are computed again.
 */
const char *umcc_repeated(struct umcc_body *body, int segment, int first, int last);

/** Divides a kernel's body into pieces. @return whether all of it is of the forms above, and nothing leaves
 * it early */
bool umcc_read_body(struct umcc_body *body);
/** Finds the uniform locals and pieces. @return whether all heads are uniform */
bool umcc_find_uniform(struct umcc_body *body);
/** @return the local that token `i` names, or NULL. */
struct umcc_local *umcc_find_local(struct umcc_body *body, int i);
/** @return whether token `i` names a variable in memory that threads may change. */
bool umcc_is_in_memory(const struct umcc_body *body, int i);
/** @return whether the variable whose name is at token `name` is changed anywhere else (@p heads_may: except
 * in heads that declare it). */
bool umcc_is_changed(const struct umcc_body *body, int name, bool pointer, bool heads_may);
/** @return whether token `i` may change a variable of its name: by the tokens around it, or because it is in
 * a piece that calls functions with reference parameters. */
bool umcc_changed_at(const struct umcc_body *body, const struct umcc_piece *piece, int i, bool pointer);

/** @name fission_proof.c: what g++ has to prove of a body that is cut
 * @{ */
/** @return whether all of it can be said. */
bool umcc_can_prove(struct umcc_body *body);
/** Inserts what has to hold for piece `p`, which is executed once for the block. */
void umcc_prove_piece(struct umcc_body *body, int p);
/** @return statements for the beginning of a segment, behind its variables. */
const char *umcc_begin_proof(struct umcc_body *body, int segment);
/** @return statements for its end. */
const char *umcc_end_proof(struct umcc_body *body, int segment);
/** @} */
/** @return `float *[4]`: the type of what is stored for a thread. */
const char *umcc_stored_type(struct umcc_unit *unit, const struct umcc_local *local);

#endif
