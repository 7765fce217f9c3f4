/**
 * @file ptx_matrices.c
 * @brief Turns PTX's matrix instructions, mma.sync and ldmatrix, into calls of
 * sim/include/umsim/ptx_products.h.
 *
 * Which registers an mma has follows from its shape and types; the layout is that of umsim/products.h.
 */
#include "ptx.h"

#include <string.h>

enum { REGISTERS_MAX = 4 };

/** What an mma multiplies, and which number of umsim/products.h that is. */
struct number {
    const char *ptx, *name;
    int bytes;
};
static const struct number factors[] = {
    {"f16", "::UMSIM_BINARY16", 2},   {"bf16", "::UMSIM_BFLOAT16", 2},    {"tf32", "::UMSIM_TF32", 4},
    {"s8", "::UMSIM_SIGNED_CHAR", 1}, {"u8", "::UMSIM_UNSIGNED_CHAR", 1}, {"f64", "::UMSIM_DOUBLE", 8},
};
static const struct number sums[] = {{"f32", "::UMSIM_FLOAT", 4},
                                     {"f16", "::UMSIM_BINARY16", 2},
                                     {"s32", "::UMSIM_INT", 4},
                                     {"f64", "::UMSIM_DOUBLE", 8}};

/** A shape, the type of its factors, and those that its sums may have. */
static const struct shape {
    const char *ptx;
    int m, n, k;
    const char *factors, *sums;
} shapes[] = {
    {"m16n8k8", 16, 8, 8, "f16", "f32 f16"}, {"m16n8k16", 16, 8, 16, "f16", "f32 f16"},
    {"m16n8k8", 16, 8, 8, "bf16", "f32"},    {"m16n8k16", 16, 8, 16, "bf16", "f32"},
    {"m16n8k4", 16, 8, 4, "tf32", "f32"},    {"m16n8k8", 16, 8, 8, "tf32", "f32"},
    {"m16n8k16", 16, 8, 16, "s8", "s32"},    {"m16n8k32", 16, 8, 32, "s8", "s32"},
    {"m16n8k16", 16, 8, 16, "u8", "s32"},    {"m16n8k32", 16, 8, 32, "u8", "s32"},
    {"m8n8k4", 8, 8, 4, "f64", "f64"},
};

static const struct number *number_of(const struct number *table, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].ptx, word) == 0)
            return &table[i];
    return NULL;
}

static const struct shape *shape_of(const char *shape, const char *factor, const char *sum)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].ptx, shape) == 0 && strcmp(shapes[i].factors, factor) == 0 &&
            strstr(shapes[i].sums, sum))
            return &shapes[i];
    return NULL;
}

/* The registers of the vector `text`, or of one register: `count` of them. @return whether it has so many */
static bool registers_of(struct umcc_ptx *ptx, const char *text, int count, const char **names)
{
    if (*text != '{') {
        names[0] = text;
        return count == 1;
    }
    return umcc_ptx_cut(ptx->arena, umcc_ptx_trimmed(ptx->arena, text + 1, text + strlen(text) - 1), ',',
                        names, REGISTERS_MAX) == count;
}

/* Adds `const type um_a[] = {...};` with the values of `count` registers. */
static bool add_input(struct umcc_ptx *ptx, const char *array, const char *type, const char *text, int count)
{
    const char *names[REGISTERS_MAX];
    if (count > REGISTERS_MAX || !registers_of(ptx, text, count, names))
        return false;
    umcc_text_printf(&ptx->cpp, "const %s %s[] = {", type, array);
    for (int i = 0; i < count; i++) {
        const char *value = umcc_ptx_typed(ptx, names[i], type);
        if (!value)
            return false;
        umcc_text_printf(&ptx->cpp, "%s%s", i == 0 ? "" : ", ", value);
    }
    umcc_text_printf(&ptx->cpp, "}; ");
    return true;
}

static bool add_output(struct umcc_ptx *ptx, const char *array, const char *text, int count)
{
    const char *names[REGISTERS_MAX];
    if (count > REGISTERS_MAX || !registers_of(ptx, text, count, names))
        return false;
    for (int i = 0; i < count; i++) {
        const char *value = umcc_ptx_value(ptx, names[i]);
        if (!value)
            return false;
        umcc_text_printf(&ptx->cpp, UMCC_PTX "put(%s, %s[%d]); ", value, array, i);
    }
    return true;
}

/* mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C d, a, b, c */
static bool multiply(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    const bool saturates = in->count == 11 && strcmp(in->words[6], "satfinite") == 0;
    if ((in->count != 10 && !saturates) || in->parts != 4 || strcmp(in->words[1], "sync") != 0 ||
        strcmp(in->words[2], "aligned") != 0 || strcmp(in->words[4], "row") != 0 ||
        strcmp(in->words[5], "col") != 0)
        return false;
    const char *const *types = &in->words[in->count - 4]; /* of d, a, b and c */
    const struct shape *shape =
        strcmp(types[1], types[2]) == 0 ? shape_of(in->words[3], types[1], types[0]) : NULL;
    const struct number *factor = number_of(factors, sizeof factors / sizeof *factors, types[1]),
                        *sum = number_of(sums, sizeof sums / sizeof *sums, types[0]);
    if (!shape || !factor || !sum || strcmp(types[0], types[3]) != 0)
        return false;
    const int word = factor->bytes == 8 ? 8 : 4; /* bytes of a register */
    const char *type = word == 8 ? "unsigned long long" : "unsigned";
    const int results = shape->m * shape->n * sum->bytes / word / 32;
    umcc_text_printf(&ptx->cpp, "{ ");
    if (!add_input(ptx, "um_a", type, in->operands[1], shape->m * shape->k * factor->bytes / word / 32) ||
        !add_input(ptx, "um_b", type, in->operands[2], shape->k * shape->n * factor->bytes / word / 32) ||
        !add_input(ptx, "um_c", type, in->operands[3], results))
        return false;
    umcc_text_printf(&ptx->cpp,
                     "%s um_d[%d]; " UMCC_PTX
                     "mma(::umsim_product{%d, %d, %d, %s, %s, %s, 0, 1, %d, %d}, um_a, um_b, "
                     "um_c, um_d); ",
                     type, results, shape->m, shape->n, shape->k, factor->name, sum->name, sum->name,
                     saturates, word != 8);
    if (!add_output(ptx, "um_d", in->operands[0], results))
        return false;
    umcc_text_printf(&ptx->cpp, "} ");
    return true;
}

/* ldmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16 r, [p] */
static bool load(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    static const char *const known[] = {"sync",  "aligned", "m8n8",        "x1",  "x2", "x4",
                                        "trans", "shared",  "shared::cta", "b16", NULL};
    int count = 0;
    bool turned = false;
    for (int w = 1; w < in->count; w++) {
        int k = 0;
        while (known[k] && strcmp(known[k], in->words[w]) != 0)
            k++;
        if (!known[k])
            return false;
        turned |= strcmp(known[k], "trans") == 0;
        if (known[k][0] == 'x')
            count = known[k][1] - '0';
    }
    const char *at = in->parts == 2 ? umcc_ptx_address(ptx, in->operands[1]) : NULL;
    if (!at || count == 0)
        return false;
    umcc_text_printf(&ptx->cpp, "{ unsigned um_d[%d]; " UMCC_PTX "ldmatrix<%d, %s>(um_d, %s); ", count, count,
                     turned ? "true" : "false", at);
    if (!add_output(ptx, "um_d", in->operands[0], count))
        return false;
    umcc_text_printf(&ptx->cpp, "} ");
    return true;
}

bool umcc_ptx_matrices(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    ptx->has_barrier = true;
    ptx->needs_thread_index = true;
    return strcmp(in->words[0], "mma") == 0 ? multiply(ptx, in) : load(ptx, in);
}
