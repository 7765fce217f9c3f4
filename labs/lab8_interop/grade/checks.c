/**
 * @file checks.c
 * @brief Lab 8: the checks of record_layout() and host_access().
 *
 * grade/check.h says how checks are written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"

/* ---- record_layout ---- */

enum { FIELDS = 12 };

static struct um_try layout_of(const struct lab8_field *fields, size_t count)
{
    return (struct um_try){.function = "record_layout",
                           .number = {(int64_t)count},
                           .in = fields,
                           .in_bytes = count * sizeof *fields,
                           .out_bytes = (count + 1) * sizeof(size_t)};
}

static size_t number_at(const struct um_try *try, size_t i)
{
    size_t number;

    memcpy(&number, try->out + i * sizeof number, sizeof number);
    return number;
}

/* "char, double[3]", by sizes. */
static void name_fields(const struct lab8_field *fields, size_t count)
{
    char text[200] = "";
    size_t used = 0;

    for (size_t i = 0; i < count && used < sizeof text - 40; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu x %zu bytes (aligned to %zu)",
                                 i ? ", " : "", fields[i].elements, fields[i].bytes, fields[i].alignment);
    um_case("fields: %s%s", text, used >= sizeof text - 40 ? ", ..." : "");
}

/* Offsets, or the size: as a C compiler's. */
static void judge_layout(const struct lab8_field *fields, size_t count, bool size)
{
    struct um_try try = layout_of(fields, count);
    size_t end = 0, widest = 1;

    name_fields(fields, count);
    if (!um_call(&try))
        return;
    um_expect(try.returned == 1, "true: C has such a structure", "false");
    for (size_t i = 0; i < count; i++) {
        const size_t alignment = fields[i].alignment;

        end += (alignment - end % alignment) % alignment;
        if (!size)
            um_expect(number_at(&try, i) == end, "each field at the next multiple of its alignment",
                      "field %zu at byte %zu, where C has it at byte %zu", i, number_at(&try, i), end);
        end += fields[i].bytes * fields[i].elements;
        widest = alignment > widest ? alignment : widest;
    }
    end += (widest - end % widest) % widest;
    if (size)
        um_expect(number_at(&try, count) == end,
                  "a size that keeps each field aligned in an array of records", "%zu bytes, where C has %zu",
                  number_at(&try, count), end);
}

/* A record of any fields: 1 to 16 bytes each, some of them arrays, some structures of a smaller alignment. */
static size_t some_fields(struct lab8_field *fields)
{
    const size_t count = 2 + um_random() % (FIELDS - 1);

    for (size_t i = 0; i < count; i++) {
        const size_t alignment = (size_t)1 << um_random() % 5;

        fields[i].alignment = alignment;
        fields[i].bytes = alignment * (1 + (um_random() % 4 == 0) * (um_random() % 3));
        fields[i].elements = um_random() % 3 ? 1 : 1 + um_random() % 5;
    }
    return count;
}

static const struct lab8_field known[][4] = {
    {{4, 4, 3}, {4, 4, 3}, {4, 4, 1}, {4, 4, 1}}, /* struct um_record */
    {{1, 1, 1}, {8, 8, 1}, {1, 1, 1}, {2, 2, 1}}, /* char, double, char, short */
    {{8, 8, 1}, {1, 1, 3}, {4, 4, 1}, {1, 1, 1}}, /* double, char[3], int, char */
    {{1, 1, 1}, {2, 2, 1}, {1, 1, 1}, {16, 16, 1}} /* char, short, char, long double */,
    {{12, 4, 2}, {8, 8, 1}, {1, 1, 5}, {4, 4, 1}}, /* struct { int[3] }[2], double, char[5], int */
};

static void judge_layouts(bool size)
{
    struct lab8_field fields[FIELDS];

    for (size_t i = 0; i < sizeof known / sizeof *known && !um_has_failed(); i++)
        for (size_t count = 1; count <= 4 && !um_has_failed(); count++)
            judge_layout(known[i], count, size);
    for (int i = 0; i < 10 && !um_has_failed(); i++) {
        const size_t count = some_fields(fields);

        judge_layout(fields, count, size);
    }
}

static void right_offsets(void)
{
    judge_layouts(false);
}

static void right_size(void)
{
    judge_layouts(true);
}

/* What C has no structure for. */
static void no_structure(void)
{
    static const struct lab8_field none[][2] = {
        {{4, 4, 1}, {8, 0, 1}},
        {{4, 4, 1}, {12, 12, 1}},
        {{4, 4, 1}, {12, 3, 1}},
        {{4, 4, 1}, {0, 1, 1}},
        {{4, 4, 1}, {4, 4, 0}},
        {{4, 4, 1}, {4, 8, 1}},
        {{8, 8, SIZE_MAX / 4}, {1, 1, 1}},
        {{1, 1, SIZE_MAX}, {1, 1, 1}},
        {{1, 1, SIZE_MAX - 2}, {8, 8, 1}},
        {{8, 8, 1}, {1, 1, SIZE_MAX - 9}},
    };

    for (size_t i = 0; i <= sizeof none / sizeof *none && !um_has_failed(); i++) {
        const bool empty = i == sizeof none / sizeof *none;
        const size_t count = empty ? 0 : 2;
        struct um_try try = layout_of(empty ? none[0] : none[i], count);

        if (empty)
            um_case("no fields at all");
        else
            name_fields(none[i], count);
        if (!um_call(&try))
            return;
        um_expect(try.returned == 0, "false: C has no such structure", "true");
        for (size_t at = 0; at < try.out_bytes; at++)
            um_expect(try.out[at] == 0xA5, "nothing written with that answer", "byte %zu of the results was",
                      at);
    }
}

/* ---- host_access ---- */

enum { MOST = 64 };
static struct lab8_question questions[MOST];
static enum lab8_access wanted[MOST];
static size_t question_count;

static void ask(enum lab8_kind kind, bool busy, uint64_t of, int64_t offset, uint64_t bytes,
                enum lab8_access answer)
{
    wanted[question_count] = answer;
    questions[question_count++] = (struct lab8_question){kind, busy, offset, of, bytes};
}

static struct um_try request_for(const char *function)
{
    return (struct um_try){.function = function,
                           .in = questions,
                           .in_bytes = question_count * sizeof *questions,
                           .out_bytes = question_count * sizeof(struct lab8_answer)};
}

static struct lab8_answer answer_at(const struct um_try *try, size_t i)
{
    struct lab8_answer answer;

    memcpy(&answer, try->out + i * sizeof answer, sizeof answer);
    return answer;
}

static const char *name_of(int32_t access)
{
    static const char *const names[] = {"LAB8_NO_ANSWER", "LAB8_NOT_CUDAS", "LAB8_LOOK", "LAB8_WAIT",
                                        "LAB8_COPY"};

    return access >= 0 && access <= LAB8_COPY ? names[access] : "no value of enum lab8_access";
}

static void name_question(const struct lab8_question *it)
{
    static const char *const kinds[] = {[LAB8_AT_HEAP] = "malloc's memory",
                                        [LAB8_AT_DEVICE] = "cudaMalloc's memory",
                                        [LAB8_AT_PINNED] = "pinned memory",
                                        [LAB8_AT_MANAGED] = "managed memory",
                                        [LAB8_AT_FREED] = "cudaMalloc's memory, freed"};

    um_case("%" PRIu64 " bytes from byte %" PRId64 " of %" PRIu64 " of %s, %s", it->bytes, it->offset, it->of,
            kinds[it->kind], it->busy ? "work queued in the stream" : "the stream idle");
}

/* A stream may have finished between two queries: then either answer was right. */
static void judge_answer(size_t i, const struct lab8_answer *got)
{
    const bool may_look = wanted[i] == LAB8_WAIT && !got->still_busy && got->access == LAB8_LOOK;

    name_question(&questions[i]);
    um_expect(got->access == (int32_t)wanted[i] || may_look, name_of((int32_t)wanted[i]), "%s",
              name_of(got->access));
}

static void judge_questions(void)
{
    struct um_try try = request_for("host_access");

    UM_EACH_SCHEDULE(&try)
    {
        for (size_t i = 0; i < question_count && !um_has_failed(); i++) {
            const struct lab8_answer got = answer_at(&try, i);

            judge_answer(i, &got);
        }
    }
    question_count = 0;
}

static uint64_t some_bytes(void)
{
    return 4096 + um_random() % 100000;
}

/* Memory of each kind, all of it and the end of it. */
static void ask_each(bool busy)
{
    static const struct {
        enum lab8_kind kind;
        enum lab8_access idle, busy;
    } rules[] = {{LAB8_AT_HEAP, LAB8_NOT_CUDAS, LAB8_NOT_CUDAS},
                 {LAB8_AT_DEVICE, LAB8_COPY, LAB8_COPY},
                 {LAB8_AT_PINNED, LAB8_LOOK, LAB8_WAIT},
                 {LAB8_AT_MANAGED, LAB8_LOOK, LAB8_WAIT}};

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const uint64_t of = some_bytes(), part = 1 + um_random() % 1000;
        const enum lab8_access answer = busy ? rules[i].busy : rules[i].idle;

        ask(rules[i].kind, busy, of, 0, of, answer);
        ask(rules[i].kind, busy, of, (int64_t)(of - part), part, answer);
    }
}

static void right_answer(void)
{
    question_count = 0;
    ask_each(false);
    judge_questions();
}

static void queued_work(void)
{
    question_count = 0;
    ask_each(true);
    judge_questions();
}

/* No bytes, one byte too many, memory that has been freed. */
static void edges(void)
{
    const uint64_t of = 4096 * (1 + um_random() % 5);

    question_count = 0;
    ask(LAB8_AT_DEVICE, false, of, 0, 0, LAB8_LOOK);
    ask(LAB8_AT_PINNED, true, of, 8, 0, LAB8_LOOK);
    ask(LAB8_AT_FREED, false, of, 0, 0, LAB8_LOOK);
    ask(LAB8_AT_FREED, false, of, 0, of, LAB8_NOT_CUDAS);
    ask(LAB8_AT_PINNED, false, of, 0, of + 1, LAB8_NOT_CUDAS);
    ask(LAB8_AT_MANAGED, false, of, -1, 8, LAB8_NOT_CUDAS);
    ask(LAB8_AT_MANAGED, true, of, (int64_t)of - 1, 2, LAB8_NOT_CUDAS);
    ask(LAB8_AT_DEVICE, false, of, (int64_t)of - 1, 1, LAB8_COPY);
    ask(LAB8_AT_DEVICE, false, of, 1, of, LAB8_NOT_CUDAS);
    ask(LAB8_AT_DEVICE, true, of, (int64_t)of - 8, 16, LAB8_NOT_CUDAS);
    judge_questions();
}

/* What the function did beside asking: in the ledger, beside what calls.c does anyway. */
static void expect_nothing_done(const struct umsim_ledger *did, const struct umsim_ledger *without)
{
    const struct umsim_counters *c = &did->counters, *p = &without->counters;

    um_expect(um_waits(did) == um_waits(without), "no wait", "%" PRId64 " waits",
              um_more(um_waits(did), um_waits(without)));
    um_expect(c->memcpy_calls == p->memcpy_calls && c->launches == p->launches, "no copy and no launch",
              "%" PRId64 " copies, %" PRId64 " launches", um_more(c->memcpy_calls, p->memcpy_calls),
              um_more(c->launches, p->launches));
    um_expect(did->host_faults == without->host_faults && c->cpu_page_faults == p->cpu_page_faults,
              "the host touches nothing", "%" PRId64 " faults",
              um_more(c->cpu_page_faults, p->cpu_page_faults));
    um_expect(c->bytes_migrated_dtoh == p->bytes_migrated_dtoh, "managed pages stay where they are",
              "%" PRId64 " bytes moved", um_more(c->bytes_migrated_dtoh, p->bytes_migrated_dtoh));
}

static void leaves_alone(void)
{
    struct um_try try;

    question_count = 0;
    ask_each(false);
    ask_each(true);
    try = request_for("host_access");
    try.number[0] = 1;
    UM_EACH_SCHEDULE(&try)
    {
        const struct umsim_ledger did = try.did;
        struct um_try without = try;

        for (size_t i = 0; i < question_count && !um_has_failed(); i++) {
            const struct lab8_answer got = answer_at(&try, i);

            judge_answer(i, &got);
            um_expect(got.left == cudaErrorInvalidValue,
                      "an error that was waiting before the call still waits: cudaErrorInvalidValue", "%s",
                      um_error(got.left));
        }
        um_case("%zu questions", question_count);
        without.function = "nobody";
        if (!um_call(&without))
            return;
        expect_nothing_done(&did, &without.did);
    }
}

/* Every call of CUDA fails once: the answer is right, or an honest "I do not know". */
static void no_answer(void)
{
    struct um_try try;

    question_count = 0;
    ask(LAB8_AT_PINNED, false, 4096, 0, 4096, LAB8_LOOK);
    ask(LAB8_AT_MANAGED, false, 4096, 0, 4096, LAB8_LOOK);
    ask(LAB8_AT_DEVICE, false, 4096, 0, 4096, LAB8_COPY);
    try = request_for("host_access");
    UM_EACH_FAILURE(&try)
    {
        if (try.fail && try.returned == UM_NOT_SET_UP)
            continue;
        for (size_t i = 0; i < question_count && !um_has_failed(); i++) {
            const struct lab8_answer got = answer_at(&try, i);

            if (try.fail && got.access == LAB8_NOT_SET_UP)
                continue;
            name_question(&questions[i]);
            um_expect(got.access == (int32_t)wanted[i] || (try.fail && got.access == LAB8_NO_ANSWER),
                      name_of(try.fail ? LAB8_NO_ANSWER : (int32_t)wanted[i]), "%s", name_of(got.access));
            um_expect(got.left == cudaSuccess, "the caller's next cudaGetLastError() returns cudaSuccess",
                      "%s", um_error(got.left));
        }
    }
}

static const struct um_check record_layout_checks[] = {
    {"right_offsets", 2, right_offsets, NULL},
    {"right_size", 1, right_size, "right_offsets"},
    {"no_structure", 1, no_structure, "right_size"},
};
UM_EXERCISE("record_layout", record_layout_checks);

static const struct um_check host_access_checks[] = {
    {"right_answer", 2, right_answer, NULL},     {"queued_work", 1, queued_work, "right_answer"},
    {"edges", 1, edges, "right_answer"},         {"leaves_alone", 1, leaves_alone, "queued_work"},
    {"no_answer", 1, no_answer, "right_answer"},
};
UM_EXERCISE("host_access", host_access_checks);
