/* hostile: says anything to the process that owns the GPU, by the library's own functions */
#include "exercise.h"
#include "inside.h"

/* As sim/server/channel.h has it. */
struct message {
    uint32_t kind, number, bytes, thread, closes;
    uint64_t word[24];
    char module[64];
};

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*say)(const struct message *, const void *, struct message *);
    static char data[4096];
    struct message message, answer;
    float *d = NULL;
    *(void **)&say = aim("umsim_client_say");
    cudaMalloc((void **)&d, 4 * n + 4);
    for (unsigned round = 0; say && round < 4000; round++) {
        memset(&message, 0, sizeof message);
        message.kind = round % 11;
        message.number = round % 7 ? round % 240 : UINT32_MAX - round;
        message.bytes = round % 5 ? round % 4096 : UINT32_MAX;
        for (unsigned i = 0; i < 24; i++)
            message.word[i] = (round + i) % 3   ? (uint64_t)(uintptr_t)d + (round << 12)
                              : (round + i) % 2 ? UINT64_MAX >> (n + i) % 64
                                                : i;
        memcpy(message.module, round % 2 ? "libumlab.so" : "libumsim.so", 12);
        if (message.bytes > sizeof data)
            message.bytes = 0;
        if (message.kind != 5) /* that one is an answer */
            say(&message, data, &answer);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
