/**
 * @file loops.cpp
 * @brief A pass of g++'s behind its -fsanitize=thread: a loop's accesses are judged before it begins.
 *
 * That option has put a call before each access (sim/check/hooks.c). Where all of a loop's accesses are at
 * evenly spaced addresses, and each is made in each pass, the loop becomes two:
 *
 *     if (umsim_rows(accesses, count, passes, rows, ok, threads))
 *         the loop without the calls
 *     else
 *         the loop with them
 *
 * `rows` has the address of each access in the first pass, and what each pass adds. `ok` is false where what
 * was assumed of the loop does not hold at run time (reckon.h). umsim_rows() then says no, as it does
 * whenever it is not sure that each access is right (sim/check/rows.h): so what this pass does not see costs
 * time only.
 *
 * The loop over a block's threads is one of these loops: umsim_thread_alone() stands in it. `if (i < n)`
 * around all accesses is demanded of the first and the last pass, and so holds in each.
 *
 * A report names the place behind an access's call. Of the loop without calls these are not known: the other
 * one's calls write them down, by the addresses of `accesses`, and until they have done so, umsim_rows() says
 * no.
 */
#include "loops.h"
#include "reckon.h"

namespace rows
{

#define ACCESSES_MAX 16
#define ACCESSES_LEAST 64 /* in all passes of one thread: UMSIM_ROWS_LEAST of sim/check/rows.h */

/** A hook: the call before an access. */
struct hook {
    gcall *call;
    unsigned bytes;
    bool is_write;
};

/** A condition that has to be the same in each pass. */
struct decision {
    gcond *condition;
    bool truth;
};

class candidate
{
  public:
    explicit candidate(class loop *l) : it(l), values(l), alone(NULL)
    {
    }
    /** Whether its accesses can be judged before. */
    bool is_fit();
    void divide();

  private:
    class loop *it;
    reckoner values;
    auto_vec<hook> hooks;
    auto_vec<decision> decisions;
    auto_vec<gimple *> superfluous; /* in the loop without calls */
    gcall *alone;                   /* of umsim_thread_alone() */

    bool take_call(gcall *call);
    bool take(gimple *statement);
    bool decide_for(basic_block block);
    bool decide(edge way);
    bool is_sure(basic_block from, basic_block to);
    tree accesses_variable();
    tree rows_variable();
    tree write_question();
    void record_places(tree accesses);
    void make_fast();
    void store(tree array, unsigned index, tree number);
};

/* ---- what is in the loop ---- */

static bool hook_of(gcall *call, hook *out)
{
    static const struct {
        built_in_function code;
        unsigned bytes;
        bool is_write;
    } known[] = {{BUILT_IN_TSAN_READ4, 4, false},   {BUILT_IN_TSAN_READ8, 8, false},
                 {BUILT_IN_TSAN_READ16, 16, false}, {BUILT_IN_TSAN_WRITE4, 4, true},
                 {BUILT_IN_TSAN_WRITE8, 8, true},   {BUILT_IN_TSAN_WRITE16, 16, true}};
    for (const auto &k : known)
        if (gimple_call_builtin_p(call, k.code)) {
            *out = hook{call, k.bytes, k.is_write};
            return true;
        }
    return false;
}

static bool is_named(gcall *call, const char *name)
{
    const tree function = gimple_call_fndecl(call);
    return function && DECL_NAME(function) && strcmp(IDENTIFIER_POINTER(DECL_NAME(function)), name) == 0;
}

/* Checks of g++'s own tell nothing where they are sure to hold. */
bool candidate::take_call(gcall *call)
{
    hook h;
    if (gimple_call_internal_p(call, IFN_UBSAN_NULL)) {
        superfluous.safe_push(call);
        return !(flag_sanitize & SANITIZE_NULL) &&
               values.demand_aligned(gimple_call_arg(call, 0),
                                     (unsigned)MAX(tree_to_uhwi(gimple_call_arg(call, 2)), 1));
    }
    if (gimple_call_internal_p(call, IFN_UBSAN_BOUNDS)) {
        superfluous.safe_push(call);
        return values.demand_range(gimple_call_arg(call, 1), gimple_call_arg(call, 2));
    }
    if (gimple_call_internal_p(call))
        return (gimple_call_flags(call) & ECF_CONST) != 0;
    if (is_named(call, "umsim_thread_alone")) {
        const bool is_second = alone != NULL;
        alone = call;
        superfluous.safe_push(call);
        return !is_second && gimple_bb(call) == it->header;
    }
    if (hook_of(call, &h)) {
        superfluous.safe_push(call);
        hooks.safe_push(h);
        return hooks.length() <= ACCESSES_MAX;
    }
    return (gimple_call_flags(call) & ECF_CONST) != 0;
}

bool candidate::take(gimple *statement)
{
    if (gcall *call = dyn_cast<gcall *>(statement))
        return take_call(call);
    if (gimple_assign_load_p(statement))
        values.of(gimple_assign_lhs(statement)); /* then it is made once */
    return (is_gimple_assign(statement) && !gimple_has_volatile_ops(statement)) ||
           gimple_clobber_p(statement) || is_gimple_debug(statement) ||
           gimple_code(statement) == GIMPLE_COND || gimple_code(statement) == GIMPLE_LABEL ||
           gimple_code(statement) == GIMPLE_NOP || gimple_code(statement) == GIMPLE_PREDICT;
}

/* ---- which way it goes ---- */

/* Whether each pass that comes to `from` comes to `to`. */
bool candidate::is_sure(basic_block from, basic_block to)
{
    auto_vec<basic_block> open;
    hash_set<basic_block> seen;
    open.safe_push(from);
    while (!open.is_empty()) {
        const basic_block block = open.pop();
        edge way;
        edge_iterator at;
        if (block == to || seen.add(block))
            continue;
        FOR_EACH_EDGE(way, at, block->succs)
        {
            if (way->dest == it->header || !flow_bb_inside_loop_p(it, way->dest))
                return false;
            open.safe_push(way->dest);
        }
    }
    return true;
}

bool candidate::decide(edge way)
{
    gcond *condition = condition_of(way->src);
    if (!condition || !(way->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)))
        return false;
    const bool truth = way->flags & EDGE_TRUE_VALUE;
    for (const decision &d : decisions)
        if (d.condition == condition)
            return d.truth == truth;
    decisions.safe_push(decision{condition, truth});
    const tree a = gimple_cond_lhs(condition), b = gimple_cond_rhs(condition);
    return values.demand(build2(gimple_cond_code(condition), boolean_type_node, a, b), truth);
}

/* What has to hold for each pass to come to the block. */
bool candidate::decide_for(basic_block block)
{
    while (block != it->header) {
        const basic_block above = get_immediate_dominator(CDI_DOMINATORS, block);
        if (!above || !flow_bb_inside_loop_p(it, above))
            return false;
        if (!is_sure(above, block)) {
            edge way = single_pred_p(block) ? single_pred_edge(block) : NULL;
            if (!way || way->src != above || !decide(way))
                return false;
        }
        block = above;
    }
    return true;
}

bool candidate::is_fit()
{
    const edge out = single_exit(it);
    if (it->inner || !out || !empty_block_p(it->latch) || !loop_preheader_edge(it) ||
        !single_pred_p(it->latch) || single_pred(it->latch) != out->src || !can_duplicate_loop_p(it))
        return false;
    bool fit = true, any = false;
    basic_block *body = get_loop_body_in_dom_order(it);
    for (unsigned i = 0; i < it->num_nodes && !any; i++)
        for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
            hook h;
            gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
            any |= call && hook_of(call, &h);
        }
    fit = any && values.count_passes();
    for (unsigned i = 0; i < it->num_nodes && fit; i++)
        for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at) && fit; gsi_next(&at))
            fit = take(gsi_stmt(at));
    free(body);
    for (unsigned i = 0; i < hooks.length() && fit; i++)
        fit = values.of(gimple_call_arg(hooks[i].call, 0)).is_known() && decide_for(gimple_bb(hooks[i].call));
    if (fit && TREE_CODE(values.passes) == INTEGER_CST)
        fit = alone || tree_to_uhwi(values.passes) * hooks.length() >= ACCESSES_LEAST;
    if (fit && alone) {
        const value x = values.of(gimple_call_arg(alone, 0));
        fit = x.first && integer_onep(x.step) && values.of(gimple_call_arg(alone, 1)).same &&
              values.of(gimple_call_arg(alone, 2)).same;
    }
    return fit;
}

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

void candidate::store(tree array, unsigned index, tree number)
{
    gimple_seq_add_stmt_without_update(&values.statements,
                                       gimple_build_assign(element(array, index), number));
}

/* The rows: first address and step of each access. */
tree candidate::rows_variable()
{
    const tree type = build_array_type_nelts(uint64_type_node, 2 * hooks.length());
    const tree array = create_tmp_var(type, "umsim_row");
    TREE_ADDRESSABLE(array) = 1;
    for (unsigned i = 0; i < hooks.length(); i++) {
        const value v = values.of(gimple_call_arg(hooks[i].call, 0));
        store(array, 2 * i, v.same ? values.wide(v.same) : v.first);
        store(array, 2 * i + 1, v.same ? build_int_cst(uint64_type_node, 0) : v.step);
    }
    return array;
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
    const tree accesses = accesses_variable(), rows = rows_variable();
    tree threads = build_int_cst(integer_type_node, -1); /* all passes are one thread's */
    if (alone) {
        tree any = values.emit(fold_convert(unsigned_type_node, values.of(gimple_call_arg(alone, 0)).first));
        for (int i = 1; i <= 2; i++)
            any = values.emit(fold_build2(BIT_IOR_EXPR, unsigned_type_node, any,
                                          values.of(gimple_call_arg(alone, i)).same));
        threads = values.emit(fold_convert(
            integer_type_node,
            values.emit(fold_build2(NE_EXPR, boolean_type_node, any, build_zero_cst(unsigned_type_node)))));
    }
    const tree type =
        build_function_type_list(integer_type_node, ptr_type_node, uint64_type_node, uint64_type_node,
                                 ptr_type_node, integer_type_node, integer_type_node, NULL_TREE);
    const tree ok = values.emit(fold_convert(integer_type_node, values.ok));
    gcall *call = gimple_build_call(function_named("umsim_rows", type), 6, build_fold_addr_expr(accesses),
                                    build_int_cst(uint64_type_node, hooks.length()), values.passes,
                                    build_fold_addr_expr(rows), ok, threads);
    const tree answer = make_ssa_name(integer_type_node);
    gimple_call_set_lhs(call, answer);
    gimple_seq_add_stmt_without_update(&values.statements, call);
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
    const tree is_right = build2(NE_EXPR, boolean_type_node, answer, build_zero_cst(integer_type_node));
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(it), values.statements);
    update_ssa(TODO_update_ssa_only_virtuals);
    initialize_original_copy_tables();
    class loop *slow =
        loop_version(it, is_right, &asks, profile_probability::likely(), profile_probability::unlikely(),
                     profile_probability::likely(), profile_probability::unlikely(), true);
    free_original_copy_tables();
    gcc_assert(slow);
    it->unroll = slow->unroll = 1; /* so that each call stays one */
    make_fast();
    update_ssa(TODO_update_ssa);
}

/* ---- the pass ---- */

static const pass_data data = {
    GIMPLE_PASS, "umsim_rows", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, TODO_cleanup_cfg};

class pass_rows : public gimple_opt_pass
{
  public:
    explicit pass_rows(gcc::context *context) : gimple_opt_pass(data, context)
    {
    }
    unsigned execute(function *) override
    {
        auto_vec<class loop *> loops;
        class loop *l;
#if GCCPLUGIN_VERSION_MAJOR >= 12
        for (auto each : loops_list(cfun, LI_ONLY_INNERMOST))
            loops.safe_push(each);
        (void)l;
#else
        FOR_EACH_LOOP(l, LI_ONLY_INNERMOST)
        loops.safe_push(l);
#endif
        bool any = false;
        for (class loop *each : loops) {
            renumber_gimple_stmt_uids(cfun);
            candidate c(each);
            if (!c.is_fit())
                continue;
            c.divide();
            any = true;
        }
        if (any)
            scev_reset();
        return 0;
    }
};

opt_pass *make_pass(gcc::context *context)
{
    return new pass_rows(context);
}

} // namespace rows
