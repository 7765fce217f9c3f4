/**
 * @file host_mappings.c
 * @brief What the simulator finds out about the program's own mappings and libraries, beside other sources of
 * it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/library.h"
#include "space/fragments.h"
#include "space/host_mapping.h"
#include "space/proc_maps.h"
#include "um_test.h"

enum { LINES_MAX = 400, BYTES = 1 << 16 };

/* The list's own text, read apart. */
static struct line {
    unsigned long start, end;
    char protection[8];
} lines[LINES_MAX];
static int line_count;

static void read_lines(void)
{
    char text[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    for (line_count = 0; line_count < LINES_MAX && fgets(text, sizeof text, maps);)
        if (sscanf(text, "%lx-%lx %7s", &lines[line_count].start, &lines[line_count].end,
                   lines[line_count].protection) == 3 &&
            (long)lines[line_count].start > 0) /* the last line of x86-64's list is the kernel's own */
            line_count++;
    fclose(maps);
}

static void each_line_is_found(int fd)
{
    for (int i = 0; i < line_count; i++) {
        struct umsim_mapping found = {0};
        const unsigned long middle = lines[i].start + (lines[i].end - lines[i].start) / 2;
        CU_ASSERT_TRUE_FATAL(umsim_proc_maps_find(fd, middle, &found));
        CU_ASSERT_EQUAL(found.start, lines[i].start);
        CU_ASSERT_EQUAL(found.end, lines[i].end);
        UM_STRING_EQUAL(found.protection, lines[i].protection);
        if (i + 1 < line_count && lines[i].end < lines[i + 1].start) {
            CU_ASSERT_TRUE(umsim_proc_maps_find(fd, lines[i].end, &found));
            CU_ASSERT_EQUAL(found.start, lines[i + 1].start);
        }
    }
}

/* A copy of the list is a plain file: no question can be asked of it, so it is read. */
static int copy_of_the_list(void)
{
    const int list = open("/proc/self/maps", O_RDONLY), copy = memfd_create("maps", 0);
    char text[1 << 16];
    for (ssize_t got; (got = read(list, text, sizeof text)) > 0;)
        CU_ASSERT_EQUAL(write(copy, text, (size_t)got), got);
    close(list);
    lseek(copy, 0, SEEK_SET);
    return copy;
}

static void a_mapping_is_found_by_asking_the_system(void)
{
    const int fd = open("/proc/self/maps", O_RDONLY);
    read_lines();
    each_line_is_found(fd);
    close(fd);
}

static void a_mapping_is_found_by_reading_the_list_alike(void)
{
    struct umsim_mapping asked, read_there;
    char *p = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int list = open("/proc/self/maps", O_RDONLY);
    read_lines();
    for (int i = 0; i < 3; i++) {
        const int copy = copy_of_the_list();
        const uintptr_t address = i == 0 ? (uintptr_t)p : i == 1 ? (uintptr_t)&lines : (uintptr_t)cos;
        CU_ASSERT_TRUE_FATAL(umsim_proc_maps_find(copy, address, &read_there));
        CU_ASSERT_TRUE_FATAL(umsim_proc_maps_find(list, address, &asked));
        CU_ASSERT_EQUAL(asked.start, read_there.start);
        CU_ASSERT_EQUAL(asked.file, read_there.file);
        CU_ASSERT_EQUAL(asked.device, read_there.device);
        CU_ASSERT_EQUAL(asked.offset, read_there.offset);
        UM_STRING_EQUAL(asked.protection, read_there.protection);
        close(copy);
    }
    close(list);
    munmap(p, BYTES);
}

static enum umsim_pinning pinning_of(const char *p, bool for_writing)
{
    struct umsim_host_mapping piece;
    return umsim_host_mapping_at((uintptr_t)p, (uintptr_t)p + BYTES, for_writing, &piece);
}

static void what_can_be_pinned_depends_on_protection_and_sharing(void)
{
    const struct {
        int protection, flags;
        enum umsim_pinning to_write, to_read;
    } cases[] = {
        {PROT_READ | PROT_WRITE, MAP_PRIVATE, UMSIM_PINS, UMSIM_PINS},
        {PROT_READ | PROT_WRITE, MAP_SHARED, UMSIM_PINS, UMSIM_PINS},
        {PROT_READ, MAP_PRIVATE, UMSIM_PINS_NOT, UMSIM_PINS},
        {PROT_READ, MAP_SHARED, UMSIM_PINS_NOT, UMSIM_PINS},
        {PROT_NONE, MAP_PRIVATE, UMSIM_PINS_NOT, UMSIM_PINS_NOT},
        {PROT_NONE, MAP_SHARED, UMSIM_PINS_NOT, UMSIM_PINS_NOT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *p = mmap(NULL, BYTES, cases[i].protection, cases[i].flags | MAP_ANONYMOUS, -1, 0);
        CU_ASSERT_PTR_NOT_EQUAL_FATAL(p, MAP_FAILED);
        UM_EQUAL(pinning_of(p, true), cases[i].to_write);
        UM_EQUAL(pinning_of(p, false), cases[i].to_read);
        munmap(p, BYTES);
        UM_EQUAL(pinning_of(p, false), UMSIM_PINS_NOT);
    }
}

static void a_device_cannot_be_pinned(void)
{
    const int fd = open("/dev/zero", O_RDWR);
    char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    UM_EQUAL(pinning_of(p, true), UMSIM_PINS); /* Linux makes shared memory of it */
    munmap(p, BYTES);
    close(fd);
    const int memory = open("/dev/mem", O_RDONLY);
    p = memory < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, memory, 0);
    if (memory >= 0)
        close(memory);
    if (p == MAP_FAILED)
        UM_SKIP("no device's memory can be mapped here");
    UM_EQUAL(pinning_of(p, false), UMSIM_PINS_NOT);
    munmap(p, 4096);
}

static void an_addresss_library_is_the_dynamic_linkers(void)
{
    void *const addresses[] = {(void *)(uintptr_t)cos, (void *)(uintptr_t)printf, (void *)(uintptr_t)dlsym,
                               (void *)(uintptr_t)umsim_library_of};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct umsim_library library;
        Dl_info info;
        void *const address = addresses[i];
        CU_ASSERT_FATAL(dladdr(address, &info) != 0);
        CU_ASSERT_TRUE(umsim_library_of(address, &library));
        UM_STRING_EQUAL(library.file, info.dli_fname);
        CU_ASSERT_EQUAL(library.base, (uintptr_t)info.dli_fbase);
        CU_ASSERT_TRUE(library.start <= (uintptr_t)address && (uintptr_t)address < library.end);
    }
}

static void the_program_has_no_file_name_and_the_heap_no_library(void)
{
    struct umsim_library library;
    void *block = malloc(64);
    CU_ASSERT_TRUE(umsim_library_of(&lines, &library));
    UM_STRING_EQUAL(library.file, "");
    CU_ASSERT_FALSE(umsim_library_of(block, &library));
    CU_ASSERT_EQUAL(library.start, library.end);
    free(block);
}

/* The ring of blocks that are in parts, beside a plain list. */
static void a_spaces_blocks_leave_the_ring_and_the_others_keep_their_order(void)
{
    static struct umsim_fragments account;
    static uint16_t parts[3][50];
    struct umsim_fragmented victim;
    umsim_fragments_start(&account);
    account.limit = 1000;
    for (uint32_t block = 0; block < 50; block++)
        for (uint32_t space = 0; space < 3; space++)
            CU_ASSERT_FALSE(umsim_fragments_opened(
                &account, (struct umsim_fragmented){space, block, &parts[space][block]}, 0, &victim));
    for (uint32_t block = 0; block < 50; block++)
        umsim_fragments_closed(&account, &parts[1][block], 0);
    umsim_fragments_drop(&account, 1);
    CU_ASSERT_EQUAL(account.total, 100);
    account.limit = 99; /* from now on each opening names a victim, the oldest first */
    for (uint32_t i = 0; i < 100; i++) {
        uint16_t more = 0;
        CU_ASSERT_TRUE_FATAL(
            umsim_fragments_opened(&account, (struct umsim_fragmented){7, i, &more}, 0, &victim));
        CU_ASSERT_EQUAL(victim.space, i % 2 * 2);
        CU_ASSERT_EQUAL(victim.block, i / 2);
        umsim_fragments_closed(&account, victim.parts, 0);
    }
}

UM_TESTS("the host's mappings",
         {"a mapping is found by asking the system", a_mapping_is_found_by_asking_the_system},
         {"a mapping is found by reading the list, alike", a_mapping_is_found_by_reading_the_list_alike},
         {"what can be pinned depends on protection and sharing",
          what_can_be_pinned_depends_on_protection_and_sharing},
         {"a device cannot be pinned", a_device_cannot_be_pinned},
         {"an address's library is the dynamic linker's", an_addresss_library_is_the_dynamic_linkers},
         {"the program has no file name, and the heap no library",
          the_program_has_no_file_name_and_the_heap_no_library},
         {"a space's blocks leave the ring, and the others keep their order",
          a_spaces_blocks_leave_the_ring_and_the_others_keep_their_order});
