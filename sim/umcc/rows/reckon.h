/**
 * @file reckon.h
 * @brief What an expression of a loop is in each of its passes, said by statements in front of the loop.
 *
 * An expression is the same in all passes, or goes on by one step from pass to pass, or nothing is known of
 * it. Nothing is concluded from a program's text: these are g++'s own statements (GIMPLE in SSA form), and
 * what they leave open is decided in front of the loop at run time, where `ok` becomes false.
 *
 * Sums and products are reckoned in 64 bits, modulo 2 to the power of 64, as addresses are. An operation in
 * fewer bits has the same result in each pass, if it has in the first and the last one: the values lie
 * between these. So that is asked of both.
 */
#ifndef UMCC_ROWS_RECKON_H
#define UMCC_ROWS_RECKON_H

#include "gcc.h"

namespace rows
{

/** A loop inside of the one that is reckoned, which makes as many passes in each pass of that. */
struct inner_loop {
    class loop *it;
    tree passes, last; /**< of 64 bits; last: one less */
};

/** An expression in the passes of a loop. */
struct value {
    tree same;        /**< what it is in all passes, in its own type; or NULL */
    tree first, step; /**< or 64 bits without a sign: in the first pass, and what each pass adds; or NULL */
    const inner_loop *inner; /**< a loop inside, or NULL */
    tree inner_step;         /**< what each pass of that adds */

    bool is_known() const
    {
        return same || first;
    }
};

/** Numbers of 64 bits that go on so. */
inline value evenly(tree first, tree step, const inner_loop *inner = NULL, tree inner_step = NULL_TREE)
{
    return value{NULL_TREE, first, step, inner, inner_step};
}

/** Of a number with a sign: that it is below 0, or that it is not. */
struct condition {
    tree first, step; /**< as in `value` */
    bool is_below;
};

class reckoner
{
  public:
    /** @param l a loop with one entry, one way out and an empty latch */
    explicit reckoner(class loop *l);
    ~reckoner();

    /** Finds out how many passes the loop makes. Has to come first.
     * @return whether that can be said */
    bool count_passes();
    /** The same of a loop inside of it, of the same form, that has no other inside. */
    bool count_passes_inside(class loop *l);
    /** @return what is known of the loop inside that a block is in, or NULL */
    const inner_loop *inside(basic_block block);

    /** An operand, or an expression of such. */
    value of(tree expression);

    /** `ok` becomes false unless the condition is `truth` in each pass.
     * @return whether that can be said */
    bool demand(tree condition, bool truth);
    /** The same of a whole number: it lies in 0..limit. */
    bool demand_range(tree number, tree limit);
    /** The same of an address: it is a multiple of `alignment`, a power of two. */
    bool demand_aligned(tree address, unsigned alignment);

    /** A value of a loop's variable in 64 bits: the operand. */
    tree wide(tree same);
    /** Writes an expression's statements. @return the operand */
    tree emit(tree expression);

    /** Whether a loop may be left after some passes: what is demanded of comparisons and ranges need not hold
     * in all of them, and stands in `conditions`. */
    bool by_parts;
    auto_vec<condition> conditions;

    gimple_seq statements; /**< for the loop's entry */
    tree ok, passes;       /**< operands: a truth value; a number of 64 bits */
    /** The loop's loads whose value is the same in all passes. */
    auto_vec<gimple *> loads;

  private:
    class loop *loop;
    tree last_pass; /* passes - 1 */
    auto_vec<inner_loop *> inner;
    hash_map<tree, value> known;

    value same(tree t)
    {
        return value{t, NULL_TREE, NULL_TREE, NULL, NULL_TREE};
    }
    value unknown()
    {
        return same(NULL_TREE);
    }
    bool is_inside(tree name);
    value of_name(tree name);
    value of_phi(gphi *phi);
    value of_load(gassign *load);
    value of_address(tree object);
    value of_operation(tree_code code, tree type, tree a, tree b);
    value of_same(tree_code code, tree type, tree a, tree b);
    value of_product(tree type, value a, value b);
    value of_conversion(tree type, tree from, value v);
    value settled(tree type, value v);
    tree moved_out(tree reference, gimple *load);
    void require(tree condition);
    bool fits(tree type, tree number);
    tree last_of(value v);
    tree last_inside(value v, tree number);
    value with_inner(value v, tree_code code, value a, value b);
    value wide_value(value v, bool as_signed);
    bool exact(tree type, value v);
    bool demand_comparison(tree_code code, tree a, tree b);
    bool note(bool is_below, value a, value b);
    bool tested(class loop *l, tree *iv_tested, tree *bound, tree_code *code);
    bool variable_of(class loop *l, tree tested, tree *first_tested, tree *step, tree *type);
    tree count_by(tree_code code, tree first_tested, tree step, tree bound);
};

/** @return whether that is one of umcc's own variables: what threads keep across barriers (fission.c), or a
 * copy of a kernel's closure (umsim/strides.h). No program has their addresses */
bool is_kept(tree variable);

/** @return whether the loop over a block's threads calls this for each, and learns there where to end */
bool is_thread_alone(gcall *call);

} // namespace rows

#endif
