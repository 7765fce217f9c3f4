/**
 * @file grade_library.c
 * @brief What grade/library.h accepts and refuses, on a library that is written here byte by byte, so that
 * each rule can be broken alone; and on bytes that are broken at random.
 *
 * Each library ends where a page that cannot be read begins: a read beyond its end is a crash. tests/hostile
 * has the same rules on what gcc makes of sources.
 */
#include "grade/library.h"
#include "um_test.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
#define MACHINE EM_X86_64
#define ADDRESS R_X86_64_64
#define IRELATIVE R_X86_64_IRELATIVE
#define COPY R_X86_64_COPY
#else
#define MACHINE EM_AARCH64
#define ADDRESS R_AARCH64_ABS64
#define IRELATIVE R_AARCH64_IRELATIVE
#define COPY R_AARCH64_COPY
#endif

#define PAGE 4096
enum { ENTRIES = 14, EXTRA = ENTRIES - 2 }; /* of the dynamic table; the last but one is free */

/** A library as the loader reads it: tables, variables, code, a page each. */
static struct image {
    Elf64_Ehdr head;
    Elf64_Phdr part[5];
    uint32_t hash_head[4];
    uint64_t bloom;
    uint32_t bucket, chain;
    Elf64_Sym symbol[3];
    Elf64_Rela relocation[2];
    char names[64];
    char rest[PAGE - 560];
    Elf64_Dyn dynamic[ENTRIES];
    uint64_t variable[(PAGE - ENTRIES * 16) / 8];
    unsigned char code[PAGE];
} image;
_Static_assert(sizeof(struct image) == 3 * PAGE, "a page each");

#define AT(member) offsetof(struct image, member)
#define NAMES "\0cudaMalloc\0exercise\0libc.so.6\0um_fill"
enum { CUDA_MALLOC = 1, EXERCISE = 12, LIBC = 21, UM_FILL = 31 };

static void make_image(void)
{
    memset(&image, 0, sizeof image);
    image.head =
        (Elf64_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                     .e_type = ET_DYN,
                     .e_machine = MACHINE,
                     .e_phoff = AT(part),
                     .e_phentsize = sizeof image.part[0],
                     .e_phnum = 5};
    const Elf64_Phdr parts[5] = {
        {PT_LOAD, PF_R, 0, 0, 0, PAGE, PAGE, PAGE},
        {PT_LOAD, PF_R | PF_W, PAGE, PAGE, PAGE, PAGE, PAGE, PAGE},
        {PT_LOAD, PF_R | PF_X, 2 * PAGE, 2 * PAGE, 2 * PAGE, PAGE, PAGE, PAGE},
        {PT_DYNAMIC, PF_R | PF_W, PAGE, PAGE, PAGE, sizeof image.dynamic, sizeof image.dynamic, 8},
        {PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16},
    };
    memcpy(image.part, parts, sizeof parts);
    memcpy(image.names, NAMES, sizeof NAMES);
    memcpy(image.hash_head, (uint32_t[]){1, 2, 1, 0}, 16);
    image.bucket = 2;
    image.chain = 1;
    image.symbol[1] = (Elf64_Sym){.st_name = CUDA_MALLOC, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
    image.symbol[2] = (Elf64_Sym){.st_name = EXERCISE,
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                  .st_shndx = 1,
                                  .st_value = 2 * PAGE};
    image.relocation[0] = (Elf64_Rela){AT(variable), ELF64_R_INFO((uint64_t)1, ADDRESS), 0};
    image.relocation[1] = (Elf64_Rela){AT(variable) + 8, ELF64_R_INFO((uint64_t)2, ADDRESS), 0};
    const Elf64_Dyn dynamic[ENTRIES] = {
        {DT_NEEDED, {LIBC}},
        {DT_GNU_HASH, {AT(hash_head)}},
        {DT_STRTAB, {AT(names)}},
        {DT_STRSZ, {sizeof image.names}},
        {DT_SYMTAB, {AT(symbol)}},
        {DT_SYMENT, {sizeof image.symbol[0]}},
        {DT_RELA, {AT(relocation)}},
        {DT_RELASZ, {sizeof image.relocation}},
        {DT_RELAENT, {sizeof image.relocation[0]}},
        {DT_PLTREL, {DT_RELA}},
        {DT_FLAGS, {DF_BIND_NOW}},
        {DT_FLAGS_1, {DF_1_NOW}},
        {DT_PLTGOT, {AT(variable)}},
    };
    memcpy(image.dynamic, dynamic, sizeof dynamic);
}

static bool is_ours(const char *name)
{
    return strncmp(name, "um_", 3) == 0 || strncmp(name, "cuda", 4) == 0;
}

/* Looks at bytes that lie in front of a closed page. */
static bool look(const void *bytes, size_t size, const char *needs, char *why, size_t why_size)
{
    const size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    char *memory = mmap(NULL, whole + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct um_library library = {
        .bytes = memory + whole - size, .size = size, .needs = {needs}, .is_ours = is_ours};
    bool plain;

    if (memory == MAP_FAILED || mprotect(memory + whole, PAGE, PROT_NONE) != 0)
        um_test_skip("no memory");
    memcpy(memory + whole - size, bytes, size);
    plain = um_library_is_plain(&library, why, why_size);
    (void)um_library_defines(library.bytes, size, "exercise");
    munmap(memory, whole + PAGE);
    return plain;
}

static void accepts(const char *what)
{
    char why[400] = "";
    if (!look(&image, sizeof image, "exercise", why, sizeof why))
        UM_FAIL("%s: %s", what, why);
}

/* Refused, in words that hold `sign`; the next case begins with a good library. */
static void refuses(const char *what, const char *sign)
{
    char why[400] = "";
    if (look(&image, sizeof image, "exercise", why, sizeof why))
        UM_FAIL("%s: taken", what);
    else if (!strstr(why, sign))
        UM_FAIL("%s: refused because %s", what, why);
    make_image();
}

static void a_plain_library_is_taken(void)
{
    make_image();
    accepts("as made");
    image.symbol[2].st_other = STV_PROTECTED;
    accepts("a protected function");
    CU_ASSERT(um_library_defines(&image, sizeof image, "exercise"));
    CU_ASSERT(!um_library_defines(&image, sizeof image, "cudaMalloc"));
}

static void code_that_runs_by_itself_is_refused(void)
{
    static const int64_t starts[] = {DT_INIT, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, DT_PREINIT_ARRAY,
                                     DT_PREINIT_ARRAYSZ};
    static const int64_t ends[] = {DT_FINI, DT_FINI_ARRAY, DT_FINI_ARRAYSZ};
    make_image();
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        image.dynamic[EXTRA].d_tag = starts[i];
        refuses("code at the start", "a constructor");
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        image.dynamic[EXTRA].d_tag = ends[i];
        refuses("code at the end", "a destructor");
    }
    image.symbol[2].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
    refuses("a chosen function", "chooses exercise");
    image.symbol[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
    refuses("a chosen function elsewhere", "chooses cudaMalloc");
    image.relocation[1].r_info = ELF64_R_INFO(0, IRELATIVE);
    refuses("a chosen address", "chooses a function");
}

static void writes_but_to_its_variables_are_refused(void)
{
    static const uint64_t elsewhere[] = {0,
                                         PAGE - 8,
                                         PAGE - 4,
                                         AT(dynamic),
                                         AT(dynamic) + sizeof image.dynamic - 8,
                                         AT(variable) - 4,
                                         2 * PAGE - 4,
                                         2 * PAGE,
                                         3 * PAGE,
                                         1 << 30,
                                         UINT64_MAX - 3,
                                         UINT64_MAX - PAGE};
    make_image();
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        image.relocation[0].r_offset = elsewhere[i];
        refuses("a relocation elsewhere", "TEXTREL");
    }
    image.relocation[0].r_info = ELF64_R_INFO((uint64_t)1, COPY);
    refuses("an unusual relocation", "a relocation is of a kind");
    image.relocation[0].r_info = ELF64_R_INFO((uint64_t)3, ADDRESS);
    refuses("a relocation by no symbol", "a symbol that there is not");
    image.dynamic[EXTRA].d_tag = DT_TEXTREL;
    refuses("a tag", "TEXTREL");
    image.dynamic[10].d_un.d_val |= DF_TEXTREL;
    refuses("a flag", "TEXTREL");
    image.part[1].p_flags |= PF_X;
    refuses("code that can be written", "written and executed");
    image.part[4].p_flags |= PF_X;
    refuses("the stack", "executable stack");
    image.part[4].p_type = PT_NULL;
    refuses("nothing about the stack", "a part is missing");
}

static void names_of_ours_are_refused(void)
{
    make_image();
    image.symbol[1].st_shndx = 1;
    refuses("a definition of cudaMalloc", "defines cudaMalloc");
    image.symbol[1].st_value = 2 * PAGE;
    refuses("a place for cudaMalloc", "defines cudaMalloc");
    image.symbol[2].st_name = UM_FILL;
    refuses("another name of ours", "defines um_fill");
    image.symbol[2].st_info = ELF64_ST_INFO(STB_GNU_UNIQUE, STT_FUNC);
    refuses("a unique name", "unique");
    image.symbol[2].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    refuses("a variable", "does not define the function exercise");
    image.symbol[2].st_other = STV_HIDDEN;
    refuses("a hidden function", "does not define the function exercise");
    image.symbol[2].st_shndx = 0;
    image.symbol[2].st_value = 0;
    refuses("an undefined function", "does not define the function exercise");
}

static void what_a_loader_might_act_on_is_refused(void)
{
    static const int64_t tags[] = {DT_RPATH,    DT_RUNPATH, DT_AUDIT, DT_DEPAUDIT, DT_FILTER, DT_AUXILIARY,
                                   DT_SYMBOLIC, DT_VERDEF,  DT_REL,   DT_RELR,     DT_DEBUG,  0x70000001};
    make_image();
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        image.dynamic[EXTRA].d_tag = tags[i];
        refuses("an entry", "");
    }
    image.dynamic[EXTRA] = (Elf64_Dyn){DT_STRTAB, {AT(names)}};
    refuses("an entry twice", "twice");
    image.dynamic[11].d_un.d_val |= DF_1_GLOBAL;
    refuses("names for all", "more than to be loaded");
    image.dynamic[0].d_un.d_val = EXERCISE;
    refuses("another library", "not linked with");
    image.dynamic[2].d_un.d_ptr = AT(variable); /* names that relocations could write */
    refuses("names in variables", "no table of names");
    image.dynamic[4].d_un.d_ptr = AT(variable);
    refuses("symbols in variables", "no table of symbols");
    image.dynamic[6].d_un.d_ptr = AT(variable);
    refuses("relocations in variables", "cut off");
    image.chain = 0;
    memset(image.rest, 0, sizeof image.rest);
    refuses("a chain without an end", "");
    image.part[1].p_vaddr = PAGE / 2;
    refuses("parts upon each other", "overlap");
}

/* What is broken at random is refused or taken, but never crashes the reader, and ends. */
static void broken_libraries_do_not_harm_the_reader(void)
{
    char why[400];
    unsigned long refused = 0;
    unsigned state = 1;
    for (int round = 0; round < 20000; round++) {
        make_image();
        for (int i = 0, many = 1 + rand_r(&state) % 4; i < many; i++) {
            unsigned char *byte =
                (unsigned char *)&image + rand_r(&state) % (unsigned)(PAGE + sizeof image.dynamic);
            if ((size_t)(byte - (unsigned char *)&image) >= AT(rest) &&
                (size_t)(byte - (unsigned char *)&image) < PAGE)
                byte = (unsigned char *)&image + rand_r(&state) % (unsigned)AT(rest);
            *byte = (unsigned char)(rand_r(&state) % 3 ? rand_r(&state) : 0xff);
        }
        refused += !look(&image, rand_r(&state) % 8 ? sizeof image : rand_r(&state) % sizeof image,
                         "exercise", why, sizeof why);
    }
    CU_ASSERT(refused > 5000 && refused < 20000);
}

static void real_libraries_are_read(void)
{
    struct stat is;
    const struct link_map *map = _r_debug.r_map;
    int fd = -1;
    while (map && !strstr(map->l_name, "/libc.so"))
        map = map->l_next;
    if (map)
        fd = open(map->l_name, O_RDONLY);
    if (fd < 0 || fstat(fd, &is) != 0)
        um_test_skip("the C library's file cannot be read");
    const void *bytes = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    CU_ASSERT(um_library_defines(bytes, (size_t)is.st_size, "malloc"));
    CU_ASSERT(um_library_defines(bytes, (size_t)is.st_size, "memcpy"));
    CU_ASSERT(!um_library_defines(bytes, (size_t)is.st_size, "cudaMalloc"));
}

UM_TESTS("grade library", {"a plain library is taken", a_plain_library_is_taken},
         {"code that runs by itself is refused", code_that_runs_by_itself_is_refused},
         {"writes but to its variables are refused", writes_but_to_its_variables_are_refused},
         {"names of ours are refused", names_of_ours_are_refused},
         {"what a loader might act on is refused", what_a_loader_might_act_on_is_refused},
         {"broken libraries do not harm the reader", broken_libraries_do_not_harm_the_reader},
         {"real libraries are read", real_libraries_are_read});
