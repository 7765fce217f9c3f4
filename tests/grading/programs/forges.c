/**
 * @file forges.c
 * @brief A client that says anything (sim/server/channel.h): each call with arguments that no program would
 * give, the server's own addresses among them. Then it works as ever: prints "alive", if the server still
 * does its work.
 *
 *     forges SEED MESSAGES        prints "ready", then reads addresses of the server's memory, as 0x...
 */
#include "sim/client/client.h"
#include "umsim_grading.h"

#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma weak umsim_client_ask /* the server, which is this program, too, has no such function */

enum { CALLS_MOST = 512, WORDS_MOST = 64, BYTES = 4096 };

/* The forger's own. Answers go wherever it asked for them, also to its own variables: so these lie at an
 * address that no message has, between pages that nobody writes to, and no pointer leads there. */
struct forger {
    uint64_t state;
    uint64_t words[WORDS_MOST];
    unsigned words_count;
    unsigned succeeded[CALLS_MOST];
};
#define OWN_ADDRESS UINT64_C(0x2a5a5a5a0000)
#define own ((struct forger *)OWN_ADDRESS)
static char memory[(1 << 16) + (64 << 20)]; /* what is written behind it is nothing */

static uint64_t chance(void) /* splitmix64 (public domain, Vigna 2015) */
{
    uint64_t z = own->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void know(uint64_t word)
{
    if (own->words_count < WORDS_MOST)
        own->words[own->words_count++] = word;
}

/* Things that there are: a program's handles and pointers, so that calls get beyond their first question. */
static void make_things(void)
{
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    cudaGraph_t graph = NULL;
    cudaMemPool_t pool = NULL;
    cudaArray_t array = NULL;
    void *device = NULL, *managed = NULL, *pinned = NULL;
    const struct cudaChannelFormatDesc floats =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaGraphCreate(&graph, 0);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMallocArray(&array, &floats, 64, 64, 0);
    cudaMalloc(&device, 1 << 16);
    cudaMallocManaged(&managed, 1 << 16, cudaMemAttachGlobal);
    cudaMallocHost(&pinned, 1 << 16);
    const uint64_t made[] = {(uintptr_t)stream, (uintptr_t)event,  (uintptr_t)graph,   (uintptr_t)pool,
                             (uintptr_t)array,  (uintptr_t)device, (uintptr_t)managed, (uintptr_t)pinned};
    for (unsigned i = 0; i < sizeof made / sizeof made[0]; i++)
        know(made[i]);
}

static uint64_t any_word(void)
{
    switch (chance() % 8) {
    case 0:
        return chance() % 9;
    case 1:
        return (uintptr_t)memory + chance() % (1 << 16);
    case 2:
        return UINT64_C(1) << chance() % 64;
    case 3:
        return ~UINT64_C(0) - chance() % 3;
    case 4:
        return chance();
    default:
        return own->words[chance() % own->words_count] + (chance() % 4 == 0 ? chance() % 64 : 0);
    }
}

static void forge(unsigned calls)
{
    static unsigned char closure[BYTES];
    struct umsim_message message = {.kind = chance() % 8 ? UMSIM_CLIENT_CALL : (uint32_t)(chance() % 9),
                                    .number = (uint32_t)(chance() % (calls + 2)),
                                    .bytes = (uint32_t)(chance() % BYTES)},
                         answer;
    if (message.kind == UMSIM_CLIENT_BEGIN || message.kind == UMSIM_CLIENT_RAN)
        message.kind = UMSIM_CLIENT_CALL; /* the trusted client's; and of no conversation */
    for (unsigned i = 0; i < UMSIM_CHANNEL_WORDS; i++)
        message.word[i] = any_word();
    for (unsigned i = 0; i < (1 << 16) / 8; i += 1 + (unsigned)(chance() % 16)) {
        const uint64_t word = any_word();
        memcpy(memory + 8 * i, &word, 8); /* structures hold such things, too */
    }
    for (unsigned i = 0; i < BYTES; i++)
        closure[i] = (unsigned char)chance();
    umsim_client_ask(&message, closure, &answer);
    if (message.kind == UMSIM_CLIENT_CALL && answer.kind == UMSIM_SERVER_DONE && message.number < CALLS_MOST)
        own->succeeded[message.number] += answer.word[0] == 0;
}

static int works(void)
{
    int in[16], out[16] = {0}, *d = NULL;
    cudaStream_t stream = NULL;
    for (int i = 0; i < 16; i++)
        in[i] = i * i;
    const cudaError_t answers[] = {
        cudaDeviceReset(),
        cudaMalloc((void **)&d, sizeof in),
        cudaStreamCreate(&stream),
        cudaMemcpyAsync(d, in, sizeof in, cudaMemcpyHostToDevice, stream),
        cudaMemcpyAsync(out, d, sizeof in, cudaMemcpyDeviceToHost, stream),
        cudaStreamSynchronize(stream),
    };
    for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (answers[i] == cudaErrorStreamCaptureUnsupported)
            return 1; /* a stream of the forger's captures: that is CUDA's answer */
        else if (answers[i] != cudaSuccess) {
            printf("call %u afterwards: %s\n", i, cudaGetErrorName(answers[i]));
            return 0;
        }
    return memcmp(in, out, sizeof in) == 0;
}

static int keep_apart(void)
{
    enum { AROUND = 1 << 16, OWN_BYTES = 1 << 16 };
    char *p = mmap((void *)(OWN_ADDRESS - AROUND), 2 * AROUND + OWN_BYTES, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    _Static_assert(sizeof(struct forger) <= OWN_BYTES, "it has room");
    return p != MAP_FAILED && mprotect(p + AROUND, OWN_BYTES, PROT_READ | PROT_WRITE) == 0;
}

int main(int argc, char **argv)
{
    uint64_t word;
    unsigned known;
    if (argc != 3)
        return 2;
    if (!keep_apart())
        return 2;
    own->state = strtoull(argv[1], NULL, 10);
    cudaFree(NULL);
    puts("ready");
    fflush(stdout);
    while (scanf("%" SCNx64, &word) == 1)
        know(word);
    known = own->words_count;
    make_things();
    for (long i = atol(argv[2]); i > 0; i--) {
        forge(UMSIM_LEDGER_CALLS); /* no fewer than are served */
        if (i % 500 == 0) {
            own->words_count = known;
            cudaDeviceReset();
            make_things();
        }
    }
    unsigned reached = 0;
    for (unsigned i = 0; i < CALLS_MOST; i++)
        reached += own->succeeded[i] > 0;
    printf("%u calls succeeded at least once\n", reached);
    puts(works() ? "alive" : "the server does not do its work any more");
    return 0;
}
