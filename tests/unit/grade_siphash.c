/**
 * @file grade_siphash.c
 * @brief grade/siphash.h against the values that its authors published with it.
 */
#include "grade/siphash.h"
#include "um_test.h"

#include <string.h>

/* Of the bytes 0, 1, ..., n - 1, for n from 0 to 63, under the key 0, 1, ..., 15. */
static const uint64_t published[] = {
    UINT64_C(0x726fdb47dd0e0e31), UINT64_C(0x74f839c593dc67fd), UINT64_C(0x0d6c8009d9a94f5a),
    UINT64_C(0x85676696d7fb7e2d), UINT64_C(0xcf2794e0277187b7), UINT64_C(0x18765564cd99a68d),
    UINT64_C(0xcbc9466e58fee3ce), UINT64_C(0xab0200f58b01d137), UINT64_C(0x93f5f5799a932462),
    UINT64_C(0x9e0082df0ba9e4b0), UINT64_C(0x7a5dbbc594ddb9f3), UINT64_C(0xf4b32f46226bada7),
    UINT64_C(0x751e8fbc860ee5fb), UINT64_C(0x14ea5627c0843d90), UINT64_C(0xf723ca908e7af2ee),
    UINT64_C(0xa129ca6149be45e5), UINT64_C(0x3f2acc7f57c29bdb), UINT64_C(0x699ae9f52cbe4794),
    UINT64_C(0x4bc1b3f0968dd39c), UINT64_C(0xbb6dc91da77961bd), UINT64_C(0xbed65cf21aa2ee98),
    UINT64_C(0xd0f2cbb02e3b67c7), UINT64_C(0x93536795e3a33e88), UINT64_C(0xa80c038ccd5ccec8),
    UINT64_C(0xb8ad50c6f649af94), UINT64_C(0xbce192de8a85b8ea), UINT64_C(0x17d835b85bbb15f3),
    UINT64_C(0x2f2e6163076bcfad), UINT64_C(0xde4daaaca71dc9a5), UINT64_C(0xa6a2506687956571),
    UINT64_C(0xad87a3535c49ef28), UINT64_C(0x32d892fad841c342), UINT64_C(0x7127512f72f27cce),
    UINT64_C(0xa7f32346f95978e3), UINT64_C(0x12e0b01abb051238), UINT64_C(0x15e034d40fa197ae),
    UINT64_C(0x314dffbe0815a3b4), UINT64_C(0x027990f029623981), UINT64_C(0xcadcd4e59ef40c4d),
    UINT64_C(0x9abfd8766a33735c), UINT64_C(0x0e3ea96b5304a7d0), UINT64_C(0xad0c42d6fc585992),
    UINT64_C(0x187306c89bc215a9), UINT64_C(0xd4a60abcf3792b95), UINT64_C(0xf935451de4f21df2),
    UINT64_C(0xa9538f0419755787), UINT64_C(0xdb9acddff56ca510), UINT64_C(0xd06c98cd5c0975eb),
    UINT64_C(0xe612a3cb9ecba951), UINT64_C(0xc766e62cfcadaf96), UINT64_C(0xee64435a9752fe72),
    UINT64_C(0xa192d576b245165a), UINT64_C(0x0a8787bf8ecb74b2), UINT64_C(0x81b3e73d20b49b6f),
    UINT64_C(0x7fa8220ba3b2ecea), UINT64_C(0x245731c13ca42499), UINT64_C(0xb78dbfaf3a8d83bd),
    UINT64_C(0xea1ad565322a1a0b), UINT64_C(0x60e61c23a3795013), UINT64_C(0x6606d7e446282b93),
    UINT64_C(0x6ca4ecb15c5f91e1), UINT64_C(0x9f626da15c9625f3), UINT64_C(0xe51b38608ef25f57),
    UINT64_C(0x958a324ceb064572),
};
enum { PUBLISHED = sizeof published / sizeof published[0] };
static const struct um_siphash_key key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};

static void it_has_its_authors_values(void)
{
    unsigned char bytes[PUBLISHED];
    for (unsigned i = 0; i < PUBLISHED; i++)
        bytes[i] = (unsigned char)i;
    for (unsigned n = 0; n < PUBLISHED; n++)
        CU_ASSERT_EQUAL(um_siphash(&key, bytes, n), published[n]);
    CU_ASSERT_EQUAL(um_siphash(&key, NULL, 0), published[0]);
}

static void bytes_may_stand_anywhere(void)
{
    unsigned char place[PUBLISHED + 8];
    for (unsigned from = 0; from < 8; from++) {
        for (unsigned i = 0; i < 40; i++)
            place[from + i] = (unsigned char)i;
        CU_ASSERT_EQUAL(um_siphash(&key, place + from, 40), published[40]);
    }
}

static void each_bit_of_the_key_counts(void)
{
    for (unsigned bit = 0; bit < 128; bit++) {
        struct um_siphash_key other = key;
        other.word[bit / 64] ^= UINT64_C(1) << bit % 64;
        CU_ASSERT_NOT_EQUAL(um_siphash(&other, "x", 1), um_siphash(&key, "x", 1));
    }
}

UM_TESTS("grade siphash", {"it has its authors' values", it_has_its_authors_values},
         {"bytes may stand anywhere", bytes_may_stand_anywhere},
         {"each bit of the key counts", each_bit_of_the_key_counts});
