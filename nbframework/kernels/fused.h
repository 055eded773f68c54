/* For kernels whose sums need not round like NumPy's: loops that are compiled several times, also for processors that
 * fuse products and sums, and exponentials and logarithms that are inlined in them.
 */
#ifndef NBFRAMEWORK_FUSED_H
#define NBFRAMEWORK_FUSED_H

#include "kernels.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The loop is an INLINE function; a FUSED function and another one call it, and FUSES tells which one to call;
 * HAS_LANES tells whether the processor has vectors as wide as Lanes, too. */
#if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(KERNELS_BASELINE)
#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("fp-contract=fast")
#endif
#if __GNUC__ >= 12
#define FUSED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FUSED __attribute__((target_clones("fma", "default")))
#endif
#define FUSES 1
#define HAS_LANES (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define FUSED
#define FUSES 0
#define HAS_LANES 0
#endif

#define LEAST_LOG (-690.0) /* the exponential of less adds nothing to a sum of at least 1 */

INLINE uint64_t
bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

INLINE double
from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Exponentials of numbers at most 0, to about 2 units in the last place; of numbers below LEAST_LOG, its exponential.
 * The numbers, times the factor, are written first: a loop with both would not be vectorized. */
INLINE void
exponentials(const double *from, double factor, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++) {
        double product = from[i] * factor;
        to[i] = product > LEAST_LOG ? product : LEAST_LOG;
    }
    for (size_t i = 0; i < count; i++) {
        double x = to[i], shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52, n = shifted - 0x1.8p52;
        double r = x - n * 0x1.62e42fefa3800p-1 - n * 0x1.ef35793c76730p-45, series = 1.0 / 6227020800.0;
        series = series * r + 1.0 / 479001600;
        series = series * r + 1.0 / 39916800;
        series = series * r + 1.0 / 3628800;
        series = series * r + 1.0 / 362880;
        series = series * r + 1.0 / 40320;
        series = series * r + 1.0 / 5040;
        series = series * r + 1.0 / 720;
        series = series * r + 1.0 / 120;
        series = series * r + 1.0 / 24;
        series = series * r + 1.0 / 6;
        series = series * r + 0.5;
        series = series * r + 1.0;
        series = series * r + 1.0;
        to[i] = from_bits(bits_of(series) + (bits_of(shifted) << 52));
    }
}

/* Natural logarithms of positive normal numbers, to about 2 units in the last place. */
INLINE void
logarithms(const double *restrict from, size_t count, double *restrict to)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu, one = 0x3ff0000000000000u, mantissa = 0x000fffffffffffffu;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = bits_of(from[i]) + (one - root_half);
        double exponent = from_bits(bits >> 52 | 0x4330000000000000u) - (0x1p52 + 1023.0);
        double m = from_bits((bits & mantissa) + root_half);
        double s = (m - 1.0) / (m + 1.0), z = s * s, series = 1.0 / 21;
        series = series * z + 1.0 / 19;
        series = series * z + 1.0 / 17;
        series = series * z + 1.0 / 15;
        series = series * z + 1.0 / 13;
        series = series * z + 1.0 / 11;
        series = series * z + 1.0 / 9;
        series = series * z + 1.0 / 7;
        series = series * z + 1.0 / 5;
        series = series * z + 1.0 / 3;
        to[i] = exponent * 0x1.62e42fefa39efp-1 + (2.0 * s + 2.0 * s * z * series);
    }
}

#endif
