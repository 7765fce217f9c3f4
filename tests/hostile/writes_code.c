/* hostile: every way to memory that can be executed, and to code that could be written */
#include "exercise.h"
#include "inside.h"

#include <dlfcn.h>
#include <errno.h>
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

/* Code of a library: to be opened, or moved to where it could be written. It may be given back, or closed: it
 * does not come back as code. */
static void change(void *code, const char *whose)
{
    char *page = page_of(code);
    printf("%s: %s\n", code ? "AIMED" : "MISSED", whose);
    if (!code)
        return;
    harm(mprotect(page, PAGE, ALL) == 0, "code opened");
    harm(mprotect(page - 64 * PAGE, 65 * PAGE, PROT_WRITE | PROT_EXEC) == 0, "code opened from before it");
    harm(mprotect(page, ~(size_t)0 - (uintptr_t)page, ALL) == 0, "all memory opened");
    harm(cudaHostRegister(page, PAGE, cudaHostRegisterDefault) == cudaSuccess &&
             ((volatile char *)page)[0] != 0 && mprotect(page, PAGE, PROT_READ | PROT_EXEC) == 0,
         "code registered");
    if (mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0)
        harm(mprotect(page, PAGE, PROT_READ | PROT_EXEC) == 0, "code written, and code again");
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    new_code();
    new_program();
    change(aim("umsim_client_device_only"), "code of the simulator");
    change(dlsym(RTLD_DEFAULT, "um_vector_add"), "code of the kernels");
    change(dlsym(RTLD_DEFAULT, "qsort_r"), "code of the C library");
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
