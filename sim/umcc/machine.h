/**
 * @file machine.h
 * @brief A processor's assembly, as g++ writes it: what is read off its instructions, and what is written.
 *
 * What an instruction does is said in words that are no processor's (struct umcc_instruction). What it would
 * be on a GPU is decided once, for all of them (work.c), and so is where it leads (segments.c).
 */
#ifndef UMCC_MACHINE_H
#define UMCC_MACHINE_H

#include "umcc.h"

#include <stdint.h>

struct umcc_operand {
    const char *text;
    size_t length;
};

/** What costs the same on a GPU by whatever instruction a processor has it (work.c). */
enum umcc_operation {
    UMCC_NO_OPERATION,
    UMCC_DIVIDE_SINGLE,
    UMCC_DIVIDE_DOUBLE,
    UMCC_ROOT_SINGLE,
    UMCC_ROOT_DOUBLE,
    UMCC_LESSER_SINGLE, /**< or the greater */
    UMCC_LESSER_DOUBLE,
    UMCC_COMPARE_SINGLE,
    UMCC_COMPARE_DOUBLE,
    UMCC_FUSED_SINGLE, /**< a product and the sum that takes it in, in one */
    UMCC_FUSED_DOUBLE,
    UMCC_SINGLE_FROM_INT,
    UMCC_CONVERT,
    UMCC_DIVIDE_INT,
    UMCC_DIVIDE_UNSIGNED,
    UMCC_DIVIDE_LONG,
    UMCC_DIVIDE_UNSIGNED_LONG,
    UMCC_BITS_OF_INT, /**< counts bits, or finds the first */
    UMCC_BITS_OF_LONG
};

/** An instruction. What it makes is its last operand, in whatever order it is written. */
struct umcc_instruction {
    const char *text, *end; /**< of its line, from the mnemonic on */
    size_t word;            /**< the mnemonic's length */
    int operands;
    struct umcc_operand operand[5];
    enum umcc_does {
        UMCC_NOTHING, /**< that a GPU would need an instruction for */
        UMCC_CALL,
        UMCC_JUMP,
        UMCC_MOVE,
        UMCC_CHOICE, /**< one of two values, by a condition */
        UMCC_SUM,    /**< of floating-point numbers */
        UMCC_PRODUCT,
        UMCC_ADDRESS, /**< is computed by what processors have for it */
        UMCC_WHOLE,   /**< arithmetic of whole numbers */
        UMCC_OPERATION
    } does;
    uint8_t class;  /**< of whole numbers: UMSIM_WORK_ADD and the like */
    unsigned parts; /**< of whole numbers: instructions of a GPU's, which has registers of 32 bits */
    enum umcc_operation operation;
    bool is_wide;       /**< 64 bits, or double */
    bool replaces;      /**< the last operand is not made of what it was before */
    bool compares;      /**< whole numbers; a jump may, too */
    bool is_chained;    /**< a comparison that is made if the one before holds: one jump follows both */
    bool has_constant;  /**< one of two operands */
    bool is_distance;   /**< of an address: only a constant is added to another one */
    bool is_known;      /**< what comes out is always the same, or of no account */
    bool is_product;    /**< of whole numbers of 32 bits, that a sum may take in */
    bool never_goes_on; /**< what stands behind it runs only if something jumps there */
    bool is_computed;   /**< a jump to an address in a register or in memory */
    bool stops;         /**< the program */
    unsigned result[2]; /**< where results are if not in the last operand (umcc_machine.name_of) */
};

struct umcc_machine {
    /** @return whether the line from `line` to `end` is an instruction, and what it does. */
    bool (*read)(const char *line, const char *end, struct umcc_instruction *it);

    /** @return a number for a register, whatever part of it is meant, or UMCC_ON_STACK and one for a place on
     * the stack; 0 for a constant, and for other memory */
    unsigned (*name_of)(struct umcc_operand operand);

    /** @return the length of the register's name that begins at `p`; 0: none does */
    size_t (*register_at)(const char *p, const char *end);

    /** @return whether a word of a line, strings and comments apart, is the mnemonic or a symbol: by what the
     * assembler wants there, and not by what it looks like. NULL: all words are, as registers are marked. */
    bool (*is_symbol)(const char *line, const char *word, const char *end);

    /** A call that leaves all registers and flags as they are; printf()'s format of a number of bytes behind
     * .Lsegments. */
    const char *note;

    /** What stands behind the call for an access that tells of its segment, too (umsim_segment_behind() in
     * sim/count/segments.h reads it): it does nothing, and has a number of bytes behind .Lsegments in it. */
    const char *first;

    /** What stands once in a file with notes. */
    const char *note_once;

    /** Calls, or jumps to, what has a place in the table of addresses: formats of a name's length and the
     * name. Registers of arguments are kept. */
    const char *call_by_table, *jump_by_table;
    const char *call, *jump; /**< the mnemonics for what a name leads to */

    char comment;         /**< begins one */
    const char *function; /**< what `.type` says of one */
    const char *pointer;  /**< what sets an address in a table of constants */
};
#define UMCC_ON_STACK (1U << 31)

extern const struct umcc_machine umcc_x86_64, umcc_arm64;

/** The processor that programs are compiled for: the one that umcc was. */
const struct umcc_machine *umcc_this_machine(void);

/** @return whether the mnemonic is this word, or begins so. */
bool umcc_is_word(const struct umcc_instruction *it, const char *word);
bool umcc_word_begins(const struct umcc_instruction *it, const char *word);

/** Reads the mnemonic, and what stands behind it up to commas that are in no brackets; all else of *it is
 * zero. @return whether the line is an instruction */
bool umcc_split_instruction(const char *line, const char *end, char comment, const char brackets[2],
                            struct umcc_instruction *it);

/** @return whether an operand's text is this, or begins so */
bool umcc_is_operand(struct umcc_operand operand, const char *text);
bool umcc_operand_begins(struct umcc_operand operand, const char *text);

/** The label that a jump leads to; empty if it is none, or leads elsewhere. */
struct umcc_operand umcc_jump_target(const struct umcc_instruction *it);

/** What is compared was taken from where the move takes it. */
void umcc_compare_source(const struct umcc_machine *machine, struct umcc_instruction *compared,
                         const struct umcc_instruction *move);

/** @return whether the instruction adds a constant to what `compared` compares; to anything, where that has
 * no operands */
bool umcc_is_even_step(const struct umcc_machine *machine, const struct umcc_instruction *it,
                       const struct umcc_instruction *compared);

#endif
