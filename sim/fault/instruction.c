/**
 * @file instruction.c
 * @brief Implementation of instruction.h: decodes as much of an instruction as it takes to find its operand.
 *
 * The layout of instructions: Intel's manual, volume 2, chapter 2.
 */
#include "instruction.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };
/** The tables of opcodes: those of one byte, behind 0F, behind 0F 38, behind 0F 3A (which have an immediate
 * byte). */
enum map { ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A };

struct instruction {
    enum map map;
    unsigned rex, opcode, extension, rm; /* `extension`: the field between, which tells the operation */
    bool has_rex, half_size, in_thread, locked, is_memory;
    uint64_t address; /* of the operand in memory */
    uint64_t end;     /* where the next instruction begins */
};

static greg_t *register_of(const ucontext_t *machine, unsigned number)
{
    static const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return (greg_t *)&machine->uc_mcontext.gregs[order[number]];
}

/* Takes the prefixes. @return where the opcode begins */
static const uint8_t *read_prefixes(const uint8_t *p, struct instruction *it)
{
    static const uint8_t others[] = {0x2e, 0x36, 0x3e, 0x26, 0x65, 0xf0, 0xf2, 0xf3};
    for (;; p++) {
        it->half_size |= *p == 0x66;
        it->in_thread |= *p == 0x64; /* fs: a thread's own variable */
        it->locked |= *p == 0xf0;
        if (*p != 0x66 && *p != 0x64 && !memchr(others, *p, sizeof others))
            break;
    }
    if ((*p & 0xf0) != 0x40)
        return p;
    it->has_rex = true;
    it->rex = *p & 0xf;
    return p + 1;
}

/* Takes the opcode, in its old form, or with what VEX (C4, C5) and EVEX (62) put before it. */
static const uint8_t *read_opcode(const uint8_t *p, struct instruction *it)
{
    if (*p == 0xc5) {
        it->map = MAP_0F;
        p += 2;
    } else if (*p == 0xc4 || *p == 0x62) {
        it->map = (enum map)(p[1] & 3);
        it->rex = (~p[1] >> 5 & 7);
        p += *p == 0xc4 ? 3 : 4;
    } else if (*p == 0x0f) {
        it->map = p[1] == 0x38 ? MAP_0F38 : p[1] == 0x3a ? MAP_0F3A : MAP_0F;
        p += it->map == MAP_0F ? 1 : 2;
    }
    it->opcode = *p;
    return p + 1;
}

/* Takes the second byte of an address, which has a base and a multiple of an index. */
static uint64_t scaled(const ucontext_t *machine, const struct instruction *it, uint8_t sib,
                       bool *only_number)
{
    const unsigned index = (sib >> 3 & 7) | (it->rex & REX_X ? 8 : 0),
                   base = (sib & 7) | (it->rex & REX_B ? 8 : 0);
    const uint64_t step = index == 4 ? 0 : (uint64_t)*register_of(machine, index) << (sib >> 6);
    return step + (*only_number ? 0 : (uint64_t)*register_of(machine, base));
}

static void read_operand(const ucontext_t *machine, const uint8_t *p, struct instruction *it)
{
    const unsigned mode = *p >> 6;
    uint64_t thread = 0;
    it->extension = *p >> 3 & 7;
    it->rm = (*p & 7) | (it->rex & REX_B ? 8 : 0);
    it->is_memory = mode != 3;
    const unsigned low = *p++ & 7;
    bool relative = mode == 0 && low == 5, only_number = mode == 0 && low == 4 && (*p & 7) == 5;
    int32_t number = 0;
    if (it->is_memory && low == 4)
        it->address = scaled(machine, it, *p++, &only_number);
    else if (it->is_memory && !relative)
        it->address = (uint64_t)*register_of(machine, it->rm);
    if (mode == 1)
        number = (int8_t)*p++;
    if (mode == 2 || relative || only_number) {
        memcpy(&number, p, sizeof number);
        p += sizeof number;
    }
    it->end = (uint64_t)(uintptr_t)p + (it->map == MAP_0F3A);
    if (it->in_thread) /* its first word is its own address */
        __asm__("mov %%fs:0, %0" : "=r"(thread));
    it->address += thread + (relative ? it->end : 0) + (uint64_t)(int64_t)number;
}

static struct instruction decode(const ucontext_t *machine)
{
    struct instruction it = {.map = ONE_BYTE};
    const uint8_t *p = (const uint8_t *)(uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
    p = read_opcode(read_prefixes(p, &it), &it);
    read_operand(machine, p, &it);
    return it;
}

static unsigned bits_of_division(const struct instruction *it)
{
    return it->opcode == 0xf6 ? 8 : it->rex & REX_W ? 64 : it->half_size ? 16 : 32;
}

static uint64_t lowest(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static uint64_t divisor_of(const ucontext_t *machine, const struct instruction *it, unsigned bits)
{
    uint64_t value = 0;
    if (it->is_memory)
        memcpy(&value, (const void *)(uintptr_t)it->address, bits / 8);
    else if (bits == 8 && !it->has_rex && it->rm >= 4) /* ah, ch, dh, bh */
        value = (uint64_t)*register_of(machine, it->rm - 4) >> 8;
    else
        value = (uint64_t)*register_of(machine, it->rm);
    return lowest(value, bits);
}

static void set(greg_t *where, unsigned bits, uint64_t value)
{
    const uint64_t kept = bits == 16 ? (uint64_t)*where & ~UINT64_C(0xffff) : 0;
    *where = (greg_t)(kept | lowest(value, bits));
}

bool umsim_divide_as_a_GPU(void *context)
{
    ucontext_t *machine = context;
    const struct instruction it = decode(machine);
    if (it.map != ONE_BYTE || (it.opcode != 0xf6 && it.opcode != 0xf7) || it.extension < 6)
        return false;
    const unsigned bits = bits_of_division(&it);
    const uint64_t divisor = divisor_of(machine, &it, bits);
    greg_t *a = register_of(machine, 0), *d = register_of(machine, 2);
    /* What is too large for the quotient is the least number by -1: the quotient is that number again. By
     * zero, quotient and remainder are all ones; of 64 bits both are divided as 32 where they fit. */
    uint64_t quotient = lowest((uint64_t)*a, bits), rest = 0;
    if (divisor == 0)
        quotient = rest = bits == 64 && (uint64_t)*a >> 32 == 0 ? UINT32_MAX : UINT64_MAX;
    if (bits == 8) {
        set(a, 16, (lowest(rest, 8) << 8) | lowest(quotient, 8));
    } else {
        set(a, bits, quotient);
        set(d, bits, rest);
    }
    machine->uc_mcontext.gregs[REG_RIP] = (greg_t)it.end;
    return true;
}

bool umsim_access_is_misaligned(const void *context)
{
    const struct instruction it = decode(context);
    const int64_t upper = (int64_t)it.address >> 47;
    return it.is_memory && (upper == 0 || upper == -1);
}

static bool has_opcode(const struct instruction *it, const uint8_t *opcodes, size_t n)
{
    return memchr(opcodes, (int)it->opcode, n) != NULL;
}

bool umsim_access_is_update(const void *context)
{
    /* Arithmetic with a number; shifts; bits, shifts over two registers. */
    static const uint8_t one_byte[] = {0x80, 0x81, 0x83, 0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3, 0xfe, 0xff};
    static const uint8_t map_0f[] = {0xa4, 0xa5, 0xab, 0xac, 0xad, 0xb3, 0xba, 0xbb};
    const struct instruction it = decode(context);
    if (it.locked)
        return false;
    if (it.map == MAP_0F)
        return has_opcode(&it, map_0f, sizeof map_0f);
    if (it.map != ONE_BYTE)
        return false;
    if (it.opcode == 0xf6 || it.opcode == 0xf7)
        return it.extension == 2 || it.extension == 3; /* not, neg */
    if (it.opcode == 0xff && it.extension > 1)
        return false; /* calls and pushes write to a stack */
    return (it.opcode < 0x40 && (it.opcode & 7) < 2) || has_opcode(&it, one_byte, sizeof one_byte);
}

#else

bool umsim_access_is_update(const void *context)
{
    (void)context;
    return false;
}

bool umsim_divide_as_a_GPU(void *context)
{
    (void)context;
    return false;
}

bool umsim_access_is_misaligned(const void *context)
{
    (void)context;
    return false;
}

#endif
