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

/** An expression in the passes of a loop. */
struct value {
    tree same;        /**< what it is in all passes, in its own type; or NULL */
    tree first, step; /**< or 64 bits without a sign: in the first pass, and what each pass adds; or NULL */

    bool is_known() const
    {
        return same || first;
    }
};

class reckoner
{
  public:
    /** @param l an innermost loop with one entry, one way out and an empty latch */
    explicit reckoner(class loop *l);

    /** Finds out how many passes the loop makes. Has to come first.
     * @return whether that can be said */
    bool count_passes();

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

    gimple_seq statements; /**< for the loop's entry */
    tree ok, passes;       /**< operands: a truth value; a number of 64 bits */
    /** The loop's loads whose value is the same in all passes. */
    auto_vec<gimple *> loads;

  private:
    class loop *loop;
    tree last_pass; /* passes - 1 */
    hash_map<tree, value> known;

    value same(tree t)
    {
        return value{t, NULL_TREE, NULL_TREE};
    }
    value unknown()
    {
        return value{NULL_TREE, NULL_TREE, NULL_TREE};
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
    value wide_value(value v, bool as_signed);
    bool exact(tree type, value v);
    bool demand_comparison(tree_code code, tree a, tree b);
    bool tested(gcond *condition, edge out, tree *iv_tested, tree *bound, tree_code *code);
    bool variable_of(tree tested, tree *first_tested, tree *step, tree *type);
    bool count_by(tree_code code, tree first_tested, tree step, tree bound);
};

} // namespace rows

#endif
