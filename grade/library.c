/**
 * @file library.c
 * @brief Implementation of library.h.
 *
 * Everything is found by address, as the loader finds it, and each table has to lie in a part of the file
 * that is mapped read-only: what is looked at here is then what is used later, whatever relocations write.
 */
#include "library.h"

#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __x86_64__
#define MACHINE EM_X86_64
#define LOADER "ld-linux-x86-64.so.2"
#define IRELATIVE R_X86_64_IRELATIVE
#define DESCRIPTOR R_X86_64_TLSDESC /* writes 16 bytes; all others 8 at most */
static const uint32_t relocations[] = {R_X86_64_NONE,      R_X86_64_64,       R_X86_64_GLOB_DAT,
                                       R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE, R_X86_64_DTPMOD64,
                                       R_X86_64_DTPOFF64,  R_X86_64_TPOFF64,  R_X86_64_TLSDESC};
#else
#define MACHINE EM_AARCH64
#define LOADER "ld-linux-aarch64.so.1"
#define IRELATIVE R_AARCH64_IRELATIVE
#define DESCRIPTOR R_AARCH64_TLSDESC
static const uint32_t relocations[] = {R_AARCH64_NONE,       R_AARCH64_ABS64,     R_AARCH64_GLOB_DAT,
                                       R_AARCH64_JUMP_SLOT,  R_AARCH64_RELATIVE,  R_AARCH64_TLS_DTPMOD,
                                       R_AARCH64_TLS_DTPREL, R_AARCH64_TLS_TPREL, R_AARCH64_TLSDESC};
#endif
/** More than any exercise has: a library of many more is one that is to keep its reader busy. */
enum { PARTS_MAX = 32, SYMBOLS_MAX = 20000 };

/** Entries of the dynamic table that gcc's libraries have here; DT_NEEDED may be there several times. */
// clang-format off
static const int64_t known_tags[] = {
    DT_NEEDED, DT_HASH, DT_GNU_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_PLTGOT, DT_PLTRELSZ, DT_PLTREL,
    DT_JMPREL, DT_RELA, DT_RELASZ, DT_RELAENT, DT_RELACOUNT, DT_FLAGS, DT_FLAGS_1, DT_VERNEED, DT_VERNEEDNUM,
    DT_VERSYM, DT_BIND_NOW, DT_SONAME,
};
// clang-format on
enum { TAGS = sizeof known_tags / sizeof known_tags[0] };

/** What a library may need besides itself: what it is linked with, and parts of the C library. */
static const char *const known_libraries[] = {"libumlab.so",  "libumsim.so",   "libm.so.6", "libc.so.6",
                                              "libmvec.so.1", "libgcc_s.so.1", LOADER};

/** The file, and what was found in it. */
struct reading {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr head;
    uint64_t value[TAGS]; /* of the dynamic table's entries, in the order of known_tags */
    bool has[TAGS];
    bool any;                      /* what the dynamic table asks for does not matter */
    uint64_t dynamic, dynamic_end; /* where the dynamic table is, as an address */
    const char *names;
    uint64_t symbols; /* how many */
    char *why;        /* NULL: the reason is not wanted */
    size_t why_size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reading *it, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (it->why)
        vsnprintf(it->why, it->why_size, format, arguments);
    va_end(arguments);
    return false;
}

static bool strange(const struct reading *it, const char *what)
{
    return refuse(
        it,
        "the library that was built of exercise.c is not like those that gcc makes of C programs: %s. "
        "Leave out assembly (asm) that adds sections, and attributes that choose a section.",
        what);
}

/* ---- the file's parts ---- */

static Elf64_Phdr segment(const struct reading *it, unsigned i)
{
    Elf64_Phdr segment;
    memcpy(&segment, it->bytes + it->head.e_phoff + i * sizeof segment, sizeof segment);
    return segment;
}

/* What the loader maps at `address`, which has to be in the file and read-only; NULL when it is not. */
static const unsigned char *fixed(const struct reading *it, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < it->head.e_phnum; i++) {
        const Elf64_Phdr part = segment(it, i);
        if (part.p_type == PT_LOAD && !(part.p_flags & PF_W) && address >= part.p_vaddr &&
            address - part.p_vaddr <= part.p_filesz && bytes <= part.p_filesz - (address - part.p_vaddr))
            return it->bytes + part.p_offset + (address - part.p_vaddr);
    }
    return NULL;
}

/* Whether [address, address + bytes) are variables of the library's, and none of its dynamic table. */
static bool is_variable(const struct reading *it, uint64_t address, uint64_t bytes)
{
    if (address + bytes < address || (address < it->dynamic_end && address + bytes > it->dynamic))
        return false;
    for (unsigned i = 0; i < it->head.e_phnum; i++) {
        const Elf64_Phdr part = segment(it, i);
        if (part.p_type == PT_LOAD && (part.p_flags & PF_W) && !(part.p_flags & PF_X) &&
            address >= part.p_vaddr && address + bytes <= part.p_vaddr + part.p_memsz)
            return true;
    }
    return false;
}

static bool read_head(struct reading *it)
{
    static const unsigned char ident[] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                          ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    if (it->size < sizeof it->head || memcmp(it->bytes, ident, sizeof ident) != 0)
        return strange(it, "it is no library for this machine");
    memcpy(&it->head, it->bytes, sizeof it->head);
    const Elf64_Ehdr *head = &it->head;
    if (head->e_type != ET_DYN || head->e_machine != MACHINE || head->e_phentsize != sizeof(Elf64_Phdr) ||
        head->e_phnum > PARTS_MAX || head->e_phoff > it->size ||
        head->e_phnum > (it->size - head->e_phoff) / sizeof(Elf64_Phdr))
        return strange(it, "it is no library for this machine");
    return true;
}

/* What is mapped: within the file, in order, and no two parts on one page. */
static bool read_segments(struct reading *it, Elf64_Phdr *dynamic)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end = 0;
    unsigned tables = 0, stacks = 0;
    for (unsigned i = 0; i < it->head.e_phnum; i++) {
        const Elf64_Phdr part = segment(it, i);
        if (part.p_type == PT_LOAD) {
            if (part.p_filesz > it->size || part.p_offset > it->size - part.p_filesz ||
                part.p_memsz < part.p_filesz || part.p_vaddr > UINT32_MAX || part.p_memsz > UINT32_MAX ||
                part.p_vaddr / page * page < end)
                return strange(it, "its parts overlap");
            end = part.p_vaddr + part.p_memsz;
            if ((part.p_flags & PF_W) && (part.p_flags & PF_X))
                return refuse(
                    it, "exercise.c has memory that can be written and executed; code is not written here. "
                        "Leave out what asks for it (a section with the flags \"awx\").");
        } else if (part.p_type == PT_DYNAMIC) {
            *dynamic = part;
            tables++;
        } else if (part.p_type == PT_GNU_STACK) {
            stacks++;
            if (part.p_flags & PF_X)
                return refuse(
                    it, "exercise.c needs an executable stack: a function inside another function (an "
                        "extension of gcc's) whose address is taken, or assembly. Move that function out.");
        }
    }
    return (tables == 1 && stacks == 1) || strange(it, "a part is missing");
}

/* ---- the dynamic table ---- */

static int place_of(int64_t tag)
{
    for (int i = 0; i < TAGS; i++)
        if (known_tags[i] == tag)
            return i;
    return -1;
}

static bool has(const struct reading *it, int64_t tag)
{
    return it->has[place_of(tag)];
}

static uint64_t value(const struct reading *it, int64_t tag)
{
    return it->value[place_of(tag)]; /* 0 when it has none */
}

/* What an entry means that no library of an exercise may have. */
static bool refuse_tag(const struct reading *it, int64_t tag)
{
    switch (tag) {
    case DT_INIT:
    case DT_INIT_ARRAY:
    case DT_INIT_ARRAYSZ:
    case DT_PREINIT_ARRAY:
    case DT_PREINIT_ARRAYSZ:
        return refuse(
            it, "exercise.c has code that runs before any of its functions is called: a constructor "
                "(__attribute__((constructor))) or _init. Such code does not run in an exercise: do that "
                "work in the functions.");
    case DT_FINI:
    case DT_FINI_ARRAY:
    case DT_FINI_ARRAYSZ:
        return refuse(
            it, "exercise.c has code that runs when the program ends: a destructor "
                "(__attribute__((destructor))) or _fini. Such code does not run in an exercise: do that "
                "work in the functions.");
    case DT_TEXTREL:
        return refuse(
            it, "exercise.c has code that is changed while it is loaded (TEXTREL), which assembly with "
                "absolute addresses causes. Leave the assembly out, or use addresses relative to the code.");
    default:
        return strange(it, "its dynamic table has an unusual entry");
    }
}

static bool take_entry(struct reading *it, Elf64_Dyn entry)
{
    const int place = place_of(entry.d_tag);
    if (place < 0)
        return it->any || refuse_tag(it, entry.d_tag);
    if (it->has[place] && entry.d_tag != DT_NEEDED)
        return strange(it, "its dynamic table has an entry twice");
    it->has[place] = true;
    it->value[place] = entry.d_un.d_val;
    if (it->any)
        return true;
    if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL))
        return refuse_tag(it, DT_TEXTREL);
    if ((entry.d_tag == DT_FLAGS && (entry.d_un.d_val & ~(uint64_t)(DF_BIND_NOW | DF_STATIC_TLS))) ||
        (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & ~(uint64_t)DF_1_NOW)))
        return strange(it, "its dynamic table asks the loader for more than to be loaded");
    return true;
}

/* Reads entry number i. The table is written by the loader, so it is in a writable part of the file. */
static bool entry_at(const struct reading *it, const Elf64_Phdr *table, uint64_t i, Elf64_Dyn *entry)
{
    const uint64_t address = table->p_vaddr + i * sizeof *entry;
    for (unsigned k = 0; k < it->head.e_phnum; k++) {
        const Elf64_Phdr part = segment(it, k);
        if (part.p_type != PT_LOAD || address < part.p_vaddr || address - part.p_vaddr > part.p_filesz ||
            part.p_filesz - (address - part.p_vaddr) < sizeof *entry)
            continue;
        memcpy(entry, it->bytes + part.p_offset + (address - part.p_vaddr), sizeof *entry);
        return true;
    }
    return false;
}

static bool read_dynamic(struct reading *it, const Elf64_Phdr *table)
{
    Elf64_Dyn entry = {.d_tag = DT_NEEDED};
    uint64_t i = 0;
    for (; entry.d_tag != DT_NULL; i++) {
        if (!entry_at(it, table, i, &entry))
            return strange(it, "its dynamic table has no end");
        if (entry.d_tag != DT_NULL && !take_entry(it, entry))
            return false;
    }
    it->dynamic = table->p_vaddr;
    it->dynamic_end = table->p_vaddr + i * sizeof entry;
    it->names = (const char *)fixed(it, value(it, DT_STRTAB), value(it, DT_STRSZ));
    if (!it->names || value(it, DT_STRSZ) == 0 || it->names[value(it, DT_STRSZ) - 1])
        return strange(it, "it has no table of names");
    return true;
}

/* ---- symbols ---- */

/* @return NULL when it is behind the table of names */
static const char *name_at(const struct reading *it, uint64_t offset)
{
    return offset < value(it, DT_STRSZ) ? it->names + offset : NULL;
}

static uint32_t word(const unsigned char *words, uint64_t i)
{
    uint32_t word;
    memcpy(&word, words + i * sizeof word, sizeof word);
    return word;
}

/* How many symbols there are is only in the hash table: the last one that a chain reaches. */
static bool count_symbols(struct reading *it)
{
    const uint64_t table = value(it, DT_GNU_HASH);
    const unsigned char *head = has(it, DT_GNU_HASH) ? fixed(it, table, 16) : NULL;
    if (!head || (has(it, DT_HASH) && !it->any))
        return strange(it, "it has no table of symbols");
    const uint64_t buckets = word(head, 0), first = word(head, 1), bloom = word(head, 2);
    const uint64_t chains = table + 16 + 8 * bloom + 4 * buckets;
    const unsigned char *bucket = fixed(it, table + 16 + 8 * bloom, 4 * buckets);
    if (!bucket)
        return strange(it, "it has no table of symbols");
    if (first > SYMBOLS_MAX || buckets > SYMBOLS_MAX)
        return strange(it, "its table of symbols is too long");
    it->symbols = first;
    for (uint64_t i = 0, steps = 0; i < buckets; i++) {
        uint64_t symbol = word(bucket, i);
        if (symbol == 0)
            continue;
        for (const unsigned char *link = NULL; !link || !(word(link, 0) & 1); symbol++)
            if (steps++ > SYMBOLS_MAX || symbol < first ||
                !(link = fixed(it, chains + 4 * (symbol - first), 4)))
                return strange(it, "its table of symbols is too long");
        if (symbol > it->symbols)
            it->symbols = symbol;
    }
    return fixed(it, value(it, DT_SYMTAB), it->symbols * sizeof(Elf64_Sym)) ||
           strange(it, "it has no table of symbols");
}

static Elf64_Sym symbol_at(const struct reading *it, uint64_t i)
{
    Elf64_Sym symbol;
    memcpy(&symbol, fixed(it, value(it, DT_SYMTAB), it->symbols * sizeof symbol) + i * sizeof symbol,
           sizeof symbol);
    return symbol;
}

static bool is_defined(const Elf64_Sym *symbol)
{
    return symbol->st_shndx != SHN_UNDEF || symbol->st_value != 0;
}

static bool is_for_others(const Elf64_Sym *symbol)
{
    const unsigned visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

static bool look_at_symbols(const struct reading *it, const struct um_library *library)
{
    for (uint64_t i = 1; i < it->symbols; i++) {
        const Elf64_Sym symbol = symbol_at(it, i);
        const char *name = name_at(it, symbol.st_name);
        if (!name)
            return strange(it, "a symbol has no name");
        if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            return refuse(
                it,
                "exercise.c chooses %.60s when it is loaded (__attribute__((ifunc)) or target_clones). "
                "No code of an exercise runs then: choose in the function, when it is called.",
                name);
        if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE)
            return strange(it, "a symbol is unique in the whole process");
        if (is_defined(&symbol) && library->is_ours && library->is_ours(name))
            return refuse(
                it,
                "exercise.c defines %.60s, which is a name of the course's or of CUDA's. Rename yours, "
                "or make it static; the course's functions are called, not defined.",
                name);
    }
    return true;
}

static bool defines(const struct reading *it, const char *wanted, bool function)
{
    for (uint64_t i = 1; i < it->symbols; i++) {
        const Elf64_Sym symbol = symbol_at(it, i);
        const char *name = name_at(it, symbol.st_name);
        if (name && strcmp(name, wanted) == 0 && is_defined(&symbol) && is_for_others(&symbol) &&
            (!function || ELF64_ST_TYPE(symbol.st_info) == STT_FUNC))
            return true;
    }
    return false;
}

/* ---- relocations ---- */

static bool is_known(uint32_t type)
{
    for (size_t i = 0; i < sizeof relocations / sizeof relocations[0]; i++)
        if (relocations[i] == type)
            return true;
    return false;
}

static bool look_at_relocations(const struct reading *it, int64_t table, int64_t bytes)
{
    const uint64_t count = value(it, bytes) / sizeof(Elf64_Rela);
    const unsigned char *from = fixed(it, value(it, table), value(it, bytes));
    if (count == 0 && value(it, bytes) == 0)
        return true;
    if (!from || value(it, bytes) % sizeof(Elf64_Rela) != 0)
        return strange(it, "its table of relocations is cut off");
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Rela entry;
        memcpy(&entry, from + i * sizeof entry, sizeof entry);
        const uint32_t type = ELF64_R_TYPE(entry.r_info);
        if (type == IRELATIVE)
            return refuse(
                it, "exercise.c chooses a function when it is loaded (__attribute__((ifunc)) or "
                    "target_clones). No code of an exercise runs then: choose in the function, when it is "
                    "called.");
        if (!is_known(type))
            return strange(it, "a relocation is of a kind that C programs have not");
        if (type != 0 && !is_variable(it, entry.r_offset, type == DESCRIPTOR ? 16 : 8))
            return refuse_tag(it, DT_TEXTREL);
        if (ELF64_R_SYM(entry.r_info) >= it->symbols && ELF64_R_SYM(entry.r_info) != 0)
            return strange(it, "a relocation is by a symbol that there is not");
    }
    return true;
}

/* ---- all of it ---- */

static bool read_all(struct reading *it)
{
    Elf64_Phdr dynamic = {0};
    return read_head(it) && read_segments(it, &dynamic) && read_dynamic(it, &dynamic) && count_symbols(it);
}

static bool is_known_library(const char *name)
{
    for (size_t i = 0; name && i < sizeof known_libraries / sizeof known_libraries[0]; i++)
        if (strcmp(name, known_libraries[i]) == 0)
            return true;
    return false;
}

static bool look_at_needed(const struct reading *it)
{
    const Elf64_Phdr table = {.p_vaddr = it->dynamic};
    Elf64_Dyn entry;
    for (uint64_t i = 0; entry_at(it, &table, i, &entry) && entry.d_tag != DT_NULL; i++)
        if (entry.d_tag == DT_NEEDED && !is_known_library(name_at(it, entry.d_un.d_val)))
            return strange(it, "it needs a library that it was not linked with");
    return true;
}

bool um_library_is_plain(const struct um_library *library, char *why, size_t size)
{
    struct reading it = {.bytes = library->bytes, .size = library->size, .why = why, .why_size = size};
    if (!read_all(&it) || !look_at_needed(&it) || !look_at_symbols(&it, library) ||
        !look_at_relocations(&it, DT_RELA, DT_RELASZ) || !look_at_relocations(&it, DT_JMPREL, DT_PLTRELSZ))
        return false;
    if ((has(&it, DT_PLTREL) && value(&it, DT_PLTREL) != DT_RELA) ||
        (has(&it, DT_RELAENT) && value(&it, DT_RELAENT) != sizeof(Elf64_Rela)) ||
        value(&it, DT_SYMENT) != sizeof(Elf64_Sym))
        return strange(&it, "its tables have entries of another size");
    for (unsigned i = 0; i < UM_LIBRARY_NEEDS && library->needs[i]; i++)
        if (!defines(&it, library->needs[i], true))
            return refuse(
                &it,
                "exercise.c does not define the function %s, or hides it (static). exercise.h says what it "
                "has to do; one that is not finished yet returns an error.",
                library->needs[i]);
    return true;
}

bool um_library_defines(const void *bytes, size_t size, const char *name)
{
    struct reading it = {.bytes = bytes, .size = size, .any = true};
    return read_all(&it) && defines(&it, name, false);
}
