/**
 * @file ptx_code.c
 * @brief Turns PTX's instructions into calls of sim/include/umsim/ptx.h.
 *
 * For example, `add.s32 %0, %1, 4;` becomes
 *
 *     ::umsim::ptx::put(um_0, ::umsim::ptx::add<int>(::umsim::ptx::as<int>(um_1), ::umsim::ptx::as<int>(4)));
 *
 * An instruction is a name, words joined by dots (one of them a type), and operands. An instruction that no
 * table row lists is not provided; the message gives its whole name.
 */
#include "ptx.h"

#include <ctype.h>
#include <string.h>

static bool has(const struct umcc_ptx_instruction *in, const char *word)
{
    for (int w = 1; w < in->count; w++)
        if (strcmp(in->words[w], word) == 0)
            return true;
    return false;
}

/** A row of the table: the function for an instruction, and the kinds of its operands. */
struct row {
    const char *ptx;    /* the words that choose the row */
    const char *others; /* words that it may have besides its type */
    const char *cpp;    /* the function */
    const char
        *kinds; /* the operands' types: T the instruction's, W twice as wide, u unsigned, p predicate */
};

#define ROUNDED "rn ftz approx full"
static const struct row rows[] = {
#include "ptx_rows.def"
};

/* @return whether `word` is among the words of `list` */
static bool is_among(const char *word, const char *list)
{
    const size_t length = strlen(word);
    if (length == 0) /* as in `add..s32` */
        return false;
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* @return whether the row matches the instruction: all of the row's words occur in it, and no others but
 * those that are allowed */
static bool is_row(const struct umcc_ptx_instruction *in, const struct row *row)
{
    int wanted = 0;
    for (const char *c = row->ptx; *c != '\0'; c++)
        wanted += *c == ' ';
    if (!is_among(in->words[0], row->ptx) || strncmp(row->ptx, in->words[0], strlen(in->words[0])) != 0)
        return false;
    for (int w = 1; w < in->count; w++) {
        if (is_among(in->words[w], row->ptx))
            wanted--;
        else if (umcc_ptx_type_of(in->words[w]) < 0 && !is_among(in->words[w], row->others))
            return false;
    }
    return wanted == 0;
}

static bool say(struct umcc_ptx *ptx, const char *text)
{
    umcc_text_printf(&ptx->cpp, "%s", text);
    return true;
}

static bool by_row(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, const struct row *row)
{
    const char *type = umcc_ptx_cpp_type(in, strcmp(row->ptx, "dp4a") == 0 ? 1 : 0);
    const char *to = in->parts < 1 ? NULL : umcc_ptx_value(ptx, in->operands[0]);
    if (!type || !to || in->parts != 1 + (int)strlen(row->kinds))
        return false;
    char *call = umcc_format(ptx->arena, UMCC_PTX "%s<%s>(", row->cpp, type);
    for (int k = 0; row->kinds[k] != '\0'; k++) {
        const char *wide = umcc_format(ptx->arena, UMCC_PTX "twice_of<%s>", type);
        const char kind = row->kinds[k];
        const char *v = umcc_ptx_typed(ptx, in->operands[k + 1],
                                       kind == 'T'   ? type
                                       : kind == 'W' ? wide
                                       : kind == 'u' ? "unsigned"
                                                     : "bool");
        if (!v)
            return false;
        call = umcc_format(ptx->arena, "%s%s%s", call, k == 0 ? "" : ", ", v);
    }
    ptx->has_barrier |= strcmp(in->words[0], "shfl") == 0;
    return say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, %s)); ", to, call));
}

/* mov.b64 %0, {%1, %2} and mov.b64 {%0, %1}, %2: parts of a register, lowest first. */
static bool pack(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    const bool into = in->parts == 2 && in->operands[1][0] == '{';
    const char *vector = in->operands[into ? 1 : 0], *other = umcc_ptx_value(ptx, in->operands[into ? 0 : 1]);
    const char *names[4];
    const int count = umcc_ptx_cut(
        ptx->arena, umcc_ptx_trimmed(ptx->arena, vector + 1, vector + strlen(vector) - 1), ',', names, 4);
    const int t = umcc_ptx_type_of(in->words[in->count - 1]);
    if (in->parts != 2 || !other || t < 0 || (count != 2 && count != 4) || umcc_ptx_types[t].bytes < count)
        return false;
    const int bits = 8 * umcc_ptx_types[t].bytes / count;
    const char *part = bits == 32   ? "unsigned"
                       : bits == 16 ? "uint16_t"
                                    : "uint8_t",
               *whole = umcc_ptx_types[t].cpp, *sum = "";
    for (int k = 0; k < count; k++) {
        const char *v = umcc_ptx_value(ptx, names[k]);
        if (!v)
            return false;
        if (into)
            sum = umcc_format(ptx->arena, "%s%s(%s)" UMCC_PTX "as<%s>(%s) << %d", sum, k == 0 ? "" : " | ",
                              whole, part, v, k * bits);
        else
            say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, (%s)(" UMCC_PTX "as<%s>(%s) >> %d)); ", v,
                                 part, whole, other, k * bits));
    }
    return !into || say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, (%s)(%s)); ", other, whole, sum));
}

/* setp.lt.and.s32 p|q, a, b, c and set.lt.u32.s32 d, a, b */
static bool compare(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, bool predicate)
{
    static const char comparisons[] = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan lo ls hi hs";
    static const char *const unsigned_names[][2] = {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
    const char *type = umcc_ptx_cpp_type(in, 0), *to_type = predicate ? "bool" : umcc_ptx_cpp_type(in, 1),
               *targets[2];
    const char *join = has(in, "and")   ? "&&"
                       : has(in, "or")  ? "||"
                       : has(in, "xor") ? "!="
                                        : NULL,
               *name = in->words[1];
    const int wanted = !join ? 3 : 4;
    if (in->count < 3 || !type || !to_type || in->parts != wanted || !is_among(name, comparisons))
        return false;
    for (int u = 0; u < 4; u++)
        if (strcmp(name, unsigned_names[u][0]) == 0)
            name = unsigned_names[u][1];
    const int count = umcc_ptx_cut(ptx->arena, in->operands[0], '|', targets, 2);
    const char *a = umcc_ptx_typed(ptx, in->operands[1], type),
               *b = umcc_ptx_typed(ptx, in->operands[2], type);
    const char *c = !join ? "" : umcc_ptx_typed(ptx, in->operands[3], "bool");
    if (count < 1 || !a || !b || !c)
        return false;
    for (int t = 0; t < count; t++) {
        const char *to = umcc_ptx_value(ptx, targets[t]);
        if (!to)
            return false;
        const char *test = umcc_format(ptx->arena, "(%s" UMCC_PTX "%s<%s>(%s, %s)%s%s)", t == 0 ? "" : "!",
                                       name, type, a, b, !join ? "" : join, c);
        const char *yes = predicate ? "true" : strcmp(to_type, "float") == 0 ? "1.0f" : "~0u";
        say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, %s ? (%s)%s : (%s)0); ", to, test, to_type, yes,
                             to_type));
    }
    return true;
}

/* cvt.rn.f32.s32: first the result's type, then the source's. */
static bool convert(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    const char *to = umcc_ptx_cpp_type(in, 1), *from = umcc_ptx_cpp_type(in, 0), *form = "cvt";
    for (int w = 1; w < in->count; w++) {
        const char *word = in->words[w];
        if (is_among(word, "rni rzi rmi rpi sat"))
            form = umcc_format(ptx->arena, "cvt_%s", word);
        else if (umcc_ptx_type_of(word) < 0 && !is_among(word, "rn ftz"))
            return false;
    }
    const char *d = in->parts != 2 ? NULL : umcc_ptx_value(ptx, in->operands[0]),
               *a = !d || !from ? NULL : umcc_ptx_typed(ptx, in->operands[1], from);
    if (!to || !a)
        return false;
    return say(
        ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, " UMCC_PTX "%s<%s, %s>(%s)); ", d, form, to, from, a));
}

/* ld and st: cache operators do not change what they do. */
static bool load_or_store(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, bool store)
{
    const char *type = umcc_ptx_cpp_type(in, 0), *form = store ? "st" : "ld", *names[4];
    for (int w = 1; w < in->count; w++) {
        const char *word = in->words[w];
        if (is_among(word, "volatile relaxed mmio"))
            form = store ? "st_volatile" : "ld_volatile";
        else if (is_among(word, "acquire release"))
            form = store ? "st_release" : "ld_acquire";
        else if (umcc_ptx_type_of(word) < 0 && strncmp(word, "L1::", 4) != 0 &&
                 strncmp(word, "L2::", 4) != 0 &&
                 !is_among(
                     word,
                     "weak cta cluster gpu sys global shared local const ca cg cs lu cv nc wb wt v2 v4"))
            return false;
    }
    const char *at = in->parts != 2 ? NULL : umcc_ptx_address(ptx, in->operands[store ? 0 : 1]);
    const char *vector = !at ? "" : in->operands[store ? 1 : 0];
    const int wanted = has(in, "v4") ? 4 : has(in, "v2") ? 2 : 1;
    const bool braces = *vector == '{';
    const int count =
        braces
            ? umcc_ptx_cut(ptx->arena, umcc_ptx_trimmed(ptx->arena, vector + 1, vector + strlen(vector) - 1),
                           ',', names, 4)
            : 1;
    if (!at || !type || count != wanted)
        return false;
    for (int k = 0; k < count; k++) {
        const char *v = umcc_ptx_value(ptx, braces ? names[k] : vector);
        if (!v)
            return false;
        say(ptx, store ? umcc_format(ptx->arena, UMCC_PTX "%s<%s>(%s, %d, " UMCC_PTX "as<%s>(%s)); ", form,
                                     type, at, k, type, v)
                       : umcc_format(ptx->arena, UMCC_PTX "put(%s, " UMCC_PTX "%s<%s>(%s, %d)); ", v, form,
                                     type, at, k));
    }
    return true;
}

/* atom.global.add.u32 d, [a], b and red, which has no d */
static bool change_atomically(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, bool reduction)
{
    const char *type = umcc_ptx_cpp_type(in, 0), *what = NULL;
    /* The atomic functions order nothing: --check asks for the fence that PTX has in the instruction. */
    const bool releases = has(in, "release") || has(in, "acq_rel"),
               acquires = has(in, "acquire") || has(in, "acq_rel");
    for (int w = 1; w < in->count; w++) {
        const char *word = in->words[w];
        if (is_among(word, "add exch min max and or xor inc dec cas"))
            what = word;
        else if (umcc_ptx_type_of(word) < 0 &&
                 !is_among(word, "relaxed acquire release acq_rel global shared cta cluster gpu sys"))
            return false;
    }
    const int first = reduction ? 0 : 1, values = what && strcmp(what, "cas") == 0 ? 2 : 1;
    const char *at = in->parts != first + 1 + values ? NULL : umcc_ptx_address(ptx, in->operands[first]);
    if (!type || !what || !at)
        return false;
    char *call = umcc_format(ptx->arena, UMCC_PTX "atom_%s<%s>(%s", what, type, at);
    for (int k = 0; k < values; k++) {
        const char *v = umcc_ptx_typed(ptx, in->operands[first + 1 + k], type);
        if (!v)
            return false;
        call = umcc_format(ptx->arena, "%s, %s", call, v);
    }
    const char *d = reduction ? NULL : umcc_ptx_value(ptx, in->operands[0]);
    if (!reduction && !d)
        return false;
    say(ptx, releases ? "::__threadfence_system(); " : "");
    say(ptx, reduction ? umcc_format(ptx->arena, "%s); ", call)
                       : umcc_format(ptx->arena, UMCC_PTX "put(%s, %s)); ", d, call));
    return say(ptx, acquires ? "::__threadfence_system(); " : "");
}

/* `bar.sync a, b`: barrier number a, for b threads. */
static bool name_barrier(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, bool waits)
{
    const char *number = in->parts < 1 ? NULL : umcc_ptx_typed(ptx, in->operands[0], "unsigned");
    const char *threads = in->parts < 2 ? "0" : umcc_ptx_typed(ptx, in->operands[1], "unsigned");
    if (!number || !threads || in->parts > 2 || (!waits && in->parts < 2))
        return false;
    return say(ptx, umcc_format(ptx->arena, UMCC_PTX "barrier(%s, %s, %s); ", waits ? "true" : "false",
                                number, threads));
}

/* `cp.async.ca.shared.global [to], [from], bytes{, given}{, policy}`: copies at once; commit_group,
 * wait_group and wait_all have nothing to wait for. */
static bool copy_async(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    for (int w = 2; w < in->count; w++)
        if (strncmp(in->words[w], "L2::", 4) != 0 &&
            !is_among(in->words[w], "ca cg shared global commit_group wait_group wait_all cta"))
            return false;
    if (has(in, "commit_group") || has(in, "wait_group") || has(in, "wait_all"))
        return true;
    const char *to = in->parts < 3 ? NULL : umcc_ptx_address(ptx, in->operands[0]);
    const char *from = !to ? NULL : umcc_ptx_address(ptx, in->operands[1]);
    const char *bytes = !from ? NULL : umcc_ptx_typed(ptx, in->operands[2], "unsigned");
    const bool gives = in->parts == (has(in, "L2::cache_hint") ? 5 : 4);
    const char *given = gives ? umcc_ptx_typed(ptx, in->operands[3], "unsigned") : bytes;
    if (!bytes || !given || in->parts > 5)
        return false;
    return say(ptx, umcc_format(ptx->arena, UMCC_PTX "copy_async(%s, %s, %s, %s); ", to, from, bytes, given));
}

/* match.any.sync.b32 and .b64: the lanes that have the same value. */
static bool match_any(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in, const char *d,
                      const char *mask)
{
    const bool wide = has(in, "b64");
    if (!has(in, "any") || !has(in, "sync") || in->parts != 3 || !(wide || has(in, "b32")))
        return false;
    const char *value = umcc_ptx_typed(ptx, in->operands[1], wide ? "unsigned long long" : "unsigned");
    if (!d || !mask || !value)
        return false;
    return say(ptx,
               umcc_format(ptx->arena, UMCC_PTX "put(%s, ::__match_any_sync(%s, %s)); ", d, mask, value));
}

/* Barriers, votes, fences, and instructions that are only hints for speed. */
static bool wait_or_hint(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    static const char *const votes[][2] = {
        {"all", "__all_sync"}, {"any", "__any_sync"}, {"ballot", "__ballot_sync"}};
    const char *name = in->words[0];
    if (is_among(name, "membar fence"))
        return say(ptx, "::__threadfence_system(); ");
    if (is_among(name, "prefetch prefetchu applypriority discard pmevent"))
        return true;
    if (strcmp(name, "trap") == 0)
        return say(ptx, "::__trap(); ");
    ptx->has_barrier = true;
    const char *u = in->parts < 1 ? NULL : umcc_ptx_typed(ptx, in->operands[in->parts - 1], "unsigned");
    if (strcmp(name, "nanosleep") == 0 && u)
        return say(ptx, umcc_format(ptx->arena, "::__nanosleep(%s); ", u));
    if (is_among(name, "bar barrier") && has(in, "warp") && u)
        return say(ptx, umcc_format(ptx->arena, "::__syncwarp(%s); ", u));
    if (is_among(name, "bar barrier") && has(in, "sync") && in->parts == 1 &&
        strcmp(in->operands[0], "0") == 0)
        return say(ptx, "::__syncthreads(); ");
    if (is_among(name, "bar barrier") && (has(in, "sync") || has(in, "arrive")))
        return name_barrier(ptx, in, has(in, "sync"));
    const char *d = in->parts < 1 ? NULL : umcc_ptx_value(ptx, in->operands[0]);
    if (strcmp(name, "activemask") == 0 && in->parts == 1 && d)
        return say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, ::__activemask()); ", d));
    if (strcmp(name, "match") == 0)
        return match_any(ptx, in, d, u);
    const char *p =
        strcmp(name, "vote") == 0 && in->parts == 3 ? umcc_ptx_typed(ptx, in->operands[1], "bool") : NULL;
    for (int v = 0; v < 3 && p && d && u; v++)
        if (has(in, votes[v][0]))
            return say(ptx, umcc_format(ptx->arena, UMCC_PTX "put(%s, %s::%s(%s, %s)); ", d,
                                        v == 2 ? "" : "(bool)", votes[v][1], u, p));
    return false;
}

static bool translate_instruction(struct umcc_ptx *ptx, const struct umcc_ptx_instruction *in)
{
    const char *name = in->words[0];
    const bool vector = strcmp(name, "mov") == 0 &&
                        (in->operands[0][0] == '{' || (in->parts == 2 && in->operands[1][0] == '{'));
    if (vector)
        return pack(ptx, in);
    if (is_among(name, "setp set"))
        return compare(ptx, in, strcmp(name, "setp") == 0);
    if (strcmp(name, "cvt") == 0)
        return convert(ptx, in);
    if (is_among(name, "ld ldu st"))
        return load_or_store(ptx, in, strcmp(name, "st") == 0);
    if (is_among(name, "atom red"))
        return change_atomically(ptx, in, strcmp(name, "red") == 0);
    if (strcmp(name, "cp") == 0 && in->count > 1 && strcmp(in->words[1], "async") == 0)
        return copy_async(ptx, in);
    if (is_among(name, "mma ldmatrix"))
        return umcc_ptx_matrices(ptx, in);
    if (strcmp(name, "bra") == 0 && in->parts == 1)
        return say(
            ptx, umcc_format(ptx->arena, "goto um_l_%s; ", in->operands[0] + strspn(in->operands[0], "$%")));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (is_row(in, &rows[r]))
            return by_row(ptx, in, &rows[r]);
    return wait_or_hint(ptx, in);
}

/* `.reg .u32 a, b<4>` */
static bool declare(struct umcc_ptx *ptx, const char *text)
{
    const char *names[32], *dot = strchr(text + 4, '.');
    if (!dot)
        return false;
    size_t length = strcspn(dot + 1, " \t\n");
    const int t = umcc_ptx_type_of(umcc_format(ptx->arena, "%.*s", (int)length, dot + 1));
    const int count = t < 0 ? -1 : umcc_ptx_cut(ptx->arena, dot + 1 + length, ',', names, 32);
    for (int k = 0; k < count; k++) {
        const char *name = names[k] + strspn(names[k], "%"), *angle = strchr(name, '<');
        int copies = 0;
        for (const char *c = !angle ? "" : angle + 1; isdigit((unsigned char)*c) && copies < 1000; c++)
            copies = 10 * copies + *c - '0';
        if (!angle)
            say(ptx, umcc_format(ptx->arena, "%s um_r_%s; ", umcc_ptx_types[t].cpp, name));
        for (int c = 0; c < copies; c++)
            say(ptx, umcc_format(ptx->arena, "%s um_r_%.*s%d; (void)um_r_%.*s%d; ", umcc_ptx_types[t].cpp,
                                 (int)(angle - name), name, c, (int)(angle - name), name, c));
    }
    return count > 0;
}

/* One statement, without its semicolon. */
static bool translate_statement(struct umcc_ptx *ptx, const char *text)
{
    if (strncmp(text, ".reg", 4) == 0)
        return declare(ptx, text);
    if (*text == '@') {
        const size_t length = strcspn(text, " \t\n");
        const char *p =
            umcc_ptx_typed(ptx, umcc_format(ptx->arena, "%.*s", (int)length - 1, text + 1), "bool");
        if (!p)
            return false;
        say(ptx, umcc_format(ptx->arena, "if (%s) { ", p));
        return translate_statement(ptx, umcc_ptx_trimmed(ptx->arena, text + length, text + strlen(text))) &&
               say(ptx, "} ");
    }
    struct umcc_ptx_instruction in = {0};
    const size_t length = strcspn(text, " \t\n");
    in.name = umcc_format(ptx->arena, "%.*s", (int)length, text);
    in.count = umcc_ptx_cut(ptx->arena, in.name, '.', in.words, UMCC_PTX_WORDS);
    const char *rest = umcc_ptx_trimmed(ptx->arena, text + length, text + strlen(text));
    for (int k = 0; k < UMCC_PTX_PARTS; k++)
        in.operands[k] = "";
    in.parts = *rest == '\0' ? 0 : umcc_ptx_cut(ptx->arena, rest, ',', in.operands, UMCC_PTX_PARTS);
    return in.count >= 1 && in.parts >= 0 && translate_instruction(ptx, &in);
}

/* Reads `NAME:` at ptx->at, where a statement begins. @return whether there was one */
static bool take_label(struct umcc_ptx *ptx)
{
    const char *name = ptx->at + strspn(ptx->at, "$%"), *end = name;
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '$')
        end++;
    const char *colon = end + strspn(end, " \t\n");
    if (end == name || *colon != ':')
        return false;
    umcc_text_printf(&ptx->labels, "__label__ um_l_%.*s; ", (int)(end - name), name);
    umcc_text_printf(&ptx->cpp, "um_l_%.*s: ; ", (int)(end - name), name);
    ptx->at = colon + 1;
    return true;
}

void umcc_ptx_translate(struct umcc_ptx *ptx)
{
    int depth = 0;
    while (!ptx->problem) {
        ptx->at += strspn(ptx->at, " \t\n;");
        if (*ptx->at == '\0')
            break;
        if (*ptx->at == '{' || *ptx->at == '}') {
            depth += *ptx->at == '{' ? 1 : -1;
            say(ptx, *ptx->at++ == '{' ? "{ " : "} ");
            if (depth < 0)
                ptx->problem = "a } that closes nothing";
            continue;
        }
        if (take_label(ptx))
            continue;
        const char *end = ptx->at + strcspn(ptx->at, ";");
        const char *text = umcc_ptx_trimmed(ptx->arena, ptx->at, end);
        ptx->at = end;
        if (!translate_statement(ptx, text) && !ptx->problem)
            ptx->problem = text;
    }
    if (depth > 0 && !ptx->problem)
        ptx->problem = "a { that is never closed";
}
