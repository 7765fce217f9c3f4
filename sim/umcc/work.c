/**
 * @file work.c
 * @brief Implementation of segments.h: what an instruction is on a GPU.
 *
 * Both compile the same source, so the operations that a program asks for are in both texts. What differs:
 *
 * - A GPU adds to a product in one instruction, and folds constant distances into addresses. Numbers of 64
 *   bits are made of two of 32.
 * - It has registers for everything that g++ keeps on the stack, and none of g++'s moves.
 * - Loops whose end can be reckoned are unrolled, by 4, and small ones by 16: of what ends a pass little is
 *   left.
 * - Division, roots and functions are made of several instructions. Their figures are from an H200's times of
 *   tests/cost (arithmetic.cu), less the step that is around them there. Those of functions that are not
 * there are estimates.
 *
 * Accesses to memory are not here: they are counted where they are made (sim/count/hooks.c).
 */
#include "segments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ONE UMSIM_WORK_ONE
/* Until a result is there, clocks. */
#define CLOCKS 4
#define DOUBLE_CLOCKS 8

/* What is done by these instructions of a GPU's, and after how many clocks its result is there. */
struct cost {
    struct {
        uint8_t class;
        uint16_t instructions;
    } part[3];
    unsigned clocks;
};

#define SINGLE UMSIM_WORK_SINGLE
#define DOUBLE UMSIM_WORK_DOUBLE
#define SPECIAL UMSIM_WORK_SPECIAL
#define CONVERT UMSIM_WORK_CONVERT
#define LOGIC UMSIM_WORK_LOGIC
#define ADD UMSIM_WORK_ADD
#define MULTIPLY UMSIM_WORK_MULTIPLY
#define OTHER UMSIM_WORK_OTHER
#define DIVIDE UMSIM_WORK_DIVIDE

static const struct cost operations[] = {
    [UMCC_DIVIDE_SINGLE] = {{{SINGLE, 9}, {SPECIAL, 1}, {OTHER, 7}}, 60},
    [UMCC_DIVIDE_DOUBLE] = {{{DOUBLE, 10}, {SPECIAL, 1}, {OTHER, 8}}, 120},
    [UMCC_ROOT_SINGLE] = {{{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 5}}, 50},
    [UMCC_ROOT_DOUBLE] = {{{DOUBLE, 9}, {SPECIAL, 1}, {OTHER, 8}}, 110},
    [UMCC_LESSER_SINGLE] = {{{LOGIC, 1}}, 4},
    [UMCC_LESSER_DOUBLE] = {{{LOGIC, 3}}, 12},
    [UMCC_COMPARE_SINGLE] = {{{LOGIC, 1}}, 0},
    [UMCC_COMPARE_DOUBLE] = {{{DOUBLE, 1}}, 0},
    [UMCC_FUSED_SINGLE] = {{{SINGLE, 1}}, CLOCKS},
    [UMCC_FUSED_DOUBLE] = {{{DOUBLE, 1}}, DOUBLE_CLOCKS},
    [UMCC_SINGLE_FROM_INT] = {{{LOGIC, 1}}, 4},
    [UMCC_CONVERT] = {{{CONVERT, 1}}, 20},
    [UMCC_DIVIDE_INT] = {{{MULTIPLY, 3}, {SPECIAL, 1}, {OTHER, 10}}, 80},
    [UMCC_DIVIDE_UNSIGNED] = {{{MULTIPLY, 3}, {SPECIAL, 1}, {OTHER, 8}}, 70},
    [UMCC_DIVIDE_LONG] = {{{MULTIPLY, 30}, {SPECIAL, 2}, {OTHER, 75}}, 400},
    [UMCC_DIVIDE_UNSIGNED_LONG] = {{{MULTIPLY, 30}, {SPECIAL, 2}, {OTHER, 65}}, 400},
    [UMCC_BITS_OF_INT] = {{{SPECIAL, 1}}, 20},
    [UMCC_BITS_OF_LONG] = {{{SPECIAL, 2}}, 24}};

/* Functions that are called: C's, and those of the library's headers, whose names end where types begin. */
static const struct {
    const char *name;
    struct cost cost;
} functions[] = {{"sinf", {{{SINGLE, 12}, {ADD, 6}, {OTHER, 10}}, 100}},
                 {"cosf", {{{SINGLE, 12}, {ADD, 6}, {OTHER, 10}}, 100}},
                 {"tanf", {{{SINGLE, 16}, {ADD, 6}, {SPECIAL, 1}}, 130}},
                 {"expf", {{{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 2}}, 40}},
                 {"exp2f", {{{SINGLE, 3}, {SPECIAL, 1}, {OTHER, 1}}, 30}},
                 {"exp10f", {{{SINGLE, 7}, {SPECIAL, 1}, {OTHER, 2}}, 44}},
                 {"logf", {{{SINGLE, 14}, {CONVERT, 1}, {OTHER, 5}}, 80}},
                 {"log2f", {{{SINGLE, 3}, {SPECIAL, 1}, {OTHER, 2}}, 40}},
                 {"log10f", {{{SINGLE, 15}, {CONVERT, 1}, {OTHER, 5}}, 84}},
                 {"powf", {{{SINGLE, 32}, {SPECIAL, 2}, {OTHER, 22}}, 200}},
                 {"tanhf", {{{SINGLE, 9}, {SPECIAL, 2}, {OTHER, 5}}, 90}},
                 {"sin", {{{DOUBLE, 18}, {MULTIPLY, 4}, {OTHER, 12}}, 250}},
                 {"cos", {{{DOUBLE, 18}, {MULTIPLY, 4}, {OTHER, 12}}, 250}},
                 {"exp", {{{DOUBLE, 16}, {ADD, 4}, {OTHER, 4}}, 170}},
                 {"log", {{{DOUBLE, 21}, {ADD, 8}, {OTHER, 8}}, 230}},
                 {"pow", {{{DOUBLE, 75}, {ADD, 20}, {OTHER, 25}}, 700}},
                 {"fmaf", {{{SINGLE, 1}}, CLOCKS}},
                 {"fma", {{{DOUBLE, 1}}, DOUBLE_CLOCKS}},
                 {"fminf", {{{LOGIC, 1}}, CLOCKS}},
                 {"fmaxf", {{{LOGIC, 1}}, CLOCKS}},
                 {"__popcountdi2", {{{SPECIAL, 1}}, 20}},
                 {"rsqrtf", {{{SINGLE, 2}, {SPECIAL, 1}}, 40}},
                 {"rsqrt", {{{DOUBLE, 7}, {SPECIAL, 1}, {OTHER, 4}}, 100}},
                 {"__frsqrt_rn", {{{SINGLE, 8}, {SPECIAL, 1}, {OTHER, 4}}, 60}},
                 {"__frcp_rn", {{{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 4}}, 50}},
                 {"__sinf", {{{SINGLE, 1}, {SPECIAL, 1}}, 24}},
                 {"__cosf", {{{SINGLE, 1}, {SPECIAL, 1}}, 24}},
                 {"__tanf", {{{SINGLE, 2}, {SPECIAL, 3}}, 60}},
                 {"__expf", {{{SINGLE, 3}, {SPECIAL, 1}}, 30}},
                 {"__exp10f", {{{SINGLE, 3}, {SPECIAL, 1}}, 30}},
                 {"__logf", {{{SINGLE, 3}, {SPECIAL, 1}}, 30}},
                 {"__log2f", {{{SINGLE, 2}, {SPECIAL, 1}}, 28}},
                 {"__log10f", {{{SINGLE, 3}, {SPECIAL, 1}}, 30}},
                 {"__powf", {{{SINGLE, 4}, {SPECIAL, 2}}, 56}},
                 {"fdividef", {{{SINGLE, 3}, {SPECIAL, 1}}, 36}},
                 {"__fdividef", {{{SINGLE, 3}, {SPECIAL, 1}}, 36}},
                 {"_ZN5umsim7defined8saturate", {{{CONVERT, 1}}, 20}},
                 {NULL, {{{0, 0}}, 0}}};
/* Numbers of 16 bits, one or two at a time: what begins with __h, and what begins so. */
static const char *const conversions[] = {"__float2",      "__float22", "__floats2", "__half2float",
                                          "__half22float", "__low2",    "__high2",   "__lows2",
                                          "__bfloat",      NULL};
static const struct cost conversion = {{{CONVERT, 1}}, 20}, halves = {{{SINGLE, 1}}, CLOCKS};

static bool starts(const char *p, const char *end, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(end - p) >= length && memcmp(p, name, length) == 0;
}

static bool starts_any(const char *p, const char *end, const char *const *names)
{
    while (*names && !starts(p, end, *names))
        names++;
    return *names;
}

static const struct cost *function_of(const struct umcc_instruction *it)
{
    const char *p = it->operand[0].text, *end = p + it->operand[0].length;
    const bool is_mangled = starts(p, end, "_Z") && isdigit((unsigned char)p[2]);
    const size_t digits = is_mangled ? strspn(p + 2, "0123456789") : 0;
    const char *name = is_mangled ? p + 2 + digits : p;
    const size_t named = is_mangled ? strtoul(p + 2, NULL, 10) : 0;
    if (is_mangled && starts_any(name, end, conversions))
        return &conversion;
    if (is_mangled && starts(name, end, "__h"))
        return &halves;
    for (size_t i = 0; functions[i].name; i++) {
        const char *theirs = functions[i].name;
        const size_t length = strlen(theirs);
        if (starts(name, end, theirs) &&
            (is_mangled ? named == length : name + length == end || name[length] == '@' || *theirs == '_'))
            return &functions[i].cost;
    }
    return NULL;
}

bool umcc_is_step(const struct umcc_instruction *it)
{
    const char *p = it->operand[0].text, *end = p + it->operand[0].length;
    static const char *const apart[] = {"_ZN5umsim7shuffleI", "_ZN5umsim9from_laneI", "_ZN6nvcuda", NULL};
    static const char *const of_16_bits[] = {"half", "binary16", "bfloat", NULL};
    const char *in = starts(p, end, "_ZN5umsim") ? p + strlen("_ZN5umsim") : end;
    in += in < end ? strspn(in, "0123456789") : 0;
    if (starts_any(p, end, apart) || starts_any(in, end, of_16_bits))
        return true;
    return function_of(it);
}

static void add_cost(const struct cost *cost, unsigned *work)
{
    for (int i = 0; i < 3; i++)
        work[cost->part[i].class] += cost->part[i].instructions * ONE;
}

/* Sums and products of floating-point numbers. */
static void weigh_sum(const struct umcc_instruction *it, struct umcc_values *values, unsigned *work)
{
    const bool is_free = it->does == UMCC_SUM && umcc_adds_to_product(values, it);
    work[it->is_wide ? DOUBLE : SINGLE] += is_free ? 0 : ONE;
    umcc_make_value(
        values, it,
        (struct umcc_making){it->is_wide ? DOUBLE_CLOCKS : CLOCKS, it->does == UMCC_PRODUCT, is_free});
}

static void weigh_whole(const struct umcc_instruction *it, struct umcc_values *values,
                        struct umcc_place_of_work place, unsigned *work)
{
    const bool is_free = it->class == ADD && !it->is_wide && umcc_adds_to_product(values, it);
    const bool is_step = place.ends_loop && (it->compares || (it->class == ADD && it->has_constant));
    const unsigned all = it->is_known || is_free || (it->compares && place.is_guard)
                             ? 0
                             : ONE * it->parts / (is_step ? place.unrolled : 1);
    work[it->class] += all;
    if (!it->compares)
        umcc_make_value(
            values, it,
            (struct umcc_making){(is_step || !all) && !is_free ? 0 : CLOCKS, it->is_product, is_free});
}

static void weigh_address(const struct umcc_instruction *it, struct umcc_values *values, unsigned *work)
{
    if (!it->is_distance && !it->is_known)
        work[it->is_wide ? MULTIPLY : ADD] += ONE;
    umcc_make_value(values, it, (struct umcc_making){it->is_distance ? 0 : CLOCKS, false, false});
}

/* A comparison that is part of the jump comes first. */
static void weigh_jump(const struct umcc_instruction *it, struct umcc_values *values,
                       struct umcc_place_of_work place, unsigned *work)
{
    if (!umcc_jump_target(it).length)
        return;
    if (it->compares)
        weigh_whole(it, values, place, work);
    work[OTHER] += it->never_goes_on || place.is_guard ? 0 : place.ends_loop ? ONE / place.unrolled : ONE;
}

/* What is made of the first of these results, and is in all of them.
 * @param cost NULL: they are there at once */
static void make_results(struct umcc_values *values, const struct umcc_instruction *it,
                         const struct cost *cost)
{
    const struct umcc_value *first = umcc_value_of(values, it->result[0]);
    const struct umcc_value before = first && cost ? *first : (struct umcc_value){0};
    for (int i = 0; i < 2 && it->result[i]; i++) {
        struct umcc_value *result = umcc_value_of(values, it->result[i]);
        if (result)
            *result = (struct umcc_value){.name = result->name,
                                          .is_made = true,
                                          .from = before.from,
                                          .clocks = before.clocks + (cost ? cost->clocks : 0),
                                          .depth = before.depth + (cost ? cost->clocks : 0)};
    }
}

static bool is_access(struct umcc_operand callee)
{
    static const char *const hooks[] = {"__tsan_read", "__tsan_write", "__asan_load", "__asan_store"};
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (callee.length > strlen(hooks[i]) && memcmp(callee.text, hooks[i], strlen(hooks[i])) == 0)
            return true;
    return false;
}

static void weigh_call(const struct umcc_instruction *it, struct umcc_values *values,
                       struct umcc_place_of_work place, unsigned *work)
{
    const struct cost *cost = function_of(it);
    if (cost)
        add_cost(cost, work);
    if (cost || (it->operands && !memchr(it->operand[0].text, '_', 2))) {
        make_results(values, it, cost);
    } else if (place.is_in_loop && it->operands && is_access(it->operand[0])) {
        work[MULTIPLY] += ONE;
        work[LOGIC] += ONE;
    }
}

static void weigh_operation(const struct umcc_instruction *it, struct umcc_values *values, unsigned *work)
{
    const struct cost *cost = &operations[it->operation];
    const bool divides = it->operation == UMCC_DIVIDE_SINGLE || it->operation == UMCC_DIVIDE_DOUBLE ||
                         (it->operation >= UMCC_DIVIDE_INT && it->operation <= UMCC_DIVIDE_UNSIGNED_LONG);
    add_cost(cost, work);
    work[DIVIDE] += divides ? ONE : 0;
    if (it->result[0])
        make_results(values, it, cost);
    else
        umcc_make_value(values, it, (struct umcc_making){cost->clocks, false, false});
}

void umcc_weigh(const struct umcc_instruction *it, struct umcc_values *values,
                struct umcc_place_of_work place, unsigned work[UMSIM_WORK_CLASSES])
{
    const struct umcc_value *moved;
    work[OTHER] += it->is_chained && !place.is_guard ? ONE : 0; /* the jump between two comparisons */
    switch (it->does) {
    case UMCC_NOTHING:
        make_results(values, it, NULL);
        break;
    case UMCC_CALL:
        weigh_call(it, values, place, work);
        break;
    case UMCC_JUMP:
        weigh_jump(it, values, place, work);
        break;
    case UMCC_MOVE:
        moved = umcc_value_of(values, values->machine->name_of(it->operand[0]));
        umcc_make_value(values, it, (struct umcc_making){0, moved && moved->is_product, false});
        break;
    case UMCC_CHOICE:
        work[LOGIC] += ONE;
        umcc_make_value(values, it, (struct umcc_making){CLOCKS, false, false});
        break;
    case UMCC_SUM:
    case UMCC_PRODUCT:
        weigh_sum(it, values, work);
        break;
    case UMCC_ADDRESS:
        weigh_address(it, values, work);
        break;
    case UMCC_WHOLE:
        weigh_whole(it, values, place, work);
        break;
    case UMCC_OPERATION:
        weigh_operation(it, values, work);
        break;
    }
}
