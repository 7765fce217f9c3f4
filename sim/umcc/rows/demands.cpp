/**
 * @file demands.cpp
 * @brief Implementation of reckon.h: what has to hold in each pass of a loop, and how many passes it makes.
 */
#include "numbers.h"
#include "reckon.h"

namespace rows
{

#define PASSES_MAX (1 << 24) /* then steps times passes stay far from 64 bits */
#define STEP_BITS 38         /* likewise, of what is compared */
#define EXACT_BITS 62        /* numbers of 64 bits that are compared are smaller */

/* ---- what has to hold in each pass ---- */

/* That no pass's value goes around 64 bits: so as numbers with a sign they are evenly spaced. */
bool reckoner::exact(tree type, value v)
{
    const HOST_WIDE_INT below = TYPE_UNSIGNED(type) ? 0 : HOST_WIDE_INT_1 << EXACT_BITS;
    const tree ends[] = {v.first, last_of(v)};
    if (!is_wide(type))
        return true;
    for (tree end : ends) {
        const tree inside[] = {end, v.inner ? last_inside(v, end) : end};
        for (unsigned i = 0; i < (v.inner ? 2 : 1); i++)
            require(fold_build2(LE_EXPR, boolean_type_node,
                                emit(fold_build2(PLUS_EXPR, uint64_type_node, inside[i], number_of(below))),
                                number_of(below + (HOST_WIDE_INT_1 << EXACT_BITS) - 1)));
    }
    const tree steps[] = {v.step, v.inner_step};
    for (unsigned i = 0; i < (v.inner ? 2 : 1); i++)
        require(fold_build2(
            LE_EXPR, boolean_type_node,
            emit(fold_build2(PLUS_EXPR, uint64_type_node, steps[i], number_of(HOST_WIDE_INT_1 << STEP_BITS))),
            number_of(HOST_WIDE_INT_1 << (STEP_BITS + 1))));
    return true;
}

static tree compare(tree_code code, tree a, tree b)
{
    return fold_build2(code, boolean_type_node, fold_convert(long_long_integer_type_node, a),
                       fold_convert(long_long_integer_type_node, b));
}

/* That a < b, or not, in the passes that are asked for, and there in the first and the last pass of the loop
 * inside. */
bool reckoner::note(bool is_below, value a, value b)
{
    const tree first = emit(fold_build2(MINUS_EXPR, uint64_type_node, a.first, b.first)),
               step = emit(fold_build2(MINUS_EXPR, uint64_type_node, a.step, b.step));
    const value difference = with_inner(evenly(first, step), MINUS_EXPR, a, b);
    if (!difference.is_known())
        return false;
    conditions.safe_push(condition{first, step, is_below});
    if (difference.inner)
        conditions.safe_push(condition{last_inside(difference, first), step, is_below});
    return true;
}

/* Of two evenly spaced values: what holds of their difference in the first and the last pass holds between.
 */
bool reckoner::demand_comparison(tree_code code, tree a, tree b)
{
    const value va = of(a), vb = of(b);
    const tree type = TREE_TYPE(a);
    if (!va.is_known() || !vb.is_known() || !is_number(type))
        return false;
    if (va.same && vb.same) {
        require(emit(fold_build2(code, boolean_type_node, va.same, vb.same)));
        return true;
    }
    const value wa = wide_value(va, false), wb = wide_value(vb, false);
    exact(type, wa);
    exact(type, wb);
    if (by_parts && code != NE_EXPR) {
        const bool is_below = code == LT_EXPR || code == GT_EXPR;
        return (code == LE_EXPR || code == GT_EXPR || note(is_below, wa, wb)) &&
               (code == GE_EXPR || code == LT_EXPR || note(is_below, wb, wa));
    }
    if (wa.inner || wb.inner)
        return false;
    const tree la = last_of(wa), lb = last_of(wb);
    if (code != NE_EXPR) {
        require(compare(code, wa.first, wb.first));
        require(compare(code, la, lb));
        return true;
    }
    const tree is_below = emit(fold_build2(BIT_AND_EXPR, boolean_type_node,
                                           emit(compare(LT_EXPR, wa.first, wb.first)),
                                           emit(compare(LT_EXPR, la, lb)))),
               is_above = emit(fold_build2(BIT_AND_EXPR, boolean_type_node,
                                           emit(compare(GT_EXPR, wa.first, wb.first)),
                                           emit(compare(GT_EXPR, la, lb))));
    require(fold_build2(BIT_IOR_EXPR, boolean_type_node, is_below, is_above));
    return true;
}

bool reckoner::demand(tree condition, bool truth)
{
    if (COMPARISON_CLASS_P(condition)) {
        const tree a = TREE_OPERAND(condition, 0), b = TREE_OPERAND(condition, 1);
        const tree_code code = TREE_CODE(condition);
        if (TREE_CODE(TREE_TYPE(a)) == BOOLEAN_TYPE && (code == NE_EXPR || code == EQ_EXPR) &&
            integer_zerop(b))
            return demand(a, (code == NE_EXPR) == truth);
        if (!is_number(TREE_TYPE(a)))
            return false;
        return demand_comparison(truth ? code : invert_tree_comparison(code, false), a, b);
    }
    if (TREE_CODE(condition) != SSA_NAME)
        return false;
    const value v = is_inside(condition) ? unknown() : same(condition);
    if (v.same) {
        require(truth ? v.same : emit(fold_build1(TRUTH_NOT_EXPR, boolean_type_node, v.same)));
        return true;
    }
    gassign *assign = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(condition));
    if (!assign || gimple_num_ops(assign) > 3)
        return false;
    const tree_code code = gimple_assign_rhs_code(assign);
    const tree a = gimple_assign_rhs1(assign), b = gimple_assign_rhs2(assign);
    if ((code == BIT_AND_EXPR && truth) || (code == BIT_IOR_EXPR && !truth))
        return demand(a, truth) && demand(b, truth);
    if (code == BIT_NOT_EXPR && TREE_CODE(TREE_TYPE(a)) == BOOLEAN_TYPE)
        return demand(a, !truth);
    if (TREE_CODE_CLASS(code) == tcc_comparison)
        return demand(build2(code, boolean_type_node, a, b), truth);
    return false;
}

bool reckoner::demand_range(tree number, tree limit)
{
    const value v = of(number), most = of(limit);
    if (!v.is_known() || !most.same || !is_number(TREE_TYPE(number)))
        return false;
    const value w = wide_value(v, false);
    const tree up_to = wide(most.same);
    if (by_parts) {
        note(false, w, evenly(number_of(0), number_of(0)));
        note(false, evenly(up_to, number_of(0)), w);
        return exact(TREE_TYPE(number), w);
    }
    require(fold_build2(LE_EXPR, boolean_type_node, w.first, up_to));
    require(fold_build2(LE_EXPR, boolean_type_node, last_of(w), up_to));
    return exact(TREE_TYPE(number), w);
}

bool reckoner::demand_aligned(tree address, unsigned alignment)
{
    const value v = of(address);
    if (!v.is_known())
        return false;
    const value w = wide_value(v, false);
    tree bits = emit(fold_build2(BIT_IOR_EXPR, uint64_type_node, w.first, w.step));
    if (w.inner)
        bits = emit(fold_build2(BIT_IOR_EXPR, uint64_type_node, bits, w.inner_step));
    require(fold_build2(EQ_EXPR, boolean_type_node,
                        emit(fold_build2(BIT_AND_EXPR, uint64_type_node, bits, number_of(alignment - 1))),
                        number_of(0)));
    return true;
}

/* ---- how many passes the loop makes ---- */

/* The condition under which a loop goes on, as `tested CODE bound`. */
bool reckoner::tested(class loop *l, tree *iv_tested, tree *bound, tree_code *code)
{
    const edge out = single_exit(l);
    gcond *condition = out ? condition_of(out->src) : NULL;
    if (!condition)
        return false;
    tree a = gimple_cond_lhs(condition), b = gimple_cond_rhs(condition);
    *code = gimple_cond_code(condition);
    if (!is_number(TREE_TYPE(a)))
        return false;
    if (out->flags & EDGE_TRUE_VALUE)
        *code = invert_tree_comparison(*code, false);
    if (of(b).same == NULL_TREE) {
        std::swap(a, b);
        *code = swap_tree_comparison(*code);
    }
    *iv_tested = a;
    *bound = of(b).same;
    return *bound && TREE_CODE(a) == SSA_NAME && is_inside(a);
}

/* The variable that is tested, before or behind its step. @param first_tested its value in the first test */
bool reckoner::variable_of(class loop *l, tree tested, tree *first_tested, tree *step, tree *type)
{
    gimple *definition = SSA_NAME_DEF_STMT(tested);
    gassign *adds = dyn_cast<gassign *>(definition);
    gphi *phi = dyn_cast<gphi *>(definition);
    const bool is_behind = adds != NULL;
    if (phi) {
        const tree next =
            gimple_bb(phi) == l->header ? PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(l)) : NULL_TREE;
        adds = next && TREE_CODE(next) == SSA_NAME && is_inside(next)
                   ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next))
                   : NULL;
    }
    if (!adds ||
        (gimple_assign_rhs_code(adds) != PLUS_EXPR && gimple_assign_rhs_code(adds) != POINTER_PLUS_EXPR))
        return false;
    for (int i = 1; i <= 2; i++) {
        const tree variable = gimple_op(adds, i), by = gimple_op(adds, 3 - i);
        gphi *of_it = TREE_CODE(variable) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(variable)) : NULL;
        if (!of_it || gimple_bb(of_it) != l->header || (phi && phi != of_it) ||
            PHI_ARG_DEF_FROM_EDGE(of_it, loop_latch_edge(l)) != gimple_assign_lhs(adds))
            continue;
        const value added = of(by), start = of(PHI_ARG_DEF_FROM_EDGE(of_it, loop_preheader_edge(l)));
        if (!added.same || !start.same)
            return false;
        *type = TREE_TYPE(variable);
        *step = wide_value(added, true).first;
        *first_tested = wide(start.same);
        if (is_behind)
            *first_tested = emit(fold_build2(PLUS_EXPR, uint64_type_node, *first_tested, *step));
        return true;
    }
    return false;
}

static tree with_sign(tree number)
{
    return fold_convert(long_long_integer_type_node, number);
}

/* One pass, and one for each test after which it goes on. @return how many there are of the latter, in 64
 * bits; NULL: that cannot be said */
tree reckoner::count_by(tree_code code, tree first_tested, tree step, tree bound)
{
    const bool is_down = TREE_CODE(step) == INTEGER_CST && tree_int_cst_sgn(with_sign(step)) < 0;
    tree from = emit(with_sign(first_tested)), to = emit(with_sign(bound)), by = emit(with_sign(step));
    const tree one = build_int_cst(long_long_integer_type_node, 1),
               zero = build_int_cst(long_long_integer_type_node, 0);
    if (is_down) {
        std::swap(from, to);
        by = emit(fold_build1(NEGATE_EXPR, long_long_integer_type_node, by));
        code = swap_tree_comparison(code);
    }
    if (code != LT_EXPR && code != LE_EXPR && code != NE_EXPR)
        return NULL_TREE;
    require(fold_build2(GE_EXPR, boolean_type_node, by, one));
    require(fold_build2(LE_EXPR, boolean_type_node, by,
                        build_int_cst(long_long_integer_type_node, HOST_WIDE_INT_1 << STEP_BITS)));
    by = emit(fold_build2(MAX_EXPR, long_long_integer_type_node, by, one)); /* so that the division is one */
    const tree way = emit(fold_build2(MINUS_EXPR, long_long_integer_type_node, to, from));
    tree more = way;
    if (code == LE_EXPR)
        more = emit(fold_build2(PLUS_EXPR, long_long_integer_type_node, way, by));
    if (code == LT_EXPR)
        more = emit(fold_build2(PLUS_EXPR, long_long_integer_type_node, way,
                                emit(fold_build2(MINUS_EXPR, long_long_integer_type_node, by, one))));
    if (code != NE_EXPR)
        more = emit(fold_build2(MAX_EXPR, long_long_integer_type_node, more, zero));
    const tree goes_on = emit(fold_build2(TRUNC_DIV_EXPR, long_long_integer_type_node, more, by));
    if (code == NE_EXPR) {
        require(fold_build2(GE_EXPR, boolean_type_node, way, zero));
        require(fold_build2(EQ_EXPR, boolean_type_node, way,
                            emit(fold_build2(MULT_EXPR, long_long_integer_type_node, goes_on, by))));
    }
    const tree last = wide(goes_on);
    require(fold_build2(LE_EXPR, boolean_type_node, last, number_of(PASSES_MAX)));
    return last;
}

bool reckoner::count_passes()
{
    tree it, bound, first_tested, step, type;
    tree_code code;
    if (!tested(loop, &it, &bound, &code) || !variable_of(loop, it, &first_tested, &step, &type))
        return false;
    const tree up_to = wide(bound);
    last_pass = number_of(0); /* of these two there is one value */
    exact(type, evenly(first_tested, number_of(0)));
    exact(type, evenly(up_to, number_of(0)));
    known.empty(); /* what was said of variables before is not */
    last_pass = count_by(code, first_tested, step, up_to);
    if (!last_pass)
        return false;
    passes = emit(fold_build2(PLUS_EXPR, uint64_type_node, last_pass, number_of(1)));
    return settled(type, evenly(first_tested, step)).is_known();
}

bool reckoner::count_passes_inside(class loop *l)
{
    tree it, bound, first_tested, step, type;
    tree_code code;
    if (!tested(l, &it, &bound, &code) || !variable_of(l, it, &first_tested, &step, &type))
        return false;
    const tree up_to = wide(bound);
    exact(type, evenly(first_tested, number_of(0)));
    exact(type, evenly(up_to, number_of(0)));
    const tree last = count_by(code, first_tested, step, up_to);
    if (!last)
        return false;
    inner_loop *in =
        new inner_loop{l, emit(fold_build2(PLUS_EXPR, uint64_type_node, last, number_of(1))), last};
    inner.safe_push(in);
    known.empty(); /* the same */
    return settled(type, evenly(first_tested, number_of(0), in, step)).is_known();
}

} // namespace rows
