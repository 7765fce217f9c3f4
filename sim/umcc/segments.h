/**
 * @file segments.h
 * @brief Counting instructions: g++'s assembly is cut into segments, and each notes that a thread comes by.
 *
 * A segment is what runs from its first instruction to its last: no label and no jump is inside. What it does
 * is read off the instructions that g++ made of the counting form, so it holds for whatever the source says.
 * The figures say what a GPU's compiler would have made of them (instructions.c).
 */
#ifndef UMCC_SEGMENTS_H
#define UMCC_SEGMENTS_H

#include "machine.h"
#include "umsim/abi.h"

/** What is known within a segment of values: which are products that a sum may take in, and when they are
 * there. */
#define UMCC_VALUES 64
struct umcc_values {
    struct umcc_value {
        unsigned name; /* of a register, or a hash of where on the stack it is; 0: none */
        bool is_product, is_made;
        unsigned from,
            clocks;     /* the value of the pass before that it needs, and how long after that it is there */
        unsigned depth; /* how long after the segment's beginning it is there */
    } value[UMCC_VALUES];
    int count;
    const struct umcc_machine *machine; /* whose registers they are in */
};

/** Where the instruction stands. */
struct umcc_place_of_work {
    unsigned unrolled; /* its loop's passes that a GPU's compiler makes one of */
    bool ends_loop;    /* it belongs to the end of a loop's pass: steps, comparison, jump */
    bool is_in_loop;   /* in one that is not unrolled: addresses are made anew in each pass */
    bool is_guard;     /* its jump leads to a message about undefined behaviour, which a GPU does not have */
};

/** Adds what the instruction is on a GPU, in sixteenths of an instruction. */
void umcc_weigh(const struct umcc_instruction *it, struct umcc_values *values,
                struct umcc_place_of_work place, unsigned work[UMSIM_WORK_CLASSES]);

/** @return the value by that name, which is new if it was not there; NULL if there are too many */
struct umcc_value *umcc_value_of(struct umcc_values *values, unsigned name);

/** What becomes of the last operand. */
struct umcc_making {
    unsigned clocks; /**< after the others */
    bool is_product;
    bool adds_product; /**< the product among its operands is not waited for: both are made at once */
};

/** The last operand's value is made of the others. */
void umcc_make_value(struct umcc_values *values, const struct umcc_instruction *it, struct umcc_making how);

/** @return whether one of the operands is a product that nobody has added to yet. */
bool umcc_adds_to_product(struct umcc_values *values, const struct umcc_instruction *it);

/** The same segment will be gone through again: now it is known which values it makes. */
void umcc_begin_again(struct umcc_values *values);

/** @return how long a pass of a loop takes whose passes are made side by side: the longest way from a value
 * to the same in the next pass, in clocks. */
unsigned umcc_longest_way(const struct umcc_values *values);

/** @return how long it takes until all values are there, one needing the other, in clocks. */
unsigned umcc_depth(const struct umcc_values *values);

/** @return whether what is called is no function on a GPU, but some instructions: it is not looked into. */
bool umcc_is_step(const struct umcc_instruction *it);

/**
 * Adds the notes to the text of the counting form.
 * @param relocatable kernels of other files may call any of its functions
 */
void umcc_note_segments(const struct umcc_machine *machine, const struct umcc_text *counting,
                        bool relocatable, struct umcc_text *out);

#endif
