/**
 * @file siphash.c
 * @brief Implementation of siphash.h, after the paper's section 2.
 */
#include "siphash.h"

struct state {
    uint64_t v0, v1, v2, v3;
};

static uint64_t turned(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void mix(struct state *s, int rounds)
{
    while (rounds--) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = turned(s->v1, 13) ^ s->v0;
        s->v3 = turned(s->v3, 16) ^ s->v2;
        s->v0 = turned(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = turned(s->v1, 17) ^ s->v2;
        s->v3 = turned(s->v3, 21) ^ s->v0;
        s->v2 = turned(s->v2, 32);
    }
}

static void take(struct state *s, uint64_t word)
{
    s->v3 ^= word;
    mix(s, 2);
    s->v0 ^= word;
}

/* `size` bytes, 8 at most, the least first. */
static uint64_t word_at(const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint64_t um_siphash(const struct um_siphash_key *key, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    struct state s = {
        key->word[0] ^ UINT64_C(0x736f6d6570736575), key->word[1] ^ UINT64_C(0x646f72616e646f6d),
        key->word[0] ^ UINT64_C(0x6c7967656e657261), key->word[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = size;
    for (; left >= 8; left -= 8, at += 8)
        take(&s, word_at(at, 8));
    take(&s, word_at(at, left) | (uint64_t)size << 56);
    s.v2 ^= 0xff;
    mix(&s, 4);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
