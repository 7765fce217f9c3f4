/**
 * @file um_page.c
 * @brief Implementation of um_page.h: asks the simulator's build, or the host.
 */
#include "um_page.h"

#ifdef UMLAB_SIM
#include "umsim/page.h"
#else
#include <unistd.h>
#endif

/* The simulator's page may be four of the host's (make PAGES=16k on x86-64), and it is what counts go by. */
size_t um_page_bytes(void)
{
#ifdef UMLAB_SIM
    return UMSIM_PAGE_BYTES;
#else
    return (size_t)sysconf(_SC_PAGESIZE);
#endif
}

size_t um_whole_pages(size_t bytes)
{
    const size_t page = um_page_bytes();

    return (bytes + page - 1) / page * page;
}
