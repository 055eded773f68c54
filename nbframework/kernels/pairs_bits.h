/* Rows of bits, one for each value of a column and one bit for each row of a block, and how many bits they share. */
#ifndef NBFRAMEWORK_PAIRS_BITS_H
#define NBFRAMEWORK_PAIRS_BITS_H

#include "pairs.h"

#include <string.h>

#if defined(__GNUC__)
#define BITS(word) ((uint32_t)__builtin_popcountll(word))
#else
static uint32_t
BITS(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((word * 0x0101010101010101u) >> 56);
}
#endif

/* Count the bits that a row of bits shares with each of up to four. */
#define SHARED(TOGETHER)                                                                                              \
    {                                                                                                                 \
        uint64_t sum[TOGETHER] = {0};                                                                                 \
        for (size_t w = 0; w < words; w++) {                                                                          \
            for (size_t k = 0; k < TOGETHER; k++) {                                                                   \
                sum[k] += BITS(a[w] & b[k * words + w]);                                                              \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t k = 0; k < TOGETHER; k++) {                                                                       \
            out[u * stride + v + k] = (uint32_t)sum[k];                                                               \
        }                                                                                                             \
        v += TOGETHER;                                                                                                \
    }

/* Count the bits that each of m rows of bits shares with each of n. */
INLINE void
shared_bits(const uint64_t *restrict one, size_t m, const uint64_t *restrict other, size_t n, size_t words,
            uint32_t *restrict out, size_t stride)
{
    for (size_t u = 0; u < m; u++) {
        const uint64_t *a = one + u * words;
        for (size_t v = 0; v < n;) {
            const uint64_t *b = other + v * words;
            if (n - v >= 4) {
                SHARED(4)
            } else if (n - v == 3) {
                SHARED(3)
            } else if (n - v == 2) {
                SHARED(2)
            } else {
                SHARED(1)
            }
        }
    }
}

DISPATCHED static void
count_shared(const uint64_t *one, size_t m, const uint64_t *other, size_t n, size_t words, uint32_t *out,
             size_t stride)
{
    shared_bits(one, m, other, n, words, out, stride);
}

WIDE_BITS static void
count_shared_widely(const uint64_t *one, size_t m, const uint64_t *other, size_t n, size_t words, uint32_t *out,
                    size_t stride)
{
    shared_bits(one, m, other, n, words, out, stride);
}

DISPATCHED static void
count_bits(const uint64_t *restrict bits, size_t rows, size_t words, uint32_t *restrict out)
{
    for (size_t v = 0; v < rows; v++) {
        uint32_t sum = 0;
        for (size_t w = 0; w < words; w++) {
            sum += BITS(bits[v * words + w]);
        }
        out[v] = sum;
    }
}

/* Write a row of bits for each value; a code that is larger has none. */
static void
pack(const uint32_t *code, size_t count, size_t words, size_t values, uint64_t *bits)
{
    uint64_t of_value[MOST_VALUES + 1];
    for (size_t w = 0; w < words; w++) {
        size_t from = w * WORD, rows = count - from < WORD ? count - from : WORD;
        memset(of_value, 0, (values + 1) * sizeof *of_value);
        for (size_t i = 0; i < rows; i++) {
            size_t value = code[from + i] < values ? code[from + i] : values;
            of_value[value] |= (uint64_t)1 << i;
        }
        for (size_t v = 0; v < values; v++) {
            bits[v * words + w] = of_value[v];
        }
    }
}

#endif
