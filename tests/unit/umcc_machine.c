/**
 * @file umcc_machine.c
 * @brief What umcc reads off assembly: the same of both processors', and what a GPU needs for it.
 *
 * Each pair of texts is what g++ made of one statement for x86-64 and for arm64.
 */
#include "um_test.h"

#include "sim/umcc/counted.h"
#include "sim/umcc/segments.h"

#include <stdio.h>
#include <string.h>

#define ONE UMSIM_WORK_ONE

static const struct umcc_machine *const machines[] = {&umcc_x86_64, &umcc_arm64};
static const char *const names[] = {"x86-64", "arm64"};

static struct umcc_values values;

/* Weighs a text of lines. */
static void weigh(const struct umcc_machine *machine, const char *text, struct umcc_place_of_work place,
                  unsigned work[UMSIM_WORK_CLASSES])
{
    memset(work, 0, UMSIM_WORK_CLASSES * sizeof *work);
    values = (struct umcc_values){.machine = machine};
    for (const char *line = text, *end; *line; line = end) {
        struct umcc_instruction it;
        end = strchr(line, '\n');
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        if (machine->read(line, ++end, &it))
            umcc_weigh(&it, &values, place, work);
        else
            UM_FAIL("no instruction: %.*s", (int)(end - line - 1), line);
    }
}

/* What is made of both is `instructions` of `class`, and nothing else. */
static void both_are(const char *x86, const char *arm, enum umsim_work_class class, unsigned instructions)
{
    const char *const texts[] = {x86, arm};
    for (int m = 0; m < 2; m++) {
        unsigned work[UMSIM_WORK_CLASSES], all = 0;
        weigh(machines[m], texts[m], (struct umcc_place_of_work){.unrolled = 1}, work);
        for (int c = 0; c < UMSIM_WORK_INSTRUCTIONS; c++)
            all += work[c];
        if (work[class] != instructions * ONE || all != instructions * ONE)
            UM_FAIL("%s: %u sixteenths in all, %u of class %d, not %u:\n%s", names[m], all, work[class],
                    (int)class, instructions * ONE, texts[m]);
    }
}

static void whole_numbers(void)
{
    both_are("\taddl\t%eax, %ebx\n", "\tadd\tw0, w0, w1\n", UMSIM_WORK_ADD, 1);
    both_are("\tsubl\t$3, %ebx\n", "\tsub\tw0, w0, #3\n", UMSIM_WORK_ADD, 1);
    both_are("\taddq\t%rax, %rbx\n", "\tadd\tx0, x0, x1\n", UMSIM_WORK_ADD, 2);
    both_are("\tandl\t$31, %ebx\n", "\tand\tw1, w0, 31\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tmovzbl\t%al, %eax\n", "\tand\tw0, w0, 255\n", UMSIM_WORK_LOGIC, 0);
    both_are("\txorq\t%rcx, %rax\n", "\teor\tx0, x0, x1\n", UMSIM_WORK_LOGIC, 2);
    both_are("\tsarl\t$2, %eax\n", "\tasr\tw0, w0, 2\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tsalq\t$2, %rax\n", "\tlsl\tx0, x0, 2\n", UMSIM_WORK_LOGIC, 0);
    both_are("\tmovl\t%eax, %eax\n", "\tbfi\tx0, x1, 32, 32\n\tlsr\tx0, x0, 32\n", UMSIM_WORK_LOGIC, 0);
    both_are("\tcmpl\t$7, %ebx\n", "\tcmp\tw0, 7\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tcmpq\t%rax, %rbx\n", "\tcmp\tx0, x1\n", UMSIM_WORK_LOGIC, 2);
    both_are("\tcmovl\t%edx, %eax\n", "\tcsel\tw0, w1, w2, lt\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tsetg\t%al\n\tmovzbl\t%al, %eax\n", "\tcset\tw0, gt\n", UMSIM_WORK_LOGIC, 1);
    both_are("\timull\t%ecx, %eax\n\taddl\t%edx, %eax\n", "\tmadd\tw0, w0, w1, w2\n", UMSIM_WORK_MULTIPLY, 1);
    both_are("\timulq\t%rcx, %rax\n", "\tmul\tx0, x0, x1\n", UMSIM_WORK_MULTIPLY, 4);
    both_are("\tbsrl\t%eax, %eax\n", "\tclz\tw0, w0\n", UMSIM_WORK_SPECIAL, 1);
}

static void addresses(void)
{
    both_are("\tleaq\t(%rbx,%rax,4), %rdi\n", "\tadd\tx0, x19, x1, lsl 2\n", UMSIM_WORK_MULTIPLY, 1);
    both_are("\tmovslq\t%eax, %rdx\n\tleaq\t(%rbx,%rdx,4), %rdi\n", "\tadd\tx0, x19, w1, sxtw 2\n",
             UMSIM_WORK_MULTIPLY, 1);
    both_are("\tleaq\t16(%rbx), %rdi\n", "\tadd\tx0, x19, 16\n", UMSIM_WORK_MULTIPLY, 0);
    both_are("\tleaq\t16(%rsp), %rdi\n", "\tadd\tx0, sp, 16\n", UMSIM_WORK_MULTIPLY, 0);
    both_are("\tleaq\ttable(%rip), %rdi\n", "\tadrp\tx0, table\n\tadd\tx0, x0, :lo12:table\n",
             UMSIM_WORK_MULTIPLY, 0);
    both_are("\tmovss\t(%rdi,%rax,4), %xmm0\n", "\tldr\ts0, [x0, x1, lsl 2]\n", UMSIM_WORK_SINGLE, 0);
    both_are("\tsubq\t$24, %rsp\n", "\tsub\tsp, sp, #32\n", UMSIM_WORK_ADD, 0);
    both_are("\tpushq\t%rbx\n", "\tstp\tx29, x30, [sp, -32]!\n", UMSIM_WORK_ADD, 0);
}

static void floating_point(void)
{
    both_are("\tmulss\t%xmm1, %xmm0\n\taddss\t%xmm2, %xmm0\n", "\tfmul\ts0, s0, s1\n\tfadd\ts0, s0, s2\n",
             UMSIM_WORK_SINGLE, 1);
    both_are("\taddss\t%xmm2, %xmm0\n\taddss\t%xmm3, %xmm0\n", "\tfadd\ts0, s0, s2\n\tfadd\ts0, s0, s3\n",
             UMSIM_WORK_SINGLE, 2);
    /* a product that is no part of a sum any more */
    both_are("\tmulss\t%xmm1, %xmm0\n\tmovaps\t%xmm4, %xmm0\n\taddss\t%xmm3, %xmm0\n",
             "\tfmul\ts0, s0, s1\n\tfadd\ts0, s4, s3\n", UMSIM_WORK_SINGLE, 2);
    both_are("\tsubsd\t%xmm2, %xmm0\n", "\tfsub\td0, d0, d2\n", UMSIM_WORK_DOUBLE, 1);
    both_are("\tcall\tfmaf@PLT\n", "\tfmadd\ts0, s0, s1, s2\n", UMSIM_WORK_SINGLE, 1);
    both_are("\tcall\tfma@PLT\n", "\tfmsub\td0, d0, d1, d2\n", UMSIM_WORK_DOUBLE, 1);
    both_are("\tcomiss\t%xmm1, %xmm0\n", "\tfcmpe\ts0, s1\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tucomisd\t%xmm1, %xmm0\n", "\tfcmp\td0, d1\n", UMSIM_WORK_DOUBLE, 1);
    both_are("\tmaxsd\t%xmm1, %xmm0\n", "\tfmaxnm\td0, d0, d1\n", UMSIM_WORK_LOGIC, 3);
    both_are("\tcvtsi2ssl\t%eax, %xmm0\n", "\tscvtf\ts0, w0\n", UMSIM_WORK_LOGIC, 1);
    both_are("\tcvtsi2ssq\t%rax, %xmm0\n", "\tscvtf\ts0, x0\n", UMSIM_WORK_CONVERT, 1);
    both_are("\tcvttsd2sil\t%xmm0, %eax\n", "\tfcvtzs\tw0, d0\n", UMSIM_WORK_CONVERT, 1);
    both_are("\tcvtss2sd\t%xmm0, %xmm0\n", "\tfcvt\td0, s0\n", UMSIM_WORK_CONVERT, 1);
    both_are("\txorps\t.LC0(%rip), %xmm0\n", "\tfneg\ts0, s0\n", UMSIM_WORK_SINGLE, 0);
}

/* A division's parts, and how long a value needs that is divided in each pass. */
static void divisions(void)
{
    static const char *const texts[][2] = {{"\tdivss\t%xmm1, %xmm0\n", "\tfdiv\ts0, s0, s1\n"},
                                           {"\tdivsd\t%xmm1, %xmm0\n", "\tfdiv\td0, d0, d1\n"},
                                           {"\tsqrtss\t%xmm0, %xmm0\n", "\tfsqrt\ts0, s0\n"},
                                           {"\tidivl\t%ecx\n", "\tsdiv\tw0, w0, w1\n"},
                                           {"\tdivq\t%rcx\n", "\tudiv\tx0, x0, x1\n"}};
    static const unsigned clocks[] = {60, 120, 50, 80, 400};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        unsigned work[2][UMSIM_WORK_CLASSES];
        for (int m = 0; m < 2; m++) {
            weigh(machines[m], texts[i][m], (struct umcc_place_of_work){.unrolled = 1}, work[m]);
            CU_ASSERT_EQUAL(umcc_longest_way(&values), clocks[i]);
            CU_ASSERT_EQUAL(umcc_depth(&values), clocks[i]);
        }
        CU_ASSERT_EQUAL(memcmp(work[0], work[1], sizeof work[0]), 0);
        CU_ASSERT_EQUAL(work[0][UMSIM_WORK_DIVIDE], (i == 2 ? 0 : 1) * ONE);
    }
}

/* The ends of passes: of a loop whose passes are made four at a time, and where a jump tells of undefined
 * behaviour. */
static void jumps(void)
{
    static const char *const texts[][2] = {{"\taddl\t$1, %eax\n\tcmpl\t%ebx, %eax\n\tjl\t.L3\n",
                                            "\tadd\tw0, w0, 1\n\tcmp\tw0, w1\n\tblt\t.L3\n"},
                                           {"\ttestl\t%eax, %eax\n\tjne\t.L3\n", "\tcbnz\tw0, .L3\n"},
                                           {"\ttestb\t$4, %al\n\tje\t.L3\n", "\ttbz\tx0, 2, .L3\n"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int m = 0; m < 2; m++) {
            unsigned work[UMSIM_WORK_CLASSES];
            weigh(machines[m], texts[i][m], (struct umcc_place_of_work){.unrolled = 1}, work);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_OTHER], ONE);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_LOGIC], ONE);
            weigh(machines[m], texts[i][m], (struct umcc_place_of_work){.unrolled = 4, .ends_loop = true},
                  work);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_OTHER], ONE / 4);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_LOGIC], ONE / 4);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_ADD], i == 0 ? ONE / 4 : 0);
            weigh(machines[m], texts[i][m], (struct umcc_place_of_work){.unrolled = 1, .is_guard = true},
                  work);
            CU_ASSERT_EQUAL(work[UMSIM_WORK_OTHER] + work[UMSIM_WORK_LOGIC], 0);
        }
}

/* `a < b && p`, which arm64 has one jump for. */
static void two_conditions(void)
{
    static const char *const texts[] = {"\tcmpl\t%ebx, %eax\n\tjge\t.L3\n\ttestl\t%ecx, %ecx\n\tje\t.L3\n",
                                        "\tcmp\tw0, w1\n\tccmp\tw2, 0, 4, lt\n\tbeq\t.L3\n"};
    unsigned work[2][UMSIM_WORK_CLASSES];
    for (int m = 0; m < 2; m++)
        weigh(machines[m], texts[m], (struct umcc_place_of_work){.unrolled = 1}, work[m]);
    CU_ASSERT_EQUAL(memcmp(work[0], work[1], sizeof work[0]), 0);
    CU_ASSERT_EQUAL(work[1][UMSIM_WORK_OTHER], 2 * ONE);
    CU_ASSERT_EQUAL(work[1][UMSIM_WORK_LOGIC], 2 * ONE);
}

static struct umcc_instruction read_one(int machine, const char *line)
{
    struct umcc_instruction it;
    CU_ASSERT_TRUE_FATAL(machines[machine]->read(line, line + strlen(line), &it));
    return it;
}

static void transfers(void)
{
    static const struct {
        const char *line[2];
        bool never_goes_on, is_computed, stops;
        const char *label;
    } cases[] = {{{"\tjmp\t.L3\n", "\tb\t.L3\n"}, true, false, false, ".L3"},
                 {{"\tjae\t.L14\n", "\tbcs\t.L14\n"}, false, false, false, ".L14"},
                 {{"\tjns\t.L4\n", "\tb.pl\t.L4\n"}, false, false, false, ".L4"},
                 {{"\tjne\t.L5\n", "\tcbnz\tx20, .L5\n"}, false, false, false, ".L5"},
                 {{"\tjmp\tf\n", "\tb\tf\n"}, true, false, false, ""},
                 {{"\tjmp\t*%rax\n", "\tbr\tx16\n"}, true, true, false, ""},
                 {{"\tret\n", "\tret\n"}, true, false, false, ""},
                 {{"\tud2\n", "\tbrk\t#1000\n"}, true, false, true, ""},
                 {{"\tcall\tf\n", "\tbl\tf\n"}, false, false, false, ""},
                 {{"\tbtl\t%eax, %ebx\n", "\tbic\tw0, w1, w2\n"}, false, false, false, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int m = 0; m < 2; m++) {
            const struct umcc_instruction it = read_one(m, cases[i].line[m]);
            const struct umcc_operand label = umcc_jump_target(&it);
            if (it.never_goes_on != cases[i].never_goes_on || it.is_computed != cases[i].is_computed ||
                it.stops != cases[i].stops || label.length != strlen(cases[i].label) ||
                memcmp(label.text, cases[i].label, label.length) != 0)
                UM_FAIL("%s: %s", names[m], cases[i].line[m]);
        }
}

static unsigned named(int machine, const char *text)
{
    return machines[machine]->name_of((struct umcc_operand){text, strlen(text)});
}

/* Parts of one register have one name, places on the stack have their own, and constants none. */
static void registers(void)
{
    static const char *const same[][3] = {{"%rax", "%eax", "%al"},
                                          {"%r12", "%r12d", "%r12b"},
                                          {"%xmm3", "%ymm3", "%xmm3"},
                                          {"8(%rsp)", "8(%rsp)", "8(%rsp)"}};
    static const char *const same_of_arm[][3] = {{"x3", "w3", "x3"},
                                                 {"s8", "d8", "q8"},
                                                 {"[sp, 16]", "[sp, #16]", "[sp, 16]"},
                                                 {"[sp]", "[sp]", "[sp]"}};
    for (int m = 0; m < 2; m++) {
        const char *const(*set)[3] = m ? same_of_arm : same;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                CU_ASSERT_EQUAL(named(m, set[i][k]), named(m, set[i][0]));
                CU_ASSERT_NOT_EQUAL(named(m, set[i][k]), 0);
                CU_ASSERT_NOT_EQUAL(named(m, set[i][k]), named(m, set[(i + 1) % 4][0]));
            }
    }
    static const char *const none[][3] = {{"$4", "(%rax)", "8(%rax,%rbx)"}, {"4", "wzr", "[x0, x1, lsl 2]"}};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++)
            CU_ASSERT_EQUAL(named(m, none[m][k]), 0);
}

/* What a text of functions f and g becomes behind the fast one, for both. */
static void calls_lead_to_the_same_form(void)
{
    static const char *const first[] = {"f:\n\tret\ng:\n\tret\n", "f:\n\tret\ng:\n\tret\n"};
    static const char *const second[] = {
        "\t.globl\tf\nf:\n\tcall\t__tsan_read4@PLT\n\tcall\tsqrtf@PLT\n\tleaq\tg(%rip), "
        "%rax\n\tjmp\tg\ng:\n\tret\n",
        "\t.global\tf\nf:\n\tbl\t__tsan_read4\n\tbl\tsqrtf\n\tadrp\tx0, g\n\tb\tg\ng:\n\tret\n"};
    static const char *const wanted[][5] = {
        {"\tcall\t*umsim_hook_read4@GOTPCREL(%rip)\n", "\tcall\t*sqrtf@GOTPCREL(%rip)\n",
         "\tleaq\tg(%rip), %rax\n", "\tjmp\tg.counted\n", "\t.hidden\tf.counted\n"},
        {"\tadrp\tx16, :got:umsim_hook_read4\n\tldr\tx16, [x16, :got_lo12:umsim_hook_read4]\n\tblr\tx16\n",
         ":got:sqrtf\n", "\tadrp\tx0, g\n", "\tb\tg.counted\n", "\t.hidden\tf.counted\n"}};
    for (int m = 0; m < 2; m++) {
        struct umcc_text texts[2] = {{0}, {0}}, out = {0};
        umcc_text_add(&texts[0], first[m], strlen(first[m]));
        umcc_text_add(&texts[1], second[m], strlen(second[m]));
        CU_ASSERT_TRUE_FATAL(umcc_add_counting(machines[m], &texts[0], &texts[1], false, &out));
        for (int i = 0; i < 5; i++)
            UM_CONTAINS(out.data, wanted[m][i]);
        for (int i = 0; i < 2; i++)
            umcc_text_free(&texts[i]);
        umcc_text_free(&out);
    }
}

#define RUN "_ZN5umsim15counted_threadsIxE3runEv"

/* A segment whose first call is for an access has no note of its own. */
static void first_accesses_tell_of_segments(void)
{
    static const char *const texts[] = {
        "\t.type\t" RUN ", @function\n" RUN ":\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n"
        "\tmovl\t(%rbx), %ebp\n\tcall\t__tsan_write16@PLT\n\tjne\t.L2\n"
        "\tcall\tsqrtf@PLT\n\tcall\t__tsan_write8@PLT\n.L2:\n"
        "\tcall\t__tsan_read_range@PLT\n\tjne\t.L2\n\tret\n\t.size\t" RUN ", .-" RUN "\n",
        "\t.type\t" RUN ", %function\n" RUN ":\n\tmov\tx0, x19\n\tbl\t__tsan_read4\n"
        "\tldr\tw20, [x19]\n\tbl\t__tsan_write16\n\tbne\t.L2\n"
        "\tbl\tsqrtf\n\tbl\t__tsan_write8\n.L2:\n"
        "\tbl\t__tsan_read_range\n\tbne\t.L2\n\tret\n\t.size\t" RUN ", .-" RUN "\n"};
    static const char *const wanted[][4] = {
        {":\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_first_read4@PLT\n\tleaq\t.Lsegments+0(%rip), %rax\n"
         "\tmovl\t(%rbx), %ebp\n\tcall\t__tsan_write16@PLT\n\tjne\t.L2\n\tpushq\t%rax\n",
         ".Lsegments+32(%rip), %rax\n\tcall\t__tsan_segment@PLT\n\tpopq\t%rax\n\tcall\tsqrtf@PLT\n",
         "\tcall\t__tsan_write8@PLT\n.L2:\n\tpushq\t%rax\n", "\tpopq\t%rax\n\tcall\t__tsan_read_range@PLT\n"},
        {":\n\tmov\tx0, x19\n\tbl\t__tsan_first_read4\n\tb\t.+8\n\t.word\t.Lsegments+0-.\n"
         "\tldr\tw20, [x19]\n\tbl\t__tsan_write16\n\tbne\t.L2\n\tstp\tx16, x30, [sp, -16]!\n",
         ".Lsegments+32\n\tbl\t.Lsegment\n\tldp\tx16, x30, [sp], 16\n\tbl\tsqrtf\n",
         "\tbl\t__tsan_write8\n.L2:\n\tstp\tx16, x30, [sp, -16]!\n",
         "\tldp\tx16, x30, [sp], 16\n\tbl\t__tsan_read_range\n"}};
    for (int m = 0; m < 2; m++) {
        struct umcc_text text = {0}, out = {0};
        umcc_text_add(&text, texts[m], strlen(texts[m]));
        umcc_note_segments(machines[m], &text, false, &out);
        for (int i = 0; i < 4; i++)
            UM_CONTAINS(out.data, wanted[m][i]);
        umcc_text_free(&text);
        umcc_text_free(&out);
    }
}

/* What a line of the second text becomes, behind functions of both texts and others of its own. */
static void becomes(int machine, const char *of_both, const char *of_second, const char *line,
                    const char *wanted)
{
    struct umcc_text texts[2] = {{0}, {0}}, out = {0};
    umcc_text_printf(&texts[0], "%s", of_both);
    umcc_text_printf(&texts[1], "%s%s%s", of_both, of_second, line);
    CU_ASSERT_TRUE_FATAL(umcc_add_counting(machines[machine], &texts[0], &texts[1], false, &out));
    UM_CONTAINS(out.data, wanted);
    for (int i = 0; i < 2; i++)
        umcc_text_free(&texts[i]);
    umcc_text_free(&out);
}

/* Functions may be called like registers, shifts, conditions, relocations and instructions. What is a name is
 * told by where it stands: the addresses of those that the first text has are its, calls are not. */
static const char both[] = "x1:\nsp:\nlsl:\nb:\na:\nlo12:\nrax:\n\tret\n",
                  second[] = "s8:\neq:\nw2:\n\tret\n";
static const struct {
    int machine;
    const char *line, *wanted;
} like_registers[] = {
    {1, "\tbl\tx1\n", "\tbl\tx1.counted\n"},
    {1, "\tb\tsp\n", "\tb\tsp.counted\n"},
    {1, "\tbl\tlsl\n", "\tbl\tlsl.counted\n"},
    {1, "\tb\tb\n", "\tb\tb.counted\n"},
    {1, "\tbl\ts8 // x1, x2\n", "\tbl\ts8.counted // x1, x2\n"},
    {1, "\tb.eq\teq\n", "\tb.eq\teq.counted\n"},
    {1, "\tbeq\tx1\n", "\tbeq\tx1.counted\n"},
    {1, "\tcbnz\tw2, w2\n", "\tcbnz\tw2, w2.counted\n"},
    {1, "\ttbz\tx1, 3, x1\n", "\ttbz\tx1, 3, x1.counted\n"},
    {1, "\tbl\tx3\n", "\tadrp\tx16, :got:x3\n\tldr\tx16, [x16, :got_lo12:x3]\n\tblr\tx16\n"},
    {1, "\tblr\tw2\n", "\tblr\tw2\n"},
    {1, "\tadrp\tx0, x1\n", "\tadrp\tx0, x1\n"},
    {1, "\tadrp\tx0, s8+8\n", "\tadrp\tx0, s8.counted+8\n"},
    {1, "\tadd\tw2, w2, :lo12:w2\n", "\tadd\tw2, w2, :lo12:w2.counted\n"},
    {1, "\tadrp\ts8, :got:s8\n", "\tadrp\ts8, :got:s8.counted\n"},
    {1, "\tldr\tw2, [w2, #:got_lo12:w2]\n", "\tldr\tw2, [w2, #:got_lo12:w2.counted]\n"},
    {1, "\tldr\tw2, =w2\n", "\tldr\tw2, =w2.counted\n"},
    {1, "\tldr\ts8, [w2]\n", "\tldr\ts8, [w2]\n"},
    {1, "\tldr\ts8, [w2, w2, eq 2]\n", "\tldr\ts8, [w2, w2, eq 2]\n"},
    {1, "\tfadd\ts8, s8, s8\n", "\tfadd\ts8, s8, s8\n"},
    {1, "\tcsel\tw2, w2, w2, eq\n", "\tcsel\tw2, w2, w2, eq\n"},
    {1, "\tmov\tw0, w2; bl\tw2\n", "\tmov\tw0, w2; bl\tw2.counted\n"},
    {1, "\t.type\tx1, %function\n", "\t.type\tx1.counted, %function\n"},
    {1, "\t.size\tx1, .-x1\n", "\t.size\tx1.counted, .-x1.counted\n"},
    {1, "\t.globl\tsp\n", "\t.hidden\tsp.counted\n\t.globl\tsp.counted\n"},
    {1, "\t.xword\tx1\n", "\t.xword\tx1\n"},
    {1, "\t.xword\ts8\n", "\t.xword\ts8.counted\n"},
    {1, "\t.arch armv8-a\n", "\t.arch armv8-a\n"},
    {1, "\t.cfi_rel_offset w2, 0\n", "\t.cfi_rel_offset w2, 0\n"},
    {1, "\t.cfi_personality 0x9b,w2\n", "\t.cfi_personality 0x9b,w2.counted\n"},
    {0, "\tcall\trax\n", "\tcall\trax.counted\n"},
    {0, "\tmovq\t%rax, %rax\n", "\tmovq\t%rax, %rax\n"},
    {0, "\tjmp\tsp\n", "\tjmp\tsp.counted\n"},
    {0, "\tleaq\tw2(%rip), %rax\n", "\tleaq\tw2.counted(%rip), %rax\n"},
    {0, "\t.size\tx1, .-x1\n", "\t.size\tx1.counted, .-x1.counted\n"},
};

static void names_like_registers(void)
{
    for (size_t i = 0; i < sizeof like_registers / sizeof like_registers[0]; i++)
        becomes(like_registers[i].machine, both, second, like_registers[i].line, like_registers[i].wanted);
}

/* A variable stays the first text's alone, whatever it is called. */
static void variables_like_registers(void)
{
    static const char text[] = "\t.bss\n\t.type\tx1, %object\nx1:\n\t.zero\t4\n";
    struct umcc_text texts[2] = {{0}, {0}}, out = {0};
    for (int i = 0; i < 2; i++)
        umcc_text_printf(&texts[i], "%s", text);
    CU_ASSERT_TRUE_FATAL(umcc_add_counting(&umcc_arm64, &texts[0], &texts[1], false, &out));
    const char *first = strstr(out.data, ".type\tx1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NULL(strstr(first + 1, ".type\tx1"));
    for (int i = 0; i < 2; i++)
        umcc_text_free(&texts[i]);
    umcc_text_free(&out);
}

UM_TESTS("what umcc reads off assembly", {"whole numbers", whole_numbers}, {"addresses", addresses},
         {"numbers with a point", floating_point}, {"divisions", divisions},
         {"jumps end passes, and guard", jumps}, {"two conditions have two jumps", two_conditions},
         {"jumps and calls lead somewhere", transfers}, {"registers, and places on the stack", registers},
         {"calls lead to the same form", calls_lead_to_the_same_form},
         {"first accesses tell of segments", first_accesses_tell_of_segments},
         {"names like registers are names", names_like_registers},
         {"variables like registers are the first text's", variables_like_registers});
