/**
 * @file coalesce.c
 * @brief Implementation of coalesce.h: puts the accesses of a warp's lanes together, and counts sectors.
 */
#include "coalesce.h"
#include "access.h"
#include "../worker/worker.h"
#include "../space/arena.h"
#include "../space/protection.h"
#include "../space/views.h"
#include "../space/measured.h"
#include "../base/memory.h"

#include <string.h>

#define SECTOR 32
#define PIECE 16 /* the most that one thread asks for in a request */
#define ACCOUNTS_MAX 16384
#define LINES_MAX 1024
#define SITES 512
#define REQUESTS ((size_t)1 << 16) /* of one block */
#define REQUESTS_USED (REQUESTS / 4 * 3)

/* The accesses of one warp that belong together. */
struct request {
    uint32_t block; /* that the request belongs to; if it is not the current one, the entry is free */
    uint32_t visit;
    uint16_t site, warp;
    uint16_t line, sector_count;
    uint32_t bytes;
    uint64_t sector[32];
};

/* A place in the program, and how often each thread of the block has come to it. */
struct site {
    const void *pc;
    uint32_t block;
    uint32_t visits[UMSIM_BLOCK_THREADS_MAX];
};

static struct shared_part {
    struct umsim_coalescing line[LINES_MAX];
    size_t lines;
    uint64_t skipped;
    struct site site[SITES];
    struct request request[REQUESTS];
    uint32_t used[REQUESTS_USED];
    size_t used_count;
    uint32_t block; /* the number of the one that runs, on whichever device */
} * table;

static struct umsim_account accounts[ACCOUNTS_MAX];
static unsigned account_count;
static uint64_t launch_bytes[2][UMSIM_REACHES]; /* in sectors that the launch now running has read, written */

bool umsim_coalesce_start(void)
{
    if (!table)
        table = umsim_shared_memory(sizeof *table);
    if (table)
        table->block = 1;
    return table != NULL;
}

unsigned umsim_coalesce_open(const struct umsim_account *account)
{
    if (!table || account_count + 1 >= ACCOUNTS_MAX)
        return 0;
    accounts[++account_count] = *account;
    return account_count;
}

const struct umsim_account *umsim_coalesce_account(unsigned account)
{
    return &accounts[account];
}

size_t umsim_coalesce_lines(const struct umsim_coalescing **lines, uint64_t *skipped)
{
    *lines = table ? table->line : NULL;
    *skipped = table ? table->skipped : 0;
    return table ? table->lines : 0;
}

/* ---- GPU process ---- */

static bool is_line(const struct umsim_coalescing *line, unsigned account, bool is_write, const char *kernel)
{
    return line->account == account && line->is_write == is_write &&
           strncmp(line->kernel, kernel, sizeof line->kernel - 1) == 0;
}

/* @return LINES_MAX when there are too many */
static size_t line_of(unsigned account, bool is_write)
{
    const char *kernel = umsim_this_worker->command->kernel.name;
    static size_t recent;
    if (recent < table->lines && is_line(&table->line[recent], account, is_write, kernel))
        return recent;
    for (recent = 0; recent < table->lines; recent++)
        if (is_line(&table->line[recent], account, is_write, kernel))
            return recent;
    if (recent == LINES_MAX)
        return LINES_MAX;
    struct umsim_coalescing *line = &table->line[table->lines++];
    *line = (struct umsim_coalescing){.account = account, .is_write = is_write};
    strncpy(line->kernel, kernel, sizeof line->kernel - 1);
    return recent;
}

/* @return SITES when there are too many */
static size_t site_of(const void *pc)
{
    size_t at = (size_t)(((uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15)) >> 55);
    for (size_t tries = 0; tries < SITES; tries++, at = (at + 1) % SITES) {
        struct site *site = &table->site[at];
        if (!site->pc)
            site->pc = pc;
        if (site->pc != pc)
            continue;
        if (site->block != table->block)
            memset(site->visits, 0, sizeof site->visits);
        site->block = table->block;
        return at;
    }
    return SITES;
}

/* The request that this access is a part of; a new one if necessary.
 * @return NULL if there is no space */
static struct request *request_of(size_t site, unsigned warp, uint32_t visit)
{
    size_t at =
        (visit * UINT64_C(0x9e3779b97f4a7c15) + site * UINT64_C(0xc2b2ae3d27d4eb4f) + warp * 1021U) >> 20;
    for (at %= REQUESTS;; at = (at + 1) % REQUESTS) {
        struct request *request = &table->request[at];
        if (request->block == table->block && request->site == site && request->warp == warp &&
            request->visit == visit)
            return request;
        if (request->block == table->block)
            continue;
        if (table->used_count == REQUESTS_USED)
            return NULL;
        table->used[table->used_count++] = (uint32_t)at;
        *request = (struct request){.block = table->block,
                                    .visit = visit,
                                    .site = (uint16_t)site,
                                    .warp = (uint16_t)warp,
                                    .line = LINES_MAX};
        return request;
    }
}

static void add_sector(struct request *request, uint64_t sector)
{
    for (size_t i = 0; i < request->sector_count; i++)
        if (request->sector[i] == sector)
            return;
    if (request->sector_count < sizeof request->sector / sizeof request->sector[0])
        request->sector[request->sector_count++] = sector;
}

void umsim_coalesce_access(unsigned account, uintptr_t p, size_t bytes, bool is_write, const void *pc)
{
    const unsigned thread = umsim_access_thread();
    const size_t line = line_of(account, is_write), site = site_of(pc);
    if (line == LINES_MAX || site == SITES) {
        table->skipped++;
        return;
    }
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t part = bytes - done < PIECE ? bytes - done : PIECE;
        struct request *request = request_of(site, thread / 32, table->site[site].visits[thread]++);
        if (!request) {
            table->skipped++;
            continue;
        }
        request->line = (uint16_t)line;
        request->bytes += (uint32_t)part;
        for (uint64_t sector = (p + done) / SECTOR; sector <= (p + done + part - 1) / SECTOR; sector++)
            add_sector(request, sector);
    }
}

/* Registered host memory is in no arena and in no section of variables. */
static enum umsim_reach reach_of(const void *p)
{
    const struct umsim_arena *arena = umsim_arena_of(p);
    if (umsim_managed_space_of(p))
        return UMSIM_REACH_MANAGED;
    if (arena)
        return arena == &umsim_arenas[UMSIM_ARENA_PINNED] ? UMSIM_REACH_HOST : UMSIM_REACH_DEVICE;
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++) {
        const struct umsim_section *section = &umsim_views->section[i];
        if ((uintptr_t)p - (uintptr_t)section->base < section->bytes)
            return UMSIM_REACH_DEVICE;
    }
    return UMSIM_REACH_HOST;
}

void umsim_coalesce_launched(struct umsim_measured *measured)
{
    for (int reach = 0; table && reach < UMSIM_REACHES; reach++) {
        atomic_store(&measured->read[reach], launch_bytes[false][reach]);
        atomic_store(&measured->written[reach], launch_bytes[true][reach]);
    }
    memset(launch_bytes, 0, sizeof launch_bytes);
}

void umsim_coalesce_block_ends(void)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->used_count; i++) {
        const struct request *request = &table->request[table->used[i]];
        struct umsim_coalescing *line = &table->line[request->line];
        if (request->line == LINES_MAX)
            continue;
        line->requests++;
        line->sectors += request->sector_count;
        line->bytes += request->bytes;
        launch_bytes[line->is_write][reach_of((const void *)(uintptr_t)(request->sector[0] * SECTOR))] +=
            (uint64_t)request->sector_count * SECTOR;
    }
    table->used_count = 0;
    if (++table->block == 0)
        table->block = 1;
}

/* ---- for programs (umsim.h) ---- */

int umsim_accesses_of(const void *p, struct umsim_accesses *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; table && i < table->lines; i++) {
        const struct umsim_account *account = &accounts[table->line[i].account];
        if ((uintptr_t)p - account->base >= account->bytes)
            continue;
        out->requests += table->line[i].requests;
        out->sectors += table->line[i].sectors;
        out->bytes_requested += table->line[i].bytes;
        out->bytes_moved += table->line[i].sectors * SECTOR;
    }
    return out->requests != 0;
}
