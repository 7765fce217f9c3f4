/**
 * @file divide.cpp
 * @brief Puts the question in front of a loop, and makes two loops of it (loops.cpp).
 */
#include "candidate.h"

namespace rows
{

/* ---- the question ---- */

/* What each access is: sim/check/rows.h. Kernels may only read it. */
tree candidate::accesses_variable()
{
    const tree type =
        build_array_type_nelts(build_qualified_type(uint64_type_node, TYPE_QUAL_CONST), hooks.length());
    const tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("umsim_rows"), type);
    vec<constructor_elt, va_gc> *words = NULL;
    for (unsigned i = 0; i < hooks.length(); i++) {
        const HOST_WIDE_INT what = hooks[i].bytes | (hooks[i].is_write ? 256 : 0);
        CONSTRUCTOR_APPEND_ELT(words, size_int(i), build_int_cst(uint64_type_node, what));
    }
    TREE_STATIC(variable) = 1;
    TREE_READONLY(variable) = 1;
    TREE_ADDRESSABLE(variable) = 1;
    DECL_ARTIFICIAL(variable) = 1;
    DECL_IGNORED_P(variable) = 1;
    DECL_INITIAL(variable) = build_constructor(type, words);
    varpool_node::finalize_decl(variable);
    return variable;
}

static tree element(tree array, unsigned index)
{
    return build4(ARRAY_REF, uint64_type_node, array, size_int(index), NULL_TREE, NULL_TREE);
}

/* An array of 64 bits each, in the function's frame. */
tree candidate::array_of(const auto_vec<tree> &numbers, const char *name)
{
    const tree array = create_tmp_var(build_array_type_nelts(uint64_type_node, numbers.length()), name);
    TREE_ADDRESSABLE(array) = 1;
    for (unsigned i = 0; i < numbers.length(); i++)
        gimple_seq_add_stmt_without_update(&values.statements,
                                           gimple_build_assign(element(array, i), numbers[i]));
    return build_fold_addr_expr(array);
}

/* The rows: sim/check/rows.h. */
tree candidate::rows_variable()
{
    auto_vec<tree> numbers;
    for (const hook &h : hooks) {
        const value v = values.of(gimple_call_arg(h.call, 0));
        const inner_loop *in = values.inside(gimple_bb(h.call));
        const tree none = build_int_cst(uint64_type_node, 0), one = build_int_cst(uint64_type_node, 1);
        numbers.safe_push(v.same ? values.wide(v.same) : v.first);
        numbers.safe_push(v.same ? none : v.step);
        numbers.safe_push(in ? in->passes : one);
        numbers.safe_push(v.inner ? v.inner_step : none);
        numbers.safe_push(build_int_cst(uint64_type_node, in ? in->it->num : 0));
    }
    return array_of(numbers, "umsim_row");
}

/* Passes by which the loop is left early. */
tree candidate::conditions_variable()
{
    auto_vec<tree> numbers;
    for (const condition &c : values.conditions) {
        numbers.safe_push(c.first);
        numbers.safe_push(c.step);
        numbers.safe_push(build_int_cst(uint64_type_node, c.is_below ? 0 : 1));
    }
    return numbers.is_empty() ? null_pointer_node : array_of(numbers, "umsim_condition");
}

/* sim/check/rows.h: umsim_rows_question. */
tree candidate::question_variable()
{
    const tree threads =
        alone ? values.of(gimple_call_arg(alone, 0)).first : build_int_cst(uint64_type_node, -1);
    auto_vec<tree> numbers;
    numbers.safe_push(build_int_cst(uint64_type_node, hooks.length()));
    numbers.safe_push(values.passes);
    numbers.safe_push(values.wide(values.ok));
    numbers.safe_push(threads);
    numbers.safe_push(build_int_cst(uint64_type_node, values.conditions.length()));
    return array_of(numbers, "umsim_question");
}

static tree function_named(const char *name, tree type)
{
    const tree function = build_fn_decl(name, type);
    TREE_NOTHROW(function) = 1;
    return function;
}

/* @return the answer */
tree candidate::write_question()
{
    const tree accesses = accesses_variable(), rows = rows_variable(), conditions = conditions_variable(),
               question = question_variable();
    const tree type = build_function_type_list(uint64_type_node, ptr_type_node, ptr_type_node, ptr_type_node,
                                               ptr_type_node, NULL_TREE);
    gcall *call = gimple_build_call(function_named("umsim_rows", type), 4, build_fold_addr_expr(accesses),
                                    question, rows, conditions);
    const tree answer = make_ssa_name(uint64_type_node);
    gimple_call_set_lhs(call, answer);
    gimple_seq_add_stmt_without_update(&values.statements, call);
    if (alone) {
        const tree most = values.of(gimple_call_arg(alone, 1)).same;
        const tree left = values.emit(fold_build2(MINUS_EXPR, uint64_type_node, values.passes, answer));
        end = values.emit(
            fold_build2(MINUS_EXPR, TREE_TYPE(most), most, values.emit(fold_convert(TREE_TYPE(most), left))));
    }
    record_places(accesses);
    return answer;
}

/* ---- the two loops ---- */

/* Instead of each hook one that writes down where it is. */
void candidate::record_places(tree accesses)
{
    const tree type = build_function_type_list(void_type_node, ptr_type_node, ptr_type_node, NULL_TREE);
    for (unsigned i = 0; i < hooks.length(); i++) {
        gimple_stmt_iterator at = gsi_for_stmt(hooks[i].call);
        gcall *call =
            gimple_build_call(function_named("umsim_rows_hook", type), 2, gimple_call_arg(hooks[i].call, 0),
                              build_fold_addr_expr(element(accesses, i)));
        gimple_set_location(call, gimple_location(hooks[i].call));
        for (unsigned j = 0; j < superfluous.length(); j++)
            if (superfluous[j] == hooks[i].call)
                superfluous[j] = call;
        gimple_move_vops(call, hooks[i].call);
        gsi_replace(&at, call, false);
        hooks[i].call = call;
    }
}

/* The loop itself is the one without calls: its copy keeps them. */
void candidate::make_fast()
{
    for (gimple *load : values.loads) {
        const value v = values.of(gimple_assign_lhs(load));
        gimple_stmt_iterator at = gsi_for_stmt(load);
        gimple_assign_set_rhs_from_tree(&at, v.same);
        update_stmt(gsi_stmt(at));
    }
    if (alone)
        replace_uses_by(gimple_call_lhs(alone), end);
    for (gimple *call : superfluous) {
        gimple_stmt_iterator at = gsi_for_stmt(call);
        unlink_stmt_vdef(call);
        gsi_remove(&at, true);
        release_defs(call);
    }
    for (const decision &d : decisions) {
        if (d.truth)
            gimple_cond_make_true(d.condition);
        else
            gimple_cond_make_false(d.condition);
        update_stmt(d.condition);
    }
}

void candidate::divide()
{
    basic_block asks;
    const tree answer = write_question();
    const tree is_right = build2(NE_EXPR, boolean_type_node, answer, build_zero_cst(uint64_type_node));
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(it), values.statements);
    update_ssa(TODO_update_ssa_only_virtuals);
    initialize_original_copy_tables();
    class loop *slow =
        loop_version(it, is_right, &asks, profile_probability::likely(), profile_probability::unlikely(),
                     profile_probability::likely(), profile_probability::unlikely(), true);
    free_original_copy_tables();
    gcc_assert(slow);
    it->unroll = slow->unroll = 1; /* so that each call stays one */
    update_ssa(TODO_update_ssa);   /* the copy's names are its own */
    make_fast();
    update_ssa(TODO_update_ssa);
}

} // namespace rows
