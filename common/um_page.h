/**
 * @file um_page.h
 * @brief How large a page is: what managed memory moves by, and what the host protects memory by.
 *
 * Most hosts have pages of 4 KiB; some with arm64 processors have 16 (Raspberry Pi 5, Asahi), and NVIDIA's
 * paging policy takes the host's page for its own. So a count of pages, or the end of an allocation in whole
 * pages, has to ask.
 */
#ifndef UM_PAGE_H
#define UM_PAGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a page: 4096 or 16384 on sim, the host's on cuda. */
size_t um_page_bytes(void);

/** `bytes`, and what is left of the last page. */
size_t um_whole_pages(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
