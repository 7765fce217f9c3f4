/**
 * @file access.c
 * @brief Tests of sim/base/access.h: which instructions of arm64 read and write at once.
 */
#include "base/access.h"
#include "um_test.h"

/* As GNU as encodes them. */
struct encoded {
    uint32_t instruction;
    const char *text;
};
static const struct encoded both[] = {
    {0xb8200041, "ldadd w0, w1, [x2]"},        {0x38200041, "ldaddb w0, w1, [x2]"},
    {0xf8e00041, "ldaddal x0, x1, [x2]"},      {0xb820005f, "stadd w0, [x2]"},
    {0xb8201041, "ldclr w0, w1, [x2]"},        {0xf8203041, "ldset x0, x1, [x2]"},
    {0x78202041, "ldeorh w0, w1, [x2]"},       {0xb8204041, "ldsmax w0, w1, [x2]"},
    {0xf8207041, "ldumin x0, x1, [x2]"},       {0xf8208041, "swp x0, x1, [x2]"},
    {0x38a08041, "swpab w0, w1, [x2]"},        {0x88a07c41, "cas w0, w1, [x2]"},
    {0xc8e0fc41, "casal x0, x1, [x2]"},        {0x08a07c41, "casb w0, w1, [x2]"},
    {0x48207c82, "casp x0, x1, x2, x3, [x4]"}, {0x0860fc82, "caspal w0, w1, w2, w3, [x4]"},
};
static const struct encoded loads[] = {
    {0x38bfc040, "ldaprb w0, [x2]"},      {0xf8bfc040, "ldapr x0, [x2]"},
    {0xf9400040, "ldr x0, [x2]"},         {0x38636840, "ldrb w0, [x2, x3]"},
    {0xb8404440, "ldr w0, [x2], #4"},     {0xa9400440, "ldp x0, x1, [x2]"},
    {0x3dc00040, "ldr q0, [x2]"},         {0x3ce37840, "ldr q0, [x2, x3, lsl #4]"},
    {0x88dffc40, "ldar w0, [x2]"},        {0x08dffc40, "ldarb w0, [x2]"},
    {0x885f7c40, "ldxr w0, [x2]"},        {0xc85ffc40, "ldaxr x0, [x2]"},
    {0xc87f0440, "ldxp x0, x1, [x2]"},    {0x4c407840, "ld1 {v0.4s}, [x2]"},
    {0xb8803040, "ldursw x0, [x2, #3]"},  {0x99404040, "ldapur w0, [x2, #4]"},
    {0xf9800040, "prfm pldl1keep, [x2]"}, {0xf8200440, "ldraa x0, [x2]"},
    {0xb8400840, "ldtr w0, [x2]"},        {0x88df7c40, "ldlar w0, [x2]"},
};

static void atomic_operations_read_and_write(void)
{
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
        if (!umsim_is_read_and_write(both[i].instruction))
            UM_FAIL("%s (%#x) is taken for a load", both[i].text, both[i].instruction);
}

static void loads_do_not(void)
{
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        if (umsim_is_read_and_write(loads[i].instruction))
            UM_FAIL("%s (%#x) is taken for an operation", loads[i].text, loads[i].instruction);
}

UM_TESTS("access", {"arm64's atomic operations read and write", atomic_operations_read_and_write},
         {"its loads do not, be they exclusive or ordered", loads_do_not});
