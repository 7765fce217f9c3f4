/**
 * @file loops.cpp
 * @brief A pass of g++'s behind its -fsanitize=thread: a loop's accesses are judged before it begins.
 *
 * That option has put a call before each access (sim/check/hooks.c). Where all of a loop's accesses are at
 * evenly spaced addresses, and each is made in each pass, the loop becomes two:
 *
 *     if (umsim_rows(accesses, question, rows, conditions))
 *         the loop without the calls
 *     else
 *         the loop with them
 *
 * `rows` has the address of each access in the first pass, and what each pass adds. The question's `ok` is
 * false where what was assumed of the loop does not hold at run time (reckon.h). umsim_rows() then says no,
 * as it does whenever it is not sure that each access is right (sim/check/rows.h): so what this pass does not
 * see costs time only.
 *
 * The loop over a block's threads is one of these loops: umsim_thread_alone() stands in it. There `if (i <
 * n)` around all accesses need not hold in each pass: it is one of the `conditions`, the answer is how many
 * passes are judged, and the loop is left behind them, as umsim_thread_alone() says where it is to end. For
 * the rest it comes again (UMSIM_THREADS_ALONE). Of other loops all of that is demanded of the first and the
 * last pass, and so holds in each.
 *
 * A report names the place behind an access's call. Of the loop without calls these are not known: the other
 * one's calls write them down, by the addresses of `accesses`, and until they have done so, umsim_rows() says
 * no.
 */
#include "loops.h"
#include "candidate.h"

namespace rows
{

#define ACCESSES_MAX 64
#define ACCESSES_LEAST 64 /* in all passes of one thread: UMSIM_ROWS_LEAST of sim/check/rows.h */

/* ---- what is in the loop ---- */

bool hook_of(gcall *call, hook *out)
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
    if (is_thread_alone(call)) {
        const bool is_second = alone != NULL;
        alone = call;
        superfluous.safe_push(call);
        return !is_second && gimple_bb(call) == it->header && gimple_call_lhs(call);
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

/* One way out, behind its last statement. */
static bool has_form(class loop *l)
{
    const edge out = single_exit(l);
    return out && empty_block_p(l->latch) && loop_preheader_edge(l) && single_pred_p(l->latch) &&
           single_pred(l->latch) == out->src;
}

/* Looks for hooks, and for what makes it a loop over threads. @return whether there are hooks */
bool candidate::has_hooks(basic_block *body)
{
    bool any = false;
    for (unsigned i = 0; i < it->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
            hook h;
            gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
            any |= call && hook_of(call, &h);
            values.by_parts |= call && is_thread_alone(call);
        }
    return any;
}

/* Whether what a loop computes is used behind it as a value of its end only (loop-closed SSA form). */
static bool is_closed(class loop *l)
{
    bool closed = true;
    basic_block *body = get_loop_body(l);
    for (unsigned i = 0; i < l->num_nodes && closed; i++) {
        ssa_op_iter which;
        imm_use_iterator uses;
        use_operand_p use;
        tree name;
        for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at))
            FOR_EACH_SSA_TREE_OPERAND(name, gsi_stmt(at), which, SSA_OP_DEF)
        FOR_EACH_IMM_USE_FAST(use, uses, name)
        closed &= is_gimple_debug(USE_STMT(use)) || gimple_code(USE_STMT(use)) == GIMPLE_PHI ||
                  flow_bb_inside_loop_p(l, gimple_bb(USE_STMT(use)));
        for (gphi_iterator at = gsi_start_phis(body[i]); !gsi_end_p(at); gsi_next(&at))
            if (!virtual_operand_p(gimple_phi_result(at.phi())))
                FOR_EACH_IMM_USE_FAST(use, uses, gimple_phi_result(at.phi()))
        closed &= is_gimple_debug(USE_STMT(use)) || gimple_code(USE_STMT(use)) == GIMPLE_PHI ||
                  flow_bb_inside_loop_p(l, gimple_bb(USE_STMT(use)));
    }
    free(body);
    return closed;
}

/* How many passes it makes, and each loop inside. */
bool candidate::count_passes()
{
    if (!values.count_passes() || (it->inner && !values.by_parts))
        return false;
    for (class loop *l = it->inner; l; l = l->next)
        if (l->inner || !has_form(l) || !is_closed(l) || !values.count_passes_inside(l))
            return false;
    return true;
}

/* Whether there are so many accesses that a question pays. */
bool candidate::pays()
{
    if (alone) {
        const value x = values.of(gimple_call_arg(alone, 0));
        return x.first && !x.inner && integer_onep(x.step) && values.of(gimple_call_arg(alone, 1)).same;
    }
    return TREE_CODE(values.passes) != INTEGER_CST ||
           tree_to_uhwi(values.passes) * hooks.length() >= ACCESSES_LEAST;
}

bool candidate::is_fit()
{
    if (!has_form(it) || !can_duplicate_loop_p(it))
        return false;
    basic_block *body = get_loop_body_in_dom_order(it);
    bool fit = has_hooks(body) && count_passes();
    for (unsigned i = 0; i < it->num_nodes && fit; i++)
        for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at) && fit; gsi_next(&at))
            fit = take(gsi_stmt(at));
    free(body);
    for (unsigned i = 0; i < hooks.length() && fit; i++)
        fit = values.of(gimple_call_arg(hooks[i].call, 0)).is_known() && decide_for(gimple_bb(hooks[i].call));
    return fit && !hooks.is_empty() && pays();
}

/* ---- what threads keep across barriers ---- */

/* The variable that an address lies in, as far as the function says so. */
static tree variable_at(tree address)
{
    while (TREE_CODE(address) == SSA_NAME) {
        gassign *assign = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(address));
        if (!assign ||
            !(gimple_assign_single_p(assign) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(assign)) ||
              gimple_assign_rhs_code(assign) == POINTER_PLUS_EXPR))
            return NULL_TREE;
        address = gimple_assign_rhs1(assign);
    }
    const tree base =
        TREE_CODE(address) == ADDR_EXPR ? get_base_address(TREE_OPERAND(address, 0)) : NULL_TREE;
    return base && TREE_CODE(base) == MEM_REF ? variable_at(TREE_OPERAND(base, 0)) : base;
}

static bool is_hook(gcall *call)
{
    hook h;
    const tree function = gimple_call_fndecl(call); /* g++ makes these of other types than it declares */
    return hook_of(call, &h) || (function && (fndecl_built_in_p(function, BUILT_IN_TSAN_READ_RANGE) ||
                                              fndecl_built_in_p(function, BUILT_IN_TSAN_WRITE_RANGE)));
}

static void leave_out_kept(function *f)
{
    basic_block block;
    FOR_EACH_BB_FN(block, f)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
        if (call && is_hook(call) && is_kept(variable_at(gimple_call_arg(call, 0)))) {
            unlink_stmt_vdef(call);
            gsi_remove(&at, true);
        } else {
            gsi_next(&at);
        }
    }
}

/* ---- the pass ---- */

static void list_loops(auto_vec<class loop *> *loops)
{
#if GCCPLUGIN_VERSION_MAJOR >= 12
    for (auto each : loops_list(cfun, 0))
        loops->safe_push(each);
#else
    class loop *each;
    FOR_EACH_LOOP(each, 0)
    loops->safe_push(each);
#endif
}

static bool is_over_threads(const class loop *l)
{
    for (gimple_stmt_iterator at = gsi_start_bb(l->header); !gsi_end_p(at); gsi_next(&at)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
        if (call && is_thread_alone(call))
            return true;
    }
    return false;
}

/* Those over a block's threads, with the loops inside of them, or innermost ones. @return whether there was
 * one */
static bool divide_all(bool over_threads)
{
    auto_vec<class loop *> loops;
    bool any = false;
    list_loops(&loops);
    for (class loop *each : loops) {
        if (over_threads ? !is_over_threads(each) : each->inner || is_over_threads(each))
            continue;
        renumber_gimple_stmt_uids(cfun);
        candidate c(each);
        if (!c.is_fit())
            continue;
        c.divide();
        any = true;
    }
    return any;
}

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
        leave_out_kept(cfun);
        const bool threads = divide_all(true), others = divide_all(false);
        if (threads || others)
            scev_reset();
        return 0;
    }
};

opt_pass *make_pass(gcc::context *context)
{
    return new pass_rows(context);
}

} // namespace rows
