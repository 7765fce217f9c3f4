/**
 * @file layout.h
 * @brief Where the simulator's memory lies in the virtual address space.
 *
 * The arenas have fixed addresses. So a pointer that a lab prints is the same in every run, and the same
 * number in the host process and in the GPU process. The arenas lie below the kernel's mmap area (which
 * starts within 1 TiB of the top of user space and grows down) and above AddressSanitizer's shadow and heap.
 * They lie on 2 MiB boundaries, because the paging policy works with 2 MiB VA blocks.
 */
#ifndef UMSIM_LAYOUT_H
#define UMSIM_LAYOUT_H

#include "../include/umsim/page.h"

#include <stddef.h>
#include <stdint.h>

#define UMSIM_PAGE ((size_t)UMSIM_PAGE_BYTES)
/** The system's page, by which the program's own memory is mapped. x86-64 has no other; there UMSIM_PAGE may
 * be four of them (PAGES=16k, a trial). Elsewhere it is what the library was built for, or nothing starts
 * (api/runtime.c). */
#ifdef __x86_64__
#define UMSIM_HOST_PAGE ((size_t)4096)
#else
#define UMSIM_HOST_PAGE UMSIM_PAGE
#endif
#define UMSIM_BIG_PAGE ((size_t)64 << 10)
#define UMSIM_VA_BLOCK ((size_t)2 << 20)

/* Where programs have addresses of 47 bits or more; base/addresses.h says where they lie elsewhere. */
#define UMSIM_DEVICE_BASE UINT64_C(0x7a0000000000)
#define UMSIM_PINNED_BASE UINT64_C(0x7b0000000000)
#define UMSIM_MANAGED_BASE UINT64_C(0x7c0000000000)

/**
 * Address space of the pinned and of the managed arena. It is sparse: it costs nothing until it is touched.
 */
#define UMSIM_PINNED_SIZE ((size_t)256 << 30)
#define UMSIM_MANAGED_SIZE ((size_t)256 << 30)
/**
 * The largest heap of malloc() in kernels (space/heap.h), which lies at the end of the device arena. An H200
 * allows up to 16.5 GiB.
 */
#define UMSIM_HEAP_SIZE ((size_t)8 << 30)
/** The device arena has a part for each device, as large as the profile's device memory. All of it is no
 * larger than this for each 7 devices; a larger arena begins before UMSIM_DEVICE_BASE, as much as it is
 * larger. */
#define UMSIM_DEVICE_SIZE_MAX ((size_t)1 << 40)
/** The file of registered host memory (cudaHostRegister) has a place for each address that a program can
 * have. */
#define UMSIM_REGISTER_SIZE ((size_t)1 << 48)

static inline size_t umsim_round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static inline size_t umsim_round_down(size_t n, size_t unit)
{
    return n / unit * unit;
}

#endif
