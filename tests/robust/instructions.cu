/**
 * @file instructions.cu
 * @brief x86-64's instructions that touch managed memory otherwise than one word on one page
 * (instructions.h).
 */
#include "instructions.h"

#ifdef __x86_64__
#pragma GCC diagnostic ignored "-Wuninitialized" /* gcc 12: its own _mm512_undefined() */
#include <immintrin.h>
#include <vector>

#define NEED_CPU(feature)                                                                                    \
    do {                                                                                                     \
        if (!__builtin_cpu_supports(feature))                                                                \
            CANNOT("this processor has no " feature);                                                        \
    } while (0)

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

AVX2 static void avx2_load(work *mine)
{
    _mm256_storeu_si256((__m256i *)mine->result, _mm256_loadu_si256((const __m256i *)mine->p));
}

AVX2 static void avx2_store(work *mine)
{
    _mm256_storeu_si256((__m256i *)mine->p, _mm256_set1_epi32(0x01020304));
}

/* Words of a page: where lanes lie on pages of their own. */
enum { WORDS = PAGE / 4 };

/* A lane that is masked off touches nothing, also where its page is elsewhere. */
AVX2 static void avx2_masked(work *mine)
{
    const __m256i mask = _mm256_set_epi32(-1, 0, -1, 0, 0, -1, 0, -1);

    _mm256_storeu_si256((__m256i *)mine->result, _mm256_maskload_epi32((const int *)mine->p, mask));
    _mm256_maskstore_epi32((int *)mine->p, mask, _mm256_set1_epi32(77));
    _mm256_maskstore_epi32((int *)mine->p + 600, _mm256_setzero_si256(), _mm256_set1_epi32(78));
}

AVX2 static void avx2_gather(work *mine)
{
    const __m256i far_apart =
        _mm256_set_epi32(3 * WORDS - 72, 0, WORDS, 2 * WORDS, 5, 2 * WORDS + 1, 1, 3 * WORDS - 71);

    _mm256_storeu_si256((__m256i *)mine->result, _mm256_i32gather_epi32((const int *)mine->p, far_apart, 4));
}

AVX512 static void avx512_load_and_store(work *mine)
{
    _mm512_storeu_si512(mine->result, _mm512_loadu_si512(mine->p));
    _mm512_storeu_si512(mine->p, _mm512_set1_epi32(0x0a0b0c0d));
}

AVX512 static void avx512_masked(work *mine)
{
    const __mmask64 odd = 0xaaaaaaaaaaaaaaaa;

    _mm512_storeu_si512(mine->result, _mm512_maskz_loadu_epi8(odd, mine->p));
    _mm512_mask_storeu_epi8(mine->p, ~odd, _mm512_set1_epi8(99));
    _mm512_mask_storeu_epi8(mine->p + PAGE, 0, _mm512_set1_epi8(98));
}

AVX512 static void avx512_compress(work *mine)
{
    _mm512_mask_compressstoreu_epi32(mine->p, 0x5a5a, _mm512_set1_epi32(1234567));
    _mm512_storeu_si512(mine->result, _mm512_maskz_expandloadu_epi32(0xf0f1, mine->p));
}

AVX512 static void avx512_gather_and_scatter(work *mine)
{
    const __m512i places =
        _mm512_set_epi32(0, WORDS, 2 * WORDS, 3 * WORDS, 1, WORDS + 1, 2 * WORDS + 1, 3 * WORDS + 1, 2,
                         WORDS + 2, 2 * WORDS + 2, 3 * WORDS + 2, 3, WORDS + 3, 2 * WORDS + 3, 3 * WORDS + 3);
    const __m512i values = _mm512_i32gather_epi32(places, mine->p, 4);

    _mm512_storeu_si512(mine->result, values);
    _mm512_i32scatter_epi32(mine->p, places, _mm512_add_epi32(values, places), 4);
}

static void rep_movs(work *mine)
{
    void *to = mine->p + 3 * PAGE, *from = mine->p;
    size_t bytes = 3 * PAGE - 200;

    __asm__ volatile("cld; rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/* Downwards, and by 8: the direction flag is set while pages fault. */
static void rep_movs_downwards(work *mine)
{
    uint64_t *to = (uint64_t *)(mine->p + 7 * PAGE), *from = (uint64_t *)(mine->p + 3 * PAGE);
    size_t words = 3 * PAGE / 8;

    __asm__ volatile("std; rep movsq; cld" : "+D"(to), "+S"(from), "+c"(words) : : "memory", "cc");
}

static void rep_stos_and_scas(work *mine)
{
    void *to = mine->p;
    size_t bytes = 2 * PAGE + 17;

    __asm__ volatile("cld; rep stosb" : "+D"(to), "+c"(bytes) : "a"(0x5c) : "memory");
    to = mine->p, bytes = 8 * PAGE;
    __asm__ volatile("repe scasb" : "+D"(to), "+c"(bytes) : "a"(0x5c) : "memory", "cc");
    memcpy(mine->result, &bytes, sizeof bytes);
}

static void rep_cmps(work *mine)
{
    const void *one = mine->p, *other = mine->p + 4 * PAGE;
    size_t bytes = 3 * PAGE;

    memcpy(mine->p + 4 * PAGE, mine->p, 3 * PAGE - 5);
    __asm__ volatile("repe cmpsb" : "+D"(other), "+S"(one), "+c"(bytes) : : "memory", "cc");
    memcpy(mine->result, &bytes, sizeof bytes);
}

static void non_temporal(work *mine)
{
    int *aligned = (int *)((uintptr_t)mine->p & ~(uintptr_t)15);

    _mm_stream_si32((int *)mine->p, 0x11223344);
    _mm_stream_si128((__m128i *)(aligned + 1024), _mm_set1_epi32(5));
    _mm_clflush(mine->p);
    _mm_prefetch((const char *)mine->p + 5 * PAGE, _MM_HINT_T0);
    _mm_mfence();
}

static void cmpxchg16b(work *mine)
{
    uint64_t *p = (uint64_t *)((uintptr_t)mine->p & ~(uintptr_t)15), low = p[0], high = p[1];
    unsigned char equal;

    __asm__ volatile("lock cmpxchg16b %1; sete %0"
                     : "=q"(equal), "+m"(*(unsigned __int128 *)p), "+a"(low), "+d"(high)
                     : "b"((uint64_t)7), "c"((uint64_t)8)
                     : "cc");
    __asm__ volatile("lock cmpxchg16b %1; setne %0"
                     : "=q"(mine->result[1]), "+m"(*(unsigned __int128 *)p), "+a"(low), "+d"(high)
                     : "b"((uint64_t)9), "c"((uint64_t)10)
                     : "cc");
    mine->result[0] = equal;
}

/* A lock across two cache lines, and, at a page's end, across two pages. */
static void split_locks(work *mine)
{
    uint32_t value = 3;
    uint64_t wide = 11;

    __asm__ volatile("lock addl $5, %0" : "+m"(*(uint32_t *)mine->p) : : "cc");
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*(uint32_t *)(mine->p + 2)));
    __asm__ volatile("lock xaddq %0, %1" : "+r"(wide), "+m"(*(uint64_t *)(mine->p + 1)) : : "cc");
    memcpy(mine->result, &value, sizeof value);
    memcpy(mine->result + 8, &wide, sizeof wide);
}

static void x87(work *mine)
{
    long double value = 3.25L;

    memcpy(mine->p, &value, 10);
    __asm__ volatile("fldt %1; fld1; faddp; fstpt %0"
                     : "=m"(*(char(*)[10])(mine->p + 7))
                     : "m"(*(char(*)[10])mine->p));
    __asm__ volatile("fildll %1; fistpll %0"
                     : "=m"(*(uint64_t *)(mine->p + 40))
                     : "m"(*(uint64_t *)(mine->p + 20)));
}

/* Half a KiB and more by one instruction; what of it is reserved is not compared. */
static void fxsave(work *mine)
{
    unsigned char *aligned = (unsigned char *)((uintptr_t)(mine->p + PAGE) & ~(uintptr_t)63);
    unsigned char control[2];

    __asm__ volatile("fxsave %0" : "=m"(*(char(*)[512])aligned));
    memcpy(control, aligned, 2);
    __asm__ volatile("fxrstor %0" : : "m"(*(char(*)[512])aligned));
    memset(aligned, 0, 512);
    memcpy(mine->result, control, 2);
}

static void push_and_pop(work *mine)
{
    uint64_t *p = (uint64_t *)(mine->p + PAGE), value = 0;

    __asm__ volatile("pushq %1; popq %0" : "=m"(*p) : "m"(*(p + 513)) : "memory");
    __asm__ volatile("bsrq %1, %0" : "=r"(value) : "m"(*p) : "cc");
    __asm__ volatile("btsq %1, %0" : "+m"(*p) : "r"((uint64_t)64 * 600 + 5) : "memory", "cc");
    memcpy(mine->result, &value, sizeof value);
}

static void avx2()
{
    NEED_CPU("avx2");
    same_as_in_ordinary_memory("a load of 32 bytes", avx2_load, 3);
    same_as_in_ordinary_memory("a store of 32 bytes", avx2_store, 3);
    same_as_in_ordinary_memory("masks of 32 bytes", avx2_masked, 5);
    same_as_in_ordinary_memory("a gather of 8 words", avx2_gather, 5);
}

static void avx512()
{
    NEED_CPU("avx512bw");
    NEED_CPU("avx512vl");
    same_as_in_ordinary_memory("64 bytes", avx512_load_and_store, 3);
    same_as_in_ordinary_memory("masks of 64 bytes", avx512_masked, 3);
    same_as_in_ordinary_memory("compressed words", avx512_compress, 5);
    same_as_in_ordinary_memory("a gather and a scatter of 16 words", avx512_gather_and_scatter, 5);
}

static void strings()
{
    same_as_in_ordinary_memory("rep movsb", rep_movs, 7);
    same_as_in_ordinary_memory("rep movsq, downwards", rep_movs_downwards, 7);
    same_as_in_ordinary_memory("rep stosb, repe scasb", rep_stos_and_scas, 7);
    same_as_in_ordinary_memory("repe cmpsb", rep_cmps, 7);
}

static void stores_past_the_cache()
{
    same_as_in_ordinary_memory("movnti, movntdq, clflush", non_temporal, 4);
}

static void locked()
{
    same_as_in_ordinary_memory("cmpxchg16b", cmpxchg16b, 8);
    same_as_in_ordinary_memory("split locks", split_locks, 1);
}

static void others()
{
    same_as_in_ordinary_memory("x87", x87, 1);
    same_as_in_ordinary_memory("fxsave, fxrstor", fxsave, 9);
    same_as_in_ordinary_memory("push, pop, bits", push_and_pop, 8);
}

ROBUST_CASES({"avx2", avx2}, {"avx512", avx512}, {"strings", strings},
             {"stores-past-the-cache", stores_past_the_cache}, {"locked", locked}, {"others", others})
#else
ROBUST_NOT_HERE("these instructions are x86-64's")
#endif
