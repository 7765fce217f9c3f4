/**
 * @file reckon.cpp
 * @brief Implementation of reckon.h: values, first to last pass. demands.cpp has the rest.
 */
#include "numbers.h"
#include "reckon.h"

namespace rows
{

reckoner::reckoner(class loop *l)
    : by_parts(false), statements(NULL), ok(boolean_true_node), passes(NULL_TREE), loop(l),
      last_pass(NULL_TREE)
{
}

reckoner::~reckoner()
{
    for (inner_loop *in : inner)
        delete in;
}

const inner_loop *reckoner::inside(basic_block block)
{
    for (const inner_loop *in : inner)
        if (flow_bb_inside_loop_p(in->it, block))
            return in;
    return NULL;
}

bool is_thread_alone(gcall *call)
{
    const tree function = gimple_call_fndecl(call);
    return function && DECL_EXTERNAL(function) && /* C's: of a namespace the linker knows another name */
           strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "umsim_thread_alone") == 0;
}

/* umsim::kept: as the compiler knows it, not as a program may spell a variable. */
static bool is_of_type_kept(tree variable)
{
    const tree name = TYPE_NAME(TYPE_MAIN_VARIANT(TREE_TYPE(variable)));
    const tree around = name && TREE_CODE(name) == TYPE_DECL ? DECL_CONTEXT(name) : NULL_TREE;
    return around && TREE_CODE(around) == NAMESPACE_DECL && DECL_NAME(around) &&
           strcmp(IDENTIFIER_POINTER(DECL_NAME(around)), "umsim") == 0 && DECL_NAME(name) &&
           startswith(IDENTIFIER_POINTER(DECL_NAME(name)), "kept");
}

bool is_kept(tree variable)
{
    const tree name = variable && VAR_P(variable) ? DECL_NAME(variable) : NULL_TREE;
    return name && auto_var_in_fn_p(variable, current_function_decl) &&
           ((startswith(IDENTIFIER_POINTER(name), "um_kept_") && is_of_type_kept(variable)) ||
            startswith(IDENTIFIER_POINTER(name), "__um_kept_"));
}

tree reckoner::emit(tree expression)
{
    gimple_seq some = NULL;
    const tree operand = force_gimple_operand(expression, &some, true, NULL_TREE);
    gimple_seq_add_seq_without_update(&statements, some);
    return operand;
}

void reckoner::require(tree condition)
{
    ok = emit(
        fold_build2(BIT_AND_EXPR, boolean_type_node, ok, emit(fold_convert(boolean_type_node, condition))));
}

tree reckoner::wide(tree same)
{
    return emit(fold_convert(uint64_type_node, same));
}

bool reckoner::is_inside(tree name)
{
    gimple *definition = SSA_NAME_DEF_STMT(name);
    return gimple_bb(definition) && flow_bb_inside_loop_p(loop, gimple_bb(definition));
}

/* ---- values that go on ---- */

/* As numbers of 64 bits. A constant of an unsigned type may be meant to subtract: modulo the type that is the
 * same. */
value reckoner::wide_value(value v, bool as_signed)
{
    if (!v.same)
        return v;
    const tree type = TREE_TYPE(v.same);
    tree t = v.same;
    if (as_signed && TREE_CODE(t) == INTEGER_CST && INTEGRAL_TYPE_P(type) && TYPE_UNSIGNED(type))
        t = fold_convert(signed_type_for(type), t);
    return evenly(wide(t), number_of(0));
}

tree reckoner::last_of(value v)
{
    return emit(fold_build2(PLUS_EXPR, uint64_type_node, v.first,
                            emit(fold_build2(MULT_EXPR, uint64_type_node, v.step, last_pass))));
}

/* What `number` is in the last pass of the loop inside that v goes on with. */
tree reckoner::last_inside(value v, tree number)
{
    return emit(fold_build2(PLUS_EXPR, uint64_type_node, number,
                            emit(fold_build2(MULT_EXPR, uint64_type_node, v.inner_step, v.inner->last))));
}

/* v with what a sum, or a difference, of a and b adds in each pass of a loop inside. Nothing is known of two
 * such loops. */
value reckoner::with_inner(value v, tree_code code, value a, value b)
{
    if (a.inner && b.inner && a.inner != b.inner)
        return unknown();
    v.inner = a.inner ? a.inner : b.inner;
    if (v.inner)
        v.inner_step = emit(fold_build2(code, uint64_type_node, a.inner ? a.inner_step : number_of(0),
                                        b.inner ? b.inner_step : number_of(0)));
    return v;
}

/* That a number of 64 bits is one of the type. */
bool reckoner::fits(tree type, tree number)
{
    const unsigned bits = TYPE_PRECISION(type);
    if (bits >= 64)
        return true;
    if (!TYPE_UNSIGNED(type))
        number =
            emit(fold_build2(PLUS_EXPR, uint64_type_node, number, number_of(HOST_WIDE_INT_1 << (bits - 1))));
    require(fold_build2(LE_EXPR, boolean_type_node, number, number_of((HOST_WIDE_INT_1 << bits) - 1)));
    return true;
}

/* What the type makes of it: in each pass the same, or `ok` is false. */
value reckoner::settled(tree type, value v)
{
    if (!is_wide(type) && v.is_known()) {
        const tree ends[] = {v.first, last_of(v)};
        for (tree end : ends) {
            fits(type, end);
            if (v.inner)
                fits(type, last_inside(v, end));
        }
    }
    return v;
}

static bool goes_on(value v)
{
    return v.inner || !integer_zerop(v.step);
}

value reckoner::of_product(tree type, value a, value b)
{
    if (goes_on(b))
        std::swap(a, b);
    if (goes_on(b)) /* both do */
        return unknown();
    value v = evenly(emit(fold_build2(MULT_EXPR, uint64_type_node, a.first, b.first)),
                     emit(fold_build2(MULT_EXPR, uint64_type_node, a.step, b.first)), a.inner);
    if (a.inner)
        v.inner_step = emit(fold_build2(MULT_EXPR, uint64_type_node, a.inner_step, b.first));
    return settled(type, v);
}

value reckoner::of_conversion(tree type, tree from, value v)
{
    const bool widens = TYPE_PRECISION(type) > TYPE_PRECISION(from),
               same_sign = TYPE_UNSIGNED(type) == TYPE_UNSIGNED(from);
    if (is_wide(type) || (TYPE_PRECISION(type) == TYPE_PRECISION(from) && same_sign) ||
        (widens && (same_sign || TYPE_UNSIGNED(from))))
        return v;
    return settled(type, v);
}

/* An operation on what is the same in all passes: as the loop makes it, but that nothing is assumed of its
 * overflow, as here it may be made in vain. */
value reckoner::of_same(tree_code code, tree type, tree a, tree b)
{
    const bool may_overflow = INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type) &&
                              (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR ||
                               code == NEGATE_EXPR || code == LSHIFT_EXPR);
    const tree in = may_overflow ? unsigned_type_for(type) : type;
    if (may_overflow) {
        a = emit(fold_convert(in, a));
        b = b && code != LSHIFT_EXPR ? emit(fold_convert(in, b)) : b;
    }
    const tree result = emit(b ? fold_build2(code, in, a, b) : fold_build1(code, in, a));
    return same(may_overflow ? emit(fold_convert(type, result)) : result);
}

static bool is_shift_by_known(tree_code code, tree type, tree by)
{
    return code == LSHIFT_EXPR && TREE_CODE(by) == INTEGER_CST && tree_fits_uhwi_p(by) &&
           tree_to_uhwi(by) < TYPE_PRECISION(type);
}

/* Operations that can be made in vain. */
static bool is_harmless(tree_code code, tree type, tree b)
{
    switch (code) {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case NEGATE_EXPR:
    case POINTER_PLUS_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case BIT_NOT_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR:
    case EQ_EXPR:
    case NE_EXPR:
    CASE_CONVERT:
        return true;
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
        return TREE_CODE(b) == INTEGER_CST && !integer_zerop(b) && !integer_minus_onep(b);
    case LSHIFT_EXPR:
        return is_shift_by_known(code, type, b);
    case RSHIFT_EXPR:
        return TREE_CODE(b) == INTEGER_CST && tree_fits_uhwi_p(b) && tree_to_uhwi(b) < TYPE_PRECISION(type);
    default:
        return false;
    }
}

value reckoner::of_operation(tree_code code, tree type, tree a, tree b)
{
    if (!is_number(type) && TREE_CODE(type) != BOOLEAN_TYPE)
        return unknown();
    const value va = of(a), vb = b ? of(b) : same(NULL_TREE);
    if (!va.is_known() || (b && !vb.is_known()))
        return unknown();
    if (!is_number(TREE_TYPE(a)) && TREE_CODE(TREE_TYPE(a)) != BOOLEAN_TYPE)
        return unknown();
    if (va.same && (!b || vb.same))
        return is_harmless(code, type, b ? vb.same : b) ? of_same(code, type, va.same, vb.same) : unknown();
    if (!is_number(type) || !is_number(TREE_TYPE(a)))
        return unknown();
    if (CONVERT_EXPR_CODE_P(code))
        return of_conversion(type, TREE_TYPE(a), va);
    if (is_shift_by_known(code, type, b))
        return of_product(type, wide_value(va, true),
                          evenly(number_of(HOST_WIDE_INT_1U << tree_to_uhwi(b)), number_of(0)));
    const value wa = wide_value(va, true), wb = b ? wide_value(vb, true) : va;
    const tree_code sum = code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR;
    switch (code) {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case POINTER_PLUS_EXPR:
        return settled(type, with_inner(evenly(emit(fold_build2(sum, uint64_type_node, wa.first, wb.first)),
                                               emit(fold_build2(sum, uint64_type_node, wa.step, wb.step))),
                                        sum, wa, wb));
    case MULT_EXPR:
        return of_product(type, wa, wb);
    case NEGATE_EXPR:
        return of_product(type, wa, evenly(number_of(-1), number_of(0)));
    default:
        return unknown();
    }
}

/* ---- what is in memory ---- */

/* What a reference is a part of: a variable, if it says so in no other way. */
static tree whole_of(tree reference)
{
    while (handled_component_p(reference))
        reference = TREE_OPERAND(reference, 0);
    if (TREE_CODE(reference) == MEM_REF && TREE_CODE(TREE_OPERAND(reference, 0)) == ADDR_EXPR)
        return TREE_OPERAND(TREE_OPERAND(reference, 0), 0);
    return reference;
}

/* The reference with another variable of the same type in the place of its own. */
static tree with_base(tree reference, tree base)
{
    tree copy = unshare_expr(reference), *at = &copy;
    while (handled_component_p(*at))
        at = &TREE_OPERAND(*at, 0);
    if (TREE_CODE(*at) == MEM_REF) /* some bytes of it */
        *at = build2(MEM_REF, TREE_TYPE(*at), build_fold_addr_expr(unshare_expr(base)), TREE_OPERAND(*at, 1));
    else
        *at = unshare_expr(base);
    return copy;
}

/* How a load reads in front of the loop: itself, if nothing in the loop writes there; what its variable is
 * copied from, if that is all that is written to it in the loop, before the load. The loop's calls write to
 * no variable: loops.cpp takes no others. @return NULL: neither */
tree reckoner::moved_out(tree reference, gimple *load)
{
    for (int tries = 0; tries < 4; tries++) {
        const tree base = get_base_address(reference);
        gassign *copy = NULL;
        basic_block *body = get_loop_body(loop);
        bool others = !base || !auto_var_in_fn_p(base, current_function_decl) || TREE_THIS_VOLATILE(base) ||
                      TREE_THIS_VOLATILE(reference);
        for (unsigned i = 0; i < loop->num_nodes && !others; i++)
            for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at) && !others; gsi_next(&at)) {
                gimple *it = gsi_stmt(at);
                if (is_gimple_call(it) || !gimple_vdef(it) || gimple_clobber_p(it) ||
                    !stmt_may_clobber_ref_p(it, reference) ||
                    (is_kept(base) && get_base_address(gimple_get_lhs(it)) != base))
                    continue;
                others = copy || !is_gimple_assign(it) || gimple_assign_lhs(it) != base ||
                         !gimple_assign_single_p(it);
                copy = others ? NULL : as_a<gassign *>(it);
            }
        free(body);
        if (others)
            return NULL_TREE;
        if (!copy)
            return reference;
        const tree from = gimple_assign_rhs1(copy), of = get_base_address(from);
        const bool is_first = gimple_bb(copy) == gimple_bb(load)
                                  ? gimple_uid(copy) < gimple_uid(load)
                                  : dominated_by_p(CDI_DOMINATORS, gimple_bb(load), gimple_bb(copy));
        if (!is_first || whole_of(reference) != base || !of || !DECL_P(of) ||
            !useless_type_conversion_p(TREE_TYPE(base), TREE_TYPE(from)))
            return NULL_TREE;
        reference = with_base(reference, from);
        load = copy;
    }
    return NULL_TREE;
}

/* Only of the function's own variables: what is elsewhere may not be read in vain. */
value reckoner::of_load(gassign *load)
{
    const tree from = gimple_assign_rhs1(load), base = get_base_address(from);
    if (!base || !VAR_P(base) || !auto_var_in_fn_p(base, current_function_decl) ||
        !is_gimple_reg_type(TREE_TYPE(from)) || contains_placeholder_p(from))
        return unknown();
    for (tree part = from; handled_component_p(part); part = TREE_OPERAND(part, 0))
        if (TREE_CODE(part) != COMPONENT_REF || TREE_OPERAND(part, 2))
            return unknown();
    const tree moved = DECL_P(base) ? moved_out(from, load) : NULL_TREE;
    if (!moved)
        return unknown();
    const tree name = make_ssa_name(TREE_TYPE(gimple_assign_lhs(load)));
    gimple_seq_add_stmt_without_update(&statements, gimple_build_assign(name, unshare_expr(moved)));
    loads.safe_push(load);
    return same(name);
}

value reckoner::of_address(tree object)
{
    poly_int64 bits, at;
    tree offset;
    machine_mode mode;
    int is_unsigned, reverse, is_volatile;
    HOST_WIDE_INT bytes;
    tree base = get_inner_reference(object, &bits, &at, &offset, &mode, &is_unsigned, &reverse, &is_volatile);
    if (!at.is_constant(&bytes) || bytes % BITS_PER_UNIT)
        return unknown();
    value sum = TREE_CODE(base) == MEM_REF                   ? of(TREE_OPERAND(base, 0))
                : DECL_P(base) && !DECL_THREAD_LOCAL_P(base) ? same(build_fold_addr_expr(base))
                                                             : unknown();
    const value rest = offset ? of(offset) : same(size_zero_node);
    if (!sum.is_known() || !rest.is_known())
        return unknown();
    bytes /= BITS_PER_UNIT;
    if (TREE_CODE(base) == MEM_REF)
        bytes += tree_to_shwi(fold_convert(ssizetype, TREE_OPERAND(base, 1)));
    const value a = wide_value(sum, false), b = wide_value(rest, false);
    const tree first = emit(fold_build2(PLUS_EXPR, uint64_type_node, a.first, b.first));
    return with_inner(evenly(emit(fold_build2(PLUS_EXPR, uint64_type_node, first, number_of(bytes))),
                             emit(fold_build2(PLUS_EXPR, uint64_type_node, a.step, b.step))),
                      PLUS_EXPR, a, b);
}

/* ---- operands ---- */

/* What each pass of a loop adds to a variable, if that is the same in all. */
static tree added_to(gphi *phi, class loop *l)
{
    const tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(l));
    gassign *adds = TREE_CODE(next) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next)) : NULL;
    if (!adds || !flow_bb_inside_loop_p(l, gimple_bb(adds)) ||
        (gimple_assign_rhs_code(adds) != PLUS_EXPR && gimple_assign_rhs_code(adds) != POINTER_PLUS_EXPR))
        return NULL_TREE;
    if (gimple_assign_rhs1(adds) == gimple_phi_result(phi))
        return gimple_assign_rhs2(adds);
    return gimple_assign_rhs2(adds) == gimple_phi_result(phi) ? gimple_assign_rhs1(adds) : NULL_TREE;
}

/* A variable that each pass adds the same to. */
value reckoner::of_phi(gphi *phi)
{
    const inner_loop *in = gimple_bb(phi) == loop->header ? NULL : inside(gimple_bb(phi));
    class loop *l = in ? in->it : loop;
    if (gimple_bb(phi) != l->header || !is_number(TREE_TYPE(gimple_phi_result(phi))) || !last_pass)
        return unknown();
    const tree type = TREE_TYPE(gimple_phi_result(phi)), adds = added_to(phi, l),
               start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(l));
    const value by = adds ? of(adds) : unknown(), from = of(start);
    if (!by.same || !from.is_known() || from.inner)
        return unknown();
    const tree step = wide_value(by, true).first;
    const value first = wide_value(from, false);
    return settled(type, in ? evenly(first.first, first.step, in, step) : evenly(first.first, step));
}

value reckoner::of_name(tree name)
{
    if (value *it = known.get(name))
        return *it;
    known.put(name, unknown()); /* of one that depends on itself */
    gimple *definition = SSA_NAME_DEF_STMT(name);
    value v = unknown();
    gcall *call = dyn_cast<gcall *>(definition);
    if (call && is_thread_alone(call)) /* at most that: the answer says */
        v = of(gimple_call_arg(call, 1));
    else if (gphi *phi = dyn_cast<gphi *>(definition))
        v = of_phi(phi);
    else if (gassign *assign = dyn_cast<gassign *>(definition)) {
        const tree_code code = gimple_assign_rhs_code(assign);
        if (gimple_assign_load_p(assign))
            v = of_load(assign);
        else if (gimple_assign_single_p(assign))
            v = of(gimple_assign_rhs1(assign));
        else if (gimple_num_ops(assign) <= 3)
            v = of_operation(code, TREE_TYPE(name), gimple_assign_rhs1(assign), gimple_assign_rhs2(assign));
    }
    known.put(name, v);
    return v;
}

value reckoner::of(tree t)
{
    if (TREE_CODE(t) == SSA_NAME) {
        if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t))
            return unknown();
        return is_inside(t) ? of_name(t) : same(t);
    }
    if (CONSTANT_CLASS_P(t))
        return same(t);
    if (TREE_CODE(t) == ADDR_EXPR)
        return is_gimple_min_invariant(t) ? same(t) : of_address(TREE_OPERAND(t, 0));
    if (UNARY_CLASS_P(t))
        return of_operation(TREE_CODE(t), TREE_TYPE(t), TREE_OPERAND(t, 0), NULL_TREE);
    if (BINARY_CLASS_P(t) || COMPARISON_CLASS_P(t))
        return of_operation(TREE_CODE(t), TREE_TYPE(t), TREE_OPERAND(t, 0), TREE_OPERAND(t, 1));
    return unknown();
}

} // namespace rows
