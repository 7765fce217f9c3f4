/**
 * @file ptx.h
 * @brief Inline PTX as C++: what ptx.c, which handles asm statements, and ptx_code.c, which handles
 * instructions, share.
 */
#ifndef UMCC_PTX_H
#define UMCC_PTX_H

#include "umcc.h"

/** The namespace of umsim/ptx.h. */
#define UMCC_PTX "::umsim::ptx::"

enum { UMCC_PTX_WORDS = 12, UMCC_PTX_PARTS = 8 };

/** One instruction, divided into its parts. */
struct umcc_ptx_instruction {
    const char *name;                  /* the whole: `mad.lo.s32` */
    const char *words[UMCC_PTX_WORDS]; /* `mad`, `lo`, `s32` */
    int count;
    const char *operands[UMCC_PTX_PARTS]; /* as they are written */
    int parts;
};

/** A type of PTX, and its C++ equivalent. */
struct umcc_ptx_type {
    const char *ptx, *cpp;
    int bytes;
};
enum { UMCC_PTX_TYPES = 15 };
extern const struct umcc_ptx_type umcc_ptx_types[UMCC_PTX_TYPES];

/** The translation of a PTX text into C++. */
struct umcc_ptx {
    struct umcc_arena *arena;
    const char *at; /**< the text that is still to be read */
    struct umcc_text
        cpp; /**< statements in which um_N is the register of operand N, um_r_NAME the text's own */
    struct umcc_text labels; /**< `__label__ um_l_NAME; ` for each label */
    int operands;            /**< the number of the statement's operands */
    const char *problem;     /**< what is not provided, in the user's words, or NULL */
    bool has_barrier;        /**< lanes or threads wait for each other in it */
    bool needs_thread_index; /**< it uses the index of its thread */
};

/**
 * Translates the whole text, which contains no comments and escapes. If something is not provided, `problem`
 * says what. The caller frees the texts.
 */
void umcc_ptx_translate(struct umcc_ptx *ptx);
/** @return C++ for the special register `%name`, or NULL if there is none of that name. */
const char *umcc_ptx_register(const char *name, size_t length);

/** @return the index of a type, or -1 if `word` is not one. */
int umcc_ptx_type_of(const char *word);
/** @return the C++ type that the instruction ends with, `back` types before its end; NULL where there is
 * none. */
const char *umcc_ptx_cpp_type(const struct umcc_ptx_instruction *in, int back);
/** @return the text from `first` to `last`, without surrounding blanks. */
char *umcc_ptx_trimmed(struct umcc_arena *arena, const char *first, const char *last);
/** Divides `text` at each `mark` outside of brackets. @return the number of parts, -1 if there are more than
 * `most`. */
int umcc_ptx_cut(struct umcc_arena *arena, const char *text, char mark, const char **parts, int most);
/** @return C++ for a register, a number or a special register; NULL if it is none of these. */
const char *umcc_ptx_value(struct umcc_ptx *ptx, const char *text);
/** The same, converted to a type. `!p` is allowed. */
const char *umcc_ptx_typed(struct umcc_ptx *ptx, const char *text, const char *type);
/** @return C++ for `[register + number]`, or NULL. */
const char *umcc_ptx_address(struct umcc_ptx *ptx, const char *text);

/** Translates mma and ldmatrix (ptx_matrices.c). @return whether the instruction is provided */
bool umcc_ptx_matrices(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in);

#endif
