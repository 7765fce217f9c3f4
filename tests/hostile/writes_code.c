/* hostile: every way to memory that can be executed, and to code that changes after it was loaded */
#include "exercise.h"
#include "inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sys/personality.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#define PAGE ((size_t)4096)
#define ALL (PROT_READ | PROT_WRITE | PROT_EXEC)

static void harm(int worked, const char *how)
{
    if (worked)
        printf("HARM: %s\n", how);
}

static void *page_of(const void *p)
{
    return (void *)((uintptr_t)p & ~(uintptr_t)(PAGE - 1));
}

static void new_code(void)
{
    char *plain = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    harm(mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED, "mapped memory to execute");
    harm(mmap(NULL, PAGE, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED, "mapped code");
    harm(mprotect(plain, PAGE, PROT_READ | PROT_EXEC) == 0, "mprotect to code");
    harm(mprotect(plain, PAGE, PROT_EXEC | PROT_GROWSDOWN) == 0 && errno == 0, "mprotect downwards");
    harm(syscall(SYS_pkey_mprotect, plain, PAGE, PROT_READ | PROT_EXEC, -1) == 0, "pkey_mprotect to code");
    harm(mprotect(page_of(__builtin_frame_address(0)), PAGE, ALL) == 0, "its stack as code");
    harm(personality(READ_IMPLIES_EXEC) >= 0, "personality: what is read is code");
    harm(syscall(SYS_memfd_create, "code", 0) >= 0, "a file of memory");
    int segment = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0700);
    harm(segment >= 0, "a segment of shared memory");
    harm(shmat(segment < 0 ? 0 : segment, NULL, SHM_EXEC) != (void *)-1, "shared memory as code");
    harm(syscall(SYS_remap_file_pages, plain, PAGE, PROT_EXEC, 0, 0) == 0, "remap_file_pages");
    harm(dlopen("libresolv.so.2", RTLD_NOW) != NULL, "another library");
}

static void new_program(void)
{
    char *argv[] = {(char *)"true", NULL};
    int file = open("/usr/bin/true", O_RDONLY);
    syscall(SYS_execve, "/usr/bin/true", argv, argv + 1);
    syscall(SYS_execveat, file, "", argv, argv + 1, 0x1000 /* AT_EMPTY_PATH */);
    harm(file >= 0 && mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED,
         "a file as code");
    harm(syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, NULL) == 0 || errno == EFAULT,
         "another filter");
}

/* Code and constants of a library: to be opened, given back, covered, moved, or moved over. */
static void change(void *code, const char *whose)
{
    char *page = page_of(code), *from = page_of((void *)(uintptr_t)new_code);
    printf("%s: %s\n", code ? "AIMED" : "MISSED", whose);
    if (!code)
        return;
    for (int at = -1; at < 2; at++) {
        char *start = page + at * (int)PAGE;
        harm(mprotect(start, PAGE, ALL) == 0, "code opened");
        harm(mprotect(start - 64 * PAGE, 65 * PAGE, PROT_READ | PROT_WRITE) == 0,
             "code opened from before it");
        harm(mprotect(start, PAGE, PROT_READ | PROT_WRITE) == 0, "code opened, then not code");
        harm(munmap(start, PAGE) == 0, "code given back");
        harm(munmap(start - PAGE / 2 / PAGE * PAGE, 2 * PAGE) == 0, "code given back with what follows");
        harm(madvise(start, PAGE, MADV_DONTNEED) == 0, "code as in the file");
        harm(mmap(start, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
                 MAP_FAILED,
             "code covered");
        harm(mremap(start, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, from) != MAP_FAILED, "code moved");
        harm(mremap(from, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, start) != MAP_FAILED,
             "its code moved there");
        harm(mremap(start, PAGE, 2 * PAGE, MREMAP_MAYMOVE) != MAP_FAILED, "code moved away");
        harm(cudaHostRegister(start, PAGE, cudaHostRegisterDefault) == cudaSuccess, "code registered");
    }
    harm(mprotect(page, ~(size_t)0 - (uintptr_t)page, ALL) == 0, "all memory opened");
    harm(mprotect(page - ((size_t)1 << 32), ((size_t)1 << 32) + PAGE, PROT_READ | PROT_WRITE) == 0,
         "4 GiB opened");
}

/* The tables of addresses of each library that was there first. */
static int tables(struct dl_phdr_info *object, size_t size, void *count)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        char *start = page_of((void *)(object->dlpi_addr + part->p_vaddr));
        if (part->p_type != PT_GNU_RELRO || strstr(object->dlpi_name, "submission") || part->p_memsz < PAGE)
            continue;
        ++*(int *)count;
        harm(mprotect(start, PAGE, PROT_READ | PROT_WRITE) == 0, "addresses opened");
        harm(mmap(start, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
                 MAP_FAILED,
             "addresses covered");
        harm(munmap(start, PAGE) == 0, "addresses given back");
    }
    return 0;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    int count = 0;
    new_code();
    new_program();
    change(aim("umsim_ledger_call"), "code of the simulator");
    change(dlsym(RTLD_DEFAULT, "cudaMemcpy"), "code of CUDA");
    change(dlsym(RTLD_DEFAULT, "um_vector_add"), "code of the kernels");
    change(dlsym(RTLD_DEFAULT, "malloc"), "code of the C library");
    dl_iterate_phdr(tables, &count);
    printf("%s: tables of addresses\n", count > 2 ? "AIMED" : "MISSED");
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
