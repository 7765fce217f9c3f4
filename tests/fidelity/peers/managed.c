/**
 * @file managed.c
 * @brief Cells of managed memory that two devices and the host use: touched in turn, first touches,
 * ReadMostly, a preferred location, prefetches. Times are the host's, from the call (or its first touch) to
 * the end of the wait; the host touches one word a page.
 *
 * Peer access is not enabled here: managed memory does not need it.
 */
#include "peers.h"

#include <stdint.h>
#include <stdio.h>

#include "../cells.h"
#include "kernels.h"
#include "um_check.h"
#include "um_cuda_compat.h"

static const size_t sizes[] = {4 * MIB, 16 * MIB, 64 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])
#define LARGEST (64 * MIB)
#define WORDS_A_PAGE (PAGE_BYTES / sizeof(int))
/** Rounds that are kept where one of them takes long: a ReadMostly page that is written takes some 50 us. */
#define FEW 3

/* Device memory of each, for kernels that read. */
static float *out[PEERS];
/* The allocation that cells are about, and how often its words were added to. */
static int *p;
static int added;

#define NAME "peers/managed/%s/%s/%s"

static bool make(size_t bytes)
{
    added = 0;
    return UM_CHECK(peers_on(0)) && UM_CHECK(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
}

static bool unmake(void)
{
    int *was = p;

    p = NULL;
    return UM_CHECK(cudaFree(was));
}

static void host_writes(size_t bytes)
{
    volatile int *q = p;

    for (size_t word = 0; word < bytes / sizeof *p; word += WORDS_A_PAGE)
        q[word] = (int)(word / WORDS_A_PAGE % 200);
    cell_host_touched(bytes / PAGE_BYTES);
}

/* Each page's first word is what the host wrote and what was added since; its last word only the latter. */
static bool right(const char *what, bool host_wrote, size_t bytes)
{
    for (size_t word = 0; word < bytes / sizeof *p; word += WORDS_A_PAGE) {
        const int first = (host_wrote ? (int)(word / WORDS_A_PAGE % 200) : 0) + added;
        if (p[word] == first && p[word + WORDS_A_PAGE - 1] == added)
            continue;
        fprintf(stderr, "fidelity-peers: %s: page %zu holds %d and %d, not %d and %d\n", what,
                word / WORDS_A_PAGE, p[word], p[word + WORDS_A_PAGE - 1], first, added);
        return false;
    }
    return true;
}

static cudaError_t adds(int device, size_t bytes)
{
    cudaError_t error = um_add_one(p, bytes / sizeof *p, 0);

    (void)device;
    added++;
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static cudaError_t reads(int device, size_t bytes)
{
    cudaError_t error = um_saxpy(out[device], 0, (const float *)(void *)p, bytes / sizeof(float), 0);

    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

/* A step is a cell: `how` it is touched by the device, which is current before the time begins. */
#define STEP(how, device, chapter, name)                                                                     \
    do {                                                                                                     \
        UM_TRY(peers_on(device));                                                                            \
        cell_start();                                                                                        \
        UM_TRY(how(device, bytes));                                                                          \
        cell_stop(NAME, chapter, name, size);                                                                \
    } while (0)

static bool touched_in_turn(size_t bytes)
{
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        if (!make(bytes))
            return false;
        host_writes(bytes);
        STEP(adds, 0, "touch", "0 adds, from the host");
        STEP(adds, 0, "touch", "0 adds again");
        STEP(adds, 1, "touch", "1 adds, from 0");
        STEP(adds, 1, "touch", "1 adds again");
        STEP(reads, 0, "touch", "0 reads, from 1");
        cell_start();
        if (!right("touched in turn", true, bytes))
            return false;
        cell_host_touched(bytes / PAGE_BYTES);
        cell_stop(NAME, "touch", "host reads, from 0", size);
        if (!unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

static bool first_touches(size_t bytes)
{
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        if (!make(bytes))
            return false;
        STEP(adds, 1, "first touch", "1 adds, fresh");
        STEP(adds, 0, "first touch", "0 adds, from 1");
        STEP(adds, 1, "first touch", "1 adds, from 0");
        cell_start();
        if (!right("first touches", false, bytes))
            return false;
        cell_host_touched(bytes / PAGE_BYTES);
        cell_stop(NAME, "first touch", "host reads, from 1", size);
        if (!unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

static bool read_mostly(size_t bytes)
{
    const char *size = cell_size(bytes);
    struct cell_repeat r = cell_repeat(bytes);

    if (r.rounds > r.warm_up + FEW)
        r.rounds = r.warm_up + FEW;
    while (cell_next(&r)) {
        if (!make(bytes))
            return false;
        host_writes(bytes);
        UM_TRY(um_advise(p, bytes, cudaMemAdviseSetReadMostly, 0));
        STEP(reads, 0, "ReadMostly", "0 reads");
        STEP(reads, 1, "ReadMostly", "1 reads");
        STEP(reads, 0, "ReadMostly", "0 reads again");
        STEP(reads, 1, "ReadMostly", "1 reads again");
        STEP(adds, 0, "ReadMostly", "0 writes all");
        STEP(reads, 1, "ReadMostly", "1 reads what 0 wrote");
        if (!right("ReadMostly", true, bytes) || !unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

/* Written by the host, brought to 0, where it prefers to be. */
static bool preferred(bool accessed_by, size_t bytes)
{
    const char *chapter = accessed_by ? "PreferredLocation=0, AccessedBy=1" : "PreferredLocation=0";
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        if (!make(bytes))
            return false;
        host_writes(bytes);
        UM_TRY(um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, 0));
        UM_TRY(um_prefetch(p, bytes, 0, 0));
        cell_start();
        if (accessed_by) {
            UM_TRY(um_advise(p, bytes, cudaMemAdviseSetAccessedBy, 1));
            cell_stop(NAME, chapter, "advise AccessedBy", size);
        }
        STEP(reads, 1, chapter, "1 reads");
        STEP(reads, 1, chapter, "1 reads again");
        STEP(adds, 1, chapter, "1 adds");
        STEP(adds, 0, chapter, "0 adds after");
        STEP(reads, 1, chapter, "1 reads after");
        if (!right(chapter, true, bytes) || !unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

#define PREFETCH(where, by, name)                                                                            \
    do {                                                                                                     \
        UM_TRY(peers_on(by));                                                                                \
        cell_start();                                                                                        \
        UM_TRY(um_prefetch(p, bytes, where, 0));                                                             \
        UM_TRY(cudaDeviceSynchronize());                                                                     \
        cell_stop(NAME, "prefetch", name, size);                                                             \
    } while (0)

static bool prefetched(size_t bytes)
{
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        if (!make(bytes))
            return false;
        host_writes(bytes);
        PREFETCH(0, 0, "host to 0");
        PREFETCH(1, 1, "0 to 1");
        PREFETCH(1, 1, "to 1 again");
        PREFETCH(0, 0, "1 to 0");
        PREFETCH(1, 0, "0 to 1, in a stream of 0");
        STEP(adds, 1, "prefetch", "1 adds");
        PREFETCH(cudaCpuDeviceId, 1, "1 to host");
        if (!right("prefetches", true, bytes) || !unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

/* Each device adds to its half of what the host wrote; then each to the other's half. */
static bool at_once(size_t bytes)
{
    const char *size = cell_size(bytes);
    const size_t half = bytes / sizeof *p / 2;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        if (!make(bytes))
            return false;
        host_writes(bytes);
        for (int turn = 0; turn < 2; turn++) {
            cell_start();
            UM_TRY(peers_on(1));
            UM_TRY(um_add_one(p + (turn == 0 ? half : 0), half, 0));
            UM_TRY(peers_on(0));
            UM_TRY(um_add_one(p + (turn == 0 ? 0 : half), half, 0));
            UM_TRY(peers_wait());
            cell_stop(NAME, "at once", turn == 0 ? "each adds to its half" : "then to the other's", size);
        }
        added = 2;
        if (!right("both at once", true, bytes) || !unmake())
            return false;
    }
    return true;
cleanup:
    return false;
}

/* Managed memory with several devices may be missing: then there are no such cells, and a line says so. */
static bool can_be_had(bool *can)
{
    const cudaError_t error = cudaMallocManaged((void **)&p, MIB, cudaMemAttachGlobal);

    *can = error == cudaSuccess;
    if (error == cudaErrorNotSupported) {
        (void)cudaGetLastError();
        fprintf(stderr, "SKIP fidelity-peers: peers/managed: cudaMallocManaged() answers "
                        "cudaErrorNotSupported with several devices\n");
        return true;
    }
    return UM_CHECK(error) && unmake();
}

bool cells_of_peers_managed(void)
{
    bool good = false, can = false;

    if (!can_be_had(&can))
        return false;
    if (!can)
        return true;
    for (int i = PEERS - 1; i >= 0; i--) {
        UM_TRY(peers_on(i));
        UM_TRY(cudaMalloc((void **)&out[i], LARGEST));
        UM_TRY(cudaMemset(out[i], 0, LARGEST));
        UM_TRY(cudaDeviceSynchronize());
    }
    good = true;
    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++)
        good = touched_in_turn(sizes[i]) && first_touches(sizes[i]) && read_mostly(sizes[i]) &&
               preferred(false, sizes[i]) && preferred(true, sizes[i]) && prefetched(sizes[i]) &&
               at_once(sizes[i]);
cleanup:
    for (int i = 0; i < PEERS; i++)
        (void)cudaFree(out[i]);
    return good;
}
