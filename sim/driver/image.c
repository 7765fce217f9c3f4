/**
 * @file image.c
 * @brief Implementation of image.h.
 *
 * The image's length is not told, and may end anywhere: it is read by a system call, which says so instead of
 * faulting.
 */
#include "image.h"
#include "../base/memory.h"
#include "../base/report.h"
#include "../include/umsim/image.h"
#include "../include/umsim/image_text.h"

#include <ctype.h>
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** NVIDIA's kinds of machine code: an ELF file for its machine, and files that hold several. */
#define MACHINE_CUDA 190
#define FATBIN 0xba55ed50u
#define FATBIN_WRAPPER 0x466243b1u
/** No module is larger, 1 GiB. */
#define LARGEST ((size_t)1 << 30)

CUresult umsim_image_refuse(struct umsim_image_log *log, CUresult error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(log->text, sizeof log->text, format, arguments);
    va_end(arguments);
    umsim_say("%s", log->text);
    return error;
}

/* Copies from the program's memory, as far as it can be read. @return how many bytes */
static size_t copy_out(int file, const char *from, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        const ssize_t some = write(file, from + done, bytes - done);
        if (some <= 0)
            break;
        done += (size_t)some;
    }
    return done;
}

/* The first bytes, without reading behind the end of what is mapped. */
static size_t peek(const void *image, void *start, size_t bytes)
{
    int file = umsim_memory_file("image", 0);
    if (file < 0)
        return 0;
    size_t got = copy_out(file, image, bytes);
    if (pread(file, start, got, 0) != (ssize_t)got)
        got = 0;
    close(file);
    return got;
}

/* PTX is text, whose first statement is .version, behind comments. */
static bool is_ptx(const char *text, size_t bytes)
{
    const char *at = text, *end = text + bytes;
    while (at < end) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n')
                at++;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            for (at += 2; at < end && !(at[-1] == '*' && at[0] == '/'); at++)
                ;
            at += at < end;
        } else {
            return end - at >= 8 && memcmp(at, ".version", 8) == 0;
        }
    }
    return false;
}

static CUresult refuse_ptx(struct umsim_image_log *log)
{
    return umsim_image_refuse(
        log, CUDA_ERROR_INVALID_PTX,
        "this module is PTX, which the simulated GPU does not run: compile its source by umcc "
        "--cubin, and load that");
}

static CUresult refuse_machine_code(struct umsim_image_log *log)
{
    return umsim_image_refuse(
        log, CUDA_ERROR_NO_BINARY_FOR_GPU,
        "this module is machine code for an NVIDIA GPU, which the simulated GPU cannot run: "
        "compile its source by umcc --cubin, and load that");
}

static CUresult refuse_unknown(struct umsim_image_log *log, const char *why)
{
    return umsim_image_refuse(log, CUDA_ERROR_INVALID_IMAGE,
                              "this is no module that umcc made (%s): umcc --cubin makes one of a .cu file",
                              why);
}

/* @return the bytes of the shared object: its table of sections is its end; 0: it is none of ours */
static size_t object_bytes(const Elf64_Ehdr *head)
{
    const size_t table = (size_t)head->e_shnum * head->e_shentsize;
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64 || head->e_type != ET_DYN ||
        head->e_shoff > LARGEST || !table)
        return 0;
    return (size_t)head->e_shoff + table;
}

static CUresult copy_object(const void *image, size_t bytes, int *file, struct umsim_image_log *log)
{
    struct umsim_image_end end;
    uint64_t hash[2];
    *file = umsim_memory_file("module", 0);
    if (*file < 0)
        return umsim_image_refuse(log, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a module of %zu bytes",
                                  bytes);
    CUresult error = CUDA_SUCCESS;
    const size_t all = bytes + sizeof end;
    const char *copy = MAP_FAILED;
    if (copy_out(*file, image, all) != all)
        error = refuse_unknown(log, "it is shorter than it says");
    else if ((copy = mmap(NULL, all, PROT_READ, MAP_PRIVATE, *file, 0)) == MAP_FAILED)
        error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!error) {
        memcpy(&end, copy + bytes, sizeof end);
        umsim_image_hash(copy, bytes, hash);
        if (memcmp(end.magic, UMSIM_IMAGE_MAGIC, sizeof end.magic) != 0)
            error = refuse_unknown(log, "a shared object of another compiler's");
        else if (end.bytes != bytes || memcmp(end.hash, hash, sizeof hash) != 0)
            error = refuse_unknown(log, "it has changed since");
        munmap((void *)(uintptr_t)copy, all);
    }
    if (error)
        close(*file);
    return error;
}

/* A module that came as text (umsim/image_text.h) is loaded as one that did not. */
static CUresult copy_text(const char *text, size_t begins, size_t bytes, int *file,
                          struct umsim_image_log *log)
{
    const size_t digits = bytes <= LARGEST ? umsim_image_text_digits(bytes) : 0;
    const int copy = umsim_memory_file("module as text", 0);
    CUresult error = CUDA_SUCCESS;
    unsigned char *object = malloc(digits / 4 * 3 + 1);
    const char *from = MAP_FAILED;
    if (copy < 0 || !object)
        error =
            umsim_image_refuse(log, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a module of %zu bytes", bytes);
    else if (!digits || copy_out(copy, text + begins, digits) != digits)
        error = refuse_unknown(log, "it is shorter than it says");
    else if ((from = mmap(NULL, digits, PROT_READ, MAP_PRIVATE, copy, 0)) == MAP_FAILED)
        error = CUDA_ERROR_OUT_OF_MEMORY;
    else if (!umsim_image_from_text(from, digits, object))
        error = refuse_unknown(log, "it has changed since");
    if (from != MAP_FAILED)
        munmap((void *)(uintptr_t)from, digits);
    if (copy >= 0)
        close(copy);
    if (!error)
        error = bytes < sizeof(Elf64_Ehdr) ? refuse_unknown(log, "it has changed since")
                                           : umsim_image_copy(object, file, log);
    free(object);
    return error;
}

CUresult umsim_image_copy(const void *image, int *file, struct umsim_image_log *log)
{
    union {
        char text[2048];
        uint32_t word;
        Elf64_Ehdr elf;
    } start;
    memset(&start, 0, sizeof start);
    const size_t bytes = peek(image, &start, sizeof start - 1);
    size_t module_bytes = 0;
    const size_t begins = umsim_image_text_begins(start.text, &module_bytes);
    if (begins)
        return copy_text(image, begins, module_bytes, file, log);
    if (bytes >= sizeof start.word && (start.word == FATBIN || start.word == FATBIN_WRAPPER))
        return refuse_machine_code(log);
    if (bytes < sizeof start.elf || memcmp(start.elf.e_ident, ELFMAG, SELFMAG) != 0)
        return is_ptx(start.text, strnlen(start.text, bytes)) ? refuse_ptx(log)
                                                              : refuse_unknown(log, "not an object file");
    if (start.elf.e_machine == MACHINE_CUDA)
        return refuse_machine_code(log);
    const size_t object = object_bytes(&start.elf);
    return object ? copy_object(image, object, file, log)
                  : refuse_unknown(log, "not a shared object of x86-64");
}

bool umsim_image_is_linked(const void *image, struct umsim_linked *linked)
{
    return peek(image, linked, sizeof *linked) == sizeof *linked &&
           memcmp(linked->magic, UMSIM_LINKED_MAGIC, sizeof linked->magic) == 0 && linked->count &&
           linked->count <= UMSIM_LINKED_MAX;
}
