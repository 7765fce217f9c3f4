/**
 * @file inside.h
 * @brief Where libumsim.so's own functions and variables are, for attacks on them.
 *
 * Its map of exports hides them from dlsym(). An attacker reads them in the table of symbols that the file
 * has all the same, and so does this. Submissions call aim(), which says for run.py what it found.
 */
#ifndef HOSTILE_INSIDE_H
#define HOSTILE_INSIDE_H

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/** Its value in the table of symbols of the ELF file that is at `file`; 0 when it is not there. */
static inline uintptr_t inside_file(const char *file, const char *symbol)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff), *table = sections;
    while (table < sections + head->e_shnum && table->sh_type != SHT_SYMTAB)
        table++;
    if (table == sections + head->e_shnum)
        return 0;
    const char *names = file + sections[table->sh_link].sh_offset;
    const Elf64_Sym *entry = (const Elf64_Sym *)(file + table->sh_offset);
    for (size_t left = table->sh_size / sizeof *entry; left > 0; left--, entry++)
        if (entry->st_shndx != SHN_UNDEF && strcmp(names + entry->st_name, symbol) == 0)
            return entry->st_value;
    return 0;
}

/** The library's file, and the address at which it was loaded. */
static inline bool inside_loaded(char path[1024], unsigned long *base)
{
    char line[1200];
    unsigned long offset;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = sscanf(line, "%lx-%*x %*s %lx %*s %*s %1023[^\n]", base, &offset, path) == 3 && offset == 0 &&
                strstr(path, "/libumsim.so");
    if (maps)
        fclose(maps);
    return found;
}

/** The address of a function or variable of the library's; NULL when there is none of that name. */
static inline void *inside(const char *symbol)
{
    char path[1024];
    unsigned long base = 0;
    uintptr_t value = 0;
    struct stat is;
    int fd = inside_loaded(path, &base) ? open(path, O_RDONLY) : -1;
    if (fd >= 0 && fstat(fd, &is) == 0) {
        void *file = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            value = inside_file((const char *)file, symbol);
            munmap(file, (size_t)is.st_size);
        }
    }
    if (fd >= 0)
        close(fd);
    return value ? (void *)(base + value) : NULL;
}

/** The same for a submission, which has to say what it found. */
static inline void *aim(const char *symbol)
{
    void *found = inside(symbol);
    printf("%s: %s\n", found ? "AIMED" : "MISSED", symbol);
    return found;
}

/** Lets a function of the library's return at once, as long as its code can be written. */
static inline void mute(const char *symbol)
{
    static const unsigned char back[] =
#ifdef __x86_64__
        {0xc3};
#else
        {0xc0, 0x03, 0x5f, 0xd6};
#endif
    unsigned char *code = (unsigned char *)aim(symbol);
    void *page = (void *)((uintptr_t)code & ~(uintptr_t)4095);
    if (code && mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
        memcpy(code, back, sizeof back);
}

#endif
