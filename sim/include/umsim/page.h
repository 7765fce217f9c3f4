/**
 * @file umsim/page.h
 * @brief The size of a page, by which memory changes hands.
 *
 * Students do not include this file. NVIDIA's paging policy takes the host's PAGE_SIZE for its own, so the
 * simulated GPU does: 4 KiB, or 16 KiB where the host's kernel has such pages. It is a constant of a build
 * (`make PAGES=16k`; make takes the machine's own unless told), so that what is reckoned with it costs
 * nothing. A library whose pages are larger than the system's works, by the larger ones: that is how 16 KiB
 * are tested on x86-64. The other way round it says so and stops (sim/api/runtime.c). umcc gives it to what
 * it compiles, whose sections of variables begin with a page; a program of other pages than the library's is
 * refused.
 */
#ifndef UMSIM_PAGE_H
#define UMSIM_PAGE_H

#ifndef UMSIM_PAGE_BYTES
#define UMSIM_PAGE_BYTES 4096
#endif

#if UMSIM_PAGE_BYTES != 4096 && UMSIM_PAGE_BYTES != 16384
#error "pages have 4096 or 16384 bytes: a block of 2 MiB has a whole number of words of 64 pages"
#endif

/** The name of the function with which a module makes its sections known: each size of pages has its own, so
 * that no library takes the sections of a program of other pages for its own. */
#if UMSIM_PAGE_BYTES == 4096
#define umsim_register_module_of_pages umsim_register_module
#define umsim_register_module_of_other_pages umsim_register_module_16k
#else
#define umsim_register_module_of_pages umsim_register_module_16k
#define umsim_register_module_of_other_pages umsim_register_module
#endif
#define UMSIM_TEXT_OF_PAGE_(bytes) #bytes
#define UMSIM_TEXT_OF_PAGE(bytes) UMSIM_TEXT_OF_PAGE_(bytes)

#endif
